// What the process tells whoever started it.
#pragma once

namespace warpcheck {

enum class exit_status : int {
  as_expected = 0,  // or `ok` where nothing is expected
  not_expected = 1,
  wrong_use = 2,     // also: a scenario or a subject that cannot be read
  inconclusive = 3,  // and nothing worse
  internal_defect = 4,
  nothing_to_run_on = 77,  // no GPU; test runners take it for "skipped"
};

}  // namespace warpcheck
