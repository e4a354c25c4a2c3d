// Claims and clients that never end, from the scenario file to the violation: what subjects
// guarantee, what is refused, and executions that are replayed.
#include <doctest/doctest.h>

#include <string>

#include "checker/check/check.hpp"
#include "checker/claims/check_progress.hpp"
#include "checker/report/report.hpp"
#include "tests/checker/run_source.hpp"

namespace {

using warpcheck::bit;
using warpcheck::guarantee;
using warpcheck::verdict;

warpcheck::scenario scenario_of(const std::string& text) {
  return warpcheck::parse_scenario(text, "test.toml");
}

/// The strongest guarantee of a scenario's first run, in words.
std::string guarantees(const std::string& text) {
  const warpcheck::scenario what = scenario_of(text);
  warpcheck::session run(what, what.runs.front());
  return text_of(check_progress(run, {}, 0, true).answers);
}

std::string found(const std::string& text, const warpcheck::reductions& reduce = {}) {
  const warpcheck::scenario what = scenario_of(text);
  warpcheck::session run(what, what.runs.front());
  const warpcheck::run_result result = warpcheck::check(run, {}, reduce);
  warpcheck::names named(run);
  for (const warpcheck::shown_violation& one : warpcheck::show_all(run, named, result)) {
    CHECK(!one.why.empty());
  }
  return test::source_run::names(result);
}

/// What is wrong with a scenario; empty: nothing.
std::string mistake(const std::string& text) {
  try {
    scenario_of(text);
  } catch (const warpcheck::usage_error& error) {
    return error.what();
  }
  return {};
}

/// The keys of one run, which is two where it names no memory.
std::string under_one_memory(const std::string& run) {
  return run.find("memory") == std::string::npos ? "memory = \"sc\"\n" + run : run;
}

std::string counter(const std::string& subject, const std::string& keys,
                    const std::string& run = "") {
  return "subject = \"counters/" + subject + "\"\n" + keys +
         "\nthreads = [[\"increment\", \"decrement\"], [\"increment\", \"decrement\"]]\n"
         "[[run]]\n" +
         under_one_memory(run);
}

std::string counting(const std::string& subject, const std::string& run = "",
                     const std::string& keys = "repeat = \"forever\"") {
  return "subject = \"locks/" + subject + "\"\nworkload = \"counter\"\n" + keys +
         "\n[grid]\nlanes = 2\n[[run]]\n" + under_one_memory(run);
}

const std::string forever = "repeat = \"forever\"";

}  // namespace

TEST_CASE("what objects guarantee") {
  CHECK(guarantees(counter("up_down", forever)) == "wait-free");
  CHECK(guarantees(counter("up_down_cas", forever)) == "lock-free, not wait-free");
  CHECK(
      guarantees(counter("up_down_stolen", forever)) ==
      "obstruction-free, not lock-free; not deadlock-free: in a fair run nothing may complete any "
      "more");
  CHECK(guarantees(counter("up_down_polite", forever)) ==
        "blocking; deadlock-free, not starvation-free");
  // Clients that end: whether a retry loop ends is not decided by them.
  CHECK(guarantees(counter("up_down_cas", "")).starts_with("lock-free; wait-free: not decided"));
  CHECK(guarantees(counter("up_down_polite", "")).starts_with("blocking; deadlock-free"));
}

TEST_CASE("what locks guarantee to clients that never end") {
  CHECK(guarantees(counting("tas")) == "blocking; deadlock-free, not starvation-free");
  CHECK(guarantees(counting("ttas")) == "blocking; deadlock-free, not starvation-free");
  CHECK(guarantees(counting("mcs")) == "blocking; starvation-free");
  CHECK(guarantees(counting("ticket_ring")) == "blocking; starvation-free");
  // In lockstep the lane that got the lock is parked while the other spins, for ever.
  CHECK(guarantees(counting("tas", "reconvergence = \"stack\"")) ==
        "blocking; not deadlock-free: in a fair run nothing may complete any more");
  // There a warp is one thread, and with one warp nobody can disturb it.
  CHECK(guarantees(counting("tas_done_flag", "reconvergence = \"stack\"")) == "wait-free");
}

TEST_CASE("claims that hold and claims that do not") {
  for (const std::string claim : {"wait-free", "lock-free", "obstruction-free", "blocking"}) {
    CAPTURE(claim);
    const std::string keys = forever + "\nclaims = \"" + claim + "\"";
    const std::string only = "check = [\"progress-violated\"]";
    CHECK(found(counter("up_down", keys)) == "ok");
    CHECK(found(counter("up_down_cas", keys)) ==
          (claim == "wait-free" ? "progress-violated" : "ok"));
    const bool without_others = claim == "obstruction-free";
    CHECK(found(counter("up_down_stolen", keys, only)) ==
          (without_others ? "ok" : "progress-violated"));
    CHECK(found(counter("up_down_polite", keys)) ==
          (claim == "blocking" ? "ok" : "progress-violated"));
  }
}

