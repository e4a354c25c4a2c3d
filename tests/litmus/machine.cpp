// Explores a litmus test on the machine of weak memory, state by state, and collects its outcomes.
#include "tests/litmus/machine.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "tests/litmus/machine_barriers.hpp"

namespace naive {
namespace {

using litmus::instruction;
using litmus::opcode;
using litmus::program;
using litmus::value;

simt::sync_scope scope_of(litmus::scope s) {
  switch (s) {
    case litmus::scope::none:
    case litmus::scope::cta: return simt::sync_scope::cta;
    case litmus::scope::cluster: return simt::sync_scope::cluster;
    case litmus::scope::gpu: return simt::sync_scope::gpu;
    case litmus::scope::sys: return simt::sync_scope::sys;
  }
  return simt::sync_scope::sys;
}

simt::ptx_memory::common_scopes common_in(const program& p) {
  return [&p](std::uint32_t a, std::uint32_t b) {
    return a == b ? simt::sync_scope::cta : scope_of(litmus::common_scope(p, a, b));
  };
}

bool stores(const instruction& i) {
  return i.code == opcode::store || i.code == opcode::atom || i.code == opcode::red;
}

bool accesses(const instruction& i) { return i.code == opcode::load || stores(i); }

/// A store that a thread may promise.
struct candidate {
  std::uint32_t location = 0;
  std::optional<value> old;  // of a read-modify-write: what it reads
  value stored = 0;
  simt::memory_access how;
  bool after_reading = false;  // behind a read of the promise that nobody has read yet
  friend bool operator<(const candidate& a, const candidate& b) {
    const auto key = [](const candidate& c) {
      return std::tuple(c.after_reading, c.location, c.old, c.stored, c.how.strong, c.how.release,
                        c.how.scope);
    };
    return key(a) < key(b);
  }
};

class machine_run {
 public:
  machine_run(const program& p, const std::vector<litmus::variable>& observed, bool promises)
      : p_(p),
        observed_(observed),
        promises_(promises),
        memory_(static_cast<std::uint32_t>(p.threads.size()), common_in(p), facts_of(p)) {}

  machine_result run() {
    std::vector<machine_state> todo{initial_state(p_, memory_)};
    while (!todo.empty() && !result_.race) {
      machine_state s = std::move(todo.back());
      todo.pop_back();
      next_ = &todo;
      visit(s);
    }
    return std::move(result_);
  }

 private:
  const program& p_;
  const std::vector<litmus::variable>& observed_;
  bool promises_;
  simt::ptx_memory memory_;
  std::unordered_set<std::string> seen_;
  machine_result result_;
  std::vector<machine_state>* next_ = nullptr;  // what steps lead to
  bool must_read_ = false;  // a step must read the promise that nobody has read yet
  // A thread alone: what it might store, or whether it keeps its promises.
  std::uint32_t alone_ = none;
  std::uint32_t present_ = 0;  // ranks below it were there when it began
  std::set<candidate>* candidates_ = nullptr;
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  void visit(machine_state& s) {
    for (std::uint32_t t = 0; t < s.threads.size(); ++t) {
      if (!run_ahead(s.threads[t], t)) return;  // for ever: that is no complete execution
      if (is_over(s, t)) simt::ptx_memory::end(s.memory, t);
    }
    canonicalize(s, memory_);
    renumber(s);
    if (!seen_.insert(key_of(s)).second) return;
    if (!all_can_keep(s)) return;
    bool over = true;
    // A promise is read in the very next step, or in front of the next promise: otherwise it could
    // be made later.
    const simt::message* const unread = unread_in(s);
    must_read_ = unread != nullptr;
    for (std::uint32_t t = 0; t < s.threads.size(); ++t) {
      if (is_over(s, t)) continue;
      over = false;
      step(s, t);
      if (promises_) promise_steps(s, t);
    }
    if (!over) return;
    std::vector<value> values;
    for (const litmus::variable& v : observed_) {
      values.push_back(v.is_register ? s.threads[v.thread].registers[v.index]
                                     : newest(s, v.index).stored);
    }
    result_.outcomes.insert(values);
  }

  [[nodiscard]] bool is_over(const machine_state& s, std::uint32_t t) const {
    return s.threads[t].at == p_.threads[t].instructions.size();
  }

