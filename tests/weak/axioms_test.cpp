// The engine under memory = "ptx" against the axioms: generated programs, compiled as subjects, and
// the same programs as litmus tests, must have the same verdict on races, and, where there is none,
// the same outcomes: with load buffering and without, reduced and as it is.
//
// Under `stack`, lanes of one warp run in lockstep: that leaves outcomes and races out. An
// operation behind an `if` depends on what was read, in a litmus test, and not in C++; so the
// engine may have more in such programs, and those that do are counted.
//
// WARPCHECK_GENERATED chooses more programs, WARPCHECK_GENERATED_FIRST and
// WARPCHECK_GENERATED_SEED others.
#include <doctest/doctest.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/check/check.hpp"
#include "checker/check/first_look.hpp"
#include "checker/explore/explorer.hpp"
#include "checker/explore/reduced_machine.hpp"
#include "litmus/analysis.hpp"
#include "litmus/read/parser.hpp"
#include "sim/lane/lane_runner.hpp"
#include "tests/litmus/executions.hpp"
#include "tests/setting.hpp"
#include "tests/tier.hpp"
#include "tests/weak/emit.hpp"
#include "tests/weak/generate.hpp"

namespace {

constexpr unsigned programs_in_a_header = 50;
constexpr std::uint64_t max_states = 20'000;

/// The last values of all places, and of the registers that lanes leave behind them: of each lane,
/// or their sum.
using outcome = std::vector<std::int64_t>;

struct answer {
  std::set<outcome> outcomes;
  bool race = false;
  friend bool operator==(const answer&, const answer&) = default;
};

std::string text_of(const answer& a) {
  if (a.race) return "race";
  return fmt::format("{}", a.outcomes);
}

/// Whether `small` is a part of `large`. What comes behind a race is not looked at.
bool is_part(const answer& small, const answer& large) {
  if (large.race) return true;
  return !small.race && std::ranges::includes(large.outcomes, small.outcomes);
}

// --- the axioms ---

/// The number of a register of a litmus test.
int number_of(const litmus::program& test, std::uint32_t thread, std::uint32_t index) {
  return std::stoi(test.threads[thread].registers[index].substr(1));
}

/// The program's outcome of an execution in which `observed` have `values`.
outcome outcome_of(const weak::program& p, const litmus::program& test,
                   const std::vector<litmus::variable>& observed,
                   const std::vector<litmus::value>& values) {
  const auto places = static_cast<std::size_t>(p.places());
  outcome result(places + static_cast<std::size_t>(p.results()));
  for (std::size_t i = 0; i < observed.size(); ++i) {
    const litmus::variable& v = observed[i];
    if (v.is_register) {
      const int number = number_of(test, v.thread, v.index);
      if (number >= weak::register_count) continue;
      result[places + (p.adds_up ? 0 : v.thread)] += values[i] << (number * weak::register_bits);
    } else {
      result[weak::location_names.find(test.locations[v.index].front())] = values[i];
    }
  }
  return result;
}

struct wanted_answers {
  answer all;
  answer in_order;  // without load buffering
};

struct compare_exchange {
  weak::lane_register where;
  weak::operation what;
};

std::vector<compare_exchange> compare_exchanges_of(const weak::program& p) {
  std::vector<compare_exchange> all;
  for (const weak::phase& phase : p.phases) {
    for (int rank = 0; rank < p.size(); ++rank) {
      for (const weak::operation& op : phase.lanes[static_cast<std::size_t>(rank)]) {
        if (op.kind == weak::operation_kind::compare_exchange)
          all.push_back({{rank, op.target}, op});
      }
    }
  }
  return all;
}

/// A compare-exchange that fails is a load, but for races: so there is a litmus test for each set
/// of those that may fail, of which the executions count in which just these do.
wanted_answers axioms_of(const weak::program& p) {
  wanted_answers result;
  const std::vector<compare_exchange> all = compare_exchanges_of(p);
  for (unsigned set = 0; set < 1U << all.size(); ++set) {
    std::set<weak::lane_register> failing;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if ((set >> i & 1U) != 0) failing.insert(all[i].where);
    }
    const litmus::program test = litmus::parse(weak::litmus_test_of(p, failing), "generated");
    naive::executions_options options;
    options.barriers_are_votes = p.has_votes();
    options.counts = [&](const litmus::unfolding& u) {
      const auto value_of = [&](int rank, int number) -> litmus::value {
        const auto thread = static_cast<std::uint32_t>(rank);
        for (std::uint32_t r = 0; r < test.threads[thread].registers.size(); ++r) {
          if (number_of(test, thread, r) == number) return u.register_value(thread, r);
        }
        return 0;
      };
      return std::ranges::all_of(all, [&](const compare_exchange& one) {
        const auto [rank, target] = one.where;
        const bool supposed = failing.contains(one.where);
        if (const auto& when = one.what.when) {
          const bool equal = value_of(rank, when->target) == when->value;
          if (equal == when->negated) return !supposed;  // it is not carried out
        }
        return (value_of(rank, target) != one.what.expected) == supposed;
      });
    };
    options.conflicts_as_store = [&](const litmus::execution& x, litmus::event_id e) {
      const litmus::event& event = x.events[e];
      if (event.kind != litmus::event_kind::load || event.red) return false;
      const litmus::instruction& i = x.instruction_of(e);
      const int target = number_of(test, event.thread, i.destination);
      return failing.contains({static_cast<int>(event.thread), target});
    };
    const std::vector<litmus::variable> observed = litmus::analyse(test).observed;
    const naive::executions_result found = naive::executions_of(test, observed, options);
    const auto add = [&](const naive::executions_answer& some, answer& to) {
      to.race = to.race || some.race;
      for (const auto& values : some.outcomes) {
        to.outcomes.insert(outcome_of(p, test, observed, values));
      }
    };
    add(found.all, result.all);
    add(found.in_order, result.in_order);
  }
  return result;
}

