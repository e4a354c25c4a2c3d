// What a lane's operation means to the machine.
#pragma once

#include <cstdint>

#include "sim/lane/device_memory.hpp"

namespace simt {

/// What a continuation's operation means to the machine.
struct operation_traits {
  enum class kind : std::uint8_t {
    exited,
    access,      // a memory operation that can be carried out
    bad_access,  // one that cannot
    silent,      // a fence, nanosleep: a step that changes nothing
    choose,      // a step that changes nothing, for each answer that the environment may give
    event,       // an operation of an object is called, or returns: a step that the monitor sees
    collective,
    barrier,
    fail,
    local,  // index, shared, assignment: answered at once
    branch,
    endless,  // none: the lane never comes to a step again, and does not end
  };
  kind what{};
  std::uint8_t size = 0;
  bool writes = false;
  bool suspicious = false;         // weak, or narrower than the device: may race
  std::uint32_t offset = 0;        // access: in the memory image
  std::uint32_t block = no_block;  // access to block-shared memory: the block that owns it
  pool_node node = no_node;        // access: a node that must be in use
};

}  // namespace simt
