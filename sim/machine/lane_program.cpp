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
