// Writes each thread of a litmus test as inline PTX, and the table of tests that the runner reads.
#include "litmus/gpu/source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <string_view>

namespace litmus::gpu {

namespace {

constexpr std::string_view zero = "%0", bound = "%1", registers_at = "%2", late = "%3",
                           slots_at = "%4", first_barrier = "%5";
constexpr std::uint32_t first_location = 6;  // of the operands

bool accesses(const instruction& i) {
  return i.code == opcode::load || i.code == opcode::store || i.code == opcode::atom ||
         i.code == opcode::red;
}

std::vector<std::uint32_t> locations_of(const thread& t) {
  std::set<std::uint32_t> all;
  for (const instruction& i : t.instructions) {
    if (accesses(i)) all.insert(i.location);
  }
  return {all.begin(), all.end()};
}

/// The instructions that lie between a backward jump and its target.
std::vector<bool> in_loops(const thread& t) {
  std::vector<bool> result(t.instructions.size());
  for (std::size_t at = 0; at < t.instructions.size(); ++at) {
    const instruction& back = t.instructions[at];
    if (back.code != opcode::branch && back.code != opcode::jump) continue;
    for (std::size_t i = back.target; i <= at; ++i) result[i] = true;
  }
  return result;
}

std::string_view order_of(memory_order o) {
  switch (o) {
    case memory_order::weak: return "weak";
    case memory_order::relaxed: return "relaxed";
    case memory_order::acquire: return "acquire";
    case memory_order::release: return "release";
    case memory_order::acq_rel: return "acq_rel";
    case memory_order::sc: return "sc";
  }
  return {};
}

/// ".weak", ".acquire.gpu"
std::string suffix(memory_order order, scope s) {
  if (order == memory_order::weak) return ".weak";
  return fmt::format(".{}.{}", order_of(order), name(s));
}

std::string suffix(const instruction& i) {
  return i.is_volatile ? ".volatile" : suffix(i.order, i.scope);
}

/// PTX's red has no acquire. Its acquire half could not be part of an acquire pattern anyway.
memory_order order_of_red(memory_order o) {
  if (o == memory_order::acquire) return memory_order::relaxed;
  return o == memory_order::acq_rel ? memory_order::release : o;
}

std::string_view comparison_name(comparison c) {
  switch (c) {
    case comparison::equal: return "eq";
    case comparison::not_equal: return "ne";
    case comparison::less: return "lt";
    case comparison::less_equal: return "le";
    case comparison::greater: return "gt";
    case comparison::greater_equal: return "ge";
  }
  return {};
}

class thread_writer {
 public:
  thread_writer(const program& p, const placement_plan& plan, std::uint32_t thread)
      : program_(p),
        plan_(plan),
        number_(thread),
        thread_(p.threads[thread]),
        locations_(locations_of(thread_)),
        looping_(in_loops(thread_)) {}

  std::vector<std::string> write() {
    declare();
    for (std::uint32_t at = 0; at < thread_.instructions.size(); ++at) {
      label(fmt::format("I{}", at));
      add_instruction(at);
    }
    label(fmt::format("I{}", thread_.instructions.size()));
    for (std::size_t r = 0; r < thread_.registers.size(); ++r) {
      line("st.weak.global.s64 [{}+{}], R{}", registers_at, 8 * r, r);
    }
    line("bra DONE");
    label("LATE");
    line("st.weak.global.u32 [{}], 1", late);
    label("DONE");
    return std::move(lines_);
  }

 private:
  const program& program_;
  const placement_plan& plan_;
  std::uint32_t number_;
  const thread& thread_;
  std::vector<std::uint32_t> locations_;
  std::vector<bool> looping_;
  std::vector<std::string> lines_;

  template <class... Arguments>
  void line(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
    lines_.push_back(fmt::format(text, std::forward<Arguments>(arguments)...) + ";");
  }
  void label(const std::string& name) { lines_.push_back(name + ":"); }

