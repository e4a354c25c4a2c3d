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

namespace warpcheck {

struct saved_memories {
  std::vector<std::uint32_t> sizes;  // in bytes, by number
  std::vector<std::uint8_t> bytes;   // one after the other
};

saved_memories pack_memories(const simt::interned_bytes& memories);

/// Maps an address of the process that wrote the file to this process; leaves other values as they
/// are.
using moved_value = std::function<std::uint64_t(std::uint64_t)>;

/// Interns the memories in order: images of `image_size` bytes, of a grid of `lanes` lanes. With
/// `lanes` = 0, memory is not weak, and only marks of copies may follow an image (see sc_memory).
/// False: some number differs from the file's. Throws runtime_error if sizes and bytes do not fit
/// together.
bool unpack_memories(saved_memories saved, std::size_t image_size, std::size_t lanes,
                     const moved_value& move, simt::interned_bytes& memories);

}  // namespace warpcheck
