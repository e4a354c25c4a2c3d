// Sequential consistency: the axioms against a plain interpreter.
#include "tests/litmus/sequential.hpp"

#include <doctest/doctest.h>

#include <string>

#include "litmus/answer.hpp"
#include "litmus/read/parser.hpp"
#include "tests/litmus/generate.hpp"
#include "tests/tier.hpp"

using namespace litmus;

namespace {

const candidate_options sequential{memory_model::sc, {}};

std::set<std::vector<value>> outcomes_by_axioms(const program& p) {
  std::set<std::vector<value>> all;
  for (const outcome& one : evaluate(p, sequential).outcomes) all.insert(one.values);
  return all;
}

}  // namespace

TEST_CASE("one instruction after the other, as an interpreter has it") {
  const auto [first, end] =
      test::due_programs(3000, "WARPCHECK_GENERATED", "WARPCHECK_GENERATED_SEED");
  std::size_t several = 0;
  for (std::uint32_t seed = first + 1; seed <= end; ++seed) {
    const std::string text = naive::generate(seed, {seed % 2 == 0, seed % 4 >= 2});
    CAPTURE(seed);
    CAPTURE(text);
    const program p = parse(text, "generated");
    const answer found = evaluate(p, sequential);
    if (!found.covered.all) continue;
    const auto outcomes = naive::run_sequentially(p, found.observed);
    CHECK(outcomes_by_axioms(p) == outcomes);
    several += outcomes.size() > 1 ? 1 : 0;
  }
  CHECK(several > (end - first) / 4);
}

// Until its register is known, P1's barrier may be one that P0 waits for.
TEST_CASE("a barrier waits for those whose resource might have been its own") {
  const auto holds = [](const char* condition) {
    const program p = parse(std::string(R"(PTX t {} P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;
      bar.cta.sync 1, 0   | ld.relaxed.cta r0, x ;
      st.relaxed.cta x, 1 | bar.cta.sync 1, r0   ; exists )") +
                                condition,
                            "t");
    const answer found = evaluate(p, sequential);
    CHECK(outcomes_by_axioms(p) == naive::run_sequentially(p, found.observed));
    return found.holds;
  };
  CHECK(holds("(P1:r0 == 1)") == false);
  CHECK(holds("(P1:r0 == 0)") == true);
}
