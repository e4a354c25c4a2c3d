#include "checker/report/formats/terminal_report.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/report/formats/looked_for.hpp"
#include "checker/report/formats/remedy_text.hpp"
#include "checker/report/formats/search_text.hpp"
#include "checker/scenario/model_names.hpp"
#include "checker/text/plain_text.hpp"

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

/// Breaks a sentence at spaces; later lines are indented a little more.
std::string wrapped(const std::string& text, std::size_t indent, std::size_t width) {
  std::string out;
  std::string line(indent, ' ');
  bool empty = true;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (!empty && width_of(line) + 1 + width_of(word) > width) {
      out += line + "\n";
      line = std::string(indent + 2, ' ');
      empty = true;
    }
    line += (empty ? "" : " ") + word;
    empty = false;
    at = end + 1;
  }
  return out + line + "\n";
}

// [["enqueue 1"], ["dequeue"]], as a scenario has it
std::string text_of(const std::vector<std::vector<written_operation>>& threads) {
  std::vector<std::string> lists;
  for (const auto& thread : threads) {
    std::vector<std::string> operations;
    for (const written_operation& o : thread) operations.push_back("\"" + o.text() + "\"");
    lists.push_back(fmt::format("[{}]", fmt::join(operations, ", ")));
  }
  return fmt::format("threads = [{}]", fmt::join(lists, ", "));
}

std::string scope_of_ok(const run_report& report) {
  const scenario& s = report.subject;
  const char* who = s.clients == simt::clients::lane   ? "lane"
                    : s.clients == simt::clients::warp ? "warp"
                                                       : "block";
  const std::uint64_t clients = s.clients == simt::clients::lane   ? s.grid.threads()
                                : s.clients == simt::clients::warp ? s.grid.blocks * s.grid.warps()
                                                                   : s.grid.blocks;
  const bool one_each = s.clients != simt::clients::lane;
  const char* about_memory = report.settings.machine.memory == simt::memory_model::ptx
                                 ? "all that a relaxed load may return"
                                 : "memory orders are not checked under sc";
  if (s.generate && report.result.generated) {
    return fmt::format(
        "every interleaving of each of {}: all that up to {} can do with up to {} each; {}",
        counted(report.result.generated->all, "combination", "combinations"),
        counted(s.generate->threads, "thread", "threads"),
        counted(s.generate->operations, "operation", "operations"), about_memory);
  }
  return fmt::format("every interleaving of {}{}{}; {}", counted(clients, "lane", "lanes"),
                     one_each ? fmt::format(" (one a {})", who) : "",
                     s.never_ends() ? " that never end"
                     : s.repeat > 1 ? fmt::format(" × {} times", s.repeat)
                                    : "",
                     about_memory);
}

/// What was asked about the progress of operations and holds; empty: nothing was asked.
std::string progress_that_holds(const run_report& report) {
  if (!report.result.progress) return {};
  const progress_answers& found = *report.result.progress;
  const char* whose = report.subject.never_ends() ? "operations" : "operations of these clients";
  std::vector<std::string> all;
  if (const auto claim = report.subject.claims; claim && found[*claim] == decision::holds) {
    all.push_back(*claim == guarantee::blocking
                      ? fmt::format("of the {}, some always completes", whose)
                      : fmt::format("the {} are {}", whose, name(*claim)));
  }
  if (found.starvation_free == decision::holds) all.push_back("no operation starves");
  return fmt::format("{}", fmt::join(all, "; "));
}

std::string names_of(verdict_set set) {
  std::vector<std::string_view> all;
  for (std::size_t i = 0; i < verdict_names.size(); ++i) {
    if ((set & bit(static_cast<verdict>(i))) != 0) all.push_back(verdict_names[i]);
  }
  return all.empty() ? "none" : fmt::format("{}", fmt::join(all, ", "));
}

}  // namespace

std::string run_label(const std::string& file, const run_settings& settings) {
  return fmt::format("{}  {}", file, model_label(settings));
}

