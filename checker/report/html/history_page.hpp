// Histories as the document of a page (page.hpp): operations as bars over time.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "checker/report/history_report.hpp"
#include "checker/report/object_history.hpp"

namespace warpcheck {

/// The operations of a counterexample, client by client: "operations", each with its client, text,
/// the steps of its call and its return, and whether it is of the part that no order explains.
nlohmann::ordered_json bars_document(const object_history& h);

/// A recorded history that was checked. Of a long one, the operations around those that no order
/// explains.
nlohmann::ordered_json history_document(const history_report& report);

}  // namespace warpcheck
