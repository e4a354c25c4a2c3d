// Writes floating-point arithmetic and conversions, as far as IEEE 754 says them exactly. Other
// values are opaque.
#include <fmt/format.h>

#include "sim/ptx/emit/emitter.hpp"

namespace simt::ptx {
namespace {

using enum type;

std::string flags_of(const instruction& i) {
  const bool flushes = i.has("ftz"), saturates = i.has("sat");
  if (flushes && saturates) return "ptx::ftz | ptx::sat";
  return flushes ? "ptx::ftz" : saturates ? "ptx::sat" : "ptx::plain";
}

std::string rounding_of(const instruction& i) {
  if (i.has("rz") || i.has("rzi")) return "ptx::rounding::zero";
  if (i.has("rm") || i.has("rmi")) return "ptx::rounding::down";
  if (i.has("rp") || i.has("rpi")) return "ptx::rounding::up";
  return "ptx::rounding::nearest";
}

bool is_directed(const instruction& i) { return i.has("rz") || i.has("rm") || i.has("rp"); }

bool is_half(type t) { return t == f16 || t == bf16; }

/// The exact value of a number of 16 bits, as a double.
std::string half_value(type t, const std::string& bits) {
  return fmt::format("ptx::of_{}({})", name_of(t), bits);
}

/// Two numbers of 16 bits in one register.
std::string pair_of(const std::string& low, const std::string& high) {
  return fmt::format("static_cast<ptx::u32>({}) | static_cast<ptx::u32>({}) << 16", low, high);
}

bool is_int(type t) {
  return t == u8 || t == s8 || t == u16 || t == s16 || t == u32 || t == s32 || t == u64 || t == s64;
}

}  // namespace

std::optional<std::string> emitter::floating(const instruction& i) {
  const std::string& op = i.opcode;
  const type t = i.type_from_end();
  for (const char* approximate : {"sin", "cos", "ex2", "lg2", "tanh", "rsqrt"}) {
    if (op == approximate) throw not_translated{"an approximation", true};
  }
  if (op == "mma" || op == "wmma") {
    if (op == "wmma" && !i.has("mma")) return std::nullopt;
    throw not_translated{"a product of matrices", true};
  }
  const bool known = op == "add" || op == "sub" || op == "mul" || op == "fma" || op == "mad" ||
                     op == "div" || op == "sqrt" || op == "rcp" || op == "abs" || op == "neg" ||
                     op == "min" || op == "max" || op == "copysign" || op == "testp";
  if (!known || !is_float(t)) return std::nullopt;
  if (i.has("approx") || i.has("full")) throw not_translated{"an approximation", true};
  if (op == "copysign") {
    want(i, 3, 3);
    typed(i, {f32, f64});
    const char* one = t == f32 ? "0x80000000u" : "0x8000000000000000ull";
    return set(i, fmt::format("({1} & {0}) | ({2} & ~{0})", one, in(i, 1, t), in(i, 2, t)));
  }
  if (op == "testp") throw not_translated{"testp"};
  if (i.has("f32x2")) throw not_translated{"two numbers in one register", true};
  if (t == f16x2 || t == bf16x2) {
    const bool is_exact = (op == "add" || op == "sub" || op == "mul") && !i.has("sat") &&
                          !i.has("ftz") && !is_directed(i);
    if (!is_exact) throw not_translated{"two numbers in one register", true};
    want(i, 3, 3);
    const type half = t == f16x2 ? f16 : bf16;
    const std::string a = in(i, 1, t), b = in(i, 2, t);
    const char* const sign = op == "add" ? "+" : op == "sub" ? "-" : "*";
    const auto made = [&](unsigned at) {
      const auto part = [&](const std::string& of) {
        return half_value(half, fmt::format("static_cast<ptx::u16>(({}) >> {})", of, at));
      };
      return fmt::format("ptx::to_{}({} {} {})", name_of(half), part(a), sign, part(b));
    };
    return set(i, pair_of(made(0), made(16)));
  }
  if (is_half(t)) {
    if (op == "abs" || op == "neg") {
      const char* change = op == "abs" ? "& 0x7fff" : "^ 0x8000";
      const std::string changed = fmt::format("static_cast<ptx::u16>({} {})", in(i, 1, t), change);
      if (!i.has("ftz")) return set(i, changed);
      if (t != f16) throw not_translated{"a modifier of numbers of 16 bits", true};
      return set(i, fmt::format("ptx::flushed_f16({})", changed));
    }
    if (op != "add" && op != "sub" && op != "mul") {
      throw not_translated{"this arithmetic of numbers of 16 bits", true};
    }
    if (i.has("sat") || i.has("ftz"))
      throw not_translated{"a modifier of numbers of 16 bits", true};
    want(i, 3, 3);
    const char* sign = op == "add" ? "+" : op == "sub" ? "-" : "*";
    return set(i, fmt::format("ptx::to_{}({} {} {})", name_of(t), half_value(t, in(i, 1, t)), sign,
                              half_value(t, in(i, 2, t))));
  }
  typed(i, {f32, f64});
  const std::string type = cpp_type(t), flags = flags_of(i);
  if (op == "abs" || op == "neg") {
    only(i, {"ftz"});
    want(i, 2, 2);
    std::string value = fmt::format("ptx::f{}<{}>({})", op, type, in(i, 1, t));
    if (i.has("ftz")) value = fmt::format("ptx::flushed({})", value);
    return set(i, value);
  }
  if (op == "min" || op == "max") {
    only(i, {"ftz", "NaN"});
    want(i, 3, 3);
    return set(i, fmt::format("ptx::f{}<{}, {}, {}>({}, {})", op, type, flags,
                              i.has("NaN") ? "true" : "false", in(i, 1, t), in(i, 2, t)));
  }
  only(i, {"rn", "rz", "rm", "rp", "ftz", "sat"});
  if (is_directed(i) && (t == f64 || op == "div" || op == "sqrt" || op == "rcp")) {
    throw not_translated{"this rounding", true};
  }
  const std::string how = rounding_of(i);
  if (op == "rcp" || op == "sqrt") {
    want(i, 2, 2);
    if (op == "sqrt")
      return set(i, fmt::format("ptx::fsqrt<{}, {}>({})", type, flags, in(i, 1, t)));
    const char* one = t == f32 ? "0x3f800000u" : "0x3ff0000000000000ull";
    return set(i, fmt::format("ptx::fdiv<{}, {}>({}, {})", type, flags, one, in(i, 1, t)));
  }
  if (op == "div") {
    want(i, 3, 3);
    return set(i, fmt::format("ptx::fdiv<{}, {}>({}, {})", type, flags, in(i, 1, t), in(i, 2, t)));
  }
  if (op == "fma" || op == "mad") {
    want(i, 4, 4);
    return set(i, fmt::format("ptx::fma<{}, {}, {}>({}, {}, {})", type, flags, how, in(i, 1, t),
                              in(i, 2, t), in(i, 3, t)));
  }
  want(i, 3, 3);
  return set(i, fmt::format("ptx::f{}<{}, {}, {}>({}, {})", op, type, flags, how, in(i, 1, t),
                            in(i, 2, t)));
}

std::optional<std::string> emitter::conversion(const instruction& i) {
  if (i.opcode == "szext" || i.opcode != "cvt") return std::nullopt;
  if (i.has("pack")) throw not_translated{"cvt.pack", true};
  if (i.has("tf32")) throw not_translated{"a number of the type tf32", true};
  const type from = i.type_from_end(0), to = i.type_from_end(1);
  want(i, 2, 3);
  if (i.operands.size() == 3) {
    const bool is_exact = from == f32 && (to == f16x2 || to == bf16x2) && i.has("rn") &&
                          !i.has("satfinite") && !i.has("relu");
    if (!is_exact) throw not_translated{"two numbers in one register", true};
    const char* const half = to == f16x2 ? "f16" : "bf16";
    const auto made = [&](std::size_t k) {
      return fmt::format("ptx::to_{}(ptx::value<ptx::f32>({}))", half, in(i, k, f32));
    };
    return set(i.operands[0], to, pair_of(made(2), made(1)));
  }
  only(i, {"rn", "rz", "rm", "rp", "rna", "rni", "rzi", "rmi", "rpi", "ftz", "sat"});
  if (i.has("rna")) throw not_translated{"this rounding", true};
  const std::string how = rounding_of(i);
  const operand& d = i.operands[0];
  const std::string a = in(i, 1, from);
  const bool from_float = is_float(from), to_float = is_float(to);
  if (!from_float && !is_int(from) && from != b16)
    throw not_translated{"a conversion from that type", true};
  if (!to_float && !is_int(to)) throw not_translated{"a conversion to that type", true};
  if (from == f16x2 || from == bf16x2 || to == f16x2 || to == bf16x2) {
    throw not_translated{"two numbers in one register", true};
  }
  if (!from_float && !to_float) {
    return set(d, to,
               fmt::format("ptx::cvt<{}, {}, {}>({})", cpp_type(to), cpp_type(from),
                           i.has("sat") ? "true" : "false", a));
  }
  std::string number;  // as a double
  if (from == f32) {
    number = fmt::format("ptx::input<{}>({})", i.has("ftz") ? "ptx::ftz" : "ptx::plain", a);
  } else if (from == f64) {
    number = fmt::format("ptx::value<ptx::f64>({})", a);
  } else if (is_half(from)) {
    number = half_value(from, a);
  }
  if (!to_float) {
    return set(d, to,
               fmt::format("ptx::to_integer<{}, {}, {}>({})", cpp_type(to), how,
                           from == f64 ? "true" : "false", number));
  }
  if (!from_float) {
    if (i.has("sat")) {  // between 0 and 1 there is no other whole number
      const char* one = to == f64   ? "0x3ff0000000000000"
                        : to == f32 ? "0x3f800000"
                        : to == f16 ? "0x3c00"
                                    : "0x3f80";
      return set(d, to,
                 fmt::format("ptx::select<{}>(ptx::value<{}>({}) > 0, {}, 0)", cpp_bits(to),
                             cpp_type(from), a, one));
    }
    if (to == f32) {
      if (size_of(from) == 8 && is_directed(i)) throw not_translated{"this rounding", true};
      return set(d, to,
                 fmt::format("ptx::integer_to_f32<{}{}>({})", cpp_type(from),
                             size_of(from) == 8 ? "" : ", " + how, a));
    }
    if (to == f64) {
      if (size_of(from) == 8 && is_directed(i)) throw not_translated{"this rounding", true};
      return set(d, to, fmt::format("ptx::integer_to_f64<{}>({})", cpp_type(from), a));
    }
    if (size_of(from) == 8 || is_directed(i)) throw not_translated{"this rounding", true};
    return set(d, to,
               fmt::format("ptx::to_{}(static_cast<double>(ptx::value<{}>({})))", name_of(to),
                           cpp_type(from), a));
  }
  const bool to_whole = i.has("rni") || i.has("rzi") || i.has("rmi") || i.has("rpi");
  if (to_whole) number = fmt::format("ptx::whole<{}>({})", how, number);
  if (to == f64) {
    if (i.has("sat")) throw not_translated{"the modifier .sat", true};
    return set(d, to, fmt::format("ptx::raw(static_cast<double>({}))", number));
  }
  if (to == f32) {
    // From f32 to f32, only rounding to a whole number, or the flags, change anything.
    const std::string rounded =
        fmt::format("ptx::to_f32<{}>({})", to_whole ? "ptx::rounding::nearest" : how, number);
    return set(d, to, fmt::format("ptx::output<{}>({})", flags_of(i), rounded));
  }
  if (is_directed(i) || i.has("sat")) throw not_translated{"this rounding", true};
  return set(d, to, fmt::format("ptx::to_{}({})", name_of(to), number));
}

}  // namespace simt::ptx
