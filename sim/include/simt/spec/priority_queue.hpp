// A priority queue: the smallest comes out first.
#pragma once

#include <algorithm>
#include <functional>

#include <simt/spec.hpp>

namespace simt::spec {

struct priority_queue {
  static constexpr const char* name = "priority_queue";
  enum : std::uint32_t { insert, delete_min };

  static std::vector<operation> operations() {
    return {{"insert", {{"value", type::number}}, type::nothing, "none", {"push", "add"}},
            {"delete_min", {}, type::maybe_value, "empty", {"pop", "extract_min"}}};
  }

  // The state is the values in descending order.
  void apply(const state& before, const call& what, outcomes& out) const {
    state after = before;
    if (what.operation == insert) {
      const value v = what.arguments[0];
      after.insert(std::lower_bound(after.begin(), after.end(), v, std::greater<>()), v);
      return out.add(none, std::move(after));
    }
    if (before.empty()) return out.add(none, std::move(after));
    after.pop_back();
    out.add(some(before.back()), std::move(after));
  }

  [[nodiscard]] role role_of(const call& what, const result& returned) const {
    if (what.operation == insert) return role::of(what.arguments[0]);
    return returned.is_some ? role::of(returned.what) : role{.observer = true};
  }
};

}  // namespace simt::spec
