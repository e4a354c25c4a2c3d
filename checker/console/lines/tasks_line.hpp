// Shows how many of some tasks are done, and about how long the others take.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace warpcheck {

/// Returns "12 of 96 runs, about 0:40 left", after so many seconds. The time that is left assumes
/// that tasks take equally long. Empty in the first two seconds, and while there is no second task.
std::string tasks_text(std::size_t done, std::size_t all, std::string_view what, double seconds);

/// A line on standard error, if that is a terminal. It goes away with the object.
class tasks_line {
 public:
  /// `what` names the tasks: "runs". `before` comes before the text.
  tasks_line(bool enabled, std::size_t all, std::string what, std::string before = {});
  ~tasks_line() { clear(); }
  tasks_line(const tasks_line&) = delete;
  tasks_line& operator=(const tasks_line&) = delete;

  [[nodiscard]] bool is_shown() const { return enabled_; }
  [[nodiscard]] std::string text(std::size_t done) const;
  void show(std::size_t done);
  /// Removes the line, so that other output can follow.
  void clear();

 private:
  using clock = std::chrono::steady_clock;

  bool enabled_;
  bool is_there_ = false;
  std::size_t all_;
  std::string what_, before_;
  clock::time_point begin_ = clock::now();
};

}  // namespace warpcheck
