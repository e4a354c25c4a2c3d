// The operation graph of a generated program, made by the naive machine.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "checker/claims/operation_graph.hpp"
#include "tests/naive/build.hpp"
#include "tests/naive/machine.hpp"

namespace test {

/// Steps that stand for the call and the return of a client that never ends: a sleep does nothing.
inline naive::statement marker(int which) {
  naive::operation op = naive::build::simple(naive::operation_kind::nanosleep);
  op.barrier = which;
  return naive::build::run(op);
}
inline constexpr int calls = 1;
inline constexpr int returns = 2;

/// `p` as a client does it that never ends.
inline naive::program for_ever(naive::program p) {
  using namespace naive::build;
  naive::sequence pass{marker(calls)};
  for (int i = 0; i < naive::register_count; ++i) pass.push_back(assign(i, constant(0)));
  pass.insert(pass.end(), p.body.begin(), p.body.end());
  pass.push_back(marker(returns));
  for (int i = 0; i < naive::register_count; ++i) pass.push_back(assign(i, constant(0)));
  p.body = {while_loop(when(constant(1)), std::move(pass))};
  p.final_values.clear();
  return p;
}

class naive_graph {
 public:
  struct too_large : std::runtime_error {
    too_large() : std::runtime_error("too many states") {}
  };

  /// `events`: operations are told by markers; otherwise they are bodies.
  naive_graph(const naive::program& p, const naive::configuration& c, bool events,
              const std::vector<naive::state>& roots, std::size_t max_states)
      : machine_(p, c), flow_(naive::flow_graph_of(p)), events_(events), max_states_(max_states) {
    for (int b = 0; b < c.blocks; ++b) {
      for (int w = 0; w < static_cast<int>(c.lanes.size()); ++w) {
        for (int l = 0; l < c.lanes[static_cast<std::size_t>(w)]; ++l) {
          places_.push_back({b, w, l});
          const int warp = b * static_cast<int>(c.lanes.size()) + w;
          graph.unit_of.push_back(static_cast<std::uint32_t>(
              c.reconvergence == naive::reconvergence::its ? static_cast<int>(places_.size()) - 1
                                                           : warp));
        }
      }
    }
    graph.units = graph.unit_of.back() + 1;
    for (const naive::state& s : roots.empty() ? machine_.initial() : roots) number({s, 0});
    roots_ = static_cast<warpcheck::state_id>(nodes_.size());
    for (std::size_t i = 0; i < nodes_.size(); ++i) expand(node(nodes_[i]));
  }

  warpcheck::operation_graph graph;

  /// The first states of the graph: what comes first may be a choice of sides or of blocks.
  [[nodiscard]] warpcheck::state_id roots() const { return roots_; }
  [[nodiscard]] const naive::machine& machine() const { return machine_; }
  [[nodiscard]] const naive::state& state(warpcheck::state_id s) const { return nodes_[s].first; }
  [[nodiscard]] warpcheck::state_id find(const naive::state& s) const {
    return numbers_.at({s, 0});
  }

 private:
  using node = std::pair<naive::state, std::uint64_t>;  // and the pending lanes

  naive::machine machine_;
  naive::flow_graph flow_;
  bool events_;
  std::size_t max_states_;
  warpcheck::state_id roots_ = 0;
  std::vector<naive::place> places_;
  std::map<node, warpcheck::state_id> numbers_;
  std::vector<node> nodes_;

  static const naive::lane_state& lane(const naive::state& s, naive::place p) {
    const auto at = [](int i) { return static_cast<std::size_t>(i); };
    return s.blocks[at(p.block)].lanes[at(p.warp)][at(p.lane)];
  }
  [[nodiscard]] int marker_at(const naive::state& s, naive::place p) const {
    const naive::lane_state& l = lane(s, p);
    if (!events_ || l.status != naive::lane_status::waits) return 0;
    const auto& code = flow_.blocks[static_cast<std::size_t>(l.block)].code;
    const naive::operation& op = code[static_cast<std::size_t>(l.index)].op;
    return op.kind == naive::operation_kind::nanosleep ? op.barrier : 0;
  }

  warpcheck::state_id number(const node& n) {
    const auto [at, is_new] =
        numbers_.try_emplace(n, static_cast<warpcheck::state_id>(nodes_.size()));
    if (is_new) {
      if (nodes_.size() >= max_states_) throw too_large();
      nodes_.push_back(n);
    }
    return at->second;
  }

  void expand(const node& here) {
    const naive::state& s = here.first;
    warpcheck::graph_status status;
    status.ends = s.ended != naive::ending::none;
    const std::set<int> owed = machine_.owed_blocks(s);
    status.owed.assign(graph.units, 0);
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const auto block = s.blocks[static_cast<std::size_t>(places_[i].block)].status;
      const bool left = lane(s, places_[i]).status != naive::lane_status::exited;
      const bool resident = block == naive::block_status::resident;
      status.left.push_back(left ? 1 : 0);
      const bool pending = events_ ? (here.second >> i & 1U) != 0 : left && resident;
      status.pending.push_back(pending ? 1 : 0);
      if (left && owed.contains(places_[i].block)) status.owed[graph.unit_of[i]] = 1;
    }
    graph.status_of.push_back(static_cast<std::uint32_t>(index_of(graph.statuses, status)));
    if (!status.ends) {
      for (const naive::transition& t : machine_.steps(s)) add(here, t);
    }
    graph.first.push_back(graph.edges.size());
  }

  void add(const node& here, const naive::transition& t) {
    warpcheck::graph_step step;
    std::uint64_t pending = here.second;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const bool steps = t.lanes.contains(places_[i]);
      if (steps) {
        step.units.push_back(graph.unit_of[i]);
        const auto client = static_cast<std::uint32_t>(i);
        const int marker = marker_at(here.first, places_[i]);
        if (marker == calls) {
          pending |= std::uint64_t{1} << i;
          step.calls.push_back({client, 0});
        } else if (marker != returns) {
          step.counts.push_back(client);
        }
      }
      const bool completes =
          events_ ? steps && marker_at(here.first, places_[i]) == returns
                  : lane(here.first, places_[i]).status != naive::lane_status::exited &&
                        lane(t.next, places_[i]).status == naive::lane_status::exited;
      if (!completes || t.next.ended != naive::ending::none) continue;
      step.completes.push_back(static_cast<std::uint32_t>(i));
      pending &= ~(std::uint64_t{1} << i);
    }
    step.units.erase(std::unique(step.units.begin(), step.units.end()), step.units.end());
    // How an ended run got there is of no account.
    const warpcheck::state_id to = t.next.ended != naive::ending::none
                                       ? warpcheck::operation_graph::no_state
                                       : number({t.next, pending});
    graph.edges.push_back({to, static_cast<std::uint32_t>(index_of(graph.steps, step))});
  }

  template <class T>
  static std::size_t index_of(std::vector<T>& all, const T& one) {
    const auto at = std::ranges::find(all, one);
    if (at != all.end()) return static_cast<std::size_t>(at - all.begin());
    all.push_back(one);
    return all.size() - 1;
  }
};

}  // namespace test
