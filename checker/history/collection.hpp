// Histories of queues, stacks and registers in which every value is put once: who put it, who took
// it. What the fast algorithms have in common.
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
/// of the take, and that of the take begins no earlier: the one must be before the other.
struct carried_value {
  simt::spec::value what = 0;
  std::uint32_t put = no_operation;   // indices in the steps
  std::uint32_t take = no_operation;  // none: it stayed
  event_time put_called = 0, put_returns = never;
  event_time take_called = never, take_returns = never;
};

struct collection {
  std::vector<carried_value> values;         // pending puts of values that nobody took are left out
  std::vector<std::uint32_t> empties;        // takes that found nothing
  std::vector<std::uint32_t> pending_takes;  // by their calls
};

/// A violation that needs no more than these steps.
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

/// Words for reports.
class step_words {
 public:
  step_words(const history& of, const simt::spec::specification& spec,
             std::span<const timed_step> steps)
      : of_(of), spec_(spec), steps_(steps) {}

  /// "dequeue"
  [[nodiscard]] std::string name(std::uint32_t step) const;
  /// "enqueue 1"
  [[nodiscard]] std::string call(std::uint32_t step) const;
  [[nodiscard]] std::string value(simt::spec::value v) const { return of_.names.text(v); }

 private:
  const history& of_;
  const simt::spec::specification& spec_;
  std::span<const timed_step> steps_;
};

/// Sorts the steps into a collection. Nothing: a value was put twice, so that the algorithms do not
/// apply. A violation is filled in where one step alone, or two, show it: a value that nobody put,
/// or that was taken twice, or before it was put.
std::optional<collection> collect(std::span<const timed_step> steps, const step_words& words,
                                  pattern& violation);

/// Gaps are the moments between events: gap g has g events before it. For each gap the next one, or
/// itself, at which no value is surely present (put, and nobody has begun to take it); `end` + 1
/// where there is none.
std::vector<event_time> next_empty_gaps(std::span<const carried_value> values, event_time end);

/// For each step that found nothing a gap at which that may be true. Nothing: one has none, whose
/// index in `empties` is put into `wrong`.
///
/// That is all that these steps need, for queues and stacks alike. If an order of the others
/// exists, it can be cut at any empty gap: what concerns values put before the gap goes first, as a
/// whole, then the rest; both parts are legal by themselves and respect time.
std::optional<std::vector<event_time>> place_empties(const collection& what,
                                                     std::span<const timed_step> steps,
                                                     event_time end, std::size_t& wrong);

/// The few values whose presence covers the interval of a step that found nothing, as a violation.
pattern cover_of(const collection& what, std::span<const timed_step> steps, std::uint32_t empty,
                 const step_words& words);

/// Which pending takes must have taken which of the values that stayed: value index → step.
/// Nothing: there are not enough of them, or they begin too late. `deadlines`: for each value the
/// time before which it must have been taken, or `never`.
std::optional<std::vector<std::pair<std::size_t, std::uint32_t>>> match_pending(
    const collection& what, std::span<const timed_step> steps,
    std::span<const event_time> deadlines);

}  // namespace warpcheck
