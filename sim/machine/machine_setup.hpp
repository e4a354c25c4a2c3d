// What machines are made from: the run, the reductions to apply, and tables that machines share.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

#include "sim/automaton/intern.hpp"
#include "sim/automaton/lane_automaton.hpp"
#include "sim/machine/memory/shared_facts.hpp"
#include "sim/machine/warp_stack.hpp"
#include "sim/model/model.hpp"
#include "sim/monitor/history_monitor.hpp"

namespace simt {

class footprints;
class renaming;
class symmetry;

/// Everything about one run that does not depend on the reconvergence model.
struct machine_setup {
  std::shared_ptr<const subject_library> library;
  const detail::subject_entry* entry = nullptr;
  const device_memory* memory = nullptr;
  grid_shape grid;
  machine_model model;
  simt::progress progress = simt::progress::fair;
  simt::clients clients = simt::clients::lane;
  std::uint32_t repeat = 1;
  const assignments* assigned = nullptr;  // the operations that lanes carry out on an object
  history_monitor* monitor = nullptr;     // null: events are steps that nothing watches
  bool has_points = false;                // linearization points are declared, and checked
  shared_facts* facts = nullptr;          // facts of the program, if the memory model learns any
  /// Set to true where too many lanes wait at an activemask to enumerate all their sets. Then only
  /// a few of these sets are listed (few_sets), and a state without listed steps may still have
  /// steps. Null: the caller does not need to know.
  std::atomic<bool>* leaves_masks_out = nullptr;
};

/// Reductions that a machine applies. A null pointer turns that reduction off.
struct machine_reductions {
  symmetry* moves = nullptr;      // which lanes may trade places
  renaming* renames = nullptr;    // which lanes may trade names
  footprints* reaches = nullptr;  // which memory lanes may still access
  /// Under `stack`: ignores what lanes of a warp do after they have left lockstep. Then a state
  /// with another kind of deadlock may hide a SIMT deadlock.
  bool trust_lockstep = false;
  /// Ask reach_without in grids of few lanes, too.
  bool asks_in_small_grids = false;
};

/// Tables that all machines of one run share. Each machine runs in its own thread. A thread that
/// was given the number of an entry may read that entry without a lock.
struct machine_stores {
  explicit machine_stores(lane_automaton& lanes) : program(lanes) {}
  lane_automaton& program;
  /// Guards `program`, and every call into code of the subject. Machines cache answers, so they
  /// take this lock rarely.
  std::mutex lanes_lock;
  interned_bytes images;
  grid_statuses statuses;
  warp_stacks stacks;
};

}  // namespace simt
