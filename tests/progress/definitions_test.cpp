// Each definition of docs/progress.md by a program whose answers follow from it by hand, and with
// another reading under which they would be different.
#include <doctest/doctest.h>

#include "checker/progress/in_order.hpp"
#include "tests/progress/programs.hpp"
#include "tests/progress/reference.hpp"

using namespace test;

namespace {

std::string answers(const std::vector<std::vector<std::string>>& threads) {
  const auto one = test_of(threads);
  return letters(warpcheck::progress_answer(one, 100'000));
}

std::string answers(const std::vector<std::vector<std::string>>& threads, reading how) {
  const reference second(test_of(threads).program, how);
  return letters([&](auto notion, auto model) { return second.guaranteed(notion, model); });
}

}  // namespace

// Thread 0 waits for thread 1. Once thread 0 runs, nobody but FAIR owes thread 1 anything: it has
// not started, and its number is higher than that of all that have.
TEST_CASE("a thread waits for a higher one: only FAIR helps, weak or strong") {
  CHECK(answers({{"branch m0 0 0"}, {"store m0 1"}}) == "....F ....F");
}

// Thread 1 waits for thread 0. If thread 1 starts first, OBE owes thread 0 nothing; HSA and HSA_OBE
// do as it is the lowest, LOBE as it is lower than one that started.
TEST_CASE("a thread waits for a lower one: all but OBE") {
  const std::vector<std::vector<std::string>> threads{{"store m0 1"}, {"branch m0 0 0"}};
  CHECK(answers(threads) == "H.BLF H.BLF");
  // Would the first step of a thread count as one of a thread that has started, OBE would do.
  CHECK(answers(threads, reading::first_step_is_fair) == "HOBLF HOBLF");
}

// Each undoes what the other waits for; alone, either finishes. In lockstep they go on for ever,
// also under HSA, which owes thread 1 nothing but does not hinder it either.
TEST_CASE("lockstep: only strong fairness breaks it") {
  const std::vector<std::vector<std::string>> threads{{"xbranch m0 1 0 0"}, {"xbranch m0 0 1 0"}};
  CHECK(answers(threads) == "..... HOBLF");
  CHECK(answers(threads, reading::weak_only_fair_run) == "H.... HOBLF");
  // At the start OBE and LOBE owe nobody progress. That is as good as the end, since a machine does
  // not stop while threads are unfinished.
  CHECK(answers(threads, reading::strong_needs_the_end) == "..... H.B.F");
}

TEST_CASE("nothing loops, so all is guaranteed, also where nobody is owed progress at first") {
  const std::vector<std::vector<std::string>> threads{{"store m0 1"}, {"store m1 1"}};
  CHECK(answers(threads) == "HOBLF HOBLF");
  CHECK(answers(threads, reading::weak_stops) == "H.B.F HOBLF");
  CHECK(answers(threads, reading::strong_needs_the_end) == "HOBLF H.B.F");
}

// Thread 0 waits for thread 1, but only when thread 2 has been there. Thread 2 is finished then,
// and LOBE still owes all up to it.
TEST_CASE("LOBE counts threads that ever started, finished or not") {
  const std::vector<std::vector<std::string>> threads{
      {"branch m1 0 end", "branch m0 0 1"}, {"store m0 1"}, {"store m1 1"}};
  CHECK(answers(threads) == "...LF ...LF");
  CHECK(answers(threads, reading::lobe_only_unfinished) == "....F ....F");
}

// When thread 0 is finished, HSA owes progress to thread 1.
TEST_CASE("HSA: the lowest of the unfinished threads, not always thread 0") {
  const std::vector<std::vector<std::string>> up{{"store m1 1"}, {"store m0 1"}, {"branch m0 0 0"}};
  CHECK(answers(up) == "H.BLF H.BLF");
  CHECK(answers(up, reading::hsa_thread_0) == "..BLF H.BLF");
  const std::vector<std::vector<std::string>> down{
      {"store m1 1"}, {"branch m0 0 0"}, {"store m0 1"}};
  CHECK(answers(down) == "....F ....F");
  CHECK(answers(down, reading::hsa_thread_0) == "....F H...F");
}

// Thread 0 finishes if it comes first; if thread 1 does, nothing helps.
TEST_CASE("strong: from every reachable state, however unfair the way to it") {
  const std::vector<std::vector<std::string>> threads{{"branch m0 1 0"}, {"store m0 1"}};
  CHECK(answers(threads) == "..... .....");
  CHECK(answers(threads, reading::strong_from_the_start) == "..... HOBLF");
}

TEST_CASE("xbranch writes whether it jumps or not") {
  // Alone, thread 0 sees 0, writes 1, and at its second attempt sees 1.
  CHECK(answers({{"xbranch m0 1 0 0"}}) == "HOBLF HOBLF");
  // It leaves, having written 1, and thread 1 waits for that.
  CHECK(answers({{"xbranch m0 1 1 0"}, {"branch m0 0 0"}}) == "H.BLF H.BLF");
}

TEST_CASE("more words, other values, forward jumps, threads without instructions") {
  CHECK(answers({{},
                 {"store m17 300"},
                 {"branch m17 0 0", "branch m17 300 end", "branch m17 300 2"}}) == "H.BLF H.BLF");
  CHECK(answers({{}}) == "HOBLF HOBLF");
  // Without the jump to the end, instruction 2 would go round for ever.
  CHECK(answers({{"branch m0 0 end", "branch m0 0 1"}}) == "HOBLF HOBLF");
  CHECK(answers({{"branch m0 0 1", "branch m0 0 1"}}) == "..... .....");
}

TEST_CASE("64 threads, of which the last waits for the first") {
  std::vector<std::vector<std::string>> threads(64);
  threads.front() = {"store m0 1"};
  threads.back() = {"branch m0 0 0"};
  CHECK(answers(threads) == "H.BLF H.BLF");
  std::swap(threads.front(), threads.back());
  CHECK(answers(threads) == "....F ....F");
}

TEST_CASE("the fair sets of one state") {
  using warpcheck::fair_set;
  // Of five threads 0 and 3 are finished; 3 and 1 have started.
  constexpr warpcheck::thread_set unfinished = 0b10110, started = 0b01010;
  static_assert(fair_set(progress_model::fair, unfinished, started) == 0b10110);
  static_assert(fair_set(progress_model::hsa, unfinished, started) == 0b00010);
  static_assert(fair_set(progress_model::obe, unfinished, started) == 0b00010);
  static_assert(fair_set(progress_model::hsa_obe, unfinished, started) == 0b00010);
  static_assert(fair_set(progress_model::lobe, unfinished, started) == 0b00110);
  static_assert(fair_set(progress_model::hsa_obe, unfinished, 0b10000) == 0b10010);
  static_assert(fair_set(progress_model::lobe, ~0ULL, 1ULL << 63) == ~0ULL);
  static_assert(fair_set(progress_model::lobe, 0b11, 0) == 0);
  static_assert(fair_set(progress_model::obe, 0b11, 0) == 0);
}

TEST_CASE("a graph that is too large gives no answer") {
  const auto one = test_of({{"branch m0 0 0"}, {"store m0 1"}});
  const warpcheck::progress_answer answer(one, 3);
  CHECK_FALSE(answer.graph().complete());
  CHECK_FALSE(answer.holds({fairness_notion::weak, progress_model::fair}).has_value());
  CHECK(warpcheck::progress_answer(one, 8).graph().complete());
}

TEST_CASE("one thread after the other, each to its end") {
  using warpcheck::in_order_run;
  const auto in_order = [](const std::vector<std::vector<std::string>>& threads) {
    return warpcheck::run_in_order(warpcheck::progress_answer(test_of(threads), 100'000).graph());
  };
  CHECK(in_order({{"store m0 1"}, {"branch m0 0 0"}}) == in_order_run::finishes);
  CHECK(in_order({{"branch m0 0 0"}, {"store m0 1"}}) == in_order_run::stuck);
  CHECK(in_order({{"store m0 1", "branch m0 1 1"}, {"branch m1 0 0"}}) == in_order_run::lost);
  CHECK(in_order({{"xbranch m0 1 0 0"}, {"xbranch m0 0 1 0"}}) == in_order_run::finishes);
  CHECK(in_order({{}, {"branch m0 0 end", "branch m0 0 1"}}) == in_order_run::finishes);
}
