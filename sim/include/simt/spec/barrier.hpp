// A reusable barrier for a fixed number of clients.
//
// `arrive_and_wait` is a rendezvous, not one atomic step: it arrives, and leaves when all parties
// of its round have arrived. The steps may also be operations of their own, `arrive` and `wait`.
#pragma once

#include <algorithm>

#include <simt/spec.hpp>

namespace simt::spec {

struct barrier {
  static constexpr const char* name = "barrier";
  static constexpr bool uses_clients = true;
  enum : std::uint32_t { arrive_and_wait, arrive, wait };

  value parties = 2;

  static std::vector<parameter_of<barrier>> parameters() {
    return {{"parties", &barrier::parties, 1}};
  }
  static std::vector<operation> operations() {
    return {{"arrive_and_wait", {}, type::nothing, "none", {"sync"}, 2},
            {"arrive", {}, type::nothing},
            {"wait", {}, type::nothing}};
  }
  [[nodiscard]] state initial() const { return {0}; }

  // The state is how many have arrived in this round, who they are, and who may leave older rounds.
  // Both lists are ascending. A client that has not left its last round cannot arrive again.
  void apply(const state& before, const call& what, outcomes& out) const {
    state after = before;
    const auto client = static_cast<value>(what.client);
    const auto arrived = after.begin() + 1 + after[0];
    const bool here = std::find(after.begin() + 1, arrived, client) != arrived;
    const auto leaving = std::lower_bound(arrived, after.end(), client);
    const bool may_leave = leaving != after.end() && *leaving == client;
    if (what.operation == wait || what.step == 1) {
      if (!may_leave) return;
      after.erase(leaving);
      return out.add(none, std::move(after));
    }
    if (here || may_leave) return;
    after.insert(std::lower_bound(after.begin() + 1, arrived, client), client);
    if (++after[0] == parties) {
      after[0] = 0;
      std::sort(after.begin() + 1, after.end());
    }
    out.add(none, std::move(after));
  }
};

}  // namespace simt::spec
