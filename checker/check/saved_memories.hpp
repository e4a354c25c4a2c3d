// Turns the memories of a saved search into bytes of a file and back.
//
// A memory is an image of the device's memory. Under weak memory, the encoded weak state follows
// (sim/machine/weak/weak_memory.hpp). Both may hold addresses, which differ between processes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "sim/automaton/intern.hpp"
#include "sim/machine/memory/copy_marks.hpp"

namespace warpcheck {

struct saved_memories {
  std::vector<std::uint32_t> sizes;  // in bytes, by number
  std::vector<std::uint8_t> bytes;   // one after the other
};

saved_memories pack_memories(const simt::interned_bytes& memories);

/// Maps an address of the process that wrote the file to this process; leaves other values as they
/// are.
using moved_value = std::function<std::uint64_t(std::uint64_t)>;

/// Interns the memories in order. False: some number differs from the file's. Throws runtime_error
/// if sizes and bytes do not fit together.
bool unpack_memories(saved_memories saved, const simt::memory_layout& each, const moved_value& move,
                     simt::interned_bytes& memories);

}  // namespace warpcheck
