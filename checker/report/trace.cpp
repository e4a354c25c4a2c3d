// Follows the choices of an execution with the run's machine, and names what each step does.
#include "checker/report/trace.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "sim/machine/promises/promised_store.hpp"
#include "sim/machine/walk/replay.hpp"

namespace warpcheck {
namespace {

using simt::operation_kind;

constexpr std::size_t steps_in_time = 64;  // steps between two looks at the time

/// Where a lane that stands before a branch goes on: at the first operation of the block that it
/// enters, or where the block begins.
source_place resumption(simt::machine& machine, names& named, simt::continuation c) {
  const simt::operation branch = machine.program().at(c);
  if (branch.kind != operation_kind::branch) return named.place(branch.pc);
  const simt::operation next = machine.program().at(machine.program().next(c, 0));
  const bool inside = next.kind != operation_kind::branch && next.block == branch.target;
  const source_place& place = inside ? named.place(next.pc) : named.block(branch.target);
  return place.known() ? place : named.block(branch.target);
}

std::vector<lane_position> positions_of(simt::machine& machine, names& named,
                                        simt::state_view state) {
  const auto& places = machine.places();
  std::vector<lane_position> result(places.lanes.size());
  for (std::uint32_t lane = 0; lane < result.size(); ++lane) {
    using kind = lane_position::kind;
    const simt::place& at = places.lanes[lane];
    if (state[lane] == simt::exited) {
      result[lane].what = kind::exited;
      continue;
    }
    if (!machine.is_resident(state, at.block)) {
      result[lane].what = kind::absent;
      continue;
    }
    if (!machine.has_stacks()) continue;
    const simt::warp_stack& stack = machine.stack(state, at.warp);
    const std::uint32_t self = 1U << at.index;
    for (std::uint32_t f = 0; f < stack.frames.size(); ++f) {
      const simt::warp_frame& frame = stack.frames[f];
      if ((frame.arrived & self) != 0) result[lane] = {kind::parked, frame.block, f, {}};
      for (const std::uint32_t side : frame.pending) {
        if ((side & self) != 0) result[lane] = {kind::other_side, simt::no_block, f, {}};
      }
    }
    if (result[lane].what != kind::running) {
      result[lane].resumes_at = resumption(machine, named, state[lane]);
    }
  }
  return result;
}

/// Counts stores that are visible and not carried out yet, by lane and address.
class open_promises {
 public:
  void take_in(const trace_step& step) {
    if (step.promise) ++open_[key(*step.promise)];
    const bool keeps = step.by.what == simt::choice::kind::lane && step.actions.size() == 1 &&
                       (step.by.mask & simt::choice::keeps) != 0;
    if (keeps) --open_[key(step.actions.front())];
  }
  [[nodiscard]] std::uint32_t of(const lane_action& a) const {
    const auto at = open_.find(key(a));
    return at == open_.end() ? 0 : at->second;
  }

 private:
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint32_t> open_;

