// Looks in the text of an LLVM module for accesses whose size the instrumentation leaves out.
#include "sim/compile/llvm/unseen_access.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include "sim/compile/llvm/between.hpp"
#include "sim/compile/llvm/llvm_types.hpp"

namespace simt::detail {
namespace {

/// The pointer that a load or store goes to.
std::string_view pointer_in(std::string_view line) {
  const auto at = line.rfind("ptr %");
  if (at == std::string_view::npos) return {};
  line.remove_prefix(at + 4);
  return line.substr(0, line.find_first_of(", )"));
}

/// The type that the line loads or stores. Empty: it does neither.
std::string_view accessed_type(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  const bool stores = line.starts_with("store ");
  const auto load = line.find(" = load ");
  if (!stores && load == std::string_view::npos) return {};
  line.remove_prefix(stores ? 6 : load + 8);
  for (const std::string_view word : {"atomic ", "volatile "}) {
    if (line.starts_with(word)) line.remove_prefix(word.size());
  }
  // A vector's type has spaces in it, and a struct's type has commas.
  const char last = line.starts_with("<") ? '>' : line.starts_with("{") ? '}' : ' ';
  const auto end = line.find_first_of(last == ' ' ? " ," : std::string_view(&last, 1));
  return line.substr(0, last == ' ' ? end : end + 1);
}

}  // namespace

std::optional<unseen_access> find_unseen_access(std::istream& module) {
  std::string unseen;
  std::set<std::string, std::less<>> local;  // pointers to variables of the lane
  const auto is_unseen = [&](std::string_view line) {
    if (line.starts_with("define ")) local.clear();
    const std::string_view name = between(line, "  %", " = ");
    if (line.find(" = alloca ") != std::string_view::npos ||
        (line.find(" = getelementptr ") != std::string_view::npos &&
         local.contains(pointer_in(line)))) {
      local.insert("%" + std::string(name));
      return false;
    }
    const std::string_view type = accessed_type(line);
    if (type.empty() || is_seen(type) || local.contains(pointer_in(line))) return false;
    unseen = type;
    return true;
  };
  const std::vector<source_place> places = places_in_device_code(module, is_unseen, 1);
  if (places.empty()) return std::nullopt;
  return unseen_access{std::move(unseen), places.front()};
}

}  // namespace simt::detail
