// Facts about a program that hold before any execution: loops, registers that still matter, and
// stores that may follow.
#pragma once

#include <cstdint>
#include <vector>

#include "litmus/program.hpp"

namespace litmus {

/// Facts about one thread, by instruction. The last element describes the thread's end.
struct thread_analysis {
  std::vector<bool> loop_head;           // some jump leads back to it
  std::vector<std::vector<bool>> live;   // by register: may be read before it is set
  std::vector<std::uint64_t> stores_to;  // locations, as bits, that may yet be stored to
};

struct analysis {
  std::vector<variable> observed;  // what an outcome consists of
  std::vector<thread_analysis> threads;
  /// By location: all accesses to it are strong, and their scopes include each other.
  std::vector<bool> morally_strong;
  /// Some loop accesses a location that is not `morally_strong`, so the loop may race.
  bool loops_may_race = false;
};

analysis analyse(const program& p);

}  // namespace litmus
