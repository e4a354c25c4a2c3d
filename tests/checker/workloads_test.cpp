// The workloads "capacity", "phases" and "order" with subjects of one's own: each catches what
// breaks its property, and passes what keeps it.
#include <doctest/doctest.h>

#include <string>

#include "checker/report/report.hpp"
#include "tests/checker/run_source.hpp"

namespace {

constexpr auto stack = simt::reconvergence::stack;

/// The violations found, as names. Each of them is replayed.
std::string found(test::source_run& run) {
  warpcheck::session session(run.what, run.how);
  const warpcheck::run_result result = warpcheck::check(session, run.bounds, {});
  REQUIRE(result.complete);
  warpcheck::names named(session);
  for (const auto& one : warpcheck::show_all(session, named, result)) CHECK(!one.why.empty());
  return test::source_run::names(result);
}

/// A semaphore with two permits that claims `claimed` of them.
std::string semaphore(const std::string& claimed, const std::string& more = "") {
  return "struct subject {\n" + claimed + R"(
  simt::atomic<int> left{2};
  SIMT_FN void acquire() {
    bool in = false;
    while (!in) {
      int seen = left.load();
      in = seen > 0 && left.compare_exchange_strong(seen, seen - 1);
    }
  }
  SIMT_FN void release() { left.fetch_add(1); }
)" + more +
         "};\nSIMT_SUBJECT(subject);\n";
}

/// A barrier for `parties` threads that counts modulo `parties`; waiters watch the round.
std::string barrier(const std::string& parties, const std::string& release,
                    const std::string& more) {
  return R"(struct subject {
  simt::atomic<unsigned> count{0};
  simt::atomic<unsigned> round{0};
  SIMT_FN void arrive_and_wait() {
    const unsigned now = round.load();
    if (count.fetch_add(1) + 1 == )" +
         parties + ") {\n      count.store(0);\n" + release +
         R"(
    } else {
      while (round.load() == now) {}
    }
  }
)" + more +
         "};\nSIMT_SUBJECT(subject);\n";
}

/// A lock with a doorway. `wait` is its waiting loop.
std::string lock(const std::string& wait) {
  return R"(struct subject {
  simt::atomic<unsigned> next{0};
  simt::atomic<unsigned> current{0};
  simt::atomic<unsigned> held{0};
  SIMT_FN unsigned doorway() { return next.fetch_add(1); }
  SIMT_FN void wait_turn(unsigned ticket) { (void)ticket; )" +
         wait + R"( }
  SIMT_FN void unlock() { held.store(0); current.fetch_add(1); }
};
SIMT_SUBJECT(subject);
)";
}

TEST_CASE("capacity: as many as there are permits, and no more") {
  test::source_run right(semaphore("static constexpr int permits = 2;"), {1, {1, 1, 1}});
  CHECK(found(right) == "ok");
  // Two are inside at some time: the semaphore is as wide as it says.
  test::source_run wide(semaphore("static constexpr int permits = 1;"), {1, {1, 1, 1}});
  CHECK(found(wide) == "assertion");
  test::source_run member(semaphore("int permits = 2;"), {3, {1}}, stack);
  CHECK(found(member) == "ok");
  // init() takes one.
  test::source_run taken(
      semaphore("static constexpr int permits = 1;", "SIMT_FN void init() { acquire(); }\n"),
      {1, {3}});
  CHECK(found(taken) == "ok");
}

TEST_CASE("capacity: without permits it is an object, and nothing else") {
  test::source_run run(semaphore(""));
  CHECK(run.error().find("is an object with operations") != std::string::npos);
}

TEST_CASE("phases: nobody goes on before all have come, again and again") {
  const std::string release = "      round.fetch_add(1);";
  for (const auto model : {simt::reconvergence::its, stack}) {
    test::source_run all(barrier("simt::grid_size()", release, ""), {1, {1, 1, 1}}, model);
    all.what.repeat = 3;
    CHECK(found(all) == "ok");
  }
  // Of the six threads, the clients are three: the barrier says so.
  test::source_run some(barrier("3", release, "SIMT_FN unsigned parties() { return 3; }\n"),
                        {3, {1, 1}});
  some.what.clients = simt::clients::block;
  some.what.repeat = 2;
  CHECK(found(some) == "ok");
  // It is for one too few.
  test::source_run early(barrier("2", release, ""), {1, {1, 1, 1, 1}});
  early.how.check = warpcheck::bit(warpcheck::verdict::assertion);
  CHECK(found(early) == "assertion");
  // The release comes before the reset: who is quick counts for a phase that is not over.
  std::string twin = barrier("simt::grid_size()", "", "");
  twin.replace(twin.find("count.store(0);"), 15, "round.fetch_add(1); count.store(0);");
  test::source_run reset(twin, {1, {1, 1}});
  reset.what.repeat = 2;
  CHECK(found(reset) == "deadlock");
}

TEST_CASE("phases: a number of parties of which nothing would be checked is an error") {
  for (const char* parties :
       {"unsigned parties() { return 0; }", "long parties() { return round.load() * 8l; }",
        "int parties() { return -1; }"}) {
    test::source_run run(barrier("1", "", std::string("SIMT_FN ") + parties + "\n"), {1, {1, 1}});
    const std::string said = run.error();
    CHECK_MESSAGE(said.find("parties() is less than 1") != std::string::npos, parties, ": ", said);
  }
  // More than 32 bits hold, which nobody meets.
  test::source_run many(
      barrier("1", "", "SIMT_FN std::uint64_t parties() { return std::uint64_t{1} << 32; }\n"),
      {1, {1, 1}});
  CHECK(found(many) == "assertion");
}

TEST_CASE("order: more repetitions than are counted are an error") {
  test::source_run run(lock("while (current.load() != ticket) {}"), {1, {1}});
  run.what.repeat = 127;
  CHECK(found(run) == "ok");
  run.what.repeat = 128;
  CHECK(run.error().find("127 repetitions at most") != std::string::npos);
}

TEST_CASE("order: first come, first served") {
  test::source_run fair(lock("while (current.load() != ticket) {}"), {1, {1, 1}});
  fair.what.repeat = 3;
  CHECK(found(fair) == "ok");
  test::source_run any(lock("while (held.exchange(1) != 0) {}"), {1, {1, 1}});
  CHECK(found(any) == "assertion");
  test::source_run many(lock("while (held.exchange(1) != 0) {}"), {9, {1}});
  many.how.check = warpcheck::bit(warpcheck::verdict::assertion);
  many.bounds.first = true;
  warpcheck::session session(many.what, many.how);
  const auto result = warpcheck::check(session, many.bounds, {});
  CHECK(test::source_run::names(result) == "assertion");  // it is for 8 threads at most
}

}  // namespace
