// What single runs show of a grid that is too large to explore.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "checker/check/first_look.hpp"
#include "tests/checker/objection.hpp"
#include "tests/checker/run_source.hpp"
#include "tests/checker/why.hpp"

using test::grid;
using test::kernel;
using test::source_run;
using warpcheck::verdict;

namespace {

struct model {
  simt::reconvergence reconvergence;
  simt::memory_model memory;
};
constexpr auto sc = simt::memory_model::sc, ptx = simt::memory_model::ptx;
constexpr auto its = simt::reconvergence::its, stack = simt::reconvergence::stack;
const std::vector<model> models{{its, sc}, {stack, sc}, {its, ptx}, {stack, ptx}};

grid warps(unsigned count) { return {1, std::vector<std::uint32_t>(count, 32)}; }

/// Each lane of a block writes its cell and, behind `between`, reads that of its neighbour.
source_run neighbours(const std::string& between, unsigned count, const model& how) {
  source_run run(kernel("int at[1024]{}, out[1024]{};",
                        fmt::format("const unsigned t = simt::thread_rank();\nat[t] = 1;\n{}\n"
                                    "out[t] = at[(t + 1) % {}];",
                                    between, 32 * count),
                        fmt::format("for (int i = 0; i < {}; ++i) if (out[i] != 1) return false;\n"
                                    "return true;",
                                    32 * count)),
                 warps(count), how.reconvergence);
  run.how.machine.memory = how.memory;
  return run;
}

/// One lane of a block tells another block that there is a message. `fence`: between the two.
source_run message(const std::string& fence, const model& how) {
  source_run run(kernel("int data = 0, seen = 0;\nsimt::atomic<int> flag{0};",
                        "if (simt::lane_index() != 0) return;\n"
                        "if (simt::block_index() == 0) {\n  data = 1;\n  " +
                            fence +
                            "\n  flag.store(1, simt::memory_order_relaxed);\n} else {\n"
                            "  while (flag.load(simt::memory_order_relaxed) == 0) {}\n  " +
                            fence + "\n  seen = data;\n}",
                        "return seen == 1;"),
                 {2, {32}}, how.reconvergence);
  run.how.machine.memory = how.memory;
  return run;
}

/// What is found, each of which can be carried out.
std::string found(source_run& of) {
  warpcheck::session run(of.what, of.how);
  const warpcheck::run_result result = warpcheck::check(run, of.bounds);
  for (const warpcheck::violation& v : result.violations) {
    CAPTURE(warpcheck::name(v.kind));
    CHECK(test::objection(run, v) == "");
  }
  return source_run::names(result);
}

std::vector<warpcheck::violation> look(const source_run& of) {
  warpcheck::session run(of.what, of.how);
  std::uint64_t forbidden = 0;
  auto seen = warpcheck::first_look(run, of.bounds, of.how.check, forbidden);
  CHECK(forbidden == 0);
  return seen;
}

}  // namespace

TEST_CASE("a barrier that is left out is seen at once in a wide block") {
  for (const model& how : models) {
    for (const unsigned count : {1U, 8U, 32U}) {
      CAPTURE(count);
      CAPTURE(static_cast<int>(how.reconvergence));
      CAPTURE(static_cast<int>(how.memory));
      source_run run = neighbours("", count, how);
      CHECK(found(run).ends_with("race"));
      run.bounds.first = true;
      warpcheck::session ready(run.what, run.how);
      const warpcheck::run_result first = warpcheck::check(ready, run.bounds);
      CHECK(first.stopped.reason == warpcheck::stop_reason::single_runs);
      CHECK(first.violations.size() == 1);
    }
  }
}

TEST_CASE("single runs show nothing of a block that is right") {
  for (const model& how : models) {
    source_run run = neighbours("simt::syncthreads();", 8, how);
    CHECK(look(run).empty());
    CHECK(found(run) == "ok");
  }
}

