// The machine of sim/memory against the axioms, on generated programs. WARPCHECK_GENERATED chooses
// more programs, WARPCHECK_GENERATED_SEED the number of the first one.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "litmus/answer.hpp"
#include "litmus/read/parser.hpp"
#include "tests/litmus/executions.hpp"
#include "tests/litmus/generate.hpp"
#include "tests/litmus/machine.hpp"
#include "tests/tier.hpp"

using namespace litmus;

namespace {

/// Calls `use` with so many programs, and their text; `count` is what to do without a setting.
template <class Use>
std::uint32_t for_each_program(std::uint32_t count, const Use& use) {
  // Each program has a seed of its own, from 1 on.
  const auto [first, end] =
      test::due_programs(count, "WARPCHECK_GENERATED", "WARPCHECK_GENERATED_SEED");
  for (std::uint32_t seed = first + 1; seed <= end; ++seed) {
    const std::string text = naive::generate(seed, {seed % 2 == 0, seed % 4 >= 2});
    CAPTURE(seed);
    CAPTURE(text);
    use(parse(text, "generated"));
  }
  return end - first;
}

std::set<std::vector<value>> outcomes_of(const answer& a) {
  std::set<std::vector<value>> all;
  for (const outcome& one : a.outcomes) all.insert(one.values);
  return all;
}

}  // namespace

// Two things are left out, and counted: races that only the machine has, in programs that need not
// end, as the axioms look at complete executions; and outcomes of executions that no machine can
// run (executions_result).
TEST_CASE("the machine has all outcomes and races of the axioms") {
  std::size_t racy = 0, race_free = 0, several = 0, buffered = 0, unfinished = 0, not_run = 0;
  const std::uint32_t programs = for_each_program(1500, [&](const program& p) {
    const answer wanted = evaluate(p, {});
    REQUIRE(wanted.covered.all);
    const naive::executions_result executions = naive::executions_of(p, wanted.observed);
    CHECK(executions.all.race == !wanted.races.empty());
    const naive::executions_answer& expected = executions.operational;
    const naive::machine_result found = naive::run_on_machine(p, wanted.observed, true);
    if (found.race && !expected.race && wanted.terminates == false) {
      ++unfinished;
      return;
    }
    CHECK(found.race == expected.race);
    if (expected.race) {
      ++racy;
      return;
    }
    ++race_free;
    CHECK(executions.all.outcomes == outcomes_of(wanted));
    CHECK(found.outcomes == expected.outcomes);
    not_run += expected.outcomes != executions.all.outcomes ? 1 : 0;
    several += expected.outcomes.size() > 1 ? 1 : 0;
    buffered += executions.in_order.outcomes != expected.outcomes ? 1 : 0;
  });
  MESSAGE(programs, " programs: ", race_free, " without races (", several,
          " with several outcomes, ", buffered, " with some by load buffering), ", racy, " with, ",
          unfinished, " with races that only the machine has, and need not end; ", not_run,
          " with outcomes that no machine has");
  CHECK(race_free > programs / 3);
  CHECK(racy > programs / 10);
  CHECK(unfinished < programs / 10);
  CHECK(not_run <= programs / 100);
}

TEST_CASE("the machine has all outcomes and races of the axioms at barriers of clusters") {
  std::size_t racy = 0, race_free = 0, by_fence = 0, narrowed = 0;
  const auto [first, end] =
      test::due_programs(2000, "WARPCHECK_GENERATED", "WARPCHECK_GENERATED_SEED");
  for (std::uint32_t seed = first + 1; seed <= end; ++seed) {
    const std::string text = naive::generate(seed, {seed % 4 == 0, false, true});
    CAPTURE(seed);
    CAPTURE(text);
    const program p = parse(text, "generated");
    const answer wanted = evaluate(p, {});
    REQUIRE(wanted.covered.all);
    const naive::executions_answer expected = naive::executions_of(p, wanted.observed).operational;
    const naive::machine_result found = naive::run_on_machine(p, wanted.observed, true);
    if (found.race && !expected.race && wanted.terminates == false) continue;
    CHECK(found.race == expected.race);
    if (!expected.race) CHECK(found.outcomes == expected.outcomes);
    ++(expected.race ? racy : race_free);
    const auto differs = [&](bool clauses::*clause) {
      candidate_options without;
      without.rules.*clause = false;
      const answer other = evaluate(p, without);
      return other.races.empty() != wanted.races.empty() ||
             outcomes_of(other) != outcomes_of(wanted);
    };
    by_fence += differs(&clauses::fence_then_relaxed_arrival) ? 1 : 0;
    narrowed += differs(&clauses::fence_before_arrival_is_wide_enough) ? 1 : 0;
  }
  const std::uint32_t programs = end - first;
  MESSAGE(programs, " programs: ", race_free, " without races, ", racy, " with; a fence in front ",
          "of a relaxed arrival matters in ", by_fence, ", its scope in ", narrowed);
  CHECK(race_free > programs / 5);
  CHECK(racy > programs / 10);
  if (programs >= 500) CHECK(by_fence > programs / 50);
}

