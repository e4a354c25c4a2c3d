// Named barriers by the letter of PTX: counted in threads, with reductions, and both halves of a
// cluster's barrier.
#include <doctest/doctest.h>

#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "checker/report/describe.hpp"
#include "checker/report/formats/json_report.hpp"
#include "tests/checker/run_source.hpp"
#include "tests/checker/why.hpp"

using simt::memory_model;
using simt::reconvergence;
using test::kernel;
using test::source_run;

namespace {

/// What all four models find, with reductions and without; they have to agree.
std::string found(const test::grid& shape, const std::string& members, const std::string& body,
                  std::uint32_t cluster = 1) {
  std::string all;
  for (const reconvergence model : {reconvergence::its, reconvergence::stack}) {
    for (const memory_model memory : {memory_model::sc, memory_model::ptx}) {
      source_run run(kernel(members, body), shape, model);
      run.what.grid.cluster = cluster;
      run.how.machine.memory = memory;
      const std::string one = run.found();
      CHECK(source_run::names(run.check(warpcheck::reductions::none())) == one);
      if (all.empty()) all = one;
      CHECK(one == all);
    }
  }
  return all;
}

const std::string warp = "const unsigned warp = simt::warp_index();";

}  // namespace

TEST_CASE("a warp counts as 32 threads, whatever its lanes") {
  const std::string pair = warp +
                           "if (warp == 0) cell = 7; simt::bar_sync(1, 64);"
                           "simt::check(cell == 7, \"told\");";
  CHECK(found({1, {1, 1}}, "int cell = 0;", pair) == "ok");
  CHECK(found({1, {1, 1}}, "", "simt::bar_sync(1, 96);") == "deadlock");
  CHECK(found({1, {2, 1}}, "", "simt::bar_sync(1, 64); simt::named_barrier_sync(1, 2);") == "ok");
}

TEST_CASE("a number of threads that is no multiple of 32") {
  CHECK(found({1, {1, 1}}, "unsigned n = 33;", "simt::bar_sync(1, n);") == "assertion");
  CHECK(found({1, {1, 1}}, "", "simt::bar_arrive(1, 48);") == "assertion");
}

TEST_CASE("surplus arrivals stay, and release a later wait") {
  // The warp that syncs is released by the other one's two arrivals, in whatever order.
  const std::string twice = warp +
                            "if (warp == 0) { simt::bar_arrive(1, 64); simt::bar_arrive(1, 64); }"
                            "else { simt::bar_sync(1, 64); }";
  CHECK(found({1, {1, 1}}, "", twice) == "deadlock");  // both may come first
  const std::string after = warp +
                            "if (warp == 0) { simt::bar_sync(2, 64); simt::bar_arrive(1, 64);"
                            "simt::bar_arrive(1, 64); }"
                            "else { simt::bar_arrive(2, 64); simt::bar_sync(1, 64);"
                            "simt::bar_sync(1, 64); }";
  CHECK(found({1, {1, 1}}, "", after) == "deadlock");
  // An arrival that nobody waits for is no mistake.
  CHECK(found({1, {1, 1}}, "", warp + "if (warp == 0) simt::bar_arrive(1, 64);") == "ok");
}

TEST_CASE("a warp that has exited is waited for where there is a number of threads") {
  CHECK(found({1, {1, 1}}, "", warp + "if (warp == 0) simt::bar_sync(1, 64);") == "deadlock");
  CHECK(found({1, {1, 1}}, "", warp + "if (warp == 0) simt::bar_sync(0, 64);") == "deadlock");
  CHECK(found({1, {1, 1}}, "", warp + "if (warp == 0) simt::bar_sync(1);") == "ok");
  CHECK(found({1, {1, 1}}, "", warp + "if (warp == 0) simt::bar_sync(0);") == "ok");
}

TEST_CASE("barrier 0 is that of syncthreads") {
  CHECK(found({1, {1, 1}}, "",
              warp + "if (warp == 0) simt::bar_sync(0); else simt::syncthreads();") == "ok");
  CHECK(found({1, {1, 1, 1}}, "",
              warp + "if (warp < 2) simt::bar_sync(0, 64); else simt::syncthreads();") ==
        "barrier-divergence");
  // Barriers of other numbers are others.
  CHECK(found({1, {1, 1}}, "",
              warp + "if (warp == 0) simt::bar_sync(1); else simt::syncthreads();") ==
        "barrier-divergence");
}

