// Shows how far an exploration has come, in one line on a terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "checker/run/search_options.hpp"

namespace warpcheck {

struct progress_report {
  std::uint64_t states = 0;
  std::uint64_t depth = 0;  // length of the longest path so far, in steps
  std::uint64_t bytes = 0;  // memory in use
};

/// Returns "1,234,567".
std::string with_separators(std::uint64_t number);

/// Returns "12.3 MiB".
std::string readable_bytes(std::uint64_t bytes);

class progress_line {
 public:
  /// Shows nothing unless `enabled` and standard error is a terminal. `label` names the run,
  /// `after` ends the line.
  progress_line(bool enabled, std::string label, std::string after = {});
  ~progress_line();
  progress_line(const progress_line&) = delete;
  progress_line& operator=(const progress_line&) = delete;

  /// May be called often; rewrites the line ten times a second at most.
  void update(const progress_report& report);
  void update_search(const search_progress& report);

  /// Removes the line, so that other output can follow.
  void clear();

 private:
  using clock = std::chrono::steady_clock;

  bool enabled_;
  bool shown_ = false;
  unsigned columns_ = 0;
  std::string label_, after_;
  clock::time_point last_;
  std::uint64_t last_count_ = 0;
  double rate_ = 0;  // states or steps a second, smoothed

  /// Whether the line must be rewritten. If so, updates the rate with `count`.
  bool is_due(std::uint64_t count);
  void show(std::string line);
};

}  // namespace warpcheck
