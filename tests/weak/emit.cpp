// Writes programs with weak memory as C++ subjects and as litmus tests.
#include "tests/weak/emit.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "tests/naive/emit.hpp"
#include "tests/weak/generate.hpp"

namespace weak {
namespace {

const char* scope_in_cpp(strength how) {
  switch (how) {
    case strength::thread: return "simt::thread_scope_thread";
    case strength::block: return "simt::thread_scope_block";
    case strength::system: return "simt::thread_scope_system";
    default: return "simt::thread_scope_device";
  }
}

std::string order_in_cpp(memory_order order) {
  constexpr std::array names{"relaxed", "acquire", "release", "acq_rel", "seq_cst"};
  return fmt::format("simt::memory_order_{}", names[static_cast<std::size_t>(order)]);
}

class subject_printer {
 public:
  explicit subject_printer(const program& p) : program_(p) {}

  std::string print() {
    out_ += fmt::format("struct {} {{\n  int cells[{}] = {{}};\n  SIMT_FN void operator()() {{\n",
                        name_of(program_), program_.locations + program_.results());
    for (int r = 0; r < register_count; ++r) {
      out_ += fmt::format("    [[maybe_unused]] int l{} = 0;\n", r);
    }
    const bool asks = !program_.alike || !program_.adds_up;
    if (asks) out_ += "    const int me = gen::value(int(simt::thread_rank()));\n";
    for (const phase& p : program_.phases) {
      if (program_.alike) {
        operations(p.lanes.front(), "    ");
      } else {
        for (std::size_t lane = 0; lane < p.lanes.size(); ++lane) {
          out_ += fmt::format("    {}if (me == {}) {{\n", lane == 0 ? "" : "else ", lane);
          operations(p.lanes[lane], "      ");
          out_ += "    }\n";
        }
      }
      if (p.behind == meeting::syncwarp) out_ += "    simt::syncwarp();\n";
      if (p.behind == meeting::syncthreads) {
        out_ += "    ";
        if (p.block != all_blocks)
          out_ += fmt::format("if (gen::value(int(simt::block_index())) == {}) ", p.block);
        out_ += "simt::syncthreads();\n";
      }
      if (p.behind == meeting::named_barrier) {
        out_ += fmt::format("    simt::named_barrier_sync(1, {});\n", program_.lanes.size());
      }
    }
    std::string all = "l0";
    for (int r = 1; r < register_count; ++r) {
      all += fmt::format(" | l{} << {}", r, r * register_bits);
    }
    if (program_.adds_up) {
      out_ += fmt::format(
          "    simt::atomic_ref<int>(cells[{}]).fetch_add({}, simt::memory_order_relaxed);\n",
          program_.locations, all);
    } else {
      out_ += fmt::format("    cells[{} + me] = {};\n", program_.locations, all);
    }
    return out_ + fmt::format("  }}\n}};\nSIMT_SUBJECT({});\n", name_of(program_));
  }

 private:
  const program& program_;
  std::string out_;

  void operations(const std::vector<operation>& list, const std::string& indent) {
    for (const operation& op : list) {
      out_ += indent;
      for (const auto& g : {op.when, op.also}) {
        if (g) {
          out_ += fmt::format("if (gen::value(l{}) {} {}) ", g->target,
                              g->negated ? "!=" : "==", g->value);
        }
      }
      out_ += call(op) + ";\n";
    }
  }

  [[nodiscard]] std::string cell_of(const operation& op) const {
    if (op.stride != 0) {
      return fmt::format("cells[({} + me * {}) % {}]", op.location, op.stride, program_.locations);
    }
    return fmt::format("{}cells[{}]",
                       op.location < program_.shared ? "simt::block_shared<weak::shared>()." : "",
                       op.location);
  }

