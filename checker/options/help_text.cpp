// Writes what --help prints.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "checker/options/description.hpp"
#include "checker/text/plain_text.hpp"

namespace warpcheck {

namespace {

constexpr std::size_t left_column = 30;

// Puts the words of `text` into lines from column `indent` on; `before` stands in the first line.
std::string in_columns(const std::string& before, const std::string& text, std::size_t indent,
                       std::size_t width) {
  std::string all = before;
  std::size_t used = width_of(before);
  if (used > 0 && used + 1 > indent && !text.empty()) {
    all += '\n';
    used = 0;
  }
  std::istringstream lines(text);
  bool first_line = true;
  for (std::string line; std::getline(lines, line); first_line = false) {
    if (!first_line) {
      all += '\n';
      used = 0;
    }
    std::istringstream words(line);
    bool first_word = true;
    for (std::string word; words >> word; first_word = false) {
      if (!first_word && used + 1 + width_of(word) > width) {
        all += '\n';
        used = 0;
        first_word = true;
      }
      const std::size_t gap = first_word ? std::max(indent, used) - used : 1;
      all += std::string(gap, ' ') + word;
      used += gap + width_of(word);
    }
  }
  return all + '\n';
}

std::string option_line(const option_description& one, std::size_t width) {
  std::string left = fmt::format("  {}", fmt::join(one.names, ", "));
  if (!one.type.empty()) left += " " + one.type;
  std::string text = one.text;
  if (!one.not_with.empty()) text += fmt::format(". Not with {}", fmt::join(one.not_with, ", "));
  if (!one.only_with.empty()) text += fmt::format(". Only with {}", fmt::join(one.only_with, ", "));
  return in_columns(left, text, left_column, width);
}

}  // namespace

std::string help_text(const command_description& command, const std::string& name,
                      std::size_t width) {
  std::string text = in_columns("", command.text, 0, width);
  text += fmt::format("\nUsage: {}{}", name, command.options.empty() ? "" : " [OPTIONS]");
  for (const option_description& one : command.positionals) {
    text += fmt::format(" [{}]{}", one.names.front(), one.repeatable ? "..." : "");
  }
  if (command.takes_program) text += " PROGRAM [ARGUMENTS]";
  if (!command.commands.empty()) text += " COMMAND";
  text += '\n';
  if (!command.positionals.empty()) text += "\nArguments:\n";
  for (const option_description& one : command.positionals) text += option_line(one, width);

  std::vector<std::string> groups;
  for (const option_description& one : command.options) {
    if (std::ranges::find(groups, one.group) == groups.end()) groups.push_back(one.group);
  }
  for (const std::string& group : groups) {
    text += fmt::format("\n{}:\n", group);
    for (const option_description& one : command.options) {
      if (one.group == group) text += option_line(one, width);
    }
  }
  if (!command.commands.empty()) text += "\nCommands:\n";
  for (const command_description& one : command.commands) {
    text += in_columns("  " + one.name, one.text, left_column / 2, width);
  }
  text += '\n';
  for (const std::string& note : command.notes) text += in_columns("", note, 0, width);
  if (!command.examples.empty()) text += "Example:\n";
  for (const std::string& line : command.examples) text += "  " + line + '\n';
  return text;
}

}  // namespace warpcheck
