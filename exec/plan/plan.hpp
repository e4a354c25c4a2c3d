// The plan of one launch: the file by which warpcheck tells another process what to carry out.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace warpcheck::carry {

/// How the process that carries out a launch ends.
enum class ended : int {
  well = 0,
  illegal_address = 10,
  stuck = 11,      // every thread waits, and nothing can wake one
  assertion = 12,  // an assertion failed, or the kernel trapped
  unknown = 13,    // the object asks for what cannot be carried out
};

struct allocation {
  std::uint64_t begin = 0;
  std::uint64_t size = 0;
};

struct plan {
  std::uint32_t blocks = 1;
  std::uint32_t threads = 1;  // of a block
  bool all_at_once = false;   // a cooperative launch: all blocks are resident
  std::vector<allocation> memory;
  std::vector<std::uint8_t> arguments;  // one behind the other
};

void write_plan(const std::filesystem::path& file, const plan& what);
/// Throws std::runtime_error.
plan read_plan(const std::filesystem::path& file);

}  // namespace warpcheck::carry
