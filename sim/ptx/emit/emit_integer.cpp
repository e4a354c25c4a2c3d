// Writes integer arithmetic, logic, shifts, comparisons and selections.
#include <fmt/format.h>

#include "sim/ptx/emit/emitter.hpp"

namespace simt::ptx {
namespace {

using enum type;

constexpr std::initializer_list<type> integers = {u16, u32, u64, s16, s32, s64};
constexpr std::initializer_list<type> words = {b16, b32, b64};

bool is_integer(type t) {
  return t == u8 || t == s8 || t == u16 || t == s16 || t == u32 || t == s32 || t == u64 || t == s64;
}

type twice(type t) {
  switch (t) {
    case u16: return u32;
    case s16: return s32;
    case u32: return u64;
    case s32: return s64;
    default: throw not_translated{std::string("a product of .") + name_of(t)};
  }
}

std::string call_of(const char* name, type t, std::initializer_list<std::string> arguments) {
  std::string text = fmt::format("ptx::{}<{}>(", name, cpp_type(t));
  const char* separator = "";
  for (const std::string& a : arguments) {
    text += separator + a;
    separator = ", ";
  }
  return text + ")";
}

/// a + b, a - b or a * b. C++ widens types of less than 4 bytes, so these are narrowed again.
std::string computed(char sign, type t, const std::string& a, const std::string& b) {
  const std::string text = fmt::format("{} {} {}", a, sign, b);
  return size_of(t) >= 4 ? text : fmt::format("static_cast<{}>({})", cpp_bits(t), text);
}

}  // namespace

std::optional<std::string> emitter::integer(const instruction& i) {
  const std::string& op = i.opcode;
  const type t = i.type_from_end();
  const bool is_sum = op == "add" || op == "sub" || op == "mul" || op == "mad" || op == "addc" ||
                      op == "subc" || op == "madc";
  const bool is_other = op == "div" || op == "rem" || op == "abs" || op == "neg" || op == "min" ||
                        op == "max" || op == "sad" || op == "mul24" || op == "mad24";
  if (!(is_sum || is_other) || is_float(t)) return std::nullopt;
  const bool has_carry = i.has("cc") || op == "addc" || op == "subc" || op == "madc";
  only(i, {"cc", "lo", "hi", "wide", "sat"});
  typed(i, integers);
  if (op == "abs" || op == "neg") {
    want(i, 2, 2);
    return set(i, call_of(op.c_str(), t, {in(i, 1, t)}));
  }
  if (op == "div" || op == "rem" || op == "min" || op == "max") {
    want(i, 3, 3);
    return set(i, call_of(op.c_str(), t, {in(i, 1, t), in(i, 2, t)}));
  }
  if (op == "sad") {
    want(i, 4, 4);
    return set(i, fmt::format("static_cast<{}>({})", cpp_bits(t),
                              call_of("sad", t, {in(i, 1, t), in(i, 2, t), in(i, 3, t)})));
  }
  if (op == "mul24" || op == "mad24") {
    want(i, op == "mul24" ? 3 : 4, op == "mul24" ? 3 : 4);
    if (i.has("sat")) throw not_translated{"the modifier .sat"};
    std::string product =
        call_of(i.has("hi") ? "mul24_hi" : "mul24_lo", t, {in(i, 1, t), in(i, 2, t)});
    if (op == "mad24") product = computed('+', t, product, in(i, 3, t));
    return set(i, product);
  }
  if (op == "add" || op == "sub" || op == "addc" || op == "subc") {
    want(i, 3, 3);
    const bool adds = op[0] == 'a';
    if (i.has("sat")) {
      if (t != s32) throw not_translated{"the modifier .sat"};
      return set(i, fmt::format("ptx::{}_sat({}, {})", op, in(i, 1, t), in(i, 2, t)));
    }
    if (!has_carry) return set(i, computed(adds ? '+' : '-', t, in(i, 1, t), in(i, 2, t)));
    if (!guard_.empty()) throw not_translated{"a guard and a carry"};
    uses_carry_ = true;
    const std::string with = op == "addc" || op == "subc" ? "carry" : "false";
    const std::string to = i.has("cc") ? "carry" : "unused_carry";
    return set(i, call_of(adds ? "add_cc" : "sub_cc", t, {in(i, 1, t), in(i, 2, t), with, to}));
  }
  // mul, mad, madc
  want(i, op == "mul" ? 3 : 4, op == "mul" ? 3 : 4);
  if (i.has("sat")) throw not_translated{"the modifier .sat"};
  const bool wide = i.has("wide");
  const char* how = wide ? "mul_wide" : i.has("hi") ? "mul_hi" : "mul_lo";
  const bool is_low = !wide && !i.has("hi") && size_of(t) >= 4;
  const std::string product = is_low ? computed('*', t, in(i, 1, t), in(i, 2, t))
                                     : call_of(how, t, {in(i, 1, t), in(i, 2, t)});
  const type result = wide ? twice(t) : t;
  if (op == "mul") return set(i.operands[0], result, product);
  if (!has_carry) {
    return set(i.operands[0], result, computed('+', result, product, in(i, 3, result)));
  }
  if (!guard_.empty()) throw not_translated{"a guard and a carry"};
  uses_carry_ = true;
  const std::string to = i.has("cc") ? "carry" : "unused_carry";
  return set(
      i.operands[0], result,
      call_of("add_cc", result, {product, in(i, 3, result), op == "madc" ? "carry" : "false", to}));
}

std::optional<std::string> emitter::bits(const instruction& i) {
  const std::string& op = i.opcode;
  const type t = i.type_from_end();
  if (op == "and" || op == "or" || op == "xor" || op == "not" || op == "cnot") {
    only(i, {});
    const bool is_unary = op == "not" || op == "cnot";
    want(i, is_unary ? 2 : 3, is_unary ? 2 : 3);
    if (t == pred) {
      const std::string a = predicate(i.operands[1]);
      if (op == "not") return set_predicate(i.operands[0], "!" + a);
      const std::string b = predicate(i.operands[2]);
      const char* sign = op == "and" ? "&" : op == "or" ? "|" : "^";
      return set_predicate(i.operands[0], fmt::format("{} {} {}", a, sign, b));
    }
    typed(i, words);
    if (op == "cnot") return set(i, call_of("cnot", t, {in(i, 1, t)}));
    if (op == "not") {
      return set(i, fmt::format("static_cast<{}>(~{})", cpp_bits(t), in(i, 1, t)));
    }
    const char* sign = op == "and" ? "&" : op == "or" ? "|" : "^";
    return set(
        i, fmt::format("static_cast<{}>({} {} {})", cpp_bits(t), in(i, 1, t), sign, in(i, 2, t)));
  }
  if (op == "shl" || op == "shr") {
    only(i, {});
    want(i, 3, 3);
    typed(i, {b16, b32, b64, u16, u32, u64, s16, s32, s64});
    return set(i, call_of(op.c_str(), t, {in(i, 1, t), in(i, 2, u32)}));
  }
  if (op == "shf") {
    only(i, {"l", "r", "wrap", "clamp"});
    want(i, 4, 4);
    typed(i, {b32});
    return set(i, fmt::format("ptx::shf_{}_{}({}, {}, {})", i.has("l") ? "l" : "r",
                              i.has("wrap") ? "wrap" : "clamp", in(i, 1, u32), in(i, 2, u32),
                              in(i, 3, u32)));
  }
  if (op == "bfe") {
    only(i, {});
    want(i, 4, 4);
    typed(i, {u32, u64, s32, s64});
    return set(i, call_of("bfe", t, {in(i, 1, t), in(i, 2, u32), in(i, 3, u32)}));
  }
  if (op == "bfi") {
    only(i, {});
    want(i, 5, 5);
    typed(i, {b32, b64});
    return set(i, call_of("bfi", t, {in(i, 1, t), in(i, 2, t), in(i, 3, u32), in(i, 4, u32)}));
  }
  if (op == "bfind") {
    only(i, {"shiftamt"});
    want(i, 2, 2);
    typed(i, {u32, u64, s32, s64});
    return set(i.operands[0], u32,
               call_of(i.has("shiftamt") ? "bfind_shift" : "bfind", t, {in(i, 1, t)}));
  }
  if (op == "popc" || op == "clz") {
    only(i, {});
    want(i, 2, 2);
    typed(i, {b32, b64});
    return set(i.operands[0], u32,
               fmt::format("static_cast<ptx::u32>(simt::{}({}))", op, in(i, 1, t)));
  }
  if (op == "brev") {
    only(i, {});
    want(i, 2, 2);
    typed(i, {b32, b64});
    return set(i, fmt::format("simt::brev({})", in(i, 1, t)));
  }
  if (op == "prmt") {
    only(i, {"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"});
    want(i, 4, 4);
    std::string mode;
    for (const char* known : {"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"}) {
      if (i.has(known)) mode = std::string("_") + known;
    }
    return set(
        i.operands[0], b32,
        fmt::format("ptx::prmt{}({}, {}, {})", mode, in(i, 1, u32), in(i, 2, u32), in(i, 3, u32)));
  }
  if (op == "lop3") {
    only(i, {});
    want(i, 5, 5);
    if (i.operands[4].what != operand::kind::immediate)
      throw not_translated{"a table in a register"};
    return set(i.operands[0], b32,
               fmt::format("ptx::lop3<{:#x}>({}, {}, {})", i.operands[4].bits & 0xff, in(i, 1, u32),
                           in(i, 2, u32), in(i, 3, u32)));
  }
  if (op == "bmsk" || op == "szext") {
    only(i, {"wrap", "clamp"});
    want(i, 3, 3);
    const char* wraps = i.has("wrap") ? "true" : "false";
    if (op == "bmsk") {
      return set(i.operands[0], b32,
                 fmt::format("ptx::bmsk<{}>({}, {})", wraps, in(i, 1, u32), in(i, 2, u32)));
    }
    typed(i, {u32, s32});
    return set(i, fmt::format("ptx::szext<{}, {}>({}, {})", cpp_type(t), wraps, in(i, 1, u32),
                              in(i, 2, u32)));
  }
  if (op == "dp4a" || op == "dp2a") {
    only(i, {"lo", "hi"});
    want(i, 4, 4);
    const bool a_signed = has_sign(i.type_from_end(1)), b_signed = has_sign(i.type_from_end(0));
    const std::string arguments =
        fmt::format("({}, {}, {})", in(i, 1, u32), in(i, 2, u32), in(i, 3, u32));
    if (op == "dp4a") {
      return set(i.operands[0], u32,
                 fmt::format("ptx::dp4a<ptx::{}8, ptx::{}8>{}", a_signed ? 's' : 'u',
                             b_signed ? 's' : 'u', arguments));
    }
    return set(i.operands[0], u32,
               fmt::format("ptx::dp2a<ptx::{}16, ptx::{}8, {}>{}", a_signed ? 's' : 'u',
                           b_signed ? 's' : 'u', i.has("hi") ? 2 : 0, arguments));
  }
  return std::nullopt;
}

namespace {

/// The condition of a comparison of two values. Empty: the type has no such comparison.
std::string condition(const std::string& how, type t, const std::string& a, const std::string& b) {
  std::string sign;
  if (how == "eq") sign = "==";
  if (how == "ne") sign = "!=";
  if (how == "lt" || how == "lo") sign = "<";
  if (how == "le" || how == "ls") sign = "<=";
  if (how == "gt" || how == "hi") sign = ">";
  if (how == "ge" || how == "hs") sign = ">=";
  if (sign.empty()) return {};
  const bool is_unsigned_only = how == "lo" || how == "ls" || how == "hi" || how == "hs";
  if (is_unsigned_only && has_sign(t)) return {};
  if (!is_integer(t) && t != b16 && t != b32 && t != b64) return {};
  if (sign == "==" || sign == "!=") return fmt::format("{} {} {}", a, sign, b);
  return has_sign(t) ? fmt::format("static_cast<{0}>({1}) {2} static_cast<{0}>({3})", cpp_type(t),
                                   a, sign, b)
                     : fmt::format("{} {} {}", a, sign, b);
}

}  // namespace

std::optional<std::string> emitter::comparison(const instruction& i) {
  const std::string& op = i.opcode;
  if (op == "selp") {
    only(i, {});
    want(i, 4, 4);
    const type t = typed(i, {b16, b32, b64, u16, u32, u64, s16, s32, s64, f32, f64});
    return set(i, fmt::format("ptx::select<{}>({}, {}, {})", cpp_bits(t), predicate(i.operands[3]),
                              in(i, 1, t), in(i, 2, t)));
  }
  if (op == "slct") {
    only(i, {"ftz"});
    want(i, 4, 4);
    const type by = i.type_from_end(0), t = i.type_from_end(1);
    const std::string c = in(i, 3, by);
    const std::string is_at_least_0 =
        by == f32
            ? fmt::format("ptx::input<{}>({}) >= 0.0f", i.has("ftz") ? "ptx::ftz" : "ptx::plain", c)
            : fmt::format("ptx::value<ptx::s32>({}) >= 0", c);
    if (by != f32 && by != s32) throw not_translated{"its types"};
    return set(i.operands[0], t,
               fmt::format("ptx::select<{}>({}, {}, {})", cpp_bits(t), is_at_least_0, in(i, 1, t),
                           in(i, 2, t)));
  }
  if (op != "setp" && op != "set") return std::nullopt;
  if (i.modifiers.empty()) throw not_translated{"no comparison"};
  const bool to_predicate = op == "setp";
  const type t = i.type_from_end(0);
  const bool is_two = t == f16x2 || t == bf16x2;
  if (is_two || t == f16 || t == bf16) throw not_translated{"numbers of 16 bits"};
  only(i, {"eq",  "ne",  "lt",  "le",  "gt",  "ge",  "lo",  "ls",  "hi", "hs",  "equ",
           "neu", "ltu", "leu", "gtu", "geu", "num", "nan", "and", "or", "xor", "ftz"});
  const std::string how = i.modifiers[0];
  std::string result;
  if (is_float(t)) {
    const std::string flags = i.has("ftz") ? "ptx::ftz" : "ptx::plain";
    const auto number = [&](std::size_t k) {
      return t == f32 ? fmt::format("ptx::input<{}>({})", flags, in(i, k, t))
                      : fmt::format("ptx::value<ptx::f64>({})", in(i, k, t));
    };
    const std::string a = number(1), b = number(2);
    const std::string arguments = fmt::format("({}, {})", a, b);
    for (const char* known : {"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu",
                              "geu", "num", "nan"}) {
      if (how == known) result = fmt::format("ptx::is_{}{}", how, arguments);
    }
  } else {
    result = condition(how, t, in(i, 1, t), in(i, 2, t));
  }
  if (result.empty()) throw not_translated{"the comparison ." + how};
  if (chooses_) result = "chosen";
  std::string sign;
  if (i.has("and")) sign = "&";
  if (i.has("or")) sign = "|";
  if (i.has("xor")) sign = "^";
  want(i, sign.empty() ? 3 : 4, sign.empty() ? 3 : 4);
  std::string with, inverse;
  if (!sign.empty()) {
    with = fmt::format("({}) {} {}", result, sign, predicate(i.operands[3]));
    inverse = fmt::format("!({}) {} {}", result, sign, predicate(i.operands[3]));
  } else {
    with = result;
    inverse = fmt::format("!({})", result);
  }
  if (!to_predicate) {
    const type to = i.type_from_end(1);
    if (size_of(to) != 4) throw not_translated{"a result of that type"};
    if (to == f32) {
      return set(i.operands[0], f32, fmt::format("0x3f800000u & ptx::all_if<ptx::u32>({})", with));
    }
    return set(i.operands[0], u32, fmt::format("ptx::all_if<ptx::u32>({})", with));
  }
  const operand& to = i.operands[0];
  if (to.what != operand::kind::pair) return set_predicate(to, with);
  const std::string second = set_predicate(to.parts[1], "second");
  return fmt::format("{{ const bool first = {}, second = {}; {} {} }}", with, inverse,
                     set_predicate(to.parts[0], "first"), second);
}

}  // namespace simt::ptx
