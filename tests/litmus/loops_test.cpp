// Loops, and whether every execution ends.
#include <doctest/doctest.h>

#include <string>

#include "litmus/answer.hpp"
#include "litmus/parser.hpp"

using namespace litmus;

namespace {

answer of(const std::string& text, std::uint32_t rounds = 4) {
  candidate_options options;
  options.rounds = rounds;
  return evaluate(parse("PTX t\n" + text, "t.litmus"), options);
}

/// Two threads that take a lock once, by these two ways to write `lock:`.
std::string lock(const std::string& take, const std::string& release) {
  std::string text = "{} P0@cta 0,gpu 0 | P1@cta 1,gpu 0; LC00: | LC00:;";
  text += take + "|" + take + "; bne r1, 0, LC00 | bne r1, 0, LC00;";
  text += "ld.weak r2, x | ld.weak r2, x; add r2, r2, 1 | add r2, r2, 1;";
  text += "st.weak x, r2 | st.weak x, r2;" + release + "|" + release + ";";
  return text + "forall (x == 2)";
}

}  // namespace

TEST_CASE("spin locks on a compare-and-swap or an exchange are decided") {
  for (const std::string take :
       {"atom.acquire.gpu.cas r1, m, 0, 1", "atom.acquire.gpu.exch r1, m, 1"}) {
    CAPTURE(take);
    const answer right = of(lock(take, "st.release.gpu m, 0"));
    CHECK(right.holds == true);
    CHECK(right.terminates == true);
    CHECK(right.races.empty());
    CHECK(right.covered.all);
    const answer unfenced = of(lock(take, "st.relaxed.gpu m, 0"));
    CHECK(unfenced.holds == false);
    CHECK(!unfenced.races.empty());
    CHECK(unfenced.terminates == true);
    const answer narrow = of(lock(take, "st.release.cta m, 0"));
    CHECK(narrow.holds == false);
  }
}

TEST_CASE("a lock that nobody releases") {
  const answer found = of(lock("atom.acquire.gpu.exch r1, m, 1", "ld r0, 0"));
  CHECK(found.executions == 0);
  CHECK(found.terminates == false);
}

TEST_CASE("two locks in opposite orders") {
  const answer found = of(R"({} P0@cta 0,gpu 0                  | P1@cta 1,gpu 0 ;
    LC00:                              | LC00: ;
    atom.acquire.gpu.cas r1, a, 0, 1   | atom.acquire.gpu.cas r1, b, 0, 1 ;
    bne r1, 0, LC00                    | bne r1, 0, LC00 ;
    LC01:                              | LC01: ;
    atom.acquire.gpu.cas r2, b, 0, 1   | atom.acquire.gpu.cas r2, a, 0, 1 ;
    bne r2, 0, LC01                    | bne r2, 0, LC01 ;
    st.release.gpu b, 0                | st.release.gpu a, 0 ;
    st.release.gpu a, 0                | st.release.gpu b, 0 ;
    forall (a == 0 /\ b == 0))");
  CHECK(found.holds == true);
  CHECK(found.terminates == false);
}

TEST_CASE("a loop without loads never ends") {
  const answer found = of("{} P0@cta 0,gpu 0; LC00: goto LC00; exists (x == 0)");
  CHECK(found.executions == 0);
  CHECK(found.holds == false);
  CHECK(found.terminates == false);
}

TEST_CASE("a loop that counts is followed") {
  const std::string text =
      "{} P0@cta 0,gpu 0; LC00: ; red.relaxed.gpu.add x, 1; add r0, r0, 1; blt r0, 3, LC00;"
      "forall (x == 3)";
  CHECK(of(text).holds == true);
  CHECK(of(text).terminates == true);
  const answer cut = of(text, 1);
  CHECK(!cut.holds.has_value());
  CHECK(!cut.terminates.has_value());
  CHECK(cut.covered.loops_cut);
}

TEST_CASE("a loop that stores in each round is cut off, and that is said") {
  const answer found =
      of("{} P0@cta 0,gpu 0 | P1@cta 0,gpu 0; LC00: | st.relaxed.gpu y, 1; red.relaxed.gpu.add x, "
         "1 | ;"
         "ld.relaxed.gpu r0, y | ; beq r0, 0, LC00 | ; exists (x == 2)");
  CHECK(found.holds == true);
  CHECK(!found.terminates.has_value());
  CHECK(!found.covered.all);
}

// r1 is read before the loop is left, so rounds with different values are different.
TEST_CASE("registers that matter behind the loop") {
  const answer found =
      of("{} P0@cta 0,gpu 0 | P1@cta 0,gpu 0; LC00: | st.relaxed.gpu x, 1; ld.relaxed.gpu r1, x | "
         "st.release.gpu y, 1; ld.acquire.gpu r0, y | ; beq r0, 0, LC00 | ; exists (P0:r1 == 0)");
  CHECK(found.holds == true);
  CHECK(found.outcomes.size() == 2);
  CHECK(found.terminates == true);
}

TEST_CASE("a spin on weak loads ends too where memory is fair, and races") {
  const answer found =
      of("{} P0@cta 0,gpu 0 | P1@cta 1,gpu 0; LC00: | st.weak y, 1; ld.weak r0, y | ;"
         "beq r0, 0, LC00 | ; forall (P0:r0 == 1)");
  CHECK(found.holds == true);
  CHECK(found.terminates == true);
  CHECK(found.races.size() == 1);
}

// The spinning thread may stay with either of two stores that nothing orders.
TEST_CASE("a spin that reads one of two maximal stores for ever") {
  const answer found =
      of("{} P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 0; LC00: | st.weak y, 1 | st.weak y, 2;"
         "ld.weak r0, y | | ; bne r0, 1, LC00 | | ; forall (P0:r0 == 1)");
  CHECK(found.holds == true);
  CHECK(found.terminates == false);
}

TEST_CASE("numbers that leave 64 bits, and division by zero, are not answered") {
  CHECK(!of("{} P0@cta 0,gpu 0; div r0, 1, r1; exists (P0:r0 == 0)").holds.has_value());
  CHECK(!of("{} P0@cta 0,gpu 0; mul r0, 9223372036854775807, 2; exists (P0:r0 == 0)")
             .holds.has_value());
  // An execution that is not allowed does not matter.
  CHECK(of("{} P0@cta 0,gpu 0; st.weak x, 1; ld.weak r0, x; div r1, 4, r0; forall (P0:r1 == 4)")
            .holds == true);
}
