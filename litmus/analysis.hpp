// What can be said of a program before it is run: loops, registers that still matter, stores that
// may come.
#pragma once

#include <cstdint>
#include <vector>

#include "litmus/program.hpp"

namespace litmus {

/// Of one thread, by instruction; the last element is for its end.
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
  /// Some loop has an access to a location where not all are so: it may race.
  bool loops_may_race = false;
};

analysis analyse(const program& p);

}  // namespace litmus
