// Makes the scenarios of the benchmarks in code: one warp of lanes that work on a counter under a
// lock.
#pragma once

#include <cstdint>
#include <string>

#include "checker/scenario/scenario.hpp"

namespace warpcheck::bench {

/// `subject` ("locks/tas") with the workload "counter": `lanes` lanes of one warp, each of which
/// takes the lock `acquisitions` times. Under `its`, `sc`, `fair`, with all checks on.
inline scenario lock_scenario(const std::string& subject, std::uint32_t lanes,
                              std::uint32_t acquisitions) {
  scenario result;
  result.file = "bench";
  result.title = subject;
  result.subject = subject;
  result.workload = "counter";
  result.repeat = acquisitions;
  result.grid.lanes = {lanes};
  run_settings run;
  run.machine.reconvergence = simt::reconvergence::its;
  run.progress = simt::progress::fair;
  run.check = usual_checks;
  result.runs.push_back(run);
  return result;
}

}  // namespace warpcheck::bench