  static std::pair<std::uint32_t, std::uint64_t> key(const lane_action& a) {
    return {a.lane, a.op.address};
  }
};

lane_action action_of(simt::machine& machine, names& named, simt::state_view state,
                      const simt::choice& by, std::uint32_t lane, const open_promises& promised) {
  lane_action action;
  action.lane = lane;
  action.from = state[lane];
  action.op = machine.waits_at(state, lane);
  action.at = named.place(action.op.pc);
  action.result = by.chosen();
  if (action.op.kind == operation_kind::barrier) {
    action.called = named.barrier_call(action.op.pc);
    if (by.is_step()) {
      const auto votes = machine.barriers().votes_at(state, action.op, by);
      action.result = simt::grid_barriers::answer(action.op, votes);
      if (action.op.barrier == simt::barrier_part::arrive) action.result >>= 1;
    }
  }
  if (action.op.kind == operation_kind::memory) {
    action.variable = named.variable(action.op.address);
    action.valid = !machine.is_bad_access(state, lane);
    if (action.valid) {
      const auto reading = machine.reading_of(state, by);
      if (reading.is_fence) {
        action.op.kind = operation_kind::fence;
        return action;
      }
      // A lane's own promised store comes behind all that the lane does until then.
      const std::uint32_t newer = reading.is_of_phase ? by.mask : reading.newer;
      action.newer = newer - std::min(newer, promised.of(action));
      action.old_value = reading.value;
    }
    if (action.valid) {
      action.new_value = simt::apply(action.op, action.old_value);
    }
  }
  return action;
}

// Adds the results of collectives, as far as the operands alone give them.
void add_results(simt::machine& machine, trace_step& step) {
  std::uint32_t lanes = 0;
  std::uint32_t votes = 0;
  for (const lane_action& a : step.actions) {
    const std::uint32_t self = 1U << machine.places().lanes[a.lane].index;
    lanes |= self;
    if (a.op.operand != 0) votes |= self;
  }
  for (lane_action& a : step.actions) {
    if (a.op.kind != operation_kind::collective) continue;
    using simt::detail::collective_kind;
    switch (a.op.collective) {
      case collective_kind::ballot: a.result = votes; break;
      case collective_kind::any: a.result = votes != 0; break;
      case collective_kind::all: a.result = votes == lanes; break;
      case collective_kind::activemask: a.result = lanes; break;
      default: break;
    }
    if (!simt::detail::is_reduction(a.op.collective)) continue;
    auto all = static_cast<std::uint32_t>(a.op.operand);
    for (const lane_action& other : step.actions) {
      if (other.lane == a.lane) continue;
      all = simt::reduced(a.op.collective, all, static_cast<std::uint32_t>(other.op.operand));
    }
    a.result = all;
  }
}

/// Returns the element of `a` that has the byte at `at`: neighbouring bytes with the same name.
std::pair<std::uint64_t, std::uint64_t> element_at(names& named, const simt::allocation& a,
                                                   std::uint64_t at) {
  const std::string name = named.variable(a.address + at);
  std::uint64_t begin = at, end = at + 1;
  while (begin > 0 && end - begin < 8 && named.variable(a.address + begin - 1) == name) --begin;
  while (end < a.size && end - begin < 8 && named.variable(a.address + end) == name) ++end;
  return {begin, end};
}

std::vector<host_change> changes_of_host(const session& run, names& named,
                                         std::span<const std::uint8_t> before,
                                         std::span<const std::uint8_t> after) {
  std::vector<host_change> all;
  for (const simt::allocation& a : run.memory().allocations()) {
    if (a.what == simt::allocation::kind::shared) continue;  // shared memory ends with the launch
    const auto old_bytes = before.subspan(a.offset, a.size),
               bytes = after.subspan(a.offset, a.size);
    for (std::uint64_t at = 0; at < a.size; ++at) {
      if (old_bytes[at] == bytes[at]) continue;
      const auto [begin, end] = element_at(named, a, at);
      const auto size = static_cast<std::uint32_t>(end - begin);
      std::uint64_t from = 0, to = 0;
      std::memcpy(&from, old_bytes.data() + begin, size);
      std::memcpy(&to, bytes.data() + begin, size);
      const std::uint64_t address = a.address + begin;
      all.push_back({named.variable(address), named.value_at(address, from, size),
                     named.value_at(address, to, size)});
      at = end - 1;
    }
  }
  return all;
}

shown_line shown(names& named, std::uint32_t lane, const simt::printed_line& line) {
  shown_line result{lane, {}, named.place(line.pc)};
  std::size_t at = 0;
  for (const auto& [place, pointer] : line.pointers) {
    const std::string value = named.value(pointer, 8);
    result.text += line.text.substr(at, place - at);
    result.text += value.starts_with('&') ? value : fmt::format("{:#x}", pointer);
    at = place;
  }
  result.text += line.text.substr(at);
  if (!line.given) result.text += " (with something that was never set)";
  return result;
}

bool prints(const session& run) {
  return simt::calls(*run.setup().library, *run.setup().entry, "simt_hook_print");
}

/// Follows the execution once. That counts if the machine has no news afterwards.
trace follow_once(session& run, names& named, const execution& how) {
  simt::machine& machine = run.machine();
  trace result;
  simt::replay so_far(machine);
  const simt::state_words& state = so_far.state();
  std::vector<simt::choice> choices = how.prefix;
  choices.insert(choices.end(), how.cycle.begin(), how.cycle.end());
  open_promises promised_so_far;
  const bool is_printing = prints(run);
  for (std::uint32_t lane = 0; is_printing && lane < machine.places().lanes.size(); ++lane) {
    for (const auto& line : machine.printed_at_start(lane)) {
      result.printed_at_start.push_back(shown(named, lane, line));
    }
  }
  std::uint32_t number = 0;
  bool ended = false;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const simt::choice& by = choices[i];
    const auto refuse = [&](std::string_view because) {
      return cannot_follow(i, fmt::format("choice {}, \"{}\": {}", i + 1,
                                          simt::to_text(by, run.setup().grid), because));
    };
    if (ended) throw refuse("the run has already ended");
    if (i % steps_in_time == 0) machine.program().give_up_in_time();
    const simt::transition* const t = so_far.find(by);
    if (machine.has_news()) return {};
    if (t == nullptr) throw refuse("this cannot happen here");
    trace_step step;
    step.by = by;
    step.name = name_of(machine, state, by);
    step.before = state;
    step.positions = positions_of(machine, named, state);
    step.ends = t->ends;
    if (by.is_step()) step.number = ++number;
    machine.for_each_lane(by, state, [&](std::uint32_t lane) {
      step.actions.push_back(action_of(machine, named, state, by, lane, promised_so_far));
    });
    if (!machine.traits_of_memory().is_image) step.coherent = coherence_step_of(machine, state, by);
    add_results(machine, step);
    if (by.what == simt::choice::kind::promise) {
      const auto promised = machine.promises(state, by.unit).at(by.mask);
      lane_action& store = step.promise.emplace();
      store.lane = by.unit;
      store.op.kind = operation_kind::memory;
      store.op.memory = simt::detail::memory_kind::store;
      store.op.size = promised.size;
      store.op.address = promised.address;
      store.op.operand = promised.value;
      store.new_value = promised.value;
      store.variable = named.variable(promised.address);
      store.at = named.place(promised.pc);
    }
    if (by.what == simt::choice::kind::lane) {
      for (const simt::operation& point : machine.points_of_step(state, by)) {
        step.actions.front().points.push_back(named.place(point.pc));
      }
    }
    promised_so_far.take_in(step);
    if (t->ends == simt::ending::none) {
      so_far.take(*t);
      for (lane_action& a : step.actions) {
        a.exits = state[a.lane] == simt::exited;
        if (!is_printing) continue;
        for (const auto& line : machine.printed(step.before, by, a.lane)) {
          a.printed.push_back(shown(named, a.lane, line));
        }
      }
      if (by.what == simt::choice::kind::launch) {
        step.launches_none = machine.is_complete(state);
        step.host = changes_of_host(run, named, machine.image(step.before), machine.image(state));
        for (std::uint32_t lane = 0;
             is_printing && !step.launches_none && lane < machine.places().lanes.size(); ++lane) {
          for (const auto& line : machine.printed_at_start(lane, by.unit)) {
            step.printed.push_back(shown(named, lane, line));
          }
        }
      }
    } else {
      ended = true;
    }
    if (i == how.prefix.size()) result.cycle_begin = result.steps.size();
    result.steps.push_back(std::move(step));
  }
  if (how.cycle.empty()) result.cycle_begin = result.steps.size();
  result.last = state;
  result.last_positions = positions_of(machine, named, state);
  if (!ended) {
    simt::successor_list list;
    machine.successors(state, list);
    result.here = list.here;
    result.why = list.why;
    result.stuck = list.transitions.empty() && list.here == simt::ending::none;
  }
  return result;
}

}  // namespace

