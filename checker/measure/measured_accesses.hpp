// How long accesses to memory took on a GPU: the twelve benchmarks of Stuart and Owens (2011).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "checker/measure/measurement.hpp"

namespace warpcheck {

/// One benchmark. Each launch was checked.
struct measured_access {
  std::string access, kind;  // "read" or "write"; "volatile" or "atomic"
  bool contended = false;    // the same word in all blocks
  bool after_atomic = false;
  std::vector<double> seconds;  // of each launch; none where one went wrong
  std::string message;          // how
};

struct measured_accesses {
  measurement_setting setting;  // operations: accesses of each block
  std::uint64_t blocks = 0;
  std::vector<measured_access> all;
};

/// What hardware/accesses.cu printed. Throws std::runtime_error where it is something else.
void read_accesses(const std::string& printed, measured_accesses& result);

/// Milliseconds, as the paper's table 1 has them; then what went wrong.
std::string access_table(const measured_accesses& measured);

/// With a line of names; seconds.
std::string to_csv(const measured_accesses& measured);

nlohmann::ordered_json to_json(const measured_accesses& measured);

}  // namespace warpcheck