TEST_CASE("without promises the machine has them less load buffering") {
  std::size_t race_free = 0, racy = 0, unfinished = 0;
  const std::uint32_t programs = for_each_program(1500, [&](const program& p) {
    const answer wanted = evaluate(p, {});
    const naive::executions_answer expected = naive::executions_of(p, wanted.observed).in_order;
    const naive::machine_result found = naive::run_on_machine(p, wanted.observed, false);
    if (found.race && !expected.race && wanted.terminates == false) {
      ++unfinished;
      return;
    }
    CHECK(found.race == expected.race);
    ++(expected.race ? racy : race_free);
    if (!expected.race) CHECK(found.outcomes == expected.outcomes);
  });
  CHECK(race_free > programs / 3);
  CHECK(racy > programs / 10);
  CHECK(unfinished < programs / 10);
}

// Two of three arrivals let all go, and the same two for all: one of P0 and P2 is behind the other.
TEST_CASE("those who wait for a quorum are behind the same arrivals") {
  const program p = parse(R"(PTX t {} P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | P2@cta 0,gpu 0 ;
    st.relaxed.cta x, 1   | bar.cta.sync 1, 1, 2   | st.relaxed.cta y, 1 ;
    bar.cta.sync 1, 1, 2  |                        | bar.cta.sync 1, 1, 2 ;
    ld.relaxed.cta r0, y  |                        | ld.relaxed.cta r0, x ;
    exists (P0:r0 == 0 /\ P2:r0 == 0))",
                          "t");
  const answer wanted = evaluate(p, {});
  CHECK(wanted.holds == false);
  CHECK(wanted.outcomes.size() == 3);
  CHECK(naive::run_on_machine(p, wanted.observed, true).outcomes == outcomes_of(wanted));
}

// P1 acquires from a release that is read before it is carried out: no store but the release can be
// visible early, as the others depend on loads.
TEST_CASE("load buffering through a release that is acquired") {
  const program p = parse(R"(PTX t {} P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 0 ;
    ld.relaxed.gpu r0, x  | ld.acquire.gpu r0, z   | ld.relaxed.gpu r0, y ;
    st.release.gpu z, 1   | st.relaxed.gpu y, r0   | st.relaxed.gpu x, r0 ;
    exists (P0:r0 == 1 /\ P1:r0 == 1 /\ P2:r0 == 1))",
                          "t");
  const answer wanted = evaluate(p, {});
  CHECK(wanted.holds == true);
  CHECK(naive::run_on_machine(p, wanted.observed, true).outcomes == outcomes_of(wanted));
}

