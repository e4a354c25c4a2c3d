// mbarriers: the word by an independent count, and lanes that use one well or wrongly.
#include <doctest/doctest.h>

#include <random>
#include <string>

#include <simt/detail/mbarrier_word.hpp>

#include "checker/report/report.hpp"
#include "tests/checker/run_source.hpp"
#include "tests/checker/why.hpp"

using simt::memory_model;
using simt::reconvergence;
using test::kernel;
using test::source_run;

namespace {

/// What PTX says of an mbarrier, with a number for each thing.
struct counted {
  std::int64_t expected, pending, bytes = 0;
  unsigned phase = 0;

  bool allows(std::int64_t arrivals, std::int64_t more) const {
    return arrivals <= pending && bytes + more < 1 << 20 && bytes + more > -(1 << 20);
  }
  void change(std::int64_t arrivals, std::int64_t drops, std::int64_t more) {
    expected -= drops;
    pending -= arrivals;
    bytes += more;
    if (pending != 0 || bytes != 0) return;
    ++phase;
    pending = expected;
  }
};

const std::string shared = "struct cells { simt::mbarrier b; int x; };";
const std::string begin =
    "auto& c = simt::block_shared<cells>(); const bool first = simt::thread_rank() == 0;"
    "if (first) simt::mbarrier_init(c.b, 1);"
    "simt::syncthreads();";

/// Two warps of one lane: what the first does, and what the other one does.
std::string found(const std::string& one, const std::string& other,
                  memory_model memory = memory_model::ptx,
                  reconvergence model = reconvergence::its) {
  source_run run(kernel(shared, begin + "if (first) {" + one + "} else {" + other + "}"),
                 {1, {1, 1}}, model);
  run.how.machine.memory = memory;
  return run.found();
}

}  // namespace

