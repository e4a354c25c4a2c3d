// What the host does between launches.
#pragma once

#include <cstdint>

#include <boost/unordered/unordered_flat_map.hpp>

#include "sim/machine/machine_setup.hpp"
#include "sim/machine/memory/machine_memory.hpp"

namespace simt {

/// Asks the subject's next_launch() what the host does, and remembers the answers.
class host_steps {
 public:
  host_steps(const machine_setup& setup, machine_stores& stores, machine_memory& memory)
      : setup_(setup), stores_(stores), memory_(memory) {}

  struct step {
    std::uint32_t memory;  // memory after the host's step
    bool launches;         // whether launch number `launch` follows
  };
  /// The host's step before launch number `launch`, with this memory. Throws lane_error if the host
  /// launches without end.
  step before(std::uint32_t launch, std::uint32_t memory);
  /// Forgets what rests on lists that were cut short.
  void forget() { known_.clear(); }

 private:
  const machine_setup& setup_;
  machine_stores& stores_;
  machine_memory& memory_;
  boost::unordered_flat_map<std::uint64_t, step> known_;  // by memory and launch
};

}  // namespace simt