// --- the engine ---

warpcheck::session session_of(const std::filesystem::path& header, const weak::program& p,
                              simt::reconvergence reconvergence, bool promises) {
  warpcheck::scenario s;
  s.file = "generated.toml";
  s.subject = weak::name_of(p);
  s.source = header;
  s.grid.blocks = p.blocks;
  s.grid.lanes = p.lanes;
  warpcheck::run_settings settings;
  settings.machine.memory = simt::memory_model::ptx;
  settings.machine.reconvergence = reconvergence;
  settings.machine.promises = promises;
  return {s, settings};
}

struct counts {
  std::uint64_t states = 0;
  std::uint64_t restarts = 0;
  unsigned too_large = 0;
};

/// Explores all states, as check() does, and looks at the memory that each complete run leaves.
/// Nothing, where there are too many.
std::optional<answer> explore(warpcheck::session& run, const weak::program& p, bool reduces,
                              counts& sum) {
  warpcheck::reductions reduce;
  reduce.merge = reduce.order = reduces;
  reduce = tolerated(run, reduce);
  simt::lane_automaton lanes(run.lanes(), reduce.merge);
  warpcheck::reduced_machine reduced(run, lanes, reduce);
  reduced.off.names = true;  // lanes are told apart by what they leave
  const auto cells = static_cast<std::size_t>(p.locations + p.results());
  for (;; ++sum.restarts) {
    answer result;
    warpcheck::explore_options options;
    options.check = warpcheck::usual_checks;
    options.final_check = [&](std::span<const std::uint8_t> image) -> const char* {
      run.memory().restore(image);
      const int* const first = static_cast<const int*>(run.memory().object());
      outcome end(first, first + cells);
      end.insert(end.begin() + p.locations, static_cast<std::size_t>(p.places() - p.locations), 0);
      for (const simt::allocation& a : run.memory().allocations()) {
        if (a.what != simt::allocation::kind::shared) continue;
        const int* const own = reinterpret_cast<const int*>(a.address);
        for (int location = 0; location < p.shared; ++location) {
          const int place = p.place_in(static_cast<int>(a.block), location);
          end[static_cast<std::size_t>(place)] = own[location];
        }
      }
      result.outcomes.insert(std::move(end));
      return nullptr;
    };
    reduced.renew(run);
    warpcheck::limits bounds;
    bounds.max_states = max_states;
    warpcheck::explorer search(*reduced.machine, options, bounds);
    simt::state_words root = reduced.machine->initial();
    reduced.machine->reduce(root);
    search.run({&root, 1});
    if (reduced.machine->has_news()) continue;
    if (!search.complete()) {
      CHECK(search.stopped() == warpcheck::limits::reached_states(max_states));
      ++sum.too_large;
      return std::nullopt;
    }
    if (reduced.has_learnt(true) || reduced.machine->has_news()) continue;
    const auto race = static_cast<warpcheck::verdict_set>(bit(warpcheck::verdict::race));
    CHECK((search.found() & ~race) == 0);
    CHECK_FALSE(search.has_dead_states());
    result.race = search.found() != 0;
    sum.states += search.states().size();
    return result;
  }
}

/// What there was in generated programs. `in_order`: that promises are not needed was found out by
/// looking for circles of lanes (sim/machine/promises/load_buffering.hpp). `given_up`: the run is
/// inconclusive, as bursts of promises had no end.
struct kinds {
  unsigned programs = 0, racy = 0, several = 0, buffered = 0, votes = 0, in_order = 0, given_up = 0;
  unsigned no_circle = 0;     // explorations; seen by locations alone
  unsigned seen_at_once = 0;  // races, by single runs
};

