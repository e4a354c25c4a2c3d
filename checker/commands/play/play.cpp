// Implements warpcheck play: a person chooses each step, in the terminal or from a file.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <cstdio>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "checker/check/check.hpp"
#include "checker/commands/commands.hpp"
#include "checker/commands/play/play_page.hpp"
#include "checker/commands/play/played_run.hpp"
#include "checker/commands/select_runs.hpp"
#include "checker/console/interrupt.hpp"
#include "checker/console/lines/say.hpp"
#include "checker/console/open_session.hpp"
#include "checker/console/read_all.hpp"
#include "checker/console/standard_output.hpp"
#include "checker/console/terminal.hpp"
#include "checker/console/write_whole.hpp"
#include "checker/graph/state_graph.hpp"
#include "checker/report/formats/terminal_report.hpp"
#include "checker/report/html/page.hpp"
#include "checker/report/moment/next_move.hpp"
#include "checker/report/report.hpp"
#include "checker/run/counterexample_file.hpp"
#include "checker/run/ending.hpp"
#include "checker/text/plain_text.hpp"
#include "sim/files/standard_input.hpp"
#include "sim/files/whole_file.hpp"
#include "warpcheck_paths.hpp"

namespace warpcheck {
namespace {

constexpr std::size_t most_states_of_hint = 20'000;

constexpr const char* help_text =
    "  NUMBER   this choice comes next\n"
    "  b        back: take the last choice back\n"
    "  h        a hint: what can come of each choice\n"
    "  m        where lanes stand, memory, and what may still be read\n"
    "  r        the run so far, as a table\n"
    "  w FILE   write the run as a counterexample, for replay, once it has a violation\n"
    "  q        quit\n";

/// The outcome of the run so far.
struct outcome_so_far {
  std::optional<verdict> violation;
  bool finished = false;  // all lanes have exited, and nothing is wrong
};

class game {
 public:
  game(session& run, std::string label) : run_(run), label_(std::move(label)), named_(run) {}

  exit_status play() {
    say("{}\nYou are the scheduler: choose who goes next. Can you make it fail? ? shows the "
        "commands.\n",
        label_);
    look();
    for (std::string line; prompt(line);) {
      if (line == "q") break;
      carry_out(line);
    }
    say("\n");
    flush_output();
    return exit_status::as_expected;
  }

 private:
  session& run_;
  std::string label_;
  names named_;
  std::vector<simt::choice> made_;
  trace so_far_;
  std::vector<simt::choice> choices_;
  std::optional<verdict> told_;  // the verdict of the run so far, if it was reported

  static bool prompt(std::string& line) {
    fmt::print("> ");
    std::fflush(stdout);
    if (!std::getline(std::cin, line)) return false;
    line.erase(0, line.find_first_not_of(" \t"));
    line.erase(line.find_last_not_of(" \t\r") + 1);
    return true;
  }

  void carry_out(const std::string& line) {
    if (line.empty()) return;
    if (line == "?") return say("{}", help_text);
    if (line == "b") return back();
    if (line == "h") return hint();
    if (line == "m") return show_moment();
    if (line == "r") return show_run();
    if (line == "w" || line.starts_with("w ")) return write(line.substr(1));
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
    if (error != std::errc() || end != line.data() + line.size()) {
      return say("  There is no command \"{}\"; ? shows them.\n", line);
    }
    if (number == 0 || number > choices_.size()) {
      return say("  There is no choice {}; there are {}.\n", number, choices_.size());
    }
    made_.push_back(choices_[number - 1]);
    look();
  }

  void back() {
    if (made_.empty()) return say("  This is the beginning.\n");
    made_.pop_back();
    look();
  }

  /// Follows the choices so far, and lists the next ones.
  void look() {
    so_far_ = follow(run_, named_, {made_, {}});
    choices_.clear();
    const bool is_over = !so_far_.steps.empty() && so_far_.steps.back().ends != simt::ending::none;
    if (!is_over) list_choices();
    const outcome_so_far now = outcome_of(is_over);
    if (now.violation && now.violation != told_) {
      const bool is_dead = (bit(*now.violation) & deadlocks) != 0;
      say("\n  {} after {}{} r shows the run, w FILE keeps it, b goes back.\n",
          name(*now.violation), counted(so_far_.step_count(), "step", "steps"),
          is_dead ? ": from here no schedule finishes." : ": you have made it fail.");
      explain(*now.violation);
    } else if (now.finished) {
      say("\n  All lanes have finished after {}, and all is well. b goes back.\n",
          counted(so_far_.step_count(), "step", "steps"));
    }
    told_ = now.violation;
    if (!choices_.empty()) show_choices();
  }

