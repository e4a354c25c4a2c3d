// Makes one row of each step, merges lanes with equal cells into columns, and finds loops to fold.
#include "checker/report/table.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "checker/report/describe.hpp"
#include "sim/lane/operation_table.hpp"

namespace warpcheck {
namespace {

using position = lane_position::kind;

constexpr std::size_t rows_in_time = 1'024;  // rows between two looks at the time

/// One lane's part of a step, or what reconvergence does to it afterwards.
struct cell {
  std::uint32_t lane;
  std::string text;
  std::string memory;
  std::string source;
};

/// A row before lanes are merged.
struct raw_row {
  std::uint32_t step = 0;
  std::string active;
  std::vector<cell> cells;
  bool in_cycle = false;
  std::optional<std::uint32_t> move;  // index of the step in trace::steps
};

class builder {
 public:
  builder(session& run, names& named, const trace& t)
      : run_(run), named_(named), trace_(t), parked_(run.setup().grid.threads()) {}

  trace_table build() {
    for (const shown_line& line : trace_.printed_at_start) {
      raw_.push_back({0, {}, {cell_of(line)}, false, {}});
    }
    for (std::size_t i = 0; i < trace_.steps.size(); ++i) {
      look_at_time(i);
      const std::size_t before = raw_.size();
      add_step(i);
      for (std::size_t r = before; r < raw_.size(); ++r) {
        raw_[r].move = static_cast<std::uint32_t>(i);
      }
    }
    trace_table table = with_columns();
    fold_loops(table);
    table.list = as_list();
    return table;
  }

 private:
  session& run_;
  names& named_;
  const trace& trace_;
  std::vector<bool> parked_;  // shown as parked so far
  std::vector<raw_row> raw_;

  /// Ends the work if time is over, since a long trace takes long to show.
  void look_at_time(std::size_t row) const {
    if (row % rows_in_time == 0) run_.stores().program.give_up_in_time();
  }

  const std::vector<lane_position>& after(std::size_t i) const {
    return i + 1 < trace_.steps.size() ? trace_.steps[i + 1].positions : trace_.last_positions;
  }

  std::string mask(const std::vector<lane_position>& positions, std::uint32_t warp) const {
    const simt::grid_places places(run_.setup().grid);
    if (run_.settings().machine.reconvergence != simt::reconvergence::stack) return {};
    if (std::ranges::all_of(places.warps, [](const auto& w) { return w.lanes == 1; })) return {};
    std::string text = places.warps.size() > 1 ? simt::warp_name(warp, places.shape) + " " : "";
    const simt::warp_place& w = places.warps[warp];
    for (std::uint32_t lane = w.first; lane < w.first + w.lanes; ++lane) {
      const position what = positions[lane].what;
      text += what == position::running ? "●" : what == position::exited ? "–" : "○";
    }
    return text;
  }

  void add_step(std::size_t i) {
    const trace_step& step = trace_.steps[i];
    const simt::grid_places places(run_.setup().grid);
    const bool in_cycle = i >= trace_.cycle_begin;
    if (step.by.what == simt::choice::kind::dispatch) {
      raw_row row{0, {}, {}, in_cycle, {}};
      for (std::uint32_t lane = 0; lane < places.lanes.size(); ++lane) {
        if (places.lanes[lane].block == step.by.unit)
          row.cells.push_back({lane, "its block starts", {}, {}});
      }
      raw_.push_back(std::move(row));
    } else if (step.by.what == simt::choice::kind::launch) {
      add_launch(step, in_cycle);
    } else if (step.promise) {
      raw_row row{0, {}, {}, in_cycle, {}};
      const lane_action& a = *step.promise;
      row.cells.push_back({a.lane,
                           fmt::format("{} = {} is visible already", a.variable,
                                       named_.value_at(a.op.address, a.op.operand, a.op.size)),
                           {},
                           a.at.known() ? a.at.text_with_function() : ""});
      raw_.push_back(std::move(row));
    } else if (step.by.is_step()) {
      raw_row row{step.number, {}, {}, in_cycle, {}};
      for (const lane_action& a : step.actions) {
        // Events stand in the workload, whose place says nothing to a reader.
        const bool is_event = simt::is_event(a.op.kind);
        const bool exits = a.exits && a.printed.empty();
        const bool is_shown = in_cycle || !is_of_agent_alone(a);
        if (!is_shown && !exits) continue;
        row.cells.push_back(
            {a.lane, is_shown ? action_text(a, named_) + (exits ? ", exits" : "") : "exits",
             memory_text(a, named_), a.at.known() && !is_event ? a.at.text_with_function() : ""});
        row.active = mask(step.positions, places.lanes[a.lane].warp);
      }
      if (!row.cells.empty()) raw_.push_back(std::move(row));
    }
    add_printed(step, in_cycle);
    add_events(i, in_cycle);
  }

