// Reads limits and use of memory from the files of the kernel.
#include "checker/console/memory.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>

namespace warpcheck {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t unknown = std::numeric_limits<std::uint64_t>::max();

std::uint64_t left_of(std::uint64_t most, std::uint64_t used) {
  return most > used ? most - used : 0;
}

/// Returns the number after `name`, such as "MemAvailable:", in a file of the kernel; unknown if
/// none is there.
std::uint64_t number_named(const fs::path& file, std::string_view name) {
  std::ifstream in(file);
  std::string word;
  std::string rest;
  while (in >> word) {
    std::uint64_t number = 0;
    if (word == name) return in >> number ? number : unknown;
    std::getline(in, rest);
  }
  return unknown;
}

/// Returns the number that a file holds; unknown if it holds none, as in "max".
std::uint64_t number_in(const fs::path& file) {
  std::uint64_t number = 0;
  return std::ifstream(file) >> number ? number : unknown;
}

std::uint64_t kibibytes(const fs::path& file, std::string_view name) {
  const std::uint64_t number = number_named(file, name);
  return number == unknown ? unknown : number * 1024;
}

/// Returns what is left of `most`. Files that the kernel keeps and no process reads do not count as
/// used.
std::uint64_t left_of_group(std::uint64_t most, std::uint64_t used, std::uint64_t idle_files) {
  if (most == unknown || used == unknown) return unknown;
  return left_of(most, idle_files == unknown ? used : left_of(used, idle_files));
}

std::uint64_t left_in_version_2(const fs::path& folder) {
  const std::uint64_t most =
      std::min(number_in(folder / "memory.max"), number_in(folder / "memory.high"));
  return left_of_group(most, number_in(folder / "memory.current"),
                       number_named(folder / "memory.stat", "inactive_file"));
}

std::uint64_t left_in_version_1(const fs::path& folder) {
  return left_of_group(number_in(folder / "memory.limit_in_bytes"),
                       number_in(folder / "memory.usage_in_bytes"),
                       number_named(folder / "memory.stat", "total_inactive_file"));
}

bool names_memory(std::string_view controllers) {
  while (!controllers.empty()) {
    const std::size_t end = std::min(controllers.find(','), controllers.size());
    if (controllers.substr(0, end) == "memory") return true;
    controllers.remove_prefix(std::min(end + 1, controllers.size()));
  }
  return false;
}

/// Returns the least that is left in the group and in those around it. In a container, the path may
/// be the host's, and then only the root can be seen.
template <class Left>
std::uint64_t least_up_to(const fs::path& root, const fs::path& group, Left left) {
  std::uint64_t least = left(root);
  fs::path folder = root;
  for (const fs::path& name : group.relative_path()) {
    folder /= name;
    least = std::min(least, left(folder));
  }
  return least;
}

std::uint64_t left_of_limit(int resource, std::string_view used) {
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unknown;
  const std::uint64_t now = kibibytes("/proc/self/status", used);
  return left_of(limit.rlim_cur, now == unknown ? 0 : now);
}

}  // namespace

std::uint64_t left_of_control_groups(const fs::path& groups, const fs::path& root) {
  std::uint64_t least = unknown;
  std::ifstream in(groups);
  // Lines such as "4:memory:/jobs/7" (version 1) and "0::/jobs/7" (version 2).
  for (std::string line; std::getline(in, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string_view controllers =
        std::string_view(line).substr(first + 1, second - first - 1);
    const fs::path group = line.substr(second + 1);
    if (controllers.empty()) {
      for (const fs::path& tree : {root, root / "unified"}) {
        least = std::min(least, least_up_to(tree, group, left_in_version_2));
      }
    } else if (names_memory(controllers)) {
      least = std::min(least, least_up_to(root / "memory", group, left_in_version_1));
    }
  }
  return least;
}

std::uint64_t available_memory() {
  return std::min({kibibytes("/proc/meminfo", "MemAvailable:"),
                   left_of_control_groups("/proc/self/cgroup", "/sys/fs/cgroup"),
                   left_of_limit(RLIMIT_AS, "VmSize:"), left_of_limit(RLIMIT_DATA, "VmData:")});
}

}  // namespace warpcheck
