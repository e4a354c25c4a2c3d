// Under ptx, fences that need not be fence.sc are explored as weaker ones, and nothing changes.
#include <doctest/doctest.h>

#include <string>

#include "tests/checker/run_source.hpp"

namespace {

using test::kernel;
using test::source_run;

/// Two blocks of 8 lanes write their cells, count themselves, and read the other block's cells.
std::string counted(const std::string& fence) {
  return kernel("int cells[16]{};\nint seen[16]{};\nsimt::atomic<int> count{0};\n",
                "const unsigned t = simt::block_index() * 8 + simt::lane_index();\n"
                "cells[t] = static_cast<int>(t) + 1;\n" +
                    fence +
                    "simt::syncthreads();\n"
                    "if (simt::lane_index() == 0) {\n"
                    "  count.fetch_add(1, simt::memory_order_relaxed);\n"
                    "  while (count.load(simt::memory_order_relaxed) < 2) {\n  }\n" +
                    fence +
                    "}\n"
                    "simt::syncthreads();\n"
                    "seen[t] = cells[(t + 8) % 16];\n",
                "for (int i = 0; i < 16; ++i) if (seen[i] != (i + 8) % 16 + 1) return false;\n"
                "return true;");
}

/// Each of two lanes raises a flag and looks at the other's: with fence.sc not both see nothing.
std::string store_buffering(const std::string& fence) {
  return kernel("simt::atomic<int> flags[2];\nint seen[2]{};\n",
                "const unsigned t = simt::block_index();\n"
                "flags[t].store(1, simt::memory_order_relaxed);\n" +
                    fence + "seen[t] = flags[1 - t].load(simt::memory_order_relaxed);\n",
                "return seen[0] + seen[1] > 0;");
}

source_run under_ptx(const std::string& source, const test::grid& grid) {
  source_run run(source, grid);
  run.how.machine.memory = simt::memory_model::ptx;
  return run;
}

}  // namespace

TEST_CASE("all lanes of two blocks execute a fence.sc") {
  const test::grid two_blocks{2, {8}};
  source_run run = under_ptx(counted("simt::__threadfence();\n"), two_blocks);
  const auto result = run.check();
  CHECK(source_run::names(result) == "ok");
  CHECK(result.stopped == "");
  CHECK(result.states < 2'000);  // beyond 100,000 without
  source_run wrong = under_ptx(counted(""), two_blocks);
  wrong.bounds.first = true;
  CHECK(wrong.found() == "race");
}

TEST_CASE("a fence in each lane, and one lane that tells the others") {
  // The fences of the others are in front of its store only by a barrier, and so at the readers.
  const auto text = [](const std::string& fence) {
    return kernel("int cells[8]{};\nint seen[8]{};\nsimt::atomic<int> flag{0};\n",
                  "const unsigned t = simt::lane_index();\n"
                  "if (simt::block_index() == 0) {\n"
                  "  cells[t] = static_cast<int>(t) + 1;\n" +
                      fence +
                      "  simt::syncthreads();\n"
                      "  if (t == 0) flag.store(1, simt::memory_order_relaxed);\n"
                      "} else {\n"
                      "  if (t == 0) {\n"
                      "    while (flag.load(simt::memory_order_relaxed) == 0) {\n    }\n"
                      "  }\n"
                      "  simt::syncthreads();\n" +
                      fence + "  seen[t] = cells[7 - t];\n}\n",
                  "for (int i = 0; i < 8; ++i) if (seen[i] != 8 - i) return false;\nreturn true;");
  };
  const test::grid two_blocks{2, {8}};
  source_run run = under_ptx(text("  simt::__threadfence();\n"), two_blocks);
  run.bounds.before_weaker_fences = 1;
  const auto result = run.check();
  CHECK(source_run::names(result) == "ok");
  CHECK(result.stopped == "");
  CHECK(result.states < 200);
  source_run wrong =
      under_ptx(text("  simt::atomic_thread_fence(simt::memory_order_acq_rel);\n"), two_blocks);
  CHECK(wrong.found() == "race");
}

TEST_CASE("where fence.sc is needed, the run is explored as it is") {
  const test::grid two_lanes{2, {1}};
  for (const std::uint64_t few : {1U, 262'144U}) {
    source_run right = under_ptx(store_buffering("simt::__threadfence();\n"), two_lanes);
    right.bounds.before_weaker_fences = few;
    CHECK(right.found() == "ok");
    source_run wrong = under_ptx(
        store_buffering("simt::atomic_thread_fence(simt::memory_order_acq_rel);\n"), two_lanes);
    wrong.bounds.before_weaker_fences = few;
    CHECK(wrong.found() == "assertion");
  }
}

TEST_CASE("operations with the order seq_cst") {
  const std::string source =
      kernel("simt::atomic<int> flags[2];\nint seen[2]{};\n",
             "const unsigned t = simt::block_index();\nflags[t].store(1);\nseen[t] = flags[1 - "
             "t].load();\n",
             "return seen[0] + seen[1] > 0;");
  source_run run = under_ptx(source, {2, {1}});
  run.bounds.before_weaker_fences = 1;
  CHECK(run.found() == "ok");
}
