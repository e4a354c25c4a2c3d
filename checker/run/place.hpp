// Source places for program counters, as reports show them.
#pragma once

#include <cstdint>
#include <string>

#include "checker/scenario/scenario.hpp"
#include "sim/lane/lane_runner.hpp"
#include "sim/subject/location.hpp"

namespace warpcheck {

class session;

/// A line of the user's source. `file` is the name without its folders; empty: unknown.
struct source_place {
  std::string file;
  std::uint32_t line = 0;
  std::string function;  // without what it is a member of: "lock"
  std::string path;      // the file, absolute

  [[nodiscard]] bool known() const { return !file.empty(); }
  /// "tas.hpp:5", or "?" where it is unknown.
  [[nodiscard]] std::string text() const;
  /// "tas.hpp:5 (lock)"
  [[nodiscard]] std::string text_with_function() const;
  /// "(tas.hpp:5, lock)"
  [[nodiscard]] std::string aside() const;
  friend bool operator==(const source_place&, const source_place&) = default;
};

/// The innermost frame that is the user's: the API's own functions are left out, unless nothing
/// else is there (the workload's part).
source_place place_of(const simt::debug_info& info, std::uint64_t return_address);

/// Whether a function that is not the API's calls there.
bool is_of_user(const simt::debug_info& info, std::uint64_t return_address);

/// The name by which the user calls a barrier of the block there, "named_barrier_sync": several
/// functions of the API are the same to the machine. Empty: unknown.
std::string barrier_call(const simt::debug_info& info, std::uint64_t return_address);

/// " (tas.hpp:5)", or nothing where the place is unknown. Reads debug information.
std::string at_place(const session& run, std::uint64_t pc);

/// What an error in device code says, with its place.
std::string text_of(const session& run, const simt::lane_error& error);
/// The same as the user's mistake, with the subject's name.
usage_error misuse(const session& run, const simt::lane_error& error);

}  // namespace warpcheck
