// Reports what was found about a recorded history, for a person and as JSON.
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

/// Returns "linearizable", "not-linearizable" or "inconclusive".
std::string verdict_name(consistency wanted, answer decided);

/// Returns "✓", "✗", or "?" if nothing was decided.
std::string_view mark_of(answer decided);
/// Returns "12 operations of 3 clients  0.001 s".
std::string size_of(const history_report& report);
/// Says why no order explains the history, or what kept the search from an answer. Empty: some
/// order explains it.
std::vector<std::string> sentences_about(const history_report& report);
/// Returns the order that explains the history, one operation a line, if `with_order` asks for one.
std::vector<std::string> order_of(const history_report& report);

/// Returns lines of at most `width` columns.
std::string to_text(const history_report& report, std::size_t width);

nlohmann::ordered_json to_json(const history_report& report);

/// Returns a row for each of the operations `shown`, or for each of their transactions, with its
/// interval as a bar. `where` heads the column of numbers of lines.
std::string history_bars(const history& of, const simt::spec::specification& spec,
                         std::vector<std::uint32_t> shown, const std::string& where,
                         std::size_t width);

/// Returns client, operations and stage of each transaction.
nlohmann::ordered_json transactions_json(const history& of, const simt::spec::specification& spec);

/// Returns client, operation, arguments, result, and whether the operation is pending.
nlohmann::ordered_json operation_json(const history& of, const simt::spec::specification& spec,
                                      const recorded_operation& what);

}  // namespace warpcheck
