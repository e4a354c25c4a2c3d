// Builds the whole graph of states of a small program, and finds its violations by their
// definitions.
#include "tests/naive/explore.hpp"

#include <algorithm>
#include <stdexcept>

#include "tests/naive/lookup.hpp"
#include "tests/naive/machine.hpp"

namespace naive {
namespace {

using warpcheck::bit;
using warpcheck::verdict;
using node_id = std::size_t;

struct too_many_states : std::runtime_error {
  too_many_states() : std::runtime_error("too many states") {}
};

struct edge {
  std::set<place> lanes;
  std::optional<access> accessed;
  node_id to = 0;
};

class explorer {
 public:
  explorer(const program& p, const configuration& c, std::size_t max_states)
      : program_(p), machine_(p, c), max_states_(max_states) {}

  outcome run() {
    build();
    find_ends();
    outcome result;
    result.states = states_.size();
    for (const std::vector<edge>& out : edges_) result.transitions += out.size();
    if (has_race(result.contended)) violations_ |= bit(verdict::race);
    find_dead_states();
    if (machine_.config().strong) {
      find_strong_livelock();
    } else {
      find_livelock();
    }
    result.violations = violations_;
    return result;
  }

 private:
  node_id node_of(const state& s) {
    const auto [where, fresh] = ids_.try_emplace(s, states_.size());
    if (fresh) {
      if (states_.size() >= max_states_) throw too_many_states();
      states_.push_back(s);
      edges_.emplace_back();
      unexplored_.push_back(where->second);
    }
    return where->second;
  }

  void build() {
    for (const state& s : machine_.initial()) node_of(s);
    while (!unexplored_.empty()) {
      const node_id n = unexplored_.back();
      unexplored_.pop_back();
      for (transition& t : machine_.steps(state(states_[n]))) {
        const node_id to = node_of(t.next);
        edges_[n].push_back({t.lanes, t.accessed, to});
      }
    }
  }

  void find_ends() {
    reaches_end_.assign(states_.size(), false);
    std::vector<std::vector<node_id>> back(states_.size());
    std::vector<node_id> work;
    for (node_id n = 0; n < states_.size(); ++n) {
      for (const edge& e : edges_[n]) back[e.to].push_back(n);
      if (!is_end(n)) continue;
      reaches_end_[n] = true;
      work.push_back(n);
    }
    while (!work.empty()) {
      const node_id n = work.back();
      work.pop_back();
      for (const node_id from : back[n]) {
        if (reaches_end_[from]) continue;
        reaches_end_[from] = true;
        work.push_back(from);
      }
    }
  }

  bool is_end(node_id n) {
    const state& s = states_[n];
    switch (s.ended) {
      case ending::assertion: violations_ |= bit(verdict::assertion); return true;
      case ending::bad_access: violations_ |= bit(verdict::bad_access); return true;
      case ending::barrier_divergence: violations_ |= bit(verdict::barrier_divergence); return true;
      case ending::none: break;
    }
    if (!machine_.complete(s)) return false;
    for (const auto& [cell, value] : program_.final_values) {
      if (at_index(s.cells, cell) != value) violations_ |= bit(verdict::assertion);
    }
    for (const auto& [cell, value] : program_.never_final) {
      if (at_index(s.cells, cell) == value) violations_ |= bit(verdict::assertion);
    }
    return true;
  }

  [[nodiscard]] bool has_race(bool& contended) const {
    bool race = false;
    for (node_id n = 0; n < states_.size(); ++n) {
      for (const edge& first : edges_[n]) {
        if (!first.accessed) continue;
        for (const edge& second : edges_[first.to]) {
          if (!second.accessed) continue;
          contended = contended || touch(*first.accessed, *second.accessed);
          race = race || conflict(*first.accessed, *second.accessed);
        }
      }
    }
    return race;
  }

  void find_dead_states() {
    configuration independent = machine_.config();
    const bool stack = independent.reconvergence == reconvergence::stack;
    independent.reconvergence = reconvergence::its;
    independent.progress = progress::fair;  // only ends count
    const machine its(program_, independent);
    std::set<state> hopeless;  // under `its`, no end can be reached from these
    for (node_id n = 0; n < states_.size(); ++n) {
      if (reaches_end_[n]) continue;
      const bool parked = stack && can_end(its, states_[n], hopeless);
      violations_ |= bit(parked ? verdict::simt_deadlock : verdict::deadlock);
    }
  }

  /// Depth first from `from` under `its`. States of a search that failed are hopeless.
  bool can_end(const machine& its, const state& from, std::set<state>& hopeless) const {
    std::set<state> seen;
    std::vector<state> work;
    const auto visit = [&](const state& s) {
      if (hopeless.contains(s) || !seen.insert(s).second) return;
      if (seen.size() + hopeless.size() > 8 * max_states_) throw too_many_states();
      work.push_back(s);
    };
    for (const state& s : its.without_stack(from)) visit(s);
    while (!work.empty()) {
      const state s = work.back();
      work.pop_back();
      if (s.ended != ending::none || its.complete(s)) return true;
      for (const transition& t : its.steps(s)) visit(t.next);
    }
    hopeless.merge(seen);
    return false;
  }

