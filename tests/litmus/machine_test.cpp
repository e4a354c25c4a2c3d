// The machine of sim/memory against the axioms, on generated programs. The machine carries out
// instructions in program order, so it is compared with executions in which no store is read before
// the instructions in front of it are carried out.
#include <doctest/doctest.h>

#include <cstdlib>
#include <set>
#include <string>

#include "litmus/analysis.hpp"
#include "litmus/answer.hpp"
#include "litmus/parser.hpp"
#include "tests/litmus/generate.hpp"
#include "tests/litmus/machine.hpp"

using namespace litmus;

namespace {

/// Whether events can be put in an order that program order, reads-from, fence.sc order and
/// barriers agree with. A barrier is two events: to arrive, and to go on.
bool has_order(const execution& x, const relations& r, const completion& with) {
  const std::uint32_t n = x.size();
  relation edges(2 * n);
  for (event_id a = 0; a < n; ++a) {
    edges.insert(a, a + n);
    for (event_id b = 0; b < n; ++b) {
      if (r.program_order(a, b) || r.reads_from(a, b) || with.sc(a, b)) edges.insert(a + n, b);
      if (with.barriers(a, b)) edges.insert(a, b + n);
    }
  }
  return edges.acyclic();
}

struct ordered_result {
  std::set<std::vector<value>> outcomes;
  bool race = false;
  bool all = true;  // no execution is without an order
};

bool has_race(const execution& x, const relations& r, const completion& with) {
  const relation cause = causality(r, base_causality(r, with, {}), {});
  for (event_id a = 0; a < x.size(); ++a) {
    for (event_id b = 0; b < x.size(); ++b) {
      const event &one = x.events[a], &other = x.events[b];
      if (one.thread == no_thread || other.thread == no_thread || one.thread == other.thread)
        continue;
      if (!contains(x.present, a) || !contains(x.present, b)) continue;
      if (!r.same_location(a, b) || r.morally_strong(a, b)) continue;
      if ((one.stores() || other.stores()) && !cause(a, b) && !cause(b, a)) return true;
    }
  }
  return false;
}

ordered_result ordered_executions(const program& p, const std::vector<variable>& observed) {
  ordered_result result;
  const analysis known = analyse(p);
  const bool with_stuck = false;
  for_each_candidate(p, known, {}, with_stuck, [&](const unfolding& u) {
    const execution& x = u.so_far();
    const relations r = derive(x, {});
    for_each_allowed(x, 0, memory_model::ptx, {}, [&](const completion& with) {
      if (!has_order(x, r, with)) {
        result.all = false;
        return true;
      }
      result.race = result.race || has_race(x, r, with);
      std::vector<value> values;
      for (const variable& v : observed) {
        if (v.is_register) {
          values.push_back(u.register_value(v.thread, v.index));
          continue;
        }
        const event_set stores = x.stores();
        for_each(stores, [&](event_id e) {
          if (x.events[e].location == v.index && (with.coherence.of(e) & stores) == 0) {
            values.push_back(x.events[e].value.value_or(0));
          }
        });
      }
      if (values.size() == observed.size()) result.outcomes.insert(values);
      return true;
    });
    return true;
  });
  return result;
}

}  // namespace

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
    const ordered_result wanted = ordered_executions(p, observed);
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
    buffered += ordered_executions(p, wanted.observed).outcomes != outcomes ? 1 : 0;
  }
  MESSAGE(programs, " programs: ", race_free, " without races (", buffered,
          " with outcomes by load buffering), ", racy, " with");
}
