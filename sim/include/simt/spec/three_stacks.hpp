// Three stacks, a, b and c, where one step moves an element of a into several others (Cederman,
// thesis 2011, section 4.8: moves of n objects).
#pragma once

#include <simt/spec.hpp>

namespace simt::spec {

struct three_stacks {
  static constexpr const char* name = "three_stacks";
  enum : std::uint32_t { push_a, pop_a, pop_b, pop_c, spread, spread_twice };

  static std::vector<operation> operations() {
    return {{"push_a", {{"value", type::value}}, type::nothing},
            {"pop_a", {}, type::maybe_value, "empty"},
            {"pop_b", {}, type::maybe_value, "empty"},
            {"pop_c", {}, type::maybe_value, "empty"},
            {"spread", {}, type::boolean},         // from a into b and c
            {"spread_twice", {}, type::boolean}};  // from a into b, two times
  }
  [[nodiscard]] state initial() const { return {0, 0}; }

  // The state is the sizes of a and b, then the elements of a, b and c, the bottom first.
  void apply(const state& before, const call& what, outcomes& out) const {
    state after = before;
    if (what.operation == push_a) {
      insert(after, 0, what.arguments[0]);
      return out.add(none, std::move(after));
    }
    if (what.operation < spread) {
      const result taken = take(after, what.operation - pop_a);
      return out.add(taken, std::move(after));
    }
    const result taken = take(after, 0);
    if (taken.is_some) {
      insert(after, 1, taken.what);
      insert(after, what.operation == spread ? 2 : 1, taken.what);
    }
    out.add(some(taken.is_some ? 1 : 0), std::move(after));
  }

 private:
  /// Returns the end of a stack's elements.
  static state::iterator end_of(state& now, std::uint32_t which) {
    if (which == 2) return now.end();
    return now.begin() + 2 + now[0] + (which == 1 ? now[1] : 0);
  }
  static std::ptrdiff_t size_of(const state& now, std::uint32_t which) {
    return which == 2 ? static_cast<std::ptrdiff_t>(now.size()) - 2 - now[0] - now[1]
                      : static_cast<std::ptrdiff_t>(now[which]);
  }
  static void insert(state& now, std::uint32_t which, value v) {
    now.insert(end_of(now, which), v);
    if (which < 2) ++now[which];
  }
  static result take(state& now, std::uint32_t which) {
    if (size_of(now, which) == 0) return none;
    const auto at = end_of(now, which) - 1;
    const value taken = *at;
    now.erase(at);
    if (which < 2) --now[which];
    return some(taken);
  }
};

}  // namespace simt::spec
