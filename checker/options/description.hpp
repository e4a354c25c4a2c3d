// The command line as a value, from which `--help`, the manual page and the completions of shells
// are made. It is read from the options that the parser has, so that there is one description of
// them.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace warpcheck {

struct option_description {
  std::vector<std::string> names;  // "-q", "--quiet"; for a positional one, "scenarios"
  // Type of its value: "FILE", "its|stack"; empty: the option is a flag.
  std::string type;
  std::string text;   // lines that end in \n remain lines
  std::string group;  // "Options", or the heading above it
  bool repeatable = false;
  std::vector<std::string> not_with;  // options that exclude it
  std::vector<std::string> only_with;

  /// Returns all possible values: "its", "stack"; empty: the value is not a choice of words.
  [[nodiscard]] std::vector<std::string> choices() const;
  [[nodiscard]] bool takes_files() const;
  [[nodiscard]] bool takes_folders() const;
};

struct command_description {
  std::string name;  // "run"
  std::string text;
  std::vector<option_description> positionals;
  std::vector<option_description> options;
  bool takes_program = false;         // words after its options belong to another program
  std::vector<std::string> notes;     // paragraphs
  std::vector<std::string> examples;  // lines
  std::vector<command_description> commands;
};

command_description describe(const CLI::App& app);

/// Returns the text of `--help`, in lines of at most `width` columns. `name` is what to type:
/// "warpcheck run".
std::string help_text(const command_description& command, const std::string& name,
                      std::size_t width);

/// Returns warpcheck(1), in the macros of man(7).
std::string manual_page(const command_description& program, const std::string& version);

/// Returns what the shell ("bash", "zsh" or "fish") completes after warpcheck.
std::string completion_script(const command_description& program, const std::string& shell);

}  // namespace warpcheck
