// Makes a few single runs in order, and follows their steps under weak memory.
#include "checker/check/first_look.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "checker/axioms/recorded_events.hpp"
#include "checker/check/followed.hpp"
#include "checker/check/part_of_limits.hpp"
#include "checker/search/search.hpp"
#include "sim/machine/walk/replay.hpp"

namespace warpcheck {
namespace {

constexpr std::uint64_t runs_of_a_look = 4;  // of each kind
// Steps of one run. A run that spins is cut off soon; its races up to there count.
constexpr std::uint64_t least_steps = 2'000, steps_of_a_lane = 32;
// How many runs that show nothing in order are looked at under `ptx`, and how many steps of each.
constexpr std::uint64_t followed_runs = 2;
constexpr std::uint64_t least_followed = 2'000, followed_of_a_lane = 8;
// Steps spent to shorten each counterexample.
constexpr std::uint64_t work_to_shorten = 500'000;
// The processor time for a whole first look, and the time for it on a machine that has much to do.
constexpr double most_computed = 1, most_seconds = 20;

/// Whether a run that a search has found ends by a read of memory that no lane has written.
bool reads_unwritten(session& in_order, const violation& seen) {
  if (seen.kind != verdict::bad_access) return false;
  in_order.machine().begin_again();
  simt::replay run(in_order.machine());
  for (const simt::choice& by : seen.how.prefix) {
    const simt::transition* const t = run.find(by);
    if (t == nullptr) return true;
    if (t->ends != simt::ending::none) return t->ends == simt::ending::unwritten_read;
    run.take(*t);
  }
  return true;
}

/// Returns the violations of the first runs, up to a run with a race, if races are wanted: most
/// errors rest on a race. A kernel may read unwritten shared memory because of a race that only
/// another run shows. So such a read alone says nothing.
std::vector<violation> search_in_order(session& in_order, const limits& bounds, verdict_set wanted,
                                       search_kind kind) {
  const std::uint64_t lanes = in_order.setup().grid.threads();
  search_options options;
  options.kind = kind;
  options.runs = 1;
  options.steps = least_steps + steps_of_a_lane * lanes;
  options.judges_cut_off = false;
  options.work_to_shorten = work_to_shorten;
  std::vector<violation> seen;
  verdict_set kinds = 0;
  const verdict_set enough = static_cast<verdict_set>(wanted & bit(verdict::race));
  for (options.seed = 1; options.seed <= runs_of_a_look && !bounds.is_over(); ++options.seed) {
    limits left = bounds;
    *left.time -= bounds.seconds();
    run_result one = search(in_order, left, options);
    for (violation& v : one.violations) {
      if (reads_unwritten(in_order, v)) v.kind = verdict::unwritten_read;
      if ((bit(v.kind) & wanted & ~kinds) == 0) continue;
      kinds = static_cast<verdict_set>(kinds | bit(v.kind));
      seen.push_back(std::move(v));
    }
    if (kinds != 0 && (kinds & enough) == enough) break;
    if (one.search->runs == 0) break;
    // Lanes spin, so they will spin in other runs.
    if (kind == search_kind::random && one.search->cut_off != 0) break;
  }
  if (kinds == bit(verdict::unwritten_read)) return {};
  std::ranges::stable_sort(seen, {}, &violation::kind);
  return seen;
}

}  // namespace

bool has_first_look(const session& run) {
  // With fewer fences, the same runs were already made with all fences.
  return run.setup().grid.threads() >= wide_grid &&
         run.setup().model.fences == simt::sc_fences::as_they_are &&
         run.object().monitor == nullptr && !run.subject().never_ends() && !run.setup().grid.copies;
}

std::vector<violation> first_look(session& run, const limits& bounds, verdict_set wanted,
                                  std::uint64_t& forbidden) {
  run_settings how = run.settings();
  how.machine.memory = simt::memory_model::sc;
  session in_order(run.subject(), how, run.waiting());
  limits small = part_of(bounds, most_seconds);
  small.processor_time = most_computed;
  small.computed = limits::processor_seconds();
  small.threads = 1;
  small.max_states.reset();
  small.first = false;
  std::vector<violation> seen = search_in_order(in_order, small, wanted, search_kind::random);
  // Where each warp is as likely as the others, all warps come equally far. One that is a round of
  // a loop ahead takes a bias.
  const auto with_a_bias = [&]() -> std::vector<violation> {
    if (!in_order.machine().has_lockstep()) return {};
    return search_in_order(in_order, small, wanted, search_kind::swarm);
  };
  if (run.traits_of_memory().is_image) return seen.empty() ? with_a_bias() : seen;
  const auto attempt = [&](auto follow) -> std::optional<violation> {
    if (small.is_over()) return std::nullopt;
    session there(run.subject(), run.settings(), run.waiting());
    std::optional<violation> end = follow(there);
    if (!end || (bit(end->kind) & wanted) == 0) return std::nullopt;
    if (is_forbidden(there.machine(), end->how)) {
      ++forbidden;
      return std::nullopt;
    }
    run.facts().learn(there.facts().now());  // with these facts, choices mean the same in `run`
    return end;
  };
  const auto first_of = [&](std::vector<violation> all) -> std::optional<violation> {
    // Most errors with a race in order are a race under `ptx`, so the race comes first.
    std::ranges::stable_partition(all, [](const violation& v) { return v.kind == verdict::race; });
    for (const violation& v : all) {
      auto end =
          attempt([&](session& there) { return followed_in_order(there, in_order, v, small); });
      if (end) return end;
    }
    return std::nullopt;
  };
  if (auto end = first_of(seen)) return {std::move(*end)};
  if (!seen.empty() || (wanted & bit(verdict::race)) == 0) return {};
  // A run without errors in order may have a race under `ptx`: what orders its accesses in time may
  // be no synchronization.
  const std::uint64_t steps = least_followed + followed_of_a_lane * run.setup().grid.threads();
  for (std::uint64_t seed = 1; seed <= followed_runs; ++seed) {
    auto race = attempt(
        [&](session& there) { return race_on_random_run(there, in_order, seed, steps, small); });
    if (race) return {std::move(*race)};
  }
  if (auto end = first_of(with_a_bias())) return {std::move(*end)};
  return {};
}

}  // namespace warpcheck
