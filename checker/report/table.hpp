// Makes a trace a table, steps as rows and lanes as columns, for a person who wants to see what
// happened.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "checker/report/trace.hpp"

namespace warpcheck {

struct table_row {
  std::uint32_t first = 0, last = 0;  // steps; 0: an event between steps
  std::uint32_t times = 1;            // so many lanes of one column did this, one after another
  std::string active;                 // mask of the warp concerned
  std::vector<std::string> cells;     // by column
  std::vector<std::string> memory;
  std::string source;
  bool in_cycle = false;
  // Indices of the steps in trace::steps; empty: before all steps.
  std::vector<std::uint32_t> moves;
};

/// Rows that repeat directly one after the other: the `block` rows from `begin` on, `times` times
/// in all.
struct row_fold {
  std::size_t begin = 0, block = 1;
  std::uint32_t times = 1;
};

/// A row of the layout in which all lanes share one column.
struct list_row {
  std::uint32_t first = 0, last = 0;
  std::string active, who, text, memory, source;
  bool in_cycle = false;
  bool follows = false;  // a further part of the same step
};

struct trace_table {
  // Lanes of each column; those that do the same share one.
  std::vector<std::vector<std::uint32_t>> columns;
  std::vector<std::string> heads;  // names of the columns
  std::string idle;                // a sentence on the lanes that take no step
  std::vector<table_row> rows;     // all rows, also those that are folded
  std::vector<row_fold> folds;     // from top to bottom; none overlap
  std::vector<list_row> list;      // the rows of the other layout
  // Number of a row; rows.size(): there is no cycle.
  std::size_t cycle_begin = 0;
};

/// Merges lanes that do the same, and finds loops to fold. Throws lane_automaton::given_up when
/// time is over for the machine's lanes.
trace_table make_table(session& run, names& named, const trace& t);

/// Returns the table as lines of at most `width` columns, each indented by two. `ending` follows
/// the last row.
std::string render(const trace_table& table, const std::string& ending, std::size_t width);

}  // namespace warpcheck
