// What the API leaves in instrumented code, for every operation and every shipped subject.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "checker/check/check.hpp"
#include "sim/compile/compile.hpp"
#include "sim/subject/subject.hpp"

#include <warpcheck_paths.hpp>

namespace {

namespace fs = std::filesystem;
using simt::detail::launch_shape;
using simt::detail::subject_entry;

std::shared_ptr<const simt::subject_library> every_operation() {
  return simt::subject_library::load(simt::compile_subject("tests/api/every_operation.hpp"));
}

const subject_entry& entry_named(const simt::subject_library& library, const std::string& name,
                                 const std::string& workload) {
  for (const subject_entry* each : library.entries) {
    if (each->name == name && each->workload == workload) return *each;
  }
  FAIL("no entry ", name, " ", workload);
  return *library.entries.front();
}

/// The final check of a freshly constructed object.
std::string check_unrun(const subject_entry& entry, const launch_shape& shape) {
  std::vector<unsigned char> object(entry.size + entry.align);
  void* place = object.data();
  std::size_t space = object.size();
  std::align(entry.align, entry.size, place, space);
  entry.construct(place);
  const char* message = entry.check(place, shape);
  return message != nullptr ? message : "";
}

TEST_CASE("every operation is inlined down to the boundary") {
  const auto library = every_operation();
  REQUIRE(library->entries.size() == 2);
  for (const subject_entry* entry : library->entries) {
    CHECK(simt::calls_not_inlined(*library, *entry).empty());
  }
}

TEST_CASE("an entry has a name, a workload, and the object's type") {
  const auto library = every_operation();
  const subject_entry& kernel = entry_named(*library, "every_operation", "kernel");
  CHECK(std::string(kernel.type) == "simt::kernel_workload<every_operation>");
  CHECK((kernel.init != nullptr));
  const subject_entry& wrapped = entry_named(*library, "wrapped<simt::atomic<int>, 4>", "counter");
  CHECK(std::string(wrapped.type).find("nested::wrapped<simt::atomic<int") != std::string::npos);
  CHECK((wrapped.init == nullptr));
}

TEST_CASE("block-shared variables have a slot each, and globals are found") {
  const auto library = every_operation();
  REQUIRE(library->shared.size() == 3);
  std::vector<std::uint64_t> sizes;
  for (const simt::shared_variable& each : library->shared) sizes.push_back(each.size);
  std::sort(sizes.begin(), sizes.end());
  CHECK(sizes == std::vector<std::uint64_t>{4, 4, 8});
  // What the API itself keeps is not device memory.
  REQUIRE(library->globals.size() == 1);
  CHECK(library->globals[0].name == "a_global");
}

TEST_CASE("the counter's check says what it is and what it should be") {
  const auto library = every_operation();
  const subject_entry& entry = entry_named(*library, "wrapped<simt::atomic<int>, 4>", "counter");
  CHECK(check_unrun(entry, {1, 2, 2, 3}) == "counter is 0, expected 6");
  CHECK(check_unrun(entry, {1, 2, 0, 3}).empty());
}

TEST_CASE("every operation gives one thread the value that it should") {
  const auto scenario = warpcheck::read_scenario("tests/api/every_operation.toml");
  for (const auto& settings : scenario.runs) {
    warpcheck::session session(scenario, settings);
    const auto result = warpcheck::check(session, {});
    CHECK(result.gravest == warpcheck::verdict::ok);
  }
}

TEST_CASE("reductions over the lanes of a warp") {
  const auto scenario = warpcheck::read_scenario("tests/api/reductions.toml");
  for (const auto& settings : scenario.runs) {
    warpcheck::session session(scenario, settings);
    CHECK(warpcheck::check(session, {}).gravest == warpcheck::verdict::ok);
  }
}

TEST_CASE("every shipped subject bears its file's name and is inlined") {
  int subjects = 0;
  for (const auto& file :
       fs::recursive_directory_iterator(warpcheck_paths::subjects_dir_in_use())) {
    if (file.path().extension() != ".so") continue;
    ++subjects;
    const auto library = simt::subject_library::load(file.path());
    CAPTURE(file.path().string());
    // One for each workload that it fits; a header may include that of another subject.
    CHECK(std::ranges::any_of(library->entries, [&](const auto* entry) {
      return entry->name == file.path().stem().string();
    }));
    for (const auto* entry : library->entries) {
      CHECK(simt::calls_not_inlined(*library, *entry).empty());
    }
    CHECK(library->globals.empty());
  }
  CHECK(subjects > 20);
}

}  // namespace
