// The evaluator against the naive model (naive.hpp), on generated programs: the same outcomes, and
// the same verdict on races.
#include <doctest/doctest.h>

#include <array>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "litmus/answer.hpp"
#include "litmus/read/parser.hpp"
#include "tests/litmus/generate.hpp"
#include "tests/litmus/naive.hpp"
#include "tests/tier.hpp"

using namespace litmus;

namespace {

std::set<std::vector<value>> outcomes_of(const answer& a) {
  std::set<std::vector<value>> all;
  for (const outcome& one : a.outcomes) all.insert(one.values);
  return all;
}

}  // namespace

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
    CHECK(outcomes_of(found) == wanted.outcomes);
    CHECK(found.races.empty() == !wanted.race);
    CHECK(found.terminates == true);
    racy += wanted.race ? 1 : 0;
    several += wanted.outcomes.size() > 1 ? 1 : 0;
  }
  CHECK(racy > programs / 10);
  CHECK(racy < programs);
  CHECK(several > programs / 2);
}

// How often each rule matters is counted: a program without proxies would agree as well.
TEST_CASE("generated programs with proxies have the outcomes and races of the naive model") {
  const auto [first, end] =
      test::due_programs(20000, "WARPCHECK_GENERATED", "WARPCHECK_GENERATED_SEED");
  const std::size_t programs = end - first;
  std::size_t more_by_proxies = 0, fewer_by_fences = 0, racy = 0;
  for (std::uint32_t seed = first + 1; seed <= end; ++seed) {
    const std::string text = naive::generate_with_proxies(seed);
    CAPTURE(seed);
    CAPTURE(text);
    const program p = parse(text, "generated");
    const answer found = evaluate(p, {});
    REQUIRE(found.covered.all);
    if (found.undefined) continue;  // too many arrivals
    const naive::result wanted = naive::run(p, found.observed);
    CHECK(outcomes_of(found) == wanted.outcomes);
    CHECK(found.races.empty() == !wanted.race);
    CHECK(found.terminates == true);
    candidate_options generic, unfenced;
    generic.rules.proxies_are_told_apart = generic.rules.addresses_are_told_apart = false;
    unfenced.rules.proxy_fence_behind_source = unfenced.rules.proxy_fence_before_target = false;
    unfenced.rules.alias_fence_orders_aliases = false;
    more_by_proxies += evaluate(p, generic).outcomes.size() < found.outcomes.size() ? 1 : 0;
    fewer_by_fences += evaluate(p, unfenced).outcomes.size() > found.outcomes.size() ? 1 : 0;
    racy += wanted.race ? 1 : 0;
  }
  MESSAGE(programs, " programs: ", more_by_proxies, " have more outcomes than with one proxy, ",
          fewer_by_fences, " fewer than without proxy fences, ", racy, " races");
  CHECK(more_by_proxies > programs / 5);
  CHECK(fewer_by_fences > programs / 20);
  CHECK(racy < programs);
}

// Otherwise the comparison would not notice that one is missing.
TEST_CASE("the generated programs with proxies show each clause of proxies and one-way fences") {
  constexpr auto shown = std::to_array<bool clauses::*>({
      &clauses::proxies_are_told_apart,
      &clauses::addresses_are_told_apart,
      &clauses::morally_strong_is_of_one_proxy,
      &clauses::morally_strong_is_of_one_address,
      &clauses::same_proxy_needs_no_fence,
      &clauses::same_proxy_is_of_one_cta,
      &clauses::proxy_fence_behind_source,
      &clauses::proxy_fence_before_target,
      &clauses::proxy_fence_is_of_its_proxy,
      &clauses::proxy_fence_is_of_its_cta,
      &clauses::proxy_fences_are_in_order,
      &clauses::program_order_leads_to_proxy_fences,
      &clauses::alias_fence_orders_aliases,
      &clauses::alias_fence_is_behind_proxy_fence,
      &clauses::alias_fence_is_before_proxy_fence,
      &clauses::fence_release_releases,
      &clauses::fence_acquire_acquires,
      &clauses::fence_release_only_releases,
      &clauses::cluster_barriers_are_of_one_cluster,
      &clauses::cluster_waits_are_no_sources,
      &clauses::relaxed_arrivals_order_nothing,
      &clauses::fence_then_relaxed_arrival,
      &clauses::fence_is_before_arrival,
      &clauses::copies_are_behind_their_issue,
      &clauses::issuing_leads_nowhere_else,
  });
  constexpr std::uint32_t most_programs = 5000;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    CAPTURE(i);
    bool differs = false;
    for (std::uint32_t seed = 1; seed <= most_programs && !differs; ++seed) {
      const program p = parse(naive::generate_with_proxies(seed), "generated");
      candidate_options without;
      without.rules.*shown[i] = false;
      differs = outcomes_of(evaluate(p, {})) != outcomes_of(evaluate(p, without));
    }
    CHECK(differs);
  }
}
