// Writes completions for bash, zsh and fish.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>

#include "checker/options/description.hpp"

namespace warpcheck {

namespace {

std::string first_sentence(const std::string& text) {
  return text.substr(0, text.find_first_of(":;\n"));
}

// Puts text in single quotes, as each of the three shells reads it.
std::string in_single_quotes(const std::string& text, bool fish = false) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += fish ? "\\'" : "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

// ---- bash ----

std::string bash_values(const option_description& one) {
  if (const auto words = one.choices(); !words.empty()) {
    return fmt::format("COMPREPLY=($(compgen -W {} -- \"$word\"))",
                       in_single_quotes(fmt::format("{}", fmt::join(words, " "))));
  }
  if (one.takes_files()) return "compopt -o filenames; COMPREPLY=($(compgen -f -- \"$word\"))";
  if (one.takes_folders()) return "compopt -o filenames; COMPREPLY=($(compgen -d -- \"$word\"))";
  return "COMPREPLY=()";
}

std::string bash_cases(const command_description& command) {
  std::string text;
  for (const option_description& one : command.options) {
    if (one.type.empty()) continue;
    text += fmt::format("    {}:{})\n      {}\n      return ;;\n", command.name,
                        fmt::join(one.names, fmt::format("|{}:", command.name)), bash_values(one));
  }
  return text;
}

std::string names_of_options(const command_description& command) {
  std::vector<std::string> all;
  for (const option_description& one : command.options) {
    all.insert(all.end(), one.names.begin(), one.names.end());
  }
  return fmt::format("{}", fmt::join(all, " "));
}

std::string names_of_commands(const command_description& program) {
  std::vector<std::string> all;
  for (const command_description& one : program.commands) all.push_back(one.name);
  return fmt::format("{}", fmt::join(all, " "));
}

std::string bash(const command_description& program) {
  std::string text =
      "# Made by `warpcheck help --completion bash`.\n"
      "_warpcheck() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
      "  local command=${COMP_WORDS[1]} options=''\n"
      "  COMPREPLY=()\n"
      "  if ((COMP_CWORD == 1)); then\n";
  text +=
      fmt::format("    COMPREPLY=($(compgen -W {} -- \"$word\"))\n    return\n  fi\n",
                  in_single_quotes(names_of_commands(program) + " " + names_of_options(program)));
  text += "  case $command:$before in\n";
  for (const command_description& one : program.commands) text += bash_cases(one);
  text += "  esac\n  case $command in\n";
  for (const command_description& one : program.commands) {
    text +=
        fmt::format("    {}) options={} ;;\n", one.name, in_single_quotes(names_of_options(one)));
  }
  text +=
      "  esac\n  if [[ $word == -* ]]; then\n"
      "    COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
      "  elif [[ $command == help ]]; then\n";
  text += fmt::format("    COMPREPLY=($(compgen -W {} -- \"$word\"))\n",
                      in_single_quotes(names_of_commands(program)));
  return text +
         "  else\n    compopt -o filenames\n    COMPREPLY=($(compgen -f -- \"$word\"))\n  fi\n}\n"
         "complete -F _warpcheck warpcheck\n";
}

// ---- zsh ----

// Escapes the characters that have a meaning in a specification of _arguments.
std::string for_zsh(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_action(const option_description& one) {
  if (const auto words = one.choices(); !words.empty()) {
    return fmt::format("({})", fmt::join(words, " "));
  }
  if (one.takes_files()) return "_files";
  if (one.takes_folders()) return "_files -/";
  return " ";
}

std::string zsh_option(const option_description& one) {
  std::string text;
  for (const std::string& name : one.names) {
    std::string spec = one.repeatable ? "*" : "";
    spec += fmt::format("{}[{}]", name, for_zsh(first_sentence(one.text)));
    if (!one.type.empty()) spec += fmt::format(":{}:{}", for_zsh(one.type), zsh_action(one));
    text += " \\\n        " + in_single_quotes(spec);
  }
  return text;
}

std::string zsh(const command_description& program) {
  std::string text =
      "#compdef warpcheck\n# Made by `warpcheck help --completion zsh`.\n"
      "_warpcheck() {\n  local -a commands\n  commands=(\n";
  for (const command_description& one : program.commands) {
    text += fmt::format("    {}\n", in_single_quotes(one.name + ":" + for_zsh(one.text)));
  }
  text +=
      "  )\n  if ((CURRENT == 2)); then\n    _describe command commands\n    return\n  fi\n"
      "  local command=$words[2]\n  shift words\n  ((CURRENT--))\n  case $command in\n";
  for (const command_description& one : program.commands) {
    text += fmt::format("    {})\n      _arguments", one.name);
    for (const option_description& option : one.options) text += zsh_option(option);
    for (const option_description& option : one.positionals) {
      const std::string action =
          one.name == "help" ? fmt::format("({})", names_of_commands(program)) : zsh_action(option);
      text +=
          " \\\n        " + in_single_quotes(fmt::format("{}:{}:{}", option.repeatable ? "*" : "1",
                                                         option.names.front(), action));
    }
    text += " ;;\n";
  }
  return text + "  esac\n}\n_warpcheck \"$@\"\n";
}

// ---- fish ----

std::string fish_option(const command_description& command, const option_description& one) {
  std::string text =
      fmt::format("complete -c warpcheck -n {}",
                  in_single_quotes("__fish_seen_subcommand_from " + command.name, true));
  for (const std::string& name : one.names) {
    const bool is_long = name.starts_with("--");
    text += fmt::format(" -{} {}", is_long ? 'l' : 's', name.substr(is_long ? 2 : 1));
  }
  if (const auto words = one.choices(); !words.empty()) {
    text +=
        fmt::format(" -x -a {}", in_single_quotes(fmt::format("{}", fmt::join(words, " ")), true));
  } else if (one.takes_files()) {
    text += " -r -F";
  } else if (one.takes_folders()) {
    text += " -x -a '(__fish_complete_directories)'";
  } else if (!one.type.empty()) {
    text += " -x";
  }
  return text + fmt::format(" -d {}\n", in_single_quotes(first_sentence(one.text), true));
}

std::string fish(const command_description& program) {
  std::string text = "# Made by `warpcheck help --completion fish`.\n";
  for (const command_description& one : program.commands) {
    text += fmt::format("complete -c warpcheck -n __fish_use_subcommand -f -a {} -d {}\n", one.name,
                        in_single_quotes(one.text, true));
  }
  text += fmt::format("complete -c warpcheck -n '__fish_seen_subcommand_from help' -f -a {}\n",
                      in_single_quotes(names_of_commands(program), true));
  for (const command_description& one : program.commands) {
    for (const option_description& option : one.options) text += fish_option(one, option);
  }
  return text;
}

}  // namespace

std::string completion_script(const command_description& program, const std::string& shell) {
  if (shell == "bash") return bash(program);
  if (shell == "zsh") return zsh(program);
  if (shell == "fish") return fish(program);
  throw std::logic_error("no completions for the shell " + shell);
}

}  // namespace warpcheck