  /// Everything that `thread` could do alone; ends early where `enough` says so of a state.
  template <class Enough>
  bool run_alone(const machine_state& from, std::uint32_t thread, Enough enough) {
    std::vector<machine_state> todo{from};
    std::vector<machine_state>* const kept = std::exchange(next_, &todo);
    alone_ = thread;
    present_ = from.next_rank;
    std::unordered_set<std::string> seen;
    bool found = false;
    while (!todo.empty() && !found) {
      machine_state s = std::move(todo.back());
      todo.pop_back();
      if (!run_ahead(s.threads[thread], thread)) continue;
      canonicalize(s, memory_);
      if (!seen.insert(key_of(s)).second) continue;
      found = enough(s);
      if (!found && !is_over(s, thread)) step(s, thread);
    }
    alone_ = none;
    next_ = kept;
    return found;
  }

  bool can_keep(const machine_state& s, std::uint32_t thread) {
    return run_alone(s, thread, [&](const machine_state& later) {
      return !simt::ptx_memory::has_promises(later.memory, thread);
    });
  }

  /// Whether everybody can keep all promises, each alone, if the run has ended for `ended`. (If
  /// that thread has promised something, all that has happened may as well happen without that
  /// promise, until the store is carried out.)
  bool all_can_keep(const machine_state& s, std::uint32_t ended = none) {
    for (std::uint32_t t = 0; t < s.threads.size(); ++t) {
      if (!simt::ptx_memory::has_promises(s.memory, t)) continue;
      if (t == ended || !can_keep(s, t)) return false;
    }
    return true;
  }

  void promise_steps(const machine_state& from, std::uint32_t thread) {
    std::set<candidate> all;
    candidates_ = &all;
    run_alone(from, thread, [](const machine_state&) { return false; });
    candidates_ = nullptr;
    for (const candidate& c : all) {
      machine_state base = from;
      const std::uint16_t x = locate(base, c.location);
      const auto& all = base.memory.locations[x].messages;
      for (std::size_t m = 1; m <= all.size(); ++m) {
        const simt::message& before = all[m - 1];
        const bool chained = c.old.has_value();
        if (!simt::ptx_memory::may_promise(base.memory, thread, x, m, chained)) continue;
        if (chained && static_cast<value>(before.value) != *c.old) continue;
        if (!c.after_reading && !(chained && before.unread)) continue;
        machine_state s = base;
        mark_read(s);
        simt::memory_access how = c.how;
        how.rank = s.next_rank;
        memory_.promise(s.memory, thread, how, x, m, static_cast<std::uint64_t>(c.stored), chained);
        next_->push_back(std::move(s));
      }
    }
  }

  static value value_of(const thread_state& t, const litmus::operand& o) {
    return o.is_register ? t.registers[o.index] : o.integer;
  }
  static std::optional<value> value_of(const thread_state& t,
                                       const std::optional<litmus::operand>& o) {
    return o ? std::optional(value_of(t, *o)) : std::nullopt;
  }
  static std::uint32_t rank_of(const thread_state& t, const litmus::operand& o) {
    return o.is_register ? t.ranks[o.index] : 0;
  }

  static value compute(const instruction& i, value old, value a, value b) {
    switch (i.operation) {
      case litmus::operation::add: return old + a;
      case litmus::operation::sub: return old - a;
      case litmus::operation::mul: return old * a;
      case litmus::operation::div: return a == 0 ? 0 : old / a;
      case litmus::operation::bit_and: return old & a;
      case litmus::operation::bit_or: return old | a;
      case litmus::operation::bit_xor: return old ^ a;
      case litmus::operation::increment: return old >= a ? 0 : old + 1;
      case litmus::operation::decrement: return old == 0 || old > a ? a : old - 1;
      case litmus::operation::minimum: return std::min(old, a);
      case litmus::operation::maximum: return std::max(old, a);
      case litmus::operation::exchange: return a;
      case litmus::operation::arrive_at_mbarrier: return old + a;
      case litmus::operation::compare_and_swap: return old == a ? b : old;
    }
    return 0;
  }

