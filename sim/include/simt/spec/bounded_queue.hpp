// A queue with a capacity, first in, first out; `enqueue` says whether there was room.
#pragma once

#include <simt/spec.hpp>

namespace simt::spec {

struct bounded_queue {
  static constexpr const char* name = "bounded_queue";
  enum : std::uint32_t { enqueue, dequeue };

  value capacity = 1;

  static std::vector<parameter_of<bounded_queue>> parameters() {
    return {{"capacity", &bounded_queue::capacity, 1}};
  }
  static std::vector<operation> operations() {
    return {{"enqueue", {{"value", type::value}}, type::boolean, "none", {"enq", "push"}},
            {"dequeue", {}, type::maybe_value, "empty", {"deq", "pop"}}};
  }

  void apply(const state& before, const call& what, outcomes& out) const {
    state after = before;
    if (what.operation == enqueue) {
      if (static_cast<value>(before.size()) >= capacity) return out.add(some(0), std::move(after));
      after.push_back(what.arguments[0]);
      return out.add(some(1), std::move(after));
    }
    if (before.empty()) return out.add(none, std::move(after));
    after.erase(after.begin());
    out.add(some(before.front()), std::move(after));
  }

  // Values are no groups: without one value there would be room for another.
  [[nodiscard]] role role_of(const call& what, const result& returned) const {
    const bool full = what.operation == enqueue && returned == some(0);
    const bool empty = what.operation == dequeue && !returned.is_some;
    return full || empty ? role{.observer = true} : role{};
  }
};

}  // namespace simt::spec
