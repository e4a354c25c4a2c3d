// How long accesses to memory took on a GPU, in the twelve benchmarks of Stuart and Owens (2011).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "checker/measure/measurement.hpp"

namespace warpcheck {

/// The result of one benchmark. Each launch was checked.
struct measured_access {
  std::string access, kind;  // "read" or "write"; "volatile" or "atomic"
  bool contended = false;    // whether all blocks access the same word
  bool after_atomic = false;
  std::vector<double> seconds;  // of each launch; empty if one failed
  std::string message;          // how it failed
};

struct measured_accesses {
  measurement_setting setting;  // its `operations` are the accesses of each block
  std::uint64_t blocks = 0;
  std::vector<measured_access> all;
};

/// Reads what hardware/accesses.cu printed. Throws std::runtime_error if that is something else.
void read_accesses(const std::string& printed, measured_accesses& result);

/// Returns milliseconds, as the paper's table 1 has them, then errors.
std::string access_table(const measured_accesses& measured);

/// Returns a line of names, then times in seconds.
std::string to_csv(const measured_accesses& measured);

nlohmann::ordered_json to_json(const measured_accesses& measured);

}  // namespace warpcheck
