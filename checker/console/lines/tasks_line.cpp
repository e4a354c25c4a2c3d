// Estimates the time that is left from the time that tasks have taken so far.
#include "checker/console/lines/tasks_line.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <utility>

#include "checker/console/terminal.hpp"

namespace warpcheck {

std::string tasks_text(std::size_t done, std::size_t all, std::string_view what, double seconds) {
  constexpr double quiet = 2;  // seconds
  if (all < 2 || seconds < quiet) return {};
  std::string text = fmt::format("{} of {} {}", done, all, what);
  if (done == 0 || done >= all) return text;
  const double left = seconds / static_cast<double>(done) * static_cast<double>(all - done);
  const auto whole = static_cast<std::uint64_t>(std::ceil(left));
  const std::uint64_t hours = whole / 3600, minutes = whole / 60 % 60;
  text += hours == 0 ? fmt::format(", about {}:{:02} left", minutes, whole % 60)
                     : fmt::format(", about {}:{:02}:{:02} left", hours, minutes, whole % 60);
  return text;
}

tasks_line::tasks_line(bool enabled, std::size_t all, std::string what, std::string before)
    : enabled_(enabled && standard_error().interactive),
      all_(all),
      what_(std::move(what)),
      before_(std::move(before)) {}

std::string tasks_line::text(std::size_t done) const {
  const std::chrono::duration<double> passed = clock::now() - begin_;
  return tasks_text(done, all_, what_, passed.count());
}

void tasks_line::show(std::size_t done) {
  if (!enabled_) return;
  const std::string now = text(done);
  if (now.empty()) return;
  fmt::print(stderr, "\r\033[K{}{}", before_, now);
  std::fflush(stderr);
  is_there_ = true;
}

void tasks_line::clear() {
  if (!is_there_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  is_there_ = false;
}

}  // namespace warpcheck
