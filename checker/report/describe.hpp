// Puts operations into words.
#pragma once

#include <string>
#include <string_view>

#include "checker/report/trace.hpp"

namespace warpcheck {

/// Returns the API's name: "exchange", "compare_exchange", "load", "syncwarp", ...
std::string_view operation_name(const simt::operation& op);
/// Returns the name by which the user has called the operation, if it has several names.
std::string operation_name(const simt::operation& op, names& named);
std::string operation_name(const lane_action& action);
std::string_view scope_name(simt::thread_scope scope);
std::string_view order_name(simt::memory_order order);

/// Returns the text of a table's cell: "exchange held → 0", "CAS held → 1 (fails)", "syncthreads".
/// Plain accesses are "read" and "write", strong ones "load" and "store".
std::string action_text(const lane_action& action, names& named);
/// Returns "held 0 → 1"; empty if the operation cannot write.
std::string memory_text(const lane_action& action, names& named);

}  // namespace warpcheck
