// Searches in grids that no exploration gets to the end of: 8 warps of 32 lanes.
#include <doctest/doctest.h>

#include <string>

#include "checker/report/report.hpp"
#include "checker/search/search.hpp"

namespace {

using warpcheck::search_kind;
using warpcheck::verdict;

constexpr search_kind kinds[] = {search_kind::random, search_kind::pct, search_kind::swarm};

warpcheck::scenario large(const std::string& subject, simt::reconvergence model) {
  warpcheck::scenario what;
  what.file = "large.toml";
  what.subject = subject;
  what.grid.lanes.assign(8, 32);
  warpcheck::run_settings how;
  how.machine.reconvergence = model;
  what.runs.push_back(how);
  return what;
}

warpcheck::search_options options_of(search_kind kind, std::uint64_t runs) {
  warpcheck::search_options options;
  options.kind = kind;
  options.runs = runs;
  return options;
}

void finds(const std::string& subject, simt::reconvergence model, verdict expected) {
  const warpcheck::scenario what = large(subject, model);
  warpcheck::session run(what, what.runs.front());
  for (const search_kind kind : kinds) {
    CAPTURE(subject);
    CAPTURE(name(kind));
    warpcheck::limits bounds;
    bounds.first = true;
    const warpcheck::run_result got = search(run, bounds, options_of(kind, 200));
    CHECK(name(got.gravest) == name(expected));
    warpcheck::names named(run);
    const auto shown = warpcheck::show_all(run, named, got);  // replays
    REQUIRE(shown.size() == 1);
    // The run that found it can be made alone.
    REQUIRE(got.search->found.size() == 1);
    warpcheck::search_options alone = options_of(kind, 1);
    alone.seed = got.search->found.front().seed;
    const warpcheck::run_result again = search(run, bounds, alone);
    REQUIRE(again.violations.size() == 1);
    CHECK(again.violations.front().how.prefix == got.violations.front().how.prefix);
  }
}

}  // namespace

TEST_CASE("wrong programs at 8 warps of 32 lanes are found") {
  using enum simt::reconvergence;
  finds("locks/tas", stack, verdict::simt_deadlock);
  finds("locks/ticket", stack, verdict::simt_deadlock);
  finds("locks/ttas", stack, verdict::simt_deadlock);
  finds("locks/never_released", its, verdict::deadlock);
  finds("locks/no_exclusion", its, verdict::assertion);
  finds("barriers/syncthreads_in_both_arms", its, verdict::barrier_divergence);
}

TEST_CASE("where nothing is wrong, nothing is found, and that is not ok") {
  const warpcheck::scenario what = large("locks/tas_done_flag", simt::reconvergence::stack);
  warpcheck::session run(what, what.runs.front());
  for (const search_kind kind : kinds) {
    CAPTURE(name(kind));
    const warpcheck::run_result got = search(run, {}, options_of(kind, 3));
    CHECK(got.violations.empty());
    CHECK(got.gravest == verdict::inconclusive);
    CHECK_FALSE(got.complete);
    CHECK(got.search->runs == 3);
    CHECK(got.search->bound.has_value() == (kind == search_kind::pct));
  }
}

TEST_CASE("the same seed gives the same search, another seed another one") {
  const warpcheck::scenario what = large("locks/tas", simt::reconvergence::its);
  for (const search_kind kind : kinds) {
    CAPTURE(name(kind));
    warpcheck::session first_run(what, what.runs.front());
    warpcheck::session second_run(what, what.runs.front());
    const auto first = search(first_run, {}, options_of(kind, 4)).search;
    const auto second = search(second_run, {}, options_of(kind, 4)).search;
    CHECK(first->steps == second->steps);
    CHECK(first->longest == second->longest);
    CHECK(first->completed == second->completed);
    warpcheck::search_options other = options_of(kind, 4);
    other.seed = 1'000;
    CHECK(search(second_run, {}, other).search->steps != first->steps);
  }
}
