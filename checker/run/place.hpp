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
  std::string function;  // without its class or namespace: "lock"
  std::string path;      // the absolute path of the file

  [[nodiscard]] bool known() const { return !file.empty(); }
  /// Returns "tas.hpp:5", or "?" if the place is unknown.
  [[nodiscard]] std::string text() const;
  /// Returns "tas.hpp:5 (lock)".
  [[nodiscard]] std::string text_with_function() const;
  /// Returns "(tas.hpp:5, lock)".
  [[nodiscard]] std::string aside() const;
  friend bool operator==(const source_place&, const source_place&) = default;
};

/// Returns the innermost frame of the user's code. Frames of the API count only if there is no
/// other: then the workload's frame.
source_place place_of(const simt::debug_info& info, std::uint64_t return_address);

/// Whether a function outside the API makes the call there.
bool is_of_user(const simt::debug_info& info, std::uint64_t return_address);

/// Returns the user's name for a barrier of the block there, such as "named_barrier_sync". Several
/// functions of the API are the same to the machine. Empty: unknown.
std::string barrier_call(const simt::debug_info& info, std::uint64_t return_address);

/// Returns " (tas.hpp:5)", or nothing if the place is unknown. Reads debug information.
std::string at_place(const session& run, std::uint64_t pc);

/// Returns the message of an error in device code, with its place.
std::string text_of(const session& run, const simt::lane_error& error);
/// Returns such a message as a mistake of the user, with the subject's name.
usage_error misuse(const session& run, const simt::lane_error& error);

}  // namespace warpcheck
