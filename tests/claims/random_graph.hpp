// Small operation graphs made at random: clients that call, step and return in every order that the
// dice allow, alone or together, some in one unit of fairness, some blocked. In some of them steps
// are accesses of a weak memory, fresh or stale, and in some states a store is promised.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "checker/claims/operation_graph.hpp"

namespace test {

class random_graph {
 public:
  explicit random_graph(std::uint64_t seed) : random_(seed) { make(); }

  warpcheck::operation_graph graph;
  static constexpr std::uint32_t operations = 2;  // by the place of the call

 private:
  // What a client (or all clients of a group) may do at a place of the common memory.
  enum class kind : std::uint8_t { call, step, completion, exit };
  struct rule {
    std::uint32_t at;       // place
    std::uint32_t clients;  // mask
    kind what;
    std::uint32_t to;  // place; no_place: the run ends
    std::uint32_t access = warpcheck::graph_step::no_access;
    bool is_stale = false;
    bool promises = false;
  };
  struct state {
    std::uint32_t place, pending, left;
    friend auto operator<=>(const state&, const state&) = default;
  };
  static constexpr std::uint32_t no_place = 0xffffffff;

  std::mt19937_64 random_;
  std::vector<rule> rules_;
  std::vector<char> promised_;                // by place
  std::vector<std::vector<char>> held_back_;  // by place and unit
  std::map<state, warpcheck::state_id> numbers_;
  std::vector<state> states_;

  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
  bool chance(std::uint32_t percent) { return below(100) < percent; }

  warpcheck::state_id number(const state& s) {
    const auto [at, is_new] =
        numbers_.try_emplace(s, static_cast<warpcheck::state_id>(states_.size()));
    if (is_new) states_.push_back(s);
    return at->second;
  }

  void make() {
    const std::uint32_t clients = 1 + below(3);
    const std::uint32_t places = 1 + below(5);
    graph.units = clients > 1 && chance(20) ? clients - 1 : clients;
    for (std::uint32_t c = 0; c < clients; ++c) graph.unit_of.push_back(c % graph.units);
    const std::uint32_t density = 15 + below(40);
    for (std::uint32_t at = 0; at < places; ++at) {
      for (std::uint32_t c = 0; c < clients; ++c) {
        for (const kind what : {kind::call, kind::step, kind::completion}) {
          if (!chance(density)) continue;
          const std::uint32_t ways = chance(20) ? 2 : 1;
          for (std::uint32_t i = 0; i < ways; ++i)
            rules_.push_back({at, 1U << c, what, below(places)});
        }
        if (chance(3)) rules_.push_back({at, 1U << c, kind::exit, below(places)});
        if (chance(2)) rules_.push_back({at, 1U << c, kind::step, no_place});
      }
      if (clients > 1 && chance(8)) {
        rules_.push_back({at, (1U << clients) - 1, kind::step, below(places)});
      }
    }
    if (chance(50)) make_memory(clients, places);
    const std::uint32_t all = (1U << clients) - 1;
    const std::uint32_t unowed = chance(15) ? 1U << below(graph.units) : 0;
    number({0, 0, all});
    for (warpcheck::state_id s = 0; s < states_.size(); ++s) expand(states_[s], unowed);
  }

  void make_memory(std::uint32_t clients, std::uint32_t places) {
    const std::uint32_t locations = 1 + below(2);
    graph.accesses = clients * locations;
    const std::uint32_t stale = 20 + below(60);
    for (rule& r : rules_) {
      const bool alone = (r.clients & (r.clients - 1)) == 0;
      if (r.what != kind::step || !alone || chance(30)) continue;
      const auto client = static_cast<std::uint32_t>(std::countr_zero(r.clients));
      r.access = client * locations + below(locations);
      r.is_stale = chance(stale);
    }
    if (chance(50)) return;
    promised_.resize(places);
    for (char& promised : promised_) promised = chance(40) ? 1 : 0;
    for (std::uint32_t at = 0; at < places; ++at) {
      for (std::uint32_t u = 0; u < graph.units; ++u) {
        held_back_.resize(places);
        held_back_[at].push_back(chance(30) ? 1 : 0);
      }
    }
    for (rule& r : rules_) r.promises = r.access == warpcheck::graph_step::no_access && chance(10);
  }

  void expand(const state here, std::uint32_t unowed) {
    for (const rule& r : rules_) {
      if (r.at != here.place || (here.left & r.clients) != r.clients) continue;
      const std::uint32_t inside = here.pending & r.clients;
      const bool fits =
          r.what == kind::call || r.what == kind::exit ? inside == 0 : inside == r.clients;
      if (!fits) continue;
      state next{r.to, here.pending, here.left};
      warpcheck::graph_step step;
      step.access = r.access;
      step.is_stale = r.is_stale;
      if (r.promises) step.by.what = simt::choice::kind::promise;
      step.by.unit = r.clients;
      step.by.mask = static_cast<std::uint32_t>(r.what);
      for (std::uint32_t c = 0; c < graph.clients(); ++c) {
        if ((r.clients >> c & 1U) == 0) continue;
        step.units.push_back(graph.unit_of[c]);
        if (r.what == kind::completion) step.completes.push_back(c);
        if (r.what == kind::call) step.calls.push_back({c, r.at % operations});
        if (r.what == kind::step && !r.promises) step.counts.push_back(c);
      }
      std::sort(step.units.begin(), step.units.end());
      step.units.erase(std::unique(step.units.begin(), step.units.end()), step.units.end());
      if (r.what == kind::call) next.pending |= r.clients;
      if (r.what == kind::completion) next.pending &= ~r.clients;
      if (r.what == kind::exit) next.left &= ~r.clients;
      const warpcheck::state_id to =
          r.to == no_place ? warpcheck::operation_graph::no_state : number(next);
      graph.edges.push_back({to, static_cast<std::uint32_t>(index_of(graph.steps, step))});
    }
    graph.first.push_back(graph.edges.size());
    warpcheck::graph_status status;
    if (!promised_.empty() && promised_[here.place] != 0) {
      status.promised = graph.has_promises = true;
      status.held_back = held_back_[here.place];
    }
    for (std::uint32_t c = 0; c < graph.clients(); ++c) {
      status.pending.push_back(static_cast<char>(here.pending >> c & 1U));
      status.left.push_back(static_cast<char>(here.left >> c & 1U));
    }
    for (std::uint32_t u = 0; u < graph.units; ++u) {
      bool left = false;
      for (std::uint32_t c = 0; c < graph.clients(); ++c) {
        left = left || (graph.unit_of[c] == u && status.left[c] != 0);
      }
      status.owed.push_back(left && (unowed >> u & 1U) == 0 ? 1 : 0);
    }
    graph.status_of.push_back(static_cast<std::uint32_t>(index_of(graph.statuses, status)));
  }

  template <class T>
  static std::size_t index_of(std::vector<T>& all, const T& one) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i] == one) return i;
    }
    all.push_back(one);
    return all.size() - 1;
  }
};

}  // namespace test
