// What the machine, the analyses and the reports have to know of each operation: one row each. The
// compiler demands a row for each new operation, with all columns.
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/lane/operation.hpp"

namespace simt {

/// How a lane gets past an operation.
enum class step_kind : std::uint8_t {
  exited,      // never: the lane has ended
  access,      // a memory operation that can be carried out
  bad_access,  // a memory operation that cannot be carried out
  silent,      // a step that changes nothing
  choose,      // a step that changes nothing, for each answer that the environment may give
  event,       // an operation of an object is called, or returns: a step that the monitor sees
  collective,  // together with lanes of its warp
  barrier,     // together with lanes of other warps, or behind them (barrier_row)
  fail,        // never: the run ends here
  local,       // answered at once
  branch,      // not a stop of its own, unless the model asks for control flow
  endless,     // never: the lane takes no further step, and does not end
};

/// What a kind of operation may do in memory.
enum class memory_part : std::uint8_t {
  none,
  orders,    // orders accesses, by its memory_order
  accesses,  // accesses memory, and may order other accesses
};

/// A row for each operation_kind.
struct operation_row {
  constexpr operation_row(std::string_view its_name, step_kind its_step, memory_part its_memory,
                          bool shown)
      : name(its_name), step(its_step), memory(its_memory), is_shown(shown) {}

  // For reports. Memory operations, collectives and barriers have names in their own rows.
  std::string_view name;
  step_kind step;
  memory_part memory;
  bool is_shown;  // reports show it where they list what lanes run
};

constexpr operation_row row_of(operation_kind kind) {
  using enum operation_kind;
  using step = step_kind;
  using in_memory = memory_part;
  switch (kind) {
    case exited: return {"exited", step::exited, in_memory::none, false};
    case memory: return {"access", step::access, in_memory::accesses, true};
    case fence: return {"fence", step::silent, in_memory::orders, true};
    case collective: return {"collective", step::collective, in_memory::none, true};
    case barrier: return {"barrier", step::barrier, in_memory::none, true};
    case nanosleep: return {"nanosleep", step::silent, in_memory::none, true};
    case choose: return {"choose", step::choose, in_memory::none, true};
    case index: return {"index", step::local, in_memory::none, false};
    case shared: return {"block_shared", step::local, in_memory::none, false};
    case assignment: return {"assignment", step::local, in_memory::none, false};
    case called: return {"call", step::event, in_memory::none, false};
    case returned: return {"return", step::event, in_memory::none, false};
    case point: return {"linearization point", step::local, in_memory::none, true};
    case branch: return {"branch", step::branch, in_memory::none, false};
    case fail: return {"assert", step::fail, in_memory::none, true};
    case fault: return {"fault", step::exited, in_memory::none, true};
    case endless: return {"endless loop", step::endless, in_memory::none, true};
  }
  return {"", step::exited, in_memory::none, false};
}

/// Whether a lane gets past such an operation only together with other lanes, or behind them.
constexpr bool meets_others(operation_kind kind) {
  const step_kind step = row_of(kind).step;
  return step == step_kind::collective || step == step_kind::barrier;
}
/// Whether such an operation is the start or the end of an operation of an object.
constexpr bool is_event(operation_kind kind) { return row_of(kind).step == step_kind::event; }
/// Whether such an operation may order accesses, by its memory_order.
constexpr bool may_order(operation_kind kind) { return row_of(kind).memory != memory_part::none; }

/// The lanes that meet at a barrier.
enum class barrier_reach : std::uint8_t { block, cluster, grid };

/// A row for each barrier_part.
struct barrier_row {
  constexpr barrier_row(std::string_view its_name, barrier_reach its_reach, bool joint, bool half)
      : name(its_name), reach(its_reach), is_joint(joint), is_half(half) {}