/// Compares engine and axioms on programs that `generate` makes, WARPCHECK_GENERATED of them or as
/// many as `usual` says. Of a hundred, `most_given_up` may be given up.
kinds compare_all(weak::program (*generate)(std::uint64_t seed, unsigned index), unsigned usual,
                  unsigned most_given_up = 0) {
  const auto seed = static_cast<unsigned>(test::setting("WARPCHECK_GENERATED_SEED", 1));
  const auto [begin, end] =
      test::due_programs(usual, "WARPCHECK_GENERATED", "WARPCHECK_GENERATED_FIRST");
  const auto folder =
      std::filesystem::temp_directory_path() / fmt::format("warpcheck-weak-{}", getpid());
  std::filesystem::create_directories(folder);

  kinds all;
  all.programs = end - begin;
  unsigned with_dependencies = 0, out_of_thin_air = 0;
  counts sum;
  for (unsigned first = begin; first < end; first += programs_in_a_header) {
    const unsigned here = std::min(programs_in_a_header, end - first);
    const auto header = folder / fmt::format("programs_{}.hpp", first);
    std::vector<weak::program> programs;
    for (unsigned index = first; index < first + here; ++index) {
      programs.push_back(generate(seed, index));
    }
    std::ofstream(header) << weak::header_of(programs);
    for (unsigned index = first; index < first + here; ++index) {
      const weak::program& p = programs[index - first];
      const std::string text = weak::litmus_test_of(p);
      const std::string code = weak::subject_of(p);
      INFO("seed ", seed, ", program ", index, "\n", code, text);
      const wanted_answers wanted = axioms_of(p);
      const bool dependent = p.has_dependencies();

      bool more = false;
      const unsigned large_before = sum.too_large;
      // `alone`: circles are looked for among locations alone (circles_of_locations.hpp).
      const auto compare = [&](simt::reconvergence how, bool promises, bool reduces,
                               bool alone = false) -> std::optional<answer> {
        const bool stack = how == simt::reconvergence::stack;
        const std::string model = fmt::format(
            "{}, {} promises, {}{}", stack ? "stack" : "its", promises ? "with" : "without",
            reduces ? "reduced" : "as it is", alone ? ", locations alone" : "");
        warpcheck::session run = session_of(header, p, how, promises);
        run.facts().looks_at_locations_alone = alone;
        std::optional<answer> explored;
        try {
          explored = explore(run, p, reduces, sum);
        } catch (const simt::lane_runaway&) {  // what a lane may store early has no end
          ++sum.too_large;
        }
        if (!explored) return explored;
        const answer& found = *explored;
        const answer& right = promises ? wanted.all : wanted.in_order;
        INFO(model, "\nwanted: ", text_of(right), "\nfound:  ", text_of(found));
        // Lanes of one warp, in lockstep.
        if (stack && p.has_large_warps()) {
          if (!dependent || !promises) CHECK(is_part(found, right));
        } else if (dependent && promises) {
          CHECK(is_part(right, found));
          more = more || found.race != right.race || (!right.race && found != right);
        } else {
          CHECK(found.race == right.race);
          if (!right.race) CHECK(found.outcomes == right.outcomes);
        }
        if (alone && !run.facts().now().may_buffer) ++all.no_circle;
        return explored;
      };
      using enum simt::reconvergence;
      compare(its, true, true);
      compare(its, false, true);
      if (index % 2 == 0) compare(its, true, false);
      if (index % 2 == 1) compare(its, false, false);
      if (index % 4 == 1) compare(its, true, index % 8 == 1, true);
      if (!p.needs_independence()) {
        const std::optional<answer> found = compare(stack, true, true);
        const bool is_compared = index % 4 == 3;
        const auto again = is_compared ? compare(stack, true, true, true) : std::nullopt;
        if (found && again) CHECK(*found == *again);
      }

      // The verdict of a whole run.
      if (!more && sum.too_large == large_before) {
        warpcheck::session run = session_of(header, p, its, true);
        warpcheck::limits bounds;
        bounds.threads = 1 + index % 2;
        bounds.share_after = 0;
        const warpcheck::run_result whole = check(run, bounds);
        const simt::memory_facts facts = run.facts().now();
        CHECK(whole.stopped == run.left_out());
        CHECK((whole.gravest == warpcheck::verdict::race) == wanted.all.race);
        if (facts.gave_up_bursts) {
          ++all.given_up;
          CHECK(whole.gravest != warpcheck::verdict::ok);
        } else {
          CHECK((whole.gravest == warpcheck::verdict::ok) == !wanted.all.race);
        }
        warpcheck::session looked = session_of(header, p, its, true);
        std::uint64_t forbidden = 0;
        const auto seen = first_look(looked, {}, looked.settings().check, forbidden);
        CHECK(forbidden == 0);
        for (const warpcheck::violation& v : seen) {
          CHECK(v.kind == warpcheck::verdict::race);
          CHECK(wanted.all.race);
          ++all.seen_at_once;
        }
        if (facts.unsynchronized && !facts.may_buffer) {
          CHECK((wanted.all.race || wanted.all == wanted.in_order));
          ++all.in_order;
        }
      }

      if (dependent) ++with_dependencies;
      if (more) ++out_of_thin_air;
      if (wanted.all.race) {
        ++all.racy;
      } else {
        if (wanted.all.outcomes.size() > 1) ++all.several;
        if (wanted.all != wanted.in_order) ++all.buffered;
        if (wanted.all != wanted.in_order && p.has_votes()) ++all.votes;
      }
    }
  }
  std::filesystem::remove_all(folder);
  MESSAGE("seed ", seed, ": ", all.programs, " programs, ", all.racy, " with races (",
          all.seen_at_once, " of them on single runs in order); of the others ", all.several,
          " have several outcomes, ", all.buffered, " some by load buffering (", all.votes,
          " with votes), ", all.in_order,
          " seen to need no promises (explorations by locations alone: ", all.no_circle, "); ",
          with_dependencies, " with dependencies, of which ", out_of_thin_air,
          " have more in C++; ", sum.states, " states, ", sum.restarts, " restarts, ",
          sum.too_large, " explorations too large, ", all.given_up, " given up");
  if (test::is_thorough()) CHECK(all.given_up * 100 <= all.programs * most_given_up);
  return all;
}

