// Describes where the process writes to: a person's terminal, or a file or a pipe.
#pragma once

#include "checker/report/formats/terminal_report.hpp"

namespace warpcheck {

struct terminal {
  bool interactive = false;  // a terminal that can rewrite a line
  // A terminal without NO_COLOR (https://no-color.org), or anything with CLICOLOR_FORCE.
  bool colour = false;
  unsigned columns = 100;  // 100 where it is not a terminal
};

terminal standard_output();
terminal standard_error();

/// Returns the style for reports: as wide as the terminal, within limits between which lines can be
/// read.
text_style style_for(const terminal& screen);

}  // namespace warpcheck
