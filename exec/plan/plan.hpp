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

/// Threads that wait at one place when nothing can wake one.
struct waiting_threads {
  enum class what : std::uint8_t { memory, collective, barrier };
  what waits_for{};
  std::uint64_t at = 0;  // address in the object of the kernel; 0: unknown
  std::uint32_t threads = 0;
  std::uint32_t block = 0, thread = 0;  // the first one
};

/// The file beside a plan in which a process says where threads wait.
std::filesystem::path waits_beside(const std::filesystem::path& plan);
void write_waits(const std::filesystem::path& file, const std::vector<waiting_threads>& all);
/// Returns what was written; nothing, if that cannot be read.
std::vector<waiting_threads> read_waits(const std::filesystem::path& file);

void write_plan(const std::filesystem::path& file, const plan& what);
/// Throws std::runtime_error.
plan read_plan(const std::filesystem::path& file);

}  // namespace warpcheck::carry
