// Writes runs, the tables of their violations and the changes between moments as JSON.
#include "checker/report/html/run_page.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "checker/report/formats/run_sentences.hpp"
#include "checker/report/formats/terminal_report.hpp"
#include "checker/report/history_report.hpp"
#include "checker/report/html/history_page.hpp"
#include "checker/scenario/model_names.hpp"

namespace warpcheck {
namespace {

using json = nlohmann::ordered_json;

std::string_view name_of(lane_position::kind what) {
  switch (what) {
    case lane_position::kind::running: return "active";
    case lane_position::kind::parked: return "parked";
    case lane_position::kind::other_side: return "other side";
    case lane_position::kind::absent: return "not resident";
    case lane_position::kind::exited: break;
  }
  return "exited";
}

/// Returns an empty text if the file cannot be read any more.
std::string text_of_file(const std::string& path) {
  constexpr std::uintmax_t longest = 1U << 20U;
  std::error_code error;
  if (const auto size = std::filesystem::file_size(path, error); error || size > longest) return {};
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

json run_page::place(const source_place& at) {
  if (!at.known()) return nullptr;
  const auto [known, is_new] = numbers_.try_emplace(at.path, sources_.size());
  if (is_new) {
    std::string text = text_of_file(at.path);
    if (text.empty() && !beside_.empty()) text = text_of_file((beside_ / at.file).string());
    sources_.push_back({{"name", at.file}, {"text", std::move(text)}});
  }
  return json::array({known->second, at.line});
}

json run_page::table(const trace_table& table) {
  json rows = json::array();
  for (const table_row& row : table.rows) {
    json cells = json::object();
    for (std::size_t c = 0; c < row.cells.size(); ++c) {
      if (!row.cells[c].empty()) cells[std::to_string(c)] = row.cells[c];
    }
    json one{{"first", row.first}, {"last", row.last}, {"cells", std::move(cells)}};
    if (row.times > 1) one["times"] = row.times;
    if (!row.active.empty()) one["active"] = row.active;
    if (!row.memory.empty()) one["memory"] = row.memory;
    if (!row.source.empty()) one["source"] = row.source;
    one["moves"] = row.moves;
    rows.push_back(std::move(one));
  }
  json folds = json::array();
  for (const row_fold& fold : table.folds) {
    folds.push_back({{"begin", fold.begin}, {"block", fold.block}, {"times", fold.times}});
  }
  json columns = json::array();
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    columns.push_back({{"head", table.heads[c]}, {"lanes", table.columns[c]}});
  }
  return {{"columns", std::move(columns)},
          {"rows", std::move(rows)},
          {"folds", std::move(folds)},
          {"idle", table.idle},
          {"cycle", table.cycle_begin < table.rows.size() ? json(table.cycle_begin) : json()}};
}

json run_page::state(const moment& now, const moment* before) {
  json lanes = json::object(), memory = json::object(), readable = json::array(),
       barriers = json::array(), stack = json::array();
  for (std::size_t lane = 0; lane < now.lanes.size(); ++lane) {
    const moment::standing& one = now.lanes[lane];
    if (before != nullptr && before->lanes[lane] == one) continue;
    lanes[std::to_string(lane)] = {
        {"is", name_of(one.what)}, {"at", place(one.at)}, {"does", one.operation}};
  }
  for (std::size_t i = 0; i < now.memory.size(); ++i) {
    if (before != nullptr && before->memory[i] == now.memory[i]) continue;
    memory[std::to_string(i)] = now.memory[i];
  }
  for (const moment::messages& of : now.readable) {
    json stored = json::array();
    for (const moment::message& m : of.stored) {
      stored.push_back({{"value", m.value}, {"promised", m.promised}, {"readers", m.readers}});
    }
    readable.push_back({{"location", of.location}, {"stored", std::move(stored)}});
  }
  for (const moment::barrier& b : now.barriers) {
    barriers.push_back(
        {{"name", b.name}, {"arrived", b.arrived}, {"expected", b.expected}, {"unit", b.unit}});
  }
  for (const moment::frame& f : now.stack) {
    stack.push_back({{"warp", f.warp},
                     {"reconverges", place(f.reconverges)},
                     {"parked", f.parked},
                     {"sides", f.sides}});
  }
  json one = json::object();
  const auto add = [&one](const char* key, json value) {
    if (!value.empty()) one[key] = std::move(value);
  };
  add("lanes", std::move(lanes));
  add("memory", std::move(memory));
  add("readable", std::move(readable));
  add("barriers", std::move(barriers));
  add("stack", std::move(stack));
  return one;
}

json run_page::moments(const execution_moments& all) {
  json list = json::array();
  const moment* before = nullptr;
  for (const moment& now : all.before) {
    list.push_back(state(now, before));
    before = &now;
  }
  list.push_back(state(all.last, before));
  return list;
}

json run_page::violation(const shown_violation& shown, const simt::grid_shape& grid) {
  json lanes = json::array();
  for (std::uint32_t lane = 0; lane < grid.threads(); ++lane) {
    lanes.push_back(simt::lane_name(lane, grid));
  }
  json locations = json::array();
  for (const watched_location& one : shown.moments->locations) locations.push_back(one.name);
  json steps = json::array();
  for (const trace_step& step : shown.how.steps) {
    json acting = json::array();
    for (const lane_action& a : step.actions) acting.push_back(a.lane);
    if (step.promise) acting.push_back(step.promise->lane);
    steps.push_back({{"step", step.number}, {"lanes", std::move(acting)}});
  }
  json one{{"verdict", name(shown.what.kind)}, {"why", shown.why}};
  if (shown.operations) one["history"] = bars_document(*shown.operations);
  one["lanes"] = std::move(lanes);
  one["locations"] = std::move(locations);
  one["table"] = table(shown.table);
  one["steps"] = std::move(steps);
  one["states"] = moments(*shown.moments);
  if (shown.how.has_cycle()) one["cycle"] = shown.how.cycle_begin;
  one["ending"] = shown.ending;
  if (!shown.remedy.empty()) one["remedy"] = "Remedy: " + shown.remedy + ".";
  if (!shown.file.empty()) one["replay"] = replay_command(shown);
  return one;
}

void run_page::add(const run_report& report, bool in_full) {
  const auto& kernel = report.subject.kernel;
  beside_ = kernel ? kernel->file.parent_path() : std::filesystem::path();
  json run{{"file", report.file},
           {"model", model_label(report.settings)},
           {"verdict", name(report.result.gravest)},
           {"mark", mark_of(report)},
           {"size", size_of(report)},
           {"notes", notes_about(report)},
           {"violations", json::array()}};
  if (in_full && report.shown.empty() && report.result.gravest == verdict::ok) {
    for (const std::string& sentence : scope_of_ok(report)) run["notes"].push_back(sentence);
  }
  if (in_full) {
    for (const shown_violation& shown : report.shown) {
      run["violations"].push_back(violation(shown, report.subject.grid));
    }
    if (!report.other_model.empty()) run["other"] = report.other_model;
  }
  runs_.push_back(std::move(run));
}

void run_page::add(const shown_violation& shown, const simt::grid_shape& grid,
                   const std::string& label, const std::string& note) {
  json run{{"file", label}, {"verdict", name(shown.what.kind)}, {"notes", json::array()}};
  if (!note.empty()) run["notes"].push_back(note);
  run["violations"].push_back(violation(shown, grid));
  runs_.push_back(std::move(run));
}

json run_page::document(const std::string& title, const std::string& summary) const {
  return {{"kind", "run"},
          {"title", title},
          {"summary", summary},
          {"sources", sources_},
          {"runs", runs_}};
}

}  // namespace warpcheck