std::string headline(const run_report& report, const text_style& style) {
  const run_result& r = report.result;
  const std::string left = run_label(report.file, report.settings);
  const std::string mark = report.as_expected ? "✓" : report.inconclusive ? "?" : "✗";
  const tone how = report.as_expected    ? tone::good
                   : report.inconclusive ? tone::doubtful
                                         : tone::bad;
  const std::string extent = r.search ? extent_of(*r.search) : counted(r.states, "state", "states");
  const std::string size = fmt::format("{}  {:.3f} s", extent, r.seconds);
  // Runs line up as far as the width allows it.
  constexpr std::size_t longest_verdict = 18;
  std::size_t label = std::max(style.label, width_of(left));
  std::size_t column = longest_verdict;
  const std::size_t rest = 2 + 2 + 1 + 2 + width_of(size);
  if (label + column + rest > style.width) column = name(r.gravest).size();
  if (label + column + rest > style.width) label = width_of(left);
  std::string text =
      padded(left, label) + "  " +
      coloured(fmt::format("{:>{}}  {}", name(r.gravest), column, mark), how, style) +
      coloured("  " + size, tone::faint, style) + "\n";
  if (!report.as_expected) {
    const verdict expected = report.settings.expect.value_or(verdict::ok);
    if (r.gravest != expected) {
      text += fmt::format("  expected: {}\n", name(expected));
    } else if (report.settings.expect_violations) {
      text += fmt::format("  expected violations: {}; found: {}\n",
                          names_of(*report.settings.expect_violations), names_of(r.found()));
    }
  }
  if (const std::string less = looked_for_text(report.subject, report.settings); !less.empty()) {
    text += wrapped(less, 2, style.width);
  }
  for (const std::string& clause : report.subject.rests_on)
    text += wrapped(fmt::format("Rests on this: {}.", clause), 2, style.width);
  if (r.search) {
    for (const std::string& sentence : sentences_about(r)) {
      text += wrapped(sentence, 2, style.width);
    }
  } else if (!r.complete) {
    text += wrapped(
        fmt::format(
            "not explored to the end: {}. Covered: {} states, {} transitions, paths of up to "
            "{} steps; what lies behind them is not known.",
            r.stopped.text, grouped(r.states), grouped(r.transitions), grouped(r.depth)),
        2, style.width);
  }
  if (!report.grows.empty()) {
    std::vector<std::string> all;
    for (const shown_growth& one : report.grows) all.push_back(one.text);
    text += wrapped(fmt::format("Nothing that was seen bounds this: {}.", fmt::join(all, "; ")), 2,
                    style.width);
  }
  if (const std::string remedy = remedy_with_section(r); !remedy.empty()) {
    text += wrapped(remedy, 2, style.width);
  }
  if (r.generated && !r.violations.empty()) {
    text += wrapped(fmt::format("The smallest clients that fail, of {} (number {}): {}.",
                                counted(r.generated->all, "combination", "combinations"),
                                grouped(r.generated->checked), text_of(report.subject.threads)),
                    2, style.width);
  }
  if (r.resumed) {
    text += wrapped(fmt::format("Went on with {}.", r.resumed->string()), 2, style.width);
  }
  if (r.saved) {
    text += wrapped(fmt::format("Saved as {}; run it again with --resume {} to go on.",
                                r.saved->string(), r.saved->parent_path().string()),
                    2, style.width);
  }
  return text;
}

std::string reasons(const shown_violation& shown, const text_style& style) {
  std::string text = "\n";
  for (std::size_t i = 0; i < shown.why.size(); ++i) {
    text += wrapped(shown.why[i], i == 0 ? 2 : 4, style.width);
  }
  return text;
}

std::string story(const shown_violation& shown, const text_style& style) {
  std::string text = reasons(shown, style) + "\n";
  if (shown.operations) text += bars(*shown.operations, style.width) + "\n";
  text += render(shown.table, shown.ending, style.width);
  if (!shown.remedy.empty() || !shown.file.empty()) text += "\n";
  if (!shown.remedy.empty()) text += wrapped("Remedy: " + shown.remedy + ".", 2, style.width);
  if (!shown.file.empty())
    text += fmt::format("  Replay: warpcheck replay {} --step{}\n", shown.file,
                        shown.needs_trust ? " --trust" : "");
  return text;
}

namespace {

std::string story(const benign_aba& aba, bool no_violation, const text_style& style) {
  const std::string extent = counted(aba.states, "state", "states");
  if (!aba.found) {
    return wrapped(aba.complete
                       ? fmt::format("ABA: no compare-exchange succeeds although its location was "
                                     "changed and changed back since the operation looked at it; "
                                     "all {} were looked at.",
                                     extent)
                       : fmt::format("ABA: no such compare-exchange in {}; not all were looked at: "
                                     "{}.",
                                     extent, aba.stopped),
                   2, style.width);
  }
  std::string text = "\n" + wrapped(aba.text + ".", 2, style.width);
  text += wrapped(no_violation
                      ? "It is benign: no run has a violation, so none follows from it. This is a "
                        "shortest run with one; others may have more."
                      : "No violation was found, but not every run was looked at, so that it is "
                        "benign is not known.",
                  4, style.width);
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
      text += wrapped(scope_of_ok(report), 2, style.width);
      if (const std::string holds = progress_that_holds(report); !holds.empty()) {
        text += wrapped(holds, 2, style.width);
      }
    }
    if (report.aba) text += story(*report.aba, report.result.complete, style);
    return text;
  }
  if (!report.other_model.empty()) text += "\n" + wrapped(report.other_model, 2, style.width);
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
  if (count.interrupted) text += "; interrupted, the rest was not run";
  return text + "\n";
}

}  // namespace warpcheck
