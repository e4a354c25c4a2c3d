// docs/guarantees.md a second time, without strongly connected components: a run that goes on for
// ever comes to some state again and again, so there is a closed walk from that state which does
// all that the run does for ever. Closed walks are searched for from each state, with what they
// have done so far as part of the search; that includes which accesses of a weak memory were stale,
// and which were not, and whether it has come past a state where nothing is promised.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "checker/claims/operation_graph.hpp"
#include "checker/verdicts/guarantee.hpp"

namespace test {

class progress_oracle {
 public:
  using edge = warpcheck::operation_graph::edge;
  /// The first `roots` states are initial.
  explicit progress_oracle(const warpcheck::operation_graph& graph, warpcheck::state_id roots = 1)
      : graph_(graph), roots_(roots) {}

  bool breaks(warpcheck::guarantee what) const {
    switch (what) {
      case warpcheck::guarantee::wait_free:
        for (std::uint32_t c = 0; c < graph_.clients(); ++c) {
          const bool found =
              some_walk([&](warpcheck::state_id s) { return graph_.status(s).pending[c] != 0; },
                        [&](const edge& e) { return !completes(e, c); },
                        {[&, c](warpcheck::state_id, const edge* e) {
                          return e != nullptr && steps(*e, graph_.unit_of[c]);
                        }});
          if (found) return true;
        }
        return somebody_is_blocked();
      case warpcheck::guarantee::lock_free:
        return some_walk(any_state, [&](const edge& e) { return completes_nothing(e); }, {}) ||
               somebody_is_blocked();
      case warpcheck::guarantee::obstruction_free:
        for (std::uint32_t u = 0; u < graph_.units; ++u) {
          const auto alone = [&](const edge& e) {
            const bool promises = graph_.steps[e.step].by.what == simt::choice::kind::promise;
            return completes_nothing(e) && !promises &&
                   (graph_.steps[e.step].units.empty() || steps(e, u));
          };
          if (some_walk(any_state, alone, {})) return true;
        }
        return somebody_is_blocked();
      case warpcheck::guarantee::blocking: break;
    }
    for (warpcheck::state_id s = 0; s < graph_.size(); ++s) {
      bool left = false;
      for (const char l : graph_.status(s).left) left = left || l != 0;
      const bool is_over = graph_.status(s).ends || graph_.status(s).promised;
      if (left && graph_.out(s).empty() && !is_over) return true;
    }
    return some_walk(
        any_state, [&](const edge& e) { return completes_nothing(e); }, fairness());
  }

  bool starves() const {
    for (std::uint32_t c = 0; c < graph_.clients(); ++c) {
      auto needs = fairness();
      needs.push_back([&, c](warpcheck::state_id, const edge* e) {
        if (e == nullptr) return false;
        for (const std::uint32_t other : graph_.steps[e->step].completes) {
          if (other != c) return true;
        }
        return false;
      });
      const bool found =
          some_walk([&](warpcheck::state_id s) { return graph_.status(s).pending[c] != 0; },
                    [&](const edge& e) { return !completes(e, c); }, needs);
      if (found) return true;
    }
    return false;
  }

  bool livelocks() const {
    return some_walk(
        [&](warpcheck::state_id s) {
          for (std::uint32_t c = 0; c < graph_.clients(); ++c) {
            if (graph_.status(s).left[c] != 0 && !can_complete(c, s)) return false;
          }
          return true;
        },
        [&](const edge& e) { return completes_nothing(e); }, fairness());
  }

  bool can_complete(std::uint32_t client, warpcheck::state_id from) const {
    std::set<warpcheck::state_id> seen{from};
    std::deque<warpcheck::state_id> queue{from};
    while (!queue.empty()) {
      const warpcheck::state_id s = queue.front();
      queue.pop_front();
      if (graph_.status(s).ends) return true;
      for (const edge& e : graph_.out(s)) {
        if (e.to == graph_.no_state || completes(e, client)) return true;
        if (seen.insert(e.to).second) queue.push_back(e.to);
      }
    }
    return false;
  }

  /// Whether a run has more than `bound` steps of the client inside such an operation (nothing: its
  /// body), or leads to where the client is inside and can take no step unless others do.
  bool exceeds(std::uint32_t client, std::optional<std::uint32_t> operation,
               std::uint32_t bound) const {
    struct place {
      warpcheck::state_id at;
      bool inside;
      std::uint32_t steps;
      auto operator<=>(const place&) const = default;
    };
    std::set<place> seen;
    for (warpcheck::state_id root = 0; root < roots_; ++root) seen.insert({root, !operation, 0});
    std::deque<place> queue(seen.begin(), seen.end());
    while (!queue.empty()) {
      const place here = queue.front();
      queue.pop_front();
      const auto& status = graph_.status(here.at);
      const bool rests = status.awaits_choice || status.ends || status.promised;
      if (here.inside && status.pending[client] != 0 && !rests &&
          !graph_.is_enabled(graph_.unit_of[client], here.at)) {
        return true;
      }
      for (const edge& e : graph_.out(here.at)) {
        if (e.to == graph_.no_state) continue;
        const auto& step = graph_.steps[e.step];
        place next{e.to, here.inside, here.steps};
        for (const auto& call : step.calls) {
          if (operation && call.client == client && call.operation == *operation) {
            next = {e.to, true, 0};
          }
        }
        for (const std::uint32_t c : step.counts) next.steps += next.inside && c == client ? 1 : 0;
        if (next.steps > bound && keeps_promises(e.to)) return true;
        if (completes(e, client)) next = {e.to, false, 0};
        if (next.steps <= bound && seen.insert(next).second) queue.push_back(next);
      }
    }
    return false;
  }