std::uint32_t trace::step_count() const {
  std::uint32_t count = 0;
  for (const trace_step& s : steps) count = std::max(count, s.number);
  return count;
}

const trace_step& trace::step_before_last() const {
  auto at = steps.rbegin() + 1;
  while (!at->by.is_step()) ++at;
  return *at;
}

std::vector<lane_position> positions_in(session& run, names& named, simt::state_view state) {
  return positions_of(run.machine(), named, state);
}

std::vector<lane_action> next_actions(session& run, names& named, const trace& so_far,
                                      const simt::choice& by) {
  simt::machine& machine = run.machine();
  open_promises promised;
  for (const trace_step& step : so_far.steps) promised.take_in(step);
  trace_step next;
  machine.for_each_lane(by, so_far.last, [&](std::uint32_t lane) {
    next.actions.push_back(action_of(machine, named, so_far.last, by, lane, promised));
  });
  add_results(machine, next);
  return std::move(next.actions);
}

trace follow(session& run, names& named, const execution& how) {
  const simt::machine& machine = run.machine();
  for (;;) {  // repeat with what was learnt
    run.machine().begin_again();
    try {
      trace once = follow_once(run, named, how);
      if (!machine.has_news()) return once;
    } catch (...) {
      if (!machine.has_news()) throw;
    }
  }
}