  /// Whether the action is a part of how a copy is handed over to the agent that carries it out, or
  /// chooses what the agent does next. The action that begins or ends a copy is shown.
  [[nodiscard]] bool is_of_agent_alone(const lane_action& a) const {
    const simt::grid_places& places = run_.machine().places();
    if (a.op.kind == simt::operation_kind::choose)
      return run_.setup().grid.is_agent(places.lanes[a.lane].warp);
    return simt::is_of_desk(a.op) && a.op.memory != simt::detail::memory_kind::copy_view;
  }

  void add_launch(const trace_step& step, bool in_cycle) {
    constexpr std::size_t most_changes = 8;
    std::string changes;
    for (std::size_t i = 0; i < step.host.size(); ++i) {
      if (i == most_changes) {
        changes += fmt::format(", and {} more", step.host.size() - i);
        break;
      }
      const host_change& one = step.host[i];
      changes +=
          fmt::format("{}{}: {} → {}", i == 0 ? "host: " : ", ", one.variable, one.from, one.to);
    }
    raw_row row{step.number, {}, {}, in_cycle, {}};
    const std::string text =
        step.launches_none ? "no further launch" : fmt::format("launch {} begins", step.by.unit);
    for (std::uint32_t lane = 0; lane < run_.setup().grid.threads(); ++lane) {
      if (!run_.machine().lanes().is_client(lane)) continue;
      row.cells.push_back({lane, text, changes, {}});
    }
    raw_.push_back(std::move(row));
    for (const shown_line& line : step.printed) {
      raw_.push_back({0, {}, {cell_of(line)}, in_cycle, {}});
    }
  }

  static cell cell_of(const shown_line& line) {
    return {
        line.lane, "prints: " + line.text, {}, line.at.known() ? line.at.text_with_function() : ""};
  }

  /// Adds the lines that lanes of one step print after it: the first line of each, then the second.
  void add_printed(const trace_step& step, bool in_cycle) {
    for (std::size_t i = 0;; ++i) {
      raw_row row{0, {}, {}, in_cycle, {}};
      for (const lane_action& a : step.actions) {
        if (i >= a.printed.size()) continue;
        row.cells.push_back(cell_of(a.printed[i]));
        if (a.exits && i + 1 == a.printed.size()) row.cells.back().text += ", exits";
      }
      if (row.cells.empty()) return;
      raw_.push_back(std::move(row));
    }
  }

  void add_events(std::size_t i, bool in_cycle) {
    const auto& before = trace_.steps[i].positions;
    const auto& now = after(i);
    const bool chose = trace_.steps[i].by.what == simt::choice::kind::side;
    const simt::grid_places places(run_.setup().grid);
    raw_row row{0, {}, {}, in_cycle, {}};
    for (std::uint32_t lane = 0; lane < now.size(); ++lane) {
      std::string text;
      if (now[lane].what == position::parked) {
        if (before[lane] != now[lane]) text = "parked: " + now[lane].resumes_at.text();
        parked_[lane] = true;
      } else if (parked_[lane]) {
        parked_[lane] = false;
        if (now[lane].what == position::running) text = "reconverged";
      } else if (now[lane].what == position::running && before[lane].what == position::other_side) {
        text = chose ? "its side first" : "its side now";
      } else if (chose && now[lane].what == position::other_side &&
                 places.lanes[lane].warp == trace_.steps[i].by.unit) {
        text = "the other side waits";
      }
      if (text.empty()) continue;
      row.cells.push_back({lane, text, {}, {}});
      row.active = mask(now, places.lanes[lane].warp);
    }
    std::ranges::stable_sort(row.cells, {}, &cell::text);
    if (!row.cells.empty()) raw_.push_back(std::move(row));
  }

