// Classes of continuations that behave alike.
#include <doctest/doctest.h>

#include "tests/machine/lanes_of.hpp"

using simt::continuation;
using simt::lane_automaton;
using simt::operation_kind;

namespace {

const char* const atomics = "simt::atomic<int> x{0}, y{0}, z{0};";

// An array that is indexed by what was read lies on the stack, so the image of a lane has what is
// in it, whether or not somebody reads it.
const char* const keeps_x = "int kept[2]; const int first = x.load(); kept[0] = kept[1] = first;\n";

/// x is read and kept. Nobody asks for it.
const std::string forgets = std::string(keeps_x) + "kept[y.load() & 1] = 5; z.store(7);";
/// x is read and kept. Whether it is stored depends on y.
const std::string may_tell =
    std::string(keeps_x) + "if (y.load() == 1) z.store(kept[y.load() & 1]);";
/// The same, behind a loop.
const std::string tells_after_loop =
    std::string(keeps_x) + "while (y.load() == 0) {}\nz.store(kept[y.load() & 1]);";
const std::string forgets_after_loop =
    std::string(keeps_x) + "while (y.load() == 0) {}\nkept[y.load() & 1] = 5; z.store(7);";

}  // namespace

TEST_CASE("continuations that no answer tells apart are one") {
  test::lanes_of forgetful(atomics, forgets);
  lane_automaton lanes(forgetful.run.lanes(), true);
  const continuation start = lanes.start();
  const continuation one = lanes.next(start, 1);
  CHECK(one == lanes.next(start, 2));
  const continuation store = lanes.next(one, 0);
  CHECK(lanes.at(store).kind == operation_kind::memory);
  CHECK(lanes.at(store).writes());
  CHECK(lanes.at(store).operand == 7);
  CHECK(lanes.next(store, 0) == simt::exited);
  // They are two for the program, and what one was asked was asked of the other.
  const simt::lane_program& program = lanes.lanes();
  const continuation first = forgetful.run.lanes().start();
  const auto with_1 = program.known(first, 1), with_2 = program.known(first, 2);
  REQUIRE(with_1);
  REQUIRE(with_2);
  CHECK(*with_1 != *with_2);
  CHECK(lanes.class_of(*with_1) == lanes.class_of(*with_2));
  CHECK(program.known(*with_1, 0));
  CHECK(program.known(*with_2, 0));
  CHECK(lanes.size() < program.size());
}

TEST_CASE("without merging each continuation is a class of its own, with its own number") {
  test::lanes_of forgetful(atomics, forgets);
  lane_automaton lanes(forgetful.run.lanes(), false);
  const continuation start = lanes.start();
  CHECK(start == forgetful.run.lanes().start());
  const continuation one = lanes.next(start, 1), two = lanes.next(start, 2);
  CHECK(one != two);
  CHECK(lanes.class_of(one) == one);
  const continuation next = lanes.next(one, 0);
  CHECK(forgetful.run.lanes().known(one, 0) == next);
  CHECK_FALSE(lanes.known(two, 0));
  CHECK(lanes.size() == forgetful.run.lanes().size());
}

TEST_CASE("an answer that tells members of a class apart splits it") {
  test::lanes_of telling(atomics, may_tell);
  lane_automaton lanes(telling.run.lanes(), true);
  const continuation start = lanes.start();
  const continuation one = lanes.next(start, 1);
  REQUIRE(lanes.next(start, 2) == one);
  CHECK(lanes.next(one, 0) == simt::exited);
  const continuation again = lanes.next(one, 1);  // which slot of the array
  REQUIRE(lanes.at(again).kind == operation_kind::memory);
  CHECK(lanes.news().count() == 0);
  lanes.next(again, 0);
  CHECK(lanes.news().count() == 1);
  // Until the classes are made anew, they are as they were.
  CHECK(lanes.known(start, 1) == lanes.known(start, 2));
  lanes.refine();
  CHECK(lanes.news().count() == 1);
  const continuation first = lanes.next(lanes.start(), 1), second = lanes.next(lanes.start(), 2);
  CHECK(first != second);
  const continuation stores_1 = lanes.next(lanes.next(first, 1), 0);
  const continuation stores_2 = lanes.next(lanes.next(second, 1), 0);
  CHECK(lanes.at(stores_1).operand == 1);
  CHECK(lanes.at(stores_2).operand == 2);
  // What comes behind the difference is one again.
  CHECK(lanes.next(stores_1, 0) == lanes.next(stores_2, 0));
  // Without news nothing is made anew.
  const std::uint64_t before = lanes.digest();
  lanes.refine();
  CHECK(lanes.digest() == before);
}

TEST_CASE("who comes later is told apart at once by what others were asked") {
  test::lanes_of telling(atomics, may_tell);
  lane_automaton lanes(telling.run.lanes(), true);
  const continuation start = lanes.start();
  const continuation one = lanes.next(start, 1);
  lanes.next(lanes.next(one, 1), 0);
  CHECK(lanes.next(start, 2) != one);
}

TEST_CASE("loops: alike as long as nothing behind the loop differs") {
  {
    test::lanes_of forgetful(atomics, forgets_after_loop);
    lane_automaton lanes(forgetful.run.lanes(), true);
    const continuation start = lanes.start();
    const continuation spins = lanes.next(start, 1);
    CHECK(lanes.next(spins, 0) == spins);
    CHECK(lanes.at(lanes.next(lanes.next(spins, 1), 0)).operand == 7);
    CHECK(lanes.next(start, 2) == spins);
  }
  test::lanes_of telling(atomics, tells_after_loop);
  lane_automaton lanes(telling.run.lanes(), true);
  const continuation start = lanes.start();
  const continuation spins = lanes.next(start, 1);
  CHECK(lanes.next(spins, 0) == spins);
  CHECK(lanes.at(lanes.next(lanes.next(spins, 1), 0)).operand == 1);
  const continuation other = lanes.next(start, 2);
  CHECK(other != spins);
  CHECK(lanes.next(other, 0) == other);
}