namespace {

/// Whether every lane waits at the same operation in both states, and all else is equal. Lanes may
/// then only differ in values that they will not look at, so the checker has merged them.
bool look_alike(const simt::machine& machine, simt::state_view a, simt::state_view b) {
  const std::size_t lanes = machine.places().lanes.size();
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    const operation_kind kind = machine.waits_at(a, lane).kind;
    if (std::memcmp(&machine.waits_at(a, lane), &machine.waits_at(b, lane),
                    sizeof(simt::operation)) != 0)
      return false;
    if ((kind == operation_kind::exited) != (a[lane] == simt::exited)) return false;
  }
  return std::ranges::equal(a.subspan(lanes), b.subspan(lanes));
}

}  // namespace

std::string not_shown(session& run, names& named, const trace& t, verdict kind) {
  simt::machine& machine = run.machine();
  const simt::ending ends = t.steps.empty() ? simt::ending::none : t.steps.back().ends;
  const bool returns = t.has_cycle() && look_alike(machine, t.steps[t.cycle_begin].before, t.last);
  if (t.has_cycle() && !returns) return "its cycle does not return to where it begins";
  switch (kind) {
    case verdict::bad_access:
    case verdict::unwritten_read: {
      const bool shown = ends == simt::ending::bad_access || ends == simt::ending::unwritten_read;
      return shown ? "" : "its last step is no bad access";
    }
    case verdict::barrier_divergence: {
      const bool shown =
          ends == simt::ending::barrier_divergence || t.here == simt::ending::barrier_divergence;
      return shown ? "" : "it does not end in barrier divergence";
    }
    case verdict::assertion: {
      if (ends == simt::ending::assertion || ends == simt::ending::mbarrier_misuse) return "";
      const bool fails = t.stuck && machine.is_complete(t.last) &&
                         run.final_check(machine.image(t.last)) != nullptr;
      return fails ? "" : "no assertion and no final check fails";
    }
    case verdict::race: {
      if (machine.traits_of_memory().ends_at_races) {
        return ends == simt::ending::race ? "" : "its last step is in no race";
      }
      if (t.step_count() < 2) return "it has no two steps";
      const auto& a = t.step_before_last().actions;
      const auto& b = t.steps.back().actions;
      const bool conflict = a.size() == 1 && b.size() == 1 && a[0].lane != b[0].lane &&
                            machine.conflict(a[0].lane, a[0].from, b[0].lane, b[0].from);
      return conflict ? "" : "its last two steps do not conflict";
    }
    case verdict::starvation:
    case verdict::progress_violated: return progress_not_shown(run, named, t, kind);
    case verdict::livelock: return returns ? "" : "it has no cycle";
    case verdict::deadlock:
    case verdict::simt_deadlock: {
      if (t.here != simt::ending::none || ends != simt::ending::none) return "the run ends";
      return machine.is_complete(t.last) ? "the run completes" : "";
    }
    case verdict::not_linearizable:
    case verdict::not_sequentially_consistent:
    case verdict::not_quiescently_consistent:
    case verdict::not_strictly_serializable:
    case verdict::not_opaque:
    case verdict::wrong_linearization_point: {
      const bool shown = (verdicts_of(machine.broken(t.last)) & bit(kind)) != 0;
      return shown ? "" : "some order explains its history";
    }
    case verdict::inconclusive:
    case verdict::ok: break;
  }
  return "there is nothing to show";
}

}  // namespace warpcheck
