// The list of what may happen in a state: transitions, their next states, and ends.
#include <doctest/doctest.h>

#include <vector>

#include "sim/machine/step_list.hpp"

namespace {

using simt::choice;
using simt::ending;
using simt::state_words;
using simt::successor_list;
using simt::transition;

const choice by_0{choice::kind::lane, 0, 0};
const choice by_1{choice::kind::lane, 1, 0};
const choice by_2{choice::kind::lane, 2, 0};
const state_words here{3, 4, 5};

state_words next_of(const successor_list& list, const choice& by) {
  const transition* const t = list.find(by);
  REQUIRE(t != nullptr);
  const auto words = list.state(*t, here.size());
  return {words.begin(), words.end()};
}

}  // namespace

TEST_CASE("each step has a next state of its own") {
  successor_list list;
  list.add(by_0, here)[0] = 7;
  list.add(by_1, here)[1] = 8;
  CHECK(next_of(list, by_0) == state_words{7, 4, 5});
  CHECK(next_of(list, by_1) == state_words{3, 8, 5});
  CHECK(list.find(by_2) == nullptr);
}

TEST_CASE("steps that stay share a next state, until one of them parts") {
  successor_list list;
  list.add_stay(by_0, here);
  list.add_stay(by_1, here);
  CHECK(list.transitions[0].next == list.transitions[1].next);
  CHECK(list.transitions[1].stays);
  list.part(list.transitions[1], here.size())[2] = 9;
  CHECK_FALSE(list.transitions[1].stays);
  CHECK(next_of(list, by_0) == here);
  CHECK(next_of(list, by_1) == state_words{3, 4, 9});
}

TEST_CASE("a step that ends the run has no next state") {
  successor_list list;
  list.end_by(by_0, ending::assertion);
  CHECK(list.transitions.front().ends == ending::assertion);
  CHECK(list.transitions.front().next == transition::no_state);
}

TEST_CASE("a state that ends the run has no steps") {
  successor_list list;
  list.add(by_0, here);
  list.end_here("lanes are missing");
  CHECK(list.transitions.empty());
  CHECK(list.here == ending::barrier_divergence);
  CHECK(list.why == "lanes are missing");
}

TEST_CASE("a list that is cleared is as a new one") {
  successor_list list;
  list.add_stay(by_0, here);
  list.end_here("lanes are missing");
  list.is_choice = list.suspicious = true;
  list.clear();
  CHECK(list.here == ending::none);
  CHECK(list.why.empty());
  CHECK_FALSE(list.is_choice);
  CHECK_FALSE(list.suspicious);
  const state_words other{1, 1, 1};
  list.add_stay(by_1, other);
  CHECK(next_of(list, by_1) == other);
}
