// Claims, starvation, deadlocks and livelocks of generated programs, once and for ever, compared
// with an oracle on the graph that the naive machine makes of them.
//
// WARPCHECK_COMPARE_SEED, _FIRST and _COUNT choose other programs and more of them.
#include <doctest/doctest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include <fmt/format.h>

#include "checker/claims/check_progress.hpp"
#include "checker/report/report.hpp"
#include "tests/claims/naive_graph.hpp"
#include "tests/claims/oracle.hpp"
#include "tests/naive/emit.hpp"
#include "tests/naive/generate.hpp"
#include "tests/naive/session_of.hpp"
#include "tests/setting.hpp"
#include "tests/tier.hpp"

namespace {

using warpcheck::bit;
using warpcheck::decision;
using warpcheck::guarantee;
using warpcheck::verdict;

constexpr unsigned programs_in_a_header = 100;
constexpr std::size_t max_states = 1'500;

/// All progress models, weakly.
std::vector<naive::configuration> weak_variants(const naive::configuration& c) {
  std::vector<naive::configuration> all = naive::progress_variants(c);
  std::erase_if(all, [](const naive::configuration& one) { return one.strong; });
  return all;
}

bool returns_early(const naive::sequence& body) {
  return std::ranges::any_of(body, [](const naive::statement& s) {
    return s.kind == naive::statement_kind::return_body || returns_early(s.body) ||
           returns_early(s.otherwise) ||
           std::ranges::any_of(s.cases, [](const auto& one) { return returns_early(one.second); });
  });
}

/// Whether lanes meet at such an operation.
bool is_meeting(const naive::operation& op) {
  return op.kind >= naive::operation_kind::syncwarp &&
         op.kind <= naive::operation_kind::barrier_arrive;
}

/// Whether lanes meet somewhere in the program.
bool meets_others(const naive::sequence& body) {
  return std::ranges::any_of(body, [](const naive::statement& s) {
    const bool meets = (s.kind == naive::statement_kind::operate && is_meeting(s.op)) ||
                       (s.test.first && is_meeting(*s.test.first));
    return meets || meets_others(s.body) || meets_others(s.otherwise) ||
           std::ranges::any_of(s.cases, [](const auto& one) { return meets_others(one.second); });
  });
}

/// What the naive machine's graph says; deadlocks and livelocks only of clients that never end.
struct expected_answers {
  bool breaks[4] = {};
  bool starves = false;
  warpcheck::verdict_set stuck = 0;
};

expected_answers expect(const naive::program& p, const naive::configuration& c, bool never_ends) {
  const test::naive_graph naive(p, c, never_ends, {}, max_states);
  const test::progress_oracle oracle(naive.graph);
  expected_answers result;
  for (unsigned g = 0; g < 4; ++g) result.breaks[g] = oracle.breaks(static_cast<guarantee>(g));
  result.starves = oracle.starves();
  if (!never_ends) return result;
  if (oracle.livelocks()) result.stuck |= bit(verdict::livelock);
  struct dead_state {
    std::vector<std::uint32_t> stuck;  // clients
    std::vector<naive::state> free;    // the same without the stack
  };
  naive::configuration its = c;
  its.reconvergence = naive::reconvergence::its;
  const naive::machine independent(p, its);
  std::vector<dead_state> dead;
  std::vector<naive::state> roots;
  for (warpcheck::state_id s = 0; s < naive.graph.size(); ++s) {
    dead_state one;
    for (std::uint32_t client = 0; client < naive.graph.clients(); ++client) {
      const bool left = naive.graph.status(s).left[client] != 0;
      if (left && !oracle.can_complete(client, s)) one.stuck.push_back(client);
    }
    if (one.stuck.empty()) continue;
    one.free = independent.without_stack(naive.state(s));
    roots.insert(roots.end(), one.free.begin(), one.free.end());
    dead.push_back(std::move(one));
  }
  if (dead.empty()) return result;
  if (c.reconvergence == naive::reconvergence::its) {
    result.stuck |= bit(verdict::deadlock);
    return result;
  }
  const test::naive_graph free(p, its, true, roots, 10 * max_states);
  const test::progress_oracle after(free.graph);
  for (const dead_state& one : dead) {
    const bool released = std::ranges::all_of(one.stuck, [&](std::uint32_t client) {
      return std::ranges::any_of(one.free, [&](const naive::state& root) {
        return after.can_complete(client, free.find(root));
      });
    });
    result.stuck |= bit(released ? verdict::simt_deadlock : verdict::deadlock);
  }
  return result;
}

}  // namespace

