// Reductions where memory is weak: generated programs must have the same violations under
// memory = "ptx" with each combination of those that there are as without any, and counterexamples
// that the machine can carry out. Atomic accesses are relaxed in one half of the programs, and
// acquire and release in the other.
//
// WARPCHECK_COMPARE_SEED, _FIRST and _COUNT choose other programs and more of them.
#include <doctest/doctest.h>

#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include <fmt/format.h>

#include "checker/check/check.hpp"
#include "tests/checker/objection.hpp"
#include "tests/naive/emit.hpp"
#include "tests/naive/generate.hpp"
#include "tests/naive/session_of.hpp"
#include "tests/setting.hpp"
#include "tests/tier.hpp"

namespace {

using warpcheck::verdict;

constexpr unsigned programs_in_a_header = 250;
// Of the exploration without reductions.
constexpr std::size_t max_states = 500;
constexpr double max_seconds = 0.3;
// Of messages. (Weaker fences say nothing of what is smaller, and little of what is not right.)
constexpr std::size_t max_states_of_messages = 10'000;
constexpr double max_seconds_of_messages = 3;
// (Some of these programs have states of which it takes minutes to say what may be promised.)
constexpr double much_later = 10;

/// Programs `begin` to `count`, this not included.
void compare(unsigned long seed, unsigned begin, unsigned count,
             naive::kinds kind = naive::kinds::any) {
  const auto folder =
      std::filesystem::temp_directory_path() / fmt::format("warpcheck-weak-{}", getpid());
  std::filesystem::create_directories(folder);

  constexpr auto only_fences = [] {
    warpcheck::reductions one = warpcheck::reductions::none();
    one.fences = true;
    return one;
  }();
  constexpr std::array<warpcheck::reductions, 6> some{{{true, false, false, false, false},
                                                       {false, true, false, false, false},
                                                       {false, false, true, false, false},
                                                       {true, true, false, false, false},
                                                       {true, true, true, false},
                                                       only_fences}};
  std::array<std::uint64_t, some.size()> states{};
  std::uint64_t plain_states = 0;
  const bool are_messages = kind == naive::kinds::messages;
  unsigned compared = 0, skipped = 0, smaller = 0, renamed = 0, weakened = 0;
  std::map<std::string, unsigned> with;
  for (unsigned first = begin; first < count; first += programs_in_a_header) {
    const unsigned here = std::min(programs_in_a_header, count - first);
    for (const bool synchronizes : {false, true}) {
      const auto header = folder / fmt::format("weak_{}_{}.hpp", first, synchronizes ? 1 : 0);
      std::ofstream(header) << (synchronizes ? "#define GENERATED_SYNCHRONIZES\n" : "")
                            << naive::emit_header(seed, first, here, naive::grids::any, kind);
      for (unsigned index = first + (synchronizes ? 1 : 0); index < first + here; index += 2) {
        const naive::sample sample = naive::generate(seed, index, naive::grids::any, kind);
        for (const naive::configuration& c : naive::variants(sample.config)) {
          INFO("seed ", seed, ", program ", index, ", ", test::model_of(c),
               " (`naive_tool show` prints it)");
          warpcheck::session made = test::session_of(header, sample, c);
          warpcheck::run_settings how = made.settings();
          how.machine.memory = simt::memory_model::ptx;
          warpcheck::limits bounds;
          bounds.max_states = are_messages ? max_states_of_messages : max_states;
          bounds.time = are_messages ? max_seconds_of_messages : max_seconds;
          warpcheck::session plain(made.subject(), how);
          const warpcheck::run_result wanted = check(plain, bounds, warpcheck::reductions::none());
          CHECK(wanted.seconds < *bounds.time + much_later);
          if (!wanted.stopped.empty()) {
            ++skipped;
            continue;
          }
          ++compared;
          ++with[test::list_of(wanted.found())];
          plain_states += wanted.states;
          for (std::size_t i = 0; i < some.size(); ++i) {
            if (are_messages && i < 4 && i != 2) continue;  // (what others have compared)
            CAPTURE(to_text(some[i]));
            warpcheck::session run(made.subject(), how);
            warpcheck::reductions reduce = some[i];
            reduce.asks_in_small_grids = reduce.order && index % 4 < 2;
            // (So many states that some lane has come to a fence.)
            const std::uint64_t lanes = run.setup().grid.threads();
            warpcheck::limits soon;
            soon.before_weaker_fences = 12 * lanes * lanes;
            const warpcheck::run_result got = check(run, soon, reduce);
            states[i] += got.states;
            smaller += i == 1 && got.states < wanted.states ? 1 : 0;
            weakened += some[i] == only_fences && got.states < wanted.states ? 1 : 0;
            renamed += i == 1 && got.renamings > 0 ? 1 : 0;
            CHECK(got.stopped == "");
            // (A race ends the run. A promised store that nobody orders may be read before it is
            // seen to race, and a reduction may take the race first: seed 40, program 167.)
            const warpcheck::verdict_set races = bit(verdict::race);
            if (!are_messages || (got.found() & wanted.found() & races) == 0) {
              CHECK(test::list_of(got.found()) == test::list_of(wanted.found()));
            }
            for (const warpcheck::violation& v : got.violations) {
              CAPTURE(warpcheck::name(v.kind));
              CHECK(test::objection(run, v) == "");
            }
          }
        }
      }
    }
  }
  std::filesystem::remove_all(folder);

  std::string counts;
  for (const auto& [found, n] : with) counts += fmt::format("; {}: {}", found, n);
  MESSAGE("seed ", seed, ": ", compared, " runs compared, ", skipped, " too large", counts);
  MESSAGE("states: ", plain_states, " without reductions; merge ", states[0], ", symmetry ",
          states[1], " (fewer in ", smaller, " runs; lanes change names in ", renamed, "), order ",
          states[2], ", two ", states[3], ", all ", states[4], ", weaker fences ", states[5],
          " (fewer in ", weakened, " runs)");
  if (are_messages && compared >= 100) CHECK(weakened * 10 > compared);
  if (test::is_thorough()) CHECK(smaller * 10 > compared);
}

}  // namespace

