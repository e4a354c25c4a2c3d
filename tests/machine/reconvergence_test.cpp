// The two machines at a branch: which lanes of a warp may go on.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sim/machine/its_machine.hpp"
#include "tests/machine/explored.hpp"

namespace {

using lanes = std::vector<std::uint32_t>;

const char* const atomics = "simt::atomic<int> x{0}, y{0}, z{0};";
const char* const branches =
    "if (lane_index() == 0) { x.store(1, relaxed); } else { y.store(1, relaxed); }\n"
    "z.store(1, relaxed);";

/// Two lanes of one warp, which take different sides of a branch.
test::explored two_sides(simt::reconvergence reconvergence) {
  return {atomics, branches, {1, {2}}, simt::memory_model::sc, reconvergence};
}

}  // namespace

TEST_CASE("with independent scheduling both sides of a branch may go on") {
  const test::explored run = two_sides(simt::reconvergence::its);
  const simt::state_words begin = run.machine->initial();
  CHECK_FALSE(run.machine->awaits_choice(begin));
  CHECK(run.at_accesses(begin) == lanes{0, 1});
  CHECK(run.steps(begin).transitions.size() == 2);
  // Lane 0 does not wait for lane 1 behind the branch.
  CHECK(run.at_accesses(run.after(0, run.after(0, begin))) == lanes{1});
}

TEST_CASE("under stack one side runs, then the other one, and then both lanes") {
  const test::explored run = two_sides(simt::reconvergence::stack);
  const simt::state_words begin = run.machine->initial();
  CHECK(run.machine->awaits_choice(begin));
  CHECK(run.at_accesses(begin).empty());
  const simt::successor_list sides = run.steps(begin);
  CHECK(sides.is_choice);
  REQUIRE(sides.transitions.size() == 2);
  for (const std::uint32_t first : {0U, 1U}) {
    const simt::transition* const side = sides.find({simt::choice::kind::side, 0, 1U << first});
    REQUIRE(side != nullptr);
    const simt::state_words chosen = run.after(*side, sides);
    CHECK(run.at_accesses(chosen) == lanes{first});
    const simt::state_words parked = run.after(first, chosen);
    CHECK(run.machine->stack(parked, 0).parked() == 1U << first);
    CHECK(run.at_accesses(parked) == lanes{1 - first});
    const simt::state_words together = run.after(1 - first, parked);
    CHECK(run.machine->stack(together, 0).active == 3);
    CHECK(run.machine->stack(together, 0).frames.empty());
    CHECK(run.at_accesses(together) == lanes{0, 1});
  }
}

TEST_CASE("a lane that is parked under stack may go on where lanes are independent") {
  test::explored run = two_sides(simt::reconvergence::stack);
  const simt::successor_list sides = run.steps(run.machine->initial());
  const simt::state_words parked = run.after(0, run.after(sides.transitions.front(), sides));
  simt::machine_setup setup = run.run.setup();
  setup.model.reconvergence = simt::reconvergence::its;
  simt::its_machine independent(setup, run.run.stores());
  const simt::state_words adopted = independent.adopt(parked);
  CHECK(adopted.size() + 1 == parked.size());
  CHECK(independent.waits_at(adopted, 0).kind == simt::operation_kind::memory);
  lanes both;
  CHECK(independent.accesses(adopted, both));
  CHECK(both == lanes{0, 1});
}
