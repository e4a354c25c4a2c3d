// A queue with two ends.
#pragma once

#include <simt/spec.hpp>

namespace simt::spec {

struct deque {
  static constexpr const char* name = "deque";
  enum : std::uint32_t { push_front, push_back, pop_front, pop_back };

  static std::vector<operation> operations() {
    return {{"push_front", {{"value", type::value}}, type::nothing},
            {"push_back", {{"value", type::value}}, type::nothing},
            {"pop_front", {}, type::maybe_value, "empty"},
            {"pop_back", {}, type::maybe_value, "empty"}};
  }

  // The state is the values from the front to the back.
  void apply(const state& before, const call& what, outcomes& out) const {
    state after = before;
    switch (what.operation) {
      case push_front: after.insert(after.begin(), what.arguments[0]); break;
      case push_back: after.push_back(what.arguments[0]); break;
      default:
        if (before.empty()) break;
        if (what.operation == pop_front) {
          after.erase(after.begin());
          return out.add(some(before.front()), std::move(after));
        }
        after.pop_back();
        return out.add(some(before.back()), std::move(after));
    }
    out.add(none, std::move(after));
  }

  [[nodiscard]] role role_of(const call& what, const result& returned) const {
    if (what.operation <= push_back) return role::of(what.arguments[0]);
    return returned.is_some ? role::of(returned.what) : role{.observer = true};
  }
};

}  // namespace simt::spec
