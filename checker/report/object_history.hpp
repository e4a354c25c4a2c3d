// Turns the operations of an execution into a history, and says why no order explains it.
#pragma once

#include <memory>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "checker/history/check_history.hpp"
#include "checker/report/trace.hpp"

namespace warpcheck {

struct object_history {
  std::shared_ptr<const simt::spec::specification> spec;
  history of;  // times and lines are numbers of steps; operations of the initial content have 0
  history_evidence evidence;
};

/// Returns the history of a violation of consistency. Its last event is the return that no order
/// explains.
object_history history_of(session& run, const trace& t, verdict kind);

/// Returns one row for each operation, with its interval as a bar, in at most `width` columns.
std::string bars(const object_history& h, std::size_t width);

nlohmann::ordered_json to_json(const object_history& h);

}  // namespace warpcheck
