// Implements warpcheck explain: shows a scenario's threads, operations and graph of states.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "checker/check/check.hpp"
#include "checker/claims/check_progress.hpp"
#include "checker/commands/commands.hpp"
#include "checker/commands/draw_graph.hpp"
#include "checker/commands/select_runs.hpp"
#include "checker/console/interrupt.hpp"
#include "checker/console/lines/say.hpp"
#include "checker/console/open_session.hpp"
#include "checker/console/read_all.hpp"
#include "checker/kernel/kernel_subject.hpp"
#include "checker/report/body.hpp"
#include "checker/report/formats/json_report.hpp"
#include "checker/report/uncalled.hpp"
#include "checker/scenario/model_names.hpp"
#include "checker/text/json_text.hpp"
#include "checker/text/plain_text.hpp"

namespace warpcheck {

namespace {

using json = nlohmann::ordered_json;

// Parts of the time that the graph of operations, and questions about it, get at least.
constexpr double graph_part = 0.3;
constexpr double question_part = 0.2;

struct explained {
  run_settings settings;
  run_result result;
  progress_answers progress;
  std::vector<body_operation> operations;
  std::vector<branch_point> branches;
  std::vector<uncalled_member> uncalled;
};

explained explain_run(const scenario& s, const run_settings& settings,
                      const explain_options& options) {
  limits bounds;
  const double question_seconds = question_part * options.time;
  bounds.max_states = options.max_states;
  bounds.time = options.time;
  bounds.grace = 0.25;
  bounds.stop = &stop_requested;
  explained one{settings, {}, {}, {}, {}, {}};
  std::unique_ptr<session> ready;
  try {
    ready = open_session(s, settings, {.over = [&] { return bounds.reached(0); }});
    bounds.spent = graph_part * options.time + question_seconds;
    one.uncalled = uncalled_members(*ready);
    one.result = check(*ready, bounds);
  } catch (const simt::host_code_stopped& error) {
    one.result.stopped = bounds.host_code_was_stopped(error.what());
    one.progress.missing = error.what();
    return one;
  }
  bounds.spent = question_seconds;
  bounds.grace = question_seconds;
  try {
    const simt::facts_are_learnt learning(ready->facts());
    one.progress = check_progress(*ready, bounds, 0, true).answers;
  } catch (const simt::lane_runaway& runaway) {
    one.progress.missing = text_of(*ready, runaway);
  }
  names named(*ready);
  one.operations = operations_of(*ready, named);
  if (settings.machine.reconvergence == simt::reconvergence::stack) {
    one.branches = branches_of(*ready, named);
  }
  return one;
}

std::string threads(const scenario& s) {
  std::string warps;
  bool same = true;
  for (const std::uint32_t lanes : s.grid.lanes) same = same && lanes == s.grid.lanes.front();
  if (same) {
    warps = fmt::format("{} of {}", counted(s.grid.warps(), "warp", "warps"),
                        counted(s.grid.lanes.front(), "lane", "lanes"));
  } else {
    for (const std::uint32_t lanes : s.grid.lanes) {
      warps += fmt::format("{}{}", warps.empty() ? "warps of " : ", ", lanes);
    }
    warps += " lanes";
  }
  const std::string clients = s.clients == simt::clients::lane   ? "every lane"
                              : s.clients == simt::clients::warp ? "lane 0 of each warp"
                                                                 : "lane 0 of each block";
  std::string together;
  if (s.grid.cluster > 1) together = fmt::format(" in clusters of {}", s.grid.cluster);
  if (s.grid.cooperative) together += ", launched cooperatively";
  return fmt::format("{}{}, each with {}; {} runs the body{}",
                     counted(s.grid.blocks, "block", "blocks"), together, warps, clients,
                     s.never_ends() ? ", for ever"
                     : s.repeat > 1 ? fmt::format(", {} times", s.repeat)
                                    : "");
}

void print(const explained& one) {
  say("\n  {}\n", model_label(one.settings));
  const run_result& r = one.result;
  say("    graph       {} states, {} transitions{}{}\n", grouped(r.states), grouped(r.transitions),
      r.complete ? "" : fmt::format(" so far ({})", r.stopped.text),
      r.depth == 0 ? "" : fmt::format("; paths of up to {} steps", grouped(r.depth)));
  std::string progress = text_of(one.progress);
  for (auto at = progress.find("; "); at != std::string::npos; at = progress.find("; ", at)) {
    progress.replace(at, 2, ";\n                ");
  }
  say("    progress    {}\n", progress);
  for (const operation_steps& each : one.progress.steps) {
    say("    {:<11} {}: {}\n", &each == one.progress.steps.data() ? "steps" : "", each.operation,
        each.most ? fmt::format("{} at most", grouped(*each.most)) : "no bound");
  }
  say("    lanes       {} continuations; the C++ ran {} times\n", grouped(r.continuations),
      grouped(r.device_runs));
  for (std::size_t i = 0; i < one.branches.size(); ++i) {
    const branch_point& b = one.branches[i];
    say("    {:<11} {}\n", i == 0 ? "branches" : "",
        b.reconverges.known()
            ? fmt::format("at {}, reconverges before {}", b.at.text_with_function(),
                          b.reconverges.text())
            : fmt::format("at {}, reconverges when its lanes exit", b.at.text_with_function()));
  }
}

void print_operations(const std::vector<body_operation>& operations) {
  std::size_t what = 0;
  std::size_t where = 0;
  for (const body_operation& o : operations) {
    what = std::max(what, width_of(o.text));
    where = std::max(where, width_of(o.at.text_with_function()));
  }
  bool first = true;
  for (const body_operation& o : operations) {
    std::string line =
        fmt::format("  {:<10}  {}  {}  {}", first ? "operations" : "",
                    padded(o.at.text_with_function(), where), padded(o.text, what), o.access);
    line.erase(line.find_last_not_of(' ') + 1);
    say("{}\n", line);
    first = false;
  }
}

void print_warnings(const std::vector<uncalled_member>& uncalled) {
  for (const uncalled_member& each : uncalled) {
    say("  {:<10}  {}  {}\n", "warning", each.at.text(), each.why);
  }
}

json to_json(const scenario& s, const std::vector<explained>& runs) {
  json operations = json::array();
  for (const body_operation& o : runs.front().operations) {
    operations.push_back({{"operation", o.text},
                          {"access", o.access},
                          {"file", o.at.file},
                          {"line", o.at.line},
                          {"function", o.at.function}});
  }
  json warnings = json::array();
  for (const uncalled_member& each : runs.front().uncalled) {
    warnings.push_back({{"member", each.name},
                        {"file", each.at.file},
                        {"line", each.at.line},
                        {"text", each.why}});
  }
  json list = json::array();
  for (const explained& one : runs) {
    json branches = json::array();
    for (const branch_point& b : one.branches) {
      branches.push_back(
          {{"at", b.at.text()},
           {"reconverges", b.reconverges.known() ? json(b.reconverges.text()) : json()}});
    }
    list.push_back(
        {{"reconvergence", reconvergence_name(one.settings)},
         {"memory", memory_name(one.settings)},
         {"progress", progress_name(one.settings)},
         {"fairness", fairness_name(one.settings)},
         {"states", one.result.states},
         {"transitions", one.result.transitions},
         {"depth", one.result.depth},
         {"continuations", one.result.continuations},
         {"device_runs", one.result.device_runs},
         {"complete", one.result.complete},
         {"strongest", one.progress.strongest() ? json(name(*one.progress.strongest())) : json()},
         {"guarantees", to_json(one.progress)},
         {"steps", steps_json(one.progress)},
         {"undecided", one.progress.missing},
         {"branches", branches}});
  }
  return {{"file", readable_path(s.file)},
          {"scenario", s.title},
          {"subject", s.subject},
          {"blocks", s.grid.blocks},
          {"lanes_of_warps", s.grid.lanes},
          {"threads", s.grid.threads()},
          {"operations", operations},
          {"warnings", warnings},
          {"runs", list}};
}

}  // namespace

exit_status explain(const explain_options& options) {
  std::vector<scenario> scenarios = chosen(read_all(options.scenarios), options.which);
  handle_interrupts();
  if (options.graph) {
    if (scenarios.size() != 1) throw usage_error("--graph: name one scenario, not several");
    draw_graph(scenarios.front(), scenarios.front().runs.front(), *options.graph);
    return exit_status::as_expected;
  }
  json results = json::array();
  bool first = true;
  for (scenario& s : scenarios) {
    std::string name = s.subject;
    if (s.kernel) {
      const kernel_file file = read_kernels(*s.kernel);
      s = with_subject(s, file);
      name = cuda_name(find_kernel(file, *s.kernel));
    }
    std::vector<explained> runs;
    for (const run_settings& settings : s.runs) {
      if (stop_requested) break;
      runs.push_back(explain_run(s, settings, options));
    }
    if (runs.empty()) break;
    s.subject = name;
    if (options.json) {
      results.push_back(to_json(s, runs));
      continue;
    }
    say("{}{}\n", first ? "" : "\n", readable_path(s.file));
    first = false;
    if (!s.title.empty()) say("  {}\n", s.title);
    say("\n  subject     {}\n  threads     {}\n", s.subject, threads(s));
    print_warnings(runs.front().uncalled);
    print_operations(runs.front().operations);
    for (const explained& one : runs) print(one);
  }
  if (options.json) fmt::print("{}\n", json_text(results_document(results)));
  return stop_requested ? exit_status::inconclusive : exit_status::as_expected;
}

}  // namespace warpcheck