  /// Makes rows with one column for all lanes. Lanes that do the same share a row.
  std::vector<list_row> as_list() const {
    std::vector<list_row> list;
    std::vector<std::uint32_t> lanes;  // lanes of the last row
    for (std::size_t r = 0; r < raw_.size(); ++r) {
      look_at_time(r);
      const raw_row& raw = raw_[r];
      bool first = true;
      for (const cell& c : raw.cells) {
        list_row row{raw.step, raw.step, raw.active,   {},    c.text,
                     c.memory, c.source, raw.in_cycle, !first};
        bool joins = !list.empty() && std::ranges::find(lanes, c.lane) == lanes.end();
        if (joins) {
          const list_row& last = list.back();
          joins = last.text == row.text && last.memory == row.memory && last.source == row.source &&
                  last.in_cycle == row.in_cycle && (last.first == 0) == (row.first == 0) &&
                  (row.follows || (last.active == row.active && raw.cells.size() == 1));
        }
        if (joins) {
          list.back().last = raw.step;
        } else {
          lanes.clear();
          list.push_back(row);
        }
        lanes.push_back(c.lane);
        std::vector<std::uint32_t> sorted = lanes;
        std::ranges::sort(sorted);
        list.back().who = first_of(sorted);
        first = false;
      }
    }
    return list;
  }

  /// Names the first ones of many lanes, and says how many others there are.
  [[nodiscard]] std::string first_of(const std::vector<std::uint32_t>& lanes) const {
    constexpr std::size_t most_ranges = 4, shown_ranges = 3;
    std::size_t ranges = 0, shown = 0;
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      if (i == 0 || lanes[i] != lanes[i - 1] + 1) ++ranges;
      if (ranges <= shown_ranges) shown = i + 1;
    }
    if (ranges <= most_ranges) return named_.lane_range(lanes);
    const auto end = lanes.begin() + static_cast<std::ptrdiff_t>(shown);
    return fmt::format("{} and {} other lanes", named_.lane_range({lanes.begin(), end}),
                       lanes.size() - shown);
  }

  /// Returns groups of lanes whose cells are equal, in the same order.
  std::vector<std::vector<std::uint32_t>> alike(const std::vector<bool>& alone) const {
    std::map<std::string, std::vector<std::uint32_t>> by_story;
    std::map<std::uint32_t, std::string> stories;
    for (std::size_t r = 0; r < raw_.size(); ++r) {
      look_at_time(r);
      const raw_row& row = raw_[r];
      for (const cell& c : row.cells) {
        stories[c.lane] += fmt::format("{}|{}|{}|{}\n", row.in_cycle, c.text, c.memory, c.source);
      }
    }
    for (const auto& [lane, story] : stories) {
      by_story[alone[lane] ? fmt::format("{}", lane) : story].push_back(lane);
    }
    std::vector<std::vector<std::uint32_t>> groups;
    for (auto& [story, lanes] : by_story) groups.push_back(std::move(lanes));
    std::ranges::sort(groups);
    return groups;
  }

  trace_table with_columns() {
    const std::uint32_t lanes = run_.setup().grid.threads();
    std::vector<bool> alone(lanes, false);
    for (;;) {
      trace_table table;
      table.columns = alike(alone);
      // A column of several lanes must show all of them in each of its rows. If not, they part.
      if (!fill(table, alone)) continue;
      std::vector<bool> acts(lanes, false);
      for (const auto& column : table.columns) {
        for (const std::uint32_t lane : column) acts[lane] = true;
      }
      std::vector<std::uint32_t> idle;
      for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        if (!acts[lane]) idle.push_back(lane);
      }
      for (const auto& column : table.columns) table.heads.push_back(named_.lane_range(column));
      if (!idle.empty()) {
        table.idle = fmt::format("{} {} no step here.", named_.lanes(idle),
                                 idle.size() == 1 ? "takes" : "take");
      }
      return table;
    }
  }