TEST_CASE("a count that one warp fills, where another waits without a count") {
  const auto finds = [](const std::string& body) { return found({1, {1, 1}}, "", warp + body); };
  for (const char* const whole : {"simt::bar_sync(1);", "simt::bar_red_popc(1, 0, true);"}) {
    for (const char* const counted :
         {"simt::bar_sync(1, 32);", "simt::bar_arrive(1, 32);", "simt::bar_sync(1, 64);"}) {
      CHECK(finds(fmt::format("if (warp == 0) {} else {}", whole, counted)) ==
            "barrier-divergence");
    }
  }
  CHECK(finds("if (warp == 1) simt::bar_sync(0, 32); simt::syncthreads();") ==
        "barrier-divergence");
  // They cannot meet: another barrier comes between them.
  CHECK(finds("if (warp == 1) simt::bar_sync(0, 32);"
              "simt::bar_sync(1, 64); simt::syncthreads();") == "ok");
  CHECK(finds("if (warp == 1) simt::bar_sync(2, 32); simt::syncthreads();") == "ok");
}

TEST_CASE("the end of a lane leaves its warp at a barrier") {
  // Before that, the other warp passes its own barrier, or the two warps diverge.
  CHECK(found({1, {2, 1}}, "int cell = 0;",
              warp + "if (warp == 1) { simt::bar_sync(1, 32); simt::check(false, \"past\"); }"
                     "else if (simt::lane_index() == 0) simt::bar_sync(1); else cell = 1;") ==
        "barrier-divergence assertion");
}

TEST_CASE("counts that differ, and reductions beside none") {
  CHECK(found({1, {1, 1}}, "", warp + "simt::bar_sync(1, warp == 0 ? 64 : 96);") ==
        "barrier-divergence");
  CHECK(found({1, {1, 1}}, "",
              warp + "if (warp == 0) simt::bar_sync(1, 64); else simt::bar_red_or(1, 64, true);") ==
        "barrier-divergence");
  // A barrier of the whole block, too.
  CHECK(found({1, {1, 1}}, "",
              warp + "if (warp == 0) simt::syncthreads(); else simt::bar_red_or(0, 0, true);") ==
        "barrier-divergence");
}

TEST_CASE("reductions count the threads that have not exited") {
  const auto found_in = [](const std::string& body) {
    return source_run(kernel("", warp + body), {1, {2, 1}}).found();
  };
  CHECK(found_in("simt::check(simt::bar_red_or(1, 64, warp == 1), \"or\");") == "ok");
  CHECK(found_in("simt::check(!simt::bar_red_and(1, 64, warp == 1), \"and\");") == "ok");
  CHECK(found_in("simt::check(simt::bar_red_and(1, 64, true), \"all\");") == "ok");
  CHECK(found_in("if (warp == 0 && simt::lane_index() == 1) return;"
                 "simt::check(simt::bar_red_popc(1, 64, true) == 2, \"popc\");") == "ok");
}

TEST_CASE("a cluster's barrier in two halves orders what comes before the arrival") {
  const std::string told =
      "const bool first = simt::block_index() == 0;"
      "if (first) cell = 7; simt::cluster_arrive(); if (first) other = 1; simt::cluster_wait();"
      "simt::check(cell == 7, \"told\");";
  CHECK(found({2, {1}}, "int cell = 0, other = 0;", told, 2) == "ok");
  const std::string between =
      "const bool first = simt::block_index() == 0;"
      "simt::cluster_arrive(); if (first) cell = 7; simt::cluster_wait();"
      "if (!first) { const int x = cell; (void)x; }";
  CHECK(found({2, {1}}, "int cell = 0;", between, 2) == "race");
  // Two rounds: the second one tells, too.
  const std::string again =
      "const bool first = simt::block_index() == 0;"
      "simt::cluster_arrive(); simt::cluster_wait(); if (first) cell = 7;"
      "simt::cluster_arrive(); simt::cluster_wait(); simt::check(cell == 7, \"told\");";
  CHECK(found({2, {1}}, "int cell = 0;", again, 2) == "ok");
}

