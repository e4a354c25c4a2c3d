// Implements warpcheck history: could the operations of a recorded history have happened one by
// one?
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <chrono>

#include "checker/commands/commands.hpp"
#include "checker/console/interrupt.hpp"
#include "checker/console/memory.hpp"
#include "checker/console/read_all.hpp"
#include "checker/console/terminal.hpp"
#include "checker/console/write_whole.hpp"
#include "checker/history/check_history.hpp"
#include "checker/history/open_spec.hpp"
#include "checker/history/transactions.hpp"
#include "checker/report/history_report.hpp"
#include "checker/report/html/history_page.hpp"
#include "checker/report/html/page.hpp"
#include "checker/scenario/scenario.hpp"
#include "checker/text/json_text.hpp"

namespace warpcheck {

namespace {

using clock = std::chrono::steady_clock;

consistency consistency_named(const std::string& text, const simt::spec::specification& spec) {
  std::vector<std::string_view> fitting;
  for (std::size_t i = 0; i < consistency_names.size(); ++i) {
    const auto one = static_cast<consistency>(i);
    const bool is_of_these =
        one == consistency::opaque || one == consistency::strictly_serializable;
    if (is_of_these != is_of_transactions(spec)) continue;
    if (consistency_names[i] == text) return one;
    fitting.push_back(consistency_names[i]);
  }
  throw usage_error(fmt::format("--consistency: \"{}\" is none of \"{}\"; write {}", text,
                                spec.name(), fmt::join(fitting, ", ")));
}

}  // namespace

exit_status check_recorded(const history_command_options& options) {
  if (options.file.empty() || options.spec.empty()) {
    throw usage_error(
        "history needs a file and a specification; for example: warpcheck history recorded.jsonl "
        "--spec queue");
  }
  const auto begin = clock::now();
  history_options how;
  how.search_only = options.search;
  handle_interrupts();
  if (options.time) {
    how.limits.deadline = begin + std::chrono::duration_cast<clock::duration>(
                                      std::chrono::duration<double>(*options.time));
  }
  const auto why_to_stop = [&]() -> std::string {
    if (stop_requested) return "interrupted";
    return how.limits.deadline && clock::now() > *how.limits.deadline ? "time limit" : "";
  };
  const auto spec = open_spec(options.spec, options.source, "--spec", {.over = why_to_stop});
  how.wanted = options.consistency ? consistency_named(*options.consistency, *spec)
                                   : usual_consistency(*spec);
  const history recorded = read_history(options.file, *spec);
  how.limits.max_memory = options.max_memory.value_or(usual_memory());
  how.limits.stop = &stop_requested;
  const history_result result = check_history(recorded, *spec, how);
  const history_report report{readable_path(options.file),
                              recorded,
                              *spec,
                              how.wanted,
                              result,
                              options.order,
                              std::chrono::duration<double>(clock::now() - begin).count()};
  if (options.html) write_whole(*options.html, html_page(history_document(report)), "--html");
  if (options.json) {
    fmt::print("{}\n", json_text(to_json(report)));
  } else {
    fmt::print("{}", to_text(report, standard_output().columns));
  }
  switch (result.decided) {
    case answer::explained: return exit_status::as_expected;
    case answer::impossible: return exit_status::not_expected;
    case answer::stopped: break;
  }
  return exit_status::inconclusive;
}

}  // namespace warpcheck
