// How much memory control groups leave, read from files as the kernel has them.
#include "checker/console/memory.hpp"

#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#include <doctest/doctest.h>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

// What the kernel shows in /proc/self/cgroup and /sys/fs/cgroup.
class kernel_files {
 public:
  kernel_files()
      : root_(fs::temp_directory_path() / ("control_groups_" + std::to_string(getpid()))) {
    fs::create_directories(root_);
  }
  ~kernel_files() { fs::remove_all(root_); }
  kernel_files(const kernel_files&) = delete;
  kernel_files& operator=(const kernel_files&) = delete;

  void write(const fs::path& name, const std::string& text) const {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name) << text;
  }
  [[nodiscard]] std::uint64_t left() const {
    return warpcheck::left_of_control_groups(root_ / "groups", root_);
  }

 private:
  fs::path root_;
};

TEST_CASE("no control group limits memory") {
  const kernel_files files;
  CHECK(files.left() == no_limit);
  files.write("groups", "0::/job\n");
  files.write("job/memory.max", "max\n");
  files.write("job/memory.current", "1000\n");
  CHECK(files.left() == no_limit);
}

TEST_CASE("version 2: the least that is left of a group and those around it") {
  const kernel_files files;
  files.write("groups", "0::/user/job\n");
  files.write("user/job/memory.max", "10000\n");
  files.write("user/job/memory.current", "4000\n");
  CHECK(files.left() == 6000);
  // Files that nobody reads are given up first.
  files.write("user/job/memory.stat", "anon 3000\ninactive_file 1000\n");
  CHECK(files.left() == 7000);
  files.write("user/memory.max", "9000\n");
  files.write("user/memory.current", "8500\n");
  CHECK(files.left() == 500);
  files.write("user/memory.current", "9500\n");
  CHECK(files.left() == 0);
}

TEST_CASE("version 2: what slows a group down is a limit, too") {
  const kernel_files files;
  files.write("groups", "0::/\n");
  files.write("memory.max", "max\n");
  files.write("memory.high", "5000\n");
  files.write("memory.current", "1000\n");
  CHECK(files.left() == 4000);
}

TEST_CASE("version 1, also where the path is that of the host") {
  const kernel_files files;
  files.write("groups", "5:cpu:/job\n4:blkio,memory:/not/seen/here\n0::/\n");
  files.write("memory/memory.limit_in_bytes", "20000\n");
  files.write("memory/memory.usage_in_bytes", "15000\n");
  files.write("memory/memory.stat", "cache 9\ntotal_inactive_file 2000\n");
  CHECK(files.left() == 7000);
  files.write("memory/not/seen/memory.limit_in_bytes", "3000\n");
  files.write("memory/not/seen/memory.usage_in_bytes", "1000\n");
  CHECK(files.left() == 2000);
}

}  // namespace