TEST_CASE("an arrival that is relaxed tells nobody anything") {
  source_run run(kernel("int cell = 0;",
                        "const bool first = simt::block_index() == 0; if (first) cell = 7;"
                        "simt::cluster_arrive_relaxed(); simt::cluster_wait();"
                        "if (!first) { const int x = cell; (void)x; }"),
                 {2, {1}});
  run.what.grid.cluster = 2;
  run.how.machine.memory = memory_model::ptx;
  CHECK(run.found() == "race");
}

TEST_CASE("a fence in front of a relaxed arrival tells, of its own round alone") {
  const auto found_with = [](const std::string& body) {
    source_run run(kernel("int cell = 0, other = 0;", body), {2, {1}});
    run.what.grid.cluster = 2;
    run.how.machine.memory = memory_model::ptx;
    return run.found();
  };
  const std::string fence =
      "simt::atomic_thread_fence(simt::memory_order_acq_rel, simt::thread_scope_cluster);";
  const std::string meet = "simt::cluster_arrive_relaxed(); simt::cluster_wait();";
  const std::string begin = "const bool first = simt::block_index() == 0; if (first) cell = 7;";
  const std::string read = "if (!first) { const int x = cell; simt::check(x == 7, \"told\"); }";
  CHECK(found_with(begin + fence + meet + read) == "ok");
  CHECK(found_with(begin + meet + fence + read) == "race");
  // A later round has what fences of earlier rounds have released, and nothing newer.
  CHECK(found_with(begin + fence + meet + meet + read) == "ok");
  CHECK(found_with("const bool first = simt::block_index() == 0;" + fence + meet +
                   "if (first) cell = 7;" + meet + read) == "race");
  CHECK(found_with("const bool first = simt::block_index() == 0;" + meet + "if (first) cell = 7;" +
                   fence + meet + read) == "ok");
  // What the fencing lane was told before.
  CHECK(found_with("const bool first = simt::block_index() == 0; if (first) cell = 7;"
                   "simt::cluster_arrive(); simt::cluster_wait();" +
                   fence + meet + read) == "ok");
}

TEST_CASE("halves that do not fit together") {
  CHECK(found({2, {1}}, "", "simt::cluster_wait();", 2) == "barrier-divergence");
  CHECK(found({2, {1}}, "", "simt::cluster_arrive(); simt::cluster_arrive(); simt::cluster_wait();",
              2) == "barrier-divergence");
  CHECK(found({2, {1}}, "",
              "if (simt::block_index() == 0) { simt::cluster_arrive(); simt::cluster_wait(); }"
              "else { while (true) simt::nanosleep(1); }",
              2) == "deadlock");
}

TEST_CASE("who has exited is not waited for; both halves at once are the same barrier") {
  CHECK(found({2, {1}}, "", "simt::cluster_arrive();", 2) == "ok");
  CHECK(found({2, {1}}, "",
              "if (simt::block_index() == 0) { simt::cluster_arrive(); simt::cluster_wait(); }",
              2) == "ok");
  CHECK(found({2, {1}}, "int cell = 0;",
              "if (simt::block_index() == 0) { cell = 7; simt::cluster_sync(); }"
              "else { simt::cluster_arrive(); simt::cluster_wait(); }"
              "simt::check(cell == 7, \"told\");",
              2) == "ok");
  CHECK(found({1, {2, 1}}, "int cell = 0;",
              "if (simt::thread_rank() == 0) cell = 7; simt::cluster_arrive();"
              "simt::cluster_wait(); simt::check(cell == 7, \"told\");") == "ok");
}

TEST_CASE("arrivals do not stay from one launch to the next") {
  source_run run(
      "struct subject { int stage = 0;"
      "bool next_launch(std::uint32_t n) { stage = int(n); return n < 2; }"
      "SIMT_FN void operator()() {" +
          warp +
          "if (stage == 0 && warp == 0) simt::bar_arrive(1, 64);"
          "if (stage == 1 && warp == 1) simt::bar_sync(1, 64);"
          "} }; SIMT_SUBJECT(subject);",
      {1, {1, 1}});
  CHECK(run.found() == "deadlock");
}

