// A deque from which others steal. A steal may find nothing although there is something, but only
// if another client took its element meanwhile (the relaxed semantics of Arora, Blumofe and
// Plaxton, SPAA 1998).
#pragma once

#include <algorithm>

#include <simt/spec.hpp>

namespace simt::spec {

struct work_deque {
  static constexpr const char* name = "work_deque";
  static constexpr bool uses_clients = true;
  enum : std::uint32_t { push_back, pop_back, steal };

  // A steal has two steps, its begin and its end. The state notes what is taken from the front
  // between them.
  static std::vector<operation> operations() {
    return {{"push_back", {{"value", type::value}}, type::nothing, "none", {"push", "push_bottom"}},
            {"pop_back", {}, type::maybe_value, "empty", {"pop", "pop_bottom"}},
            {"steal", {}, type::maybe_value, "nothing", {"pop_front", "pop_top"}, 2}};
  }
  [[nodiscard]] state initial() const { return {0}; }

  // The state begins with how many steals have begun. Each of them follows, in ascending order, as
  // twice its client, plus 1 if it was overtaken. Then come the values from the front to the back.
  void apply(const state& before, const call& what, outcomes& out) const {
    state after = before;
    const auto begun = after.begin() + 1 + after[0];
    const auto client = static_cast<value>(what.client);
    if (what.operation == push_back) {
      after.push_back(what.arguments[0]);
      return out.add(none, std::move(after));
    }
    if (what.operation == pop_back) {
      if (begun == after.end()) return out.add(none, std::move(after));
      const value taken = after.back();
      if (begun + 1 == after.end()) overtake(after);
      after.pop_back();
      return out.add(some(taken), std::move(after));
    }
    const auto mine =
        std::find_if(after.begin() + 1, begun, [&](value v) { return v >> 1 == client; });
    if (what.step == 0) {
      if (mine != begun) return;
      after.insert(std::lower_bound(after.begin() + 1, begun, 2 * client), 2 * client);
      ++after[0];
      return out.add(none, std::move(after));
    }
    if (mine == begun) return;
    const bool is_overtaken = (*mine & 1) != 0;
    after.erase(mine);
    --after[0];
    const auto first = after.begin() + 1 + after[0];
    if (is_overtaken || first == after.end()) out.add(none, after);
    if (first == after.end()) return;
    const value taken = *first;
    after.erase(first);
    overtake(after);
    out.add(some(taken), std::move(after));
  }

 private:
  static void overtake(state& now) {
    for (value i = 1; i <= now[0]; ++i) now[static_cast<std::size_t>(i)] |= 1;
  }
};

}  // namespace simt::spec