  /// The most steps inside such an operation; nothing: there is no bound. A run with more steps
  /// than there are states comes to a state twice with a step between, so it can go round.
  std::optional<std::uint32_t> most_steps(std::uint32_t client,
                                          std::optional<std::uint32_t> operation) const {
    if (exceeds(client, operation, graph_.size())) return std::nullopt;
    std::uint32_t bound = 0;
    while (exceeds(client, operation, bound)) ++bound;
    return bound;
  }

 private:
  bool keeps_promises(warpcheck::state_id from) const {
    std::set<warpcheck::state_id> seen{from};
    std::deque<warpcheck::state_id> queue{from};
    while (!queue.empty()) {
      const warpcheck::state_id s = queue.front();
      queue.pop_front();
      if (!graph_.status(s).promised) return true;
      for (const edge& e : graph_.out(s)) {
        if (e.to != graph_.no_state && seen.insert(e.to).second) queue.push_back(e.to);
      }
    }
    return false;
  }

  /// Of a state that is passed (no edge), or of an edge that is taken there.
  using need = std::function<bool(warpcheck::state_id, const edge*)>;
  const warpcheck::operation_graph& graph_;
  warpcheck::state_id roots_;

  static bool any_state(warpcheck::state_id) { return true; }
  bool completes(const edge& e, std::uint32_t client) const {
    for (const std::uint32_t c : graph_.steps[e.step].completes) {
      if (c == client) return true;
    }
    return false;
  }
  bool completes_nothing(const edge& e) const { return graph_.steps[e.step].completes.empty(); }
  bool steps(const edge& e, std::uint32_t unit) const {
    for (const std::uint32_t u : graph_.steps[e.step].units) {
      if (u == unit) return true;
    }
    return false;
  }
  bool can_step(std::uint32_t unit, warpcheck::state_id s) const {
    const warpcheck::graph_status& here = graph_.status(s);
    if (here.promised && here.held_back[unit] != 0) return true;
    for (const edge& e : graph_.out(s)) {
      if (steps(e, unit)) return true;
    }
    return false;
  }

  bool somebody_is_blocked() const {
    for (warpcheck::state_id s = 0; s < graph_.size(); ++s) {
      const warpcheck::graph_status& here = graph_.status(s);
      if (here.awaits_choice || here.ends || here.promised) continue;
      for (std::uint32_t c = 0; c < graph_.clients(); ++c) {
        if (graph_.status(s).pending[c] != 0 && !can_step(graph_.unit_of[c], s)) return true;
      }
    }
    return false;
  }

  std::vector<need> fairness() const {
    std::vector<need> needs;
    for (std::uint32_t u = 0; u < graph_.units; ++u) {
      needs.push_back([&, u](warpcheck::state_id s, const edge* e) {
        if (e != nullptr) return steps(*e, u);
        if (graph_.status(s).awaits_choice) return false;
        return graph_.status(s).owed[u] == 0 || !can_step(u, s);
      });
    }
    return needs;
  }

  template <class Start, class Admits>
  bool some_walk(Start start, Admits admits, const std::vector<need>& needs) const {
    for (warpcheck::state_id s = 0; s < graph_.size(); ++s) {
      if (start(s) && has_walk(s, admits, needs)) return true;
    }
    return false;
  }

  template <class Admits>
  bool has_walk(warpcheck::state_id home, Admits admits, const std::vector<need>& needs) const {
    constexpr unsigned kept = 31, fresh = 32, stale = 48;  // bits
    const auto met = [&](warpcheck::state_id s, const edge* e) {
      std::uint64_t mask = 0;
      for (std::size_t i = 0; i < needs.size(); ++i) {
        mask |= std::uint64_t{needs[i](s, e) ? 1U : 0U} << i;
      }
      if (e == nullptr && !graph_.status(s).promised) mask |= std::uint64_t{1} << kept;
      if (e == nullptr) return mask;
      const warpcheck::graph_step& step = graph_.steps[e->step];
      if (step.access == warpcheck::graph_step::no_access) return mask;
      return mask | std::uint64_t{1} << (step.access + (step.is_stale ? stale : fresh));
    };
    const auto is_done = [&](std::uint64_t mask) {
      const std::uint64_t all =
          ((std::uint64_t{1} << needs.size()) - 1) | (std::uint64_t{1} << kept);
      return (mask & all) == all && (mask >> stale & ~(mask >> fresh) & 0xffff) == 0;
    };
    using node = std::pair<warpcheck::state_id, std::uint64_t>;
    std::set<node> seen;
    std::deque<node> queue{{home, met(home, nullptr)}};
    while (!queue.empty()) {
      const auto [s, mask] = queue.front();
      queue.pop_front();
      for (const edge& e : graph_.out(s)) {
        if (e.to == graph_.no_state || !admits(e)) continue;
        const node next{e.to, mask | met(s, &e) | met(e.to, nullptr)};
        if (e.to == home && is_done(next.second)) return true;
        if (seen.insert(next).second) queue.push_back(next);
      }
    }
    return false;
  }
};

}  // namespace test
