// Describes where the process writes to: a person's terminal, or a file or a pipe.
#pragma once

#include <cstddef>

#include "checker/report/formats/terminal_report.hpp"

namespace warpcheck {

struct terminal {
  bool interactive = false;  // a terminal that can rewrite a line
  // A terminal without NO_COLOR (https://no-color.org) where the process is no rank of mpirun, or
  // anything with CLICOLOR_FORCE.
  bool colour = false;
  unsigned columns = 100;  // 100 where it is not a terminal
};

terminal standard_output();
terminal standard_error();

/// Returns the style for reports: as wide as the terminal, within limits between which lines can be
/// read.
text_style style_for(const terminal& screen);

/// Returns the columns that a row of a table may take. That is the terminal's width. Elsewhere it
/// is any number, so that other programs find a whole row on a line.
std::size_t width_of_rows();

}  // namespace warpcheck
