// Operations and models in words.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "checker/report/trace.hpp"
#include "checker/scenario/scenario.hpp"

namespace warpcheck {

/// "exchange", "compare_exchange", "load", "syncwarp", ...: the API's name.
std::string_view operation_name(const simt::operation& op);
std::string_view scope_name(simt::thread_scope scope);
std::string_view order_name(simt::memory_order order);

/// "exchange held → 0", "CAS held → 1 (fails)", "syncthreads": what a table's cell says. Plain
/// accesses are "read" and "write", strong ones "load" and "store".
std::string action_text(const lane_action& action, names& named);
/// "held 0 → 1"; empty for what cannot write.
std::string memory_text(const lane_action& action, names& named);

std::string_view reconvergence_name(const run_settings& settings);
std::string_view memory_name(const run_settings& settings);
std::string_view progress_name(const run_settings& settings);
std::string_view fairness_name(const run_settings& settings);
/// "[stack, sc, fair]", with the limits on blocks where there are any.
std::string model_label(const run_settings& settings);

/// Columns that text takes on a terminal, for the characters that reports use.
std::size_t width_of(std::string_view text);
std::string padded(std::string_view text, std::size_t width);

/// "1,234,567"
std::string grouped(std::uint64_t number);
/// "1 step", "2 steps"
std::string counted(std::uint64_t number, std::string_view one, std::string_view many);

}  // namespace warpcheck
