// Looks for calls of assembly that has instructions.
#include "sim/compile/llvm/inline_assembly.hpp"

#include "sim/compile/llvm/between.hpp"

namespace simt::detail {

std::vector<source_place> find_inline_assembly(std::istream& module) {
  constexpr std::size_t most = 20;
  const auto has_instructions = [](std::string_view line) {
    const std::size_t at = line.find(" asm ");
    if (at == std::string_view::npos || !line.starts_with("  ")) return false;
    const std::string_view text = between(line.substr(at), "\"", "\"");
    return !text.empty() && text != "# kept";
  };
  return places_in_device_code(module, has_instructions, most);
}

}  // namespace simt::detail
