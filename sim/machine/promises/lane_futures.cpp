// Computes, backwards through the graph, what lanes may still do behind each stop.
#include "sim/machine/promises/lane_futures.hpp"

#include <algorithm>

#include <boost/unordered/unordered_flat_set.hpp>

#include "sim/automaton/components.hpp"
#include "sim/lane/operation_table.hpp"
#include "sim/machine/weak/weak_operation.hpp"

namespace simt {
namespace {

void sort_out(std::vector<std::uint32_t>& all) {
  std::ranges::sort(all);
  const auto same = std::ranges::unique(all);
  all.erase(same.begin(), same.end());
}

// Whether the operation stores nothing, or reads the message right before the one that it stores.
bool is_in_chain(const operation& op) {
  using detail::memory_kind;
  return op.memory != memory_kind::store && op.memory != memory_kind::pool_take &&
         op.memory != memory_kind::pool_retire;
}

}  // namespace

std::optional<awaited> awaited_by(const grid_places& places, std::uint32_t lane,
                                  const operation& op, const operation_traits& t, bool fenced) {
  using what = operation_traits::kind;
  switch (t.what) {
    case what::access:
      if (begins_with_fence(op) && !fenced) return awaited{awaited::kind::fence};
      if (op.weak || op.scope == thread_scope_thread || op.memory == detail::memory_kind::store)
        return std::nullopt;
      return awaited{awaited::kind::store, t.offset};
    case what::silent: {
      const bool is_sc_fence = op.kind == operation_kind::fence &&
                               op.order == memory_order::seq_cst && op.scope != thread_scope_thread;
      return is_sc_fence ? std::optional<awaited>{{awaited::kind::fence}} : std::nullopt;
    }
    case what::barrier: {
      const std::uint64_t block = places.lanes[lane].block;
      if (op.barrier == barrier_part::grid)
        return awaited{awaited::kind::barrier, awaited::of_grid};
      if (op.barrier == barrier_part::cluster)
        return awaited{awaited::kind::barrier, awaited::of_cluster | block / places.shape.cluster};
      if (is_half(op.barrier))
        return awaited{awaited::kind::barrier, block / places.shape.cluster << 8 | awaited::halves};
      // Only the syncthreads with number 0 is known to wait for all threads of the block.
      const bool is_all = op.barrier == barrier_part::syncthreads && op.number == 0;
      return awaited{awaited::kind::barrier,
                     block << 8 | (is_all ? awaited::syncthreads : op.number)};
    }
    case what::collective: {
      const bool orders = op.collective == detail::collective_kind::syncwarp;
      return awaited{orders ? awaited::kind::barrier : awaited::kind::vote,
                     awaited::of_a_warp | places.lanes[lane].warp};
    }
    case what::choose:
    case what::event:
    case what::branch:
    case what::exited:
    case what::bad_access:
    case what::fail:
    case what::local:
    case what::endless: break;
  }
  return std::nullopt;
}

lane_futures::lane_futures(const machine& of, const thread_modular& graph)
    : places_(of.places()), graph_(graph) {
  roles_.reserve(graph.stops().size());
  for (number s = 0; s < graph.stops().size(); ++s) {
    const operation& op = graph.at(s);
    const operation_traits& t = graph.traits(s);
    role& r = roles_.emplace_back();
    if (of.model().is_narrow(op, t)) {
      r.strong = t.what == operation_traits::kind::access && access_of(op).strong;
      continue;
    }
    if (t.what == operation_traits::kind::access) {
      const memory_access how = access_of(op);
      r = {how.strong, begins_with_fence(op), how.acquire, how.release,
           how.strong, how.returns_nothing};
    } else if (op.kind == operation_kind::fence) {
      r.wide = is_memory_fence(op);
      // A fence of one side counts as none here: then more promises are made, never fewer.
      r.fence = r.wide && sides_of(op) == fence_sides::both;
    }
  }
  for (number s = 0; s < graph.stops().size(); ++s) {
    const operation_traits& t = graph.traits(s);
    const bool accesses = t.what == operation_traits::kind::access;
    const bool is_strong = roles_[s].wide && roles_[s].strong;
    if (accesses && !is_strong) mixed_.insert(t.offset);
    if (accesses && (!is_strong || !is_in_chain(graph.at(s)))) unchained_.insert(t.offset);
    const auto as = awaited_by(places_, graph.stops()[s].lane, graph.at(s), t, false);
    const bool is_other = as && as->what != awaited::kind::store;
    // An operation that is not for everybody orders nothing.
    const bool releases = is_other && as->what != awaited::kind::vote &&
                          (as->what != awaited::kind::fence || roles_[s].fence);
    meets_.push_back(is_other ? number_of({*as, 0, releases}) : thread_modular::none);
  }
  for (number s = 0; s < graph.stops().size(); ++s) {
    for (const thread_modular::edge& e : graph.stops()[s].edges) {
      if (goes_round(s, e)) rounds_.insert({s, e.read});
    }
  }
  look_ahead(all_, true);
  look_ahead(unfenced_, false);
}

std::uint32_t lane_futures::number_of(const deed& one) {
  const auto [at, is_new] = numbers_.try_emplace(one, static_cast<std::uint32_t>(deeds_.size()));
  if (is_new) deeds_.push_back(one);
  return at->second;
}

std::uint32_t lane_futures::number_of(deeds all) {
  const auto [at, is_new] = set_numbers_.try_emplace(all, static_cast<std::uint32_t>(sets_.size()));
  if (is_new) sets_.push_back(std::move(all));
  return at->second;
}

std::optional<std::uint32_t> lane_futures::of_edge(number s, const thread_modular::edge& e) const {
  const operation_traits& t = graph_.traits(s);
  if (t.what != operation_traits::kind::access || !e.stores || !roles_[s].strong || is_round(s, e))
    return std::nullopt;
  return numbers_.at({{awaited::kind::store, t.offset}, e.stored, roles_[s].releases});
}

std::optional<std::uint32_t> lane_futures::meets(number s) const {
  return meets_[s] == thread_modular::none ? std::nullopt : std::optional(meets_[s]);
}

std::uint32_t lane_futures::number_of(const awaited& what) const {
  const auto with = numbers_.find({what, 0, true});
  return with != numbers_.end() ? with->second : numbers_.at({what, 0, false});
}

bool lane_futures::changes_nothing(number s, const thread_modular::edge& e) const {
  const operation& op = graph_.at(s);
  const operation_traits& t = graph_.traits(s);
  using kind = operation_traits::kind;
  if (t.what == kind::silent || t.what == kind::branch) return true;
  if (t.what != kind::access || op.memory == detail::memory_kind::store) return false;
  if (!roles_[s].strong || !roles_[s].wide || op.memory == detail::memory_kind::pool_take ||
      op.memory == detail::memory_kind::pool_retire) {
    return false;
  }
  return !e.stores || (!e.changes && !mixed_.contains(t.offset));
}

bool lane_futures::goes_round(number s, const thread_modular::edge& e) const {
  constexpr int longest = 16;
  using kind = operation_traits::kind;
  if (!e.stores || !changes_nothing(s, e)) return false;
  number at = e.to;
  for (int i = 0; i < longest && at != thread_modular::none; ++i) {
    if (graph_.are_alike(at, s)) return true;
    const kind what = graph_.traits(at).what;
    const bool passes =
        (what == kind::silent || what == kind::branch) && !roles_[at].fence && !roles_[at].wide;
    if (!passes || graph_.stops()[at].edges.size() != 1) return false;
    at = graph_.stops()[at].edges.front().to;
  }
  return false;
}

bool lane_futures::may_be_next(std::span<const number> from, std::uint32_t offset,
                               std::uint64_t value) const {
  constexpr std::size_t most_followed = 20'000;
  boost::unordered_flat_set<number> seen(from.begin(), from.end());
  std::vector<number> todo(from.begin(), from.end());
  while (!todo.empty()) {
    const number s = todo.back();
    todo.pop_back();
    const operation_traits& t = graph_.traits(s);
    const bool is_there = t.what == operation_traits::kind::access && t.offset == offset;
    for (const thread_modular::edge& e : graph_.stops()[s].edges) {
      const bool is_link = is_there && e.stores && !is_round(s, e);
      if (is_link && e.read == value) return true;
      // What the lane links in behind its first link is not the next store.
      if (is_link || e.to == thread_modular::none || !seen.insert(e.to).second) continue;
      if (seen.size() > most_followed) return true;
      todo.push_back(e.to);
    }
  }
  return false;
}

// Adds what the operation at `s` itself does. Without `past_fences`, leaves out what comes behind a
// fence that the operation begins with.
void lane_futures::own_deeds(number s, bool past_fences, deeds& all) {
  const operation_traits& t = graph_.traits(s);
  if (meets_[s] != thread_modular::none) all.push_back(meets_[s]);
  if (t.what != operation_traits::kind::access || !roles_[s].strong) return;
  for (const thread_modular::edge& e : graph_.stops()[s].edges) {
    if (!e.stores || is_round(s, e)) continue;
    const std::uint32_t one =
        number_of({{awaited::kind::store, t.offset}, e.stored, roles_[s].releases});
    if (past_fences || !roles_[s].fence) all.push_back(one);
  }
}

void lane_futures::look_ahead(std::vector<std::uint32_t>& result, bool past_fences) {
  const auto& stops = graph_.stops();
  const auto for_each_next = [&](number s, auto f) {
    if (!past_fences && roles_[s].fence) return;
    for (const thread_modular::edge& e : stops[s].edges) {
      if (e.to != thread_modular::none) f(e.to);
    }
  };
  const components parts = components_of(stops.size(), for_each_next);
  result.assign(stops.size(), 0);
  std::vector<std::uint32_t> set_of(parts.count, 0);
  std::vector<std::uint32_t> behind;  // sets
  for (std::size_t first = 0; first < parts.order.size();) {
    const std::uint32_t part = parts.of[parts.order[first]];
    std::size_t end = first;
    deeds here;
    behind.clear();
    for (; end < parts.order.size() && parts.of[parts.order[end]] == part; ++end) {
      own_deeds(parts.order[end], past_fences, here);
      for_each_next(parts.order[end], [&](number to) {
        if (parts.of[to] != part) behind.push_back(set_of[parts.of[to]]);
      });
    }
    sort_out(behind);
    if (behind.size() == 1 && here.empty()) {
      set_of[part] = behind.front();
    } else {
      for (const std::uint32_t set : behind)
        here.insert(here.end(), sets_[set].begin(), sets_[set].end());
      sort_out(here);
      set_of[part] = number_of(std::move(here));
    }
    for (; first < end; ++first) result[parts.order[first]] = set_of[part];
  }
}

std::size_t lane_futures::memory() const {
  std::size_t bytes = 0;
  for (const deeds& all : sets_) bytes += all.capacity() * 4 * 2 + 64;
  return bytes + roles_.size() * (sizeof(role) + 8);
}

}  // namespace simt
