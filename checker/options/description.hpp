// The command line as a value: what `--help`, the manual page and the completions of shells are
// made of. It is read off the options that the parser has, so that there is one description of
// them.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace warpcheck {

struct option_description {
  std::vector<std::string> names;  // "-q", "--quiet"; of a positional one, "scenarios"
  std::string type;                // of its value: "FILE", "its|stack"; empty: it is a flag
  std::string text;                // lines that end in \n are to remain lines
  std::string group;               // "Options", or the heading that it stands under
  bool repeatable = false;
  std::vector<std::string> not_with;  // options that exclude it
  std::vector<std::string> only_with;

  /// All values that there are: "its", "stack"; empty: not a choice of words.
  [[nodiscard]] std::vector<std::string> choices() const;
  [[nodiscard]] bool takes_files() const;
  [[nodiscard]] bool takes_folders() const;
};

struct command_description {
  std::string name;  // "run"
  std::string text;
  std::vector<option_description> positionals;
  std::vector<option_description> options;
  bool takes_program = false;         // words behind its options are another program's
  std::vector<std::string> notes;     // paragraphs
  std::vector<std::string> examples;  // lines
  std::vector<command_description> commands;
};

command_description describe(const CLI::App& app);

/// `--help`, in lines of at most `width` columns. `name` is what to type: "warpcheck run".
std::string help_text(const command_description& command, const std::string& name,
                      std::size_t width);

/// warpcheck(1), in the macros of man(7).
std::string manual_page(const command_description& program, const std::string& version);

/// For "bash", "zsh" or "fish": what the shell completes behind warpcheck.
std::string completion_script(const command_description& program, const std::string& shell);

}  // namespace warpcheck
