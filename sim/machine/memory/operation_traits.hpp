// The meaning of a lane's operation for the machine.
#pragma once

#include <cstdint>

#include "sim/lane/device_memory.hpp"
#include "sim/lane/operation_table.hpp"

namespace simt {

/// The meaning of a continuation's operation for the machine.
struct operation_traits {
  using kind = step_kind;
  kind what{};
  std::uint8_t size = 0;
  bool writes = false;
  bool suspicious = false;         // weak, or narrower than the device: may race
  std::uint32_t offset = 0;        // access: in the memory image
  std::uint32_t block = no_block;  // access to block-shared memory: the block that owns it
  pool_node node = no_node;        // access: a node that must be in use
  bool needs_value = false;        // access: the answer depends on the value read
  written_marks written;           // access: the marks of its bytes
};

}  // namespace simt
