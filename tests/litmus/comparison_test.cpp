// The evaluator against the naive model (naive.hpp), on generated programs: the same outcomes, and
// the same verdict on races.
#include <doctest/doctest.h>

#include <cstdlib>
#include <set>
#include <string>

#include "litmus/answer.hpp"
#include "litmus/read/parser.hpp"
#include "tests/litmus/generate.hpp"
#include "tests/litmus/naive.hpp"

using namespace litmus;

TEST_CASE("generated programs have the outcomes and races of the naive model") {
  const char* const more = std::getenv("WARPCHECK_GENERATED");
  const std::uint32_t programs =
      more != nullptr ? static_cast<std::uint32_t>(std::strtoul(more, nullptr, 10)) : 1500;
  std::size_t racy = 0, several = 0;
  for (std::uint32_t seed = 1; seed <= programs; ++seed) {
    const std::string text = naive::generate(seed);
    CAPTURE(text);
    const program p = parse(text, "generated");
    const answer found = evaluate(p, {});
    REQUIRE(found.covered.all);
    const naive::result wanted = naive::run(p, found.observed);
    std::set<std::vector<value>> outcomes;
    for (const outcome& one : found.outcomes) outcomes.insert(one.values);
    CHECK(outcomes == wanted.outcomes);
    CHECK(found.races.empty() == !wanted.race);
    CHECK(found.terminates == true);
    racy += wanted.race ? 1 : 0;
    several += wanted.outcomes.size() > 1 ? 1 : 0;
  }
  CHECK(racy > programs / 10);
  CHECK(racy < programs);
  CHECK(several > programs / 2);
}
