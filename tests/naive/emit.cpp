// Writes generated programs as C++ subjects.
#include "tests/naive/emit.hpp"

#include <sstream>

#include "tests/naive/generate.hpp"
#include "tests/naive/lookup.hpp"

namespace naive {
namespace {

std::string text(const expression& e) {
  const auto binary = [&](const char* op) {
    return "(" + text(e.operands[0]) + " " + op + " " + text(e.operands[1]) + ")";
  };
  switch (e.kind) {
    case expression_kind::constant: return std::to_string(e.value);
    case expression_kind::lane: return "int(simt::lane_index())";
    case expression_kind::warp: return "int(simt::warp_index())";
    case expression_kind::block: return "int(simt::block_index())";
    case expression_kind::rank: return "int(simt::thread_rank())";
    case expression_kind::local: return "l" + std::to_string(e.value);
    case expression_kind::add: return binary("+");
    case expression_kind::subtract: return binary("-");
    case expression_kind::modulo: return binary("%");
    case expression_kind::bit_and: return binary("&");
    case expression_kind::shift_left: return binary("<<");
    case expression_kind::equal: return binary("==");
    case expression_kind::not_equal: return binary("!=");
    case expression_kind::less: return binary("<");
  }
  return "0";
}

/// Without the outermost parentheses, for places that have their own.
std::string bare(const expression& e) {
  const std::string all = text(e);
  return e.operands.empty() ? all : all.substr(1, all.size() - 2);
}

const char* scope_text(strength how) {
  switch (how) {
    case strength::thread_scope: return "simt::thread_scope_thread";
    case strength::block_scope: return "simt::thread_scope_block";
    case strength::system_scope: return "simt::thread_scope_system";
    default: return "simt::thread_scope_device";
  }
}

class printer {
 public:
  printer(const program& p, bool says_unused) : program_(p), says_unused_(says_unused) {}

  std::string subject() {
    const std::string& name = program_.name;
    if (program_.shared_cells > 0) {
      out_ << "struct " << name << "_shared { int cells[" << program_.shared_cells << "]; };\n";
    }
    out_ << "struct " << name << " {\n  int cells[" << program_.cells.size() << "] = {";
    for (std::size_t i = 0; i < program_.cells.size(); ++i) {
      out_ << (i == 0 ? "" : ", ") << program_.cells[i];
    }
    const bool numbers = program_.host && program_.host->numbers;
    out_ << "};\n"
         << program_.members << "  SIMT_FN void operator()("
         << (numbers ? "std::uint32_t launch" : "")
         << ") {\n    [[maybe_unused]] int l0 = gen::value(0), l1 = gen::value(0), l2 = gen::value("
         << (numbers ? "int(launch)" : "0") << ");\n";
    statements(program_.body, 2);
    out_ << "  }\n";
    if (program_.host) {
      out_ << "  bool next_launch(std::uint32_t launch) {\n    ++cells[" << program_.host->counts
           << "];\n    return cells[" << program_.host->stops << "] == 0 && launch < "
           << program_.host->most << ";\n  }\n";
    }
    if (!program_.final_values.empty() || !program_.never_final.empty()) {
      out_ << "  bool check() const { return ";
      const char* separator = "";
      const auto compare = [&](const auto& values, const char* how) {
        for (const auto& [cell, value] : values) {
          out_ << separator << "cells[" << cell << "]" << how << value;
          separator = " && ";
        }
      };
      compare(program_.final_values, " == ");
      compare(program_.never_final, " != ");
      out_ << "; }\n";
    }
    out_ << "};\nSIMT_SUBJECT(" << name << ");\n";
    return out_.str();
  }

 private:
  [[nodiscard]] std::string cell(const operation& op) const {
    const std::string index = "cells[" + bare(op.cell) + "]";
    if (!op.shared) return index;
    return "simt::block_shared<" + program_.name + "_shared>()." + index;
  }

