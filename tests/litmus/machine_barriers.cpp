// Lets threads of the litmus machine arrive at barriers, and lets them go when all are there.
#include "tests/litmus/machine_barriers.hpp"

#include <algorithm>
#include <stdexcept>

namespace naive {
namespace {

using litmus::instruction;
using litmus::program;
using litmus::value;

std::vector<arrival> members_of(const program& p, const machine_state& s,
                                const barrier_group& group) {
  std::vector<arrival> members;
  for (const arrival& a : s.arrivals) {
    const instruction& there = p.threads[a.thread].instructions[a.instruction];
    if (there.instance == group.instance && a.resource == group.resource &&
        there.is_cluster_barrier() == group.of_cluster &&
        first_beside(p, a.thread, group.of_cluster) == group.first) {
      members.push_back(a);
    }
  }
  return members;
}

/// What memory knows the arrival by: what it tells all, and what it tells its CTA alone.
std::uint32_t number_of(const arrival& a) { return a.thread << 16 | a.instruction; }
std::uint32_t number_in_cta(const arrival& a) { return 0x80000000U | number_of(a); }

/// Whether all barriers in the text of the CTA or cluster that meet with the group, or might have
/// come to, were reached.
bool all_reached(const program& p, const machine_state& s, const barrier_group& group) {
  for (std::uint32_t t = 0; t < p.threads.size(); ++t) {
    if (first_beside(p, t, group.of_cluster) != group.first) continue;
    const auto& all = p.threads[t].instructions;
    for (std::uint32_t at = 0; at < all.size(); ++at) {
      if (!all[at].is_barrier() || all[at].instance != group.instance) continue;
      if (all[at].is_cluster_barrier() != group.of_cluster || !is_arrival(all[at])) continue;
      const auto& resource = all[at].resource;
      const bool is_open = resource && resource->is_register;
      const bool is_same = resource ? resource->integer == group.resource : !group.resource;
      const auto is_here = [&](const arrival& a) { return a.thread == t && a.instruction == at; };
      if ((is_open || is_same) && std::ranges::none_of(s.arrivals, is_here)) return false;
    }
  }
  return true;
}

/// Each way to choose so many of `members`, from `next` on.
template <class Use>
void for_each_choice(const std::vector<arrival>& members, std::size_t next, value count,
                     std::vector<arrival>& chosen, const Use& use) {
  if (static_cast<value>(chosen.size()) >= count) return use(chosen);
  for (; next < members.size(); ++next) {
    chosen.push_back(members[next]);
    for_each_choice(members, next + 1, count, chosen, use);
    chosen.pop_back();
  }
}

}  // namespace

std::uint32_t first_beside(const program& p, std::uint32_t thread, bool of_cluster) {
  const litmus::scope widest = of_cluster ? litmus::scope::cluster : litmus::scope::cta;
  for (std::uint32_t t = 0; t < thread; ++t) {
    if (litmus::common_scope(p, t, thread) <= widest) return t;
  }
  return thread;
}

bool is_arrival(const instruction& i) {
  return !i.is_cluster_barrier() || i.code == litmus::opcode::arrive;
}

void arrive(const program& p, const simt::ptx_memory& memory, machine_state& s,
            std::uint32_t thread, const std::optional<value>& resource) {
  const arrival here{thread, s.threads[thread].at, resource};
  const auto is_here = [&](const arrival& a) { return number_of(a) == number_of(here); };
  if (std::ranges::any_of(s.arrivals, is_here)) {
    throw std::logic_error("the machine runs each barrier once");
  }
  s.arrivals.insert(std::ranges::lower_bound(s.arrivals, here), here);
  const instruction& i = p.threads[thread].instructions[here.instruction];
  if (i.is_cluster_barrier() && i.order == litmus::memory_order::relaxed) {
    memory.arrive_relaxed(s.memory, thread, number_of(here), number_in_cta(here));
  } else {
    simt::ptx_memory::arrive(s.memory, thread, number_of(here));
  }
}

void go_on_behind(const program& p, machine_state& s, std::uint32_t thread,
                  const std::vector<arrival>& sources) {
  for (const arrival& a : sources) {
    simt::ptx_memory::complete(s.memory, number_of(a), {&thread, 1});
    if (litmus::common_scope(p, a.thread, thread) == litmus::scope::cta) {
      simt::ptx_memory::complete(s.memory, number_in_cta(a), {&thread, 1});
    }
  }
}

void for_each_release(const program& p, const machine_state& s, const barrier_group& group,
                      const std::function<void(machine_state, const std::vector<arrival>&)>& use) {
  const std::vector<arrival> members = members_of(p, s, group);
  if (!group.quorum) {
    if (all_reached(p, s, group)) use(s, members);
    return;
  }
  const auto known = std::ranges::find(s.choices, group, &quorum_choice::group);
  if (known != s.choices.end()) return use(s, known->sources);
  std::vector<arrival> chosen;
  for_each_choice(members, 0, *group.quorum, chosen, [&](const std::vector<arrival>& sources) {
    machine_state next = s;
    const quorum_choice choice{group, sources};
    next.choices.insert(std::ranges::lower_bound(next.choices, choice), choice);
    use(std::move(next), sources);
  });
}

}  // namespace naive
