// What the fast algorithms have in common: histories of queues, stacks and registers in which every
// value is put once, as values with the operations that put and took them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "checker/history/history.hpp"
#include "checker/history/task.hpp"

namespace warpcheck {

/// A value that was put, and what happened to it. The interval of the put ends no later than that
/// of the take, and that of the take begins no earlier, since the put must come before the take.
struct carried_value {
  simt::spec::value what = 0;
  std::uint32_t put = no_operation;   // indices in the steps
  std::uint32_t take = no_operation;  // none: the value stayed
  event_time put_called = 0, put_returns = never;
  event_time take_called = never, take_returns = never;
};

struct collection {
  std::vector<carried_value> values;         // without pending puts of values that were never taken
  std::vector<std::uint32_t> empties;        // takes that found nothing
  std::vector<std::uint32_t> pending_takes;  // in the order of their calls
};

/// A violation that these steps alone show.
struct pattern {
  std::vector<std::uint32_t> steps;
  std::string why;  // one sentence
};

/// What an algorithm found: an order of all steps that happen, or a violation, or neither.
struct fast_answer {
  answer decided = answer::stopped;  // stopped: use the search
  std::vector<std::uint32_t> order;
  pattern violation;
};

/// Returns words for reports.
class step_words {
 public:
  step_words(const history& of, const simt::spec::specification& spec,
             std::span<const timed_step> steps)
      : of_(of), spec_(spec), steps_(steps) {}

  /// Returns "dequeue".
  [[nodiscard]] std::string name(std::uint32_t step) const;
  /// Returns "enqueue 1".
  [[nodiscard]] std::string call(std::uint32_t step) const;
  [[nodiscard]] std::string value(simt::spec::value v) const { return of_.names.text(v); }

 private:
  const history& of_;
  const simt::spec::specification& spec_;
  std::span<const timed_step> steps_;
};

/// Sorts the steps into a collection. Nothing: a value was put twice, so the algorithms do not
/// apply. Fills in a violation if one or two steps show it: a value that was never put, was taken
/// twice, or was taken before it was put.
std::optional<collection> collect(std::span<const timed_step> steps, const step_words& words,
                                  pattern& violation);

/// For each gap, returns the next gap (or itself) at which no value is surely present, or `end` + 1
/// if there is none. Gaps are the moments between events: gap g has g events before it. A value is
/// surely present if it was put and no take of it has begun.
std::vector<event_time> next_empty_gaps(std::span<const carried_value> values, event_time end);

/// For each step that found nothing, returns a gap at which that may be true. Nothing: some step
/// has no such gap; `wrong` gets its index in `empties`.
///
/// These steps need nothing else, for queues and stacks alike. If an order of the other steps
/// exists, it can be cut at any empty gap. All steps on values put before the gap go first, then
/// the rest. Both parts are legal by themselves and respect time.
std::optional<std::vector<event_time>> place_empties(const collection& what,
                                                     std::span<const timed_step> steps,
                                                     event_time end, std::size_t& wrong);

/// Returns as a violation the few values whose presence covers the interval of a step that found
/// nothing.
pattern cover_of(const collection& what, std::span<const timed_step> steps, std::uint32_t empty,
                 const step_words& words);

/// Returns which pending takes must have taken which of the values that stayed: value index → step.
/// Nothing: there are too few, or they begin too late. `deadlines` has for each value the time
/// before which it must have been taken, or `never`.
std::optional<std::vector<std::pair<std::size_t, std::uint32_t>>> match_pending(
    const collection& what, std::span<const timed_step> steps,
    std::span<const event_time> deadlines);

}  // namespace warpcheck
