// What a search without proof is asked to do, and what it has covered: docs/search.md.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "checker/verdicts/verdict.hpp"

namespace warpcheck {

enum class search_kind : std::uint8_t { random, pct, swarm };

constexpr std::string_view name(search_kind kind) {
  return kind == search_kind::random ? "random" : kind == search_kind::pct ? "pct" : "swarm";
}

struct search_progress {
  std::uint64_t runs = 0;
  std::uint64_t steps = 0;
  std::uint64_t bytes = 0;
};

struct search_options {
  search_kind kind = search_kind::random;
  /// Run number i is the first run of a search with the seed `seed` + i * `every`.
  std::uint64_t seed = 1;
  std::uint64_t every = 1;
  std::optional<std::uint64_t> runs;   // none: as many as the time allows, or ten seconds
  std::optional<std::uint64_t> steps;  // of one run; none: default_steps
  bool judges_cut_off = true;  // whether a run that is cut off is a deadlock, which may take long
  std::uint32_t depth = 3;     // pct: of the bugs that the bound is for
  std::uint64_t work_to_shorten = 20'000'000;  // steps, for each counterexample: about two seconds
  std::function<void(const search_progress&)> progress;  // called now and then; may be empty
};

/// What a search has done.
struct search_coverage {
  search_kind kind = search_kind::random;
  std::uint64_t seed = 0;
  std::uint64_t runs = 0;         // that were made to their end
  std::uint64_t steps = 0;        // visible operations, of all runs
  std::uint64_t step_limit = 0;   // of one run
  std::uint64_t longest = 0;      // run, in steps
  std::uint64_t completed = 0;    // runs in which all lanes finished
  std::uint64_t deadlocks = 0;    // runs that can be proved not to end, of whatever kind
  std::uint64_t undecided = 0;    // of these: of a kind that is not known
  std::uint64_t cut_off = 0;      // runs that came to the limit
  std::uint64_t impossible = 0;   // runs that count for nothing: a promise could not be kept
  bool without_promises = false;  // stores that could have been promised were not
  struct found_run {
    verdict kind;
    std::uint64_t seed;  // of the run
    /// The seed makes the run again, alone. (Not where memory is weak, and runs have shown
    /// something new of the program: a run alone may not show that.)
    bool alone = true;
  };
  std::vector<found_run> found;  // the first run that shows each kind
  // pct:
  std::uint32_t depth = 0;
  std::uint32_t lanes = 0;      // that run the body
  std::uint64_t length = 0;     // of a run, in steps and choices of sides: the bound counts on it
  std::uint64_t longer = 0;     // runs that were longer
  std::optional<double> bound;  // of the probability that one run finds a given bug
};

}  // namespace warpcheck
