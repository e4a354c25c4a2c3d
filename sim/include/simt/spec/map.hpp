// A map from keys to values.
#pragma once

#include <simt/spec.hpp>

namespace simt::spec {

struct map {
  static constexpr const char* name = "map";
  enum : std::uint32_t { put, get, erase, insert };

  static std::vector<operation> operations() {
    const argument key{"key", type::value, {1, 2}};
    const argument to{"value", type::value};
    return {{"put", {key, to}, type::nothing, "none", {"set", "write"}},
            {"get", {key}, type::maybe_value, "absent", {"read", "find"}},
            {"erase", {key}, type::boolean, "none", {"remove", "delete"}},
            {"insert", {key, to}, type::boolean, "none", {"add"}}};
  }

  // The state is pairs of key and value, keys ascending.
  void apply(const state& before, const call& what, outcomes& out) const {
    const value key = what.arguments[0];
    std::size_t at = 0;
    while (at < before.size() && before[at] < key) at += 2;
    const bool present = at < before.size() && before[at] == key;
    state after = before;
    const auto there = after.begin() + static_cast<std::ptrdiff_t>(at);
    switch (what.operation) {
      case get: return out.add(present ? some(before[at + 1]) : none, std::move(after));
      case erase:
        if (present) after.erase(there, there + 2);
        return out.add(some(present ? 1 : 0), std::move(after));
      case insert:
        if (!present) after.insert(there, {key, what.arguments[1]});
        return out.add(some(present ? 0 : 1), std::move(after));
      default:
        if (present) {
          after[at + 1] = what.arguments[1];
        } else {
          after.insert(there, {key, what.arguments[1]});
        }
        return out.add(none, std::move(after));
    }
  }

  [[nodiscard]] value part(const call& what) const { return what.arguments[0]; }

  [[nodiscard]] role role_of(const call& what, const result& returned) const {
    const bool changes_nothing =
        what.operation == get || (what.operation != put && returned == some(0));
    return role::of(what.arguments[0], changes_nothing);
  }
};

}  // namespace simt::spec