  [[nodiscard]] std::string call(const operation& op) const {
    const std::string cell = cell_of(op);
    const std::string value =
        op.source < 0 ? fmt::to_string(op.value) : fmt::format("l{}", op.source);
    const bool is_kept = op.target >= 0 && op.result == result_use::kept;
    const std::string to = is_kept ? fmt::format("l{} = ", op.target) : "";
    if (op.result > result_use::dropped) return without_result(op, cell);
    const bool is_volatile = op.how == strength::volatile_access;
    const bool is_plain = op.how == strength::plain;
    const auto atomic = [&](const std::string& what) {
      return fmt::format("simt::atomic_ref<int, {}>({}).{}", scope_in_cpp(op.how), cell, what);
    };
    const std::string order = order_in_cpp(op.order);
    switch (op.kind) {
      case operation_kind::load:
        if (is_plain) return to + fmt::format("gen::plain_load({})", cell);
        if (is_volatile) {
          return (to.empty() ? "(void)" : to) + fmt::format("*(volatile int*)&{}", cell);
        }
        return to + atomic(fmt::format("load({})", order));
      case operation_kind::store:
        if (is_plain) return fmt::format("{} = {}", cell, value);
        if (is_volatile) return fmt::format("*(volatile int*)&{} = {}", cell, value);
        return atomic(fmt::format("store({}, {})", value, order));
      case operation_kind::exchange:
        return to + atomic(fmt::format("exchange({}, {})", op.value, order));
      case operation_kind::add:
        return to + atomic(fmt::format("fetch_add({}, {})", op.value, order));
      case operation_kind::compare_exchange:
        return fmt::format(
            "{{ {0}l{1} = {2}; {3}; }}", is_kept ? "" : "int ", op.target, op.expected,
            atomic(fmt::format("compare_exchange_strong(l{}, {}, {}{})", op.target, op.value, order,
                               op.failure ? ", " + order_in_cpp(*op.failure) : "")));
      case operation_kind::spin:
        return fmt::format("while ((l{} = {}) == 0) {{}}", op.target,
                           atomic(fmt::format("load({})", order)));
      case operation_kind::take:
        return fmt::format("while ((l{} = {}) != 0) {{}}", op.target,
                           atomic(fmt::format("exchange({}, {})", op.value, order)));
      case operation_kind::fence:
        return fmt::format("simt::atomic_thread_fence({}, {})", order, scope_in_cpp(op.how));
      case operation_kind::syncwarp: return "simt::syncwarp()";
      case operation_kind::vote: return vote(op);
      case operation_kind::barrier_sync:
        return fmt::format("simt::named_barrier_sync(2, {})", program_.lanes.size());
      case operation_kind::barrier_arrive:
        return fmt::format("simt::named_barrier_arrive(2, {})", program_.lanes.size());
    }
    return {};
  }

  /// As PTX has a read-modify-write whose result nothing reads.
  [[nodiscard]] static std::string without_result(const operation& op, const std::string& cell) {
    const bool compares = op.kind == operation_kind::compare_exchange;
    const bool adds = op.kind == operation_kind::add;
    return fmt::format(
        "(void)simt::detail::access<{}, simt::detail::{}>(simt::detail::memory_kind::{}, &{}, "
        "{}, {}{})",
        scope_in_cpp(op.how), op.result == result_use::said ? "result_unused" : "returns_nothing",
        compares ? "compare_exchange"
        : adds   ? "add"
                 : "exchange",
        cell, order_in_cpp(op.order), op.value, compares ? fmt::format(", {}", op.expected) : "");
  }

  static std::string vote(const operation& op) {
    const std::string value = op.source < 0 ? "1" : fmt::format("l{}", op.source);
    switch (op.value) {
      case 0: return fmt::format("simt::ballot(~0U, {} != 0)", value);
      case 1: return fmt::format("simt::any(~0U, {} == 0)", value);
      case 2: return fmt::format("simt::shfl(~0U, {}, 0)", value);
      case 3: return fmt::format("simt::match_any(~0U, {})", value);
      case activemask: return "simt::activemask()";
      default: return {};
    }
  }
};

/// libcu++ compiles a compare-exchange with the stronger one of both orders.
memory_order order_of(const operation& op) {
  using enum memory_order;
  if (!op.failure) return op.order;
  if (op.order == seq_cst || *op.failure == seq_cst) return seq_cst;
  const bool acquires = op.order == acquire || op.order == acq_rel || *op.failure == acquire;
  const bool releases = op.order == release || op.order == acq_rel;
  return acquires && releases ? acq_rel : acquires ? acquire : releases ? release : relaxed;
}

class test_printer {
 public:
  test_printer(const program& p, const std::set<lane_register>& failing)
      : program_(p), failing_(failing) {}

