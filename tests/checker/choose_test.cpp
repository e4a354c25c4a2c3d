// simt::choose: each value is explored, under all models; what a loop that chooses means.
#include <doctest/doctest.h>

#include "tests/checker/run_source.hpp"

namespace test {
namespace {

using simt::memory_model;
using simt::reconvergence;

std::string subject_of(const std::string& members, const std::string& body) {
  return "struct subject { " + members + " SIMT_FN void operator()() { " + body +
         " } };\nSIMT_SUBJECT(subject);\n";
}

source_run choosing(const std::string& members, const std::string& body, memory_model memory,
                    grid shape = {1, {1}}, reconvergence how = reconvergence::its) {
  source_run run(subject_of(members, body), shape, how);
  run.how.machine.memory = memory;
  return run;
}

const std::string word = "simt::atomic<unsigned> x{0};";

}  // namespace

TEST_CASE("each value that may be chosen is explored, and no other") {
  for (const reconvergence how : {reconvergence::its, reconvergence::stack}) {
    for (const memory_model memory : {memory_model::sc, memory_model::ptx}) {
      CAPTURE(static_cast<int>(memory));
      const auto found = [&](const std::string& condition) {
        return choosing(word, "simt::check(" + condition + ", \"\");", memory, {1, {2}}, how)
            .found();
      };
      CHECK(found("simt::choose(3) < 3") == "ok");
      CHECK(found("simt::choose(3) != 0") == "assertion");
      CHECK(found("simt::choose(3) != 1") == "assertion");
      CHECK(found("simt::choose(3) != 2") == "assertion");
      CHECK(found("simt::choose(1) == 0") == "ok");
    }
  }
}

TEST_CASE("lanes choose by themselves, and again") {
  // 0 .. 4: two lanes that add 0, 1 or 2.
  const std::string adds = "x.fetch_add(simt::choose(3));";
  for (const auto& [value, verdict] :
       {std::pair(0, "assertion"), {3, "assertion"}, {4, "assertion"}, {5, "ok"}}) {
    source_run run("struct subject { " + word + " SIMT_FN void operator()() { " + adds +
                       " } bool check() const { return x.host_value() != " + std::to_string(value) +
                       "; } };\nSIMT_SUBJECT(subject);\n",
                   {1, {2}});
    CHECK(run.found() == verdict);
  }
  CHECK(choosing(word, "simt::check(simt::choose(2) + 2 * simt::choose(2) != 1, \"\");",
                 memory_model::sc)
            .found() == "assertion");
}

TEST_CASE("a choice touches no memory: states and transitions") {
  source_run run = choosing(word, "x.store(simt::choose(3));", memory_model::sc);
  const warpcheck::run_result result = run.check(warpcheck::reductions::none());
  CHECK(result.states == 7);  // before it, three that store, three ends
  CHECK(result.transitions == 6);
}

TEST_CASE("a number of values that there cannot be is an error") {
  for (const std::string n : {"0", "0x10001", "x.load() - 1"}) {
    const std::string error =
        choosing(word, "x.store(simt::choose(" + n + "));", memory_model::sc).error();
    CAPTURE(error);
    CHECK(error.find("simt::choose(n) chooses among 1 to 65536 values") != std::string::npos);
  }
}

TEST_CASE("init() cannot choose") {
  source_run run("struct subject { " + word + " SIMT_FN void init() { x.store(simt::choose(2)); }" +
                 " SIMT_FN void operator()() { x.store(1); } };\nSIMT_SUBJECT(subject);\n");
  CHECK(run.error().find("init() calls simt::choose") != std::string::npos);
}

TEST_CASE("a loop that chooses may go on for ever; with strong fairness luck ends it") {
  for (const memory_model memory : {memory_model::sc, memory_model::ptx}) {
    const std::string body = "while (simt::choose(2) != 0) {} x.store(1);";
    source_run run = choosing(word, body, memory, {1, {2}});
    CHECK(run.found() == "livelock");
    run.how.fairness = simt::fairness::strong;
    CHECK(run.found() == "ok");
  }
}

TEST_CASE("lanes that choose in vain: a deadlock, whatever is chosen") {
  const std::string body = "while (simt::choose(2) != 2) {} x.store(1);";
  CHECK(choosing(word, body, memory_model::sc, {1, {2}}).found() == "deadlock");
  const std::string waits =
      "if (simt::thread_rank() == 0 && simt::choose(2) != 0) return; x.fetch_add(1);"
      " while (x.load() != 2) {}";
  CHECK(choosing(word, waits, memory_model::sc, {1, {2}}).found() == "deadlock");
}

TEST_CASE("what a lane stores by choice may be read early where memory is weak") {
  // Load buffering, if 1 is chosen: each reads what the other stores.
  const std::string both = "simt::atomic<int> x{0}, y{0};";
  const std::string body =
      "auto& a = simt::thread_rank() == 0 ? x : y; auto& b = simt::thread_rank() == 0 ? y : x;"
      "const int read = a.load(simt::memory_order_relaxed);"
      "b.store(int(simt::choose(2)), simt::memory_order_relaxed);"
      "if (simt::thread_rank() == 0) first = read; else second = read;";
  source_run run("struct subject { " + both + " int first = 0, second = 0;" +
                     " SIMT_FN void operator()() { " + body +
                     " } bool check() const { return first + second != 2; } };\n"
                     "SIMT_SUBJECT(subject);\n",
                 {1, {2}});
  CHECK(run.found() == "ok");
  run.how.machine.memory = memory_model::ptx;
  CHECK(run.found() == "assertion");
}

}  // namespace test
