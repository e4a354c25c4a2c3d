// Programs of several launches: what persists, what begins anew, and what the host may do.
#include <doctest/doctest.h>

#include <string>

#include "checker/report/report.hpp"
#include "checker/search/search.hpp"
#include "sim/machine/choice.hpp"
#include "sim/worker/host_worker.hpp"
#include "tests/checker/run_source.hpp"

using test::source_run;

namespace {

/// A subject with `members`; `body` may use `launch`.
std::string program(const std::string& members, const std::string& body) {
  return "struct subject {\n" + members +
         "\nSIMT_FN void operator()([[maybe_unused]] std::uint32_t launch) {\n" + body +
         "\n}\n};\nSIMT_SUBJECT(subject);\n";
}

std::string twice(const std::string& members) {
  return members + "\nbool next_launch(std::uint32_t launch) { return launch < 2; }";
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a launch is ordered behind the one before it") {
  const std::string writes = "if (launch == simt::block_index()) x = x + 1;";
  source_run run(program(twice("int x = 0; bool check() const { return x == 2; }"), writes),
                 {2, {1}});
  for (const auto memory : {simt::memory_model::sc, simt::memory_model::ptx}) {
    run.how.machine.memory = memory;
    CHECK(run.found() == "ok");
  }
  source_run races(program(twice("int x = 0;"), "x = x + 1;"), {2, {1}});
  for (const auto memory : {simt::memory_model::sc, simt::memory_model::ptx}) {
    races.how.machine.memory = memory;
    CHECK(has(races.found(), "race"));
  }
}

TEST_CASE("states of two launches, without reductions") {
  // Of each launch: two lanes that add one each, in four states; and the end.
  source_run run(program(twice("simt::atomic<int> x{0};"), "x.fetch_add(1);"), {1, {2}});
  const auto plain = run.check(warpcheck::reductions::none());
  CHECK(plain.states == 9);
  CHECK(plain.transitions == 10);
  CHECK(plain.gravest == warpcheck::verdict::ok);
}

TEST_CASE("the host sees memory, changes it, and ends the program by it") {
  source_run run(
      program("int x = 0; int seen = 0;\n"
              "bool next_launch(std::uint32_t launch) { seen = seen * 10 + x; x = 0; return launch "
              "< 3 && seen != 12; }\n"
              "bool check() const { return seen == 12 && x == 0; }",
              "if (simt::thread_rank() == 0) x = int(launch) + 1;"),
      {1, {2}});
  CHECK(run.found() == "ok");
}

TEST_CASE("single runs go through all launches") {
  source_run run(program("simt::atomic<int> x{0}; int seen = 0;\n"
                         "bool next_launch(std::uint32_t launch) { ++seen; return launch < 3; }\n"
                         "bool check() const { return seen == 3 && x.host_value() != 6; }",
                         "const int old = x.load();\nx.store(old + 1);"),
                 {2, {1}});
  for (const auto memory : {simt::memory_model::sc, simt::memory_model::ptx}) {
    run.how.machine.memory = memory;
    warpcheck::session session(run.what, run.how);
    warpcheck::search_options options;
    options.kind = warpcheck::search_kind::random;
    options.runs = 200;
    const auto result = warpcheck::search(session, run.bounds, options);
    CHECK(source_run::names(result) == "assertion");  // of a run without a lost increment
    REQUIRE(result.search);
    CHECK(result.search->completed == result.search->runs - result.search->impossible);
  }
}

TEST_CASE("a result that matters in a later launch alone is used") {
  source_run run(program(twice("simt::atomic<int> x{0};"),
                         "const int mine = int(simt::thread_rank()) + 1;\n"
                         "simt::check(x.fetch_add(mine) != 5, \"five\");"),
                 {2, {1}});
  for (const auto memory : {simt::memory_model::sc, simt::memory_model::ptx}) {
    run.how.machine.memory = memory;
    CHECK(run.found() == "assertion");
  }
}

TEST_CASE("block-shared memory begins anew") {
  source_run run(program(twice("bool check() const { return true; }"),
                         "int& s = simt::block_shared<int>();\n"
                         "simt::check(s == 0, \"old\");\ns = 1;"),
                 {1, {1}});
  CHECK(run.found() == "ok");
}

TEST_CASE("a deadlock is in its launch") {
  source_run run(
      program(twice("simt::atomic<int> x{0};"), "if (launch == 1) while (x.load() == 0) {\n}"),
      {1, {1}});
  warpcheck::session session(run.what, run.how);
  const auto result = warpcheck::check(session, run.bounds);
  REQUIRE(source_run::names(result) == "deadlock");
  warpcheck::names named(session);
  const auto shown = warpcheck::show(session, named, result.violations.front());
  CHECK(shown.why.back() == "This is in launch 1; the launches before it have ended.");
  REQUIRE(!shown.how.steps.empty());
  CHECK(simt::to_text(shown.how.steps.front().by, run.what.grid) == "launch 1");
  CHECK(simt::choice_from("launch 1", run.what.grid) == shown.how.steps.front().by);
}

TEST_CASE("what the host does wrong is an error with its place") {
  const auto error_of = [](const std::string& host) {
    return source_run(
               program("int x = 0;\nbool next_launch(std::uint32_t) { " + host + " }", "x = 1;"),
               {1, {1}})
        .error();
  };
  CHECK(has(error_of("return true;"), "next_launch() has launched 10000 times"));
  source_run crashes(
      program("int x = 0;\nbool next_launch(std::uint32_t) { __builtin_trap(); }", "x = 1;"),
      {1, {1}});
  CHECK_THROWS_WITH_AS(crashes.check(), doctest::Contains("next_launch(1) of subject \"subject\""),
                       simt::host_code_error);
}

TEST_CASE("members that do not fit are refused") {
  const auto error_of = [](const std::string& member, const std::string& parameter) {
    return source_run("struct subject {\n" + member + "\nSIMT_FN void operator()(" + parameter +
                      ") {}\n};\nSIMT_SUBJECT(subject);\n")
        .error();
  };
  CHECK(has(error_of("void next_launch(std::uint32_t) {}", ""), "next_launch() does not fit"));
  CHECK(has(error_of("", "std::uint32_t"), "is for a program of several launches"));
  source_run forever(program(twice("int x = 0;"), "x = 1;"), {1, {1}});
  forever.what.repeat = simt::detail::for_ever;
  CHECK(has(forever.error(), "has a next_launch(), which runs when all have"));
}
