#include "sim/machine/lane_program.hpp"

#include <cstring>
#include <typeinfo>

namespace simt {
namespace {

bool same_fault(const std::exception_ptr& known, const lane_error& other) {
  try {
    std::rethrow_exception(known);
  } catch (const lane_error& error) {
    return typeid(error) == typeid(other) && error.pc() == other.pc() &&
           std::strcmp(error.what(), other.what()) == 0;
  }
}

// What a lane does without a look at memory.
bool looks_at_nothing(const operation& op) {
  return op.kind == operation_kind::fence || op.kind == operation_kind::nanosleep ||
         op.kind == operation_kind::branch;
}

// The same instruction, at the same place, that does the same.
bool is_same_access(const operation& a, const operation& b) {
  return a.pc == b.pc && a.kind == b.kind && a.memory == b.memory && a.size == b.size &&
         a.address == b.address && a.operand == b.operand && a.compare == b.compare;
}

// Of those that are tried.
constexpr int longest_silence = 16;      // operations without a look at memory
constexpr std::size_t most_loads = 2;    // between two rounds of a loop
constexpr int rounds_until_steady = 12;  // as of a backoff that grows

}  // namespace

lane_program::lane_program(std::shared_ptr<const subject_library> library,
                           const detail::subject_entry& entry, const device_memory& memory,
                           std::uint32_t repeat, bool branch_stops)
    : library_(library),
      entry_(entry),
      runner_(std::move(library), memory, branch_stops),
      repeat_(repeat),
      branch_stops_(branch_stops) {
  intern(lane_image{});  // number 0: exited
}

lane_program::lane_program(const lane_program& like, lane_runner runner)
    : library_(like.library_),
      entry_(like.entry_),
      runner_(std::move(runner)),
      repeat_(like.repeat_),
      branch_stops_(like.branch_stops_) {
  intern(lane_image{});  // number 0: exited
}

std::unique_ptr<lane_program> lane_program::another() const {
  return std::unique_ptr<lane_program>(new lane_program(*this, runner_.another()));
}

continuation lane_program::start() {
  if (init_end_ == 0) init_end_ = static_cast<continuation>(operations_.size());
  const bool endless = repeat_ == detail::for_ever && entry_.endless != nullptr;
  return intern(runner_.start_body(endless ? entry_.endless : entry_.body, repeat_));
}

continuation lane_program::start_init() {
  return entry_.init == nullptr ? exited : intern(runner_.start_init(entry_.init));
}

continuation lane_program::next(continuation c, std::uint64_t answer) {
  const step_key key{c, answer};
  if (const auto found = steps_.find(key); found != steps_.end()) return found->second;
  const continuation result = intern(runner_.resume(image(c), answer));
  steps_.emplace(key, result);
  known_[c].emplace_back(answer, result);
  return result;
}

continuation lane_program::speculate(continuation c, std::uint64_t answer) {
  if (operations_[c].kind == operation_kind::fault) return c;
  try {
    return next(c, answer);
  } catch (const lane_error& error) {
    // One fault for each kind of misbehaviour and place.
    std::uint32_t number = 0;
    while (number < faults_.size() && !same_fault(faults_[number], error)) ++number;
    if (number == faults_.size()) faults_.push_back(std::current_exception());
    lane_image image;
    image.next.kind = operation_kind::fault;
    image.next.number = number;
    image.next.pc = error.pc();
    const continuation result = intern(image);
    steps_.emplace(step_key{c, answer}, result);
    known_[c].emplace_back(answer, result);
    return result;
  }
}

// Where the lane waits behind the answers, past what looks at nothing. Nothing: it comes to
// something else than a read.
std::optional<lane_image> lane_program::go_on(lane_image from,
                                              std::span<const std::uint64_t> answers) {
  for (const std::uint64_t answer : answers) {
    if (from.next.kind != operation_kind::memory) return std::nullopt;
    from = runner_.resume(from, answer);
    for (int i = 0; i < longest_silence && looks_at_nothing(from.next); ++i) {
      from = runner_.resume(from, 0);
    }
  }
  return from;
}

// Answers that lead from where `answers` have led to back to the access `to`, by loads alone.
bool lane_program::find_way_back(const lane_image& to, const lane_image& from,
                                 std::vector<std::uint64_t>& answers, std::uint64_t likely) {
  if (is_same_access(to.next, from.next)) return true;
  const bool loads =
      from.next.kind == operation_kind::memory && from.next.memory == detail::memory_kind::load;
  if (!loads || answers.size() > most_loads) return false;
  for (const std::uint64_t answer : {std::uint64_t{0}, std::uint64_t{1}, likely}) {
    answers.push_back(answer);
    const auto next = go_on(from, {&answer, 1});
    if (next && find_way_back(to, *next, answers, likely)) return true;
    answers.pop_back();
  }
  return false;
}

// Whether the lane comes back to the read that it waits at for ever, if it gets this answer.
bool lane_program::stays_in_loop(const lane_image& at, std::uint64_t answer) {
  std::vector<std::uint64_t> answers{answer};
  auto now = go_on(at, answers);
  if (!now || !find_way_back(at, *now, answers, answer)) return false;
  now = go_on(at, answers);
  for (int round = 0; now && round < rounds_until_steady; ++round) {
    auto next = go_on(*now, answers);
    if (!next || !is_same_access(next->next, at.next)) return false;
    if (next->stack == now->stack && next->dead == now->dead) return true;
    now = std::move(next);
  }
  return false;
}

bool lane_program::decides_on_loop(continuation c, std::uint64_t answer) {
  const step_key key{c, answer};
  if (const auto known = decides_on_loop_.find(key); known != decides_on_loop_.end())
    return known->second;
  bool& result = decides_on_loop_[key];
  const lane_image at = image(c);
  const std::uint64_t bits = ~std::uint64_t{0} >> (64U - 8U * at.next.size);
  for (const std::uint64_t other : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2},
                                    (answer + 1) & bits, (answer - 1) & bits}) {
    if (result || other == answer || (answer == 0 && other == bits)) continue;
    try {
      // Up to the branch both do the same.
      lane_image one = runner_.resume(at, answer);
      lane_image two = runner_.resume(at, other);
      for (int i = 0; i < longest_silence && one.next.pc == two.next.pc &&
                      looks_at_nothing(one.next) && looks_at_nothing(two.next);
           ++i) {
        one = runner_.resume(one, 0);
        two = runner_.resume(two, 0);
      }
      result =
          one.next.pc != two.next.pc && (stays_in_loop(at, other) || stays_in_loop(at, answer));
    } catch (const lane_error&) {  // an answer that never comes, perhaps
    }
  }
  return result;
}

