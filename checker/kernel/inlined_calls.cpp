// Finds the lines of sentences among the places of a kernel's instructions, with the chains of
// calls that the compiler has inlined there.
#include "checker/kernel/inlined_calls.hpp"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <map>
#include <regex>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/kernel/kernel_subject.hpp"
#include "sim/ptx/emit/names.hpp"
#include "sim/ptx/emit/source_line.hpp"

namespace warpcheck {
namespace {

/// What is known of a line of the user's.
struct line_of_user {
  std::string function;             // in which it lies, if that was inlined
  std::set<std::string> callers;    // "spin.cu:17", or "spin.cu:9, from spin.cu:17"
  std::set<std::string> libraries;  // innermost places in headers of libraries
};

/// The most calls of a chain. In other texts than a compiler's there may be circles.
constexpr std::size_t most_calls = 24;

/// Whether the header only has names of instructions, such as atomicCAS.
bool is_intrinsic(const std::string& place) {
  return place.find("_functions.h") != std::string::npos ||
         place.find("_intrinsics.h") != std::string::npos;
}

class lines_of_kernel {
 public:
  explicit lines_of_kernel(const kernel_launch& launch) : file_(read_kernels(launch)) {
    for (const auto& i : find_kernel(file_, launch).instructions) add(i);
    for (const simt::ptx::function& f : file_.module.functions) {
      for (const auto& i : f.instructions) add(i);
    }
  }

  [[nodiscard]] const line_of_user* find(const std::string& line) const {
    const auto found = lines_.find(line);
    return found == lines_.end() ? nullptr : &found->second;
  }

 private:
  kernel_file file_;
  std::map<std::string, line_of_user> lines_;

  [[nodiscard]] std::string text_of(const simt::ptx::source_place& at) const {
    const auto& files = file_.module.files;
    const auto found = std::ranges::find(files, at.file, &simt::ptx::source_file::number);
    const std::string name = found == files.end() ? std::string("?") : found->name;
    return fmt::format("{}:{}", std::filesystem::path(name).filename().string(), at.line);
  }

  void add(const simt::ptx::instruction& i) {
    const auto& places = file_.module.places;
    if (!i.place || *i.place >= places.size()) return;
    const simt::ptx::user_place user = simt::ptx::place_of(file_.module, i);
    const std::string name =
        fmt::format("{}:{}", std::filesystem::path(user.file).filename().string(), user.line);
    const simt::ptx::source_place* at = &places[*i.place];
    std::size_t calls = 0;
    const auto go_out = [&] {
      if (!at->inlined_at || *at->inlined_at >= places.size() || ++calls == most_calls)
        return false;
      at = &places[*at->inlined_at];
      return true;
    };
    line_of_user& line = lines_[name];
    if (text_of(*at) != name && !is_intrinsic(text_of(*at))) line.libraries.insert(text_of(*at));
    while (text_of(*at) != name) {
      if (!go_out()) return;
    }
    if (!at->inlined_at) return;
    if (!at->function.empty()) line.function = simt::ptx::short_name(at->function);
    std::vector<std::string> callers;
    while (go_out()) callers.push_back(text_of(*at));
    line.callers.insert(fmt::format("{}", fmt::join(callers, ", from ")));
  }
};

std::string sentence_of(const std::string& name, const line_of_user& line) {
  constexpr std::size_t most_ways = 3;
  if (!line.callers.empty()) {
    const std::string inside =
        line.function.empty() ? std::string() : fmt::format(" ({})", line.function);
    if (line.callers.size() > most_ways) {
      return fmt::format("{}{} is called at {} places", name, inside, line.callers.size());
    }
    return fmt::format("{}{} is called at {}", name, inside, fmt::join(line.callers, " and at "));
  }
  if (line.libraries.empty() || line.libraries.size() > most_ways) return {};
  return fmt::format("{} leads to {}", name, fmt::join(line.libraries, " and "));
}

}  // namespace

std::string inlined_calls(const std::vector<std::string>& sentences, const kernel_launch& launch) {
  static const std::regex line_pattern(R"([\w.+-]+\.\w+:\d+)");
  constexpr std::size_t most = 4;
  std::vector<std::string> names;
  for (const std::string& sentence : sentences) {
    for (std::sregex_iterator at(sentence.begin(), sentence.end(), line_pattern), end; at != end;
         ++at) {
      if (std::ranges::find(names, at->str()) == names.end()) names.push_back(at->str());
    }
  }
  if (names.empty()) return {};
  std::vector<std::string> told;
  try {
    const lines_of_kernel lines(launch);
    for (const std::string& name : names) {
      const line_of_user* line = lines.find(name);
      if (line == nullptr || told.size() == most) continue;
      if (std::string one = sentence_of(name, *line); !one.empty()) told.push_back(std::move(one));
    }
  } catch (const std::exception&) {
    return {};  // the sentence is only an aside
  }
  return told.empty() ? std::string() : fmt::format("{}.", fmt::join(told, "; "));
}

}  // namespace warpcheck