  /// What no other thread sees. False: it goes round for ever.
  bool run_ahead(thread_state& t, std::uint32_t thread) const {
    const auto& all = p_.threads[thread].instructions;
    std::set<std::pair<std::uint32_t, std::vector<value>>> been;
    while (t.at < all.size()) {
      const instruction& i = all[t.at];
      const std::uint32_t rank = std::max(rank_of(t, i.a), rank_of(t, i.b));
      bool jumps = i.code == opcode::jump;
      if (i.code == opcode::move) {
        t.registers[i.destination] = value_of(t, i.a);
        t.ranks[i.destination] = rank_of(t, i.a);
      } else if (i.code == opcode::arithmetic) {
        t.registers[i.destination] = compute(i, value_of(t, i.a), value_of(t, i.b), 0);
        t.ranks[i.destination] = rank;
      } else if (i.code == opcode::branch) {
        t.control = std::max(t.control, rank);
        jumps = litmus::holds(i.comparison, value_of(t, i.a), value_of(t, i.b));
      } else if (!jumps) {
        return true;
      }
      if (jumps && i.target <= t.at && !been.emplace(t.at, t.registers).second) return false;
      t.at = jumps ? i.target : t.at + 1;
    }
    return true;
  }

  void go_on(machine_state s, std::uint32_t thread, const simt::memory_effect& effect,
             bool crosses = false) {
    if (!effect.possible) return;
    if (alone_ == none && must_read_ && unread_in(s) != nullptr) return;
    if (effect.race) {
      if (alone_ == none && all_can_keep(s, thread)) result_.race = true;
      return;
    }
    ++s.threads[thread].at;
    if (alone_ != none && crosses) s.crossed = true;
    next_->push_back(std::move(s));
  }

  void step(const machine_state& from, std::uint32_t thread) {
    const instruction& i = p_.threads[thread].instructions[from.threads[thread].at];
    switch (i.code) {
      case opcode::fence: {
        machine_state s = from;
        const bool sc = i.order == litmus::memory_order::sc;
        using order = litmus::memory_order;
        const auto sides = i.order == order::acquire   ? simt::fence_sides::acquires
                           : i.order == order::release ? simt::fence_sides::releases
                                                       : simt::fence_sides::both;
        const auto effect =
            memory_.fence(s.memory, thread, sc, scope_of(i.scope), alone_ != none, sides);
        go_on(std::move(s), thread, effect, sc);
        break;
      }
      case opcode::barrier:
      case opcode::arrive: barrier(from, thread, i); break;
      default: access(from, thread, i); break;
    }
  }

  /// A store of `thread`, or one with the load of `m` before it: as a promise, or as it is.
  void store(const machine_state& from, std::uint32_t thread, const instruction& i,
             const simt::memory_access& access, std::uint16_t x, std::size_t m, value stored,
             std::uint32_t depends, bool chained) {
    const auto value_stored = static_cast<std::uint64_t>(stored);
    const std::size_t made = chained ? m + 1 : m;
    const auto& all = from.memory.locations[x].messages;
    thread_state after = from.threads[thread];
    if (chained && i.code == opcode::atom) {
      after.registers[i.destination] = static_cast<value>(all[m].value);
      after.ranks[i.destination] = all[m].rank;
    }
    const auto finish = [&](machine_state& s, const simt::memory_effect& effect) {
      s.threads[thread] = after;
      go_on(std::move(s), thread, effect, chained);
    };
    const auto old =
        chained ? std::optional(static_cast<value>(all[m].value)) : std::optional<value>();
    const bool repeats = old == stored && !memory_.facts().mixed.contains(i.location) &&
                         comes_back(from.threads[thread], after, thread);
    if (!repeats && made < all.size() && all[made].rank > depends &&
        memory_.keeps_promise(from.memory, thread, access, x, made, value_stored, chained)) {
      machine_state s = from;
      const auto effect = memory_.keep(s.memory, thread, access, x, made);
      finish(s, effect);
    }
    const bool possible = chained ? simt::ptx_memory::may_update(from.memory, thread, x, m)
                                  : simt::ptx_memory::may_store(from.memory, thread, x, m);
    if (!possible) return;
    if (candidates_ != nullptr && from.crossed && depends < present_ && !repeats) {
      candidates_->insert({i.location, old, stored, access, unread_in(from) == nullptr});
    }
    machine_state s = from;
    simt::memory_access how = access;
    how.rank = s.next_rank;
    const auto effect = chained ? memory_.update(s.memory, thread, how, x, m, value_stored)
                                : memory_.store(s.memory, thread, how, x, m, value_stored);
    finish(s, effect);
  }

  /// A round of a spin loop that changes nothing is not promised, and keeps no promise
  /// (docs/memory-model.md, "Rounds of a spin loop are left out"); there would be no end to that.
  [[nodiscard]] bool comes_back(const thread_state& here, thread_state after,
                                std::uint32_t thread) const {
    ++after.at;
    if (!run_ahead(after, thread) || after.at != here.at) return false;
    const instruction& i = p_.threads[thread].instructions[here.at];
    const auto is_result = [&](const litmus::operand& o) {
      return o.is_register && o.index == i.destination;
    };
    // The next round sets it again.
    const bool is_dead = i.code == opcode::atom && !is_result(i.a) && !is_result(i.b);
    if (is_dead) after.registers[i.destination] = here.registers[i.destination];
    return after.registers == here.registers;
  }

