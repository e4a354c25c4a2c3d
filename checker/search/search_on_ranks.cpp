// Rank r of n makes the runs with number r, r + n, r + 2 n and so on. The first rank adds up what
// all have covered. It repeats the runs that show something, for their counterexamples: a seed
// makes the same run in each process.
#include "checker/search/search_on_ranks.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "checker/search/search.hpp"

namespace warpcheck {
namespace {

// Seconds for one repeated run, with its counterexample.
constexpr double seconds_to_repeat = 20;

byte_list pack_share(const run_result& mine, bool has_told) {
  const search_coverage& s = *mine.search;
  message_writer out;
  out.number(has_told ? 1 : 0);
  out.number(static_cast<std::uint64_t>(mine.stopped.reason));
  out.text(mine.stopped.text);
  for (const std::uint64_t number :
       {s.runs, s.steps, s.completed, s.deadlocks, s.undecided, s.cut_off, s.impossible, s.longer,
        s.longest, mine.peak_bytes, mine.device_runs, mine.forbidden_executions}) {
    out.number(number);
  }
  for (const auto& found : s.found) {
    out.number(static_cast<std::uint64_t>(found.kind));
    out.number(found.seed);
    out.number(found.alone ? 1 : 0);
  }
  return out.take();
}

/// What several ranks have covered together.
struct all_shares {
  std::uint64_t told = 0;  // ranks that have told the others to end
  stop_cause stopped;
  std::map<verdict, search_coverage::found_run> found;

  void add(const byte_list& share, run_result& sum) {
    message_reader in(share);
    told += in.number();
    const auto reason = static_cast<stop_reason>(in.number());
    const stop_cause why{reason, in.text()};
    // A rank that was told to end has no reason of its own.
    if (stopped.empty() || reason == stop_reason::first_violation) stopped = why;
    search_coverage& s = *sum.search;
    for (std::uint64_t* number : {&s.runs, &s.steps, &s.completed, &s.deadlocks, &s.undecided,
                                  &s.cut_off, &s.impossible, &s.longer}) {
      *number += in.number();
    }
    for (std::uint64_t* number : {&s.longest, &sum.peak_bytes})
      *number = std::max(*number, in.number());
    for (std::uint64_t* number : {&sum.device_runs, &sum.forbidden_executions})
      *number += in.number();
    while (in.more()) {
      search_coverage::found_run one{};
      one.kind = static_cast<verdict>(in.number());
      one.seed = in.number();
      one.alone = in.number() != 0;
      const auto [at, is_new] = found.try_emplace(one.kind, one);
      if (!is_new && one.seed < at->second.seed) at->second = one;
    }
  }
};

/// Returns the violation that the run with this seed shows.
std::optional<violation> violation_of(const search_coverage::found_run& found, session& run,
                                      const limits& bounds, const search_options& options) {
  search_options once = options;
  once.seed = found.seed;
  once.runs = 1;
  once.progress = nullptr;
  limits own = bounds;
  own.time = seconds_to_repeat;
  own.spent = 0;
  run_result again = search(run, own, once);
  const auto shown = std::ranges::find(again.violations, found.kind, &violation::kind);
  if (shown == again.violations.end()) return std::nullopt;
  return std::move(*shown);
}

void show_least_seeds(const all_shares& shares, session& run, const limits& bounds,
                      const search_options& options, run_result& sum) {
  const std::vector<search_coverage::found_run> own = std::exchange(sum.search->found, {});
  for (const auto& [kind, found] : shares.found) {
    const bool is_own = std::ranges::any_of(
        own, [&](const auto& one) { return one.kind == found.kind && one.seed == found.seed; });
    if (is_own) {
      sum.search->found.push_back(found);
      continue;
    }
    std::erase_if(sum.violations, [&](const violation& v) { return v.kind == found.kind; });
    if (auto shown = violation_of(found, run, bounds, options)) {
      sum.violations.push_back(std::move(*shown));
      sum.search->found.push_back(found);
    } else {
      sum.stopped = {stop_reason::not_shown,
                     fmt::format("another rank found {} by the seed {}, which shows nothing when "
                                 "it is repeated alone",
                                 name(kind), found.seed)};
    }
  }
  std::ranges::sort(sum.search->found, {}, &search_coverage::found_run::seed);
  std::ranges::stable_sort(sum.violations, {}, &violation::kind);
}

}  // namespace

run_result search_on_ranks(ranks& all, session& run, const limits& bounds,
                           const search_options& options) {
  if (!all.are_many()) return search(run, bounds, options);
  search_options share = options;
  share.seed = options.seed + all.own();
  share.every = all.count();
  if (options.runs) {
    share.runs = (*options.runs + all.count() - 1 - all.own()) / all.count();
  }
  // If one finding is enough, the rank that finds it tells the others.
  std::atomic<bool> ends = false;
  std::uint64_t heard = 0;
  share.progress = [&](const search_progress& now) {
    while (all.receive()) {
      ++heard;
      ends = true;
    }
    if (bounds.stop != nullptr && bounds.stop->load()) ends = true;
    if (options.progress) options.progress(now);
  };
  limits own = bounds;
  own.stop = &ends;
  run_result mine = search(run, own, share);
  const bool tells = mine.stopped.reason == stop_reason::first_violation;
  for (std::uint32_t r = 0; tells && r < all.count(); ++r) {
    if (r != all.own()) all.send(r, {});
  }
  const std::vector<byte_list> packed = all.gather(pack_share(mine, tells));
  all_shares shares;
  run_result sum = mine;
  sum.search->runs = sum.search->steps = sum.search->completed = sum.search->deadlocks = 0;
  sum.search->undecided = sum.search->cut_off = sum.search->impossible = sum.search->longer = 0;
  sum.device_runs = sum.forbidden_executions = 0;
  for (const byte_list& one : packed) shares.add(one, sum);
  for (const std::uint64_t others = shares.told - (tells ? 1 : 0); heard < others;) {
    if (all.receive()) ++heard;
  }
  if (!all.is_first()) return mine;
  sum.search->seed = options.seed;
  sum.stopped = shares.stopped;
  sum.transitions = sum.search->steps;
  sum.depth = sum.search->longest;
  show_least_seeds(shares, run, bounds, options, sum);
  sum.gravest = sum.violations.empty() ? verdict::inconclusive : sum.violations.front().kind;
  sum.seconds = bounds.seconds();
  return sum;
}

}  // namespace warpcheck
