// Turns histories into the document of a page (page.hpp): operations as bars over time.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "checker/report/history_report.hpp"
#include "checker/report/object_history.hpp"

namespace warpcheck {

/// Returns the operations of a counterexample, client by client, as "operations". Each has its
/// client, its text, the steps of its call and return, and whether no order explains the part it
/// belongs to.
nlohmann::ordered_json bars_document(const object_history& h);

/// Returns a recorded history that was checked. A long one only has operations around those that no
/// order explains.
nlohmann::ordered_json history_document(const history_report& report);

}  // namespace warpcheck
