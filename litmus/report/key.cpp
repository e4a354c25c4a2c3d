// Reads published answers from CSV files.
#include "litmus/report/key.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

namespace litmus {

namespace {

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> all(1);
  for (const char c : line) {
    if (c == ',')
      all.emplace_back();
    else if (c != '\r')
      all.back() += c;
  }
  return all;
}

}  // namespace

std::filesystem::path key_path(const std::filesystem::path& file) {
  std::error_code error;
  const auto path = std::filesystem::weakly_canonical(file, error);
  return error ? file.lexically_normal() : path;
}

std::map<std::filesystem::path, expectation> read_key(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::string line;
  if (!stream || !std::getline(stream, line)) {
    throw syntax_error(file.string() + ": cannot be read; name a CSV file with the column file");
  }
  const std::vector<std::string> head = cells(line);
  const auto column = [&](std::string_view name) {
    return static_cast<std::size_t>(std::ranges::find(head, name) - head.begin());
  };
  const std::size_t path = column("file"), holds = column("expected_witness_or_holds"),
                    ends = column("liveness");
  if (path == head.size() || (holds == head.size() && ends == head.size())) {
    throw syntax_error(file.string() +
                       ":1: has no columns file and expected_witness_or_holds (or liveness); name "
                       "them in the first line");
  }
  std::map<std::filesystem::path, expectation> key;
  for (std::size_t number = 2; std::getline(stream, line); ++number) {
    const std::vector<std::string> row = cells(line);
    if (row.size() == 1 && row[0].empty()) continue;
    if (row.size() <= path || row[path].empty()) {
      throw syntax_error(
          fmt::format("{}:{}: names no file; remove the line", file.string(), number));
    }
    const auto read = [&](std::size_t at) -> std::optional<bool> {
      if (at >= row.size() || row[at].empty()) return std::nullopt;
      if (row[at] == "1" || row[at] == "0") return row[at] == "1";
      throw syntax_error(fmt::format("{}:{}: \"{}\" is no answer; write 1, 0 or nothing",
                                     file.string(), number, row[at]));
    };
    key[key_path(file.parent_path() / row[path])] = {read(holds), read(ends)};
  }
  return key;
}

}  // namespace litmus
