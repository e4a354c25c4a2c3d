// The result of checking one run.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "checker/run/search_options.hpp"
#include "checker/run/stop_cause.hpp"
#include "checker/verdicts/answers.hpp"
#include "checker/verdicts/verdict.hpp"
#include "sim/machine/choice.hpp"

namespace warpcheck {

/// One execution of the machine: choices from the initial state, and a cycle of choices that
/// repeats for ever. With an empty cycle, the execution ends where the prefix ends.
struct execution {
  std::vector<simt::choice> prefix;
  std::vector<simt::choice> cycle;
};

struct violation {
  verdict kind{};
  /// For a deadlock, leads into a state that no schedule completes, and around there. For a race,
  /// the last two steps are the two accesses. Otherwise the last step, or the state it leads to, is
  /// the violation.
  execution how;
  std::string detail;  // says what is wrong, for a final check or for barrier divergence
};

/// For `generate`: how many combinations of clients there are, and how many were checked, smallest
/// first.
struct generated_runs {
  std::size_t checked = 0;
  std::size_t all = 0;
};

/// A value that came to new extremes up to the end of a search that was stopped.
struct growing_value {
  std::uint64_t address = 0;  // of memory; 0: local variables of lanes that wait at `pc`
  std::uint64_t pc = 0;
  std::int64_t from = 0, to = 0;  // of memory
  std::uint64_t times = 0;        // how often it was seen to change
};

/// Figures of an exploration by several processes (docs/cluster.md).
struct rank_figures {
  std::uint32_t count = 1;
  std::uint64_t bytes_sent = 0;  // to other ranks, while states were explored
  double imbalance = 1;          // the most states of a rank, as a multiple of the even share
};

struct run_result {
  verdict gravest = verdict::inconclusive;
  std::vector<violation> violations;  // gravest first; one for each kind
  bool complete = false;              // every reachable state was explored
  stop_cause stopped;                 // why it is not complete; empty if complete
  std::vector<growing_value> grows;   // if a limit ended the search
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::uint64_t depth = 0;          // longest path of the search, in steps
  std::uint64_t rounds = 0;         // explorations, the last of which counts
  std::uint64_t renamings = 0;      // neighbours that could change names (docs/reductions.md)
  std::uint64_t continuations = 0;  // distinct lanes, or classes of them
  std::uint64_t device_runs = 0;    // how often the C++ ran
  // Counterexamples that the axioms of the memory model forbid. They show a defect of the machine,
  // and are not reported as violations.
  std::uint64_t forbidden_executions = 0;
  double seconds = 0;
  std::uint64_t peak_bytes = 0;
  std::optional<std::filesystem::path> saved;    // the file with which it can be continued
  std::string not_saved;                         // why it could not be saved, if that was asked for
  std::optional<std::filesystem::path> resumed;  // the file that it continued
  std::optional<generated_runs> generated;       // then numbers are sums over all combinations
  std::optional<progress_answers> progress;      // if claims or starvation are asked about
  std::optional<rank_figures> ranks;             // if several processes explored it
  // If it was a search without proof; then `complete` is false.
  std::optional<search_coverage> search;

  [[nodiscard]] verdict_set found() const {
    verdict_set set = 0;
    for (const violation& v : violations) set |= bit(v.kind);
    return set;
  }
  /// Makes a bad-access of the read of unwritten memory that a search has found. Drops the read if
  /// there is a bad-access already, or a race.
  void settle_unwritten_reads() {
    const bool explained = (found() & (bit(verdict::race) | bit(verdict::bad_access))) != 0;
    const auto settle = [explained](auto& all) {
      const auto is_read = [](const auto& v) { return v.kind == verdict::unwritten_read; };
      if (explained) std::erase_if(all, is_read);
      for (auto& v : all) v.kind = told_as(v.kind);
    };
    settle(violations);
    std::ranges::stable_sort(violations, {}, &violation::kind);
    if (search) settle(search->found);
  }
  /// Sets the verdict from the `violations` that an exploration has found, and from `stopped`.
  void settle_verdict() {
    settle_unwritten_reads();
    complete = stopped.empty();
    gravest = !violations.empty() ? violations.front().kind
              : complete          ? verdict::ok
                                  : verdict::inconclusive;
  }
};

}  // namespace warpcheck
