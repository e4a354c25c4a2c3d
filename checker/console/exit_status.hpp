// The exit statuses of the process.
#pragma once

namespace warpcheck {

enum class exit_status : int {
  as_expected = 0,  // or `ok` if nothing is expected
  not_expected = 1,
  wrong_use = 2,     // also: a scenario or a subject that cannot be read
  inconclusive = 3,  // and no worse status
  internal_defect = 4,
  nothing_to_run_on = 77,  // no GPU; test runners take this status for "skipped"
};

}  // namespace warpcheck
