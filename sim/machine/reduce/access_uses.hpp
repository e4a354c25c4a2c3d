// How accesses use memory, as far as is known, and which of them commute.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "sim/automaton/lane_automaton.hpp"
#include "sim/lane/operation.hpp"
#include "sim/machine/memory/operation_traits.hpp"
#include "sim/machine/reduce/footprint.hpp"
#include "sim/machine/reduce/others_reach.hpp"

namespace simt {

class machine;

/// Bytes behind those of memory that stand in footprints for what is no byte of memory.
class stand_in_bytes {
 public:
  explicit stand_in_bytes(const device_memory& memory) : memory_(memory) {}
  /// Accesses to a pool node read this byte, and the node's retirement writes it.
  [[nodiscard]] std::uint32_t of_node(pool_node node) const {
    return static_cast<std::uint32_t>(memory_.image_size() + node);
  }
  /// A lane reads this byte when it ends.
  [[nodiscard]] std::uint32_t of_exit() const { return of_node(memory_.pool_nodes()); }
  /// In grids of clusters: a lane writes this byte when it ends. A lane that may access shared
  /// memory of another block reads it.
  [[nodiscard]] std::uint32_t of_ended_blocks() const { return of_exit() + 1; }

 private:
  const device_memory& memory_;
};

/// Whether the operation retires a node of a pool.
[[nodiscard]] inline bool retires_node(const operation& op) {
  return op.kind == operation_kind::memory && op.memory == detail::memory_kind::pool_retire;
}

/// Describes the accesses of each continuation that `of` knows, for footprints::update.
/// `has_ended`: an exploration has ended, so device code is asked whether lanes use results
/// (unused_results).
void describe_operations(machine& of, std::vector<footprints::own>& all, bool has_ended = false);

/// Tells how the accesses of one program use memory. What is not known yet counts as the use that
/// leaves most accesses commuting; the machine records news where that was wrong.
class access_uses {
 public:
  access_uses(machine& of, footprints& reaches);

  /// How the access at `c` uses its bytes. `t`: the traits of `c`.
  [[nodiscard]] footprints::use of(continuation c, const operation_traits& t);
  /// The access at `c` for others_reach. Nothing: `c` accesses no memory.
  [[nodiscard]] std::optional<others_reach::access> access_at(continuation c);
  /// Whether the order of an access at `a` and of another lane's access at `b` may matter.
  [[nodiscard]] bool may_not_commute(continuation a, continuation b);
  /// Whether an access at `c` may fail to commute with accesses of other bytes, because of pool
  /// nodes.
  [[nodiscard]] bool concerns_nodes(continuation c);
  [[nodiscard]] footprints::cell_range cells_of(std::uint32_t offset, std::uint32_t size) const {
    return reaches_.cells_of(offset, size);
  }
  /// Whether a lane at `c` may ever access one of these cells.
  [[nodiscard]] bool may_come_to(continuation c, footprints::cell_range cells) const;
  /// Whether the access at `c`, if it is an update, has led to `next` and to nothing else, so that
  /// its result counts as unused. False: that is news.
  [[nodiscard]] bool leads_as_others(continuation c, const operation_traits& t, continuation next);

  struct node_range {
    pool_node first = 0;
    std::uint32_t count = 0;
  };
  /// The nodes from which an `allocate` takes one. None: `op` is no `allocate`, or nodes of the
  /// pool may be accessed while they are not in use.
  [[nodiscard]] node_range nodes_of_take(const operation& op) const;
  [[nodiscard]] const stand_in_bytes& stand_ins() const { return stand_ins_; }

  /// Forgets where updates have led: lists were cut short.
  void forget() { after_update_.clear(); }

 private:
  machine& machine_;
  footprints& reaches_;
  stand_in_bytes stand_ins_;
  boost::unordered_flat_map<continuation, continuation> after_update_;  // where updates led
};

}  // namespace simt
