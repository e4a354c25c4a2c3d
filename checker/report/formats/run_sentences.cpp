// Writes the notes of a report: expectations, limits, coverage, ABA.
#include "checker/report/formats/run_sentences.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/report/formats/looked_for.hpp"
#include "checker/report/formats/remedy_text.hpp"
#include "checker/report/formats/search_text.hpp"
#include "checker/scenario/assumptions.hpp"
#include "checker/text/plain_text.hpp"

namespace warpcheck {
namespace {

// Returns [["enqueue 1"], ["dequeue"]], as a scenario has it.
std::string text_of(const std::vector<std::vector<written_operation>>& threads) {
  std::vector<std::string> lists;
  for (const auto& thread : threads) {
    std::vector<std::string> operations;
    for (const written_operation& o : thread) operations.push_back("\"" + o.text() + "\"");
    lists.push_back(fmt::format("[{}]", fmt::join(operations, ", ")));
  }
  return fmt::format("threads = [{}]", fmt::join(lists, ", "));
}

std::string interleavings(const run_report& report) {
  const scenario& s = report.subject;
  const char* who = s.clients == simt::clients::lane   ? "lane"
                    : s.clients == simt::clients::warp ? "warp"
                                                       : "block";
  const std::uint64_t clients = s.clients == simt::clients::lane   ? s.grid.own_threads()
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

/// Returns the guarantees of progress that were asked about and hold; empty: nothing was asked.
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
  for (const operation_steps& one : found.steps) {
    if (!one.most) continue;
    all.push_back(fmt::format("{} takes {} at most", one.operation,
                              counted(*one.most, "step of its own", "steps of its own")));
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

std::string_view mark_of(const run_report& report) {
  return report.as_expected ? "✓" : report.inconclusive ? "?" : "✗";
}

std::string size_of(const run_report& report) {
  const run_result& r = report.result;
  return fmt::format("{}  {:.3f} s",
                     r.search ? extent_of(*r.search) : counted(r.states, "state", "states"),
                     r.seconds);
}

std::vector<std::string> notes_about(const run_report& report) {
  const run_result& r = report.result;
  std::vector<std::string> notes;
  if (!report.as_expected) {
    const verdict expected = report.settings.expect.value_or(verdict::ok);
    if (r.gravest != expected) {
      notes.push_back(fmt::format("expected: {}", name(expected)));
    } else if (report.settings.expect_violations) {
      notes.push_back(fmt::format("expected violations: {}; found: {}",
                                  names_of(*report.settings.expect_violations),
                                  names_of(r.found())));
    }
  }
  if (std::string less = looked_for_text(report.subject, report.settings); !less.empty()) {
    notes.push_back(std::move(less));
  }
  for (const std::string& clause : clauses_for(report.subject, report.settings))
    notes.push_back(fmt::format("Rests on this: {}.", clause));
  if (r.search) {
    for (std::string& sentence : sentences_about(r)) notes.push_back(std::move(sentence));
  } else if (!r.complete) {
    notes.push_back(fmt::format(
        "not explored to the end: {}. Covered: {}, {}, paths of up to {}; what lies behind them "
        "is not known.",
        r.stopped.text, counted(r.states, "state", "states"),
        counted(r.transitions, "transition", "transitions"), counted(r.depth, "step", "steps")));
  }
  if (!report.grows.empty()) {
    std::vector<std::string> all;
    for (const shown_growth& one : report.grows) all.push_back(one.text);
    notes.push_back(fmt::format("Nothing that was seen bounds this: {}.", fmt::join(all, "; ")));
  }
  if (std::string remedy = remedy_with_section(r, asked_by_user(report.subject)); !remedy.empty()) {
    notes.push_back(std::move(remedy));
  }
  if (r.generated && !r.violations.empty()) {
    notes.push_back(fmt::format("The smallest clients that fail, of {} (number {}): {}.",
                                counted(r.generated->all, "combination", "combinations"),
                                grouped(r.generated->checked), text_of(report.subject.threads)));
  }
  if (r.resumed) notes.push_back(fmt::format("Went on with {}.", r.resumed->string()));
  if (r.saved) {
    notes.push_back(fmt::format("Saved as {}; run it again with --resume {} to go on.",
                                r.saved->string(), r.saved->parent_path().string()));
  }
  return notes;
}

std::vector<std::string> scope_of_ok(const run_report& report) {
  std::vector<std::string> all{interleavings(report)};
  if (std::string holds = progress_that_holds(report); !holds.empty()) {
    all.push_back(std::move(holds));
  }
  return all;
}

std::vector<std::string> sentences_about(const benign_aba& aba, bool no_violation) {
  const std::string extent = counted(aba.states, "state", "states");
  if (!aba.found && aba.complete) {
    return {
        fmt::format("ABA: no compare-exchange succeeds although its location was changed and "
                    "changed back since the operation looked at it; all {} were looked at.",
                    extent)};
  }
  if (!aba.found) {
    return {fmt::format("ABA: no such compare-exchange in {}; not all were looked at: {}.", extent,
                        aba.stopped)};
  }
  return {aba.text + ".",
          no_violation
              ? "It is benign: no run has a violation, so none follows from it. This is a "
                "shortest run with one; others may have more."
              : "No violation was found, but not every run was looked at, so that it is benign is "
                "not known."};
}

std::string replay_command(const shown_violation& shown) {
  return fmt::format("warpcheck replay {} --step{}", shown.file,
                     shown.needs_trust ? " --trust" : "");
}

}  // namespace warpcheck
