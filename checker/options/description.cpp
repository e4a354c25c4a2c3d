// Reads the description of commands and options from the parser's own.
#include "checker/options/description.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <sstream>

namespace warpcheck {

namespace {

std::vector<std::string> sorted_names(const std::set<CLI::Option*>& options) {
  std::vector<std::string> names;
  for (const CLI::Option* option : options) {
    names.push_back(option->get_lnames().empty() ? "-" + option->get_snames().front()
                                                 : "--" + option->get_lnames().front());
  }
  std::sort(names.begin(), names.end());
  return names;
}

option_description describe(const CLI::Option& option) {
  option_description one;
  for (const std::string& name : option.get_snames()) one.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) one.names.push_back("--" + name);
  if (one.names.empty()) one.names.push_back(option.get_name());
  if (option.get_items_expected_max() > 0) one.type = option.get_type_name();
  one.text = option.get_description();
  one.group = option.get_group();
  one.repeatable = option.get_items_expected_max() > 1;
  one.not_with = sorted_names(option.get_excludes());
  one.only_with = sorted_names(option.get_needs());
  return one;
}

// Reads a footer: paragraphs, and then examples, one on each line.
void read_footer(const std::string& footer, command_description& command) {
  std::istringstream lines(footer);
  bool in_examples = false;
  for (std::string line; std::getline(lines, line);) {
    if (line == "Example:") {
      in_examples = true;
    } else if (in_examples) {
      command.examples.push_back(line.substr(std::min<std::size_t>(2, line.size())));
    } else if (!line.empty()) {
      command.notes.push_back(line);
    }
  }
}

}  // namespace

std::vector<std::string> option_description::choices() const {
  const bool is_choice = type.find('|') != std::string::npos && type != "FILE|DIR";
  std::vector<std::string> all;
  if (!is_choice) return all;
  std::istringstream words(type);
  for (std::string word; std::getline(words, word, '|');) all.push_back(word);
  return all;
}

bool option_description::takes_files() const { return type == "FILE" || type == "FILE|DIR"; }
bool option_description::takes_folders() const { return type == "DIR" || type == "FILE|DIR"; }

command_description describe(const CLI::App& app) {
  command_description command;
  command.name = app.get_name();
  command.text = app.get_description();
  for (const CLI::Option* option : app.get_options()) {
    (option->get_positional() ? command.positionals : command.options).push_back(describe(*option));
  }
  command.takes_program = app.get_prefix_command();
  read_footer(app.get_footer(), command);
  for (const CLI::App* each : app.get_subcommands([](const CLI::App*) { return true; })) {
    command.commands.push_back(describe(*each));
  }
  return command;
}

}  // namespace warpcheck
