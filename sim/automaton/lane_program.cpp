// Runs lanes from stop to stop, and keeps each result: (continuation, answer) → continuation.
#include "sim/automaton/lane_program.hpp"

#include "sim/lane/operation_table.hpp"

#include <algorithm>
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

// Whether the operation reads no memory.
bool looks_at_nothing(const operation& op) {
  const step_kind step = row_of(op.kind).step;
  return step == step_kind::silent || step == step_kind::branch;
}

template <class T>
std::span<const std::uint8_t> bytes_of(const T& value) {
  return {reinterpret_cast<const std::uint8_t*>(&value), sizeof value};
}

std::vector<std::uint8_t> key_of(const operation& op, std::span<const std::uint8_t> rest) {
  std::vector<std::uint8_t> key(sizeof op + rest.size());
  std::memcpy(key.data(), &op, sizeof op);
  std::ranges::copy(rest, key.begin() + sizeof op);
  return key;
}

// Whether two operations are one instruction at one address with equal effect.
bool is_same_access(const operation& a, const operation& b) {
  return a.pc == b.pc && a.kind == b.kind && a.memory == b.memory && a.size == b.size &&
         a.address == b.address && a.operand == b.operand && a.compare == b.compare;
}

// Limits on the answers that are tried.
constexpr int longest_silence = 16;      // operations in a row that read no memory
constexpr std::size_t most_loads = 2;    // loads between two rounds of a loop
constexpr int rounds_until_steady = 12;  // for instance of a backoff that grows

bool has_order(const operation& op) {
  return may_order(op.kind) && !op.weak && op.order != memory_order::relaxed;
}

bool is_wide(thread_scope scope) {
  return scope == thread_scope_device || scope == thread_scope_system;
}

memory_order weaker_than_sc(const operation& op) {
  if (op.kind == operation_kind::fence) return memory_order::acq_rel;
  if (op.memory == detail::memory_kind::load) return memory_order::acquire;
  return op.memory == detail::memory_kind::store ? memory_order::release : memory_order::acq_rel;
}

}  // namespace

lane_program::lane_program(std::shared_ptr<const subject_library> library,
                           const detail::subject_entry& entry, const device_memory& memory,
                           std::uint32_t repeat, bool branch_stops, bool weakens_sc)
    : library_(library),
      entry_(entry),
      runner_(std::move(library), memory, branch_stops),
      repeat_(repeat),
      branch_stops_(branch_stops),
      weakens_sc_(weakens_sc),
      orders_(std::make_shared<met_orders>()) {
  intern(lane_image{});  // number 0: exited
}

lane_program::lane_program(const lane_program& like, lane_runner runner)
    : library_(like.library_),
      entry_(like.entry_),
      runner_(std::move(runner)),
      repeat_(like.repeat_),
      branch_stops_(like.branch_stops_),
      weakens_sc_(like.weakens_sc_),
      orders_(like.orders_) {
  intern(lane_image{});  // number 0: exited
}

std::unique_ptr<lane_program> lane_program::another() const {
  return std::unique_ptr<lane_program>(new lane_program(*this, runner_.another()));
}

// The argument of the body. Only kernels have several launches, and kernels repeat nothing.
std::uint32_t lane_program::argument_of(std::uint32_t launch) const {
  return entry_.next_launch != nullptr ? launch : repeat_;
}

continuation lane_program::start(std::uint32_t launch) {
  if (init_end_ == 0) init_end_ = static_cast<continuation>(operations_.size());
  const bool endless = repeat_ == detail::for_ever && entry_.endless != nullptr;
  while (starts_.size() <= launch) {
    const auto number = static_cast<std::uint32_t>(starts_.size());
    starts_.push_back(after_way(
        intern(runner_.start_body(endless ? entry_.endless : entry_.body, argument_of(number)))));
  }
  return starts_[launch];
}

continuation lane_program::start_init() {
  return entry_.init == nullptr ? exited : after_way(intern(runner_.start_init(entry_.init)));
}

continuation lane_program::next(continuation c, std::uint64_t answer) {
  if (at(c).kind == operation_kind::endless) return c;
  continuation result = 0;
  if (const auto before = known(c, answer)) {
    result = *before;
  } else if (answer == goes_round && takes_no_step(at(c))) {
    lane_image image;
    image.next.kind = operation_kind::endless;
    image.next.block = at(c).block;
    image.next.sequence = at(c).sequence;
    image.next.pc = at(c).pc;
    result = intern(image);
    make_known(c, answer, result);
  } else {
    continuation end = 0;
    try {
      end = intern(runner_.resume(image(c), answer));
    } catch (const lane_runaway&) {
      throw;
    } catch (const lane_error& error) {
      // The lane may not get past the branches before the error.
      if (runner_.way().empty()) throw;
      end = fault_of(error);
    }
    result = after_way(end);
    make_known(c, answer, result);
  }
  if (operations_[result].kind == operation_kind::fault) raise(result);
  return result;
}

lane_runner::lines lane_program::printed_at_start(std::uint32_t launch) {
  const bool endless = repeat_ == detail::for_ever && entry_.endless != nullptr;
  return runner_.printed_at_start(endless ? entry_.endless : entry_.body, argument_of(launch));
}

