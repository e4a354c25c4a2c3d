// Exact sizes of small graphs, without any reduction: a change of what the machine does cannot pass
// unseen. Counted by hand where that is possible (see the comments), else as first explored and
// then compared with the naive explorer's verdicts.
#include <doctest/doctest.h>

#include "checker/check/check.hpp"
#include "tests/checker/run_source.hpp"

namespace {

struct size {
  std::uint64_t states, transitions;
  friend bool operator==(const size&, const size&) = default;
};

std::ostream& operator<<(std::ostream& out, const size& s) {
  return out << s.states << " states, " << s.transitions << " transitions";
}

size explored(const std::string& subject, const std::string& workload, std::uint32_t lanes,
              std::uint32_t repeat, simt::reconvergence model,
              const warpcheck::reductions& reduce = warpcheck::reductions::none()) {
  warpcheck::scenario what;
  what.file = "test.toml";
  what.subject = subject;
  what.workload = workload;
  what.repeat = repeat;
  what.grid.lanes = {lanes};
  warpcheck::run_settings how;
  how.machine.reconvergence = model;
  warpcheck::session run(what, how);
  const warpcheck::run_result result = warpcheck::check(run, {}, reduce);
  CHECK(result.complete);
  return {result.states, result.transitions};
}

constexpr auto its = simt::reconvergence::its;
constexpr auto stack = simt::reconvergence::stack;

}  // namespace

TEST_CASE("n lanes that take k independent steps each: (k + 1)^n states") {
  for (const std::uint32_t lanes : {1U, 2U, 3U, 4U}) {
    test::source_run run(test::kernel("simt::atomic<int> x{0};",
                                      "x.load(simt::memory_order_relaxed);\n"
                                      "x.load(simt::memory_order_relaxed);"),
                         {1, {lanes}});
    const warpcheck::run_result result = run.check(warpcheck::reductions::none());
    std::uint64_t states = 1;
    for (std::uint32_t i = 0; i < lanes; ++i) states *= 3;
    // Each lane can step in all states but those in which it has ended: 2/3 of them.
    CHECK(result.states == states);
    CHECK(result.transitions == lanes * states / 3 * 2);
  }
}

TEST_CASE("lockstep: the lanes of a warp take one instruction after the other") {
  // Two lanes, two instructions: after each, both are level again: 1 + (2 + 1) + (2 + 1) states.
  test::source_run run(test::kernel("simt::atomic<int> x{0};",
                                    "x.load(simt::memory_order_relaxed);\n"
                                    "x.load(simt::memory_order_relaxed);"),
                       {1, {2}}, stack);
  const warpcheck::run_result result = run.check(warpcheck::reductions::none());
  CHECK(result.states == 7);
  CHECK(result.transitions == 8);
}

TEST_CASE("locks") {
  CHECK(explored("locks/tas", "counter", 4, 1, its) == size{176, 432});
  CHECK(explored("locks/tas", "counter", 4, 1, stack) == size{57, 100});
  CHECK(explored("locks/ttas", "counter", 4, 1, its) == size{5007, 17004});
  CHECK(explored("locks/ttas", "counter", 4, 1, stack) == size{72, 132});
  CHECK(explored("locks/ticket", "counter", 4, 1, its) == size{624, 1984});
  CHECK(explored("locks/ticket", "counter", 4, 1, stack) == size{569, 1120});
  CHECK(explored("locks/tas_done_flag", "counter", 4, 1, its) == size{176, 432});
  CHECK(explored("locks/tas_done_flag", "counter", 4, 1, stack) == size{420, 496});
}

TEST_CASE("merging alone gives the sizes of models written by hand") {
  // Ticket: bench/models/ticket.pml has as many. TAS and TTAS: the models have one state less for
  // each fence of the C++ (bench/README.md).
  warpcheck::reductions merge = warpcheck::reductions::none();
  merge.merge = true;
  CHECK(explored("locks/tas", "counter", 5, 2, its, merge) == size{4293, 15660});
  CHECK(explored("locks/ttas", "counter", 5, 2, its, merge) == size{34375, 143750});
  CHECK(explored("locks/ticket", "counter", 5, 2, its, merge) == size{67803, 306450});
}

TEST_CASE("a warp, with all reductions") {
  for (const auto model : {its, stack}) {
    CHECK(explored("locks/tas_done_flag", "counter", 32, 1, model, {}).states < 1'000);
  }
  CHECK(explored("locks/tas", "counter", 32, 1, its, {}) == size{32, 31});
  CHECK(explored("locks/ttas", "counter", 32, 1, its, {}) == size{1055, 2511});
  CHECK(explored("locks/ticket", "counter", 32, 1, its, {}) == size{32, 31});
}

// States that differ by names alone are one: with n lanes, at most n! times fewer.
TEST_CASE("a queue of lanes that tell each other by number") {
  const auto symmetry = warpcheck::reductions_from("merge,symmetry");
  const auto merge = warpcheck::reductions_from("merge");
  const size plain = explored("locks/mcs", "counter", 3, 1, its, merge);
  const size named = explored("locks/mcs", "counter", 3, 1, its, symmetry);
  CHECK(plain.states <= 6 * named.states);
  CHECK(5 * named.states < plain.states);
  CHECK(explored("locks/mcs", "counter", 4, 1, its, {}) == size{586, 1938});
  CHECK(explored("locks/mcs", "counter", 5, 2, its, {}) == size{91672, 403170});
}

namespace {

warpcheck::run_result three_lanes(const std::string& members, const std::string& body,
                                  const std::string& check = "") {
  test::source_run run(test::kernel(members, body, check), {1, {3}});
  return run.check(warpcheck::reductions_from("merge,symmetry"));
}

}  // namespace

TEST_CASE("what lanes may change names") {
  const std::string owner = "simt::atomic<int> owner{0};";
  const std::string me = "const int me = int(simt::thread_rank()) + 1;\n";
  const std::string take = me + "owner.store(me);\n";
  CHECK(three_lanes(owner, take).renamings == 2);
  CHECK(three_lanes(owner, take + "simt::check(owner.load() != 0, \"nobody\");").renamings == 2);
  // By address.
  CHECK(three_lanes("simt::atomic<int> slots[3]; simt::atomic<int*> last{nullptr};",
                    "last.store((int*)&slots[simt::thread_rank()]);\n"
                    "((simt::atomic<int>*)last.load())->store(1);")
            .renamings == 2);
}

TEST_CASE("lanes keep their names where the program minds") {
  const std::string owner = "simt::atomic<int> owner{0};";
  const std::string me = "const int me = int(simt::thread_rank()) + 1;\n";
  // An order between names.
  CHECK(three_lanes(owner, me + "if (owner.exchange(me) < me) owner.load();").renamings == 0);
  // Arithmetic.
  CHECK(three_lanes(owner, me + "owner.fetch_add(me);").renamings == 0);
  // One lane is treated differently: the other two may.
  CHECK(three_lanes(owner, me + "if (me == 2) owner.load(); owner.store(me);").renamings == 0);
  CHECK(three_lanes(owner, me + "if (me == 1) owner.load(); owner.store(me);").renamings == 1);
  // The initial memory names one.
  CHECK(three_lanes("simt::atomic<int> owner{2};", me + "owner.exchange(me);").renamings == 0);
  // The final check names one: found, although most memories pass.
  const auto last = three_lanes(owner, me + "owner.store(me);", "return owner.load() != 3;");
  CHECK(last.renamings == 0);
  CHECK(test::source_run::names(last) == "assertion");
}
