// Implements warpcheck new: writes a lock for the user to change, a scenario that checks it, and
// tests of ctest.
#include <fmt/format.h>

#include <cctype>
#include <filesystem>
#include <string>

#include "checker/commands/commands.hpp"
#include "checker/console/standard_output.hpp"
#include "checker/console/write_whole.hpp"
#include "checker/text/usage_error.hpp"

namespace warpcheck {
namespace {

constexpr std::string_view fresh_header = R"(// A lock. Change it, and run: warpcheck run NAME.toml
#pragma once

#include <simt/simt.hpp>

struct NAME {
  simt::atomic<int> held{0};

  SIMT_FN void lock() {
    while (held.exchange(1, simt::memory_order_acquire) != 0) {
    }
  }
  SIMT_FN void unlock() { held.store(0, simt::memory_order_release); }
};
SIMT_SUBJECT(NAME);
)";

constexpr std::string_view fresh_scenario = R"(title    = "NAME, taken by the lanes of one warp"
source   = "NAME.hpp"
subject  = "NAME"
workload = "counter"

[grid]
lanes = 4

# GPUs before Volta: lanes of a warp reconverge.
[[run]]
reconvergence = "stack"
memory        = "sc"

# Volta and later. Without `memory`, the run is checked under sc and under ptx.
[[run]]
reconvergence = "its"
)";

constexpr std::string_view fresh_tests = R"(# Each run of NAME.toml is a test:
#   cmake -S . -B build && ctest --test-dir build --output-on-failure
# A run passes when it ends as the scenario expects. To write into the scenario what it finds now:
#   warpcheck run NAME.toml --accept
cmake_minimum_required(VERSION 3.25)
project(NAME LANGUAGES NONE)

find_package(warpcheck 0.1 REQUIRED)

enable_testing()
)";

std::string with_name(std::string_view text, const std::string& name) {
  constexpr std::string_view mark = "NAME";
  std::string made(text);
  for (auto at = made.find(mark); at != std::string::npos; at = made.find(mark, at + name.size())) {
    made.replace(at, mark.size(), name);
  }
  return made;
}

std::string added_tests(const std::string& name) {
  return fmt::format("warpcheck_add_scenarios(NAME {0} FILES {0}.toml OPTIONS --time 1m)\n", name);
}

bool is_identifier(const std::string& name) {
  const auto is_part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  bool all = !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0;
  for (const char c : name) all = all && is_part(c);
  return all;
}

}  // namespace

exit_status make_new(const new_options& options) {
  namespace fs = std::filesystem;
  const fs::path base(options.name);
  const std::string name = base.filename().string();
  if (!is_identifier(name)) {
    throw usage_error(fmt::format(
        "new: \"{}\" is no name for a type in C++; write letters, digits and _, as in my_lock",
        name));
  }
  const fs::path source = base.string() + ".hpp", scenario = base.string() + ".toml";
  for (const fs::path& file : {source, scenario}) {
    if (fs::exists(file)) {
      throw usage_error(
          fmt::format("new: {} is there already; choose another name", file.string()));
    }
  }
  write_whole(source, with_name(fresh_header, name), "new");
  write_whole(scenario, with_name(fresh_scenario, name), "new");
  fmt::print("{}\n{}\n", source.string(), scenario.string());
  const fs::path tests = base.parent_path() / "CMakeLists.txt";
  const bool has_tests = fs::exists(tests);
  if (!has_tests) {
    write_whole(tests, with_name(fresh_tests, name) + added_tests(name), "new");
    fmt::print("{}\n", tests.string());
  }
  fmt::print("Next: warpcheck run {}\n", scenario.string());
  if (has_tests) {
    fmt::print("{} is there already. To test the lock with ctest, add to it:\n  {}", tests.string(),
               added_tests(name));
  }
  flush_output();
  return exit_status::as_expected;
}

}  // namespace warpcheck