TEST_CASE("progress of generated programs is as the naive machine has it") {
  const auto seed = static_cast<unsigned>(test::setting("WARPCHECK_COMPARE_SEED", 7));
  const auto [begin, end] =
      test::due_programs(60, "WARPCHECK_COMPARE_COUNT", "WARPCHECK_COMPARE_FIRST");
  const auto folder =
      std::filesystem::temp_directory_path() / fmt::format("warpcheck-claims-{}", getpid());
  std::filesystem::create_directories(folder);
  unsigned compared[2] = {}, skipped = 0;
  std::map<std::string, unsigned> broken;
  for (unsigned first = begin; first < end; first += programs_in_a_header) {
    const unsigned here = std::min(programs_in_a_header, end - first);
    const auto header = folder / fmt::format("programs_{}.hpp", first);
    std::ofstream(header) << naive::emit_header(seed, first, here);
    for (unsigned index = first; index < first + here; ++index) {
      const naive::sample sample = naive::generate(seed, index);
      for (const naive::configuration& c : weak_variants(sample.config)) {
        for (const bool never_ends : {false, true}) {
          if (never_ends && returns_early(sample.code.body)) continue;
          expected_answers expected;
          try {
            expected =
                expect(never_ends ? test::for_ever(sample.code) : sample.code, c, never_ends);
          } catch (const test::naive_graph::too_large&) {
            ++skipped;
            continue;
          }
          ++compared[never_ends ? 1 : 0];
          INFO("seed ", seed, ", program ", index, ", ", test::model_of(c),
               never_ends ? std::string(", for ever") : "");
          warpcheck::session run =
              test::session_of(header, sample, c, {static_cast<guarantee>(index % 4), never_ends});
          const warpcheck::verdict_set wanted = warpcheck::deadlocks | bit(verdict::livelock) |
                                                bit(verdict::starvation) |
                                                bit(verdict::progress_violated);
          warpcheck::limits bounds;
          bounds.max_states = 1000 * max_states;
          const warpcheck::progress_result got = check_progress(run, bounds, wanted, true);
          for (unsigned g = 0; g < 4; ++g) {
            const auto which = static_cast<guarantee>(g);
            CAPTURE(warpcheck::name(which));
            CHECK((got.answers[which] == decision::fails) == expected.breaks[g]);
            broken[std::string(warpcheck::name(which))] += expected.breaks[g] ? 1 : 0;
          }
          CHECK((got.answers.starvation_free == decision::fails) == expected.starves);
          broken["starvation"] += expected.starves ? 1 : 0;
          warpcheck::verdict_set found = 0;
          warpcheck::run_result result;
          result.violations = got.violations;
          for (const warpcheck::violation& v : got.violations) found |= bit(v.kind);
          const warpcheck::verdict_set also =
              (expected.starves ? bit(verdict::starvation) : 0) |
              (expected.breaks[index % 4] ? bit(verdict::progress_violated) : 0);
          CHECK(found == (expected.stuck | also));
          for (unsigned v = 0; v < static_cast<unsigned>(verdict::inconclusive); ++v) {
            if ((expected.stuck >> v & 1U) != 0) ++broken[std::string(warpcheck::verdict_names[v])];
          }
          // Each of them is replayed.
          warpcheck::names named(run);
          CHECK(show_all(run, named, result).size() == result.violations.size());
        }
      }
    }
  }
  std::filesystem::remove_all(folder);
  std::string counts;
  for (const auto& [what, n] : broken) counts += fmt::format(", {} {}", n, what);
  MESSAGE("seed ", seed, ": ", compared[0], " runs once and ", compared[1], " for ever compared, ",
          skipped, " too large", counts);
  if (std::getenv("WARPCHECK_COMPARE_COUNT") != nullptr) return;
  if (!test::is_thorough()) return;  // what a tenth of them shows varies
  CHECK(compared[1] > 100);
  for (const char* what : {"wait-free", "lock-free", "obstruction-free", "blocking", "starvation",
                           "livelock", "deadlock", "simt-deadlock"}) {
    CAPTURE(what);
    CHECK(broken[what] > 10);
  }
}

