// Writes expectations into the text of a scenario file, at the places that the TOML parser gives.
#include "checker/scenario/accept_verdicts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "checker/scenario/scenario.hpp"
#include "checker/scenario/toml_reader.hpp"

namespace warpcheck {

namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  std::istringstream stream{std::string(text)};
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// Returns the position in bytes of a column, which counts characters of UTF-8 from 1.
std::size_t byte_of(const std::string& line, std::uint32_t column) {
  std::size_t at = 0;
  for (std::uint32_t c = 1; c < column && at < line.size(); ++c) {
    ++at;
    while (at < line.size() && (static_cast<unsigned char>(line[at]) & 0xc0U) == 0x80U) ++at;
  }
  return at;
}

std::string list_of(verdict_set violations) {
  std::vector<std::string> names;
  for (std::size_t v = 0; v < verdict_names.size(); ++v) {
    if ((violations & bit(static_cast<verdict>(v))) != 0) {
      names.push_back(fmt::format("\"{}\"", verdict_names[v]));
    }
  }
  return fmt::format("[{}]", fmt::join(names, ", "));
}

class editor {
 public:
  editor(std::string_view text, const std::filesystem::path& file)
      : reader_(file), lines_(lines_of(text)), whole_(text.ends_with('\n')) {}

  /// Call it from the last table to the first one, so that the places of the others stay right.
  void accept(const toml::table& run, const accepted_verdict& what) {
    if (run.is_inline()) {
      reader_.fail(run, "--accept needs [[run]] on a line of its own, and its keys below it");
    }
    const std::string verdict_text = fmt::format("\"{}\"", name(what.gravest));
    const toml::node* const expect = run.get("expect");
    const toml::node* const violations = run.get("expect_violations");
    std::vector<std::pair<const toml::node*, std::string>> edits;
    if (expect != nullptr) edits.emplace_back(expect, verdict_text);
    if (violations != nullptr) edits.emplace_back(violations, list_of(what.violations));
    std::ranges::sort(edits, [](const auto& a, const auto& b) {
      return a.first->source().begin.line > b.first->source().begin.line;
    });
    // A new line stands below all others, so it is inserted first.
    if (edits.empty()) insert(run, verdict_text);
    for (const auto& [node, value] : edits) replace(*node, value);
  }

  [[nodiscard]] std::string text() const {
    return fmt::format("{}{}", fmt::join(lines_, "\n"), whole_ ? "\n" : "");
  }

  [[nodiscard]] const toml_reader& reader() const { return reader_; }

 private:
  toml_reader reader_;
  std::vector<std::string> lines_;
  bool whole_;  // whether the last line has an end

  void replace(const toml::node& node, const std::string& value) {
    const toml::source_region& place = node.source();
    std::string& first = lines_[place.begin.line - 1];
    const std::string& last = lines_[place.end.line - 1];
    const std::string rest = last.substr(byte_of(last, place.end.column));
    first = first.substr(0, byte_of(first, place.begin.column)) + value + rest;
    lines_.erase(lines_.begin() + place.begin.line, lines_.begin() + place.end.line);
  }

  /// Inserts a line below the last key. Puts the equals sign under that of the last key.
  void insert(const toml::table& run, const std::string& value) {
    std::uint32_t first = run.source().begin.line;
    std::uint32_t last = first;
    for (const auto& [key, node] : run) {
      if (node.source().end.line < last) continue;
      first = node.source().begin.line;
      last = node.source().end.line;
    }
    constexpr std::string_view key = "expect";
    std::size_t column = key.size() + 1;
    std::size_t indent = 0;
    if (last != run.source().begin.line) {
      const std::string& above = lines_[first - 1];
      indent = std::min(above.find_first_not_of(" \t"), above.size());
      const std::size_t equals = above.find('=');
      if (equals != std::string::npos && equals > 0 && above[equals - 1] == ' ') {
        column = std::max(column, equals - indent);
      }
    }
    std::string line = lines_[first - 1].substr(0, indent) + std::string(key);
    line += std::string(column - key.size(), ' ') + "= " + value;
    lines_.insert(lines_.begin() + last, line);
  }
};

}  // namespace

std::string accept_verdicts(std::string_view text, const std::filesystem::path& file,
                            const std::map<std::uint32_t, std::vector<accepted_verdict>>& found) {
  const toml::table root = toml::parse(text, std::string_view(file.native()));
  const toml::array& runs = *root.get("run")->as_array();
  editor edited(text, file);
  for (std::size_t i = runs.size(); i-- > 0;) {
    const toml::table& run = *runs[i].as_table();
    const auto of_run = found.find(run.source().begin.line);
    if (of_run == found.end() || of_run->second.empty()) continue;
    const std::vector<accepted_verdict>& all = of_run->second;
    for (const accepted_verdict& one : all) {
      if (one.gravest == all[0].gravest && one.violations == all[0].violations) continue;
      edited.reader().fail(
          run, fmt::format("this [[run]] has no \"memory\", and its runs differ ({} under sc, {} "
                           "under ptx), so --accept has written nothing into this file; write a "
                           "[[run]] for each memory model",
                           name(all[0].gravest), name(one.gravest)));
    }
    edited.accept(run, all[0]);
  }
  std::string after = edited.text();
  parse_scenario(after, file);  // check that what is written can be read
  return after;
}

}  // namespace warpcheck