  void list_choices() {
    simt::machine& machine = run_.machine();
    simt::successor_list list;
    machine.steps(so_far_.last, list);
    if (machine.has_news()) {
      so_far_ = follow(run_, named_, {made_, {}});
      list.clear();
      machine.steps(so_far_.last, list);
    }
    for (const simt::transition& t : list.transitions) choices_.push_back(t.by);
    if (machine.makes_promises()) leave_out_void_choices();
  }

  /// Leaves out choices that make a store visible that cannot be carried out later.
  void leave_out_void_choices() {
    const state_graph graph = graph_here();
    for (const graph_edge& edge : graph.nodes.front().edges) {
      if (edge.ends == simt::ending::none && graph.nodes[edge.to].is_void) {
        std::erase(choices_, edge.by);
      }
    }
  }

  void show_choices() {
    std::vector<next_move> moves;
    std::size_t who = 0, text = 0, memory = 0;
    for (const simt::choice& by : choices_) {
      moves.push_back(next_move_of(run_, named_, so_far_, by));
      who = std::max(who, width_of(moves.back().who));
      text = std::max(text, width_of(moves.back().text));
      memory = std::max(memory, width_of(moves.back().memory));
    }
    say("\n");
    for (std::size_t i = 0; i < moves.size(); ++i) {
      std::string line = fmt::format("  {:>3}  {}  {}  {}  {}", i + 1, padded(moves[i].who, who),
                                     padded(moves[i].text, text), padded(moves[i].memory, memory),
                                     moves[i].source);
      line.erase(line.find_last_not_of(' ') + 1);
      say("{}\n", line);
    }
  }

  outcome_so_far outcome_of(bool is_over) {
    if (is_over) return {told_as(verdict_of(so_far_.steps.back().ends))};
    if (so_far_.here == simt::ending::barrier_divergence) return {verdict::barrier_divergence};
    simt::machine& machine = run_.machine();
    if (so_far_.step_count() >= 2 && !machine.traits_of_memory().ends_at_races &&
        not_shown(run_, named_, so_far_, verdict::race).empty()) {
      return {verdict::race};
    }
    const verdict_set broken = verdicts_of(machine.broken(so_far_.last));
    for (std::size_t i = 0; i < verdict_names.size(); ++i) {
      if ((broken & bit(static_cast<verdict>(i))) != 0) return {static_cast<verdict>(i)};
    }
    if (so_far_.stuck && machine.is_complete(so_far_.last)) {
      if (run_.final_check(machine.image(so_far_.last)) != nullptr) return {verdict::assertion};
      return {std::nullopt, true};
    }
    const state_graph graph = graph_here();
    if (graph.whole && !graph.nodes.front().can_end && !graph.nodes.front().is_void) {
      return {kind_of_deadlock(run_, so_far_.last)};
    }
    return {};
  }

  state_graph graph_here() {
    for (;;) {
      state_graph graph = graph_from(run_, so_far_.last, most_states_of_hint);
      if (!run_.machine().has_news()) return graph;
      so_far_ = follow(run_, named_, {made_, {}});
    }
  }

  void explain(verdict kind) {
    try {
      const shown_violation one = show(run_, named_, violation_of(run_, so_far_, made_, kind));
      say("{}", reasons(one, style_for(standard_output())));
    } catch (const not_a_violation&) {  // then only the run itself is shown
    }
  }

  void hint() {
    if (choices_.empty()) return say("  There is no choice left; b goes back.\n");
    const state_graph graph = graph_here();
    bool said = false;
    for (std::size_t i = 0; i < choices_.size(); ++i) {
      for (const graph_edge& edge : graph.nodes.front().edges) {
        if (!(edge.by == choices_[i])) continue;
        const verdict_set found = edge.ends != simt::ending::none
                                      ? bit(told_as(verdict_of(edge.ends)))
                                      : graph.nodes[edge.to].found;
        if (found == 0) continue;
        said = true;
        say("  {} can lead to {}{}.\n", i + 1, text_of(found),
            edge.ends == simt::ending::none && graph.whole && !graph.nodes[edge.to].can_end
                ? ": from there, no schedule finishes"
                : "");
      }
    }
    if (said) return;
    if (graph.whole) {
      say("  No choice leads to a deadlock, a failed assertion or a bad access from here "
          "({} were looked at).\n",
          counted(graph.nodes.size(), "state", "states"));
    } else {
      say("  There are more than {} from here, too many for a hint.\n",
          counted(most_states_of_hint, "state", "states"));
    }
  }

