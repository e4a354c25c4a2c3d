// Start values of device arrays that a scenario gives.
#include <doctest/doctest.h>

#include "checker/run/counterexample_file.hpp"
#include "tests/checker/run_source.hpp"

namespace {

const std::string members = R"(
simt::device_array<signed char> bytes{"bytes"};
simt::device_array<simt::atomic<unsigned short>> words{"words"};
simt::device_array<long long> longs{"longs"};
simt::device_array<float> floats{"floats"};
int sum = 0;
subject() { for (unsigned i = 0; i < longs.size(); ++i) sum += static_cast<int>(longs[i]); }
)";

std::string found(const std::string& body, const simt::array_setups& arrays) {
  test::source_run run(test::kernel(members, body), {1, {1}});
  run.what.arrays = arrays;
  return run.found();
}

// The message of the memory_error; empty: there was none.
std::string refused(const simt::array_setups& arrays) {
  try {
    found("", arrays);
  } catch (const simt::memory_error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("lanes find the values, and so does the constructor") {
  CHECK(found("simt::check(bytes[0] == -128 && bytes[1] == 127 && bytes.size() == 2, \"\");"
              "simt::check(words[1].load() == 65535, \"\");"
              "simt::check(longs[2] == -1 && sum == 5, \"\");"
              "simt::check(floats[0] == 0 && floats.size() == 3, \"\");",
              {{"bytes", {2, {-128, 127}}},
               {"words", {2, {0, 65535}}},
               {"longs", {3, {2, 4, -1}}},
               {"floats", {3, {}}}}) == "ok");
}

TEST_CASE("values that an element cannot hold, and elements that are no integers") {
  CHECK(refused({{"bytes", {1, {128}}}}) ==
        "[arrays] gives bytes[0] the value 128, but its elements are signed integers of 8 bits; "
        "choose a value that fits");
  CHECK(refused({{"bytes", {2, {0, -129}}}}).starts_with("[arrays] gives bytes[1] the value -129"));
  CHECK(refused({{"words", {1, {65536}}}}) ==
        "[arrays] gives words[0] the value 65536, but its elements are unsigned integers of 16 "
        "bits; choose a value that fits");
  CHECK(refused({{"words", {1, {-1}}}}).starts_with("[arrays] gives words[0] the value -1"));
  CHECK(
      refused({{"floats", {1, {1}}}}) ==
      "array \"floats\" has no integers in it, so [arrays] cannot give its values; give its size, "
      "and let the subject's constructor fill it");
  CHECK(refused({{"longs", {1U << 25, {}}}, {"bytes", {1U << 25, {}}}})
            .starts_with("the device's memory is full: "));
}

TEST_CASE("a counterexample keeps the values") {
  test::source_run source(test::kernel(members, "simt::check(longs[0] != 7, \"seven\");"),
                          {1, {1}});
  source.what.arrays = {{"longs", {2, {7, -8}}}, {"bytes", {9, {}}}};
  source.what.runs = {source.how};
  source.what.file = source.what.source->parent_path() / "test.toml";
  warpcheck::session run(source.what, source.how);
  const warpcheck::run_result result = check(run, {});
  REQUIRE(result.violations.size() == 1);
  // (Another test may have the same source, and so the same folder.)
  const auto file = source.what.source->parent_path() / fmt::format("{}.json", getpid());
  write_counterexample(file, run, result.violations.front(), source.what.file.string(), "test");
  const auto saved = warpcheck::read_counterexample(file, warpcheck::trusted_sources::all);
  std::filesystem::remove(file);
  CHECK((saved.what.arrays == source.what.arrays));
}