TEST_CASE("an answer that was only tried to tell classes apart is given to nobody") {
  test::lanes_of telling(atomics, tells_after_loop);
  lane_automaton lanes(telling.run.lanes(), true);
  const continuation start = lanes.start();
  const continuation spins = lanes.next(start, 1);
  const continuation behind = lanes.next(spins, 1);
  lanes.next(behind, 0);
  const continuation other = lanes.next(start, 2);
  REQUIRE(other != spins);
  const auto tried = lanes.known(other, 1);
  REQUIRE(tried);
  const auto given = [&](continuation c) {
    std::vector<std::uint64_t> answers;
    lanes.for_each_given(c, [&](std::uint64_t answer, continuation) { answers.push_back(answer); });
    return answers;
  };
  CHECK(given(spins) == std::vector<std::uint64_t>{1});
  CHECK(given(other).empty());
  const std::vector<char> reached = lanes.reached_from({&start, 1});
  CHECK(reached[other] != 0);
  CHECK(reached[behind] != 0);
  CHECK(reached[*tried] == 0);
  CHECK(lanes.next(other, 1) == *tried);
  CHECK(given(other) == std::vector<std::uint64_t>{1});
  // Who asks again has given the same.
  const auto another = telling.run.lanes().another();
  lane_automaton later(*another, true);
  REQUIRE(later.start() == start);
  CHECK(later.ask_again(lanes.questions()));
  const continuation start_later = later.start();
  CHECK(later.reached_from({&start_later, 1}) == lanes.reached_from({&start, 1}));
}

TEST_CASE("who asks the same has the same classes") {
  test::lanes_of telling(atomics, may_tell);
  const auto ask = [](lane_automaton& lanes, std::uint64_t second) {
    const continuation start = lanes.start();
    const continuation one = lanes.next(start, 1);
    lanes.next(start, second);
    lanes.next(lanes.next(one, 1), 0);
    if (lanes.news().count() != 0) lanes.refine();
  };
  lane_automaton lanes(telling.run.lanes(), true);
  ask(lanes, 2);
  const auto another = telling.run.lanes().another();
  lane_automaton same(*another, true);
  ask(same, 2);
  CHECK(same.questions() == lanes.questions());
  CHECK(same.digest() == lanes.digest());

  // As a search that goes on later does it.
  const auto third = telling.run.lanes().another();
  lane_automaton later(*third, true);
  REQUIRE(later.start() == lanes.start());
  CHECK(later.digest() != lanes.digest());
  CHECK(later.ask_again(lanes.questions()));
  CHECK(later.digest() == lanes.digest());
  // What was asked already must be the same.
  const auto fourth = telling.run.lanes().another();
  lane_automaton different(*fourth, true);
  ask(different, 3);
  CHECK_FALSE(different.ask_again(lanes.questions()));
  // Whoever was asked more is not the same.
  lanes.next(lanes.start(), 9);
  CHECK(same.digest() != lanes.digest());
}

TEST_CASE("who asks the same without merging is the same") {
  test::lanes_of forgetful(atomics, forgets);
  const auto digest = [&](bool second) {
    const auto program = forgetful.run.lanes().another();
    lane_automaton lanes(*program, false);
    const continuation one = lanes.next(lanes.start(), 1), two = lanes.next(lanes.start(), 2);
    lanes.next(second ? two : one, 0);
    return lanes.digest();
  };
  CHECK(digest(false) == digest(false));
  CHECK(digest(false) != digest(true));  // as many continuations, at the same operations
}

TEST_CASE("what was given up was not asked") {
  test::lanes_of forgetful(atomics, forgets);
  lane_automaton lanes(forgetful.run.lanes(), true);
  const continuation start = lanes.start();
  const continuation one = lanes.next(start, 1);
  REQUIRE(lanes.next(start, 2) == one);  // a second one to ask
  const auto asked = lanes.questions();
  lanes.give_up_where([] { return true; });
  CHECK(lanes.next(start, 1) == one);  // known
  CHECK_THROWS_AS(lanes.next(one, 0), lane_automaton::given_up);
  CHECK_THROWS_AS(lanes.give_up_in_time(), lane_automaton::given_up);
  CHECK(lanes.questions() == asked);
  // On the way of a question.
  int looks = 0;
  lanes.give_up_where([&] { return ++looks > 2; });
  CHECK_THROWS_AS(lanes.next(one, 0), lane_automaton::given_up);
  CHECK(lanes.questions() == asked);
  CHECK_FALSE(lanes.known(one, 0));
  lanes.give_up_where({});
  CHECK(lanes.at(lanes.next(one, 0)).operand == 7);
}

TEST_CASE("code that misbehaves is a fault for who only tries, and an error for who goes there") {
  test::lanes_of faulty(atomics, "int one[2]; one[x.load() & 1] = 3; y.store(one[z.load() & 1]);");
  for (const bool merge : {true, false}) {
    const auto program = faulty.run.lanes().another();
    lane_automaton lanes(*program, merge);
    const continuation there = lanes.next(lanes.start(), 1);
    CHECK(lanes.at(lanes.outcome(there, 0)).kind == operation_kind::fault);
    CHECK_THROWS_AS(lanes.next(there, 0), simt::lane_error);
    CHECK(lanes.at(lanes.next(there, 1)).operand == 3);
  }
}
