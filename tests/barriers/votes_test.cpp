// Barriers with a reduction: what they answer, and that generated programs have the same violations
// with reductions of states as without, and with a counter between barriers in place of the
// reduction.
#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "checker/run/reductions.hpp"
#include "tests/checker/run_source.hpp"
#include "tests/naive/random.hpp"
#include "tests/tier.hpp"

using simt::memory_model;
using simt::reconvergence;
using test::kernel;
using test::source_run;

namespace {

const std::string members =
    "int cells[64]{};\nint seen[64]{};\n"
    "template <class Bool> SIMT_FN unsigned counted(Bool yes) {\n"
    "  auto& count = simt::block_shared<simt::atomic<unsigned, simt::thread_scope_block>>();\n"
    "  const unsigned part = yes ? 1 : 0;\n"
    "  count.fetch_add(part, simt::memory_order_relaxed);\n"
    "  simt::syncthreads();\n"
    "  const unsigned all = count.load(simt::memory_order_relaxed);\n"
    "  simt::syncthreads();\n"
    "  count.fetch_add(0u - part, simt::memory_order_relaxed);\n"
    "  simt::syncthreads();\n"
    "  return all;\n"
    "}\n";

// ANY, ALL and COUNT ask all threads of the block; NAMED asks two warps whether any says yes.
const std::string by_reductions =
    "#define ANY(x) simt::bar_red_or(0, 0, (x))\n"
    "#define NAMED(x) simt::bar_red_or(1, 64, (x))\n"
    "#define ALL(x) simt::bar_red_and(0, 0, (x))\n"
    "#define COUNT(x) simt::bar_red_popc(0, 0, (x))\n";
const std::string by_counters =
    "#define ANY(x) (counted(x) != 0)\n"
    "#define NAMED(x) (counted(x) != 0)\n"
    "#define ALL(x) (counted(x) == n)\n"
    "#define COUNT(x) counted(x)\n";

std::string all_lanes(const std::string& calls, const std::string& body) {
  return kernel(calls + members,
                "const unsigned t = simt::thread_rank(), w = simt::warp_index();\n"
                "const unsigned n = simt::block_size();\n"
                "const unsigned next = (t + 1) % n;\n" +
                    body);
}

warpcheck::run_result checked(const std::string& body, const test::grid& grid, reconvergence model,
                              memory_model memory, const warpcheck::reductions& reduce = {},
                              const std::string& calls = by_reductions) {
  source_run run(all_lanes(calls, body), grid, model);
  run.how.machine.memory = memory;
  run.bounds.max_states = 30'000;
  return run.check(reduce);
}

}  // namespace

TEST_CASE("loops until no thread says yes have few states") {
  // Each thread takes over a smaller neighbour until all are in order.
  const std::string sorted =
      "auto& d = simt::block_shared<int[64]>();\n"
      "d[t] = static_cast<int>((t * 5 + 3) % n);\n"
      "bool changed = false;\n"
      "do {\n"
      "  simt::syncthreads();\n"
      "  const int mine = d[t], other = t + 1 < n ? d[t + 1] : mine;\n"
      "  simt::syncthreads();\n"
      "  changed = other < mine;\n"
      "  if (changed) d[t] = other;\n"
      "} while (ANY(changed));\n"
      "cells[t] = d[t];\n";
  for (const reconvergence model : {reconvergence::its, reconvergence::stack}) {
    for (const memory_model memory : {memory_model::sc, memory_model::ptx}) {
      const auto found = checked(sorted, {1, {16}}, model, memory);
      CHECK(source_run::names(found) == "ok");
      CHECK(found.states < 100);
    }
  }
}

TEST_CASE("warps that use a barrier at once with different reductions diverge") {
  const auto found = [](const std::string& one, const std::string& other) {
    return source_run::names(
        checked("int x = 0;\nif (w == 0) x = " + one + "; else x = " + other + ";\nseen[t] = x;\n",
                {1, {1, 1}}, reconvergence::its, memory_model::sc));
  };
  const std::string any = "simt::bar_red_or(0, 0, true)", all = "simt::bar_red_and(0, 0, true)";
  CHECK(found(any, any) == "ok");
  CHECK(found(any, all) == "barrier-divergence");
  CHECK(found(any, "(simt::syncthreads(), 1)") == "barrier-divergence");
}

TEST_CASE("generated programs with reductions at barriers") {
  const std::vector<std::string> pieces{"if (ANY(cells[t] == 1)) seen[t] += 1;\n",
                                        "if (ALL(cells[t] < 2)) cells[next] += 1;\n",
                                        "seen[t] += int(COUNT(t > 0 && cells[t] != 1));\n",
                                        "while (ANY(cells[t] < int(t % 2) + 1)) cells[t] += 1;\n",
                                        "if (NAMED(seen[t] > 1)) cells[t] = 3;\n",
                                        "if (t == 0) cells[t] = 1;\n",
                                        "cells[t] += 1;\n",
                                        "simt::syncthreads();\n",
                                        "simt::syncthreads();\n",
                                        "seen[t] = cells[next];\n",
                                        "if (cells[t] == 1 && t > 1) return;\n",
                                        "simt::check(seen[t] < 3, \"few\");\n",
                                        "if (w == 0) seen[t] = cells[t];\n"};
  naive::random_source random(73);
  std::map<std::string, int> seen;
  int compared = 0;
  for (int program = 0; program < 120; ++program) {
    std::string body;
    for (int i = 3 + random.below(4); i > 0; --i)
      body += pieces[static_cast<std::size_t>(random.below(static_cast<int>(pieces.size())))];
    if (!test::is_due(fmt::format("votes {}", program))) continue;
    const bool has_early_end = body.find("return") != std::string::npos;
    for (const reconvergence model : {reconvergence::its, reconvergence::stack}) {
      for (const memory_model memory : {memory_model::sc, memory_model::ptx}) {
        INFO(body, "memory ", static_cast<int>(memory));
        const test::grid grid{1, {2, 2}};
        const auto plain = checked(body, grid, model, memory, warpcheck::reductions::none());
        if (!plain.complete) continue;
        ++seen[source_run::names(plain)];
        const bool races = (plain.found() & bit(warpcheck::verdict::race)) != 0;
        const auto agrees = [&](const warpcheck::run_result& other) {
          CHECK(other.complete);
          // (Behind a race under ptx other violations may be hidden.)
          if (memory == memory_model::ptx && races) {
            CHECK((other.found() & bit(warpcheck::verdict::race)) != 0);
          } else {
            CHECK(source_run::names(other) == source_run::names(plain));
          }
        };
        agrees(checked(body, grid, model, memory));
        agrees(checked(body, grid, model, memory, warpcheck::reductions_from("order")));
        // A named barrier for two warps waits for lanes that have ended, and one that counts votes
        // by `n` takes those for lanes that have said no.
        if (has_early_end) continue;
        const auto counted = checked(body, grid, model, memory, {}, by_counters);
        if (!counted.complete) continue;
        ++compared;
        agrees(counted);
      }
    }
  }
  for (const auto& [names, count] : seen) MESSAGE(names, ": ", count, " times");
  MESSAGE(compared, " explorations agree with counters between barriers");
  if (test::is_thorough()) {
    CHECK(seen.size() >= 3);
    CHECK(compared > 100);
  }
}
