// Loops, and whether every execution ends.
#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include "litmus/answer.hpp"
#include "litmus/read/parser.hpp"

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
  const answer found = of("{} P0@cta 0,gpu 0; LC00: goto LC00; exists (0 == 0)");
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

// In the last round the acquire load has seen the release; in those before it has not.
TEST_CASE("a race in a round that changes nothing") {
  const answer found =
      of("{} P0@cta 0,gpu 0 | P1@cta 1,gpu 0; LC00: | st.weak x, 1; ld.acquire.gpu r0, y |"
         "st.release.gpu y, 1; ld.weak r1, x | ; bne r0, 1, LC00 | ; forall (P0:r1 == 1)");
  CHECK(found.holds == true);
  CHECK(found.terminates == true);
  CHECK(found.executions == 1);
  REQUIRE(found.races.size() == 1);
  CHECK(found.races[0].instruction == 1);
  CHECK(found.races_covered);
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

// A loop that changes nothing in a round has no more outcomes than one round of it; and none fewer.
TEST_CASE("spins have the outcomes of their rounds written out") {
  const std::vector<std::string> spins{"ld.relaxed.gpu r9, y",
                                       "ld.acquire.gpu r9, y",
                                       "ld.weak r9, y",
                                       "atom.relaxed.gpu.cas r9, y, 1, 0",
                                       "atom.acq_rel.sys.cas r9, y, 1, 2",
                                       "atom.acquire.gpu.exch r9, y, 0"};
  const std::vector<std::string> before{"", "st.relaxed.gpu x, 2;", "fence.sc.gpu;"};
  const std::vector<std::string> behind{"ld.relaxed.gpu r1, x", "st.release.gpu x, 1",
                                        "atom.relaxed.gpu.add r1, y, 1"};
  const std::vector<std::string> other{
      "st.relaxed.gpu x, 1; st.release.gpu y, 1", "st.release.gpu y, 1; ld.relaxed.gpu r2, x",
      "atom.release.gpu.exch r2, y, 1; fence.sc.gpu; ld.weak r3, x",
      "ld.acquire.gpu r2, x; st.relaxed.sys y, 1"};
  const auto text = [](const std::string& first, const std::string& second) {
    // The second thread's rows, behind the first one's.
    std::string rows;
    for (const char c : second) rows += c == ';' ? std::string(";|") : std::string(1, c);
    return "{} P0@cta 0,gpu 0 | P1@cta 1,gpu 0;" + first + ";|" + rows + "; exists (0 == 0)";
  };
  const auto outcomes = [&](const std::string& written) {
    const answer found = of(written);
    std::set<std::vector<value>> values;
    CHECK(found.covered.all);
    for (const outcome& one : found.outcomes) values.insert(one.values);
    return values;
  };
  for (const std::string& spin : spins) {
    for (const std::string& start : before) {
      for (const std::string& end : behind) {
        for (const std::string& second : other) {
          const std::string loop = start + "LC0:" + spin + "; bne r9, 1, LC0;" + end;
          std::string rounds = start;
          for (int i = 0; i < 3; ++i) rounds += spin + "; beq r9, 1, LC2;";
          rounds += "LC1: goto LC1; LC2:" + end;
          CAPTURE(loop);
          CAPTURE(second);
          CHECK(outcomes(text(loop, second)) == outcomes(text(rounds, second)));
        }
      }
    }
  }
}

TEST_CASE("a spin on a compare-and-swap before a fence") {
  const std::string text = R"({} P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;
    st.relaxed.sys sum, 1  | LC00: ;
    fence.sc.gpu           | atom.relaxed.sys.cas r1, flag, 1, 0 ;
    st.relaxed.sys flag, 1 | beq r1, 0, LC00 ;
                           | fence.sc.gpu ;
                           | ld.relaxed.sys r2, sum ;
    exists (P1:r1 == 1 /\ P1:r2 != 1))";
  const answer found = of(text);
  CHECK(found.holds == false);
  CHECK(found.terminates == true);
}
