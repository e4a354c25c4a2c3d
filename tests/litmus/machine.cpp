#include "tests/litmus/machine.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <unordered_set>

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

/// With ranks: the newest message, by the order in which they came to be, that something depends
/// on.
struct thread_state {
  std::uint32_t at = 0;
  bool arrived = false;
  std::uint32_t control = 0;
  std::vector<value> registers;
  std::vector<std::uint32_t> ranks;  // of registers
};

struct situation {
  std::vector<thread_state> threads;
  simt::weak_state memory;
  std::uint32_t next_rank = 1;
};

/// A store that a thread may promise.
struct candidate {
  std::uint32_t location = 0;
  value stored = 0;
  bool chained = false;
  simt::memory_access how;
  friend bool operator<(const candidate& a, const candidate& b) {
    const auto key = [](const candidate& c) {
      return std::tuple(c.location, c.stored, c.chained, c.how.strong, c.how.release, c.how.scope);
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
    situation first;
    for (const litmus::thread& t : p_.threads) {
      first.threads.push_back(
          {0, false, 0, t.initial, std::vector<std::uint32_t>(t.registers.size())});
    }
    values_.assign(p_.initial.begin(), p_.initial.end());
    first.memory = memory_.initial();
    visit(std::move(first));
    result_.states = seen_.size();
    return std::move(result_);
  }

 private:
  const program& p_;
  const std::vector<litmus::variable>& observed_;
  bool promises_;
  simt::ptx_memory memory_;
  std::unordered_set<std::string> seen_;
  machine_result result_;
  std::vector<value> values_;  // initial, by location
  // A thread alone: what it might store, or whether it keeps its promises.
  std::uint32_t alone_ = none;
  std::uint32_t present_ = 0;  // ranks below it were there when it began
  bool kept_ = false;
  std::set<candidate>* candidates_ = nullptr;
  std::unordered_set<std::string> alone_seen_;
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  void visit(situation s, bool crossed = false) {
    for (std::uint32_t t = 0; t < s.threads.size(); ++t) {
      run_ahead(s, t);
      if (is_over(s, t) && alone_ == none) simt::ptx_memory::end(s.memory, t);
    }
    if (alone_ != none) return visit_alone(s, crossed);
    if (!promises_) keep_values(s);
    for (std::uint32_t t = 0; t < s.threads.size(); ++t) {
      if (simt::ptx_memory::has_promises(s.memory, t) && !can_keep(s, t)) return;
    }
    if (!seen_.insert(key_of(s)).second) return;
    bool over = true;
    // As in the simulator: a promise is read in the very next step.
    const simt::message* const unread = unread_in(s);
    for (std::uint32_t t = 0; t < s.threads.size(); ++t) {
      if (is_over(s, t)) continue;
      over = false;
      must_read_ = unread != nullptr;
      step(s, t, p_.threads[t].instructions[s.threads[t].at]);
      if (promises_ && (unread == nullptr || unread->writer == t)) promise_steps(s, t);
    }
    if (!over) return;
    std::vector<value> values;
    for (const litmus::variable& v : observed_) {
      values.push_back(v.is_register ? s.threads[v.thread].registers[v.index] : newest(s, v.index));
    }
    result_.outcomes.insert(values);
  }

  static const simt::message* unread_in(const situation& s) {
    for (const simt::memory_location& x : s.memory.locations) {
      for (const simt::message& m : x.messages) {
        if (m.unread) return &m;
      }
    }
    return nullptr;
  }

  [[nodiscard]] bool is_over(const situation& s, std::uint32_t t) const {
    return s.threads[t].at == p_.threads[t].instructions.size();
  }

  void visit_alone(const situation& s, bool crossed) {
    if (kept_ || !alone_seen_.insert(key_of(s) + (crossed ? "c" : "")).second) return;
    if (candidates_ == nullptr && !simt::ptx_memory::has_promises(s.memory, alone_)) {
      kept_ = true;
      return;
    }
    if (is_over(s, alone_)) return;
    crossed_ = crossed;
    step(s, alone_, p_.threads[alone_].instructions[s.threads[alone_].at]);
  }

  bool can_keep(const situation& s, std::uint32_t thread) {
    begin_alone(s, thread, nullptr);
    visit_alone(s, false);
    alone_ = none;
    return kept_;
  }
  void begin_alone(const situation& s, std::uint32_t thread, std::set<candidate>* all) {
    alone_ = thread;
    present_ = s.next_rank;
    kept_ = false;
    candidates_ = all;
    alone_seen_.clear();
  }

  void promise_steps(const situation& from, std::uint32_t thread) {
    std::set<candidate> all;
    begin_alone(from, thread, &all);
    visit_alone(from, false);
    alone_ = none;
    for (const candidate& c : all) {
      situation base = from;
      const std::uint16_t x = simt::ptx_memory::locate(
          base.memory, c.location, 8, static_cast<std::uint64_t>(newest(base, c.location)));
      const std::size_t count = base.memory.locations[x].messages.size();
      for (std::size_t m = 1; m <= count; ++m) {
        if (!simt::ptx_memory::may_promise(base.memory, thread, x, m, c.chained)) continue;
        situation s = base;
        simt::memory_access how = c.how;
        how.rank = s.next_rank++;
        const bool has_unread = unread_in(s) != nullptr;
        if (has_unread && (!c.chained || !s.memory.locations[x].messages[m - 1].unread)) continue;
        memory_.promise(s.memory, thread, how, x, m, static_cast<std::uint64_t>(c.stored),
                        c.chained);
        visit(std::move(s));
      }
    }
  }

  // Locations that canonicalizing drops have a value all the same: extra registers hold it.
  std::vector<value>& dropped(situation& s) { return s.threads.front().registers; }
  [[nodiscard]] std::size_t slot(std::uint32_t location) const {
    return p_.threads.front().registers.size() + location;
  }
  void keep_values(situation& s) {
    auto& values = dropped(s);
    for (std::uint32_t x = 0; x < p_.locations.size(); ++x) {
      if (values.size() <= slot(x)) values.resize(slot(x) + 1, p_.initial[x]);
    }
    for (const simt::memory_location& x : s.memory.locations) {
      values[slot(x.key)] = static_cast<value>(x.messages.back().value);
    }
    memory_.canonicalize(s.memory);
  }
  value newest(situation& s, std::uint32_t location) {
    for (const simt::memory_location& x : s.memory.locations) {
      if (x.key == location) return static_cast<value>(x.messages.back().value);
    }
    return dropped(s).size() > slot(location) ? dropped(s)[slot(location)] : p_.initial[location];
  }

  static std::string key_of(const situation& s) {
    std::vector<std::uint8_t> bytes;
    for (const thread_state& t : s.threads) {
      bytes.push_back(static_cast<std::uint8_t>(t.at));
      bytes.push_back(t.arrived ? 1 : 0);
      for (const value v : t.registers) {
        for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<std::uint8_t>(v >> (8 * i)));
      }
      for (const std::uint32_t r : t.ranks) bytes.push_back(static_cast<std::uint8_t>(r));
      bytes.push_back(static_cast<std::uint8_t>(t.control));
      bytes.push_back(0xff);
    }
    encode(s.memory, bytes);
    return {bytes.begin(), bytes.end()};
  }

