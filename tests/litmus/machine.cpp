#include "tests/litmus/machine.hpp"

#include <algorithm>
#include <string>
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

struct thread_state {
  std::uint32_t at = 0;
  bool arrived = false;
  std::vector<value> registers;
};

struct situation {
  std::vector<thread_state> threads;
  simt::weak_state memory;
};

class machine_run {
 public:
  machine_run(const program& p, const std::vector<litmus::variable>& observed, bool canonical)
      : p_(p),
        observed_(observed),
        canonical_(canonical),
        memory_(static_cast<std::uint32_t>(p.threads.size()), common_in(p), facts_of(p)) {}

  machine_result run() {
    situation first;
    for (const litmus::thread& t : p_.threads) first.threads.push_back({0, false, t.initial});
    first.memory = memory_.initial();
    visit(std::move(first));
    result_.states = seen_.size();
    return std::move(result_);
  }

 private:
  const program& p_;
  const std::vector<litmus::variable>& observed_;
  bool canonical_;
  simt::ptx_memory memory_;
  std::unordered_set<std::string> seen_;
  machine_result result_;
  std::vector<value> image_;  // by location: what it holds where the state says nothing of it

  void visit(situation s) {
    for (std::uint32_t t = 0; t < s.threads.size(); ++t) {
      run_ahead(s, t);
      if (s.threads[t].at == p_.threads[t].instructions.size()) simt::ptx_memory::end(s.memory, t);
    }
    if (canonical_) {
      keep_values(s);
      memory_.canonicalize(s.memory);
    }
    if (!seen_.insert(key_of(s)).second) return;
    bool over = true;
    for (std::uint32_t t = 0; t < s.threads.size(); ++t) {
      if (s.threads[t].at == p_.threads[t].instructions.size()) continue;
      over = false;
      step(s, t, p_.threads[t].instructions[s.threads[t].at]);
    }
    if (!over) return;
    std::vector<value> values;
    for (const litmus::variable& v : observed_) {
      values.push_back(v.is_register ? s.threads[v.thread].registers[v.index] : newest(s, v.index));
    }
    result_.outcomes.insert(values);
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
      bytes.push_back(0xff);
    }
    encode(s.memory, bytes);
    return {bytes.begin(), bytes.end()};
  }

  static value value_of(const thread_state& t, const litmus::operand& o) {
    return o.is_register ? t.registers[o.index] : o.integer;
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
      if (i.code == opcode::move) {
        t.registers[i.destination] = value_of(t, i.a);
      } else if (i.code == opcode::arithmetic) {
        t.registers[i.destination] = compute(i, value_of(t, i.a), value_of(t, i.b), 0);
      } else if (i.code == opcode::jump ||
                 (i.code == opcode::branch &&
                  litmus::holds(i.comparison, value_of(t, i.a), value_of(t, i.b)))) {
        t.at = i.target;
        continue;
      } else if (i.code != opcode::branch) {
        return;
      }
      ++t.at;
    }
  }

  void go_on(situation s, std::uint32_t thread, std::optional<simt::race_partner> race) {
    if (race) {
      result_.race = true;
      return;
    }
    ++s.threads[thread].at;
    visit(std::move(s));
  }

  void step(const situation& from, std::uint32_t thread, const instruction& i) {
    switch (i.code) {
      case opcode::fence: {
        situation s = from;
        memory_.fence(s.memory, thread, i.order == litmus::memory_order::sc, scope_of(i.scope));
        return go_on(std::move(s), thread, std::nullopt);
      }
      case opcode::barrier:
      case opcode::arrive: return barrier(from, thread, i);
      default: return access(from, thread, i);
    }
  }

  void access(const situation& from, std::uint32_t thread, const instruction& i) {
    using enum litmus::memory_order;
    const simt::memory_access how{i.order != weak, i.order == acquire || i.order == acq_rel,
                                  i.order == release || i.order == acq_rel, scope_of(i.scope)};
    situation base = from;
    const std::uint16_t x = simt::ptx_memory::locate(
        base.memory, i.location, 8, static_cast<std::uint64_t>(newest(base, i.location)));
    const std::size_t count = base.memory.locations[x].messages.size();
    for (std::size_t m = 0; m <= count; ++m) {
      situation s = base;
      thread_state& t = s.threads[thread];
      if (i.code == opcode::store) {
        if (!simt::ptx_memory::may_store(s.memory, thread, x, m)) continue;
        const auto stored = static_cast<std::uint64_t>(value_of(t, i.a));
        auto race = memory_.store(s.memory, thread, how, x, m, stored);
        go_on(std::move(s), thread, race);
        continue;
      }
      if (m == count) break;
      const auto old = static_cast<value>(s.memory.locations[x].messages[m].value);
      if (i.code == opcode::load) {
        if (!simt::ptx_memory::may_read(s.memory, thread, x, m)) continue;
        auto race = memory_.load(s.memory, thread, how, x, m);
        t.registers[i.destination] = old;
        go_on(std::move(s), thread, race);
      } else {
        if (!simt::ptx_memory::may_update(s.memory, thread, x, m)) continue;
        const value fresh = compute(i, old, value_of(t, i.a), value_of(t, i.b));
        auto race = memory_.update(s.memory, thread, how, x, m, static_cast<std::uint64_t>(fresh),
                                   i.code != opcode::red);
        if (i.code == opcode::atom) t.registers[i.destination] = old;
        go_on(std::move(s), thread, race);
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
      if (i.code == opcode::arrive) return go_on(std::move(s), thread, std::nullopt);
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
    go_on(std::move(s), thread, std::nullopt);
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
