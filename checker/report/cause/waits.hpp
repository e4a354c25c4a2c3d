// What keeps each lane from finishing, at the end of an execution or in its cycle.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "checker/report/trace.hpp"

namespace warpcheck {

struct lane_wait {
  enum class kind : std::uint8_t {
    finished,
    spins,       // it takes steps in the cycle and comes back to where it was
    parked,      // at a reconvergence block
    other_side,  // the other side of its branch runs first
    absent,      // its block is not resident
    collective,
    barrier,
    endless,   // it goes round without a visible operation
    lockstep,  // it waits for lanes that do so, in lockstep with it
    ready,     // it could take a step, but takes none
  };
  kind what{};
  source_place at;
  std::string operation;   // "load", "syncthreads": what it stands at
  std::string until;       // spins: "`mutex` is 0"; empty: not known
  std::string variable;    // spins: what it waits for
  std::string change;      // spins: "set it to 0", "change it"; empty: nobody knows who would
  source_place writer_at;  // spins: where the others would do so
  std::vector<std::uint32_t> waits_for;
  std::string arrivals;     // a numbered barrier: "1 of 2 warps have arrived at barrier 3"
  std::string completed;    // and who completed it before, if anybody has
  std::string last_writer;  // spins, and nobody is left to write: who did last; may be empty
};

/// One for each lane.
std::vector<lane_wait> waits_of(session& run, names& named, const trace& t);

}  // namespace warpcheck
