// Writes the manual page, warpcheck(1).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>

#include "checker/options/description.hpp"

namespace warpcheck {

namespace {

// Escapes text for roff: hyphens can be copied, and no line begins with a request.
std::string escaped(const std::string& text) {
  std::string out;
  bool at_start = true;
  for (const char c : text) {
    if (at_start && (c == '.' || c == '\'')) out += "\\&";
    at_start = c == '\n';
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

// Writes text as a paragraph of its own; lines of the text remain lines.
std::string paragraph(const std::string& text) {
  std::string out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!out.empty()) out += ".br\n";
    out += escaped(line) + '\n';
  }
  return out;
}

std::string options_of(const std::vector<option_description>& options) {
  std::string text;
  for (const option_description& one : options) {
    text += fmt::format(".TP\n\\fB{}\\fR", escaped(fmt::format("{}", fmt::join(one.names, ", "))));
    if (!one.type.empty()) text += fmt::format(" \\fI{}\\fR", escaped(one.type));
    text += '\n' + paragraph(one.text + ".");
    if (!one.not_with.empty()) {
      text += escaped(fmt::format("Not with {}.\n", fmt::join(one.not_with, ", ")));
    }
    if (!one.only_with.empty()) {
      text += escaped(fmt::format("Only with {}.\n", fmt::join(one.only_with, ", ")));
    }
  }
  return text;
}

std::string section_of(const command_description& command) {
  std::string usage = fmt::format("\\fBwarpcheck {}\\fR", command.name);
  if (!command.options.empty()) usage += " [\\fIOPTIONS\\fR]";
  for (const option_description& one : command.positionals) {
    usage += fmt::format(" [\\fI{}\\fR]{}", one.names.front(), one.repeatable ? "..." : "");
  }
  if (command.takes_program) usage += " \\fIPROGRAM\\fR [\\fIARGUMENTS\\fR]";
  std::string text =
      fmt::format(".SS {}\n{}\n.PP\n{}", command.name, usage, paragraph(command.text + "."));
  text += options_of(command.positionals) + options_of(command.options);
  for (const std::string& note : command.notes) text += ".PP\n" + paragraph(note);
  if (command.examples.empty()) return text;
  text += ".PP\nExample:\n.PP\n.EX\n";
  for (const std::string& line : command.examples) text += escaped("    " + line) + '\n';
  return text + ".EE\n";
}

}  // namespace

std::string manual_page(const command_description& program, const std::string& version) {
  std::string text = fmt::format(
      ".\\\" Made by `warpcheck help --man`.\n"
      ".TH WARPCHECK 1 \"\" \"warpcheck {}\" \"User Commands\"\n"
      ".SH NAME\nwarpcheck \\- {}\n"
      ".SH SYNOPSIS\n\\fBwarpcheck\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR] [\\fIARGUMENTS\\fR]\n"
      ".SH DESCRIPTION\n{}",
      escaped(version), escaped("simulator and model checker for GPU synchronization"),
      paragraph(program.text));
  text += ".SH OPTIONS\n" + options_of(program.options);
  text += ".SH COMMANDS\n";
  for (const command_description& command : program.commands) text += section_of(command);
  text +=
      ".SH EXIT STATUS\n"
      ".TP\n\\fB0\\fR\nEverything is as expected.\n"
      ".TP\n\\fB1\\fR\nSomething is not.\n"
      ".TP\n\\fB2\\fR\nWrong use, or a file that cannot be read.\n"
      ".TP\n\\fB3\\fR\nInconclusive: not everything was explored, and nothing worse was found.\n"
      ".TP\n\\fB4\\fR\nA defect of warpcheck.\n"
      ".TP\n\\fB77\\fR\nThere is no GPU, for commands that need one.\n"
      ".SH ENVIRONMENT\n"
      ".TP\n\\fBNO_COLOR\\fR\nNo colours, where it is set (as \\fB\\-\\-color never\\fR).\n"
      ".TP\n\\fBWARPCHECK_CACHE\\fR\nThe folder of compiled subjects.\n";
  return text;
}

}  // namespace warpcheck