  /// The unit of fairness of a lane: itself, or its warp (then without a lane).
  [[nodiscard]] place unit_of(place p) const {
    if (machine_.config().reconvergence == reconvergence::stack) p.lane = 0;
    return p;
  }

  [[nodiscard]] std::set<place> units_of(const std::set<place>& lanes) const {
    std::set<place> units;
    for (const place p : lanes) units.insert(unit_of(p));
    return units;
  }

  [[nodiscard]] std::set<place> owed_and_enabled(node_id n) const {
    const std::set<int> owed = machine_.owed_blocks(states_[n]);
    std::set<place> units;
    // (A step's lanes have not exited.)
    for (const edge& e : edges_[n]) {
      for (const place unit : units_of(e.lanes)) {
        if (owed.contains(unit.block)) units.insert(unit);
      }
    }
    return units;
  }

  /// Strong fairness: from some state that can end, steps of those owed progress lead neither to an
  /// end, nor to a deadlock, nor to where none of them can step.
  void find_strong_livelock() {
    std::vector<bool> gets_out(states_.size(), false);
    for (node_id n = 0; n < states_.size(); ++n) {
      gets_out[n] = !reaches_end_[n] || owed_and_enabled(n).empty();
    }
    for (bool more = true; more;) {
      more = false;
      for (node_id n = 0; n < states_.size(); ++n) {
        if (gets_out[n]) continue;
        const std::set<int> owed = machine_.owed_blocks(states_[n]);
        for (const edge& e : edges_[n]) {
          if (e.lanes.empty()) continue;  // the host's
          if (owed.contains(e.lanes.begin()->block) && gets_out[e.to]) gets_out[n] = more = true;
        }
      }
    }
    for (node_id n = 0; n < states_.size(); ++n) {
      if (!gets_out[n]) violations_ |= bit(verdict::livelock);
    }
  }

  void find_livelock() {
    for (const std::vector<node_id>& component : components()) {
      if (!reaches_end_[component.front()]) continue;
      const std::set<node_id> inside(component.begin(), component.end());
      bool moves = false;
      std::set<place> acting;
      std::set<place> always = owed_and_enabled(component.front());
      for (const node_id n : component) {
        const std::set<place> here = owed_and_enabled(n);
        std::erase_if(always, [&](place unit) { return !here.contains(unit); });
        for (const edge& e : edges_[n]) {
          if (!inside.contains(e.to)) continue;
          moves = true;
          acting.merge(units_of(e.lanes));
        }
      }
      std::erase_if(always, [&](place unit) { return acting.contains(unit); });
      if (moves && always.empty()) violations_ |= bit(verdict::livelock);
    }
  }

  /// Strongly connected components: forward finishing order, then backward searches.
  [[nodiscard]] std::vector<std::vector<node_id>> components() const {
    std::vector<std::vector<node_id>> back(states_.size());
    for (node_id n = 0; n < states_.size(); ++n) {
      for (const edge& e : edges_[n]) back[e.to].push_back(n);
    }
    std::vector<node_id> finished;
    std::vector<bool> seen(states_.size(), false);
    for (node_id root = 0; root < states_.size(); ++root) {
      if (seen[root]) continue;
      seen[root] = true;
      std::vector<std::pair<node_id, std::size_t>> path{{root, 0}};
      while (!path.empty()) {
        const node_id n = path.back().first;
        if (path.back().second == edges_[n].size()) {
          finished.push_back(n);
          path.pop_back();
          continue;
        }
        const node_id to = edges_[n][path.back().second++].to;
        if (seen[to]) continue;
        seen[to] = true;
        path.emplace_back(to, 0);
      }
    }
    std::reverse(finished.begin(), finished.end());
    std::vector<std::vector<node_id>> result;
    std::vector<bool> placed(states_.size(), false);
    for (const node_id root : finished) {
      if (placed[root]) continue;
      placed[root] = true;
      std::vector<node_id> component{root};
      for (std::size_t i = 0; i < component.size(); ++i) {
        for (const node_id from : back[component[i]]) {
          if (placed[from]) continue;
          placed[from] = true;
          component.push_back(from);
        }
      }
      result.push_back(component);
    }
    return result;
  }

  const program& program_;
  machine machine_;
  std::size_t max_states_;
  std::map<state, node_id> ids_;
  std::vector<state> states_;
  std::vector<std::vector<edge>> edges_;
  std::vector<node_id> unexplored_;
  std::vector<bool> reaches_end_;
  warpcheck::verdict_set violations_ = 0;
};

}  // namespace

outcome explore(const program& p, const configuration& c, std::size_t max_states) {
  try {
    return explorer(p, c, max_states).run();
  } catch (const too_many_states&) {
    outcome result;
    result.too_large = true;
    return result;
  }
}

}  // namespace naive
