// Finds the options that a complaint of the parser is about among those that were given.
#include "checker/options/mistake.hpp"

#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "checker/text/closest_name.hpp"

namespace warpcheck {

namespace {

bool is_option(std::string_view word) { return word.size() > 1 && word.starts_with('-'); }

// Returns "did you mean --time?", or where the options are shown. `command` is empty for options
// of the program itself.
std::string remedy_for(std::string_view name, const CLI::App& app, std::string_view command) {
  std::vector<std::string> all;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& known : option->get_lnames()) all.push_back("--" + known);
  }
  if (name.starts_with("--")) {
    const std::vector<std::string_view> known(all.begin(), all.end());
    if (const auto near = closest_name(name, known)) return fmt::format("did you mean {}?", *near);
  }
  return command.empty() ? "`warpcheck --help` shows them"
                         : fmt::format("`warpcheck help {}` shows them", command);
}

// Returns a misspelt option, or the first word that nothing takes.
std::string unexpected(const CLI::App& command) {
  const std::vector<std::string> words = command.remaining();
  for (const std::string& word : words) {
    // The words after the program to be run are its own.
    if (command.get_prefix_command() && !is_option(word)) break;
    if (!is_option(word)) continue;
    const std::string name = word.substr(0, word.find('='));
    return fmt::format("{}: there is no option {}; {}", command.get_name(), name,
                       remedy_for(name, command, command.get_name()));
  }
  std::string taken;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional()) taken = option->get_type_name();
  }
  const std::string first = words.empty() ? std::string() : words.front();
  return fmt::format("{}: \"{}\" is one word too many; {}", command.get_name(), first,
                     taken.empty() ? fmt::format("{} takes only options", command.get_name())
                                   : fmt::format("{} takes one {}", command.get_name(), taken));
}

std::string without_command(const CLI::App& program, const std::vector<std::string>& words) {
  if (!words.empty() && is_option(words.front())) {
    const std::string name = words.front().substr(0, words.front().find('='));
    return fmt::format("there is no option {} before a command; {}", name,
                       remedy_for(name, program, {}));
  }
  return "a command is missing; `warpcheck --help` shows them; for example: warpcheck run "
         "scenarios/locks";
}

// The option that a complaint names first.
const CLI::Option* named_in(const std::string& complaint, const CLI::App& command) {
  const CLI::Option* longest = nullptr;
  for (const CLI::Option* option : command.get_options()) {
    if (complaint.find(option->get_name()) == std::string::npos) continue;
    if (longest == nullptr || option->get_name().size() > longest->get_name().size()) {
      longest = option;
    }
  }
  return longest;
}

// Two options that were given, and of which one excludes the other.
std::optional<std::string> excluded(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    for (const CLI::Option* other : option->get_excludes()) {
      if (option->count() == 0 || other->count() == 0) continue;
      return fmt::format("{}: {} and {} do not go together; leave one out", command.get_name(),
                         option->get_name(), other->get_name());
    }
  }
  return std::nullopt;
}

// An option that was given without one that it needs.
std::optional<std::string> alone(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    for (const CLI::Option* other : option->get_needs()) {
      if (option->count() == 0 || other->count() != 0) continue;
      return fmt::format("{}: {} belongs to {}; add that, or leave {} out", command.get_name(),
                         option->get_name(), other->get_name(), option->get_name());
    }
  }
  return std::nullopt;
}

// An option without its value, with too many, or a flag with a value.
std::string wrong_value(const CLI::App& command, const CLI::ParseError& error) {
  const CLI::Option* option = named_in(error.what(), command);
  if (option == nullptr) return fmt::format("{}: {}", command.get_name(), error.what());
  const std::string name = option->get_name();
  if (option->get_items_expected_max() == 0) {
    return fmt::format("{}: {} takes no value; write {} alone", command.get_name(), name, name);
  }
  if (option->count() > 1) {
    return fmt::format("{}: {} is given {} times; write it once", command.get_name(), name,
                       option->count());
  }
  return fmt::format("{}: {} needs a value: {} {}", command.get_name(), name, name,
                     option->get_type_name());
}

}  // namespace

std::string mistake_in(const CLI::App& program, const CLI::ParseError& error,
                       const std::vector<std::string>& words) {
  const std::vector<CLI::App*> given = program.get_subcommands();
  if (given.empty()) return without_command(program, words);
  const CLI::App& command = *given.front();
  const auto is = [&](CLI::ExitCodes kind) {
    return error.get_exit_code() == static_cast<int>(kind);
  };
  if (is(CLI::ExitCodes::ExtrasError)) {
    return command.remaining().empty() ? without_command(program, words) : unexpected(command);
  }
  if (is(CLI::ExitCodes::ExcludesError)) {
    if (const auto text = excluded(command)) return *text;
  }
  if (is(CLI::ExitCodes::RequiresError)) {
    if (const auto text = alone(command)) return *text;
  }
  return wrong_value(command, error);
}

}  // namespace warpcheck