TEST_CASE("under ptx, reductions keep the violations") {
  const auto [begin, end] =
      test::due_programs(100, "WARPCHECK_COMPARE_COUNT", "WARPCHECK_COMPARE_FIRST");
  compare(test::setting("WARPCHECK_COMPARE_SEED", 40), begin, end);
}

TEST_CASE("under ptx, reductions keep the violations of phases between barriers") {
  const auto [begin, end] =
      test::due_programs(150, "WARPCHECK_COMPARE_COUNT", "WARPCHECK_COMPARE_FIRST");
  compare(test::setting("WARPCHECK_COMPARE_SEED", 40), begin, end, naive::kinds::phases);
}

TEST_CASE("under ptx, reductions keep the violations of messages behind fences") {
  const auto [begin, end] =
      test::due_programs(100, "WARPCHECK_COMPARE_COUNT", "WARPCHECK_COMPARE_FIRST");
  compare(test::setting("WARPCHECK_COMPARE_SEED", 40), begin, end, naive::kinds::messages);
}

TEST_CASE("under ptx, reductions keep the violations where the environment chooses") {
  const auto [begin, end] =
      test::due_programs(60, "WARPCHECK_COMPARE_COUNT", "WARPCHECK_COMPARE_FIRST");
  compare(test::setting("WARPCHECK_COMPARE_SEED", 40), begin, end, naive::kinds::choices);
}

TEST_CASE("under ptx, reductions keep the violations of programs of several launches") {
  const auto [begin, end] =
      test::due_programs(60, "WARPCHECK_COMPARE_COUNT", "WARPCHECK_COMPARE_FIRST");
  compare(test::setting("WARPCHECK_COMPARE_SEED", 40), begin, end, naive::kinds::launches);
}

TEST_CASE("under ptx, reductions keep the violations with all scopes in several blocks") {
  if (!test::is_turn(1, 2, "WARPCHECK_COMPARE_COUNT")) return;
  const auto [begin, end] = test::due_programs(
      test::is_thorough() ? 100 : 20, "WARPCHECK_COMPARE_COUNT", "WARPCHECK_COMPARE_FIRST");
  compare(test::setting("WARPCHECK_COMPARE_SEED", 40), begin, end, naive::kinds::scopes);
}

TEST_CASE("more is learnt of memory when the cycle of a violation is gone round") {
  compare(42, 38, 39);
}
