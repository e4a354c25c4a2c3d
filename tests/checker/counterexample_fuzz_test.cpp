// Damaged counterexample files: always a usage_error, never a crash, and never another exception.
#include <doctest/doctest.h>

#include <fstream>
#include <random>
#include <sstream>

#include "checker/run/counterexample_file.hpp"
#include "tests/checker/run_source.hpp"

namespace {

std::string mutated(std::string text, std::mt19937& random) {
  const auto below = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
  };
  for (std::size_t edits = 1 + below(4); edits > 0 && !text.empty(); --edits) {
    const std::size_t at = below(text.size());
    switch (below(5)) {
      case 0: text[at] = static_cast<char>(below(256)); break;
      case 1: text.erase(at, 1 + below(20)); break;
      case 2: text.insert(at, text.substr(below(text.size()), below(40))); break;
      case 3: text.resize(at); break;
      default: text[at] = "0123456789-\"{}[],:"[below(18)]; break;
    }
  }
  return text;
}

}  // namespace

TEST_CASE("mutated counterexample files") {
  const auto folder =
      std::filesystem::temp_directory_path() / fmt::format("warpcheck-counterexample-{}", getpid());
  std::filesystem::create_directories(folder);
  const auto file = folder / "run.json";

  warpcheck::scenario what;
  what.file = "test.toml";
  what.subject = "locks/tas";
  what.workload = "counter";
  what.grid.lanes = {2};
  warpcheck::run_settings how;
  how.machine.reconvergence = simt::reconvergence::stack;
  what.runs = {how};
  warpcheck::session run(what, how);
  const warpcheck::run_result result = check(run, {});
  REQUIRE(result.violations.size() == 1);
  write_counterexample(file, run, result.violations.front(), "test.toml", "test");
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  const std::string good = text.str();
  auto saved = warpcheck::read_counterexample(file, warpcheck::trusted_sources::all);
  REQUIRE(find_choices(run, saved).empty());
  REQUIRE(saved.found.how.prefix == result.violations.front().how.prefix);

  std::mt19937 random(17);
  int refused = 0;
  constexpr int files = 5'000;
  for (int i = 0; i < files; ++i) {
    const std::string bad = mutated(good, random);
    std::ofstream(file, std::ios::trunc) << bad;
    try {
      warpcheck::read_counterexample(file, warpcheck::trusted_sources::all);
    } catch (const warpcheck::usage_error&) {
      ++refused;
    } catch (const std::exception& other) {
      FAIL_CHECK("file ", i, ": ", other.what(), "\n", bad);
    }
  }
  CHECK(refused > files / 2);
  std::filesystem::remove_all(folder);
}
