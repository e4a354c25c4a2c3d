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

}  // namespace warpcheck
