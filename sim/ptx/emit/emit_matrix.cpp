// Writes the movement of matrices between memory and registers (ldmatrix, stmatrix, movmatrix,
// wmma.load, wmma.store), as calls of simt/ptx/matrix.hpp.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "sim/ptx/emit/emitter.hpp"

namespace simt::ptx {
namespace {

/// A matrix of wmma: its lines lie one behind the other, `stride` elements apart.
struct wmma_matrix {
  std::uint32_t lines = 0, line = 0;  // elements of a line
  std::uint32_t bits = 0;             // of an element
  std::uint32_t fragment = 0;         // bytes of each lane's registers
  [[nodiscard]] std::uint32_t line_bytes() const { return line * bits / 8; }
};

struct wmma_shape {
  const char* name;
  std::uint32_t m, n, k;
  std::array<const char*, 4> factors;  // types of a and b
  std::array<const char*, 3> sums;     // of c and d
};
constexpr std::array<wmma_shape, 7> wmma_shapes{{
    {"m16n16k16", 16, 16, 16, {"f16", "bf16", "s8", "u8"}, {"f16", "f32", "s32"}},
    {"m8n32k16", 8, 32, 16, {"f16", "bf16", "s8", "u8"}, {"f16", "f32", "s32"}},
    {"m32n8k16", 32, 8, 16, {"f16", "bf16", "s8", "u8"}, {"f16", "f32", "s32"}},
    {"m16n16k8", 16, 16, 8, {"tf32"}, {"f32"}},
    {"m8n8k4", 8, 8, 4, {"f64"}, {"f64"}},
    {"m8n8k32", 8, 8, 32, {"s4", "u4"}, {"s32"}},
    {"m8n8k128", 8, 8, 128, {"b1"}, {"s32"}},
}};

std::uint32_t bits_of_element(std::string_view name) {
  if (name == "b1") return 1;
  if (name == "s4" || name == "u4") return 4;
  if (name == "s8" || name == "u8") return 8;
  if (name == "f16" || name == "bf16") return 16;
  return name == "f64" ? 64 : 32;
}

wmma_matrix matrix_of(const instruction& i) {
  const auto shape =
      std::ranges::find_if(wmma_shapes, [&](const wmma_shape& s) { return i.has(s.name); });
  const bool is_a = i.has("a"), is_b = i.has("b");
  std::string_view type;
  if (shape != wmma_shapes.end()) {
    const auto look = [&](const auto& names) {
      for (const char* name : names) {
        if (name != nullptr && i.has(name)) type = name;
      }
    };
    if (is_a || is_b) {
      look(shape->factors);
    } else {
      look(shape->sums);
    }
  }
  if (type.empty() || i.has("row") == i.has("col"))
    throw not_translated{"a matrix of that shape and type"};
  const std::uint32_t rows = is_b ? shape->k : shape->m;
  const std::uint32_t columns = is_a ? shape->k : shape->n;
  wmma_matrix made;
  made.lines = i.has("row") ? rows : columns;
  made.line = i.has("row") ? columns : rows;
  made.bits = bits_of_element(type);
  // Of f16, two lanes have each element of a and b.
  made.fragment = (is_a || is_b) && type == "f16" ? 32 : rows * columns * made.bits / 8 / 32;
  return made;
}

std::uint32_t matrices_in(const instruction& i) {
  const std::uint32_t count = i.has("x1") ? 1 : i.has("x2") ? 2 : i.has("x4") ? 4 : 0;
  if (count == 0 || !i.has("m8n8")) throw not_translated{"matrices of that shape"};
  return count;
}

}  // namespace

bool emitter::moves_matrix(const instruction& i) {
  const std::string& op = i.opcode;
  return op == "ldmatrix" || op == "stmatrix" || op == "movmatrix" ||
         (op == "wmma" && !i.has("mma"));
}

std::string emitter::wmma_accesses(const instruction& i) {
  const bool loads = i.has("load");
  only(i, {"load",     "store",       "a",      "b",       "c",         "d",
           "sync",     "aligned",     "row",    "col",     "m16n16k16", "m8n32k16",
           "m32n8k16", "m16n16k8",    "m8n8k4", "m8n8k32", "m8n8k128",  "global",
           "shared",   "shared::cta", "tf32",   "s4",      "u4",        "b1"});
  want(i, 2, 3);
  const wmma_matrix m = matrix_of(i);
  const space where = space_of(i);
  const std::string at = address(i.operands[loads ? 1 : 0], where);
  const std::string stride =
      i.operands.size() == 3
          ? fmt::format("static_cast<ptx::u64>({}) * {} / 8", in(i.operands[2], type::u32), m.bits)
          : fmt::format("{}", m.line_bytes());
  const std::uint32_t cell = m.bits == 64 ? 8 : 4;
  const std::uint32_t each = m.lines * m.line_bytes() / cell / 32;
  const std::string bits = cpp_bits(cell);
  const auto pass = [&](const std::string& which) {
    const std::string access = loads ? fmt::format("ptx::touch<{}>(at);", bits)
                                     : fmt::format("ptx::store<{}>(at, 0);", bits);
    return fmt::format(
        " for (ptx::u32 n = 0; n < {}; ++n) {{ const ptx::u64 at = ptx::cell_at<{}, {}>(matrix, "
        "stride, {}); {}{} }}",
        each, bits, m.line_bytes(), which, compared_with_copies(where, "at", cell, !loads), access);
  };
  // A lane writes those cells of d whose values it has read from c, so that c and d may be one.
  const bool are_factors = i.has("a") || i.has("b");
  const std::string written = fmt::format("ptx::cell_written(n, {})", each);
  return fmt::format(
      "{{ const ptx::u64 matrix = ptx::to_{}({}, {}u), stride = {}; ptx::aligned_lines(stride, "
      "{});{} ptx::same_matrix(matrix, stride);{} }}",
      loads ? "load" : "store", at, m.fragment, stride, std::min<std::uint32_t>(m.fragment, 16),
      pass(are_factors ? "ptx::cell_before(n)" : written),
      pass(are_factors ? "ptx::cell_behind(n)" : written));
}

std::optional<std::string> emitter::matrix(const instruction& i) {
  if (!moves_matrix(i)) return std::nullopt;
  if (i.opcode == "wmma") {
    (void)wmma_accesses(i);
    throw not_translated{"a matrix whose elements may be in any register of the warp", true};
  }
  if (i.opcode == "movmatrix") {
    only(i, {"sync", "aligned", "m8n8", "trans"});
    want(i, 2, 2);
    typed(i, {type::b16});
    return fmt::format(
        "ptx::whole_warp(); {}",
        set(i.operands[0], type::b32, fmt::format("ptx::moved({})", in(i, 1, type::u32))));
  }
  const bool loads = i.opcode == "ldmatrix";
  const std::uint32_t count = matrices_in(i);
  only(i, {"sync", "aligned", "m8n8", "x1", "x2", "x4", "trans", "shared", "shared::cta"});
  want(i, 2, 2);
  typed(i, {type::b16});
  const operand& registers = i.operands[loads ? 0 : 1];
  const std::vector<operand> parts =
      registers.what == operand::kind::vector ? registers.parts : std::vector<operand>{registers};
  if (parts.size() != count) throw not_translated{"an operand of that form"};
  const bool transposes = i.has("trans");
  const space where = space_of(i);
  // The lanes whose addresses count look at their own rows first.
  std::string text = fmt::format("{{ const ptx::u64 given = {}; if (ptx::gives_row<{}>()) {{ ",
                                 address(i.operands[loads ? 1 : 0], where), count);
  if (where == space::generic) {
    text += fmt::format(
        "simt::check(is_shared(shared, given), \"{} is given an address that is not in shared "
        "memory\"); ",
        i.opcode);
  }
  text += fmt::format("(void)ptx::to_{}(given, 16u); ", loads ? "load" : "store");
  const auto compared = [&](const std::string& at, std::uint32_t size) {
    return compared_with_copies(space::shared, at, size, !loads);
  };
  if (loads) text += compared("given", 16) + "ptx::touch_row(given); ";
  text += fmt::format("}} ptx::whole_warp(); const ptx::u64 row = ptx::own_row<{}>(shared, given);",
                      count);
  std::string accesses;
  for (std::uint32_t k = 0; k < count; ++k) {
    const auto place = [&](const char* name, const char* word, const std::string& lane) {
      text += fmt::format(" const ptx::u64 {0}{1} = ptx::{2}(shared, ptx::row_from(row, {3}));",
                          name, k, word, lane);
      accesses += " " + compared(fmt::format("{}{}", name, k), 4);
    };
    if (!loads) {
      const std::string value = in(parts[k], type::u32);
      text += fmt::format(" const ptx::u32 value{} = {};", k,
                          transposes ? fmt::format("ptx::transposed({})", value) : value);
      place("at", transposes ? "word_of_column" : "word_at",
            fmt::format("ptx::lane_of_{}({})", transposes ? "transposed" : "row", k));
      accesses += fmt::format("ptx::store<ptx::u32>(at{0}, value{0});", k);
    } else if (transposes) {
      place("upper", "word_of_column", fmt::format("ptx::lane_of_upper({})", k));
      place("lower", "word_of_column", fmt::format("ptx::lane_of_upper({}) + 1", k));
      accesses += fmt::format(
          "const ptx::u32 above{0} = ptx::load<ptx::u32>(upper{0}); const ptx::u32 below{0} = "
          "ptx::load<ptx::u32>(lower{0}); ",
          k);
      accesses += set(parts[k], type::b32, fmt::format("ptx::column_of(above{0}, below{0})", k));
    } else {
      place("at", "word_at", fmt::format("ptx::lane_of_row({})", k));
      accesses += set(parts[k], type::b32, fmt::format("ptx::load<ptx::u32>(at{})", k));
    }
  }
  return text + accesses + " }";
}

}  // namespace simt::ptx