  bool fill(trace_table& table, std::vector<bool>& alone) const {
    std::vector<std::size_t> column_of(alone.size(), 0);
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      for (const std::uint32_t lane : table.columns[c]) column_of[lane] = c;
    }
    std::vector<std::vector<std::size_t>> shown;  // by row and column: number of lanes
    for (std::size_t r = 0; r < raw_.size(); ++r) {
      look_at_time(r);
      const raw_row& raw = raw_[r];
      table_row row;
      row.first = row.last = raw.step;
      row.active = raw.active;
      row.in_cycle = raw.in_cycle;
      if (raw.move) row.moves.push_back(*raw.move);
      row.cells.resize(table.columns.size());
      std::vector<std::size_t> lanes(table.columns.size(), 0);
      for (const cell& c : raw.cells) {
        const std::size_t column = column_of[c.lane];
        row.cells[column] = c.text;
        ++lanes[column];
        const bool is_said = !row.memory.empty() && row.memory.back() == c.memory;  // by the host
        if (!c.memory.empty() && !is_said) row.memory.push_back(c.memory);
        if (row.source.empty()) row.source = c.source;
      }
      if (!table.rows.empty() && raw.cells.size() == 1) {
        table_row& last = table.rows.back();
        const std::size_t column = column_of[raw.cells[0].lane];
        const bool same = last.first != 0 && raw.step != 0 && last.cells == row.cells &&
                          last.source == row.source && last.memory == row.memory &&
                          last.in_cycle == row.in_cycle &&
                          shown.back()[column] < table.columns[column].size();
        if (same) {
          last.last = raw.step;
          last.moves.insert(last.moves.end(), row.moves.begin(), row.moves.end());
          ++last.times;
          ++shown.back()[column];
          continue;
        }
      }
      table.rows.push_back(std::move(row));
      shown.push_back(std::move(lanes));
    }
    bool whole = true;
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      for (std::size_t c = 0; c < table.columns.size(); ++c) {
        if (shown[r][c] == 0 || shown[r][c] == table.columns[c].size()) continue;
        for (const std::uint32_t lane : table.columns[c]) alone[lane] = true;
        whole = false;
      }
    }
    table.cycle_begin = table.rows.size();
    for (std::size_t r = table.rows.size(); r-- > 0 && table.rows[r].in_cycle;)
      table.cycle_begin = r;
    return whole;
  }

  static bool equal(const table_row& a, const table_row& b) {
    return a.cells == b.cells && a.memory == b.memory && a.source == b.source &&
           a.times == b.times && a.in_cycle == b.in_cycle && (a.first == 0) == (b.first == 0);
  }

  void fold_loops(trace_table& table) const {
    constexpr std::size_t longest = 8;
    const std::vector<table_row>& rows = table.rows;
    for (std::size_t begin = 0; begin < rows.size();) {
      look_at_time(begin);
      std::size_t passed = 1;  // number of rows
      for (std::size_t length = 1; length <= longest; ++length) {
        std::uint32_t times = 1;
        const auto same_again = [&](std::size_t at) {
          if (at + length > rows.size()) return false;
          for (std::size_t i = 0; i < length; ++i) {
            if (!equal(rows[begin + i], rows[at + i])) return false;
          }
          return true;
        };
        while (same_again(begin + times * length)) ++times;
        if (times == 1) continue;
        table.folds.push_back({begin, length, times});
        passed = times * length;
        break;
      }
      begin += passed;
    }
  }
};

}  // namespace

trace_table make_table(session& run, names& named, const trace& t) {
  return builder(run, named, t).build();
}

}  // namespace warpcheck
