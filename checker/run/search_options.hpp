// Options of a search without proof, and what it has covered: docs/search.md.
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
  // Whether to decide if a run that is cut off is a deadlock, which may take long.
  bool judges_cut_off = true;
  std::uint32_t depth = 3;                     // pct: the depth of bugs for which the bound holds
  std::uint64_t work_to_shorten = 20'000'000;  // steps, for each counterexample: about two seconds
  std::function<void(const search_progress&)> progress;  // called now and then; may be empty
};

/// What a search has covered.
struct search_coverage {
  search_kind kind = search_kind::random;
  std::uint64_t seed = 0;
  std::uint64_t runs = 0;         // runs that were made to their end
  std::uint64_t steps = 0;        // visible operations of all runs
  std::uint64_t step_limit = 0;   // of one run, in steps
  std::uint64_t longest = 0;      // the longest run, in steps
  std::uint64_t completed = 0;    // runs in which all lanes finished
  std::uint64_t deadlocks = 0;    // runs that provably cannot end, whatever the kind of deadlock
  std::uint64_t undecided = 0;    // those of `deadlocks` whose kind is not known
  std::uint64_t cut_off = 0;      // runs that came to the limit
  std::uint64_t impossible = 0;   // runs that do not count, since a promise could not be kept
  bool without_promises = false;  // stores that could have been promised were not promised
  struct found_run {
    verdict kind;
    std::uint64_t seed;  // of the run
    /// The seed alone makes the run again. False under weak memory, if runs have shown something
    /// new of the program: a single run may not show that.
    bool alone = true;
  };
  std::vector<found_run> found;  // the first run that shows each kind
  // For pct only.
  std::uint32_t depth = 0;
  std::uint32_t lanes = 0;  // that run the body
  // Length of a run, in steps and choices of sides, on which the bound rests.
  std::uint64_t length = 0;
  std::uint64_t longer = 0;     // runs longer than `length`
  std::optional<double> bound;  // of the probability that one run finds a given bug
};

}  // namespace warpcheck
