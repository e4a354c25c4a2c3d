// What the process writes to: a person's terminal, or a file or a pipe.
#pragma once

namespace warpcheck {

struct terminal {
  bool interactive = false;  // a terminal that can rewrite a line
  bool colour = false;       // and may be coloured: NO_COLOR is not set (https://no-color.org)
  unsigned columns = 100;    // 100 where it is not a terminal
};

terminal standard_output();
terminal standard_error();

}  // namespace warpcheck