// Weak accesses that come, in causality order, behind somebody who has observed a promise race with
// it neither before it is carried out nor afterwards; others do.
TEST_CASE("a promise that was observed races with nothing behind that") {
  const auto races = [](const std::string& threads, bool wanted) {
    const program p = parse("PTX t {} " + threads + "exists (P1:r1 == 1 /\\ P0:r0 == 1)", "t");
    const answer axioms = evaluate(p, {});
    CHECK(axioms.races.empty() != wanted);
    const naive::machine_result machine = naive::run_on_machine(p, axioms.observed, true);
    CHECK(machine.race == wanted);
    if (!wanted) CHECK(machine.outcomes == outcomes_of(axioms));
  };
  // By the same lane.
  races(R"(P0@cta 0,gpu 0       | P1@cta 1,gpu 0       ;
    fence.sc.gpu                | ld.relaxed.gpu r0, x ;
    st.relaxed.gpu x, 1         | beq r0, 0, LC00      ;
    ld r0, 1                    | ld.weak r1, x        ;
                                | LC00:                ; )",
        false);
  races(R"(P0@cta 0,gpu 0       | P1@cta 1,gpu 0       ;
    ld.relaxed.gpu r0, y        | ld.relaxed.gpu r0, x ;
    st.relaxed.gpu x, 1         | beq r0, 0, LC00      ;
                                | st.relaxed.gpu y, 1  ;
                                | st.weak x, 2         ;
                                | ld.weak r1, x        ;
                                | LC00:                ; )",
        false);
  // In front of what lets the store be carried out.
  races(R"(P0@cta 0,gpu 0       | P1@cta 1,gpu 0       ;
    ld.relaxed.gpu r0, y        | ld.relaxed.gpu r0, x ;
    st.relaxed.gpu x, 1         | beq r0, 0, LC00      ;
                                | ld.weak r1, x        ;
                                | st.relaxed.gpu y, r1 ;
                                | LC00:                ; )",
        false);
  races(R"(P0@cta 0,gpu 0       | P1@cta 1,gpu 0        | P2@cta 2,gpu 0       ;
    ld.relaxed.gpu r0, y        | ld.acquire.gpu r0, z  | ld.relaxed.gpu r0, x ;
    st.relaxed.gpu x, 1         | beq r0, 0, LC00       | beq r0, 0, LC01      ;
                                | ld.weak r1, x         | st.release.gpu z, 1  ;
                                | st.relaxed.gpu y, r1  | ld.relaxed.gpu r1, x ;
                                | LC00:                 | LC01:                ; )",
        false);
  // By way of a read-modify-write.
  races(R"(P0@cta 0,gpu 0       | P1@cta 1,gpu 0                   ;
    ld.relaxed.gpu r0, y        | atom.relaxed.gpu.cas r0, x, 1, 2 ;
    st.relaxed.gpu x, 1         | bne r0, 1, LC00                  ;
                                | st.relaxed.gpu y, 1              ;
                                | ld.weak r1, x                    ;
                                | LC00:                            ; )",
        false);
  // By another lane, which has synchronized with who observed it, or has not.
  races(R"(P0@cta 0,gpu 0       | P1@cta 1,gpu 0       | P2@cta 2,gpu 0       ;
    ld.relaxed.gpu r0, y        | ld.acquire.gpu r0, z | ld.relaxed.gpu r0, x ;
    st.relaxed.gpu x, 1         | beq r0, 0, LC00      | beq r0, 0, LC01      ;
                                | ld.weak r1, x        | st.release.gpu z, 1  ;
                                | LC00:                | st.relaxed.gpu y, 1  ;
                                |                      | LC01:                ; )",
        false);
  races(R"(P0@cta 0,gpu 0       | P1@cta 1,gpu 0       | P2@cta 2,gpu 0       ;
    ld.relaxed.gpu r0, y        | ld.relaxed.gpu r0, z | ld.relaxed.gpu r0, x ;
    st.relaxed.gpu x, 1         | beq r0, 0, LC00      | beq r0, 0, LC01      ;
                                | ld.weak r1, x        | st.release.gpu z, 1  ;
                                | LC00:                | st.relaxed.gpu y, 1  ;
                                |                      | LC01:                ; )",
        true);
  races(R"(P0@cta 0,gpu 0       | P1@cta 1,gpu 0       ;
    ld.relaxed.gpu r0, y        | ld.weak r1, x        ;
    st.relaxed.gpu x, 1         | ld.relaxed.gpu r0, x ;
                                | beq r0, 0, LC00      ;
                                | st.relaxed.gpu y, 1  ;
                                | LC00:                ; )",
        true);
}

TEST_CASE("every instruction of the dialect is generated") {
  std::set<opcode> codes;
  std::set<std::pair<opcode, operation>> operations;
  std::set<std::pair<opcode, memory_order>> orders;
  std::set<std::pair<opcode, scope>> scopes;
  std::set<comparison> comparisons;
  bool resource = false, quorum = false;
  for (std::uint32_t seed = 1; seed <= 1500; ++seed) {
    const program p = parse(naive::generate(seed, {seed % 2 == 0, seed % 4 >= 2}), "generated");
    for (const thread& t : p.threads) {
      for (const instruction& i : t.instructions) {
        codes.insert(i.code);
        operations.emplace(i.code, i.operation);
        orders.emplace(i.code, i.order);
        scopes.emplace(i.code, i.scope);
        if (i.code == opcode::branch) comparisons.insert(i.comparison);
        resource = resource || i.resource.has_value();
        quorum = quorum || i.quorum.has_value();
      }
    }
  }
  CHECK(codes.size() == 11);
  const auto count = [](const auto& all, opcode code) {
    return std::ranges::count_if(all, [&](const auto& one) { return one.first == code; });
  };
  CHECK(count(operations, opcode::atom) == 7);  // add, sub, and, or, xor, exch, cas
  CHECK(count(operations, opcode::red) == 5);
  CHECK(count(operations, opcode::arithmetic) == 4);
  CHECK(count(orders, opcode::load) == 3);
  CHECK(count(orders, opcode::store) == 3);
  CHECK(count(orders, opcode::atom) == 4);
  CHECK(count(orders, opcode::red) == 4);
  CHECK(count(orders, opcode::fence) == 4);
  for (const opcode code : {opcode::load, opcode::store}) CHECK(count(scopes, code) == 5);
  for (const opcode code : {opcode::atom, opcode::red, opcode::fence}) {
    CHECK(count(scopes, code) == 4);
  }
  CHECK(comparisons.size() == 6);
  CHECK(resource);
  CHECK(quorum);
}