  [[nodiscard]] std::string memory(const operation& op) const {
    const std::string where = cell(op);
    const std::string call = std::string("<") + scope_text(op.how) + ">(" + where;
    const bool volatile_access = op.how == strength::volatile_access;
    if (op.byte) {
      const std::string byte =
          std::string(volatile_access ? "*(volatile " : "*(") + "unsigned char*)&" + where;
      if (op.kind == operation_kind::load)
        return volatile_access ? byte : "gen::plain_load(" + byte + ")";
      return byte + " = (unsigned char)(" + bare(op.value) + ")";
    }
    switch (op.kind) {
      case operation_kind::load:
        if (op.how == strength::weak) return "gen::plain_load(" + where + ")";
        return volatile_access ? "*(volatile int*)&" + where : "gen::load" + call + ")";
      case operation_kind::store:
        if (op.how == strength::weak) return where + " = " + bare(op.value);
        if (volatile_access) return "*(volatile int*)&" + where + " = " + bare(op.value);
        return "gen::store" + call + ", " + text(op.value) + ")";
      case operation_kind::exchange: return "gen::exchange" + call + ", " + text(op.value) + ")";
      case operation_kind::compare_exchange:
        return "gen::compare_exchange" + call + ", " + text(op.expected) + ", " + text(op.value) +
               ")";
      default: return "gen::add" + call + ", " + text(op.value) + ")";
    }
  }

  [[nodiscard]] std::string call(const operation& op) const {
    const std::string mask = "unsigned(" + bare(op.mask) + ")";
    const std::string arguments = "(" + mask + ", " + text(op.value) + ")";
    const std::string barrier =
        "(" + std::to_string(op.barrier) + ", " + std::to_string(op.warps) + ")";
    switch (op.kind) {
      case operation_kind::fence:
        return std::string("simt::atomic_thread_fence(simt::memory_order_seq_cst, ") +
               scope_text(op.how) + ")";
      case operation_kind::nanosleep: return "simt::nanosleep(100)";
      case operation_kind::choose: return "int(simt::choose(2))";
      case operation_kind::syncwarp: return "simt::syncwarp(" + mask + ")";
      case operation_kind::ballot: return "int(simt::ballot" + arguments + ")";
      case operation_kind::any: return "int(simt::any" + arguments + ")";
      case operation_kind::all: return "int(simt::all" + arguments + ")";
      case operation_kind::shfl:
        return "simt::shfl<int>(" + mask + ", " + text(op.value) + ", " + text(op.source) + ")";
      case operation_kind::match_any: return "int(simt::match_any<int>" + arguments + ")";
      case operation_kind::match_all: return "gen::match_all" + arguments;
      case operation_kind::reduce_add: return "simt::reduce_add" + arguments;
      case operation_kind::reduce_max: return "simt::reduce_max" + arguments;
      case operation_kind::activemask: return "int(simt::activemask())";
      case operation_kind::syncthreads: return "simt::syncthreads()";
      case operation_kind::barrier_sync: return "simt::named_barrier_sync" + barrier;
      case operation_kind::barrier_arrive: return "simt::named_barrier_arrive" + barrier;
      default: return memory(op);
    }
  }

  [[nodiscard]] std::string full(const operation& op) const {
    if (op.target < 0 && op.kind == operation_kind::add && says_unused_) {
      return std::string("gen::add_unused<") + scope_text(op.how) + ">(" + cell(op) + ", " +
             text(op.value) + ")";
    }
    if (op.target < 0) {
      const std::string dropped = call(op);
      return (dropped.starts_with("int(") ? "(void)" : "") + dropped;
    }
    return "l" + std::to_string(op.target) + " = " + call(op);
  }

  [[nodiscard]] std::string test(const condition& c) const {
    return "(" + (c.first ? full(*c.first) + ", " : "") + "gen::value(" + bare(c.test) + ") != 0)";
  }

  void statements(const sequence& list, int depth) {
    for (const statement& s : list) one(s, depth);
  }

  void block(const std::string& head, const sequence& body, int depth) {
    indent(depth) << head << " {\n";
    statements(body, depth + 1);
    indent(depth) << "}\n";
  }

  std::ostream& indent(int depth) {
    return out_ << std::string(static_cast<std::size_t>(2 * depth), ' ');
  }