lane_runner::lines lane_program::printed(continuation c, std::uint64_t answer) {
  // Behind a branch, the lane has printed everything on the way to the branch.
  if (c == exited || at(c).kind == operation_kind::branch) return {};
  return runner_.printed(image(c), answer);
}

void lane_program::make_known(continuation c, std::uint64_t answer, continuation next) {
  steps_.emplace(step_key{c, answer}, next);
  known_[c].emplace_back(answer, next);
}

continuation lane_program::speculate(continuation c, std::uint64_t answer) {
  if (operations_[c].kind == operation_kind::fault) return c;
  if (const auto before = known(c, answer)) return *before;
  try {
    return next(c, answer);
  } catch (const lane_error& error) {
    const continuation result = fault_of(error);
    make_known(c, answer, result);
    return result;
  }
}

// Returns the fault for this kind of misbehaviour and place. Call while `error` is handled.
continuation lane_program::fault_of(const lane_error& error) {
  std::uint32_t number = 0;
  while (number < faults_.size() && !same_fault(faults_[number], error)) ++number;
  if (number == faults_.size()) faults_.push_back(std::current_exception());
  lane_image image;
  image.next.kind = operation_kind::fault;
  image.next.number = number;
  image.next.pc = error.pc();
  return intern(image);
}

// The continuation before the first branch of the last run, which ended at `end`.
continuation lane_program::after_way(continuation end) {
  const std::vector<branch_stop>& way = runner_.way();
  for (auto stop = way.rbegin(); stop != way.rend(); ++stop) {
    operation branch;
    branch.kind = operation_kind::branch;
    branch.block = stop->left;
    branch.target = stop->entered;
    branch.pc = stop->pc;
    end = intern_branch(branch, end);
  }
  return end;
}

std::optional<continuation> lane_program::find(const lane_program& other, continuation c) const {
  std::vector<operation> way;
  for (; other.at(c).kind == operation_kind::branch; c = other.behind(c))
    way.push_back(other.at(c));
  auto found = images_.find(other.images_[c]);
  for (; found && !way.empty(); way.pop_back()) {
    found = images_.find(key_of(way.back(), bytes_of(*found)));
  }
  return found;
}

// The lane after these answers, past operations that read nothing. Nothing: an answer was for an
// operation that is no access.
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

// Extends `answers` so that they lead from `from` back to the access of `to`, by loads alone.
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

// Whether a lane that gets this answer comes back for ever to the read where it waits.
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
      // Up to the branch, both answers lead the lane the same way.
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
    } catch (const lane_error&) {  // perhaps an answer that never comes
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

// A continuation's key: the operation, the stack, its dead bytes, and the lane's answers with their
// number.
continuation lane_program::intern(const lane_image& image) {
  if (image.next.kind == operation_kind::exited) return intern(operation{}, {});
  std::vector<std::uint8_t> rest(image.stack);
  rest.insert(rest.end(), image.dead.begin(), image.dead.end());
  for (const place_fact& fact : image.told) {
    const auto bytes = bytes_of(fact);
    rest.insert(rest.end(), bytes.begin(), bytes.end());
  }
  rest.push_back(static_cast<std::uint8_t>(image.told.size()));
  return intern(image.next, rest);
}

// The key of a continuation before a branch: the branch, and the continuation behind it.
continuation lane_program::intern_branch(const operation& branch, continuation behind) {
  const std::size_t before = size();
  const continuation c = intern(branch, bytes_of(behind));
  if (size() != before) make_known(c, 0, behind);
  return c;
}

continuation lane_program::intern(operation op, std::span<const std::uint8_t> rest) {
  if (has_order(op)) {
    const bool is_fence = op.kind == operation_kind::fence;
    const bool is_sc = op.order == memory_order::seq_cst;
    if (is_sc) orders_->sc = true;
    if (!(is_fence && is_sc && is_wide(op.scope))) orders_->others = true;
    if (weakens_sc_ && is_sc) op.order = weaker_than_sc(op);
  }
  // What lies before a fence is told by a relaxed arrival, too, and not only by later fences.
  if (op.kind == operation_kind::barrier && (op.mask & detail::barrier_relaxed) != 0) {
    orders_->others = true;
  }
  const std::uint32_t number = images_.intern(key_of(op, rest));
  if (number == operations_.size()) {
    operations_.push_back(op);
    known_.emplace_back();
  }
  return number;
}

lane_image lane_program::image(continuation c) const {
  const auto key = images_[c];
  const auto* at = key.data() + sizeof(operation);
  lane_image image{operations_[c], {}, {}, std::vector<place_fact>(key.back())};
  const std::size_t told = image.told.size() * sizeof(place_fact) + 1;
  const std::size_t size = (key.size() - sizeof(operation) - told) / 2;
  image.stack.assign(at, at + size);
  image.dead.assign(at + size, at + 2 * size);
  if (told != 1) std::memcpy(image.told.data(), at + 2 * size, told - 1);
  return image;
}

}  // namespace simt
