// Computes for each instruction which registers and stores can still matter behind it.
#include "litmus/analysis.hpp"

#include <algorithm>

namespace litmus {

namespace {

bool writes_register(const instruction& i) {
  return i.code == opcode::move || i.code == opcode::arithmetic || i.code == opcode::load ||
         i.code == opcode::atom || i.reduction != reduction::none;
}

bool accesses(const instruction& i) {
  return i.code == opcode::load || i.code == opcode::store || i.code == opcode::atom ||
         i.code == opcode::red;
}

/// The condition's variables. A condition without variables observes all variables of the program.
std::vector<variable> observed_of(const program& p) {
  std::vector<variable> all = p.final.variables();
  if (!all.empty()) return all;
  for (std::uint32_t t = 0; t < p.threads.size(); ++t) {
    if (p.threads[t].issuer) continue;
    for (std::uint32_t r = 0; r < p.threads[t].registers.size(); ++r) {
      const auto& code = p.threads[t].instructions;
      const bool written = std::ranges::any_of(
          code, [&](const instruction& i) { return writes_register(i) && i.destination == r; });
      if (written) all.push_back({true, t, r});
    }
  }
  for (std::uint32_t l = 0; l < p.locations.size(); ++l) all.push_back({false, 0, l});
  return all;
}

std::vector<std::uint32_t> next_of(const instruction& one, std::uint32_t at) {
  if (one.code == opcode::jump) return {one.target};
  if (one.code == opcode::branch) return {at + 1, one.target};
  return {at + 1};
}

/// The registers that matter before the instruction, given those that matter behind it.
std::vector<bool> before(const instruction& one, std::vector<bool> live) {
  if (writes_register(one)) live[one.destination] = false;
  const auto use = [&](const operand& o) {
    if (o.is_register) live[o.index] = true;
  };
  use(one.a);
  use(one.b);
  if (one.resource) use(*one.resource);
  if (one.quorum) use(*one.quorum);
  return live;
}

thread_analysis analyse(const program& p, const thread& of, const std::vector<bool>& live_at_end) {
  const auto end = static_cast<std::uint32_t>(of.instructions.size());
  thread_analysis result;
  result.loop_head.resize(end + 1);
  result.live.assign(end + 1, std::vector<bool>(of.registers.size()));
  result.live[end] = live_at_end;
  result.stores_to.resize(end + 1);
  for (std::uint32_t at = 0; at < end; ++at) {
    for (const std::uint32_t next : next_of(of.instructions[at], at)) {
      if (next <= at) result.loop_head[next] = true;
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t at = end; at-- > 0;) {
      const instruction& one = of.instructions[at];
      std::vector<bool> live(of.registers.size());
      std::uint64_t stores = 0;
      for (const std::uint32_t next : next_of(one, at)) {
        for (std::size_t r = 0; r < live.size(); ++r) live[r] = live[r] || result.live[next][r];
        stores |= result.stores_to[next];
      }
      live = before(one, std::move(live));
      if (accesses(one) && one.code != opcode::load) stores |= std::uint64_t{1} << one.location;
      if (one.code == opcode::copy) {
        for (const instruction& part : p.threads[one.target].instructions) {
          const bool storing = accesses(part) && part.code != opcode::load;
          if (storing) stores |= std::uint64_t{1} << part.location;
        }
      }
      if (live == result.live[at] && stores == result.stores_to[at]) continue;
      result.live[at] = std::move(live);
      result.stores_to[at] = stores;
      changed = true;
    }
  }
  return result;
}

bool is_morally_strong(const program& p, std::uint32_t location) {
  for (std::uint32_t a = 0; a < p.threads.size(); ++a) {
    for (const instruction& one : p.threads[a].instructions) {
      if (!accesses(one) || one.location != location) continue;
      if (one.order == memory_order::weak) return false;
      if (one.proxy != proxy::generic || one.address != 0) return false;
      for (std::uint32_t b = 0; b < p.threads.size(); ++b) {
        const auto& others = p.threads[b].instructions;
        const bool used = std::ranges::any_of(others, [&](const instruction& other) {
          return accesses(other) && other.location == location;
        });
        if (used && one.scope < common_scope(p, a, b)) return false;
      }
    }
  }
  return true;
}

}  // namespace

analysis analyse(const program& p) {
  analysis result;
  result.observed = observed_of(p);
  for (std::uint32_t t = 0; t < p.threads.size(); ++t) {
    std::vector<bool> live(p.threads[t].registers.size());
    for (const variable& v : result.observed) {
      if (v.is_register && v.thread == t) live[v.index] = true;
    }
    result.threads.push_back(analyse(p, p.threads[t], live));
  }
  for (std::uint32_t l = 0; l < p.locations.size(); ++l) {
    result.morally_strong.push_back(is_morally_strong(p, l));
  }
  for (const thread& t : p.threads) {
    for (std::uint32_t at = 0; at < t.instructions.size(); ++at) {
      const instruction& back = t.instructions[at];
      const bool jumps = back.code == opcode::branch || back.code == opcode::jump;
      for (std::uint32_t i = back.target; jumps && i <= at; ++i) {
        const instruction& one = t.instructions[i];
        if (accesses(one) && !result.morally_strong[one.location]) result.loops_may_race = true;
      }
    }
  }
  return result;
}

}  // namespace litmus
