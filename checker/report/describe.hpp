// Operations in words.
#pragma once

#include <string>
#include <string_view>

#include "checker/report/trace.hpp"

namespace warpcheck {

/// "exchange", "compare_exchange", "load", "syncwarp", ...: the API's name.
std::string_view operation_name(const simt::operation& op);
/// The same; of several names for one operation, the one by which the user has called it.
std::string operation_name(const simt::operation& op, names& named);
std::string operation_name(const lane_action& action);
std::string_view scope_name(simt::thread_scope scope);
std::string_view order_name(simt::memory_order order);

/// "exchange held → 0", "CAS held → 1 (fails)", "syncthreads": what a table's cell says. Plain
/// accesses are "read" and "write", strong ones "load" and "store".
std::string action_text(const lane_action& action, names& named);
/// "held 0 → 1"; empty for what cannot write.
std::string memory_text(const lane_action& action, names& named);

}  // namespace warpcheck
