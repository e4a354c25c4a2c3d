// Explores a machine breadth first, in one thread, and builds its operation graph.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "checker/claims/operation_graph.hpp"
#include "checker/run/limits.hpp"
#include "sim/machine/machine.hpp"

namespace warpcheck {

/// What counts as one operation of a client.
enum class operation_span : std::uint8_t {
  events,  // from a call to its return
  body     // from a client's start to its exit
};

class graph_builder {
 public:
  /// `machine` may merge continuations, but must use no other reduction.
  graph_builder(simt::machine& machine, operation_span span, const limits& bounds);

  /// Explores all states that can be reached from `roots`, or as many as the limits allow. Call it
  /// once. If the machine has news, it ends, and the graph is void. Throws lane_error.
  void run(std::span<const simt::state_words> roots);

  /// Returns the graph. If it is not complete, states that were not looked at have no edges, and
  /// `ends`.
  [[nodiscard]] const operation_graph& graph() const { return graph_; }
  /// Returns why the graph is not complete; empty if it is.
  [[nodiscard]] const stop_cause& stopped() const { return stopped_; }
  [[nodiscard]] simt::state_words state(state_id s) const { return table_.read(s); }
  /// Returns the number of a state that was reached.
  [[nodiscard]] state_id number(simt::state_view state) const { return table_.find(state); }
  [[nodiscard]] std::size_t memory() const {
    return table_.memory() + graph_.memory() + machine_.memory();
  }

 private:
  simt::machine& machine_;
  operation_span span_;
  const limits& limits_;
  compressed_table table_;
  operation_graph graph_;
  stop_cause stopped_;
  std::vector<char> pending_;  // by continuation: whether it lies inside an operation
  boost::unordered_flat_map<std::string, std::uint32_t> statuses_;
  static constexpr std::uint32_t unknown = 0xffffffff;
  boost::unordered_flat_map<std::string, std::uint32_t> steps_;
  std::vector<std::uint32_t> lane_steps_;  // by lane, and whether its operation returns
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> accesses_;  // by lane and location

  void expand(simt::state_view state, const simt::successor_list& list);
  void follow_operations(simt::state_view state, const simt::transition& t, simt::state_view next);
  std::uint32_t step_of(simt::state_view state, const simt::transition& t, simt::state_view next);
  std::uint32_t number_of(const simt::transition& access);
  std::uint32_t status_of(simt::state_view state, const simt::successor_list& list, bool ends);
  [[nodiscard]] bool is_pending(simt::continuation c) const {
    return c < pending_.size() && pending_[c] != 0;
  }
  bool out_of_bounds(state_id expanded);
};

}  // namespace warpcheck