  void access(const machine_state& from, std::uint32_t thread, const instruction& i) {
    using enum litmus::memory_order;
    simt::memory_access how{i.order != weak, i.order == acquire || i.order == acq_rel,
                            i.order == release || i.order == acq_rel, scope_of(i.scope)};
    how.returns_nothing = i.code == opcode::red;
    how.is_alone = alone_ != none;
    machine_state base = from;
    const thread_state& t = base.threads[thread];
    const std::uint16_t x = locate(base, i.location);
    const auto& all = base.memory.locations[x].messages;
    const std::uint32_t operands = std::max({t.control, rank_of(t, i.a), rank_of(t, i.b)});
    for (std::size_t m = 0; m <= all.size(); ++m) {
      if (i.code == opcode::store) {
        store(base, thread, i, how, x, m, value_of(t, i.a), operands, false);
        continue;
      }
      if (m == all.size()) break;
      const auto old = static_cast<value>(all[m].value);
      if (!simt::ptx_memory::may_read(base.memory, thread, x, m)) continue;
      if (i.code == opcode::load) {
        machine_state s = base;
        const auto effect = memory_.load(s.memory, thread, how, x, m);
        s.threads[thread].registers[i.destination] = old;
        s.threads[thread].ranks[i.destination] = all[m].rank;
        go_on(std::move(s), thread, effect, how.strong);
      } else {
        const bool free = i.operation == litmus::operation::exchange;
        store(base, thread, i, how, x, m, compute(i, old, value_of(t, i.a), value_of(t, i.b)),
              free ? operands : std::max(operands, all[m].rank), true);
      }
    }
  }

  void barrier(const machine_state& from, std::uint32_t thread, const instruction& i) {
    machine_state s = from;
    thread_state& t = s.threads[thread];
    if (alone_ != none) {
      t.waits = false;
      return go_on(std::move(s), thread, {}, true);
    }
    const auto resource = value_of(t, i.resource);
    if (!t.waits) {
      if (is_arrival(i)) arrive(p_, memory_, s, thread, resource);
      if (i.code == opcode::arrive) return go_on(std::move(s), thread, {});
      t.waits = true;
      next_->push_back(std::move(s));
      return;
    }
    t.waits = false;
    const bool of_cluster = i.is_cluster_barrier();
    const barrier_group group{of_cluster, first_beside(p_, thread, of_cluster), i.instance,
                              resource, value_of(t, i.quorum)};
    for_each_release(p_, s, group, [&](machine_state next, const std::vector<arrival>& sources) {
      go_on_behind(p_, next, thread, sources);
      go_on(std::move(next), thread, {});
    });
  }
};

}  // namespace

simt::memory_facts facts_of(const program& p) {
  const auto common = common_in(p);
  const auto everybody = [&](litmus::scope s) {
    for (std::uint32_t a = 0; a < p.threads.size(); ++a) {
      for (std::uint32_t b = 0; b < p.threads.size(); ++b) {
        if (scope_of(s) < common(a, b)) return false;
      }
    }
    return true;
  };
  simt::memory_facts facts;
  std::set<std::uint32_t> stored, suspicious;
  for (const litmus::thread& t : p.threads) {
    for (const instruction& i : t.instructions) {
      const bool weak = i.order == litmus::memory_order::weak;
      if (i.code == opcode::fence && !everybody(i.scope)) facts.narrow = true;
      if (!accesses(i)) continue;
      const bool updates = i.code == opcode::atom || i.code == opcode::red;
      if (!updates || i.operation == litmus::operation::compare_and_swap)
        facts.ordinary.insert(i.location);
      if (stores(i)) stored.insert(i.location);
      if (!weak && !everybody(i.scope)) facts.narrow = true;
      if (weak || !everybody(i.scope)) suspicious.insert(i.location);
    }
  }
  std::ranges::set_intersection(stored, suspicious, std::inserter(facts.mixed, facts.mixed.end()));
  return facts;
}

machine_result run_on_machine(const program& p, const std::vector<litmus::variable>& observed,
                              bool promises) {
  return machine_run(p, observed, promises).run();
}

}  // namespace naive
