// Says what keeps each lane from finishing, at the end of an execution or in its cycle.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "checker/report/trace.hpp"

namespace warpcheck {

struct lane_wait {
  enum class kind : std::uint8_t {
    finished,
    spins,       // takes steps in the cycle, and comes back to where it was
    parked,      // at a reconvergence block
    other_side,  // the other side of its branch runs first
    absent,      // its block is not resident
    collective,
    barrier,
    endless,   // goes round without a visible operation
    lockstep,  // waits for lanes that go round so, in lockstep with them
    ready,     // could take a step, but takes none
  };
  kind what{};
  source_place at;
  std::string operation;   // the operation at which it stands, "load" or "syncthreads"
  std::string until;       // spins: "`mutex` is 0"; empty: not known
  std::string variable;    // spins: the variable that it waits for
  std::string change;      // spins: "set it to 0", "change it"; empty: no lane is known that would
  source_place writer_at;  // spins: where the other lanes would write
  std::vector<std::uint32_t> waits_for;
  std::vector<std::uint32_t> exited;  // barrier, collective: who would have come, but has exited
  bool counts_exited = false;         // barrier: it needs a number of arrivals, whoever is left
  std::string arrivals;     // a numbered barrier: "1 of 2 warps have arrived at barrier 3"
  std::string completed;    // the lanes that completed it before, if any have
  std::string last_writer;  // spins, and no lane is left to write: the last writer; may be empty
};

/// Returns one wait for each lane.
std::vector<lane_wait> waits_of(session& run, names& named, const trace& t);

}  // namespace warpcheck