TEST_CASE("a race of two lanes is shown by few steps") {
  source_run run = neighbours("", 32, {its, ptx});
  const auto seen = look(run);
  REQUIRE(seen.size() == 1);
  CHECK(seen.front().kind == verdict::race);
  CHECK(seen.front().how.prefix.size() < 10);
}

TEST_CASE("a run that is right in order may be a race where memory is weak") {
  for (const auto reconvergence : {its, stack}) {
    source_run in_order = message("", {reconvergence, sc});
    CHECK(look(in_order).empty());
    CHECK(found(in_order) == "ok");
    source_run weak = message("", {reconvergence, ptx});
    CHECK(found(weak) == "race");
    CHECK(test::why(weak).find("`data`") != std::string::npos);
    source_run fenced = message("simt::__threadfence();", {reconvergence, ptx});
    CHECK(look(fenced).empty());
    CHECK(found(fenced) == "ok");
  }
}

TEST_CASE("single runs show a barrier that diverges, and lanes that wait for ever") {
  const std::string members = "simt::atomic<int> sum{0};\nint out[64]{};";
  const std::string counts = "sum.fetch_add(1, simt::memory_order_relaxed);\n";
  const std::string ends = "out[simt::thread_rank()] = sum.load(simt::memory_order_relaxed);";
  for (const model& how : models) {
    CAPTURE(static_cast<int>(how.reconvergence));
    CAPTURE(static_cast<int>(how.memory));
    const auto shown = [&](const std::string& meeting) {
      source_run run(kernel(members, counts + meeting + ends), warps(2), how.reconvergence);
      run.how.machine.memory = how.memory;
      const auto seen = look(run);
      return seen.size() == 1 ? std::string(warpcheck::name(seen.front().kind)) : "";
    };
    CHECK(shown("simt::ballot(0xffff, true);\n") == "barrier-divergence");
    CHECK(shown("simt::ballot(simt::full_mask, true);\n") == "");
    const std::string alone = "if (simt::warp_index() == 0) simt::named_barrier_sync(1, 2);\n";
    // Under `stack` with weak memory, what lanes might still read would count.
    const bool is_left = how.reconvergence == stack && how.memory == ptx;
    CHECK(shown(alone) == (is_left ? "" : "deadlock"));
  }
}

TEST_CASE("single runs show a warp that is a round of a loop ahead") {
  const auto look_at_tiles = [](const std::string& behind, const model& how) {
    source_run run(kernel("struct tile { int at[64]; };\nint out[64]{};",
                          "tile& shared = simt::block_shared<tile>();\n"
                          "const unsigned t = simt::thread_rank();\nint sum = 0;\n"
                          "for (int round = 0; round < 2; ++round) {\n"
                          "  shared.at[t] = round;\n  simt::syncthreads();\n"
                          "  for (int i = 0; i < 64; ++i) sum += shared.at[i];\n  " +
                              behind + "\n}\nout[t] = sum;"),
                   warps(2), how.reconvergence);
    run.how.machine.memory = how.memory;
    return look(run);
  };
  for (const model& how : models) {
    CAPTURE(static_cast<int>(how.reconvergence));
    CAPTURE(static_cast<int>(how.memory));
    const auto seen = look_at_tiles("", how);
    REQUIRE(seen.size() == 1);
    CHECK(seen.front().kind == verdict::race);
    CHECK(look_at_tiles("simt::syncthreads();", how).empty());
  }
}

TEST_CASE("what single runs have shown is kept where a limit ends the exploration") {
  for (const model& how : models) {
    source_run run = neighbours("", 8, how);
    run.bounds.max_states = 1;
    CHECK(found(run).ends_with("race"));
  }
}

TEST_CASE("grids of fewer than 32 threads are explored alone") {
  source_run small = neighbours("", 1, {its, sc});
  small.what.grid.lanes = {31};
  CHECK_FALSE(warpcheck::has_first_look(warpcheck::session(small.what, small.how)));
  CHECK(
      warpcheck::has_first_look(warpcheck::session(neighbours("", 1, {its, sc}).what, small.how)));
}