TEST_CASE("the most steps of generated programs are as the naive machine has them") {
  constexpr unsigned seed = 11, programs = 60;
  constexpr std::size_t few_states = 150;
  const auto folder =
      std::filesystem::temp_directory_path() / fmt::format("warpcheck-steps-{}", getpid());
  std::filesystem::create_directories(folder);
  const auto header = folder / "programs.hpp";
  std::ofstream(header) << naive::emit_header(seed, 0, programs);
  unsigned bounded = 0, without = 0, beyond = 0;
  for (unsigned index = 0; index < programs; ++index) {
    const naive::sample sample = naive::generate(seed, index);
    if (meets_others(sample.code.body)) continue;
    for (const naive::configuration& c : naive::variants(sample.config)) {
      if (c.progress != naive::progress::fair) continue;
      for (const bool never_ends : {false, true}) {
        if (never_ends && returns_early(sample.code.body)) continue;
        INFO("program ", index, ", ", test::model_of(c),
             never_ends ? std::string(", for ever") : "");
        std::optional<std::uint32_t> most = 0;
        try {
          const test::naive_graph naive(never_ends ? test::for_ever(sample.code) : sample.code, c,
                                        never_ends, {}, few_states);
          const test::progress_oracle oracle(naive.graph, naive.roots());
          // The step that ends a run otherwise counts here, and is no step of the graph there.
          const auto ends = [&](const auto& e) { return e.to == naive.graph.no_state; };
          if (std::ranges::any_of(naive.graph.edges, ends)) continue;
          const auto operation = never_ends ? std::optional<std::uint32_t>(0) : std::nullopt;
          for (std::uint32_t client = 0; client < naive.graph.clients() && most; ++client) {
            const auto steps = oracle.most_steps(client, operation);
            most = steps ? std::max(most, steps) : std::nullopt;
          }
        } catch (const test::naive_graph::too_large&) {
          continue;
        }
        warpcheck::session all = test::session_of(header, sample, c, {std::nullopt, never_ends});
        const auto counted = check_progress(all, {}, 0, true).answers.steps;
        REQUIRE(counted.size() == 1);
        CHECK(counted.front().most.value_or(999) == most.value_or(999));
        ++(most && *most > 1 ? bounded : without);
        // One step less is not enough.
        for (const std::uint32_t less : {1U, 0U}) {
          const std::uint32_t bound =
              std::max(1U, most.value_or(5) - std::min(less, most.value_or(5)));
          warpcheck::session run =
              test::session_of(header, sample, c, {std::nullopt, never_ends, bound});
          warpcheck::run_result found;
          found.violations =
              check_progress(run, {}, bit(verdict::progress_violated), false).violations;
          CHECK(found.violations.empty() == (most && *most <= bound));
          warpcheck::names named(run);
          CHECK(show_all(run, named, found).size() == found.violations.size());
          beyond += found.violations.empty() ? 0 : 1;
        }
      }
    }
  }
  std::filesystem::remove_all(folder);
  MESSAGE(bounded, " with a bound, ", without, " without or with one step, ", beyond,
          " beyond one");
  CHECK(bounded > 10);
  CHECK(without > 10);
  CHECK(beyond > 20);
}