  static std::string text_of(verdict_set set) {
    std::vector<std::string_view> all;
    for (std::size_t i = 0; i < verdict_names.size(); ++i) {
      if ((set & bit(static_cast<verdict>(i))) != 0) all.push_back(verdict_names[i]);
    }
    return fmt::format("{}", fmt::join(all, ", "));
  }

  void show_moment() {
    const auto locations = watched_in(run_, so_far_);
    const moment now = moment_of(run_, named_, so_far_.last, so_far_.last_positions, locations);
    for (std::uint32_t lane = 0; lane < now.lanes.size(); ++lane) {
      const moment::standing& one = now.lanes[lane];
      constexpr const char* words[] = {"next", "parked", "its side comes later", "not resident",
                                       "exited"};
      say("  {}  {}  {} {}\n", named_.lane(lane), words[static_cast<std::size_t>(one.what)],
          one.operation, one.at.known() ? one.at.text_with_function() : "");
    }
    for (std::size_t i = 0; i < locations.size(); ++i) {
      say("  {} = {}\n", locations[i].name, now.memory[i]);
    }
    for (const moment::messages& of : now.readable) {
      for (const moment::message& m : of.stored) {
        say("  {} may be read as {} by {}\n", locations[of.location].name, m.value,
            named_.lanes(m.readers));
      }
    }
    for (const moment::barrier& b : now.barriers) {
      say("  {}: {} of {} {}\n", b.name, b.arrived, b.expected, b.unit);
    }
  }

  void show_run() {
    fmt::print("\n{}", render(make_table(run_, named_, so_far_), {}, standard_output().columns));
  }

  void write(std::string file) {
    file.erase(0, file.find_first_not_of(' '));
    if (file.empty()) return say("  w needs a file: w mine.json\n");
    const bool is_over = !so_far_.steps.empty() && so_far_.steps.back().ends != simt::ending::none;
    const outcome_so_far now = outcome_of(is_over);
    if (!now.violation) {
      return say("  This run has no violation so far, so there is nothing to replay.\n");
    }
    try {
      write_counterexample(file, run_, violation_of(run_, so_far_, made_, *now.violation),
                           readable_path(run_.subject().file), warpcheck_paths::version);
      say("  Written. Replay: warpcheck replay {} --step\n", file);
    } catch (const simt::file_error& error) {
      say("  {}\n", error.what());
    }
  }
};

exit_status write_page(session& run, const std::string& label, const std::filesystem::path& file) {
  const auto document = play_document(run, label);
  write_whole(file, html_page(document), "--html");
  fmt::print("{}  {} to play with in {}\n", label,
             counted(document.at("nodes").size(), "state", "states"), file.string());
  flush_output();
  return exit_status::as_expected;
}

}  // namespace

exit_status play(const play_options& options) {
  if (simt::is_standard_input(options.scenario)) {
    throw usage_error(
        "play: standard input is where your choices come from, so the scenario cannot; name its "
        "file");
  }
  std::vector<scenario> all = read_all({options.scenario});
  if (all.size() != 1) throw usage_error("play needs one scenario, not a folder of several");
  all = chosen(std::move(all), options.which);
  const scenario& what = all.front();
  const run_settings& how = what.runs.front();
  if (what.generate) {
    throw usage_error("play needs clients, not `generate`; write what they do as `threads`");
  }
  const auto ready = open_session(what, how);
  // A short look at the program teaches the machine what it must know.
  limits bounds;
  bounds.max_states = 50'000;
  bounds.time = options.time;
  bounds.stop = &stop_requested;
  (void)check(*ready, bounds);
  if (options.html) {
    return write_page(*ready, run_label(readable_path(what.file), how), *options.html);
  }
  return game(*ready, run_label(readable_path(what.file), how)).play();
}

}  // namespace warpcheck