TEST_CASE("the verdicts of clients that never end do not depend on reductions") {
  const auto none = warpcheck::reductions::none();
  for (const std::string& run :
       {std::string("check = [\"deadlock\", \"simt-deadlock\", \"livelock\", \"race\", "
                    "\"starvation\"]"),
        std::string("reconvergence = \"stack\"")}) {
    for (const char* subject : {"tas", "mcs", "ticket_ring", "tas_done_flag", "never_released"}) {
      CAPTURE(subject);
      CAPTURE(run);
      CHECK(found(counting(subject, run)) == found(counting(subject, run), none));
    }
  }
  CHECK(found(counting("tas", "check = [\"starvation\"]")) == "starvation");
  CHECK(found(counting("tas", "reconvergence = \"stack\"")) == "simt-deadlock");
  CHECK(found(counting("mcs", "check = [\"race\", \"starvation\"]")) == "ok");
  CHECK(found(counting("never_released")) == "deadlock");
}

TEST_CASE("two lanes in a critical section that never ends show as a race") {
  test::source_run run(
      "struct subject {\n"
      "  SIMT_FN void lock() { simt::nanosleep(1); }\n"
      "  SIMT_FN void unlock() {}\n"
      "};\n"
      "SIMT_SUBJECT(subject);\n");
  run.what.workload = "counter";
  run.what.repeat = simt::detail::for_ever;
  CHECK(run.found() == "race");
}

TEST_CASE("what clients that end leave open") {
  CHECK(found(counting("tas", "check = [\"starvation\"]", "repeat = 2")) == "inconclusive");
  CHECK(found(counter("up_down_cas", "claims = \"wait-free\"")) == "inconclusive");
  CHECK(found(counter("up_down_cas", "claims = \"lock-free\"")) == "ok");
  CHECK(found(counter("up_down_polite", "claims = \"wait-free\"")) == "progress-violated");
  // Bodies are operations where there are no calls.
  CHECK(found(counting("tas", "", "claims = \"lock-free\"")) == "progress-violated");
  CHECK(found(counting("tas", "", "claims = \"blocking\"")) == "ok");
}

TEST_CASE("waiting at a barrier is no progress of one's own") {
  const std::string code =
      "struct subject {\n"
      "  SIMT_FN void operator()() {\n"
      "    simt::nanosleep(1);\n"
      "    simt::syncthreads();\n"
      "  }\n"
      "};\n"
      "SIMT_SUBJECT(subject);\n";
  test::source_run run(code);
  for (const guarantee claim :
       {guarantee::wait_free, guarantee::lock_free, guarantee::obstruction_free}) {
    run.what.claims = claim;
    CHECK(run.found() == "progress-violated");
  }
  run.what.claims = guarantee::blocking;
  CHECK(run.found() == "ok");
  run.what.repeat = simt::detail::for_ever;
  CHECK(run.found() == "ok");
}

TEST_CASE("a bound on the steps of operations") {
  // A compare-exchange that fails means that another one has succeeded.
  const std::string once = "threads = [[\"increment\"], [\"increment\"]]\n";
  const auto of = [&](const std::string& subject, const std::string& keys, const std::string& run) {
    return "subject = \"counters/" + subject + "\"\n" + keys + "\n" + once + "[[run]]\n" +
           under_one_memory(run);
  };
  for (const char* memory : {"memory = \"sc\"\n", "memory = \"ptx\"\n"}) {
    CAPTURE(memory);
    CHECK(found(of("up_down", "step_bound = 1", memory)) == "ok");
    CHECK(found(of("up_down_cas", "step_bound = 2", memory)) == "progress-violated");
    CHECK(found(of("up_down_cas", "step_bound = { increment = 2 }", memory)) ==
          "progress-violated");
    CHECK(found(of("up_down_cas", "step_bound = 3", memory)) == "ok");
  }
  // With bounds for all that is called, clients that end are wait-free.
  CHECK(found(counter("up_down", "claims = \"wait-free\"")) == "inconclusive");
  CHECK(found(counter("up_down", "claims = \"wait-free\"\nstep_bound = 1")) == "ok");
  CHECK(found(counter("up_down", "claims = \"wait-free\"\nstep_bound = { increment = 1 }")) ==
        "inconclusive");
  CHECK(found(counter("up_down", forever + "\nstep_bound = 1")) == "ok");
  CHECK(found(counter("up_down_cas", forever + "\nstep_bound = 1000")) == "progress-violated");
  // Who waits for others has no bound.
  CHECK(found(counting("tas", "", "step_bound = 1000")) == "progress-violated");
  CHECK(found(counting("tas", "check = [\"livelock\"]", "step_bound = 1000")) == "ok");
}