  std::string_view name;  // the API function that the lane has called
  barrier_reach reach;
  bool is_joint;  // all lanes pass in one step
  bool is_half;   // a half of a cluster's barrier
};

constexpr barrier_row row_of(barrier_part part) {
  using enum barrier_part;
  using reach = barrier_reach;
  switch (part) {
    case syncthreads: return {"syncthreads", reach::block, true, false};
    case arrive: return {"bar_arrive", reach::block, false, false};
    // A lane that waits has called the function that does both.
    case wait: return {"bar_sync", reach::block, false, false};
    case cluster: return {"cluster_sync", reach::cluster, true, false};
    case grid: return {"grid_sync", reach::grid, true, false};
    case cluster_arrive: return {"cluster_arrive", reach::cluster, false, true};
    case cluster_wait: return {"cluster_wait", reach::cluster, false, true};
  }
  return {"", reach::block, false, false};
}
constexpr bool is_joint(barrier_part part) { return row_of(part).is_joint; }
constexpr bool is_half(barrier_part part) { return row_of(part).is_half; }

/// A row for each collective_kind.
struct collective_row {
  constexpr collective_row(std::string_view its_name, bool names)
      : name(its_name), names_lanes(names) {}

  std::string_view name;  // the API function, without its suffix
  bool names_lanes;       // the answer depends on the lanes' numbers
};

constexpr collective_row row_of(detail::collective_kind kind) {
  using enum detail::collective_kind;
  switch (kind) {
    case syncwarp: return {"syncwarp", false};
    case shfl: return {"shfl", true};
    case ballot: return {"ballot", true};
    case any: return {"any", false};
    case all: return {"all", false};
    case match_any: return {"match_any", true};
    case match_all: return {"match_all", true};
    case activemask: return {"activemask", true};
    case undefined: return {"use of an undefined value", true};
    case reduce_add: return {"reduce_add", false};
    case reduce_min_signed:
    case reduce_min_unsigned: return {"reduce_min", false};
    case reduce_max_signed:
    case reduce_max_unsigned: return {"reduce_max", false};
    case reduce_and: return {"reduce_and", false};
    case reduce_or: return {"reduce_or", false};
    case reduce_xor: return {"reduce_xor", false};
  }
  return {"", true};
}

/// A row for each memory_kind.
struct memory_row {
  constexpr memory_row(std::string_view its_name, bool of_pool, bool value)
      : name(its_name), is_of_pool(of_pool), needs_value(value) {}

  std::string_view name;  // the API function; an mbarrier's operand tells which
  bool is_of_pool;        // the answer is a node, not a content of memory
  // Its effect depends on the content of memory. An exchange may as well be a store. mbarriers and
  // pools have their own rules.
  bool needs_value;
};

constexpr memory_row row_of(detail::memory_kind kind) {
  using enum detail::memory_kind;
  switch (kind) {
    case load: return {"load", false, true};
    case store: return {"store", false, false};
    case exchange: return {"exchange", false, false};
    case compare_exchange: return {"compare_exchange", false, true};
    case add:
    case add_float: return {"fetch_add", false, true};
    case bit_and: return {"fetch_and", false, true};
    case bit_or: return {"fetch_or", false, true};
    case bit_xor: return {"fetch_xor", false, true};
    case min_signed:
    case min_unsigned: return {"fetch_min", false, true};
    case max_signed:
    case max_unsigned: return {"fetch_max", false, true};
    case add_wrap: return {"atomicInc", false, true};
    case sub_wrap: return {"atomicDec", false, true};
    case pool_take: return {"allocate", true, false};
    case pool_retire: return {"retire", true, false};
    case mbarrier: return {"mbarrier", false, false};
    case copy_claim: return {"copy claims", false, false};
    case copy_post: return {"copy begins", false, false};
    case async_load: return {"copy reads", false, true};
    case async_store: return {"copy writes", false, false};
    case proxy_fence: return {"fence_proxy_async", false, false};
    case copy_view: return {"copy begins or ends", false, false};
  }
  return {"", false, false};
}

}  // namespace simt
