// Rewrites one line on standard error, with a smoothed rate.
#include "checker/console/progress.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdio>

#include "checker/console/terminal.hpp"

namespace warpcheck {

std::string with_separators(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

std::string readable_bytes(std::uint64_t bytes) {
  constexpr std::array<const char*, 5> units{"B", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < units.size()) {
    value /= 1024;
    ++unit;
  }
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.1f} {}", value, units[unit]);
}

progress_line::progress_line(bool enabled, std::string label, std::string after)
    : label_(std::move(label)), after_(std::move(after)), last_(clock::now()) {
  const terminal screen = standard_error();
  enabled_ = enabled && screen.interactive;
  columns_ = screen.columns;
}

progress_line::~progress_line() { clear(); }

bool progress_line::is_due(std::uint64_t count) {
  if (!enabled_) return false;
  const clock::time_point now = clock::now();
  const double seconds = std::chrono::duration<double>(now - last_).count();
  if (seconds < 0.1) return false;
  // Each round of an exploration counts from zero.
  const std::uint64_t more = count < last_count_ ? count : count - last_count_;
  const double rate = static_cast<double>(more) / seconds;
  rate_ = shown_ ? 0.7 * rate_ + 0.3 * rate : rate;
  last_ = now;
  last_count_ = count;
  return true;
}

void progress_line::show(std::string line) {
  if (!after_.empty()) line += "  " + after_;
  // A line that wraps could not be rewritten, so its beginning is cut off.
  if (columns_ > 1 && line.size() >= columns_) line.erase(0, line.size() - columns_ + 1);
  fmt::print(stderr, "\r\033[K{}", line);
  std::fflush(stderr);
  shown_ = true;
}

void progress_line::update(const progress_report& report) {
  if (!is_due(report.states)) return;
  show(fmt::format("{}  {} states  {}/s  depth {}  {}", label_, with_separators(report.states),
                   with_separators(static_cast<std::uint64_t>(rate_)),
                   with_separators(report.depth), readable_bytes(report.bytes)));
}

void progress_line::update_search(const search_progress& report) {
  if (!is_due(report.steps)) return;
  show(fmt::format("{}  {} runs  {} steps  {}/s  {}", label_, with_separators(report.runs),
                   with_separators(report.steps),
                   with_separators(static_cast<std::uint64_t>(rate_)),
                   readable_bytes(report.bytes)));
}

void progress_line::clear() {
  if (!shown_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace warpcheck
