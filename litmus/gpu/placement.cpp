// Assigns CTAs to blocks and clusters, and chooses how each barrier is carried out.
#include "litmus/gpu/placement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace litmus::gpu {

namespace {

constexpr std::uint32_t largest_cluster = 8;             // blocks; PTX ISA: portable size
constexpr std::uint32_t named_barriers = 15;             // of a CTA; number 0 is the runner's own
constexpr std::uint32_t most_locations = 16;             // of a thread: operands of its assembly
constexpr std::uint32_t first_with_scopes = 70;          // PTX ISA: scopes and orders need sm_70,
constexpr std::uint32_t first_with_clusters = 90;        // and clusters sm_90,
constexpr std::uint32_t first_with_one_way_fences = 90;  // as do fence.acquire and fence.release

using cta_name = std::tuple<value, std::optional<value>, value>;
using cluster_name = std::tuple<value, std::optional<value>, value>;

cta_name name_of(const placement& at) { return {at.gpu, at.cluster, at.cta}; }

/// A CTA without a cluster of its own forms a cluster by itself.
cluster_name cluster_of(const placement& at) {
  return {at.gpu, at.cluster, at.cluster ? value{0} : at.cta};
}

bool jumps(const instruction& i) { return i.code == opcode::branch || i.code == opcode::jump; }

bool jumps(const thread& t) {
  return std::ranges::any_of(t.instructions, [](const auto& i) { return jumps(i); });
}

void add_ctas(const program& p, placement_plan& plan) {
  std::map<value, std::uint32_t> gpus;  // in the order of their numbers
  for (const thread& t : p.threads) gpus.emplace(t.place.gpu, 0);
  plan.gpus = 0;
  for (auto& [number, index] : gpus) index = plan.gpus++;
  plan.clusters.assign(plan.gpus, 0);

  std::map<cta_name, std::uint32_t> known;
  std::map<cluster_name, std::pair<std::uint32_t, std::uint32_t>> clusters;  // index, CTAs
  for (std::uint32_t t = 0; t < p.threads.size(); ++t) {
    const placement& at = p.threads[t].place;
    const auto [found, is_new] =
        known.emplace(name_of(at), static_cast<std::uint32_t>(plan.ctas.size()));
    if (is_new) {
      const std::uint32_t gpu = gpus[at.gpu];
      const auto [cluster, first] = clusters.try_emplace(cluster_of(at), plan.clusters[gpu], 0);
      if (first) ++plan.clusters[gpu];
      plan.ctas.push_back({gpu, cluster->second.first, cluster->second.second++, {}});
      plan.cluster_size = std::max(plan.cluster_size, cluster->second.second);
    }
    cta& mine = plan.ctas[found->second];
    mine.threads.push_back(t);
    plan.cta_of.push_back(found->second);
    plan.threads_of_cta =
        std::max(plan.threads_of_cta, static_cast<std::uint32_t>(mine.threads.size()));
  }
}

/// One barrier of the hardware: all instructions of a CTA with one instance and one resource.
struct group {
  std::set<std::uint32_t> threads;
  std::uint32_t instructions = 0;
  bool quorum_is_all = true;
};

/// Whether the hardware's barriers can carry out the CTA's. Each thread runs straight on, resources
/// are known, no thread is left out, and none takes part twice.
bool can_be_native(const program& p, const cta& mine,
                   std::map<std::pair<value, value>, group>& groups) {
  for (const std::uint32_t t : mine.threads) {
    for (const instruction& i : p.threads[t].instructions) {
      if (!i.is_barrier()) continue;
      if (jumps(p.threads[t]) || (i.resource && i.resource->is_register)) return false;
      group& g = groups[{i.instance, i.resource ? i.resource->integer : 0}];
      ++g.instructions;
      if (!g.threads.insert(t).second) return false;
    }
  }
  for (const std::uint32_t t : mine.threads) {
    for (const instruction& i : p.threads[t].instructions) {
      if (!i.is_barrier() || !i.quorum) continue;
      const group& g = groups[{i.instance, i.resource ? i.resource->integer : 0}];
      if (i.quorum->is_register || i.quorum->integer != g.instructions) return false;
    }
  }
  return groups.size() <= named_barriers;
}

void add_barriers(const program& p, bool terminates, placement_plan& plan) {
  for (const thread& t : p.threads) plan.barriers.emplace_back(t.instructions.size());
  for (const cta& mine : plan.ctas) {
    std::map<std::pair<value, value>, group> groups;
    const bool native = can_be_native(p, mine, groups) && terminates;
    if (native) {
      plan.native_barriers =
          std::max(plan.native_barriers, static_cast<std::uint32_t>(groups.size()));
    }
    for (const std::uint32_t t : mine.threads) {
      const auto& code = p.threads[t].instructions;
      for (std::size_t at = 0; at < code.size(); ++at) {
        if (!code[at].is_barrier()) continue;
        barrier_way& way = plan.barriers[t][at];
        way.native = native;
        if (native) {
          const auto g =
              groups.find({code[at].instance, code[at].resource ? code[at].resource->integer : 0});
          way.number = static_cast<std::uint32_t>(std::distance(groups.begin(), g));
          way.count = g->second.instructions;
        } else {
          way.number = plan.slots++;
        }
      }
    }
  }
}

bool names_clusters(const program& p) {
  return std::ranges::any_of(p.threads, [](const thread& t) {
    return std::ranges::any_of(t.instructions,
                               [](const instruction& i) { return i.scope == scope::cluster; });
  });
}

bool loops_over_barrier(const thread& t) {
  for (std::size_t at = 0; at < t.instructions.size(); ++at) {
    const instruction& back = t.instructions[at];
    for (std::size_t i = back.target; jumps(back) && i <= at; ++i) {
      if (t.instructions[i].is_barrier()) return true;
    }
  }
  return false;
}

std::size_t count_of_locations(const thread& t) {
  std::set<std::uint32_t> all;
  for (const instruction& i : t.instructions) {
    const bool accesses = i.code == opcode::load || i.code == opcode::store ||
                          i.code == opcode::atom || i.code == opcode::red;
    if (accesses) all.insert(i.location);
  }
  return all.size();
}

/// Why an instruction has no form for GPUs. Empty: it has one.
std::string why_no_form(const program& p, const instruction& i, std::uint32_t architecture) {
  const bool is_fence = i.code == opcode::fence;
  const bool one_way = i.order == memory_order::acquire || i.order == memory_order::release;
  if (is_fence && one_way && architecture < first_with_one_way_fences) {
    return fmt::format("sm_{} has no {}; sm_{} is the first that has", architecture, i.text,
                       first_with_one_way_fences);
  }
  const bool has_form = i.proxy == proxy::generic || i.proxy == proxy::alias;
  if (is_fence && !has_form && i.proxy != proxy::async) {
    return fmt::format("{}, which PTX does not have", i.text);
  }
  if (!is_fence && i.proxy != proxy::generic) {
    return fmt::format("an access through the {} proxy ({}): it has no form for GPUs yet",
                       name(i.proxy), i.text);
  }
  if (!is_fence && i.address != 0) {
    return fmt::format("an access by an alias of {} ({}): it has no form for GPUs yet",
                       p.locations[i.location], i.text);
  }
  if (i.type.bits != 64) {
    return fmt::format("an access of {} bits ({}): it has no form for GPUs yet", i.type.bits,
                       i.text);
  }
  if (i.operation == operation::increment || i.operation == operation::decrement) {
    return fmt::format("{}: PTX has it for 32 bits only", i.text);
  }
  if (i.is_cluster_barrier() || i.reduction != reduction::none || i.is_of_mbarrier() ||
      i.code == opcode::copy) {
    return fmt::format("{}: it has no form for GPUs yet", i.text);
  }
  return {};
}

}  // namespace

