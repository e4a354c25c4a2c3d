// Writes runs, violations, steps and coverage as JSON.
#include "checker/report/formats/json_report.hpp"

#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "checker/report/describe.hpp"
#include "checker/report/formats/looked_for.hpp"
#include "checker/report/formats/remedy_text.hpp"
#include "checker/scenario/assumptions.hpp"
#include "checker/scenario/model_names.hpp"

namespace warpcheck {

using json = nlohmann::ordered_json;

namespace {

json to_json(const lane_action& a, const simt::grid_shape& grid) {
  json j{{"lane", simt::lane_name(a.lane, grid)}, {"operation", operation_name(a)}};
  if (a.op.kind == simt::operation_kind::memory) {
    j["variable"] = a.variable;
    j["bytes"] = a.op.size;
    j["weak"] = a.op.weak;
    if (!a.op.weak) {
      j["order"] = order_name(a.op.order);
      j["scope"] = scope_name(a.op.scope);
    }
    if (a.valid) {
      j["old"] = a.old_value;
      j["new"] = a.new_value;
    }
  }
  if (a.op.kind == simt::operation_kind::collective) j["mask"] = fmt::format("{:#x}", a.op.mask);
  if (a.at.known()) {
    j["file"] = a.at.file;
    j["line"] = a.at.line;
    j["function"] = a.at.function;
  }
  for (const shown_line& line : a.printed) j["printed"].push_back(line.text);
  if (a.exits) j["exits"] = true;
  return j;
}

json to_json(const trace_step& step, const simt::grid_shape& grid) {
  json j{{"step", step.number}, {"choice", to_text(step.name, grid)}, {"actions", json::array()}};
  if (step.number == 0) j["step"] = nullptr;
  for (const lane_action& a : step.actions) j["actions"].push_back(to_json(a, grid));
  if (step.by.what == simt::choice::kind::launch) {
    j["launch"] = step.launches_none ? json() : json(step.by.unit);
    j["host"] = json::array();
    for (const host_change& c : step.host)
      j["host"].push_back({{"variable", c.variable}, {"old", c.from}, {"new", c.to}});
  }
  for (const shown_line& line : step.printed) {
    j["printed_at_start"].push_back(
        {{"lane", simt::lane_name(line.lane, grid)}, {"printed", line.text}});
  }
  json parked = json::array();
  json waiting = json::array();
  for (std::uint32_t lane = 0; lane < step.positions.size(); ++lane) {
    using kind = lane_position::kind;
    if (step.positions[lane].what == kind::parked) parked.push_back(simt::lane_name(lane, grid));
    if (step.positions[lane].what == kind::other_side)
      waiting.push_back(simt::lane_name(lane, grid));
  }
  if (!parked.empty()) j["parked"] = parked;
  if (!waiting.empty()) j["other_side"] = waiting;
  return j;
}

// `before`: a violation that comes after the ABA; none: the ABA is benign.
json to_json(const aba_finding& found, std::optional<verdict> before,
             const simt::grid_shape& grid) {
  json biography = json::array();
  for (const auto& [step, action] : found.biography) {
    json event = to_json(action, grid);
    event["step"] = step;
    biography.push_back(std::move(event));
  }
  return {{"kind", "aba"},
          {"variable", found.variable},
          {"violation", before ? json(name(*before)) : json()},
          {"biography", std::move(biography)}};
}

json choices(std::span<const trace_step> steps, const simt::grid_shape& grid) {
  json j = json::array();
  for (const trace_step& step : steps) j.push_back(to_text(step.name, grid));
  return j;
}

/// Returns the lanes that have exited when others can never finish or diverge; empty for other
/// kinds of violation.
json exited_lanes(const shown_violation& shown, const simt::grid_shape& grid) {
  json lanes = json::array();
  switch (shown.what.kind) {
    case verdict::barrier_divergence:
    case verdict::simt_deadlock:
    case verdict::deadlock:
    case verdict::livelock: break;
    default: return lanes;
  }
  for (std::uint32_t lane = 0; lane < shown.how.last_positions.size(); ++lane) {
    const bool exited = shown.how.last_positions[lane].what == lane_position::kind::exited;
    // Each agent is the last lane of its block.
    const std::uint32_t threads = grid.block_threads();
    const bool is_agent = lane % threads >= threads - grid.agents();
    if (exited && !is_agent) lanes.push_back(simt::lane_name(lane, grid));
  }
  return lanes;
}

json to_json(const search_coverage& s) {
  json j{{"kind", name(s.kind)},
         {"seed", s.seed},
         {"runs", s.runs},
         {"steps", s.steps},
         {"step_limit", s.step_limit},
         {"longest", s.longest},
         {"completed", s.completed},
         {"deadlocks", s.deadlocks},
         {"undecided", s.undecided},
         {"cut_off", s.cut_off},
         {"impossible", s.impossible},
         {"bound", s.bound ? json(*s.bound) : json()}};
  j["found"] = json::array();
  for (const auto& f : s.found) j["found"].push_back({{"verdict", name(f.kind)}, {"seed", f.seed}});
  if (s.bound) {
    j["depth"] = s.depth;
    j["lanes"] = s.lanes;
    j["length"] = s.length;
    j["longer"] = s.longer;
  }
  return j;
}

}  // namespace

json steps_json(const progress_answers& answers) {
  json j = json::object();
  for (const operation_steps& one : answers.steps) {
    j[one.operation] = one.most ? json(*one.most) : json();
  }
  return j;
}

json to_json(const progress_answers& answers) {
  json j = json::object();
  const auto add = [&](std::string_view what, decision is) {
    if (is != decision::undecided) j[std::string(what)] = is == decision::holds ? "holds" : "fails";
  };
  for (std::size_t i = 0; i < guarantee_names.size(); ++i) add(guarantee_names[i], answers.of[i]);
  add("starvation-free", answers.starvation_free);
  return j;
}

json to_json(const shown_violation& shown, const simt::grid_shape& grid) {
  json steps = json::array();
  for (const trace_step& step : shown.how.steps) steps.push_back(to_json(step, grid));
  json j{{"verdict", name(shown.what.kind)}, {"why", shown.why}};
  if (json exited = exited_lanes(shown, grid); !exited.empty()) j["exited"] = std::move(exited);
  if (shown.operations) j["history"] = to_json(*shown.operations);
  const std::span all(shown.how.steps);
  j["counterexample"] = {{"choices", choices(all.first(shown.how.cycle_begin), grid)},
                         {"cycle", choices(all.subspan(shown.how.cycle_begin), grid)},
                         {"steps", std::move(steps)}};
  for (const shown_line& line : shown.how.printed_at_start) {
    j["counterexample"]["printed_at_start"].push_back(
        {{"lane", simt::lane_name(line.lane, grid)}, {"printed", line.text}});
  }
  return j;
}

json results_document(json results) {
  return {{"version", json_version}, {"results", std::move(results)}};
}

json to_json(const run_report& report) {
  const run_result& r = report.result;
  json j{{"file", report.file},
         {"scenario", report.subject.title},
         {"subject", report.subject.subject},
         {"reconvergence", reconvergence_name(report.settings)},
         {"memory", memory_name(report.settings)},
         {"progress", progress_name(report.settings)},
         {"fairness", fairness_name(report.settings)}};
  if (report.settings.machine.resident != 0) {
    j["resident"] = report.settings.machine.resident;
    j["block_order"] = report.settings.machine.order == simt::block_order::index ? "index" : "any";
  }
  if (report.settings.deterministic) j["deterministic"] = *report.settings.deterministic;
  if (const auto kinds = looked_for(report.subject, report.settings); !kinds.empty()) {
    j["looked_for"] = kinds;
  }
  if (auto clauses = clauses_for(report.subject, report.settings); !clauses.empty())
    j["rests_on"] = std::move(clauses);
  j["verdict"] = name(r.gravest);
  j["expected"] = report.settings.expect ? json(name(*report.settings.expect)) : json();
  j["as_expected"] = report.as_expected;
  j["states"] = r.states;
  j["transitions"] = r.transitions;
  j["seconds"] = r.seconds;
  j["peak_bytes"] = r.peak_bytes;
  j["complete"] = r.complete;
  j["stopped"] = r.complete || r.stopped.empty() ? json() : json(r.stopped.text);
  if (const std::string remedy = remedy_of(r, asked_by_user(report.subject)); !remedy.empty())
    j["remedy"] = remedy;
  for (const shown_growth& one : report.grows) {
    if (one.what.address != 0) {
      j["grows"].push_back(
          {{"variable", one.variable}, {"from", one.what.from}, {"to", one.what.to}});
    } else {
      j["grows"].push_back(
          {{"file", one.at.file}, {"line", one.at.line}, {"different", one.what.times}});
    }
  }
  if (report.settings.machine.memory == simt::memory_model::ptx) {
    j["forbidden_executions"] = r.forbidden_executions;
  }
  if (r.generated) {
    j["generated"] = {{"checked", r.generated->checked}, {"all", r.generated->all}};
    json threads = json::array();
    for (const auto& thread : report.subject.threads) {
      json list = json::array();
      for (const written_operation& o : thread) list.push_back(o.text());
      threads.push_back(std::move(list));
    }
    j["generated"]["threads"] = r.violations.empty() ? json() : std::move(threads);
  }
  if (report.subject.claims) j["claims"] = name(*report.subject.claims);
  if (r.progress) j["guarantees"] = to_json(*r.progress);
  if (r.progress && !report.subject.bounds.empty()) j["steps"] = steps_json(*r.progress);
  if (r.saved) j["saved"] = r.saved->string();
  if (r.resumed) j["resumed"] = r.resumed->string();
  if (r.ranks) {
    j["ranks"] = {{"count", r.ranks->count},
                  {"bytes_sent", r.ranks->bytes_sent},
                  {"imbalance", r.ranks->imbalance}};
  }
  if (r.search) j["search"] = to_json(*r.search);
  j["findings"] = json::array();
  for (const shown_violation& shown : report.shown) {
    for (const aba_finding& a : shown.aba) {
      j["findings"].push_back(to_json(a, shown.what.kind, report.subject.grid));
    }
  }
  if (report.aba) {
    const benign_aba& aba = *report.aba;
    j["aba"] = {{"complete", aba.complete},
                {"stopped", aba.complete ? json() : json(aba.stopped)},
                {"states", aba.states},
                {"found", aba.found.has_value()}};
    if (aba.found) {
      json one = to_json(*aba.found, std::nullopt, report.subject.grid);
      one["benign"] = r.complete ? json(true) : json();
      json steps = json::array();
      for (const trace_step& step : aba.how.steps) {
        steps.push_back(to_json(step, report.subject.grid));
      }
      one["steps"] = std::move(steps);
      j["findings"].push_back(std::move(one));
    }
  }
  j["violations"] = json::array();
  for (const shown_violation& shown : report.shown) {
    j["violations"].push_back(to_json(shown, report.subject.grid));
  }
  return j;
}

}  // namespace warpcheck