/// The same of programs more than one in `share` of which must have load buffering.
void compare_buffered(weak::program (*generate)(std::uint64_t seed, unsigned index),
                      unsigned share) {
  const kinds all = compare_all(generate, 60);
  if (all.programs < 50) return;
  CHECK(all.buffered > all.programs / share);
}

}  // namespace

TEST_CASE("the engine has the outcomes and races of the axioms") {
  const kinds all = compare_all(weak::generate, 150);
  // A generator that made only trivial programs would prove nothing.
  if (all.programs < 100) return;
  CHECK(all.racy < all.programs / 2);
  CHECK(all.several > all.programs / 2);
  CHECK(all.buffered > 0);
  CHECK(all.in_order > all.programs / 4);
  if (all.programs >= 1000) CHECK(all.votes > 0);
}

TEST_CASE("the same of lanes that pass on what they read, in a ring") {
  compare_buffered(weak::generate_ring, 5);
}

TEST_CASE("the same of lanes that store what others have stored together") {
  compare_buffered(weak::generate_join, 10);
}

TEST_CASE("the same of lanes whose stores rest on each other") {
  compare_buffered(weak::generate_tree, 10);
}

TEST_CASE("the same of a lane that stores what two others have told it together, by plain data") {
  compare_buffered(weak::generate_plain_join, 10);
}

TEST_CASE("the same of lanes that tell each other something in many ways") {
  compare_buffered(weak::generate_web, 20);
}

TEST_CASE("the same of an exchange that reads what rests on it") {
  compare_buffered(weak::generate_exchanges, 10);
}

TEST_CASE("the same of a lane that stores what it has read, and one that adds to it") {
  compare_buffered(weak::generate_repetitions, 10);
}

// A promised exchange is acquired from, and what it then turns out to read tells what came of that.
TEST_CASE("the same of releases by fences that read-modify-writes pass on") {
  compare_buffered(weak::generate_passing_on, 20);
}

TEST_CASE("the same of lanes that take a lock, and give it back") {
  const kinds all = compare_all(weak::generate_locks, 60, 14);
  if (all.programs < 50) return;
  CHECK(all.buffered > all.programs / 50);
  CHECK(all.in_order > all.programs / 4);
}

TEST_CASE("the same of several blocks, each with memory of its own") {
  if (!test::is_turn(0, 3, "WARPCHECK_GENERATED")) return;
  const kinds all = compare_all(weak::generate_blocks, 60);
  if (all.programs < 50) return;
  CHECK(all.racy < all.programs * 3 / 4);
  CHECK(all.several > all.programs / 5);
}

TEST_CASE("the same of lanes that hand on values within their block, and to another one") {
  if (!test::is_turn(1, 3, "WARPCHECK_GENERATED")) return;
  const kinds all = compare_all(weak::generate_relay, 60);
  if (all.programs < 50) return;
  CHECK(all.racy < all.programs * 3 / 4);
  CHECK(all.buffered > all.programs / 40);
}

TEST_CASE("the same of lanes of two blocks that pass on, join, exchange and lock") {
  if (!test::is_turn(2, 3, "WARPCHECK_GENERATED")) return;
  const kinds all = compare_all(weak::generate_moved, 60);
  if (all.programs < 50) return;
  CHECK(all.buffered > all.programs / 10);
}