  std::string print() {
    columns_.resize(static_cast<std::size_t>(program_.size()));
    for (int rank = 0; rank < program_.size(); ++rank) {
      add(rank, fmt::format("P{}@cta {},gpu 0", rank, program_.block_of(rank)));
    }
    int number = 0;
    for (const phase& p : program_.phases) {
      for (int rank = 0; rank < program_.size(); ++rank) {
        // Barriers of one warp, and of one block, meet.
        const auto meet_in_warp = [&](int nth) {
          add(rank, fmt::format("bar.cta.sync {}", number + nth + program_.warp_of(rank)));
        };
        for (const operation& op : p.lanes[static_cast<std::size_t>(rank)]) {
          if (op.kind == operation_kind::syncwarp) {
            meet_in_warp(100);
          } else if (op.kind == operation_kind::vote) {
            if (op.value != activemask) meet_in_warp(100);
          } else if (op.kind == operation_kind::barrier_sync) {
            add(rank, fmt::format("bar.cta.sync {}", number + 300));
          } else if (op.kind == operation_kind::barrier_arrive) {
            add(rank, fmt::format("bar.cta.arrive {}", number + 300));
          } else {
            operate(rank, op);
          }
        }
        if (p.behind == meeting::syncwarp) meet_in_warp(200);
        const bool is_in_it = p.block == all_blocks || p.block == program_.block_of(rank);
        if (is_in_it && (p.behind == meeting::syncthreads || p.behind == meeting::named_barrier))
          add(rank, fmt::format("bar.cta.sync {}", number + 1));
      }
      number += 1000;
    }
    std::string text = fmt::format("PTX {}\n{{}}\n", name_of(program_));
    std::size_t rows = 0;
    for (const auto& column : columns_) rows = std::max(rows, column.size());
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t t = 0; t < columns_.size(); ++t) {
        const std::string cell = r < columns_[t].size() ? columns_[t][r] : "";
        text += fmt::format("{}{:28}", t == 0 ? " " : "| ", cell);
      }
      text += " ;\n";
    }
    return text + "exists (0 == 0)\n";
  }

 private:
  const program& program_;
  const std::set<lane_register>& failing_;
  std::vector<std::vector<std::string>> columns_;
  int labels_ = 0;

  void add(int rank, std::string cell) {
    columns_[static_cast<std::size_t>(rank)].push_back(std::move(cell));
  }

  static const char* scope_of(strength how) {
    switch (how) {
      case strength::block: return "cta";
      case strength::device: return "gpu";
      default: return "sys";
    }
  }

  void operate(int rank, const operation& op) {
    std::string label;
    if (op.when) label = fmt::format("LC{:02}", labels_++);
    for (const auto& g : {op.when, op.also}) {
      if (g) {
        add(rank,
            fmt::format("{} r{}, {}, {}", g->negated ? "beq" : "bne", g->target, g->value, label));
      }
    }
    carry_out(rank, op);
    if (op.when) add(rank, label + ":");
  }

