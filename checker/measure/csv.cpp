// Writes a column for each quantity, and checks every value that it reads.
#include "checker/measure/csv.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>

#include "checker/scenario/scenario.hpp"
#include "checker/text/closest_name.hpp"

namespace warpcheck {

namespace {

constexpr std::array<std::string_view, 16> columns{
    "subject", "workload",       "blocks",  "threads",  "buckets", "entry_points",
    "keys",    "repeat",         "outcome", "launches", "least",   "lower_quartile",
    "median",  "upper_quartile", "most",    "counted"};

// A column that a file may have, and that is written if a measurement has such a number.
constexpr std::string_view bitonic_below = "bitonic_below";

constexpr std::array<std::string_view, 5> times{"least", "lower_quartile", "median",
                                                "upper_quartile", "most"};

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> cells{""};
  for (const char c : line) {
    if (c == ',')
      cells.emplace_back();
    else
      cells.back() += c;
  }
  return cells;
}

/// A line of the file, accessed by the names of the columns.
class csv_line {
 public:
  csv_line(std::string place, const std::vector<std::string>& names, const std::string& text)
      : place_(std::move(place)) {
    const std::vector<std::string> cells = split(text);
    if (cells.size() != names.size()) {
      throw usage_error(fmt::format("{}: {} values, but the first line names {} columns", place_,
                                    cells.size(), names.size()));
    }
    for (std::size_t i = 0; i < cells.size(); ++i) cells_[names[i]] = cells[i];
  }

  [[nodiscard]] const std::string& operator[](std::string_view column) const {
    return cells_.find(column)->second;
  }
  [[nodiscard]] bool has(std::string_view column) const { return cells_.contains(column); }

  /// Returns a number above 0.
  template <class Number>
  [[nodiscard]] Number number(std::string_view column) const {
    const std::string& text = (*this)[column];
    Number value = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || rest != end || !(value > 0))
      fail(column, "is not a number above 0");
    return value;
  }

  /// Returns 0 if there is no number.
  [[nodiscard]] std::uint64_t number_or_none(std::string_view column) const {
    return (*this)[column].empty() ? 0 : number<std::uint64_t>(column);
  }

  /// Returns a number that is not below 0.
  [[nodiscard]] std::optional<double> count_or_none(std::string_view column) const {
    const std::string& text = (*this)[column];
    if (text.empty()) return std::nullopt;
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || rest != end || !(value >= 0))
      fail(column, "is not a number from 0 on");
    return value;
  }

  [[noreturn]] void fail(std::string_view column, const std::string& why) const {
    throw usage_error(fmt::format("{}: {} \"{}\" {}", place_, column, (*this)[column], why));
  }

 private:
  std::string place_;
  std::map<std::string, std::string, std::less<>> cells_;
};

/// Reads the first line.
std::vector<std::string> names_of(const std::string& line, const std::string& file) {
  const std::string place = file + ":1";
  std::vector<std::string> names = split(line);
  for (const std::string& name : names) {
    if (name == bitonic_below || std::ranges::find(columns, name) != columns.end()) continue;
    const auto near = closest_name(name, columns);
    throw usage_error(fmt::format(
        "{}: unknown column \"{}\"; {}", place, name,
        near ? fmt::format("did you mean \"{}\"?", *near)
             : fmt::format("warpcheck measure --csv writes {}", fmt::join(columns, ","))));
  }
  for (const std::string_view column : columns) {
    const auto times_named = std::ranges::count(names, column);
    if (times_named == 1) continue;
    throw usage_error(fmt::format("{}: {} column \"{}\"; warpcheck measure --csv writes {}", place,
                                  times_named == 0 ? "no" : "more than one", column,
                                  fmt::join(columns, ",")));
  }
  return names;
}

measurement measurement_of(const csv_line& line) {
  measurement one;
  one.subject = line["subject"];
  one.workload = line["workload"];
  one.blocks = line.number<std::uint64_t>("blocks");
  one.threads = line.number<std::uint64_t>("threads");
  one.buckets = line.number_or_none("buckets");
  one.entry_points = line.number_or_none("entry_points");
  one.keys = line.number_or_none("keys");
  if (line.has(bitonic_below)) one.bitonic_below = line.number_or_none(bitonic_below);
  one.repeat = line.number<std::uint64_t>("repeat");
  const auto outcome = trial_outcome_named(line["outcome"]);
  if (!outcome)
    line.fail("outcome", fmt::format("is none of {}", fmt::join(trial_outcome_names, ", ")));
  one.outcome = *outcome;
  one.counted = line.count_or_none("counted");
  if (std::ranges::all_of(times, [&](auto column) { return line[column].empty(); })) return one;
  for (const std::string_view column : times) one.seconds.push_back(line.number<double>(column));
  for (std::size_t i = 1; i < times.size(); ++i) {
    if (one.seconds[i] < one.seconds[i - 1])
      line.fail(times[i], fmt::format("is less than {}", times[i - 1]));
  }
  return one;
}

}  // namespace

std::string to_csv(const std::vector<measurement>& all) {
  const bool has_lengths =
      std::ranges::any_of(all, [](const measurement& m) { return m.bitonic_below != 0; });
  std::string text = fmt::format("{}", fmt::join(columns, ","));
  text += has_lengths ? fmt::format(",{}\n", bitonic_below) : "\n";
  for (const measurement& m : all) {
    text += fmt::format("{},{},{},{},{},{},{},{},{},{}", m.subject, m.workload, m.blocks, m.threads,
                        m.buckets == 0 ? "" : std::to_string(m.buckets),
                        m.entry_points == 0 ? "" : std::to_string(m.entry_points),
                        m.keys == 0 ? "" : std::to_string(m.keys), m.repeat, name(m.outcome),
                        m.seconds.size());
    const auto times = spread_of(m);
    if (times) {
      text += fmt::format(",{:.9f},{:.9f},{:.9f},{:.9f},{:.9f}", times->least, times->low,
                          times->median, times->high, times->most);
    } else {
      text += ",,,,,";
    }
    text += m.counted ? fmt::format(",{:.6g}", *m.counted) : ",";
    if (has_lengths) text += m.bitonic_below == 0 ? "," : fmt::format(",{}", m.bitonic_below);
    text += "\n";
  }
  return text;
}

std::vector<measurement> measurements_of_csv(const std::string& text, const std::string& file) {
  std::istringstream lines(text);
  std::vector<std::string> names;
  std::vector<measurement> all;
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.ends_with('\r')) line.pop_back();
    if (number == 1)
      names = names_of(line, file);
    else if (!line.empty())
      all.push_back(measurement_of(csv_line(fmt::format("{}:{}", file, number), names, line)));
  }
  if (all.empty()) throw usage_error(file + ": no measurements; give what measure --csv wrote");
  return all;
}

}  // namespace warpcheck
