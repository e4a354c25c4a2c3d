// Reads the functions that contain all device code, and the debug information behind their lines.
#include "sim/compile/llvm/device_code.hpp"

#include <algorithm>
#include <charconv>
#include <map>

#include "sim/compile/llvm/between.hpp"
#include "sim/compile/pipeline.hpp"

namespace simt::detail {
namespace {

// All device code is inlined into the functions of this class template.
constexpr std::string_view device_mark = "device_functions";

/// The numbered entries of the debug information, by number.
class debug_entries {
 public:
  void add(std::string_view line) {
    const auto end = line.find(" = ");
    if (line.starts_with("!") && end != std::string_view::npos) {
      entries_.emplace(line.substr(0, end), line.substr(end + 3));
    }
  }
  [[nodiscard]] std::string_view operator[](std::string_view number) const {
    const auto found = entries_.find(number);
    return found == entries_.end() ? std::string_view{} : std::string_view(found->second);
  }

 private:
  std::map<std::string, std::string, std::less<>> entries_;
};

std::string_view number_at(std::string_view entry, std::string_view field) {
  const std::string_view value = between(entry, field, ",");
  return value.substr(0, value.find(')'));
}

std::string path_of(std::string_view file_entry) {
  const std::string name(between(file_entry, "filename: \"", "\""));
  if (name.empty() || name.starts_with('/')) return name;
  return std::string(between(file_entry, "directory: \"", "\"")) + "/" + name;
}

source_place place_at(const debug_entries& debug, std::string_view number) {
  source_place place;
  while (!number.empty()) {
    const std::string_view entry = debug[number];
    const std::string_view line = number_at(entry, "line: ");
    std::from_chars(line.data(), line.data() + line.size(), place.line);
    const std::string_view scope = debug[number_at(entry, "scope: ")];
    place.file = path_of(debug[number_at(scope, "file: ")]);
    if (!is_foreign(place.file)) break;
    number = number_at(entry, "inlinedAt: ");
  }
  return place;
}

}  // namespace

std::vector<source_place> places_in_device_code(
    std::istream& module, const std::function<bool(std::string_view line)>& is_meant,
    std::size_t most) {
  std::vector<std::string> numbers;
  debug_entries debug;
  bool device = false;
  for (std::string line; std::getline(module, line);) {
    if (line.starts_with("define ")) device = line.find(device_mark) != std::string::npos;
    if (line.starts_with("}")) device = false;
    debug.add(line);
    if (!device || numbers.size() == most || !is_meant(line)) continue;
    numbers.emplace_back(number_at(line, "!dbg "));
  }
  std::vector<source_place> places;
  for (const std::string& number : numbers) {
    source_place place = place_at(debug, number);
    if (std::ranges::find(places, place) == places.end()) places.push_back(std::move(place));
  }
  return places;
}

}  // namespace simt::detail