placement_plan place(const program& p, bool terminates) {
  placement_plan plan;
  add_ctas(p, plan);
  add_barriers(p, terminates, plan);
  return plan;
}

std::string why_not_compiled(const program& p, std::uint32_t architecture) {
  if (architecture < first_with_scopes) {
    return fmt::format("sm_{} has no scopes and orders; sm_70 is the first that has", architecture);
  }
  const std::uint32_t cluster = place(p, false).cluster_size;
  if (architecture < first_with_clusters && (names_clusters(p) || cluster > 1)) {
    return fmt::format("sm_{} has no clusters; sm_90 is the first that has", architecture);
  }
  if (cluster > largest_cluster) {
    return fmt::format("a cluster of {} CTAs; {} is the most that every GPU with clusters has",
                       cluster, largest_cluster);
  }
  for (const thread& t : p.threads) {
    for (const instruction& i : t.instructions) {
      if (const std::string why = why_no_form(p, i, architecture); !why.empty()) return why;
    }
    if (loops_over_barrier(t)) return "a barrier in a loop";
    if (count_of_locations(t) > most_locations) {
      return fmt::format("a thread that accesses more than {} locations", most_locations);
    }
  }
  return {};
}

std::string why_not_run(const program& p, const machine& there) {
  const std::uint32_t gpus = place(p, false).gpus;
  if (gpus > there.gpus) {
    return fmt::format("needs {} GPUs; here {} {}", gpus, there.gpus == 1 ? "is" : "are",
                       there.gpus);
  }
  return why_not_compiled(p, there.architecture);
}

}  // namespace litmus::gpu
