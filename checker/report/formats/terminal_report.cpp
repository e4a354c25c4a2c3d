// Writes headlines and stories of runs in the width and colours of a terminal.
#include "checker/report/formats/terminal_report.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "checker/report/formats/run_sentences.hpp"
#include "checker/scenario/model_names.hpp"
#include "checker/text/plain_text.hpp"
#include "checker/text/wrapped.hpp"

namespace warpcheck {
namespace {

enum class tone { good, bad, doubtful, faint, strong };

std::string coloured(std::string text, tone how, const text_style& style) {
  if (!style.colour) return text;
  const char* code = how == tone::good       ? "32"
                     : how == tone::bad      ? "31"
                     : how == tone::doubtful ? "33"
                     : how == tone::faint    ? "2"
                                             : "1";
  return fmt::format("\033[{}m{}\033[0m", code, text);
}

/// Indents the lines after the first a little more.
std::string sentence_lines(const std::string& text, std::size_t indent, std::size_t width) {
  return wrapped(text, indent, indent + 2, width);
}

}  // namespace

std::string run_label(const std::string& file, const run_settings& settings) {
  return fmt::format("{}  {}", file, model_label(settings));
}

std::string headline(const run_report& report, const text_style& style) {
  const run_result& r = report.result;
  const std::string left = run_label(report.file, report.settings);
  const tone how = report.as_expected    ? tone::good
                   : report.inconclusive ? tone::doubtful
                                         : tone::bad;
  const std::string size = size_of(report);
  // Runs line up as far as the width allows.
  constexpr std::size_t longest_verdict = 18;
  std::size_t label = std::max(style.label, width_of(left));
  std::size_t column = longest_verdict;
  const std::size_t rest = 2 + 2 + 1 + 2 + width_of(size);
  if (label + column + rest > style.width) column = name(r.gravest).size();
  if (label + column + rest > style.width) label = width_of(left);
  std::string text =
      padded(left, label) + "  " +
      coloured(fmt::format("{:>{}}  {}", name(r.gravest), column, mark_of(report)), how, style) +
      coloured("  " + size, tone::faint, style) + "\n";
  for (const std::string& sentence : notes_about(report)) {
    text += sentence_lines(sentence, 2, style.width);
  }
  return text;
}

std::string reasons(const shown_violation& shown, const text_style& style) {
  std::string text = "\n";
  for (std::size_t i = 0; i < shown.why.size(); ++i) {
    text += sentence_lines(shown.why[i], i == 0 ? 2 : 4, style.width);
  }
  return text;
}

std::string story(const shown_violation& shown, const text_style& style) {
  std::string text = reasons(shown, style) + "\n";
  if (shown.operations) text += bars(*shown.operations, style.width) + "\n";
  text += render(shown.table, shown.ending, style.width);
  if (!shown.remedy.empty() || !shown.file.empty()) text += "\n";
  if (!shown.remedy.empty())
    text += sentence_lines("Remedy: " + shown.remedy + ".", 2, style.width);
  if (!shown.file.empty()) text += fmt::format("  Replay: {}\n", replay_command(shown));
  return text;
}

namespace {

std::string story(const benign_aba& aba, bool no_violation, const text_style& style) {
  std::string text = aba.found ? "\n" : "";
  std::size_t indent = 2;
  for (const std::string& sentence : sentences_about(aba, no_violation)) {
    text += sentence_lines(sentence, indent, style.width);
    indent = 4;
  }
  if (!aba.found) return text;
  return text + "\n" + render(aba.table, "the compare-exchange succeeds", style.width);
}

}  // namespace

std::string story(const run_report& report, const text_style& style) {
  std::string text;
  for (const shown_violation& shown : report.shown) {
    if (report.shown.size() > 1) {
      text +=
          fmt::format("\n  {}\n", coloured(std::string(name(shown.what.kind)), tone::bad, style));
    }
    text += story(shown, style);
  }
  if (report.shown.empty()) {
    if (report.result.gravest == verdict::ok) {
      for (const std::string& sentence : scope_of_ok(report)) {
        text += sentence_lines(sentence, 2, style.width);
      }
    }
    if (report.aba) text += story(*report.aba, report.result.complete, style);
    return text;
  }
  if (!report.other_model.empty())
    text += "\n" + sentence_lines(report.other_model, 2, style.width);
  return text;
}

std::string summary(const tally& count, const text_style& style) {
  std::vector<std::string> parts;
  if (count.expected != 0 || count.runs == 0)
    parts.push_back(fmt::format("{} as expected", count.expected));
  if (count.unexpected != 0) {
    parts.push_back(
        coloured(fmt::format("{} not as expected", count.unexpected), tone::bad, style));
  }
  if (count.inconclusive != 0) {
    parts.push_back(
        coloured(fmt::format("{} inconclusive", count.inconclusive), tone::doubtful, style));
  }
  std::string text =
      fmt::format("{}: {}", counted(count.runs, "run", "runs"), fmt::join(parts, ", "));
  if (count.refused != 0) {
    text += fmt::format("; {} could not be run", counted(count.refused, "scenario", "scenarios"));
  }
  if (count.ended_early) text += "; --maxfail is reached, the rest was not run";
  if (count.interrupted) text += "; interrupted, the rest was not run";
  return text + "\n";
}

}  // namespace warpcheck
