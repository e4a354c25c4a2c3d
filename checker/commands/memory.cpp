#include "checker/commands/memory.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace warpcheck {

namespace {

constexpr std::uint64_t unknown = std::numeric_limits<std::uint64_t>::max();

std::uint64_t of_system() {
  std::ifstream file("/proc/meminfo");
  std::string name;
  std::string unit;
  std::uint64_t kibibytes = 0;
  while (file >> name >> kibibytes) {
    std::getline(file, unit);
    if (name == "MemAvailable:") return kibibytes * 1024;
  }
  return unknown;
}

std::uint64_t of_control_group() {
  std::uint64_t most = 0;
  std::uint64_t used = 0;
  // "max" where there is no limit, which is not a number.
  if (!(std::ifstream("/sys/fs/cgroup/memory.max") >> most)) return unknown;
  if (!(std::ifstream("/sys/fs/cgroup/memory.current") >> used)) return unknown;
  return most > used ? most - used : 0;
}

}  // namespace

std::uint64_t available_memory() { return std::min(of_system(), of_control_group()); }

}  // namespace warpcheck