  static value value_of(const thread_state& t, const litmus::operand& o) {
    return o.is_register ? t.registers[o.index] : o.integer;
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
      case litmus::operation::exchange: return a;
      case litmus::operation::compare_and_swap: return old == a ? b : old;
    }
    return 0;
  }

  /// What no other thread sees.
  void run_ahead(situation& s, std::uint32_t thread) {
    thread_state& t = s.threads[thread];
    const auto& all = p_.threads[thread].instructions;
    while (t.at < all.size()) {
      const instruction& i = all[t.at];
      const std::uint32_t rank = std::max(rank_of(t, i.a), rank_of(t, i.b));
      if (i.code == opcode::move) {
        t.registers[i.destination] = value_of(t, i.a);
        t.ranks[i.destination] = rank_of(t, i.a);
      } else if (i.code == opcode::arithmetic) {
        t.registers[i.destination] = compute(i, value_of(t, i.a), value_of(t, i.b), 0);
        t.ranks[i.destination] = rank;
      } else if (i.code == opcode::branch) {
        if (promises_) t.control = std::max(t.control, rank);
        if (litmus::holds(i.comparison, value_of(t, i.a), value_of(t, i.b))) {
          t.at = i.target;
          continue;
        }
      } else if (i.code == opcode::jump) {
        t.at = i.target;
        continue;
      } else {
        return;
      }
      ++t.at;
    }
  }

  void go_on(situation s, std::uint32_t thread, const simt::memory_effect& effect,
             bool crosses = false) {
    if (!effect.possible) return;
    if (alone_ == none && must_read_ && unread_in(s) != nullptr) return;
    if (effect.race) {
      if (alone_ == none) result_.race = true;
      return;
    }
    ++s.threads[thread].at;
    const bool must_read = must_read_, crossed = crossed_;
    visit(std::move(s), crossed || crosses);
    must_read_ = must_read;
    crossed_ = crossed;
  }

  void step(const situation& from, std::uint32_t thread, const instruction& i) {
    const bool crossed = crossed_;
    if (alone_ == none) crossed_ = false;
    switch (i.code) {
      case opcode::fence: {
        situation s = from;
        const bool sc = i.order == litmus::memory_order::sc;
        const auto effect = memory_.fence(s.memory, thread, sc, scope_of(i.scope), alone_ != none);
        go_on(std::move(s), thread, effect, sc);
        break;
      }
      case opcode::barrier:
      case opcode::arrive: barrier(from, thread, i); break;
      default: access(from, thread, i); break;
    }
    crossed_ = crossed;
  }

  bool must_read_ = false;
  bool crossed_ = false;  // alone: behind a load, a barrier or a fence.sc

  /// A store of `thread`, or one with the load of `m` before it: as a promise, or as it is.
  void store(const situation& from, std::uint32_t thread, const instruction& i,
             const simt::memory_access& access, std::uint16_t x, std::size_t m, value stored,
             std::uint32_t depends, bool chained) {
    const auto value_stored = static_cast<std::uint64_t>(stored);
    const std::size_t made = chained ? m + 1 : m;
    const auto finish = [&](situation& s, const simt::memory_effect& effect) {
      thread_state& t = s.threads[thread];
      if (chained && i.code == opcode::atom) {
        const simt::message& source = from.memory.locations[x].messages[m];
        t.registers[i.destination] = static_cast<value>(source.value);
        if (promises_) t.ranks[i.destination] = source.rank;
      }
      go_on(std::move(s), thread, effect, chained);
    };
    const auto& all = from.memory.locations[x].messages;
    if (made < all.size() && all[made].rank > depends &&
        memory_.keeps_promise(from.memory, thread, access, x, made, value_stored, chained)) {
      situation s = from;
      const auto effect = memory_.keep(s.memory, thread, access, x, made);
      finish(s, effect);
    }
    const bool possible = chained ? simt::ptx_memory::may_update(from.memory, thread, x, m)
                                  : simt::ptx_memory::may_store(from.memory, thread, x, m);
    if (!possible) return;
    if (candidates_ != nullptr && alone_ != none && crossed_ && depends < present_) {
      candidates_->insert({i.location, stored, chained, access});
    }
    situation s = from;
    simt::memory_access how = access;
    if (promises_) how.rank = s.next_rank++;
    const auto effect = chained ? memory_.update(s.memory, thread, how, x, m, value_stored)
                                : memory_.store(s.memory, thread, how, x, m, value_stored);
    finish(s, effect);
  }

  void access(const situation& from, std::uint32_t thread, const instruction& i) {
    using enum litmus::memory_order;
    simt::memory_access how{i.order != weak, i.order == acquire || i.order == acq_rel,
                            i.order == release || i.order == acq_rel, scope_of(i.scope)};
    how.returns_nothing = i.code == opcode::red;
    how.is_alone = alone_ != none;
    situation base = from;
    const thread_state& t = base.threads[thread];
    const std::uint16_t x = simt::ptx_memory::locate(
        base.memory, i.location, 8, static_cast<std::uint64_t>(newest(base, i.location)));
    const auto& all = base.memory.locations[x].messages;
    const std::uint32_t operands = std::max({t.control, rank_of(t, i.a), rank_of(t, i.b)});
    for (std::size_t m = 0; m <= all.size(); ++m) {
      if (i.code == opcode::store) {
        store(base, thread, i, how, x, m, value_of(t, i.a), std::max(t.control, rank_of(t, i.a)),
              false);
        continue;
      }
      if (m == all.size()) break;
      const auto old = static_cast<value>(all[m].value);
      if (!simt::ptx_memory::may_read(base.memory, thread, x, m)) continue;
      if (i.code == opcode::load) {
        situation s = base;
        const auto effect = memory_.load(s.memory, thread, how, x, m);
        s.threads[thread].registers[i.destination] = old;
        if (promises_) s.threads[thread].ranks[i.destination] = all[m].rank;
        go_on(std::move(s), thread, effect, how.strong);
      } else {
        const bool free = i.operation == litmus::operation::exchange;
        store(base, thread, i, how, x, m, compute(i, old, value_of(t, i.a), value_of(t, i.b)),
              free ? operands : std::max(operands, all[m].rank), true);
      }
    }
  }

  // Without quorums, each instance once.
  void barrier(const situation& from, std::uint32_t thread, const instruction& i) {
    const auto meets = [&](std::uint32_t other, const instruction& there) {
      return there.is_barrier() && there.instance == i.instance &&
             (other == thread || litmus::common_scope(p_, thread, other) == litmus::scope::cta);
    };
    situation s = from;
    const auto number =
        static_cast<std::uint32_t>(i.instance * 16 + static_cast<value>(first_of_cta(thread)));
    if (!s.threads[thread].arrived) {
      simt::ptx_memory::arrive(s.memory, thread, number);
      if (i.code == opcode::arrive) return go_on(std::move(s), thread, {});
      if (alone_ != none) return go_on(std::move(s), thread, {}, true);
      s.threads[thread].arrived = true;
      return visit(std::move(s));
    }
    for (std::uint32_t other = 0; other < p_.threads.size(); ++other) {
      const auto& all = p_.threads[other].instructions;
      for (std::uint32_t at = 0; at < all.size(); ++at) {
        if (!meets(other, all[at])) continue;
        const thread_state& t = s.threads[other];
        if (t.at < at || (t.at == at && !t.arrived)) return;  // to be waited for
      }
    }
    s.threads[thread].arrived = false;
    const std::uint32_t me = thread;
    simt::ptx_memory::complete(s.memory, number, {&me, 1});
    go_on(std::move(s), thread, {});
  }

  [[nodiscard]] std::uint32_t first_of_cta(std::uint32_t thread) const {
    for (std::uint32_t t = 0; t < thread; ++t) {
      if (litmus::common_scope(p_, t, thread) == litmus::scope::cta) return t;
    }
    return thread;
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
                              bool canonical) {
  return machine_run(p, observed, canonical).run();
}

}  // namespace naive
