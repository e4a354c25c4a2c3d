// Finds names that the linker does not know, and the lines of the source that use them.
#include "sim/compile/undefined_names.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

#include <dlfcn.h>

#include "sim/compile/compile.hpp"
#include "sim/compile/process.hpp"
#include "sim/subject/elf_image.hpp"

namespace simt::detail {
namespace {

namespace fs = std::filesystem;

bool is_in_this_program(const char* name) { return dlsym(RTLD_DEFAULT, name) != nullptr; }

/// When the build compiles subjects, the simulator is not in the process. Then its names are known
/// by their prefixes.
bool simulator_defines(const std::string& name) {
  if (is_in_this_program(name.c_str())) return true;
  if (is_in_this_program("simt_hook_exit")) return false;
  return std::ranges::any_of(
      std::initializer_list<const char*>{"simt_", "__tsan_", "__wrap_", "__sanitizer_cov_"},
      [&](const char* prefix) { return name.starts_with(prefix); });
}

/// The first place in the author's files where each name is used. The linker's messages have it:
/// "/usr/bin/ld: FILE:LINE: undefined reference to `NAME'".
std::map<std::string, std::string> places_of_use(const words& link) {
  static const std::regex use(R"((?:\S*ld\S*: )?(/.*:\d+): undefined reference to .(.*).)");
  words again = link;
  again.insert(again.end(), {"-g", "-Wl,-z,defs", "-Wl,--no-demangle"});
  std::istringstream lines(run_process(again).output);
  std::map<std::string, std::string> places;
  std::smatch parts;
  for (std::string line; std::getline(lines, line);) {
    if (!std::regex_match(line, parts, use)) continue;
    const std::string place = parts[1];
    if (!is_below(place, api_include_folder())) places.emplace(parts[2], place);
  }
  return places;
}

/// "lock" of "ns::s::lock(int)", "base" of "vtable for base".
std::string last_word(const std::string& readable) {
  std::string name = readable.substr(0, readable.find_first_of("(<["));
  const std::size_t before = name.find_last_of(": ");
  return before == std::string::npos ? name : name.substr(before + 1);
}

bool is_word_at(const std::string& line, std::size_t at, std::size_t size) {
  const auto is_part = [&](std::size_t i) {
    return i < line.size() && (std::isalnum(static_cast<unsigned char>(line[i])) || line[i] == '_');
  };
  return !(at > 0 && is_part(at - 1)) && !is_part(at + size);
}

/// The first line of the source that has the word, if only the API uses the name.
std::string place_of_word(const fs::path& source, const std::string& word) {
  std::ifstream lines(source);
  std::string line;
  for (int number = 1; !word.empty() && std::getline(lines, line); ++number) {
    for (std::size_t at = line.find(word); at != std::string::npos; at = line.find(word, at + 1)) {
      if (is_word_at(line, at, word.size())) {
        return source.string() + ":" + std::to_string(number);
      }
    }
  }
  return source.string();
}

/// Whether the compiler makes the name for a class's virtual functions. It is not shown if the
/// functions are missing, too.
bool is_of_virtual_functions(const std::string& readable) {
  return readable.starts_with("vtable for ") || readable.starts_with("typeinfo for ");
}

std::string remedy(const std::string& readable) {
  if (is_of_virtual_functions(readable)) return "write the bodies of the virtual functions";
  const std::string there = " in a header that the source includes";
  if (readable.ends_with(')')) return "write its body" + there;
  return "define it" + there +
         " (a variable without extern, a static member as inline, a function with its body)";
}

struct undefined_name {
  std::string place;
  std::string readable;
};

// Sorts by line, if all places are in one file.
bool comes_before(const undefined_name& a, const undefined_name& b) {
  return std::pair(a.place.size(), a.place) < std::pair(b.place.size(), b.place);
}

[[noreturn]] void refuse(std::vector<undefined_name> all) {
  std::ranges::sort(all, comes_before);
  const bool has_others = std::ranges::any_of(
      all, [](const undefined_name& each) { return !is_of_virtual_functions(each.readable); });
  std::string message;
  for (const auto& [place, readable] : all) {
    if (has_others && is_of_virtual_functions(readable)) continue;
    if (!message.empty()) message += '\n';
    message += place + ": error: \"" + readable +
               "\" is declared and used, but defined nowhere: " + remedy(readable);
  }
  throw compile_error(message);
}

[[noreturn]] void refuse_empty(const fs::path& source) {
  throw compile_error(source.string() +
                      ": error: there is no subject in it: add SIMT_SUBJECT(type); at namespace "
                      "scope, behind the type that the lanes are to run");
}

/// The name in ".extern .global .align 4 .u32 ext;" or ".extern .func  (.param .b32 x) _Z1fi".
std::string name_in_ptx(const std::string& line) {
  const std::size_t end = line.find_last_not_of(" ;(");
  const std::size_t before = line.find_last_of(" )\t", end);
  std::string name = line.substr(before + 1, end - before);
  return name.substr(0, name.find('['));
}

/// Names that the driver defines, or may define.
bool driver_defines(const std::string& name) {
  return name == "vprintf" || name == "malloc" || name == "free" || name.starts_with("__");
}

}  // namespace

void refuse_undefined_names(const words& link, const fs::path& object, const fs::path& source) {
  std::vector<std::string> names = names_left_open(object);
  std::erase_if(names, simulator_defines);
  if (names.empty()) return;
  const std::map<std::string, std::string> places = places_of_use(link);
  std::vector<undefined_name> all;
  for (const std::string& name : names) {
    const std::string readable = demangle(name.c_str());
    const auto found = places.find(name);
    all.push_back(
        {found != places.end() ? found->second : place_of_word(source, last_word(readable)),
         readable});
  }
  refuse(std::move(all));
}

void refuse_unusable_ptx(const std::string& ptx, const fs::path& source) {
  if (ptx.find(".entry ") == std::string::npos) refuse_empty(source);
  std::vector<undefined_name> all;
  std::istringstream lines(ptx);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(".extern ")) continue;
    const std::string name = name_in_ptx(line);
    if (driver_defines(name)) continue;
    const std::string readable = demangle(name.c_str());
    all.push_back({place_of_word(source, last_word(readable)), readable});
  }
  if (!all.empty()) refuse(std::move(all));
}

void refuse_without_subject(const fs::path& object, const fs::path& source) {
  if (std::ranges::count(names_left_open(object), "simt_register_subject") == 0) {
    refuse_empty(source);
  }
}

}  // namespace simt::detail