  void declare() {
    line(".reg .s64 T, U, V");
    line(".reg .pred P, Q");
    line(".reg .u32 N, B");
    line("mov.u32 N, 0");
    for (std::size_t r = 0; r < thread_.registers.size(); ++r) {
      line(".reg .s64 R{}", r);
      line("mov.s64 R{}, {}", r, thread_.initial[r]);
    }
    line("mov.s64 T, 0");
    for (std::size_t at = 0; at < thread_.instructions.size(); ++at) {
      const instruction& i = thread_.instructions[at];
      if (!accesses(i)) continue;
      const auto location = std::ranges::find(locations_, i.location) - locations_.begin();
      line("add.s64 T, T, {}", zero);
      line(".reg .s64 A{}", at);
      line("add.s64 A{}, T, %{}", at, first_location + location);
    }
  }

  /// Puts the operand into the named register.
  void load_operand(std::string_view into, const operand& o) {
    if (o.is_register)
      line("mov.s64 {}, R{}", into, o.index);
    else
      line("mov.s64 {}, {}", into, o.integer);
  }

  /// The operand as it stands in an instruction that also takes an integer.
  static std::string operand_text(const operand& o) {
    return o.is_register ? fmt::format("R{}", o.index) : std::to_string(o.integer);
  }

  void give_up_after_the_bound() {
    line("add.u32 N, N, 1");
    line("setp.gt.u32 Q, N, {}", bound);
    line("@Q bra LATE");
  }

  void add_instruction(std::uint32_t at) {
    const instruction& i = thread_.instructions[at];
    if (accesses(i) && looping_[at]) line("add.s64 A{0}, A{0}, {1}", at, zero);
    switch (i.code) {
      case opcode::move: line("mov.s64 R{}, {}", i.destination, operand_text(i.a)); break;
      case opcode::arithmetic: add_arithmetic(i); break;
      case opcode::load: line("ld{}.global.s64 R{}, [A{}]", suffix(i), i.destination, at); break;
      case opcode::store:
        line("st{}.global.s64 [A{}], {}", suffix(i), at, operand_text(i.a));
        break;
      case opcode::atom:
        add_update("atom", i.order, fmt::format("R{}, ", i.destination), at);
        break;
      case opcode::red: add_update("red", order_of_red(i.order), "", at); break;
      case opcode::fence:
        line("fence{}", i.proxy != proxy::generic ? fmt::format(".proxy.{}", name(i.proxy))
                                                  : suffix(i.order, i.scope));
        break;
      case opcode::branch:
      case opcode::jump: add_jump(i, at); break;
      case opcode::barrier:
      case opcode::arrive: add_barrier(i, at); break;
      case opcode::copy: break;  // has no form yet (why_not_compiled)
    }
  }

  void add_arithmetic(const instruction& i) {
    std::string_view what;
    switch (i.operation) {
      case operation::add: what = "add.s64"; break;
      case operation::sub: what = "sub.s64"; break;
      case operation::mul: what = "mul.lo.s64"; break;
      default: what = "div.s64"; break;
    }
    load_operand("U", i.a);
    load_operand("V", i.b);
    line("add.s64 V, V, {}", zero);
    line("{} R{}, U, V", what, i.destination);
  }

  void add_update(std::string_view code, memory_order order, const std::string& result,
                  std::uint32_t at) {
    const instruction& i = thread_.instructions[at];
    std::string_view what;
    const bool is_unsigned = !i.type.is_signed;
    switch (i.operation) {
      case operation::bit_and: what = "and.b64"; break;
      case operation::bit_or: what = "or.b64"; break;
      case operation::bit_xor: what = "xor.b64"; break;
      case operation::minimum: what = is_unsigned ? "min.u64" : "min.s64"; break;
      case operation::maximum: what = is_unsigned ? "max.u64" : "max.s64"; break;
      case operation::exchange: what = "exch.b64"; break;
      case operation::compare_and_swap: what = "cas.b64"; break;
      default: what = "add.u64"; break;
    }
    load_operand("U", i.a);
    if (i.operation == operation::sub) line("neg.s64 U, U");
    std::string values = "U";
    if (i.operation == operation::compare_and_swap) {
      load_operand("V", i.b);
      values += ", V";
    }
    line("{}{}.global.{} {}[A{}], {}", code, suffix(order, i.scope), what, result, at, values);
  }

