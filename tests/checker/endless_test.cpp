// Lanes that go round for ever without a visible operation are deadlocks with their place.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <fmt/format.h>

#include "checker/search/search.hpp"
#include "tests/checker/objection.hpp"
#include "tests/checker/run_source.hpp"
#include "tests/checker/why.hpp"
#include "tests/tier.hpp"

using simt::memory_model;
using simt::reconvergence;
using test::kernel;
using test::source_run;
using test::why;
using warpcheck::reductions;

namespace {

constexpr auto both = {reconvergence::its, reconvergence::stack};
constexpr auto memories = {memory_model::sc, memory_model::ptx};

const std::string some = "simt::atomic<int> x{0}, y{0};";

source_run run_of(const std::string& body, reconvergence model = reconvergence::its,
                  memory_model memory = memory_model::sc, test::grid shape = {}) {
  source_run run(kernel(some, body), std::move(shape), model);
  run.how.machine.memory = memory;
  return run;
}

/// What is found, with and without reductions; counterexamples can be carried out.
std::string found_in(source_run run) {
  warpcheck::session ready(run.what, run.how);
  const warpcheck::run_result all = warpcheck::check(ready, run.bounds, reductions::none());
  CHECK(all.complete);
  for (const warpcheck::violation& v : all.violations) CHECK(test::objection(ready, v) == "");
  CHECK(run.found() == source_run::names(all));
  warpcheck::search_options by_chance;
  by_chance.runs = 40;
  for (const auto kind : {warpcheck::search_kind::random, warpcheck::search_kind::swarm}) {
    by_chance.kind = kind;
    const warpcheck::run_result some_runs = warpcheck::search(ready, run.bounds, by_chance);
    CHECK((some_runs.found() & ~all.found()) == 0);
    for (const warpcheck::violation& v : some_runs.violations)
      CHECK(test::objection(ready, v) == "");
  }
  return source_run::names(all);
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE(
    "a spin whose load a compiler has moved out of the loop is a deadlock, its twin is none") {
  const std::string hoisted =
      "if (simt::lane_index() == 0) {\nconst int seen = x.load();\nwhile (seen == 0) {}\n"
      "} else { x.store(1); }";
  const std::string reads =
      "if (simt::lane_index() == 0) {\nwhile (x.load() == 0) {}\n"
      "} else { x.store(1); }";
  for (const auto memory : memories) {
    CHECK(found_in(run_of(hoisted, reconvergence::its, memory)) == "deadlock");
    CHECK(found_in(run_of(reads, reconvergence::its, memory)) == "ok");
    // With the store first both could go on.
    CHECK(found_in(run_of(hoisted, reconvergence::stack, memory)) == "simt-deadlock deadlock");
    CHECK(found_in(run_of(reads, reconvergence::stack, memory)) == "simt-deadlock");
  }
  const std::string text = why(run_of(hoisted));
  CAPTURE(text);
  CHECK(has(text, "w0.l0 goes round for ever at subject.hpp:7"));
  CHECK(has(text, "without any visible operation"));
  CHECK(has(text, "make the variable atomic or volatile"));
}

TEST_CASE("without a visible operation a loop is as one that only sleeps") {
  const std::vector<std::string> bodies{
      "HERE",
      "if (x.fetch_add(1) == 0) { HERE }\ny.store(1);",
      "if (x.fetch_add(1) == 1) { HERE }\nsimt::syncthreads();",
      "if (x.fetch_add(1) == 0) { HERE }\nsimt::syncwarp();",
      "if (simt::lane_index() == 0) { x.store(1); HERE }\nwhile (x.load() == 0) {}",
      "if (simt::lane_index() == 0) { x.store(1); HERE }\nwhile (x.load() != 2) {}",
      "if (x.load() == 1) { HERE }\nx.store(1);",
      "if (simt::lane_index() == 0) { HERE }\nsimt::check(x.fetch_add(1) == 1, \"first\");",
      "if (x.exchange(1) == 0) { if (y.load() == 0) { HERE } }\ny.store(1);",
  };
  for (const std::string& body : bodies) {
    if (body != bodies.front() && !test::is_due(body)) continue;
    const auto with = [&](const std::string& loop) {
      std::string text = body;
      text.replace(text.find("HERE"), 4, loop);
      return text;
    };
    for (const auto model : both) {
      for (const auto memory : memories) {
        for (const test::grid& shape : {test::grid{1, {2}}, test::grid{2, {1}}}) {
          CAPTURE(body);
          CAPTURE(static_cast<int>(model));
          CAPTURE(static_cast<int>(memory));
          CAPTURE(shape.blocks);
          const auto found = [&](const std::string& loop) {
            return found_in(run_of(with(loop), model, memory, shape));
          };
          const std::string sleeps = found("for (;;) { simt::nanosleep(1); }");
          CHECK(found("for (;;) {}") == sleeps);
          CHECK(found("for (;;) { simt::linearization_point(false); }") == sleeps);
        }
      }
    }
  }
}

TEST_CASE("lanes in lockstep with one that goes round for ever never go on") {
  const auto text_of = [](const std::string& body) {
    source_run run = run_of(body, reconvergence::stack);
    CHECK(found_in(run) == "deadlock");
    return why(run);
  };
  // Some rounds are followed: who leaves the loop then waits where lanes meet again.
  const auto leaves_after = [&](int rounds) {
    return text_of(
        fmt::format("const int step = simt::lane_index();\n"
                    "for (int i = 0; i < {}; i += step) {{}}\ny.fetch_add(1);",
                    rounds));
  };
  CHECK(has(leaves_after(10), "w0.l1 is parked at the reconvergence point"));
  const std::string late = leaves_after(10'000);
  CAPTURE(late);
  CHECK(has(late, "w0.l1 waits at subject.hpp:6 for w0.l0, in lockstep with it"));
  // Cycles of different lengths.
  CHECK(has(text_of("int i = x.fetch_add(1);\nwhile (i != 5) { i = (i * 7 + 2) & 3; }"),
            "w0.l0 and w0.l1 go round for ever at subject.hpp:6"));
}

TEST_CASE("others are told to wait for who goes round for ever") {
  const std::string text =
      why(run_of("if (x.fetch_add(1) == 0) { for (;;) {} }\nsimt::syncthreads();"));
  CAPTURE(text);
  CHECK(has(text, "w0.l1 waits at syncthreads, subject.hpp:6, for w0.l0."));
}

TEST_CASE("a loop without end in init() is an error with its place") {
  source_run run(
      "struct subject {\nint x = 0;\nSIMT_FN void init() { for (;;) {} }\n"
      "SIMT_FN void operator()() { x = 1; }\n};\nSIMT_SUBJECT(subject);\n");
  const std::string error = run.error();
  CAPTURE(error);
  CHECK(has(error, "init() goes round here for ever"));
  CHECK(has(error, "subject.hpp:4"));
}

TEST_CASE("an operation that goes round for ever makes no progress of its own") {
  const auto found = [](const std::string& loop, warpcheck::guarantee claim) {
    source_run run = run_of("if (x.exchange(1) == 1) { " + loop + " }");
    run.what.claims = claim;
    return run.found();
  };
  using warpcheck::guarantee;
  for (const guarantee claim : {guarantee::wait_free, guarantee::lock_free,
                                guarantee::obstruction_free, guarantee::blocking}) {
    CHECK(found("for (;;) {}", claim) == found("for (;;) { simt::nanosleep(1); }", claim));
    CHECK(found("for (;;) {}", claim) != "ok");
    if (claim != guarantee::wait_free) CHECK(found("", claim) == "ok");  // which clients leave open
  }
}
