// Implements warpcheck progress: are tiny programs sure to terminate, under models of what a
// scheduler owes its threads?
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <set>

#include "checker/commands/commands.hpp"
#include "checker/console/interrupt.hpp"
#include "checker/console/lines/say.hpp"
#include "checker/console/lines/tasks_line.hpp"
#include "checker/console/read_all.hpp"
#include "checker/console/write_whole.hpp"
#include "checker/progress/answer.hpp"
#include "checker/progress/evidence.hpp"
#include "checker/progress/report.hpp"
#include "checker/progress/scenario_of.hpp"
#include "checker/report/formats/json_report.hpp"
#include "checker/scenario/scenario.hpp"
#include "checker/text/closest_name.hpp"
#include "checker/text/in_quotes.hpp"
#include "checker/text/json_text.hpp"
#include "checker/text/plain_text.hpp"

namespace warpcheck {

namespace {

/// Returns the tests that `ids` name, in the file's order, or all if `ids` is empty.
std::vector<progress_test> chosen_tests(std::vector<progress_test> tests,
                                        const std::vector<std::string>& ids,
                                        const std::string& file) {
  if (ids.empty()) return tests;
  for (const std::string& id : ids) {
    if (std::ranges::find(tests, id, &progress_test::id) != tests.end()) continue;
    std::vector<std::string_view> known;
    for (const progress_test& test : tests) known.push_back(test.id);
    const auto near = closest_name(id, known);
    throw usage_error(
        fmt::format("--only: {} has no test {}; {}", file, in_quotes(id),
                    near ? fmt::format("did you mean {}?", in_quotes(*near))
                         : fmt::format("its first is {}", in_quotes(tests.front().id))));
  }
  std::erase_if(tests, [&](const progress_test& test) {
    return std::ranges::find(ids, test.id) == ids.end();
  });
  return tests;
}

exit_status status_of(const std::vector<progress_answer>& answers,
                      const std::vector<progress_column>& columns) {
  exit_status status = exit_status::as_expected;
  for (const progress_answer& answer : answers) {
    if (!answer.graph().complete() && status == exit_status::as_expected) {
      status = exit_status::inconclusive;
    }
    for (const progress_column column : columns) {
      if (answer.disagrees(column)) return exit_status::not_expected;
    }
  }
  return status;
}

void print_evidence(const progress_answer& answer, const std::vector<progress_column>& columns) {
  for (const progress_column column : columns) {
    if (answer.holds(column).value_or(true)) continue;
    say("\n{}", render(answer, column, evidence(answer, column)));
  }
}

void print(const std::vector<progress_answer>& answers, const std::vector<progress_column>& columns,
           const progress_options& options, const std::string& file) {
  if (!options.quiet) {
    std::size_t width = width_of("test");
    for (const progress_answer& answer : answers) {
      width = std::max(width, width_of(answer.test().id));
    }
    say("{}", progress_head(columns, width));
    for (const progress_answer& answer : answers) {
      say("{}", progress_row(answer, columns, width));
    }
    if (options.evidence) {
      for (const progress_answer& answer : answers) print_evidence(answer, columns);
    }
    say("\n");
  }
  std::size_t unfinished = 0;
  for (const progress_answer& answer : answers) {
    say("{}", progress_disagreements(answer, columns, file));
    if (!answer.graph().complete()) ++unfinished;
  }
  say("{}", progress_summary(answers, columns));
  if (unfinished != 0) {
    say("{} inconclusive: {}\n", counted(unfinished, "test is", "tests are"),
        stop_requested ? "interrupted" : "more than --max-states states");
  }
}

/// Turns "2/0" into "2-0.toml".
std::string file_name(std::string id) {
  for (char& c : id) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) == 0 && c != '_' && c != '-') c = '-';
  }
  return id;
}

void write_scenarios(const std::vector<progress_answer>& answers,
                     const std::filesystem::path& folder, thread_placement placement) {
  std::set<std::string> written;
  for (const progress_answer& answer : answers) {
    const std::string name = file_name(answer.test().id);
    std::string unique = name;
    for (int n = 2; !written.insert(unique).second; ++n) unique = fmt::format("{}-{}", name, n);
    write_whole(folder / (unique + ".toml"), scenario_text(answer, placement), "--scenarios");
  }
}

}  // namespace

exit_status progress(const progress_options& options) {
  const std::string file = readable_path(options.file);
  const std::vector<progress_test> tests =
      chosen_tests(read_progress_tests(options.file), options.tests, file);
  const std::vector<progress_column> columns = progress_columns(options.notions, options.models);
  if (options.scenarios) make_folder(*options.scenarios, "--scenarios");
  std::vector<progress_answer> answers;
  handle_interrupts();
  {
    tasks_line line(!options.json, tests.size(), "tests");
    for (const progress_test& test : tests) {
      if (stop_requested) break;
      line.show(answers.size());
      answers.emplace_back(test, options.max_states, &stop_requested);
    }
  }
  const std::size_t left_out = tests.size() - answers.size();
  if (options.scenarios) write_scenarios(answers, *options.scenarios, options.placement);
  if (options.json) {
    nlohmann::ordered_json results = nlohmann::ordered_json::array();
    for (const progress_answer& answer : answers) {
      results.push_back(to_json(answer, columns, options.evidence));
    }
    fmt::print("{}\n",
               json_text(nlohmann::ordered_json{{"version", json_version},
                                                {"file", file},
                                                {"results", results},
                                                {"interrupted", stop_requested.load()},
                                                {"agreement", agreement_json(answers, columns)}}));
  } else {
    print(answers, columns, options, file);
    if (left_out != 0) {
      fmt::print(stderr, "interrupted; {} not asked\n",
                 counted(left_out, "test was", "tests were"));
    }
  }
  const exit_status status = status_of(answers, columns);
  return stop_requested && status == exit_status::as_expected ? exit_status::inconclusive : status;
}

}  // namespace warpcheck
