// Answers about progress on random graphs, compared with an oracle that searches for closed walks;
// and the lassos that show them, taken apart.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "checker/claims/questions.hpp"
#include "checker/claims/step_bounds.hpp"
#include "tests/claims/oracle.hpp"
#include "tests/claims/random_graph.hpp"

namespace {

using warpcheck::graph_lasso;
using warpcheck::guarantee;
using warpcheck::operation_graph;
using warpcheck::state_id;

constexpr std::uint64_t graphs = 20'000;

constexpr guarantee all_guarantees[] = {guarantee::wait_free, guarantee::lock_free,
                                        guarantee::obstruction_free, guarantee::blocking};

/// Follows a lasso; the states of its cycle, and where it ends.
struct followed {
  bool is_way = true;
  state_id end = 0;
  std::vector<state_id> round;  // the states that the cycle begins its steps in
  std::vector<std::uint32_t> steps;

  followed(const operation_graph& graph, const graph_lasso& lasso) {
    for (const std::uint64_t e : lasso.prefix) take(graph, e);
    const state_id home = end;
    for (const std::uint64_t e : lasso.cycle) {
      round.push_back(end);
      steps.push_back(graph.edges[e].step);
      take(graph, e);
    }
    is_way = is_way && end == home;
  }

 private:
  void take(const operation_graph& graph, std::uint64_t e) {
    is_way = is_way && graph.first[end] <= e && e < graph.first[end + 1] &&
             graph.edges[e].to != operation_graph::no_state;
    end = graph.edges[e].to;
  }
};

/// Nobody's accesses of a location are all stale, and nothing is promised all the time.
bool has_fair_memory(const operation_graph& graph, const followed& run) {
  std::set<std::uint32_t> stale, fresh;
  for (const std::uint32_t s : run.steps) {
    const warpcheck::graph_step& step = graph.steps[s];
    if (step.access == warpcheck::graph_step::no_access) continue;
    (step.is_stale ? stale : fresh).insert(step.access);
  }
  return std::ranges::includes(fresh, stale) &&
         std::ranges::any_of(run.round, [&](state_id s) { return !graph.status(s).promised; });
}

bool is_fair(const operation_graph& graph, const followed& run) {
  for (std::uint32_t unit = 0; unit < graph.units; ++unit) {
    bool served = false;
    for (std::size_t i = 0; i < run.round.size(); ++i) {
      const auto& units = graph.steps[run.steps[i]].units;
      served = served || std::ranges::find(units, unit) != units.end();
      const state_id s = run.round[i];
      served = served || (!graph.status(s).awaits_choice &&
                          (graph.status(s).owed[unit] == 0 || !graph.is_enabled(unit, s)));
    }
    if (!served) return false;
  }
  return true;
}

bool completes(const operation_graph& graph, const followed& run, std::uint32_t client) {
  return std::ranges::any_of(run.steps, [&](std::uint32_t step) {
    return std::ranges::count(graph.steps[step].completes, client) != 0;
  });
}

bool completes_something(const operation_graph& graph, const followed& run) {
  return std::ranges::any_of(
      run.steps, [&](std::uint32_t step) { return !graph.steps[step].completes.empty(); });
}

bool is_evidence(const operation_graph& graph, const graph_lasso& lasso, guarantee broken) {
  const followed run(graph, lasso);
  if (!run.is_way) return false;
  if (lasso.cycle.empty() && graph.status(run.end).promised) return false;
  if (!lasso.cycle.empty() && !has_fair_memory(graph, run)) return false;
  if (lasso.cycle.empty()) {
    if (broken == guarantee::blocking) return graph.out(run.end).empty();
    return graph.is_pending(lasso.who, run.end) && !graph.is_enabled(lasso.who, run.end);
  }
  switch (broken) {
    case guarantee::wait_free: {
      bool steps = false;
      for (const std::uint32_t step : run.steps) {
        const auto& units = graph.steps[step].units;
        steps = steps || std::ranges::find(units, graph.unit_of[lasso.who]) != units.end();
      }
      return steps && graph.status(run.end).pending[lasso.who] != 0 &&
             !completes(graph, run, lasso.who);
    }
    case guarantee::lock_free: return !completes_something(graph, run);
    case guarantee::obstruction_free:
      return !completes_something(graph, run) &&
             std::ranges::all_of(run.steps, [&](std::uint32_t step) {
               const auto& units = graph.steps[step].units;
               return (units.empty() || std::ranges::find(units, lasso.who) != units.end()) &&
                      graph.steps[step].by.what != simt::choice::kind::promise;
             });
    case guarantee::blocking: break;
  }
  return !completes_something(graph, run) && is_fair(graph, run);
}

/// Whether the run is one of the graph, keeps its promises, and goes beyond the bound or ends where
/// the client can take no step.
bool is_beyond(const operation_graph& graph, const graph_lasso& run,
               warpcheck::counted_operation what, std::uint32_t bound) {
  state_id at = 0;
  bool inside = !what.operation, exceeds = false;
  std::uint32_t steps = 0;
  for (const std::uint64_t e : run.prefix) {
    if (e < graph.first[at] || e >= graph.first[at + 1]) return false;
    const auto& step = graph.steps[graph.edges[e].step];
    for (const auto& call : step.calls) {
      if (!what.operation || call.client != what.client || call.operation != *what.operation) {
        continue;
      }
      inside = true;
      steps = 0;
    }
    for (const std::uint32_t c : step.counts) steps += inside && c == what.client ? 1 : 0;
    exceeds = exceeds || (inside && steps > bound);
    for (const std::uint32_t c : step.completes) inside = inside && c != what.client;
    at = graph.edges[e].to;
    if (at == operation_graph::no_state) return false;
  }
  if (graph.status(at).promised || !run.cycle.empty()) return false;
  const bool blocked = inside && graph.status(at).pending[what.client] != 0 &&
                       !graph.is_enabled(graph.unit_of[what.client], at);
  return exceeds || blocked;
}

}  // namespace

