// Runs a litmus program in every order of its instructions, one after the other.
#include "tests/litmus/sequential.hpp"

#include <algorithm>
#include <compare>
#include <optional>

#include "tests/litmus/arithmetic.hpp"

namespace naive {
namespace {

using namespace litmus;

/// A thread has got to a barrier.
struct sequential_arrival {
  std::uint32_t thread = 0, instruction = 0;
  std::optional<value> resource;
  friend auto operator<=>(const sequential_arrival&, const sequential_arrival&) = default;
};

struct sequential_thread {
  std::uint32_t at = 0;
  bool waits = false;  // has arrived at the barrier that it is at
  std::vector<value> registers;
  friend auto operator<=>(const sequential_thread&, const sequential_thread&) = default;
};

struct sequential_state {
  std::vector<sequential_thread> threads;
  std::vector<value> memory;
  std::set<sequential_arrival> arrivals;
  friend auto operator<=>(const sequential_state&, const sequential_state&) = default;
};

class sequential_run {
 public:
  sequential_run(const program& p, const std::vector<variable>& observed)
      : p_(p), observed_(observed) {}

  std::set<std::vector<value>> run() {
    sequential_state first;
    for (const thread& t : p_.threads) first.threads.push_back({0, false, t.initial});
    first.memory = p_.initial;
    std::vector<sequential_state> todo{first};
    while (!todo.empty()) {
      const sequential_state s = std::move(todo.back());
      todo.pop_back();
      if (!seen_.insert(s).second) continue;
      bool over = true;
      for (std::uint32_t t = 0; t < p_.threads.size(); ++t) {
        if (s.threads[t].at == p_.threads[t].instructions.size()) continue;
        over = false;
        sequential_state next = s;
        if (step(next, t)) todo.push_back(std::move(next));
      }
      if (over) record(s);
    }
    return std::move(outcomes_);
  }

 private:
  const program& p_;
  const std::vector<variable>& observed_;
  std::set<sequential_state> seen_;
  std::set<std::vector<value>> outcomes_;

  void record(const sequential_state& s) {
    std::vector<value> values;
    for (const variable& v : observed_) {
      values.push_back(v.is_register ? s.threads[v.thread].registers[v.index] : s.memory[v.index]);
    }
    outcomes_.insert(values);
  }

  static value value_of(const sequential_thread& t, const operand& o) {
    return o.is_register ? t.registers[o.index] : o.integer;
  }

  /// False: the thread waits.
  bool step(sequential_state& s, std::uint32_t thread) {
    sequential_thread& t = s.threads[thread];
    const instruction& one = p_.threads[thread].instructions[t.at];
    switch (one.code) {
      case opcode::move: t.registers[one.destination] = value_of(t, one.a); break;
      case opcode::arithmetic:
        t.registers[one.destination] =
            computed(one.operation, value_of(t, one.a), value_of(t, one.b));
        break;
      case opcode::load: t.registers[one.destination] = s.memory[one.location]; break;
      case opcode::store: s.memory[one.location] = value_of(t, one.a); break;
      case opcode::atom:
      case opcode::red: {
        value& place = s.memory[one.location];
        const value old = place, a = value_of(t, one.a);
        if (one.operation == operation::compare_and_swap) {
          if (old == a) place = value_of(t, one.b);
        } else {
          place = computed(one.operation, old, a);
        }
        if (one.code == opcode::atom) t.registers[one.destination] = old;
        break;
      }
      case opcode::fence: break;
      case opcode::copy: throw std::logic_error("an interpreter of threads alone has no copies");
      case opcode::barrier:
      case opcode::arrive: {
        const std::optional<value> resource =
            one.resource ? std::optional(value_of(t, *one.resource)) : std::nullopt;
        if (!t.waits) {
          s.arrivals.insert({thread, t.at, resource});
          t.waits = one.code == opcode::barrier;
          if (t.waits) return true;
        } else {
          if (!is_let_go(s, thread, one, resource)) return false;
          t.waits = false;
        }
        break;
      }
      case opcode::jump: t.at = one.target; return true;
      case opcode::branch:
        t.at =
            holds(one.comparison, value_of(t, one.a), value_of(t, one.b)) ? one.target : t.at + 1;
        return true;
    }
    ++t.at;
    return true;
  }

  /// With a quorum, so many have arrived at barriers that meet with this one; without, everybody
  /// of the CTA at those that do, or that might have come to.
  [[nodiscard]] bool is_let_go(const sequential_state& s, std::uint32_t thread,
                               const instruction& here,
                               const std::optional<value>& resource) const {
    value arrived = 0;
    for (const sequential_arrival& a : s.arrivals) {
      const instruction& there = p_.threads[a.thread].instructions[a.instruction];
      if (there.instance == here.instance && a.resource == resource && meets(thread, a.thread)) {
        ++arrived;
      }
    }
    if (here.quorum) return arrived >= value_of(s.threads[thread], *here.quorum);
    for (std::uint32_t t = 0; t < p_.threads.size(); ++t) {
      const auto& all = p_.threads[t].instructions;
      for (std::uint32_t at = 0; at < all.size() && meets(thread, t); ++at) {
        if (!all[at].is_barrier() || all[at].instance != here.instance) continue;
        const auto& other = all[at].resource;
        const bool open = other && other->is_register;
        const bool same = other ? resource && other->integer == *resource : !resource;
        const auto is_here = [&](const sequential_arrival& a) {
          return a.thread == t && a.instruction == at;
        };
        if ((open || same) && std::ranges::none_of(s.arrivals, is_here)) return false;
      }
    }
    return true;
  }

  [[nodiscard]] bool meets(std::uint32_t a, std::uint32_t b) const {
    return a == b || common_scope(p_, a, b) == scope::cta;
  }
};

}  // namespace

std::set<std::vector<value>> run_sequentially(const program& p,
                                              const std::vector<variable>& observed) {
  return sequential_run(p, observed).run();
}

}  // namespace naive