TEST_CASE("mistakes in claims and repetitions") {
  CHECK(mistake(counter("up_down", "claims = \"waitfree\"")).find("did you mean \"wait-free\"") !=
        std::string::npos);
  CHECK(mistake(counter("up_down", "repeat = \"ever\"")).find("or \"forever\"") !=
        std::string::npos);
  CHECK(mistake(counter("up_down", "repeat = 2")).find("or write \"forever\"") !=
        std::string::npos);
  CHECK(mistake(counter("up_down", forever, "check = [\"progress-violated\"]"))
            .find("nothing is claimed") != std::string::npos);
  CHECK(mistake(counter("up_down", forever, "expect = \"progress-violated\""))
            .find("nothing is claimed") != std::string::npos);
  CHECK(mistake(counter("up_down", forever, "check = [\"sequentially-consistent\"]"))
            .find("only linearizability") != std::string::npos);
  CHECK(mistake(counter("up_down", forever, "expect = \"starvation\""))
            .find("does not look for it") != std::string::npos);
  CHECK(mistake("subject = \"counters/up_down\"\nrepeat = \"forever\"\n"
                "generate = { threads = 2, operations = 1 }\n[[run]]\nmemory = \"sc\"\n")
            .find("list their operations") != std::string::npos);
  CHECK(mistake(counter("up_down", forever, "check = [\"starvation\"]\nexpect = \"starvation\"")) ==
        "");
  const auto bound = [](const std::string& keys) { return mistake(counter("up_down", keys)); };
  CHECK(bound("step_bound = 0").find("give it a value from 1 to 1000000") != std::string::npos);
  CHECK(bound("step_bound = \"3\"").find("\"step_bound\" is a string, not an integer") !=
        std::string::npos);
  CHECK(bound("step_bound = { incremnt = 3 }").find("did you mean \"increment\"") !=
        std::string::npos);
  CHECK(bound("step_bound = { increment = 0 }").find("\"increment\" cannot be 0") !=
        std::string::npos);
  CHECK(bound("step_bound = {}").find("names no operation") != std::string::npos);
  CHECK(mistake(counting("tas", "", "step_bound = { lock = 3 }")).find("\"threads\" has none") !=
        std::string::npos);
  CHECK(mistake(counter("up_down", "step_bound = 3", "check = [\"progress-violated\"]")) == "");
}

TEST_CASE("a violation found before a limit is shown where memory is weak") {
  const warpcheck::scenario what = scenario_of(
      counter("up_down_cas", forever + "\nclaims = \"wait-free\"", "memory = \"ptx\"\n"));
  warpcheck::session run(what, what.runs.front());
  warpcheck::limits bounds;
  bounds.max_states = 1'000;
  const warpcheck::run_result result = warpcheck::check(run, bounds);
  CHECK(result.stopped == "the limit of 1000 states is reached");
  CHECK(test::source_run::names(result) == "progress-violated");
  // (Following it, the plain machine learns of lanes what nobody has asked before.)
  warpcheck::names named(run);
  for (const warpcheck::shown_violation& one : warpcheck::show_all(run, named, result)) {
    CHECK(!one.why.empty());
  }
}

// Under `ptx` a step may take long, since lanes are asked what they could do alone. That time is
// over shows at the first of them, not after a thousand states.
TEST_CASE("claims and starvation keep the limit of time within a step") {
  const std::string ptx = "memory = \"ptx\"\ncheck = [\"livelock\", \"starvation\"]\n";
  const warpcheck::scenario what = scenario_of(counting("ticket_ring", ptx));
  warpcheck::limits bounds;
  bounds.time = 0;
  for (const bool asks_all : {false, true}) {
    warpcheck::session run(what, what.runs.front());
    const warpcheck::progress_result result =
        check_progress(run, bounds, bit(verdict::starvation), asks_all);
    CHECK(result.stopped == "the limit of 0 s is reached");
    CHECK(result.states < 10);
    CHECK(result.violations.empty());
  }
}

TEST_CASE("progress where memory is weak") {
  const std::string ptx = "memory = \"ptx\"\n";
  // Nobody reads the same old value for ever, also where nobody is owed a turn.
  CHECK(
      guarantees(counter("up_down_cas", "", ptx)).starts_with("lock-free; wait-free: not decided"));
  CHECK(guarantees(counter("up_down_polite", "", ptx)).starts_with("blocking; deadlock-free"));
  const std::string claimed = "claims = \"lock-free\"";
  CHECK(found(counter("up_down_cas", claimed, ptx)) == "ok");
  CHECK(found(counter("up_down_polite", claimed, ptx)) == "progress-violated");
}