  void add_jump(const instruction& i, std::uint32_t at) {
    const bool back = i.target <= at;
    if (i.code == opcode::branch) {
      load_operand("U", i.a);
      load_operand("V", i.b);
      line("setp.{}.s64 P, U, V", comparison_name(i.comparison));
      if (back) {
        line("@!P bra I{}", at + 1);
      } else {
        line("@P bra I{}", i.target);
        // Without registers, the branch depends on nothing.
        if (i.target == at + 1 && !thread_.registers.empty()) {
          line("st.volatile.global.s64 [{}], {}", registers_at, zero);
        }
        return;
      }
    }
    if (back) give_up_after_the_bound();
    line("bra I{}", i.target);
  }

  void add_barrier(const instruction& i, std::uint32_t at) {
    const barrier_way& way = plan_.barriers[number_][at];
    if (way.native) {
      line("add.u32 B, {}, {}", first_barrier, way.number);
      line("barrier.{} B, {}", i.code == opcode::barrier ? "sync" : "arrive", 32 * way.count);
      return;
    }
    // Once its instruction has been reached, a slot holds twice the resource plus 1. Resources that
    // differ only in their top bit are not told apart.
    load_operand("V", i.resource.value_or(operand{}));
    line("shl.b64 V, V, 1");
    line("or.b64 V, V, 1");
    line("st.release.cta.global.s64 [{}+{}], V", slots_at, 8 * way.number);
    if (i.code == opcode::arrive) return;
    if (i.quorum)
      wait_for_quorum(i, at);
    else
      wait_for_all(i, at);
  }

  /// Calls `use` with each barrier instruction of this CTA with the same instance, and its slot.
  template <class Use>
  void for_each_partner(const instruction& i, const Use& use) {
    for (const std::uint32_t t : plan_.ctas[plan_.cta_of[number_]].threads) {
      const auto& code = program_.threads[t].instructions;
      for (std::size_t k = 0; k < code.size(); ++k) {
        if (code[k].is_barrier() && code[k].instance == i.instance) {
          use(code[k], plan_.barriers[t][k].number);
        }
      }
    }
  }

  void wait_for_all(const instruction& i, std::uint32_t at) {
    const operand mine = i.resource.value_or(operand{});
    for_each_partner(i, [&](const instruction& partner, std::uint32_t slot) {
      const operand theirs = partner.resource.value_or(operand{});
      if (!mine.is_register && !theirs.is_register && mine.integer != theirs.integer) return;
      const std::string wait = fmt::format("W{}_{}", at, slot), next = "X" + wait;
      if (!theirs.is_register && mine.is_register) {
        line("setp.ne.s64 P, R{}, {}", mine.index, theirs.integer);
        line("@P bra {}", next);
      }
      label(wait);
      line("ld.acquire.cta.global.s64 T, [{}+{}]", slots_at, 8 * slot);
      line("setp.ne.s64 P, T, 0");
      line("@P bra {}", next);
      give_up_after_the_bound();
      line("bra {}", wait);
      label(next);
    });
  }

