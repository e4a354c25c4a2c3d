// Marks lambdas and constexpr functions in LLVM's text, so that they are inlined into device code.
#include "sim/compile/llvm/followed_calls.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <set>
#include <vector>

#include "sim/subject/elf_image.hpp"

namespace simt::detail {
namespace {

/// All device code is inlined into the functions of this class template.
constexpr std::string_view device_functions = "device_functions";

// How many lines above a function's name may belong to its declaration.
constexpr std::size_t longest_declaration = 16;

std::string_view part_of(std::string_view text, std::string_view begin, std::string_view end) {
  const std::size_t from = text.find(begin);
  if (from == std::string_view::npos) return {};
  text.remove_prefix(from + begin.size());
  return text.substr(0, text.find_first_of(end));
}

/// The name behind the first "@" of `text`, without quotation marks.
std::string_view global_name(std::string_view text) {
  const std::size_t at = text.find('@');
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + 1);
  if (text.starts_with('"')) return text.substr(1, text.find('"', 1) - 1);
  return text.substr(0, text.find_first_of("( ,)"));
}

struct function_text {
  std::size_t head = 0;         // where its first line begins
  std::string_view first_line;  // "define ..."
  std::set<std::string_view> calls;
};

class module_calls {
 public:
  explicit module_calls(std::string_view module) {
    function_text* current = nullptr;
    for (std::size_t at = 0; at < module.size();) {
      const std::size_t end = std::min(module.find('\n', at), module.size());
      const std::string_view line = module.substr(at, end - at);
      if (line.starts_with("define ")) {
        current = &functions_[global_name(line)];
        current->head = at;
        current->first_line = line;
      } else if (line.starts_with("}")) {
        current = nullptr;
      } else if (current != nullptr) {
        const std::size_t call = line.find("call ");
        if (call != std::string_view::npos) {
          const std::string_view name = global_name(line.substr(call));
          if (!name.empty()) current->calls.insert(name);
        }
      } else if (line.starts_with("!") && line.find(" = ") != std::string_view::npos) {
        const std::size_t equals = line.find(" = ");
        entries_[line.substr(0, equals)] = line.substr(equals + 3);
      } else if (line.starts_with("attributes #")) {
        attributes_[part_of(line, "attributes ", " ")] = line;
      }
      at = end + 1;
    }
  }

  /// The functions to be inlined.
  std::vector<const function_text*> followed() {
    std::vector<const function_text*> result;
    std::vector<const function_text*> todo;
    std::set<std::string_view> seen;
    for (const auto& [name, function] : functions_) {
      if (function.first_line.find(device_functions) != std::string_view::npos)
        todo.push_back(&function);
    }
    while (!todo.empty()) {
      const function_text* function = todo.back();
      todo.pop_back();
      for (const std::string_view name : function->calls) {
        const auto callee = functions_.find(name);
        if (callee == functions_.end() || !seen.insert(name).second) continue;
        if (!may_follow(name, callee->second)) continue;
        result.push_back(&callee->second);
        todo.push_back(&callee->second);
      }
    }
    return result;
  }

 private:
  std::map<std::string_view, function_text> functions_;
  std::map<std::string_view, std::string_view> entries_;     // of the debug information
  std::map<std::string_view, std::string_view> attributes_;  // "#12"

  std::string_view entry(std::string_view number) const {
    const auto found = entries_.find(number);
    return found == entries_.end() ? std::string_view{} : found->second;
  }

  bool may_follow(std::string_view name, const function_text& function) const {
    const auto group = attributes_.find("#" + std::string(part_of(function.first_line, " #", " ")));
    const std::string_view all = group == attributes_.end() ? "" : group->second;
    if (all.empty()) return false;
    for (const std::string_view refused : {"alwaysinline", "noinline", "disable_sanitizer"}) {
      if (all.find(refused) != std::string_view::npos) return false;
    }
    const std::string readable = demangle(std::string(name).c_str());
    const bool is_lambda = readable.find("{lambda(") != std::string::npos &&
                           readable.find("}::operator()") != std::string::npos;
    return is_lambda || says_so(function);
  }

  // Whether the declaration in the source says constexpr, or "= default".
  bool says_so(const function_text& function) const {
    const std::string_view program =
        entry("!" + std::string(part_of(function.first_line, "!dbg !", " ,{")));
    if (program.find("DIFlagArtificial") != std::string_view::npos) return true;  // implicit
    const std::string name(part_of(program, "name: \"", "\""));
    const std::string_view file = entry(part_of(program, "file: ", ",)"));
    std::string path(part_of(file, "filename: \"", "\""));
    if (!path.starts_with("/")) {
      path = std::string(part_of(file, "directory: \"", "\"")) + "/" + path;
    }
    std::size_t line = 0;
    const std::string_view number = part_of(program, "line: ", ",)");
    std::from_chars(number.data(), number.data() + number.size(), line);
    return declares(path, line, name);
  }

  static bool declares(const std::string& path, std::size_t number, const std::string& name) {
    std::ifstream stream(path);
    std::string before;
    std::string line;
    for (std::size_t n = 1; n <= number && std::getline(stream, line); ++n) {
      if (n + longest_declaration > number && n != number) before += line + "\n";
    }
    // The name of a template has its arguments in it.
    const std::size_t at = line.find(name.substr(0, name.find('<')));
    if (!stream || number == 0 || at == std::string::npos) return false;
    std::string declaration = before + line.substr(0, at);
    declaration.erase(0, declaration.find_last_of(";{}") + 1);
    const bool is_constexpr = declaration.find("constexpr") != std::string::npos ||
                              declaration.find("CONSTEXPR") != std::string::npos;
    const std::string behind = line.substr(at);
    const std::size_t value = behind.find('=');
    return is_constexpr ||
           (value != std::string::npos && behind.find("default", value) != std::string::npos);
  }
};

}  // namespace

std::optional<std::string> follow_calls(std::string_view module) {
  module_calls calls(module);
  std::vector<const function_text*> followed = calls.followed();
  if (followed.empty()) return std::nullopt;
  std::ranges::sort(followed, {}, &function_text::head);
  std::string text;
  std::size_t done = 0;
  for (const function_text* function : followed) {
    // `alwaysinline` goes in front of the group of attributes: "define i32 @f(i32 %x) #3 comdat {".
    const std::size_t at = function->head + function->first_line.rfind(" #");
    text += module.substr(done, at - done);
    text += " alwaysinline";
    done = at;
  }
  text += module.substr(done);
  return text;
}

}  // namespace simt::detail
