// What a step does to one location under weak memory, with stores counted from the newest.
#include <doctest/doctest.h>

#include <vector>

#include "sim/machine/walk/coherence_step.hpp"
#include "tests/machine/explored.hpp"

namespace {

using simt::coherence_step;
using simt::coherence_step_of;

/// The choices of `lane` in `state`.
std::vector<simt::choice> choices_of(std::uint32_t lane, const test::explored& run,
                                     const simt::state_words& state) {
  std::vector<simt::choice> all;
  for (const simt::transition& t : run.steps(state).transitions) {
    if (t.by.unit == lane) all.push_back(t.by);
  }
  return all;
}

}  // namespace

TEST_CASE("a read-modify-write that changes nothing belongs to the group of what it has read") {
  const std::vector<simt::stored_value> all{{0}, {1}, {1, true}, {2, true}, {2}};
  CHECK(simt::group_of(all, 4) == 0);
  CHECK(simt::group_of(all, 3) == 1);
  CHECK(simt::group_of(all, 2) == 2);
  CHECK(simt::group_of(all, 1) == 2);
  CHECK(simt::group_of(all, 0) == 3);
}

TEST_CASE("a load reads some group, and makes none") {
  test::explored run("simt::atomic<int> x{0};",
                     "if (first) { x.store(1, relaxed); x.store(2, relaxed); }\n"
                     "else { x.load(relaxed); }",
                     {2, {1}});
  run.all();
  const simt::state_words stored = run.after(0, run.after(0, run.machine->initial()));
  const auto choices = choices_of(1, run, stored);
  REQUIRE(choices.size() == 3);
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const auto step = coherence_step_of(*run.machine, stored, choices[i]);
    REQUIRE(step);
    CHECK(step->behind == i);
    CHECK(step->old == 2 - i);
    CHECK_FALSE(step->makes);
    CHECK(step->result == i);
    CHECK(simt::group_values(*run.machine, stored, step->offset, step->size) ==
          std::vector<std::uint64_t>{2, 1, 0});
  }
}

TEST_CASE("a store makes a group behind an older one") {
  test::explored run("simt::atomic<int> x{0};", "x.store(first ? 1 : 5, relaxed);", {2, {1}});
  run.all();
  const simt::state_words stored = run.after(0, run.machine->initial());
  const auto choices = choices_of(1, run, stored);
  REQUIRE(choices.size() == 2);
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const auto step = coherence_step_of(*run.machine, stored, choices[i]);
    REQUIRE(step);
    CHECK(step->behind == i);
    CHECK(step->old == 1 - i);
    CHECK(step->makes);
    CHECK(step->value == 5);
    CHECK(step->result == i);
  }
}

TEST_CASE("steps that access no memory do nothing to any location") {
  test::explored run("simt::atomic<int> x{0};", "nanosleep(1);\nx.exchange(1, relaxed);", {2, {1}});
  const simt::state_words begin = run.all().machine->initial();
  const auto choices = choices_of(0, run, begin);
  REQUIRE(choices.size() == 1);
  CHECK_FALSE(coherence_step_of(*run.machine, begin, choices.front()));
  CHECK_FALSE(coherence_step_of(*run.machine, begin, {simt::choice::kind::block, 0, 0}));
}
