// Replays a violation, checks that it is one, and collects cause, table, ABA and remedy.
#include <stdexcept>

#include <fmt/format.h>

#include "checker/kernel/inlined_calls.hpp"
#include "checker/report/cause/cause.hpp"
#include "checker/report/cause/cuda_threads.hpp"
#include "checker/report/cause/points.hpp"
#include "checker/report/report.hpp"
#include "sim/lane/lane_runner.hpp"

namespace warpcheck {

namespace {

/// Names the API as CUDA does. The API is modelled on libcu++, so only the namespace differs.
void say_it_in_cuda(shown_violation& one, const kernel_launch& launch) {
  constexpr std::string_view ours = "simt::", cudas = "cuda::";
  for (auto at = one.remedy.find(ours); at != std::string::npos; at = one.remedy.find(ours, at))
    one.remedy.replace(at, ours.size(), cudas);
  if (std::string threads = cuda_threads(one.why, launch); !threads.empty())
    one.why.push_back(std::move(threads));
  if (std::string calls = inlined_calls(one.why, launch); !calls.empty())
    one.why.push_back(std::move(calls));
}

/// Says in which launch a program with several launches is.
std::string launch_of(session& run, const trace& t) {
  const simt::machine& machine = run.machine();
  const std::uint32_t launch = machine.launch_of(t.last);
  if (machine.is_complete(t.last)) {
    return fmt::format("All launches have ended; the last one was launch {}.", launch);
  }
  return fmt::format("This is in launch {}{}.", launch,
                     launch == 0 ? ", the first one" : "; the launches before it have ended");
}

shown_violation show_with(session& run, names& named, const violation& found,
                          show_moments moments) {
  shown_violation one;
  one.what = found;
  one.how = follow(run, named, found.how);
  if (const std::string why = not_shown(run, named, one.how, found.kind); !why.empty()) {
    throw not_a_violation(why);
  }
  one.table = make_table(run, named, one.how);
  if (moments == show_moments::yes) one.moments = moments_of(run, named, one.how);
  if ((bit(found.kind) & inconsistencies) != 0) {
    one.operations = history_of(run, one.how, found.kind);
    if (one.operations->evidence.operations.empty()) {
      throw not_a_violation("some order explains its history");
    }
    one.why = {one.operations->evidence.why};
    for (const std::string& more : one.operations->evidence.more) one.why.push_back(more);
  } else if (found.kind == verdict::wrong_linearization_point) {
    one.operations = history_of(run, one.how, verdict::not_linearizable);
    one.why = why_points_are_wrong(run, named, one.how, *one.operations);
  } else {
    one.why = cause(run, named, found, one.how);
    const bool checked = found.kind == verdict::assertion && one.how.stuck;
    if (checked && run.setup().monitor != nullptr)
      one.operations = history_of(run, one.how, verdict::not_linearizable);
  }
  if (run.machine().has_launches()) one.why.push_back(launch_of(run, one.how));
  one.aba = find_aba(one.how);
  for (const aba_finding& a : one.aba) one.why.push_back(text_of(a, named) + ".");
  one.ending = ending(run, found, one.how);
  one.remedy = remedy(run, found, one.how);
  if (const auto& kernel = run.subject().kernel) say_it_in_cuda(one, *kernel);
  return one;
}

}  // namespace

shown_violation show(session& run, names& named, const violation& found, show_moments moments) {
  try {
    return show_with(run, named, found, moments);
  } catch (const simt::lane_runaway&) {
    // Early stores of lanes may have no end. The violation was found without such stores.
    if (!run.settings().machine.promises || !run.traits_of_memory().learns_facts) throw;
  }
  run_settings how = run.settings();
  how.machine.promises = false;
  session other(run.subject(), how, run.waiting());
  other.facts().learn(run.facts().now());
  other.facts().settle(true);
  names others(other);
  return show_with(other, others, found, moments);
}

namespace {

/// Whether the meaning of the history matters. Around a cycle of clients that never end, it need
/// not repeat.
bool minds_history(verdict kind) {
  constexpr verdict_set cycles = deadlocks | bit(verdict::livelock) | bit(verdict::starvation) |
                                 bit(verdict::progress_violated);
  return (bit(kind) & cycles) == 0;
}

shown_violation show_without_history(const session& run, const violation& found,
                                     show_moments moments) {
  run_settings how = run.settings();
  how.check = bit(found.kind);
  session other(run.subject(), how, run.waiting());
  other.facts().learn(run.facts().now());
  other.facts().settle(true);
  names named(other);
  return show(other, named, found, moments);
}

}  // namespace

std::vector<shown_violation> show_all(session& run, names& named, const run_result& result,
                                      show_moments moments) {
  std::vector<shown_violation> shown;
  const auto defect = [](const violation& v, const std::exception& error) {
    return std::logic_error(
        fmt::format("{}: the counterexample cannot be replayed: {}", name(v.kind), error.what()));
  };
  for (const violation& v : result.violations) {
    try {
      const bool as_it_is =
          !run.subject().never_ends() || run.object().monitor == nullptr || minds_history(v.kind);
      shown.push_back(as_it_is ? show(run, named, v, moments)
                               : show_without_history(run, v, moments));
    } catch (const cannot_follow& error) {
      throw defect(v, error);
    } catch (const not_a_violation& error) {
      throw defect(v, error);
    }
  }
  return shown;
}

}  // namespace warpcheck