  void one(const statement& s, int depth) {
    switch (s.kind) {
      case statement_kind::assign:
        indent(depth) << "l" << s.target << " = gen::value(" << bare(s.value) << ");\n";
        break;
      case statement_kind::operate: indent(depth) << full(s.op) << ";\n"; break;
      case statement_kind::bump: indent(depth) << cell(s.op) << "++;\n"; break;
      case statement_kind::check:
        indent(depth) << "simt::check(" << bare(s.value) << ", \"generated\");\n";
        break;
      case statement_kind::if_else:
        block("if " + test(s.test), s.body, depth);
        if (!s.otherwise.empty()) block("else", s.otherwise, depth);
        break;
      case statement_kind::while_loop: block("while " + test(s.test), s.body, depth); break;
      case statement_kind::do_while:
        block("do", s.body, depth);
        indent(depth) << "while " << test(s.test) << ";\n";
        break;
      case statement_kind::forever: block("for (;;)", s.body, depth); break;
      case statement_kind::switch_on:
        indent(depth) << "switch (" << bare(s.value) << ") {\n";
        for (const auto& [label, body] : s.cases) {
          block("case " + std::to_string(label) + ":", body, depth + 1);
          indent(depth + 1) << "break;\n";
        }
        if (!s.otherwise.empty()) {
          block("default:", s.otherwise, depth + 1);
          indent(depth + 1) << "break;\n";
        }
        indent(depth) << "}\n";
        break;
      case statement_kind::break_loop: indent(depth) << "break;\n"; break;
      case statement_kind::continue_loop: indent(depth) << "continue;\n"; break;
      case statement_kind::return_body: indent(depth) << "return;\n"; break;
      case statement_kind::text: indent(depth) << s.text << "\n"; break;
    }
  }

  const program& program_;
  bool says_unused_;
  std::ostringstream out_;
};

}  // namespace

std::string emit_prologue() {
  return R"(// Generated subjects; tests/naive says how.
#pragma once

#include <simt/simt.hpp>

#include <simt/detail/result_unused.hpp>

namespace gen {

template <class T>
SIMT_FN int plain_load(T& x) {
  return x;
}
// A value that no pass knows, so that none decides a branch on it; but where that is tested.
SIMT_FN int value(int x) {
#ifndef GENERATED_DECIDES
  asm("" : "+r"(x));
#endif
  return x;
}
// Orders matter only where memory is weak; the tests of that have accesses synchronize, too.
#ifdef GENERATED_SYNCHRONIZES
inline constexpr auto load_order = simt::memory_order_acquire;
inline constexpr auto store_order = simt::memory_order_release;
inline constexpr auto update_order = simt::memory_order_acq_rel;
#else
inline constexpr auto load_order = simt::memory_order_relaxed;
inline constexpr auto store_order = simt::memory_order_relaxed;
inline constexpr auto update_order = simt::memory_order_relaxed;
#endif
template <simt::thread_scope Scope>
SIMT_FN int load(int& x) {
  return simt::atomic_ref<int, Scope>(x).load(load_order);
}
template <simt::thread_scope Scope>
SIMT_FN void store(int& x, int value) {
  simt::atomic_ref<int, Scope>(x).store(value, store_order);
}
template <simt::thread_scope Scope>
SIMT_FN int exchange(int& x, int value) {
  return simt::atomic_ref<int, Scope>(x).exchange(value, update_order);
}
template <simt::thread_scope Scope>
SIMT_FN int compare_exchange(int& x, int expected, int value) {
  simt::atomic_ref<int, Scope>(x).compare_exchange_strong(expected, value, update_order);
  return expected;
}
template <simt::thread_scope Scope>
SIMT_FN int add(int& x, int value) {
  return simt::atomic_ref<int, Scope>(x).fetch_add(value, update_order);
}
// As a translated kernel has an `atom` whose destination nothing reads.
template <simt::thread_scope Scope>
SIMT_FN void add_unused(int& x, int value) {
  simt::detail::access<Scope, simt::detail::result_unused>(
      simt::detail::memory_kind::add, &x, update_order, static_cast<unsigned>(value));
}
SIMT_FN int match_all(unsigned mask, int value) {
  int predicate = 0;
  return int(simt::match_all(mask, value, &predicate));
}

}  // namespace gen
)";
}

std::string emit(const program& p, bool says_unused) { return printer(p, says_unused).subject(); }

std::string emit_header(std::uint64_t seed, unsigned first, unsigned count, grids which,
                        kinds kind) {
  std::string result = emit_prologue();
  for (unsigned i = 0; i < count; ++i) {
    const bool says_unused = (first + i) / 2 % 2 == 1;
    result += "\n" + emit(generate(seed, first + i, which, kind).code, says_unused);
  }
  return result;
}

}  // namespace naive
