// The table of reasons for which a run ends early: what to do about each, and where more is said.
#include "checker/run/stop_cause.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace warpcheck {
namespace {

constexpr std::array ways{
    way_on{stop_reason::interrupted,
           "run it again; with --save DIR a run that is stopped is kept, and --resume DIR goes on "
           "with it",
           "Time and Ctrl-C"},
    way_on{
        stop_reason::time,
        "raise --time, or use fewer lanes or a smaller \"repeat\"; with --save DIR a run that is "
        "stopped is kept, and --resume DIR goes on with it",
        "Time and Ctrl-C"},
    way_on{stop_reason::memory,
           "--spill DIR keeps states on disk, and --max-memory SIZE sets another limit (ulimit -v "
           "or a control group may set a lower one); or use fewer lanes or a smaller \"repeat\"",
           "Memory"},
    way_on{stop_reason::states,
           "raise --max-states, or leave it out; or use fewer lanes or a smaller \"repeat\"",
           "Too many states"},
    way_on{stop_reason::growth, "give --time or --max-states, and it is explored up to that limit",
           "A value that grows"},
    way_on{stop_reason::first_violation, "leave --first out, and the rest is explored, too",
           "A part on purpose"},
    way_on{stop_reason::long_after_violation,
           "mend what is shown, and the rest is looked at; with --time or --max-states it is now",
           "A part on purpose"},
    way_on{stop_reason::single_runs, "mend what is shown, and the rest is explored",
           "A part on purpose"},
    way_on{stop_reason::larger_clients,
           "mend what fails with these clients, and larger ones are looked at",
           "A part on purpose"},
    way_on{stop_reason::no_room, "make room on that disk, or name another folder with --spill DIR",
           "Memory"},
    way_on{stop_reason::too_many_to_number,
           "use fewer lanes, a smaller \"repeat\" or fewer operations", "Too many states"},
    way_on{stop_reason::silent_loop,
           "give the loop an end, or let it read an atomic variable that another lane changes",
           "A loop without a visible operation"},
    way_on{stop_reason::many_at_activemask,
           "use warps of 12 lanes or less, or give the lanes a mask of their own in place of "
           "activemask()",
           "Many lanes at one activemask"},
    way_on{stop_reason::mixed_sizes,
           "access that memory with one size everywhere, or check it with memory = \"sc\"",
           "Accesses of different sizes"},
    way_on{stop_reason::growing_stores,
           "bound the loop or the value that it stores, or give the store or the loads before it a "
           "stronger memory order; --no-promises looks for violations without load buffering",
           "Load buffering"},
    way_on{stop_reason::early_stores,
           "give the loads before such stores memory_order_acquire, or the stores "
           "memory_order_release, or use fewer lanes; --no-promises looks for violations without "
           "load buffering",
           "Load buffering"},
    way_on{stop_reason::rare_early_stores,
           "give the loads before such stores memory_order_acquire, or the stores "
           "memory_order_release, or use fewer lanes",
           "Load buffering"},
    way_on{stop_reason::no_early_stores, "leave --no-promises out", "Load buffering"},
    way_on{stop_reason::livelock,
           "use fewer lanes, or name in \"check\" the violations to look for, without \"livelock\"",
           "A question that is not decided"},
    way_on{stop_reason::kind_of_deadlock,
           "use fewer lanes, or look for the deadlock with reconvergence = \"its\"",
           "A question that is not decided"},
    way_on{stop_reason::clients_end, "write repeat = \"forever\", so that clients do not end",
           "A question that is not decided"},
    way_on{stop_reason::strong_fairness,
           "leave fairness = \"strong\" out, or do not ask for this kind of progress",
           "A question that is not decided"},
    way_on{stop_reason::not_shown,
           "raise --time: the violation is there, and a run that shows it takes time to put "
           "together; or use fewer lanes",
           "Time and Ctrl-C"},
    way_on{stop_reason::all_found, "mend what was found, and search again", "A part on purpose"},
    way_on{stop_reason::merging, "try it with --reduce symmetry,order,dead,fences",
           "Too many states"},
    way_on{stop_reason::defect,
           "tell the authors of warpcheck, with the scenario and its source; --reduce none may "
           "decide it meanwhile",
           "A defect of warpcheck"},
};

constexpr way_on from_growth{
    stop_reason::none, "bound what grows, for example by a loop that gives up after a few rounds",
    "A value that grows"};

constexpr way_on from_search{
    stop_reason::none,
    "leave --search out to explore every run; where that is too large, raise --runs or --time, or "
    "search from another --seed",
    "A search proves nothing"};

}  // namespace

stop_reason reason_of(const simt::lane_runaway& runaway) {
  using cause = simt::lane_runaway::cause;
  switch (runaway.why()) {
    case cause::silent_loop: return stop_reason::silent_loop;
    case cause::mixed_sizes: return stop_reason::mixed_sizes;
    case cause::growing_stores: return stop_reason::growing_stores;
    case cause::early_stores: return stop_reason::early_stores;
  }
  return stop_reason::defect;
}

std::span<const way_on> ways_on() { return ways; }

const way_on& way_on_from(stop_reason reason) {
  const auto found = std::ranges::find(ways, reason, &way_on::reason);
  if (found == ways.end()) throw std::logic_error("a reason to stop has no remedy");
  return *found;
}

bool is_of_limit(stop_reason reason) {
  return reason == stop_reason::interrupted || reason == stop_reason::time ||
         reason == stop_reason::memory || reason == stop_reason::states ||
         reason == stop_reason::too_many_to_number || reason == stop_reason::growth;
}

const way_on& way_on_from_growth() { return from_growth; }

const way_on& way_on_from_search() { return from_search; }

}  // namespace warpcheck
