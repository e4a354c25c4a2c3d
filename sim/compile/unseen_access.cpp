#include "sim/compile/unseen_access.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <string_view>

#include "sim/compile/between.hpp"
#include "sim/compile/llvm_types.hpp"

namespace simt::detail {
namespace {

// All device code is inlined into the functions of this class template.
constexpr std::string_view device_mark = "device_functions";

/// The pointer that a load or store goes to.
std::string_view pointer_in(std::string_view line) {
  const auto at = line.rfind("ptr %");
  if (at == std::string_view::npos) return {};
  line.remove_prefix(at + 4);
  return line.substr(0, line.find_first_of(", )"));
}

/// The type of what is loaded or stored, if the line does that.
std::string_view accessed_type(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  const bool stores = line.starts_with("store ");
  const auto load = line.find(" = load ");
  if (!stores && load == std::string_view::npos) return {};
  line.remove_prefix(stores ? 6 : load + 8);
  for (const std::string_view word : {"atomic ", "volatile "}) {
    if (line.starts_with(word)) line.remove_prefix(word.size());
  }
  // A vector's type has spaces in it, and a struct's commas.
  const char last = line.starts_with("<") ? '>' : line.starts_with("{") ? '}' : ' ';
  const auto end = line.find_first_of(last == ' ' ? " ," : std::string_view(&last, 1));
  return line.substr(0, last == ' ' ? end : end + 1);
}

/// What the numbered entries of the debug information say.
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

}  // namespace

std::optional<unseen_access> find_unseen_access(std::istream& module) {
  std::optional<unseen_access> found;
  std::string location;
  debug_entries debug;
  std::set<std::string, std::less<>> local;  // pointers to variables of the lane
  bool device = false;
  for (std::string line; std::getline(module, line);) {
    if (line.starts_with("define ")) {
      device = line.find(device_mark) != std::string::npos;
      local.clear();
    }
    debug.add(line);
    if (!device || found) continue;
    const std::string_view name = between(line, "  %", " = ");
    if (line.find(" = alloca ") != std::string::npos ||
        (line.find(" = getelementptr ") != std::string::npos && local.contains(pointer_in(line)))) {
      local.insert("%" + std::string(name));
      continue;
    }
    const std::string_view type = accessed_type(line);
    if (type.empty() || is_seen(type) || local.contains(pointer_in(line))) continue;
    found = unseen_access{std::string(type), {}, 0};
    location = std::string(number_at(line, "!dbg "));
  }
  if (!found) return found;
  const std::string_view place = debug[location];
  const std::string_view line = number_at(place, "line: ");
  std::from_chars(line.data(), line.data() + line.size(), found->line);
  const std::string_view scope = debug[number_at(place, "scope: ")];
  found->file = between(debug[number_at(scope, "file: ")], "filename: \"", "\"");
  return found;
}

}  // namespace simt::detail
