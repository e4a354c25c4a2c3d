// Lays a trace's table out as text: lanes as columns if they fit, otherwise one column for all
// lanes.
#include <algorithm>

#include <fmt/format.h>

#include "checker/report/table.hpp"
#include "checker/text/plain_text.hpp"

namespace warpcheck {
namespace {

constexpr std::size_t least_width = 4;  // width of a lane's column, with the space beside it

struct line {
  std::vector<std::string> cells;
  std::string note;  // instead of cells
};

std::string label(std::uint32_t first, std::uint32_t last, bool first_of_cycle) {
  const std::string steps = first == 0      ? ""
                            : first == last ? fmt::format("{}", first)
                                            : fmt::format("{}–{}", first, last);
  return first_of_cycle ? "⟳ " + steps : steps;
}

std::string with_times(const std::string& text, std::uint32_t times) {
  return times > 1 && !text.empty() ? fmt::format("{}  ×{}", text, times) : text;
}

std::string in_memory(const table_row& row) {
  std::string text;
  for (const std::string& change : row.memory) {
    if (text.find(change) != std::string::npos) continue;
    text += (text.empty() ? "" : ", ") + change;
  }
  return text;
}

/// Leaves out columns that hold nothing, and trailing spaces of the last columns.
std::string lay_out(std::vector<std::string> head, const std::vector<line>& lines,
                    std::size_t& total) {
  const std::size_t columns = head.size();
  std::vector<std::size_t> widths(columns, 0);
  for (const line& l : lines) {
    for (std::size_t c = 0; c < l.cells.size(); ++c) {
      widths[c] = std::max(widths[c], width_of(l.cells[c]));
    }
  }
  for (std::size_t c = 0; c < columns; ++c) {
    if (widths[c] != 0) widths[c] = std::max(widths[c], width_of(head[c]));
  }
  std::string text;
  total = 0;
  const auto add = [&](const std::vector<std::string>& cells, bool right) {
    std::string out = "  ";
    for (std::size_t c = 0; c < columns; ++c) {
      if (widths[c] == 0) continue;
      const std::string& value = c < cells.size() ? cells[c] : std::string();
      const std::size_t space = widths[c] - width_of(value);
      out += c == 0 && right ? std::string(space, ' ') + value : value + std::string(space, ' ');
      out += "  ";
    }
    out.erase(out.find_last_not_of(' ') + 1);
    total = std::max(total, width_of(out));
    text += out + "\n";
  };
  add(head, false);
  std::vector<std::string> rule;
  for (const std::size_t width : widths) {
    std::string dashes;
    for (std::size_t i = 0; i < width; ++i) dashes += "─";
    rule.push_back(dashes);
  }
  add(rule, false);
  for (const line& l : lines) {
    if (l.note.empty()) {
      add(l.cells, true);
    } else {
      text += std::string(2 + widths[0] + 2, ' ') + l.note + "\n";
    }
  }
  return text;
}

/// Turns rows into lines. A fold appears once, followed by how often it ran.
template <class Cells>
std::vector<line> lines_of(const trace_table& table, Cells cells) {
  std::vector<line> lines;
  auto fold = table.folds.begin();
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const table_row& row = table.rows[r];
    for (std::vector<std::string>& one :
         cells(row, label(row.first, row.last, r == table.cycle_begin))) {
      lines.push_back({std::move(one), {}});
    }
    if (fold == table.folds.end() || r + 1 != fold->begin + fold->block) continue;
    lines.push_back(
        {{}, fmt::format("└─ {}×{}", fold->block == 1 ? "" : "these rows ", fold->times)});
    r = fold->begin + fold->block * fold->times - 1;
    ++fold;
  }
  return lines;
}

// Limits of the layout with one column for all lanes.
constexpr std::size_t most_rows = 240;
constexpr std::size_t rows_at_an_end = 80;

/// Returns the rows that are shown: all, or, if there are many, the rows at both ends and those of
/// the lane that comes last.
std::vector<line> lines_of_list(const trace_table& table) {
  const std::size_t count = table.list.size();
  std::vector<line> lines;
  std::size_t left_out = 0;
  const auto tell = [&] {
    if (left_out != 0)
      lines.push_back({{}, fmt::format("… {} rows are left out here; --json has all", left_out)});
    left_out = 0;
  };
  bool cycle_begun = false;
  std::size_t of_last = 0;  // rows of the last lane between the ends
  for (std::size_t r = 0; r < count; ++r) {
    const list_row& row = table.list[r];
    const bool first_of_cycle = row.in_cycle && !cycle_begun;
    cycle_begun = cycle_begun || row.in_cycle;
    const bool is_end = r < rows_at_an_end || r + rows_at_an_end >= count;
    const bool is_shown = count <= most_rows || is_end || first_of_cycle ||
                          (row.who == table.list.back().who && of_last++ < rows_at_an_end);
    if (!is_shown) {
      ++left_out;
      continue;
    }
    const bool follows = row.follows && left_out == 0;
    tell();
    lines.push_back({{follows ? "" : label(row.first, row.last, first_of_cycle),
                      follows ? "" : row.active, row.who, row.text, row.memory, row.source},
                     {}});
  }
  return lines;
}

}  // namespace

std::string render(const trace_table& table, const std::string& ending, std::size_t width) {
  if (table.rows.empty()) return ending.empty() ? "" : fmt::format("  └─ {}\n", ending);
  std::string text;
  std::size_t total = width + 1;
  if (table.heads.size() <= width / least_width) {
    std::vector<std::string> head{"step", "active"};
    head.insert(head.end(), table.heads.begin(), table.heads.end());
    head.insert(head.end(), {"memory", "source"});
    const auto by_lane = [&](const table_row& row, const std::string& label) {
      std::vector<std::string> cells{label, row.active};
      for (const std::string& c : row.cells) cells.push_back(with_times(c, row.times));
      cells.push_back(in_memory(row));
      cells.push_back(row.source);
      return std::vector<std::vector<std::string>>{cells};
    };
    text = lay_out(head, lines_of(table, by_lane), total);
  }
  if (total > width) {
    std::vector<line> lines = lines_of_list(table);
    const std::vector<std::string> heads{"step", "active", "lane", "does", "memory", "source"};
    text = lay_out(heads, lines, total);
    if (total > width) {
      // It may fit without the names of functions.
      for (line& l : lines) {
        if (!l.cells.empty()) l.cells.back() = l.cells.back().substr(0, l.cells.back().find(" ("));
      }
      text = lay_out(heads, lines, total);
    }
  }
  if (!ending.empty()) text += fmt::format("        └─ {}\n", ending);
  if (!table.idle.empty()) text += fmt::format("        {}\n", table.idle);
  return text;
}

}  // namespace warpcheck
