// warpcheck litmus: what a memory model answers to litmus tests.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "checker/commands/commands.hpp"
#include "checker/commands/read_litmus.hpp"
#include "checker/report/describe.hpp"
#include "checker/report/json_report.hpp"
#include "litmus/report.hpp"

namespace warpcheck {

namespace {

void print(const litmus::answered& one, const litmus_options& options, bool first) {
  if (options.dot) {
    fmt::print("{}", litmus::dot(one));
  } else if (!options.quiet) {
    fmt::print("{}{}", first ? "" : "\n", litmus::render(one, options.explain));
  } else if (one.as_expected() != true) {
    fmt::print("{}", litmus::headline(one));
  }
}

std::string summary(std::size_t tests, std::size_t wrong, std::size_t unknown, bool with_key) {
  std::string text = counted(tests, "test", "tests") + ":";
  const std::size_t right = tests - wrong - unknown;
  if (with_key) {
    text += fmt::format(" {} as in the key", right);
    if (wrong != 0) text += fmt::format(", {} not", wrong);
  } else {
    text += fmt::format(" {} {}", right, right == 1 ? "holds" : "hold");
    if (wrong != 0) text += fmt::format(", {} {} not", wrong, wrong == 1 ? "does" : "do");
  }
  if (unknown != 0) text += fmt::format(", {} inconclusive", unknown);
  return text + "\n";
}

}  // namespace

exit_status litmus_tests(const litmus_options& options) {
  if (options.on_hardware) return litmus_on_hardware(options);
  std::vector<litmus::answered> tests = read_litmus_tests(options);
  nlohmann::ordered_json results = nlohmann::ordered_json::array();
  std::size_t wrong = 0, unknown = 0;
  for (litmus::answered& one : tests) {
    one.answer = litmus::evaluate(one.program, one.options);
    const auto as_expected = one.as_expected();
    if (!as_expected) ++unknown;
    if (as_expected == false) ++wrong;
    if (options.json) {
      results.push_back(litmus::to_json(one, options.explain));
    } else {
      print(one, options, &one == &tests.front());
    }
    one.answer = {};  // its executions are large
  }
  if (options.json) {
    fmt::print("{}\n",
               nlohmann::ordered_json{{"version", json_version}, {"results", results}}.dump(2));
  } else if (!options.dot && (tests.size() > 1 || options.quiet)) {
    fmt::print("{}{}", options.quiet ? "" : "\n",
               summary(tests.size(), wrong, unknown, options.key.has_value()));
  }
  if (wrong != 0) return exit_status::not_expected;
  return unknown != 0 ? exit_status::inconclusive : exit_status::as_expected;
}

}  // namespace warpcheck
