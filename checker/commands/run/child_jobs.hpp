// Runs child processes for run --jobs. Each does one part of the work, some at a time.
//
// A child is a copy of this process, so it has all that was read so far. Its output is kept, and
// handed out in the order in which children were started. So the output reads as it would without
// children.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <deque>
#include <optional>
#include <string>

namespace warpcheck {

class child_jobs {
 public:
  explicit child_jobs(std::size_t at_once) : at_once_(at_once) {}
  /// Ends children that are still running.
  ~child_jobs();
  child_jobs(const child_jobs&) = delete;
  child_jobs& operator=(const child_jobs&) = delete;

  [[nodiscard]] bool has_room() const { return running_ < at_once_; }

  /// Starts a child; returns true in the child. There must be room, and no other thread may run.
  bool start();

  /// In a child: tells the parent what it must know besides the output.
  void tell(const std::string& text) const;

  struct ended {
    std::string output, errors;  // the child's output
    std::string told;            // what the child told; empty if it failed
    int signal = 0;              // signal that ended the child; 0: none
  };

  [[nodiscard]] bool is_empty() const { return children_.empty(); }

  /// Waits until a child ends. Passes the user's interrupt on to children, once.
  void wait();

  /// Returns the first started child of those not taken yet; nothing while it runs.
  std::optional<ended> take();

 private:
  struct child {
    pid_t process = 0;
    int output = -1, errors = -1, told = -1;  // files in memory
    bool is_over = false;
    int status = 0;
  };

  std::size_t at_once_;
  std::size_t running_ = 0;
  std::deque<child> children_;
  int told_ = -1;  // in a child: the file to which it tells
  bool passed_on_ = false;
};

}  // namespace warpcheck
