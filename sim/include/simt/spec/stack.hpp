// A stack without bound; `pop` of an empty one returns none.
#pragma once

#include <simt/spec.hpp>

namespace simt::spec {

struct stack {
  static constexpr const char* name = "stack";
  static constexpr family known_as = family::lifo;
  enum : std::uint32_t { push, pop };

  static std::vector<operation> operations() {
    return {{"push", {{"value", type::value}}, type::nothing},
            {"pop", {}, type::maybe_value, "empty"}};
  }

  // The state is the values from the bottom to the top.
  void apply(const state& before, const call& what, outcomes& out) const {
    state after = before;
    if (what.operation == push) {
      after.push_back(what.arguments[0]);
      return out.add(none, std::move(after));
    }
    if (before.empty()) return out.add(none, std::move(after));
    after.pop_back();
    out.add(some(before.back()), std::move(after));
  }

  [[nodiscard]] role role_of(const call& what, const result& returned) const {
    if (what.operation == push) return role::of(what.arguments[0]);
    return returned.is_some ? role::of(returned.what) : role{.observer = true};
  }
};

}  // namespace simt::spec
