// Shows a line on a terminal that says what is being done. Shows nothing if stderr is no terminal.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>

#include "checker/console/terminal.hpp"

namespace warpcheck {

/// The line goes away with the object.
class status_line {
 public:
  explicit status_line(bool enabled) : enabled_(enabled && standard_error().interactive) {}
  ~status_line() { clear(); }
  status_line(const status_line&) = delete;
  status_line& operator=(const status_line&) = delete;

  void show(const std::string& text) const {
    if (!enabled_) return;
    fmt::print(stderr, "\r\033[K{}", text);
    std::fflush(stderr);
  }
  void clear() const { show(""); }

 private:
  bool enabled_;
};

}  // namespace warpcheck
