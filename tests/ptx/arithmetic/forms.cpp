// Writes each supported instruction of arithmetic twice, for tools/compare_arithmetic: as a kernel
// in PTX, and as a function of C++ that is what sim/ptx makes of it.
//
//   arithmetic_forms FOLDER [REFUSED]
//
// REFUSED lists forms, one a line, that ptxas does not take; they are left out.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/ptx/emit/emitter.hpp"
#include "sim/ptx/parse.hpp"

namespace {

using strings = std::vector<std::string>;

/// Registers are %h0 to %h9 of 16 bits, %r of 32, %l of 64 and %q of predicates. Numbers 0 to 3 are
/// the operands' words, 7 is the result and 6 a second one.
struct form {
  std::string text;      // the instructions
  char result;           // h, r, l, q: of register 7. R: %r7 and %r6. Q: %q7 and %q6
  char numbers;          // what operands look like: i(ntegers), h(alf), f(loat), d(ouble)
  char float_of = 0;     // h, b(f16), f, d: the result is such a number, and may be no number
  unsigned divides = 0;  // bits of the divisor: rows are left out where the quotient has no value
};

std::vector<form> forms;

char register_of(const std::string& type) {
  if (type == "pred") return 'q';
  const std::string digits = type.substr(type.find_first_of("0123456789"));
  if (digits == "64") return 'l';
  return digits == "32" || digits == "16x2" ? 'r' : 'h';  // (of 8 bits: in 16)
}
char numbers_of(const std::string& type) {
  if (type == "f64") return 'd';
  if (type == "f32") return 'f';
  return type == "f16" || type == "bf16" ? 'h' : 'i';
}
char float_of(const std::string& type) {
  if (type == "f64") return 'd';
  if (type == "f32") return 'f';
  return type == "f16" ? 'h' : type == "bf16" ? 'b' : 0;
}
std::string reg(char kind, int number) { return fmt::format("%{}{}", kind, number); }
std::string reg(const std::string& type, int number) { return reg(register_of(type), number); }

/// `name.type d, a, b, ...`: operands of those types.
void add(const std::string& name, const std::string& to, const strings& from,
         unsigned divides = 0) {
  std::string text = fmt::format("{} {}", name, reg(to, 7));
  for (std::size_t k = 0; k < from.size(); ++k) text += ", " + reg(from[k], static_cast<int>(k));
  forms.push_back({text + ";", register_of(to), numbers_of(from[0]), float_of(to), divides});
}

const strings integers{"u16", "s16", "u32", "s32", "u64", "s64"};
const strings words{"b16", "b32", "b64"};
const strings roundings{"", ".rn", ".rz", ".rm", ".rp"};
const strings flags{"", ".ftz", ".sat", ".ftz.sat"};

void add_integers() {
  for (const std::string& t : integers) {
    const unsigned bits = static_cast<unsigned>(std::stoul(t.substr(1)));
    const std::string twice = bits == 64 ? "" : fmt::format("{}{}", t[0], 2 * bits);
    for (const char* name : {"add", "sub", "min", "max"}) {
      for (const char* sat : {"", ".sat"}) add(fmt::format("{}{}.{}", name, sat, t), t, {t, t});
    }
    for (const char* name : {"div", "rem"})
      add(fmt::format("{}.{}", name, t), t, {t, t}, t[0] == 's' ? bits + 1 : bits);
    for (const char* name : {"abs", "neg"}) add(fmt::format("{}.{}", name, t), t, {t});
    add("sad." + t, t, {t, t, t});
    for (const char* how : {"lo", "hi"}) {
      add(fmt::format("mul.{}.{}", how, t), t, {t, t});
      add(fmt::format("mad.{}.{}", how, t), t, {t, t, t});
      add(fmt::format("mul24.{}.{}", how, t), t, {t, t});
      add(fmt::format("mad24.{}.{}", how, t), t, {t, t, t});
    }
    if (!twice.empty()) {
      add("mul.wide." + t, twice, {t, t});
      add("mad.wide." + t, twice, {t, t, twice});
    }
    for (const char* name : {"bfe"}) add(fmt::format("{}.{}", name, t), t, {t, "u32", "u32"});
    for (const char* how : {"", ".shiftamt"}) add(fmt::format("bfind{}.{}", how, t), "u32", {t});
    for (const char* how : {"wrap", "clamp"})
      add(fmt::format("szext.{}.{}", how, t), t, {t, "u32"});
    for (const char* name : {"shl", "shr"}) add(fmt::format("{}.{}", name, t), t, {t, "u32"});
    add("slct." + t + ".s32", t, {t, t, "s32"});
  }
  for (const std::string& t : words) {
    for (const char* name : {"and", "or", "xor"}) add(fmt::format("{}.{}", name, t), t, {t, t});
    for (const char* name : {"not", "cnot", "brev"}) add(fmt::format("{}.{}", name, t), t, {t});
    for (const char* name : {"popc", "clz"}) add(fmt::format("{}.{}", name, t), "u32", {t});
    for (const char* name : {"shl", "shr"}) add(fmt::format("{}.{}", name, t), t, {t, "u32"});
    add("bfi." + t, t, {t, t, "u32", "u32"});
    add("selp." + t, t, {t, t, "pred"});
  }
  for (const char* name : {"and", "or", "xor"})
    add(fmt::format("{}.pred", name), "pred", {"pred", "pred"});
  add("not.pred", "pred", {"pred"});
  for (const char* how : {"l.wrap", "l.clamp", "r.wrap", "r.clamp"})
    add(fmt::format("shf.{}.b32", how), "b32", {"b32", "b32", "u32"});
  for (const char* how : {"", ".f4e", ".b4e", ".rc8", ".ecl", ".ecr", ".rc16"})
    add(fmt::format("prmt.b32{}", how), "b32", {"b32", "b32", "b32"});
  for (const char* how : {"wrap", "clamp"})
    add(fmt::format("bmsk.{}.b32", how), "b32", {"u32", "u32"});
  for (int table = 1; table < 256; table += 23)
    forms.push_back({fmt::format("lop3.b32 %r7, %r0, %r1, %r2, {};", table), 'r', 'i'});
  for (const char* a : {"u32", "s32"}) {
    for (const char* b : {"u32", "s32"}) {
      add(fmt::format("dp4a.{}.{}", a, b), "b32", {"b32", "b32", "b32"});
      for (const char* how : {"lo", "hi"})
        add(fmt::format("dp2a.{}.{}.{}", how, a, b), "b32", {"b32", "b32", "b32"});
    }
  }
  // Carries go from the first instruction to the second.
  for (const char* t : {"u32", "s32"}) {
    for (const char* name : {"add", "sub"}) {
      forms.push_back(
          {fmt::format("{0}.cc.{1} %r7, %r0, %r1; {0}c.{1} %r6, %r2, %r3;", name, t), 'R', 'i'});
      forms.push_back({fmt::format("{0}.cc.{1} %r5, %r0, %r1; {0}c.cc.{1} %r7, %r2, %r3; "
                                   "{0}c.{1} %r6, %r0, %r3;",
                                   name, t),
                       'R', 'i'});
    }
    for (const char* how : {"lo", "hi"}) {
      forms.push_back({fmt::format("mad.{0}.cc.{1} %r7, %r0, %r1, %r2; madc.{0}.{1} %r6, %r0, %r1, "
                                   "%r3;",
                                   how, t),
                       'R', 'i'});
      forms.push_back({fmt::format("add.cc.{1} %r5, %r0, %r1; madc.{0}.cc.{1} %r7, %r0, %r1, %r2; "
                                   "addc.{1} %r6, %r2, %r3;",
                                   how, t),
                       'R', 'i'});
    }
  }
}

void add_comparisons() {
  const strings of_integers{"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs"};
  const strings of_floats{"eq",  "ne",  "lt",  "le",  "gt",  "ge",  "equ",
                          "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};
  strings types = integers;
  types.insert(types.end(), {"b16", "b32", "b64", "f32", "f64"});
  for (const std::string& t : types) {
    const bool is_float = t[0] == 'f';
    const std::string r0 = reg(t, 0), r1 = reg(t, 1);
    for (const std::string& how : is_float ? of_floats : of_integers) {
      for (const char* ftz : {"", ".ftz"}) {
        if (*ftz != 0 && t != "f32") continue;
        const auto put = [&](const std::string& text, char result, char number = 0) {
          forms.push_back({text, result, numbers_of(t), number});
        };
        put(fmt::format("setp.{}{}.{} %q7, {}, {};", how, ftz, t, r0, r1), 'q');
        put(fmt::format("set.{}{}.u32.{} %r7, {}, {};", how, ftz, t, r0, r1), 'r');
        put(fmt::format("set.{}{}.f32.{} %r7, {}, {};", how, ftz, t, r0, r1), 'r', 'f');
        for (const char* with : {"and", "or", "xor"}) {
          if (t == "f64" || t.ends_with("64") || t.ends_with("16")) continue;
          put(fmt::format("setp.{}.{}{}.{} %q7|%q6, {}, {}, %q2;", how, with, ftz, t, r0, r1), 'Q');
          put(fmt::format("set.{}.{}{}.u32.{} %r7, {}, {}, !%q2;", how, with, ftz, t, r0, r1), 'r');
        }
      }
    }
  }
}

void add_floats() {
  for (const std::string t : {"f32", "f64", "f16", "bf16"}) {
    for (const std::string& how : roundings) {
      for (const std::string& more : flags) {
        for (const char* name : {"add", "sub", "mul", "div"})
          add(fmt::format("{}{}{}.{}", name, how, more, t), t, {t, t});
        for (const char* name : {"fma", "mad"})
          add(fmt::format("{}{}{}.{}", name, how, more, t), t, {t, t, t});
        for (const char* name : {"sqrt", "rcp"})
          add(fmt::format("{}{}{}.{}", name, how, more, t), t, {t});
      }
    }
    for (const char* more : {"", ".ftz", ".NaN", ".ftz.NaN", ".xorsign.abs"}) {
      for (const char* name : {"min", "max"}) add(fmt::format("{}{}.{}", name, more, t), t, {t, t});
    }
    for (const char* more : {"", ".ftz"}) {
      for (const char* name : {"abs", "neg"}) add(fmt::format("{}{}.{}", name, more, t), t, {t});
    }
    add("copysign." + t, t, {t, t});
    for (const char* how : {"finite", "infinite", "number", "notanumber", "normal", "subnormal"})
      add(fmt::format("testp.{}.{}", how, t), "pred", {t});
    add("selp." + t, t, {t, t, "pred"});
  }
  for (const std::string t : {"f16x2", "bf16x2"}) {
    for (const std::string& how : roundings) {
      for (const char* name : {"add", "sub", "mul"})
        add(fmt::format("{}{}.{}", name, how, t), t, {t, t});
      forms.push_back({fmt::format("cvt{}.{}.f32 %r7, %r0, %r1;", how, t), 'r', 'f'});
    }
  }
  for (const std::string t : {"u32", "s32", "u64", "f32", "f64"}) {
    for (const char* ftz : {"", ".ftz"})
      add(fmt::format("slct{}.{}.f32", ftz, t), t, {t, t, "f32"});
    if (t[0] != 'f') forms.back().numbers = forms[forms.size() - 2].numbers = 'f';
  }
}

void add_conversions() {
  const strings types{"u8",  "s8",  "u16", "s16",  "u32", "s32",
                      "u64", "s64", "f16", "bf16", "f32", "f64"};
  const strings all_roundings{"", ".rn", ".rz", ".rm", ".rp", ".rni", ".rzi", ".rmi", ".rpi"};
  for (const std::string& from : types) {
    for (const std::string& to : types) {
      for (const std::string& how : all_roundings) {
        for (const std::string& more : flags)
          add(fmt::format("cvt{}{}.{}.{}", how, more, to, from), to, {from});
      }
    }
  }
}

const char* const front = ".version 8.0\n.target sm_90\n.address_size 64\n";

/// The kernel's lines in front of the instructions and behind them. Registers of all kinds get the
/// operands' words; ptxas leaves out what is not used.
std::string kernel_of(const form& f, std::size_t number) {
  std::string text = fmt::format(
      ".visible .entry form{}(.param .u64 in, .param .u64 out, .param .u32 rows)\n{{\n"
      "  .reg .pred %q<10>;\n  .reg .b16 %h<10>;\n  .reg .b32 %r<10>, %i<9>;\n"
      "  .reg .b64 %l<10>, %a<9>;\n"
      "  mov.u32 %i0, %ctaid.x;\n  mov.u32 %i1, %ntid.x;\n  mov.u32 %i2, %tid.x;\n"
      "  mad.lo.u32 %i3, %i0, %i1, %i2;\n  ld.param.u32 %i4, [rows];\n"
      "  setp.ge.u32 %q9, %i3, %i4;\n  @%q9 bra $L_end;\n"
      "  ld.param.u64 %a0, [in];\n  mul.wide.u32 %a1, %i3, 32;\n  add.u64 %a0, %a0, %a1;\n",
      number);
  for (int k = 0; k < 4; ++k) {
    text += fmt::format(
        "  ld.global.u64 %l{0}, [%a0+{1}];\n  cvt.u32.u64 %r{0}, %l{0};\n"
        "  cvt.u16.u64 %h{0}, %l{0};\n  and.b64 %a3, %l{0}, 1;\n  setp.ne.u64 %q{0}, %a3, 0;\n",
        k, 8 * k);
  }
  text += "$L_form:\n  " + f.text + "\n$L_made:\n";
  const std::string result = f.result == 'h'   ? "cvt.u64.u16 %a4, %h7;"
                             : f.result == 'r' ? "cvt.u64.u32 %a4, %r7;"
                             : f.result == 'l' ? "mov.b64 %a4, %l7;"
                             : f.result == 'R' ? "mov.b64 %a4, {%r7, %r6};"
                             : f.result == 'q' ? "selp.u64 %a4, 1, 0, %q7;"
                                               : "selp.u32 %i5, 1, 0, %q7; selp.u32 %i6, 1, 0, %q6;"
                                                 " mov.b64 %a4, {%i5, %i6};";
  return text + "  " + result +
         "\n  ld.param.u64 %a5, [out];\n  mul.wide.u32 %a6, %i3, 8;\n  add.u64 %a5, %a5, %a6;\n"
         "  st.global.u64 [%a5], %a4;\n$L_end:\n  ret;\n}\n";
}

/// What sim/ptx makes of the form; empty: it does not translate it.
std::string translated(const form& f, std::size_t number) {
  const auto m = simt::ptx::parse(front + kernel_of(f, number));
  const simt::ptx::kernel& k = m.kernels.front();
  const simt::ptx::layout memory(m, k, nullptr);
  simt::ptx::emitter made(memory, k, true);
  std::size_t begin = 0, end = 0;
  for (const simt::ptx::label& l : k.labels) {
    if (l.name == "$L_form") begin = l.at;
    if (l.name == "$L_made") end = l.at;
  }
  std::string text;
  try {
    for (std::size_t i = begin; i < end; ++i)
      text += "  " + made.statement(k.instructions[i]) + "\n";
  } catch (const simt::ptx::not_translated&) {
    return {};
  }
  return text;
}

std::string function_of(const form& f, const std::string& body, std::size_t number) {
  std::string text = fmt::format("static u64 form{}([[maybe_unused]] const u64* in) {{\n", number);
  for (const auto& [kind, type] : {std::pair{'q', "bool"}, std::pair{'h', "u16"},
                                   std::pair{'r', "u32"}, std::pair{'l', "u64"}}) {
    for (int k = 0; k < 8; ++k) {
      if (f.text.find(reg(kind, k)) == std::string::npos) continue;
      const std::string value = k >= 4        ? "0"
                                : kind == 'q' ? fmt::format("(in[{}] & 1) != 0", k)
                                              : fmt::format("static_cast<{}>(in[{}])", type, k);
      text += fmt::format("  [[maybe_unused]] {} {}{} = {};\n", type, kind, k, value);
    }
  }
  text += "  [[maybe_unused]] bool carry = false, unused_carry = false;\n" + body;
  const std::string result = f.result == 'R'   ? "r7 | static_cast<u64>(r6) << 32"
                             : f.result == 'Q' ? "u64{q7} | u64{q6} << 32"
                                               : fmt::format("{}7", f.result);
  return text + fmt::format("  return {};\n}}\n", result);
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    std::fputs("usage: arithmetic_forms FOLDER [REFUSED]\n", stderr);
    return 2;
  }
  const std::string folder = arguments[1];
  std::set<std::string> refused;
  if (count > 2) {
    std::ifstream list(arguments[2]);
    for (std::string line; std::getline(list, line);) refused.insert(line);
  }
  add_integers();
  add_comparisons();
  add_floats();
  add_conversions();
  std::string kernels = front, functions, table, lines;
  std::size_t number = 0, at_line = 4;
  for (const form& f : forms) {
    if (refused.contains(f.text)) continue;
    const std::string body = translated(f, number);
    if (body.empty()) continue;
    const std::string kernel = kernel_of(f, number);
    functions += function_of(f, body, number);
    table += fmt::format("    {{form{}, \"{}\", '{}', '{}', {}}},\n", number, f.text, f.numbers,
                         f.float_of == 0 ? '-' : f.float_of, f.divides);
    const auto height = static_cast<std::size_t>(std::ranges::count(kernel, '\n'));
    lines += fmt::format("{} {} {}\n", at_line, at_line + height - 1, f.text);
    at_line += height;
    kernels += kernel;
    ++number;
  }
  std::ofstream(folder + "/forms.ptx") << kernels;
  std::ofstream(folder + "/lines.txt") << lines;
  std::ofstream(folder + "/forms.inc") << functions << "static const form all_forms[] = {\n"
                                       << table << "};\n";
  std::printf("%zu forms\n", number);
}
