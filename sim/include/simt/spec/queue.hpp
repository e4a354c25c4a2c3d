// A queue without bound, first in, first out; `dequeue` of an empty one returns none.
#pragma once

#include <simt/spec.hpp>

namespace simt::spec {

struct queue {
  static constexpr const char* name = "queue";
  static constexpr family known_as = family::fifo;
  enum : std::uint32_t { enqueue, dequeue };

  static std::vector<operation> operations() {
    return {{"enqueue", {{"value", type::value}}, type::nothing, "none", {"enq", "push"}},
            {"dequeue", {}, type::maybe_value, "empty", {"deq", "pop"}}};
  }

  // The state is the values from the oldest to the newest.
  void apply(const state& before, const call& what, outcomes& out) const {
    state after = before;
    if (what.operation == enqueue) {
      after.push_back(what.arguments[0]);
      return out.add(none, std::move(after));
    }
    if (before.empty()) return out.add(none, std::move(after));
    after.erase(after.begin());
    out.add(some(before.front()), std::move(after));
  }

  [[nodiscard]] role role_of(const call& what, const result& returned) const {
    if (what.operation == enqueue) return role::of(what.arguments[0]);
    return returned.is_some ? role::of(returned.what) : role{.observer = true};
  }
};

}  // namespace simt::spec
