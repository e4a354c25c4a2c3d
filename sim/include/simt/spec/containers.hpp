// Two containers, a and b, between which elements are moved in one step (Cederman, thesis 2011,
// chapter 4).
#pragma once

#include <simt/spec.hpp>

namespace simt::spec {

struct containers {
  static constexpr const char* name = "containers";
  enum : std::uint32_t { push_a, push_b, pop_a, pop_b, move_ab, move_ba, move_aa };

  value queue_a = 0;  // 1: a is a queue, 0: a stack
  value queue_b = 0;

  static std::vector<parameter_of<containers>> parameters() {
    return {{"queue_a", &containers::queue_a, 0}, {"queue_b", &containers::queue_b, 0}};
  }
  static std::vector<operation> operations() {
    return {{"push_a", {{"value", type::value}}, type::nothing},
            {"push_b", {{"value", type::value}}, type::nothing},
            {"pop_a", {}, type::maybe_value, "empty"},
            {"pop_b", {}, type::maybe_value, "empty"},
            {"move_ab", {}, type::boolean},
            {"move_ba", {}, type::boolean},
            {"move_aa", {}, type::boolean}};
  }
  [[nodiscard]] state initial() const { return {0}; }

  // The state is the size of a, then the elements of a, then those of b, each in the order of
  // insertion.
  void apply(const state& before, const call& what, outcomes& out) const {
    state after = before;
    switch (what.operation) {
      case push_a:
      case push_b: insert(after, what.operation == push_b, what.arguments[0]); break;
      case pop_a:
      case pop_b: {
        const result taken = take(after, what.operation == pop_b);
        return out.add(taken, std::move(after));
      }
      default: {
        const bool from_b = what.operation == move_ba;
        const result taken = take(after, from_b);
        if (taken.is_some) insert(after, what.operation == move_ab, taken.what);
        return out.add(some(taken.is_some ? 1 : 0), std::move(after));
      }
    }
    out.add(none, std::move(after));
  }

 private:
  static void insert(state& now, bool in_b, value v) {
    now.insert(in_b ? now.end() : now.begin() + 1 + now[0], v);
    if (!in_b) ++now[0];
  }
  [[nodiscard]] result take(state& now, bool from_b) const {
    const auto first = now.begin() + 1 + (from_b ? now[0] : 0);
    const auto last = from_b ? now.end() : now.begin() + 1 + now[0];
    if (first == last) return none;
    const auto at = (from_b ? queue_b : queue_a) != 0 ? first : last - 1;
    const value taken = *at;
    now.erase(at);
    if (!from_b) --now[0];
    return some(taken);
  }
};

}  // namespace simt::spec
