// What was found of a recorded history, for a person and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

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

/// "✓", "✗", or "?" where nothing was decided.
std::string_view mark_of(answer decided);
/// "12 operations of 3 clients  0.001 s"
std::string size_of(const history_report& report);
/// Why no order explains it, or what kept the search from an answer. Empty: some order does.
std::vector<std::string> sentences_about(const history_report& report);
/// The order that explains it, an operation a line, where `with_order` asks for one.
std::vector<std::string> order_of(const history_report& report);

/// `width`: columns that lines may take.
std::string to_text(const history_report& report, std::size_t width);

nlohmann::ordered_json to_json(const history_report& report);

/// The operations `shown`, a row each, with their intervals as bars; of transactions, a row for
/// each transaction. `where` heads the column of numbers of lines.
std::string history_bars(const history& of, const simt::spec::specification& spec,
                         std::vector<std::uint32_t> shown, const std::string& where,
                         std::size_t width);

/// Client, operations and stage of each transaction.
nlohmann::ordered_json transactions_json(const history& of, const simt::spec::specification& spec);

/// Client, operation, arguments, result; whether it is pending.
nlohmann::ordered_json operation_json(const history& of, const simt::spec::specification& spec,
                                      const recorded_operation& what);

}  // namespace warpcheck
