// Takes clang's messages apart, and keeps what names the author's own lines.
#include "sim/compile/compiler_messages.hpp"

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>
#include <string_view>
#include <vector>

#include "sim/subject/cuda_names.hpp"

namespace simt::detail {
namespace {

// A message "FILE:LINE:COLUMN: KIND: TEXT", and the lines of source below it.
struct compiler_message {
  std::string file, place, kind, text;
  std::string source_lines;
};

std::vector<compiler_message> messages_in(const std::string& output, std::string& rest) {
  static const std::regex head(R"((.+?)(:\d+:\d+): (fatal error|error|warning|note): (.*))");
  std::vector<compiler_message> all;
  std::istringstream lines(output);
  std::smatch parts;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("In file included from ")) continue;
    if (std::regex_match(line, parts, head)) {
      all.push_back({parts[1], parts[2], parts[3], parts[4], {}});
    } else if (!all.empty() && line.starts_with(' ')) {
      all.back().source_lines += line + "\n";
    } else if (line.find(" generated.") == std::string::npos) {
      rest += line + "\n";
    }
  }
  return all;
}

// The text of an assertion of the API, without clang's words in front.
std::string without_requirement(const std::string& text) {
  static const std::regex assertion(
      R"(static assertion failed(?: due to requirement '.*?')?: (.*))");
  std::smatch parts;
  return std::regex_match(text, parts, assertion) ? parts[1].str() : text;
}

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

constexpr std::string_view takes_a_type =
    "SIMT_SUBJECT takes a type with all its template arguments, as in SIMT_SUBJECT(my_lock) or "
    "SIMT_SUBJECT(my_queue<4>)";

/// Messages about the functions and types that SIMT_SUBJECT expands to, in terms of its user.
std::string without_macros(const std::string& text) {
  if (has(text, "call to 'register_type'")) return std::string(takes_a_type);
  if (has(text, "local struct 'simt_subject_name_")) {
    return "SIMT_SUBJECT stands at namespace scope, not in a function";
  }
  return text;
}

/// The missing name, if the error says that namespace simt has no such name.
std::string_view name_not_in_simt(std::string_view text) {
  static const std::regex missing(R"(no .* named '(\w+)' in namespace 'simt'$)");
  std::cmatch parts;
  if (!std::regex_search(text.begin(), text.end(), parts, missing)) return {};
  return {parts[1].first, static_cast<std::size_t>(parts[1].length())};
}

std::string remedy_for(const compiler_message& said) {
  if (const auto name = name_not_in_simt(said.text); !name.empty()) return in_place_of_simt(name);
  const bool misses = has(said.text, "undeclared") || has(said.text, "unknown type name") ||
                      has(said.text, "file not found");
  std::string remedy = misses ? in_place_of_quoted(said.text) : std::string();
  const bool names_wrongly =
      misses || has(said.text, "template argument") || has(said.text, "namespace name");
  if (remedy.empty() && names_wrongly && has(said.source_lines, "SIMT_SUBJECT(")) {
    remedy = takes_a_type;
  }
  if (remedy.empty()) remedy = in_place_of_marks(said.source_lines);
  return remedy;
}

// Shows each remedy once.
std::string remedy_of(const compiler_message& said, std::set<std::string>& told) {
  const std::string remedy = remedy_for(said);
  if (remedy.empty() || !told.insert(remedy).second) return {};
  return "  remedy: " + remedy + "\n";
}

// The API's assertions about members also fail for a type that did not compile.
bool follows_from_others(const compiler_message& said) {
  return said.text.find("does not fit and would not be called") != std::string::npos;
}

std::string text_of(const compiler_message& at, const std::string& kind, const std::string& text) {
  return at.file + at.place + ": " + kind + ": " + text + "\n" + at.source_lines;
}

}  // namespace

std::string shortened(const std::string& output, const std::filesystem::path& api) {
  const std::string folder = api.string() + "/";
  const auto is_ours = [&](const compiler_message& m) { return m.file.starts_with(folder); };
  std::string rest;
  const std::vector<compiler_message> all = messages_in(output, rest);
  const bool has_other_errors = std::ranges::any_of(all, [](const compiler_message& one) {
    return one.kind.ends_with("error") && !follows_from_others(one);
  });
  std::string result;
  std::set<std::string> told;
  for (std::size_t first = 0; first < all.size();) {
    // A message and the notes that belong to it.
    std::size_t end = first + 1;
    while (end < all.size() && all[end].kind == "note") ++end;
    const compiler_message& said = all[first];
    if (has_other_errors && follows_from_others(said)) {
      first = end;
      continue;
    }
    std::size_t shown = first;
    while (shown < end && is_ours(all[shown])) ++shown;
    if (shown == end) {
      if (has(said.text, "file not found")) {
        result += "the headers of the C++ standard library are missing: run tools/setup\n";
      }
      for (std::size_t i = first; i < end; ++i) result += text_of(all[i], all[i].kind, all[i].text);
    } else {
      const bool moved = shown != first;
      const std::string text = without_macros(said.text);
      result += text_of(all[shown], said.kind, moved ? without_requirement(text) : text);
      for (std::size_t i = shown + 1; i < end; ++i) {
        if (!is_ours(all[i])) result += text_of(all[i], all[i].kind, all[i].text);
      }
    }
    result += remedy_of(said, told);
    first = end;
  }
  // nvcc's messages have another form: "x.hpp(4): error: calling a __host__ function(\"f\") from".
  std::istringstream others(rest);
  for (std::string line; std::getline(others, line);) {
    result += line + "\n";
    if (line.find("__host__ function(") == std::string::npos) continue;
    const std::string remedy = in_place_of_quoted(line);
    if (!remedy.empty() && told.insert(remedy).second) result += "  remedy: " + remedy + "\n";
  }
  while (result.ends_with('\n')) result.pop_back();
  return result;
}

}  // namespace simt::detail
