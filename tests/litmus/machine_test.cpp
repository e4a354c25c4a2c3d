// The machine of sim/memory against the axioms, on generated programs. The machine carries out
// instructions in program order, so it is compared with executions in which no store is read before
// the instructions in front of it are carried out.
#include <doctest/doctest.h>

#include <cstdlib>
#include <set>
#include <string>

#include "litmus/answer.hpp"
#include "litmus/parser.hpp"
#include "tests/litmus/executions.hpp"
#include "tests/litmus/generate.hpp"
#include "tests/litmus/machine.hpp"

using namespace litmus;

TEST_CASE("the machine has the outcomes and races of the axioms, less load buffering") {
  const char* const more = std::getenv("WARPCHECK_GENERATED");
  const char* const start = std::getenv("WARPCHECK_GENERATED_FIRST");
  const std::uint32_t programs =
      more != nullptr ? static_cast<std::uint32_t>(std::strtoul(more, nullptr, 10)) : 1500;
  const std::uint32_t first =
      start != nullptr ? static_cast<std::uint32_t>(std::strtoul(start, nullptr, 10)) : 1;
  std::size_t race_free = 0, racy = 0, several = 0;
  for (std::uint32_t seed = first; seed < first + programs; ++seed) {
    const std::string text = naive::generate(seed);
    CAPTURE(seed);
    CAPTURE(text);
    const program p = parse(text, "generated");
    const std::vector<variable> observed = evaluate(p, {}).observed;
    const naive::executions_answer wanted = naive::executions_of(p, observed).in_order;
    const naive::machine_result found = naive::run_on_machine(p, observed, false);
    CHECK(found.race == wanted.race);
    if (wanted.race) {
      ++racy;
      continue;
    }
    ++race_free;
    CHECK(found.outcomes == wanted.outcomes);
    several += wanted.outcomes.size() > 1 ? 1 : 0;
  }
  MESSAGE(programs, " programs: ", race_free, " without races (", several,
          " with several outcomes), ", racy, " with");
  CHECK(race_free > programs / 20);
}

TEST_CASE("with promises the machine has all outcomes and races of the axioms") {
  const char* const more = std::getenv("WARPCHECK_GENERATED");
  const char* const start = std::getenv("WARPCHECK_GENERATED_FIRST");
  const std::uint32_t programs =
      more != nullptr ? static_cast<std::uint32_t>(std::strtoul(more, nullptr, 10)) : 500;
  const std::uint32_t first =
      start != nullptr ? static_cast<std::uint32_t>(std::strtoul(start, nullptr, 10)) : 1;
  std::size_t race_free = 0, racy = 0, buffered = 0;
  for (std::uint32_t seed = first; seed < first + programs; ++seed) {
    const std::string text = naive::generate(seed, seed % 2 == 0);
    CAPTURE(seed);
    CAPTURE(text);
    const program p = parse(text, "generated");
    const answer wanted = evaluate(p, {});
    const naive::machine_result found = naive::run_on_machine(p, wanted.observed, true);
    CHECK(found.race == !wanted.races.empty());
    if (!wanted.races.empty()) {
      ++racy;
      continue;
    }
    ++race_free;
    std::set<std::vector<value>> outcomes;
    for (const outcome& one : wanted.outcomes) outcomes.insert(one.values);
    CHECK(found.outcomes == outcomes);
    const naive::executions_result executions = naive::executions_of(p, wanted.observed);
    CHECK(executions.all.outcomes == outcomes);
    buffered += executions.in_order.outcomes != outcomes ? 1 : 0;
  }
  MESSAGE(programs, " programs: ", race_free, " without races (", buffered,
          " with outcomes by load buffering), ", racy, " with");
}