  void carry_out(int rank, const operation& op) {
    using enum memory_order;
    const std::string scope = scope_of(op.how);
    if (op.kind == operation_kind::fence) {
      if (op.how == strength::thread || op.order == relaxed) return;
      return add(rank, fmt::format("fence.{}.{}", op.order == seq_cst ? "sc" : "acq_rel", scope));
    }
    const int place = op.stride != 0 ? (op.location + op.stride * rank) % program_.locations
                                     : program_.place_in(program_.block_of(rank), op.location);
    const char location = location_names[static_cast<std::size_t>(place)];
    const bool is_weak = op.how == strength::plain || op.how == strength::thread;
    const bool is_volatile = op.how == strength::volatile_access;
    const memory_order order = is_volatile ? relaxed : order_of(op);
    const std::string again = fmt::format("LC{:02}", labels_);
    if (op.goes_round()) {
      ++labels_;
      add(rank, again + ":");
    }
    if (!is_weak && order == seq_cst) add(rank, "fence.sc." + scope);
    const auto with = [&](memory_order in_place_of_sc) {
      constexpr std::array names{"relaxed", "acquire", "release", "acq_rel"};
      const memory_order real = order == seq_cst ? in_place_of_sc : order;
      return is_weak ? std::string("weak")
                     : fmt::format("{}.{}", names[static_cast<std::size_t>(real)], scope);
    };
    const bool fails = failing_.contains({rank, op.target});
    if (op.kind == operation_kind::load || op.kind == operation_kind::spin || fails) {
      const bool acquires = order != relaxed && order != release;
      const std::string how = is_weak ? "weak" : (acquires ? "acquire." : "relaxed.") + scope;
      add(rank, fmt::format("ld.{} r{}, {}", how, op.target, location));
      if (op.kind == operation_kind::spin)
        add(rank, fmt::format("beq r{}, 0, {}", op.target, again));
      return;
    }
    if (op.kind == operation_kind::store) {
      const std::string value =
          op.source < 0 ? fmt::to_string(op.value) : fmt::format("r{}", op.source);
      return add(rank, fmt::format("st.{} {}, {}", with(relaxed), location, value));
    }
    if (is_weak) return update_weakly(rank, op, location);
    if (op.result == result_use::nothing) {
      return add(rank, fmt::format("red.{}.add {}, {}", with(acquire), location, op.value));
    }
    const std::string begin = "atom." + with(acquire);
    if (op.kind == operation_kind::compare_exchange) {
      return add(rank, fmt::format("{}.cas r{}, {}, {}, {}", begin, op.target, location,
                                   op.expected, op.value));
    }
    add(rank,
        fmt::format("{}.{} r{}, {}, {}", begin, op.kind == operation_kind::add ? "add" : "exch",
                    op.target, location, op.value));
    if (op.kind == operation_kind::take) add(rank, fmt::format("bne r{}, 0, {}", op.target, again));
  }

  /// PTX has no weak read-modify-write: a weak load, and a weak store. (A compare-exchange that is
  /// not to succeed is the load alone.)
  void update_weakly(int rank, const operation& op, char location) {
    constexpr int sum = 99;
    add(rank, fmt::format("ld.weak r{}, {}", op.target, location));
    if (op.kind == operation_kind::add) {
      add(rank, fmt::format("add r{}, r{}, {}", sum, op.target, op.value));
      return add(rank, fmt::format("st.weak {}, r{}", location, sum));
    }
    if (op.kind != operation_kind::compare_exchange)
      return add(rank, fmt::format("st.weak {}, {}", location, op.value));
    const std::string behind = fmt::format("LC{:02}", labels_++);
    add(rank, fmt::format("bne r{}, {}, {}", op.target, op.expected, behind));
    add(rank, fmt::format("st.weak {}, {}", location, op.value));
    add(rank, behind + ":");
  }
};

}  // namespace

std::string name_of(const program& p) { return fmt::format("weak_{}", p.index); }

std::string subject_of(const program& p) { return subject_printer(p).print(); }

std::string header_of(const std::vector<program>& programs) {
  std::string text =
      naive::emit_prologue() + "\nnamespace weak {\nstruct shared {\n  int cells[4];\n};\n}\n";
  for (const program& p : programs) text += "\n" + subject_of(p);
  return text;
}

std::string litmus_test_of(const program& p, const std::set<lane_register>& failing) {
  return test_printer(p, failing).print();
}

}  // namespace weak
