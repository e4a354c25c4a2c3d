// A set from which the smallest comes out: `insert` says whether the value is new.
#pragma once

#include <algorithm>
#include <functional>

#include <simt/spec.hpp>

namespace simt::spec {

struct priority_set {
  static constexpr const char* name = "priority_set";
  enum : std::uint32_t { insert, delete_min };

  static std::vector<operation> operations() {
    return {{"insert", {{"value", type::number}}, type::boolean, "none", {"push", "add"}},
            {"delete_min", {}, type::maybe_value, "empty", {"pop", "extract_min"}}};
  }

  // The state is the values in descending order.
  void apply(const state& before, const call& what, outcomes& out) const {
    state after = before;
    if (what.operation == insert) {
      const value v = what.arguments[0];
      const auto at = std::lower_bound(after.begin(), after.end(), v, std::greater<>());
      const bool is_new = at == after.end() || *at != v;
      if (is_new) after.insert(at, v);
      return out.add(some(is_new ? 1 : 0), std::move(after));
    }
    if (before.empty()) return out.add(none, std::move(after));
    after.pop_back();
    out.add(some(before.back()), std::move(after));
  }

  [[nodiscard]] role role_of(const call& what, const result& returned) const {
    if (what.operation == insert) return role::of(what.arguments[0], returned == some(0));
    return returned.is_some ? role::of(returned.what) : role{.observer = true};
  }
};

}  // namespace simt::spec