TEST_CASE("the word of an mbarrier counts as PTX says") {
  std::mt19937 random(7);
  const auto below = [&](unsigned n) { return static_cast<std::int64_t>(random() % n); };
  unsigned changes = 0;
  unsigned phases = 0;
  for (unsigned trial = 0; trial < 2'000; ++trial) {
    const auto count = static_cast<std::uint32_t>(1 + below(4));
    counted naive{count, count};
    std::uint64_t word = simt::detail::mbarrier_initial(count);
    for (unsigned step = 0; step < 40; ++step) {
      const std::int64_t drops = below(8) == 0 && naive.expected > 1 ? 1 : 0;
      const std::int64_t arrivals = std::max<std::int64_t>(drops, below(3));
      const std::int64_t more = below(2) == 0 ? 0 : below(2) == 0 ? -naive.bytes : below(64) - 16;
      const simt::detail::mbarrier_change by{static_cast<std::uint32_t>(arrivals),
                                             static_cast<std::uint32_t>(drops),
                                             static_cast<std::int32_t>(more)};
      const bool allowed = naive.allows(arrivals, more);
      REQUIRE((simt::detail::mbarrier_misuse_of(word, by) == 0) == allowed);
      if (!allowed || (arrivals == 0 && more == 0)) continue;
      phases -= naive.phase;
      naive.change(arrivals, drops, more);
      phases += naive.phase;
      word = simt::detail::mbarrier_after(word, by);
      ++changes;
      REQUIRE(simt::detail::mbarrier_expected_arrivals(word) == naive.expected);
      REQUIRE(simt::detail::mbarrier_pending_arrivals(word) == naive.pending);
      REQUIRE(simt::detail::mbarrier_pending_bytes(word) == naive.bytes);
      REQUIRE(simt::detail::mbarrier_parity(word) == naive.phase % 2);
      REQUIRE(simt::detail::mbarrier_phase_number(word) == naive.phase % 4);
    }
  }
  CHECK(changes > 20'000);
  CHECK(phases > 1'000);
}

TEST_CASE("a wait sees what came before the arrivals") {
  const std::string wait = "while (!simt::mbarrier_try_wait_parity(c.b, 0)) {}";
  const std::string reads = "simt::check(c.x == 1, \"\");";
  for (const auto model : {reconvergence::its, reconvergence::stack}) {
    CHECK(found("c.x = 1; simt::mbarrier_arrive(c.b);", wait + reads, memory_model::ptx, model) ==
          "ok");
    CHECK(found("c.x = 1; simt::mbarrier_arrive(c.b);", wait + reads, memory_model::sc, model) ==
          "ok");
  }
  CHECK(found("c.x = 1; simt::mbarrier_arrive(c.b, 1, simt::memory_order_relaxed);",
              wait + reads) == "race");
  CHECK(found("c.x = 1; simt::mbarrier_arrive(c.b);",
              "while (!simt::mbarrier_try_wait_parity(c.b, 0, simt::memory_order_relaxed)) {}" +
                  reads) == "race");
}

TEST_CASE("waits by token, drops and bytes") {
  CHECK(found("auto t = simt::mbarrier_arrive(c.b); while (!simt::mbarrier_test_wait(c.b, t)) {}",
              "") == "ok");
  // Nobody arrives in the phase that the second wait is for.
  CHECK(found("simt::mbarrier_arrive(c.b);",
              "while (!simt::mbarrier_try_wait_parity(c.b, 0)) {}"
              "while (!simt::mbarrier_try_wait_parity(c.b, 1)) {}") == "deadlock");
  CHECK(found("simt::mbarrier_arrive_expect_tx(c.b, 16);",
              "while (!simt::mbarrier_try_wait_parity(c.b, 0)) {}") == "deadlock");
  CHECK(found("simt::mbarrier_arrive_expect_tx(c.b, 16); c.x = 1;"
              "simt::mbarrier_complete_tx(c.b, 16);",
              "while (!simt::mbarrier_try_wait_parity(c.b, 0)) {}") == "ok");
  CHECK(found("simt::mbarrier_expect_tx(c.b, 16); simt::mbarrier_arrive(c.b);",
              "simt::mbarrier_complete_tx(c.b, 16);"
              "while (!simt::mbarrier_try_wait_parity(c.b, 0)) {}",
              memory_model::sc) == "ok");
}

TEST_CASE("a wait by a token of a phase two phases ago or more is found") {
  const auto behind = [](unsigned arrivals, memory_model memory) {
    std::string one = "const auto token = simt::mbarrier_arrive(c.b);";
    for (unsigned k = 1; k < arrivals; ++k) one += "simt::mbarrier_arrive(c.b);";
    return found(one + "(void)simt::mbarrier_test_wait(c.b, token);", "", memory);
  };
  for (const memory_model memory : {memory_model::sc, memory_model::ptx}) {
    CHECK(behind(1, memory) == "ok");
    CHECK(behind(2, memory) == "assertion");
    CHECK(behind(3, memory) == "assertion");
    // Each phase lets two threads pass, and they wait for all phases: no token gets too old.
    const std::string rounds =
        "for (int k = 0; k < 5; ++k) { const auto token = simt::mbarrier_arrive(c.b);"
        "while (!simt::mbarrier_test_wait(c.b, token)) {} }";
    source_run run(kernel(shared,
                          "auto& c = simt::block_shared<cells>();"
                          "if (simt::thread_rank() == 0) simt::mbarrier_init(c.b, 2);"
                          "simt::syncthreads();" +
                              rounds),
                   {1, {1, 1}});
    run.how.machine.memory = memory;
    CHECK(run.found() == "ok");
  }
}

TEST_CASE("an mbarrier expects at least one arrival, and less than 2^20") {
  const auto begins_with = [](const std::string& count) {
    return found("simt::mbarrier_inval(c.b); simt::mbarrier_init(c.b, " + count + ");", "");
  };
  CHECK(begins_with("0") == "assertion");
  CHECK(begins_with("1") == "ok");
  CHECK(begins_with("0xfffff") == "ok");
  CHECK(begins_with("0x100000") == "assertion");
}

// The arrivals of one phase commute, though each lane keeps what it got (docs/reductions.md,
// "Read-modify-writes of one location").
TEST_CASE("many lanes that arrive at an mbarrier have few states") {
  const std::string cells = "struct cells { simt::mbarrier b; int data[64]; };";
  const auto gather = [&](unsigned expected) {
    return source_run(
        kernel(
            cells,
            "auto& c = simt::block_shared<cells>(); const unsigned own = simt::thread_rank() % 64;"
            "if (own == 0) simt::mbarrier_init(c.b, " +
                std::to_string(expected) +
                "); simt::syncthreads(); c.data[own] = 1;"
                "const auto token = simt::mbarrier_arrive(c.b);"
                "while (!simt::mbarrier_test_wait(c.b, token)) {}"
                "simt::check(c.data[63 - own] == 1, \"\");"),
        {1, {32, 32}}, reconvergence::its);
  };
  source_run all = gather(64);
  all.how.machine.memory = memory_model::sc;
  warpcheck::session ready(all.what, all.how);
  const warpcheck::run_result result = warpcheck::check(ready, all.bounds);
  CHECK(result.violations.empty());
  CHECK(result.stopped == "");
  CHECK(result.states <= 70);
  source_run fewer = gather(63);
  fewer.how.machine.memory = memory_model::sc;
  fewer.bounds.time = 30;
  CHECK(fewer.found() != "ok");
}

TEST_CASE("under ptx, messages of one phase are joined") {
  const auto meet = [](const std::string& order, unsigned lanes) {
    source_run run(kernel("struct cells { simt::mbarrier b; int x[32]; };",
                          "auto& c = simt::block_shared<cells>();"
                          "const unsigned me = simt::thread_rank(), all = simt::block_size();"
                          "if (me == 0) simt::mbarrier_init(c.b, all);"
                          "simt::syncthreads();"
                          "c.x[me] = 1;"
                          "simt::mbarrier_arrive(c.b, 1, " +
                              order +
                              ");"
                              "while (!simt::mbarrier_try_wait_parity(c.b, 0)) {}"
                              "simt::check(c.x[(me + 1) % all] == 1, \"not there\");"),
                   {1, {lanes}}, reconvergence::its);
    run.how.machine.memory = memory_model::ptx;
    return run;
  };
  source_run many = meet("simt::memory_order_release", 32);
  const warpcheck::run_result result = many.check();
  CHECK(result.violations.empty());
  CHECK(result.stopped == "");
  CHECK(result.states < 10);
  CHECK(meet("simt::memory_order_relaxed", 3).found() == "race");
}

// The first lane passes at once if the other one arrives after it, and its second store is in a
// race then. If it arrives last itself, it waits for ever.
TEST_CASE("under ptx, who arrives last at an mbarrier may as well have been the first") {
  source_run run(
      kernel("struct cells { simt::mbarrier b; int x; };",
             "auto& c = simt::block_shared<cells>(); const unsigned me = simt::thread_rank();"
             "if (me == 0) simt::mbarrier_init(c.b, 2);"
             "simt::syncthreads();"
             "if (me == 0) c.x = 1;"
             "simt::mbarrier_arrive(c.b);"
             "if (me == 0) { while (!simt::mbarrier_try_wait_parity(c.b, 1)) {} c.x = 2; }"
             "if (me == 1) { while (!simt::mbarrier_try_wait_parity(c.b, 0)) {}"
             "  simt::check(c.x != 9, \"x\"); }"),
      {1, {1, 1}});
  run.how.machine.memory = memory_model::ptx;
  CHECK(run.found() == "deadlock race");
}

TEST_CASE("misuse of an mbarrier is an assertion") {
  CHECK(found("simt::mbarrier_arrive(c.b, 2);", "") == "assertion");
  CHECK(found("simt::mbarrier_inval(c.b); simt::mbarrier_arrive(c.b);", "") == "assertion");
  CHECK(found("simt::mbarrier_inval(c.b); simt::mbarrier_test_wait_parity(c.b, 0);", "") ==
        "assertion");
  CHECK(found("simt::mbarrier_expect_tx(c.b, 1 << 20);", "") == "assertion");
  // Nothing tells the other lane that the mbarrier has begun anew.
  CHECK(found("simt::mbarrier_inval(c.b); simt::mbarrier_init(c.b, 2);",
              "simt::mbarrier_arrive(c.b);") == "race");
}

// PTX ISA, mbarrier.init: "on a memory location containing a valid mbarrier object" the behavior is
// undefined, whatever its phase. The same holds for accesses that are no operations of mbarriers.
TEST_CASE("where an mbarrier is, only its operations may be") {
  const auto both = [](const std::string& one, const std::string& other = "") {
    std::string all;
    // Under ptx, accesses of several sizes to one location are not explored.
    const bool in_parts = one.find("unsigned*") != std::string::npos;
    for (const memory_model memory : {memory_model::sc, memory_model::ptx}) {
      if (in_parts && memory == memory_model::ptx) continue;
      for (const reconvergence model : {reconvergence::its, reconvergence::stack}) {
        source_run run(kernel(shared, begin + "if (first) {" + one + "}" + other), {1, {1, 1}},
                       model);
        run.how.machine.memory = memory;
        const std::string names = run.found();
        CHECK(source_run::names(run.check(warpcheck::reductions::none())) == names);
        if (all.empty()) all = names;
        CHECK(names == all);
      }
    }
    return all;
  };
  CHECK(both("simt::mbarrier_init(c.b, 1);") == "assertion");
  CHECK(both("simt::mbarrier_inval(c.b); simt::mbarrier_init(c.b, 1);") == "ok");
  CHECK(both("simt::mbarrier_arrive(c.b); simt::mbarrier_init(c.b, 1);") == "assertion");
  CHECK(both("simt::mbarrier_inval(c.b); simt::mbarrier_inval(c.b);") == "assertion");
  // Another lane, which knows of the first initialization; and of its end.
  const std::string by_other = "simt::syncthreads(); if (!first) simt::mbarrier_init(c.b, 1);";
  CHECK(both("", by_other) == "assertion");
  CHECK(both("simt::mbarrier_inval(c.b);", by_other) == "ok");
  for (const std::string access :
       {"c.b.word = 0;", "simt::check(c.b.word != 0, \"\");",
        "reinterpret_cast<unsigned*>(&c.b)[1] = 7;",
        "simt::check(*reinterpret_cast<volatile unsigned*>(&c.b) != 0, \"\");",
        "simt::atomic_ref<std::uint64_t>(c.b.word).fetch_add(1);",
        "__builtin_memset(&c.b, 0, sizeof c.b);"}) {
    CAPTURE(access);
    CHECK(both(access) == "assertion");
    if (access.find("check") == std::string::npos)
      CHECK(both("simt::mbarrier_inval(c.b);" + access) == "ok");
  }
}

TEST_CASE("data that look like an mbarrier are none") {
  for (const std::string value : {"0", "0x4000000000100001", "~std::uint64_t{0}"}) {
    const std::string body = "auto& c = simt::block_shared<cells>(); c.b.word = " + value +
                             "; simt::check(c.b.word == " + value +
                             ", \"data\"); simt::mbarrier_init(c.b, 1); simt::mbarrier_arrive(c.b);"
                             "while (!simt::mbarrier_try_wait_parity(c.b, 0)) {}";
    CHECK(source_run(kernel(shared, body), {1, {1}}).found() == "ok");
  }
  // No mbarrier is there, whatever it looks like.
  CHECK(source_run(kernel(shared,
                          "auto& c = simt::block_shared<cells>();"
                          "c.b.word = 0x4000000000100001; simt::mbarrier_inval(c.b);"),
                   {1, {1}})
            .found() == "assertion");
}

TEST_CASE("reports say what is wrong where an mbarrier is") {
  const auto text = [](const std::string& steps) {
    source_run run(kernel(shared, begin + "if (first) {" + steps + "}"), {1, {1, 1}});
    run.how.machine.memory = memory_model::sc;
    return test::why(run);
  };
  const auto has = [](const std::string& all, const std::string& part) {
    CAPTURE(all);
    CHECK(all.find(part) != std::string::npos);
  };
  has(text("simt::mbarrier_init(c.b, 1);"), "initializes the mbarrier `c.b`");
  has(text("simt::mbarrier_init(c.b, 1);"), "is initialized already (phase 0: 0 of 1 arrived)");
  has(text("c.b.word = 0;"), "writes 8 bytes");
  has(text("c.b.word = 0;"), "where the mbarrier `c.b` is (phase 0: 0 of 1 arrived)");
  has(text("simt::mbarrier_inval(c.b); simt::mbarrier_inval(c.b);"), "but none is there");
}

TEST_CASE("reports tell the phase of an mbarrier") {
  source_run run(kernel(shared, begin + "if (!first) {"
                                        "while (!simt::mbarrier_try_wait_parity(c.b, 0)) {} }"),
                 {1, {1, 1}});
  warpcheck::session ready(run.what, run.how);
  const warpcheck::run_result result = warpcheck::check(ready, run.bounds);
  REQUIRE(result.violations.size() == 1);
  warpcheck::names named(ready);
  const auto shown = warpcheck::show(ready, named, result.violations.front());
  std::string why;
  for (const std::string& sentence : shown.why) why += sentence + "\n";
  CHECK(why.find("is in a phase of parity 1") != std::string::npos);
  std::string rows;
  for (const auto& row : shown.table.rows) {
    for (const std::string& change : row.memory) rows += change;
  }
  CHECK(rows.find("not initialized → phase 0: 0 of 1 arrived") != std::string::npos);
}