TEST_CASE("a report has the name by which the user calls a barrier") {
  const auto waits_at = [](const std::string& call) {
    const std::string text = test::why(source_run(kernel("", warp + call), {1, {1, 1}}));
    const std::string before = " wait at ";
    const std::size_t begin = text.find(before);
    if (begin == std::string::npos) return text;
    const std::size_t name = begin + before.size();
    return text.substr(name, text.find(',', name) - name);
  };
  CHECK(waits_at("simt::bar_sync(5, 96);") == "bar_sync");
  CHECK(waits_at("simt::named_barrier_sync(5, 3);") == "named_barrier_sync");
  CHECK(waits_at("simt::bar_red_popc(5, 96, true);") == "bar_red_popc");
  CHECK(waits_at("simt::bar_red_and(5, 96, true);") == "bar_red_and");
  CHECK(waits_at("simt::bar_red_or(5, 96, true);") == "bar_red_or");
  const std::string other = "if (warp != 0) while (true) {}\n";
  const auto waits_alone = [](const std::string& text, const std::string& name) {
    return text.find(" waits at " + name + ", ") != std::string::npos;
  };
  for (const std::string call : {"bar_sync(0)", "bar_sync(3)", "syncthreads()"}) {
    CAPTURE(call);
    const std::string text =
        test::why(source_run(kernel("", warp + other + "simt::" + call + ";"), {1, {1, 1}}));
    CHECK(waits_alone(text, call.substr(0, call.find('('))));
  }
}

TEST_CASE("so have the steps of a run") {
  const auto calls = [](const std::string& call) {
    source_run run(kernel("", warp + call + "simt::check(false, \"end\");"), {1, {1, 1}});
    warpcheck::session ready(run.what, run.how);
    warpcheck::names named(ready);
    const auto shown = warpcheck::show_all(ready, named, warpcheck::check(ready, run.bounds));
    std::string first;
    for (const auto& step : shown.at(0).how.steps) {
      for (const auto& action : step.actions) {
        if (first.empty()) first = warpcheck::operation_name(action);
      }
    }
    return first;
  };
  CHECK(calls("simt::bar_arrive(1, 64);") == "bar_arrive");
  CHECK(calls("simt::named_barrier_arrive(1, 2);") == "named_barrier_arrive");
  CHECK(calls("simt::bar_sync(1, 64);") == "bar_sync");
  CHECK(calls("simt::named_barrier_sync(1, 2);") == "named_barrier_sync");
}

TEST_CASE("lanes that have exited are named beside those that wait at a barrier") {
  const auto why = [](const std::string& body, const test::grid& shape) {
    return test::why(source_run(kernel("int n = 0;", warp + body), shape));
  };
  const auto has = [](const std::string& text, const std::string& part) {
    CAPTURE(text);
    CHECK(text.find(part) != std::string::npos);
  };
  // A barrier with a count needs arrivals of whoever is left.
  has(why("if (warp == 0) simt::bar_sync(1, 64);", {1, {1, 1}}),
      "w1.l0 has exited before its first operation, and can arrive no more.");
  has(why("if (warp == 0) { simt::bar_sync(1, 96); } else { n = 1; }", {1, {1, 2}}),
      "w1.l0 and w1.l1 have exited (last step: subject.hpp:5), and can arrive no more.");
  // Barriers of those that are left do not wait for it.
  has(why("if (warp == 1) return; if (simt::lane_index() == 0) simt::syncthreads();"
          "else simt::bar_sync(2, 64);",
          {1, {2, 1}}),
      "w1.l0 has exited before its first operation, and");
  has(why("if (simt::lane_index() == 2) return;"
          "if (simt::lane_index() == 0) simt::syncwarp(7); else simt::syncthreads();",
          {1, {3}}),
      "w0.l2 has exited before its first operation, and is not waited for.");
}

TEST_CASE("a shuffle that reads from a lane that has exited names it") {
  const std::string text = test::why(source_run(
      kernel("", "if (simt::lane_index() == 1) return; simt::shfl(3, 5, 1);"), {1, {2}}));
  CAPTURE(text);
  CHECK(text.find("w0.l1 has exited before its first operation") != std::string::npos);
}

TEST_CASE("JSON names lanes that have exited") {
  source_run run(kernel("", warp + "if (warp == 0) simt::bar_sync(1, 64);"), {1, {1, 1}});
  warpcheck::session ready(run.what, run.how);
  warpcheck::names named(ready);
  const auto shown = warpcheck::show_all(ready, named, warpcheck::check(ready, run.bounds));
  const auto j = warpcheck::to_json(shown.at(0), ready.setup().grid);
  CHECK(j.at("exited").dump() == R"(["w1.l0"])");
}
