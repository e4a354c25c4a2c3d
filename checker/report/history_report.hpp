// What was found of a recorded history, for a person and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "checker/history/check_history.hpp"

namespace warpcheck {

struct history_report {
  std::string file;
  const history& of;
  const simt::spec::specification& spec;
  consistency wanted;
  const history_result& result;
  bool with_order = false;
  double seconds = 0;
};

/// "linearizable", "not-linearizable", "inconclusive"
std::string verdict_name(consistency wanted, answer decided);

/// `width`: columns that lines may take.
std::string to_text(const history_report& report, std::size_t width);

nlohmann::ordered_json to_json(const history_report& report);

/// The operations `shown`, a row each, with their intervals as bars. `where` heads the column of
/// numbers of lines.
std::string history_bars(const history& of, const simt::spec::specification& spec,
                         std::vector<std::uint32_t> shown, const std::string& where,
                         std::size_t width);

/// Client, operation, arguments, result; whether it is pending.
nlohmann::ordered_json operation_json(const history& of, const simt::spec::specification& spec,
                                      const recorded_operation& what);

}  // namespace warpcheck