  void wait_for_quorum(const instruction& i, std::uint32_t at) {
    const std::string wait = fmt::format("W{}", at), next = "X" + wait;
    label(wait);
    line("mov.u32 B, 0");
    for_each_partner(i, [&](const instruction&, std::uint32_t slot) {
      line("ld.acquire.cta.global.s64 T, [{}+{}]", slots_at, 8 * slot);
      line("setp.eq.s64 P, T, V");
      line("@P add.u32 B, B, 1");
    });
    line("cvt.s64.u32 T, B");
    load_operand("U", *i.quorum);
    line("setp.ge.s64 P, T, U");
    line("@P bra {}", next);
    give_up_after_the_bound();
    line("bra {}", wait);
    label(next);
  }
};

std::string string_literal(std::string_view text) {
  std::string all = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') all += '\\';
    all += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return all + '"';
}

/// C++ has no literal for the smallest integer.
std::string integer(value v) {
  if (v == std::numeric_limits<value>::min()) return fmt::format("{}LL - 1", v + 1);
  return fmt::format("{}LL", v);
}

std::string thread_function(const compiled_test& test, std::size_t number, std::uint32_t thread) {
  const std::vector<std::uint32_t> locations = locations_of(test.program->threads[thread]);
  std::string text = fmt::format(
      "__device__ __noinline__ void test_{}_thread_{}(const litmus_gpu::view& here) {{\n", number,
      thread);
  for (const std::uint32_t l : locations) {
    text += fmt::format("  const long long l{0} = here.address({0});\n", l);
  }
  text += "  here.start();\n  asm volatile(\n      \"{\\n\\t\"\n";
  for (const std::string& line : ptx_of(*test.program, test.plan, thread)) {
    text += fmt::format("      \"{}\\n\\t\"\n", line);
  }
  text +=
      "      \"}\\n\"\n      ::\"l\"(here.zero), \"r\"(here.bound), \"l\"(here.registers), "
      "\"l\"(here.late),\n      \"l\"(here.slots), \"r\"(here.first_barrier)";
  for (const std::uint32_t l : locations) text += fmt::format(", \"l\"(l{})", l);
  return text + "\n      : \"memory\");\n}\n\n";
}

std::uint32_t first_register(const program& p, std::uint32_t thread) {
  std::uint32_t sum = 0;
  for (std::uint32_t t = 0; t < thread; ++t) {
    sum += static_cast<std::uint32_t>(p.threads[t].registers.size());
  }
  return sum;
}

/// An element of `tests`, as hardware/litmus_test.cuh declares it.
std::string description(const compiled_test& test, std::uint32_t first_thread) {
  const program& p = *test.program;
  const placement_plan& plan = test.plan;
  const auto threads = static_cast<std::uint32_t>(p.threads.size());
  std::string text = fmt::format("    {{{}, {}, {{", string_literal(test.name), first_thread);
  for (const thread& t : p.threads) text += fmt::format("{}, ", t.registers.size());
  text += "}, {";
  for (const value v : p.initial) text += integer(v) + ", ";
  text += "},\n     {";
  for (const cta& c : plan.ctas) {
    text += fmt::format("{{{}, {}, {}, {{", c.gpu, c.cluster, c.rank);
    for (const std::uint32_t t : c.threads) text += fmt::format("{}, ", t);
    text += "}}, ";
  }
  text += "},\n     {";
  for (const std::uint32_t clusters : plan.clusters) text += fmt::format("{}, ", clusters);
  text += fmt::format("}}, {}, {}, {}, {{", plan.cluster_size, plan.native_barriers, plan.slots);
  for (const variable& v : test.observed) {
    if (v.is_register)
      text += fmt::format("{}, ", first_register(p, v.thread) + v.index);
    else
      text += fmt::format("{}, ", first_register(p, threads) + v.index);
  }
  return text + "}},\n";
}

}  // namespace

std::vector<std::string> ptx_of(const program& p, const placement_plan& plan,
                                std::uint32_t thread) {
  return thread_writer(p, plan, thread).write();
}

std::string cuda_source(std::span<const compiled_test> tests) {
  std::string functions, cases, descriptions;
  std::uint32_t threads = 0;
  for (std::size_t number = 0; number < tests.size(); ++number) {
    const program& p = *tests[number].program;
    descriptions += description(tests[number], threads);
    for (std::uint32_t t = 0; t < p.threads.size(); ++t) {
      functions += fmt::format("// {}, P{}\n", string_literal(tests[number].name), t);
      functions += thread_function(tests[number], number, t);
      cases += fmt::format("    case {}: return test_{}_thread_{}(here);\n", threads++, number, t);
    }
  }
  return fmt::format(
      "// Made from litmus tests (litmus/gpu/source.cpp).\n"
      "#include \"litmus_test.cuh\"\n\n"
      "namespace {{\n\n{}}}  // namespace\n\n"
      "namespace litmus_gpu {{\n\n"
      "__device__ void run_thread(unsigned thread, const view& here) {{\n"
      "  switch (thread) {{\n{}    default: return;\n  }}\n}}\n\n"
      "const std::vector<test> tests{{\n{}}};\n\n"
      "}}  // namespace litmus_gpu\n",
      functions, cases, descriptions);
}

}  // namespace litmus::gpu
