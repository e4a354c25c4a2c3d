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
  std::uint32_t repeats = 1;  // this row and the `block - 1` behind it, so many times
  std::uint32_t block = 1;
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
  std::vector<table_row> rows;
  std::vector<list_row> list;   // the same rows, for many columns
  std::size_t cycle_begin = 0;  // a row; rows.size(): there is no cycle
};

/// Merges lanes that do the same, and folds loops.
/// Throws lane_automaton::given_up, where its machine's lanes are told to.
trace_table make_table(session& run, names& named, const trace& t);

/// The table as lines of at most `width` columns, each indented by two. `ending` is what follows
/// its last row.
std::string render(const trace_table& table, const std::string& ending, std::size_t width);

}  // namespace warpcheck
