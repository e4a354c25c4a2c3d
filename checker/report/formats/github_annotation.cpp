// Escapes annotations, and finds the user's place and the unexpected violation for them.
#include "checker/report/formats/github_annotation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <string_view>
#include <system_error>

#include "checker/report/formats/junit_report.hpp"
#include "checker/report/formats/looked_for.hpp"
#include "checker/report/formats/remedy_text.hpp"
#include "checker/scenario/model_names.hpp"

namespace warpcheck {

namespace {

namespace fs = std::filesystem;

std::string escaped(std::string_view text, bool property) {
  std::string out;
  for (const char c : text) {
    const bool special = c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ','));
    out += special ? fmt::format("%{:02X}", static_cast<unsigned char>(c)) : std::string(1, c);
  }
  return out;
}

bool is_below(const fs::path& path, const fs::path& folder) {
  const fs::path relative = path.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

const source_place* last_place(const shown_violation& shown, const checkout& where) {
  for (const trace_step& step : shown.how.steps | std::views::reverse) {
    for (const lane_action& action : step.actions | std::views::reverse) {
      if (where.has_users(action.at.path)) return &action.at;
    }
  }
  return nullptr;
}

}  // namespace

const shown_violation* unexpected_violation(const run_report& report) {
  const verdict_set wanted = report.settings.expect_violations.value_or(
      report.settings.expect ? bit(*report.settings.expect) : verdict_set{0});
  for (const shown_violation& shown : report.shown) {
    if ((bit(shown.what.kind) & wanted) == 0) return &shown;
  }
  return report.shown.empty() ? nullptr : &report.shown.front();
}

std::string github_error(const annotation& what) {
  std::string line = fmt::format("::error file={}", escaped(what.file, true));
  if (what.line != 0) line += fmt::format(",line={}", what.line);
  return line +
         fmt::format(",title={}::{}\n", escaped(what.title, true), escaped(what.message, false));
}

std::string checkout::name_of(const fs::path& path) const {
  const fs::path whole = fs::absolute(path).lexically_normal();
  return is_below(whole, root) ? whole.lexically_relative(root).string() : path.string();
}

bool checkout::has_users(const fs::path& path) const {
  std::error_code error;
  return path.is_absolute() && is_below(path, root) && !is_below(path, api) &&
         fs::is_regular_file(path, error);
}

annotation annotate(const run_report& report, const checkout& where) {
  annotation result;
  result.file = where.name_of(report.subject.file);
  result.line = report.settings.line;
  result.title = fmt::format("{} {}: {}", where.name_of(report.subject.file),
                             model_label(report.settings), unexpected_ending(report));
  if (const shown_violation* shown = unexpected_violation(report)) {
    for (const std::string& sentence : shown->why) result.message += sentence + "\n";
    if (const source_place* place = last_place(*shown, where)) {
      result.file = where.name_of(place->path);
      result.line = place->line;
    }
  } else if (!report.result.complete) {
    const std::string& why = report.result.stopped.text;
    result.message = fmt::format("Not explored to the end: {}.\n",
                                 why.empty() ? "searched by single runs" : why);
    const asked_by user = asked_by_user(report.subject);
    if (const std::string remedy = remedy_with_section(report.result, user); !remedy.empty()) {
      result.message += remedy + '\n';
    }
  } else {
    result.message = "Every reachable state was explored.\n";
  }
  if (const std::string less = looked_for_text(report.subject, report.settings); !less.empty()) {
    result.message += less + '\n';
  }
  result.message += fmt::format("warpcheck run {} --only {}", report.file, report.settings.name);
  return result;
}

}  // namespace warpcheck
