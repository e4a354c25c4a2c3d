// Writes approximations and clocks for a subject that is run once, as the host's functions compute
// them.
#include <fmt/format.h>

#include "sim/ptx/emit/emitter.hpp"

namespace simt::ptx {

std::string emitter::approximate_statement(const instruction& i) {
  const std::string& op = i.opcode;
  const type t = i.type_from_end();
  if (op == "mov") {
    const std::string& name = i.operands.back().name;
    const bool is_time = name.starts_with("%clock") || name.starts_with("%globaltimer");
    return set(i, is_time ? fmt::format("static_cast<{}>(__builtin_ia32_rdtsc())", cpp_bits(t))
                          : std::string("0"));
  }
  if (t == type::f32 || (t == type::f64 && (op == "rcp" || op == "rsqrt"))) {
    const bool is_division = op == "div";
    for (const char* known : {"sin", "cos", "ex2", "lg2", "tanh", "rsqrt", "rcp", "sqrt", "div"}) {
      if (op != known) continue;
      const std::string second = is_division ? ", " + in(i, 2, t) : "";
      return set(
          i, fmt::format("ptx::approximate_{}<{}>({}{})", op, cpp_type(t), in(i, 1, t), second));
    }
  }
  throw not_translated{"its value is not known, so the program cannot go on behind it"};
}

}  // namespace simt::ptx
