// A trace as a table: steps as rows, lanes as columns, for a person who wants to see what happened.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "checker/report/trace.hpp"

namespace warpcheck {

struct table_row {
  std::uint32_t first = 0, last = 0;  // steps; 0: an event between steps
  std::uint32_t times = 1;            // different lanes of one column did this, one after another
  std::string active;                 // mask of the warp concerned
  std::vector<std::string> cells;     // for each column
  std::vector<std::string> memory;
  std::string source;
  bool in_cycle = false;
  std::vector<std::uint32_t> moves;  // which of trace::steps it shows; empty: what came before all
};

/// Rows that come again directly behind themselves: the `block` rows from `begin` on, `times` times
/// in all.
struct row_fold {
  std::size_t begin = 0, block = 1;
  std::uint32_t times = 1;
};

/// The same for the layout in which all lanes share one column.
struct list_row {
  std::uint32_t first = 0, last = 0;
  std::string active, who, text, memory, source;
  bool in_cycle = false;
  bool follows = false;  // a further part of the same step
};

struct trace_table {
  std::vector<std::vector<std::uint32_t>> columns;  // lanes; those that do the same share one
  std::vector<std::string> heads;                   // their names
  std::string idle;                                 // which lanes take no step, as a sentence
  std::vector<table_row> rows;                      // all of them, whatever is folded
  std::vector<row_fold> folds;                      // from top to bottom; none overlap
  std::vector<list_row> list;                       // the same rows, for many columns
  std::size_t cycle_begin = 0;                      // a row; rows.size(): there is no cycle
};

/// Merges lanes that do the same, and finds loops to fold.
/// Throws lane_automaton::given_up, where its machine's lanes are told to.
trace_table make_table(session& run, names& named, const trace& t);

/// The table as lines of at most `width` columns, each indented by two. `ending` is what follows
/// its last row.
std::string render(const trace_table& table, const std::string& ending, std::size_t width);

}  // namespace warpcheck
