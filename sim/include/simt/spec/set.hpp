// A set: `insert` and `erase` say whether they changed it.
#pragma once

#include <algorithm>

#include <simt/spec.hpp>

namespace simt::spec {

struct set {
  static constexpr const char* name = "set";
  enum : std::uint32_t { insert, erase, contains };

  static std::vector<operation> operations() {
    return {{"insert", {{"key", type::value, {1, 2}}}, type::boolean, "none", {"add"}},
            {"erase", {{"key", type::value, {1, 2}}}, type::boolean, "none", {"remove", "delete"}},
            {"contains", {{"key", type::value, {1, 2}}}, type::boolean, "none", {"find"}}};
  }

  // The state is the keys in ascending order.
  void apply(const state& before, const call& what, outcomes& out) const {
    const value key = what.arguments[0];
    const auto at = std::lower_bound(before.begin(), before.end(), key);
    const bool present = at != before.end() && *at == key;
    state after = before;
    const auto there = after.begin() + (at - before.begin());
    if (what.operation == contains) return out.add(some(present ? 1 : 0), std::move(after));
    const bool changes = present == (what.operation == erase);
    if (changes && present) after.erase(there);
    if (changes && !present) after.insert(there, key);
    out.add(some(changes ? 1 : 0), std::move(after));
  }

  [[nodiscard]] value part(const call& what) const { return what.arguments[0]; }

  [[nodiscard]] role role_of(const call& what, const result& returned) const {
    const bool changes_nothing = what.operation == contains || returned == some(0);
    return role::of(what.arguments[0], changes_nothing);
  }
};

}  // namespace simt::spec
