// Picks the sentences, the ending and the remedy by the kind of violation.
#include "checker/report/cause/cause.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "checker/report/cause/parts.hpp"

namespace warpcheck {

std::vector<std::string> cause(session& run, names& named, const violation& v, const trace& t) {
  switch (v.kind) {
    case verdict::bad_access:
    case verdict::unwritten_read: return why_access_is_bad(run, named, t);
    case verdict::race:
      return run.traits_of_memory().ends_at_races ? why_weak_accesses_race(run, named, t)
                                                  : why_accesses_race(run, named, t);
    case verdict::assertion: return why_assertion_fails(run, named, v, t);
    case verdict::starvation:
    case verdict::progress_violated: return why_progress_ends(run, named, v, t);
    default: return why_lanes_wait(run, named, v, t);
  }
}

std::string ending(session& run, const violation& v, const trace& t) {
  const bool stack = run.settings().machine.reconvergence == simt::reconvergence::stack;
  switch (v.kind) {
    case verdict::deadlock:
    case verdict::simt_deadlock: {
      if (t.stuck) return "nothing can happen any more";
      if (!t.has_cycle()) return "no schedule completes from here";
      const bool waiting = std::ranges::any_of(t.last_positions, [](const lane_position& p) {
        return p.what == lane_position::kind::parked || p.what == lane_position::kind::other_side;
      });
      return waiting && stack ? "repeats for ever: no other lane of the warp may run"
                              : "repeats for ever: no schedule leads out of it";
    }
    case verdict::starvation:
    case verdict::livelock:
      if (run.settings().fairness == simt::fairness::strong) {
        return "may repeat for ever: nothing that those owed progress do leads out of it";
      }
      switch (run.settings().progress) {
        case simt::progress::fair:
          return "may repeat for ever: every lane that could go on all the time takes a step";
        case simt::progress::unfair: return "may repeat for ever: nobody is owed a turn";
        default:
          return "may repeat for ever: whoever is owed progress and could go on all the time takes "
                 "a step";
      }
    case verdict::progress_violated:
      if (t.has_cycle()) return "may repeat for ever";
      return t.stuck ? "nothing can happen any more" : "others may stop here for ever";
    case verdict::race:
      if (run.traits_of_memory().ends_at_races) return numbers_of_weak_race(run, t);
      return fmt::format("steps {} and {} race: nothing orders them", t.step_count() - 1,
                         t.step_count());
    case verdict::assertion:
      if (!t.steps.empty() && t.steps.back().ends == simt::ending::mbarrier_misuse) {
        return "the access is not carried out";
      }
      return t.steps.empty() || t.steps.back().ends == simt::ending::none
                 ? "the final check fails: " + v.detail
                 : "the assertion fails";
    case verdict::bad_access:
    case verdict::unwritten_read: return "the access is not carried out";
    case verdict::not_linearizable:
    case verdict::not_quiescently_consistent: return "no order explains what is returned here";
    case verdict::not_sequentially_consistent: return "no order explains what was returned";
    case verdict::not_strictly_serializable:
    case verdict::not_opaque: return "no order of the transactions explains what is returned here";
    case verdict::wrong_linearization_point: return "here the operation returns";
    case verdict::barrier_divergence: return "here the barrier diverges";
    case verdict::inconclusive:
    case verdict::ok: break;
  }
  return {};
}

namespace {

/// Whether some lane stands at the end at a barrier with a number of threads.
bool some_lane_waits_for_a_number(session& run, const trace& t) {
  simt::machine& machine = run.machine();
  for (std::uint32_t lane = 0; lane < machine.places().lanes.size(); ++lane) {
    const simt::operation& op = machine.waits_at(t.last, lane);
    if (t.last[lane] != simt::exited && op.kind == simt::operation_kind::barrier &&
        !is_joint(op.barrier) && !is_half(op.barrier)) {
      return true;
    }
  }
  return false;
}

/// Whether some lane is about to use what a shuffle did not get.
bool some_lane_uses_an_undefined_value(session& run, const trace& t) {
  simt::machine& machine = run.machine();
  for (std::uint32_t lane = 0; lane < machine.places().lanes.size(); ++lane) {
    const simt::operation& op = machine.waits_at(t.last, lane);
    if (t.last[lane] != simt::exited && op.kind == simt::operation_kind::collective &&
        op.collective == simt::detail::collective_kind::undefined) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::string remedy(session& run, const violation& v, const trace& t) {
  switch (v.kind) {
    case verdict::race: {
      if (run.traits_of_memory().ends_at_races) return remedy_of_weak_race(run, t);
      const lane_action& a = t.step_before_last().actions.front();
      const lane_action& b = t.steps.back().actions.front();
      const bool weak = a.op.weak || b.op.weak;
      if (!weak && (a.op.size != b.op.size || a.op.address != b.op.address)) return {};
      const auto narrow = [&](const lane_action& x) {
        return leaves_out(run, x, &x == &a ? b.lane : a.lane);
      };
      const lane_action& first = weak ? (a.op.weak ? a : b) : (narrow(a) ? a : b);
      const bool both = (weak ? a.op.weak && b.op.weak : narrow(a) && narrow(b)) && a.at != b.at;
      const std::string where =
          both ? fmt::format("{} and {}", a.at.text(), b.at.text()) : first.at.text();
      return weak
                 ? fmt::format(
                       "make the access at {} atomic (simt::atomic_ref) or volatile, or let a lock "
                       "exclude the other",
                       where)
                 : fmt::format("scope `{}` at {}", scope_of_both(run, a.lane, b.lane), where);
    }
    case verdict::assertion:
      return run.traits_of_memory().is_image ? std::string() : remedy_of_old_value(run, t);
    case verdict::simt_deadlock:
      return "let the lane that got on finish its work inside the loop, and leave the loop only "
             "then "
             "(a done flag), so that it is not parked while others need it";
    case verdict::barrier_divergence:
      if (some_lane_waits_for_a_number(run, t)) {
        return "let the number of threads at each barrier count all warps that come to it, and "
               "give "
               "groups that meet at the same time barriers of their own";
      }
      if (some_lane_uses_an_undefined_value(run, t)) {
        return "let the shuffle read from lanes that take part: name them in the mask and let them "
               "come, or shuffle over shorter distances";
      }
      return "let all lanes that take part reach the same barrier, outside of branches on which "
             "they "
             "differ";
    default: break;
  }
  return {};
}

}  // namespace warpcheck
