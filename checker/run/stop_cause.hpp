// Why a run did not come to an end, and what its user can do about that.
#pragma once

#include <cstdint>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "sim/lane/lane_runner.hpp"

namespace warpcheck {

enum class stop_reason : std::uint8_t {
  none,
  interrupted,
  time,
  memory,
  states,
  growth,           // of values, without an end in sight
  first_violation,  // where that is enough
  long_after_violation,
  single_runs,         // have shown a violation of a wide grid
  larger_clients,      // of `generate`, once some have failed
  no_room,             // on the disk, for states
  too_many_to_number,  // states, parts of them, explanations of a history
  silent_loop,         // of a lane, without any visible operation
  many_at_activemask,  // more masks than are tried
  mixed_sizes,         // of accesses that overlap, under `ptx`
  growing_stores,      // that a lane alone may make early, under `ptx`
  early_stores,        // whether all that lanes made early can happen
  rare_early_stores,   // some that rest on early stores of other lanes were left out
  no_early_stores,     // all were left out: --no-promises
  livelock,            // not decided
  kind_of_deadlock,    // not decided
  clients_end,         // and what is asked is about clients that do not
  strong_fairness,     // and what is asked is decided under weak fairness only
  not_shown,           // a violation was seen, but no time was left to show it
  all_found,           // by a search: all kinds that it looks for
  merging,             // takes more work than exploring: another exploration has its turn
  defect,              // of warpcheck
};

/// A reason, and what it was in this run, in words.
struct stop_cause {
  stop_cause() = default;
  stop_cause(stop_reason why, std::string words) : reason(why), text(std::move(words)) {}

  stop_reason reason = stop_reason::none;
  std::string text;

  [[nodiscard]] bool empty() const { return reason == stop_reason::none; }
  operator const std::string&() const { return text; }
  friend bool operator==(const stop_cause&, const stop_cause&) = default;
  friend bool operator==(const stop_cause& one, std::string_view words) {
    return one.text == words;
  }
  friend std::ostream& operator<<(std::ostream& to, const stop_cause& one) {
    return to << one.text;
  }
};

stop_reason reason_of(const simt::lane_runaway& runaway);

/// What can be done where a run ends for a reason.
struct way_on {
  stop_reason reason;
  std::string_view remedy;   // a sentence, without a full stop
  std::string_view section;  // of docs/reports.md
};

/// One for each reason but `none`.
std::span<const way_on> ways_on();
const way_on& way_on_from(stop_reason reason);
/// Whether it is a limit that another one, or more patience, would put off.
bool is_of_limit(stop_reason reason);
/// The way on where a limit ended the run, and a value grew on and on until then.
const way_on& way_on_from_growth();
/// The way on from a search by single runs, which is `inconclusive` wherever it finds nothing.
const way_on& way_on_from_search();

}  // namespace warpcheck