void lane_program::raise(continuation c) const {
  std::rethrow_exception(faults_[operations_[c].number]);
}

std::size_t lane_program::memory() const {
  return images_.memory() + operations_.memory() +
         steps_.bucket_count() * (sizeof(step_key) + sizeof(continuation) + 1);
}

// A continuation's key: the operation, the stack, and which bytes of the stack are dead.
continuation lane_program::intern(const lane_image& image) {
  std::vector<std::uint8_t> key(sizeof(operation) + 2 * image.stack.size());
  const bool done = image.next.kind == operation_kind::exited;
  if (done) {
    key.resize(sizeof(operation));
    const operation nothing;
    std::memcpy(key.data(), &nothing, sizeof nothing);
  } else {
    std::memcpy(key.data(), &image.next, sizeof(operation));
    std::memcpy(key.data() + sizeof(operation), image.stack.data(), image.stack.size());
    std::memcpy(key.data() + sizeof(operation) + image.stack.size(), image.dead.data(),
                image.dead.size());
  }
  const std::uint32_t number = images_.intern(key);
  if (number == operations_.size()) {
    operations_.push_back(done ? operation{} : image.next);
    known_.emplace_back();
  }
  return number;
}

lane_image lane_program::image(continuation c) const {
  const auto key = images_[c];
  const std::size_t size = (key.size() - sizeof(operation)) / 2;
  const auto* stack = key.data() + sizeof(operation);
  return {operations_[c], {stack, stack + size}, {stack + size, stack + 2 * size}};
}

}  // namespace simt
