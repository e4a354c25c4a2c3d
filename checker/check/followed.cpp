// Takes the steps of an execution one after the other on a machine with weak memory, and collects
// facts with which that machine sees races.
#include "checker/check/followed.hpp"

#include <algorithm>
#include <map>
#include <span>

#include "checker/explore/asked_in_time.hpp"
#include "checker/run/ending.hpp"
#include "checker/search/search.hpp"
#include "sim/machine/walk/replay.hpp"
#include "sim/machine/weak/weak_operation.hpp"

namespace warpcheck {
namespace {

// Most pairs of a location and a lane for which a race is looked for on one run.
constexpr std::uint64_t most_watched = 65'536;

/// Whether a state, and no step, can show a violation of that kind. A deadlock shows where no lane
/// can step. (Under `stack`, and where lanes spin, what they might still read would count.)
bool can_end_here(verdict kind, const simt::machine& machine) {
  return kind == verdict::barrier_divergence ||
         (kind == verdict::deadlock && !machine.has_lockstep());
}

/// Follows `seen`. `in_order`: the choices are those of a machine whose memory is in order. If no
/// step ends such a run, the run counts if its last state shows the violation, or if it completes
/// and fails its final check.
std::optional<violation> follow(const session& run, simt::machine& machine, const violation& seen,
                                bool in_order) {
  violation result{seen.kind, {{}, seen.how.cycle}, seen.detail};
  simt::replay so_far(machine);
  for (const simt::choice& by : seen.how.prefix) {
    for (bool again = true; again;) {
      machine.program().give_up_in_time();
      // A choice of one lane names how many messages are newer than the message that is read. For a
      // machine whose memory is in order, none is.
      const simt::transition* const t = so_far.find(by);
      if (t == nullptr) return std::nullopt;
      result.how.prefix.push_back(by);
      if (t->ends != simt::ending::none) {
        return violation{
            verdict_of(t->ends), {std::move(result.how.prefix), {}}, so_far.list().why};
      }
      // Under weak memory, the fence of a sequentially consistent access is a step of its own.
      again = in_order && by.what == simt::choice::kind::lane &&
              machine.waits_at(so_far.state(), by.unit).kind == simt::operation_kind::memory &&
              machine.reading_of(so_far.state(), by).is_fence;
      so_far.take(*t);
    }
  }
  if (!in_order) return result;
  if (can_end_here(seen.kind, machine)) {
    simt::successor_list list;
    machine.list_steps(so_far.state(), list);
    const bool diverges = list.here == simt::ending::barrier_divergence;
    if (diverges != (seen.kind == verdict::barrier_divergence)) return std::nullopt;
    if (diverges) return violation{seen.kind, std::move(result.how), list.why};
    const bool is_stuck = list.transitions.empty() && !machine.is_complete(so_far.state());
    return is_stuck ? std::optional(std::move(result)) : std::nullopt;
  }
  if (seen.kind != verdict::assertion || !machine.is_complete(so_far.state())) return std::nullopt;
  const char* message = run.final_check(machine.image(so_far.state()));
  if (message == nullptr) return std::nullopt;
  result.detail = message;
  return result;
}

/// Follows `seen` again and again, until the machine learns nothing new. Only such a round counts.
std::optional<violation> follow_in_rounds(session& run, const violation& seen, bool in_order,
                                          const limits& bounds) {
  simt::machine& machine = run.machine();
  const asked_in_time patience(machine.stores().program, bounds);
  std::optional<violation> result;
  do {  // repeat with what was learnt
    machine.begin_again();
    unless_void(machine, [&] { result = follow(run, machine, seen, in_order); });
  } while (machine.has_news() && !bounds.is_over());
  return machine.has_news() ? std::nullopt : result;
}

/// How lanes use a location.
struct use {
  std::uint32_t lane = 0;
  bool by_several = false, stores = false;
};

/// Returns facts with which a machine finds the races of a run under `sc`, where each contested
/// location is taken for the worst. Contested are locations with accesses that synchronize, and
/// those of the last two accesses. With `all`, so are those that several lanes access and some lane
/// stores to. An access of any other location learns nothing of other lanes.
simt::memory_facts facts_of_races(simt::machine& machine, std::span<const simt::choice> choices,
                                  bool all) {
  simt::memory_facts facts;
  std::map<std::uint32_t, use> uses;
  simt::replay run(machine);
  for (std::size_t i = 0; i < choices.size() && !machine.has_news(); ++i) {
    machine.program().give_up_in_time();
    machine.for_each_lane(choices[i], run.state(), [&](std::uint32_t lane) {
      const simt::operation& op = machine.waits_at(run.state(), lane);
      if (op.kind != simt::operation_kind::memory) return;
      const simt::operation_traits traits = machine.lanes().traits_of(op);
      if (simt::access_of(op).strong || i + 2 >= choices.size())
        facts.contested.insert(traits.offset);
      const auto [at, is_new] = uses.try_emplace(traits.offset, use{lane});
      at->second.by_several = at->second.by_several || at->second.lane != lane;
      at->second.stores = at->second.stores || traits.writes;
    });
    if (!run.follow(choices[i])) break;
  }
  for (const auto& [offset, one] : uses) {
    if (all && one.by_several && one.stores) facts.contested.insert(offset);
  }
  facts.shared = facts.ordinary = facts.mixed = facts.contested;
  facts.narrow = facts.unsynchronized = true;
  return facts;
}

/// Returns the result of `f`, or nothing if time is over or device code misbehaves. A later
/// exploration meets such an error, too, and reports it.
template <class F>
std::optional<violation> if_it_can_be(F f) {
  try {
    return f();
  } catch (const simt::lane_automaton::given_up&) {
  } catch (const simt::lane_error&) {
  }
  return std::nullopt;
}

}  // namespace

std::optional<violation> followed(session& run, const violation& seen, const limits& bounds) {
  return if_it_can_be([&] { return follow_in_rounds(run, seen, false, bounds); });
}

std::optional<violation> followed_in_order(session& run, session& ordered, const violation& seen,
                                           const limits& bounds) {
  return if_it_can_be([&] {
    // With the facts of this run alone, another violation might hide a race.
    if (seen.kind == verdict::race || can_end_here(seen.kind, ordered.machine())) {
      const asked_in_time patience(ordered.stores().program, bounds);
      ordered.machine().begin_again();
      run.facts().learn(facts_of_races(ordered.machine(), seen.how.prefix, false));
      run.facts().settle(true);
    }
    return follow_in_rounds(run, seen, true, bounds);
  });
}

std::optional<violation> race_on_random_run(session& run, session& ordered, std::uint64_t seed,
                                            std::uint64_t steps, const limits& bounds) {
  return if_it_can_be([&]() -> std::optional<violation> {
    const asked_in_time patience(ordered.stores().program, bounds);
    ordered.machine().begin_again();
    std::vector<simt::choice> choices = random_run(ordered.machine(), seed, steps);
    ordered.machine().begin_again();
    const simt::memory_facts facts = facts_of_races(ordered.machine(), choices, true);
    if (facts.contested.size() * run.setup().grid.threads() > most_watched) return std::nullopt;
    run.facts().learn(facts);
    run.facts().settle(true);
    auto found = follow_in_rounds(run, {verdict::race, {std::move(choices), {}}, {}}, true, bounds);
    return found && found->kind == verdict::race ? std::move(found) : std::nullopt;
  });
}

}  // namespace warpcheck