TEST_CASE("answers about progress are those of an oracle") {
  std::uint32_t broken[4] = {}, starving = 0, livelocked = 0, dead = 0;
  for (std::uint64_t seed = 1; seed <= graphs; ++seed) {
    CAPTURE(seed);
    const test::random_graph made(seed);
    const operation_graph& graph = made.graph;
    warpcheck::progress_questions questions(graph);
    const test::progress_oracle oracle(graph);
    for (const guarantee g : all_guarantees) {
      CAPTURE(warpcheck::name(g));
      const auto found = questions.breaks(g);
      REQUIRE(found.has_value() == oracle.breaks(g));
      if (!found) continue;
      ++broken[static_cast<std::size_t>(g)];
      REQUIRE(is_evidence(graph, *found, g));
    }
    const auto starvation = questions.starvation();
    REQUIRE(starvation.has_value() == oracle.starves());
    if (starvation) {
      ++starving;
      const followed run(graph, *starvation);
      REQUIRE(run.is_way);
      REQUIRE(is_fair(graph, run));
      REQUIRE(has_fair_memory(graph, run));
      REQUIRE(!completes(graph, run, starvation->who));
      REQUIRE(completes_something(graph, run));
      REQUIRE(graph.status(run.end).pending[starvation->who] != 0);
    }
    const auto livelock = questions.livelock();
    REQUIRE(livelock.has_value() == oracle.livelocks());
    if (livelock) {
      ++livelocked;
      const followed run(graph, *livelock);
      REQUIRE(run.is_way);
      REQUIRE(is_fair(graph, run));
      REQUIRE(has_fair_memory(graph, run));
      REQUIRE(!completes_something(graph, run));
    }
    for (std::uint32_t client = 0; client < graph.clients(); ++client) {
      for (state_id s = 0; s < graph.size(); ++s) {
        const bool can = questions.can_complete(client, s);
        REQUIRE(can == oracle.can_complete(client, s));
        dead += can ? 0 : 1;
      }
    }
  }
  // Each answer occurs often enough to be compared.
  for (const std::uint32_t count : broken) CHECK((count > 500 && count < graphs - 500));
  CHECK(starving > 200);
  CHECK(livelocked > 200);
  CHECK(dead > 1000);
}

TEST_CASE("the most steps of an operation are those of an oracle") {
  std::uint32_t bounded = 0, without = 0, beyond = 0;
  for (std::uint64_t seed = 1; seed <= 4'000; ++seed) {
    CAPTURE(seed);
    const test::random_graph made(seed);
    const operation_graph& graph = made.graph;
    warpcheck::recurrences runs(graph);
    warpcheck::step_counts counts(graph, runs);
    const test::progress_oracle oracle(graph);
    for (std::uint32_t client = 0; client < graph.clients(); ++client) {
      for (std::uint32_t number = 0; number <= test::random_graph::operations; ++number) {
        const bool is_body = number == test::random_graph::operations;
        const warpcheck::counted_operation what{
            client, is_body ? std::nullopt : std::optional<std::uint32_t>(number)};
        CAPTURE(client);
        CAPTURE(number);
        const auto most = counts.most(what);
        REQUIRE(most == oracle.most_steps(client, what.operation));
        ++(most && *most > 0 ? bounded : without);
        for (std::uint32_t bound = 0; bound < 4; ++bound) {
          const auto found = counts.beyond(what, bound);
          REQUIRE(found.has_value() == (!most || *most > bound));
          if (!found) continue;
          ++beyond;
          REQUIRE(is_beyond(graph, *found, what, bound));
        }
      }
    }
  }
  CHECK(bounded > 100);
  CHECK(without > 500);
  CHECK(beyond > 500);
}

TEST_CASE("a stronger guarantee implies the weaker ones") {
  for (std::uint64_t seed = 1; seed <= 2'000; ++seed) {
    CAPTURE(seed);
    const test::random_graph made(seed);
    warpcheck::progress_questions questions(made.graph);
    const bool wait_free = !questions.breaks(guarantee::wait_free);
    const bool lock_free = !questions.breaks(guarantee::lock_free);
    const bool obstruction_free = !questions.breaks(guarantee::obstruction_free);
    CHECK((!wait_free || lock_free));
    CHECK((!lock_free || obstruction_free));
  }
}
