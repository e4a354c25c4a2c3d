// Looks through a trace for the way on which one lane could have learnt of another, and says which
// link of it is missing.
#include "checker/report/cause/learning.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "checker/report/describe.hpp"
#include "sim/lane/operation_table.hpp"
#include "sim/machine/weak/weak_operation.hpp"

namespace warpcheck {
namespace {

using simt::operation_kind;
using way = std::vector<learning_link>;

bool orders_memory(const simt::operation& op) {
  return op.kind == operation_kind::barrier ||
         op.collective == simt::detail::collective_kind::syncwarp;
}

class search_of_ways {
 public:
  search_of_ways(session& run, const trace& t, std::size_t first, std::uint32_t first_lane,
                 std::size_t second)
      : run_(run), t_(t), first_(first) {
    known_.resize(run.setup().grid.threads());
    actor_knew_.resize(t.steps.size());
    known_[first_lane].emplace();
    for (std::size_t i = first + 1; i < second; ++i) {
      const auto& actions = t.steps[i].actions;
      if (actions.size() == 1) actor_knew_[i] = known_[actions.front().lane];
      take_in(i);
    }
  }

  [[nodiscard]] const std::optional<way>& to(std::uint32_t lane) const { return known_[lane]; }

 private:
  session& run_;
  const trace& t_;
  std::size_t first_;
  std::vector<std::optional<way>> known_;  // by lane
  // Before each step of a single lane: what that lane knew.
  std::vector<std::optional<way>> actor_knew_;
  // By numbered barrier: the lanes that have arrived.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> arrived_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> arrivals_;

  void learn(const learning_link& link, const way& before) {
    std::optional<way>& known = known_[link.to];
    if (known && known->size() < before.size() + 1) return;
    way longer = before;
    longer.push_back(link);
    known = std::move(longer);
  }

  void take_in(std::size_t i) {
    const trace_step& step = t_.steps[i];
    if (step.actions.empty()) return;
    const simt::operation& op = step.actions.front().op;
    if (step.actions.size() == 1 && step.actions.front().is_access()) {
      return read(i, step.actions.front());
    }
    if (!meets_others(op.kind)) return;
    std::vector<std::uint32_t> lanes;
    for (const lane_action& a : step.actions) lanes.push_back(a.lane);
    if (op.kind == operation_kind::barrier && is_half(op.barrier)) return;
    if (op.kind == operation_kind::barrier && !is_joint(op.barrier)) {
      const std::uint32_t block = run_.machine().places().lanes[lanes.front()].block;
      auto& arrived = arrived_[{block, op.number}];
      arrived.insert(arrived.end(), lanes.begin(), lanes.end());
      if (++arrivals_[{block, op.number}] < op.count) return;
      arrivals_[{block, op.number}] = 0;
      lanes = std::exchange(arrived, {});
    }
    const auto knows = [&](std::uint32_t lane) { return known_[lane].has_value(); };
    std::vector<std::uint32_t> knowing;
    std::ranges::copy_if(lanes, std::back_inserter(knowing), knows);
    if (knowing.empty()) return;
    const std::uint32_t from = *std::ranges::min_element(
        knowing, {}, [&](std::uint32_t lane) { return known_[lane]->size(); });
    const way before = *known_[from];
    using kind = learning_link::kind;
    for (const std::uint32_t to : lanes) {
      if (to == from) continue;
      learn({orders_memory(op) ? kind::barrier : kind::other, from, to, i, i, {}, {}}, before);
    }
  }

  // Goes back through read-modify-writes of other lanes to a store by a lane that knows.
  void read(std::size_t i, const lane_action& load) {
    if (!load.reads() || load.newer > 0) return;
    for (std::size_t s = i; s-- > first_ + 1;) {
      if (t_.steps[s].actions.size() != 1) continue;
      const lane_action& a = t_.steps[s].actions.front();
      if (!a.is_access() || !a.op.writes() || a.op.address != load.op.address) continue;
      if (a.lane == load.lane) return;
      if (const auto& known = actor_knew_[s]) {
        return learn({learning_link::kind::reads, a.lane, load.lane, s, i, {}, {}}, *known);
      }
      if (!a.is_read_modify_write()) return;
    }
  }
};

/// Says what a link lacks to order the steps before and after it.
class judge_of_links {
 public:
  judge_of_links(session& run, const trace& t) : run_(run), t_(t) {}

  // `begin` and `end` are the steps of the two lanes, before and after the link, that are to be
  // ordered.
  void judge(learning_link& link, std::size_t begin, std::size_t end) const {
    if (link.what == learning_link::kind::barrier) return;
    if (link.what == learning_link::kind::other) return judge_collective(link);
    const lane_action& store = action_in(t_, link.store, link.from);
    const lane_action& load = action_in(t_, link.at, link.to);
    using enum simt::memory_order;
    const bool fences_before =
        fences_between(begin, link.store, link.from, simt::fence_sides::releases);
    const bool fences_behind = fences_between(link.at, end, link.to, simt::fence_sides::acquires);
    const bool releases = store.op.order == release || store.op.order == acq_rel ||
                          store.op.order == seq_cst || fences_before;
    const bool acquires = (load.op.order != relaxed && load.op.order != release) || fences_behind;
    const bool store_is_narrow = is_narrow(store.op, link),
               load_is_narrow = is_narrow(load.op, link);
    if (store.op.weak || load.op.weak) {
      link.lacks = fmt::format("the {} is a plain access", store.op.weak ? "store" : "load");
      link.remedy =
          fmt::format("make the access at {} atomic", (store.op.weak ? store : load).at.text());
    } else if (store_is_narrow || load_is_narrow) {
      const lane_action& first = store_is_narrow ? store : load;
      link.lacks = fmt::format("scope `{}` of the {} does not include the other lane",
                               scope_name(first.op.scope), store_is_narrow ? "store" : "load");
      link.remedy =
          fmt::format("scope `{}` at {}", scope_of_both(run_, link.from, link.to), first.at.text());
    } else if (!releases && !acquires) {
      link.lacks = "the store is no release, and the load is no acquire";
      link.remedy = fmt::format(
          "memory_order_release at {} and memory_order_acquire at {}, or a fence "
          "before the one and behind the other",
          store.at.text(), load.at.text());
    } else if (!releases) {
      link.lacks = "the store is no release, nor is there a fence before it";
      link.remedy =
          fmt::format("memory_order_release at {}, or a fence before it", store.at.text());
    } else if (!acquires) {
      link.lacks = "the load is no acquire, nor is there a fence behind it";
      link.remedy = fmt::format("memory_order_acquire at {}, or a fence behind it", load.at.text());
    } else if (const lane_action* fence = narrow_fence(link, begin, end)) {
      link.lacks =
          fmt::format("the fence at {} has scope `{}`, which does not include the other lane",
                      fence->at.text(), scope_name(fence->op.scope));
      link.remedy = fmt::format("scope `{}` for the fence at {}",
                                scope_of_both(run_, link.from, link.to), fence->at.text());
    }
  }

 private:
  session& run_;
  const trace& t_;

  void judge_collective(learning_link& link) const {
    const lane_action& a = action_in(t_, link.at, link.to);
    link.lacks = fmt::format("{} orders no accesses to memory", operation_name(a));
    link.remedy = fmt::format("syncwarp() before or behind {}", a.at.text());
  }

  [[nodiscard]] bool is_narrow(const simt::operation& op, const learning_link& link) const {
    const simt::grid_places& places = run_.machine().places();
    const std::uint32_t from = places.lanes[link.from].block, to = places.lanes[link.to].block;
    return op.scope == simt::thread_scope_thread ||
           (op.scope == simt::thread_scope_block && from != to) ||
           (op.scope == simt::thread_scope_cluster && !places.shape.share_cluster(from, to));
  }

  template <class F>
  const lane_action* find_fence(std::size_t from, std::size_t to, std::uint32_t lane,
                                F holds) const {
    for (std::size_t i = from + 1; i < to; ++i) {
      for (const lane_action& a : t_.steps[i].actions) {
        if (a.lane == lane && a.op.kind == operation_kind::fence && holds(a.op)) return &a;
      }
    }
    return nullptr;
  }

  /// Whether the lane carries out a fence there that has this side.
  [[nodiscard]] bool fences_between(std::size_t from, std::size_t to, std::uint32_t lane,
                                    simt::fence_sides wanted) const {
    const auto holds = [&](const simt::operation& op) {
      const simt::fence_sides sides = simt::sides_of(op);
      return sides == simt::fence_sides::both || sides == wanted;
    };
    return find_fence(from, to, lane, holds) != nullptr;
  }
  [[nodiscard]] const lane_action* narrow_fence(const learning_link& link, std::size_t begin,
                                                std::size_t end) const {
    const auto holds = [&](const simt::operation& op) { return is_narrow(op, link); };
    const lane_action* before = find_fence(begin, link.store, link.from, holds);
    return before != nullptr ? before : find_fence(link.at, end, link.to, holds);
  }
};

}  // namespace

const lane_action& action_in(const trace& t, std::size_t step, std::uint32_t lane) {
  const auto& actions = t.steps[step].actions;
  const auto at = std::ranges::find(actions, lane, &lane_action::lane);
  return at != actions.end() ? *at : actions.front();
}

std::vector<learning_link> way_of_learning(session& run, const trace& t, std::size_t first,
                                           std::uint32_t first_lane, std::size_t second,
                                           std::uint32_t second_lane) {
  const search_of_ways found(run, t, first, first_lane, second);
  if (!found.to(second_lane)) return {};
  way links = *found.to(second_lane);
  const judge_of_links judge(run, t);
  for (std::size_t i = 0; i < links.size(); ++i) {
    const std::size_t begin = i == 0 ? first : links[i - 1].at;
    const std::size_t end = i + 1 == links.size()                             ? second
                            : links[i + 1].what == learning_link::kind::reads ? links[i + 1].store
                                                                              : links[i + 1].at;
    judge.judge(links[i], begin, end);
  }
  const bool all_order =
      std::ranges::all_of(links, [](const learning_link& l) { return l.lacks.empty(); });
  if (all_order) {
    const auto read = std::ranges::find(links, learning_link::kind::reads, &learning_link::what);
    if (read == links.end()) return {};
    read->lacks =
        "a fence or an access on the way has a scope that does not include the other lane";
    const bool in_cluster = std::ranges::all_of(links, [&](const learning_link& l) {
      return scope_of_both(run, first_lane, l.to) == scope_name(simt::thread_scope_cluster);
    });
    read->remedy =
        fmt::format("scope `{}` for the fences around {} and {}", in_cluster ? "cluster" : "device",
                    action_in(t, read->store, read->from).at.text(),
                    action_in(t, read->at, read->to).at.text());
  }
  return links;
}

namespace {

const learning_link& missing_link(const std::vector<learning_link>& way) {
  return *std::ranges::find_if(way, [](const learning_link& l) { return !l.lacks.empty(); });
}

std::string text_of_link(names& named, const trace& t, const learning_link& link) {
  const std::string from = named.lane(link.from), to = named.lane(link.to);
  const lane_action& a = action_in(t, link.at, link.to);
  const std::uint32_t number = t.steps[link.at].number;
  if (link.what == learning_link::kind::reads) {
    return fmt::format("{} stores `{}` in step {}, and {} reads it in step {}", from, a.variable,
                       t.steps[link.store].number, to, number);
  }
  return fmt::format("{} and {} meet at {} in step {}", from, to, operation_name(a), number);
}

}  // namespace

std::vector<std::string> text_of_way(names& named, const trace& t,
                                     const std::vector<learning_link>& way) {
  const learning_link& missing = missing_link(way);
  if (way.size() == 1 && missing.what == learning_link::kind::reads) {
    return {
        fmt::format("{} has read `{}` (step {}) behind what {} stored there (step {}), but that "
                    "orders nothing: "
                    "{}.",
                    named.lane(missing.to), action_in(t, missing.at, missing.to).variable,
                    t.steps[missing.at].number, named.lane(missing.from),
                    t.steps[missing.store].number, missing.lacks)};
  }
  std::string links;
  for (const learning_link& link : way) {
    links += (links.empty() ? "" : "; ") + text_of_link(named, t, link);
  }
  const std::uint32_t number = t.steps[missing.at].number;
  const std::string which =
      missing.what == learning_link::kind::reads
          ? fmt::format("from step {} to step {}", t.steps[missing.store].number, number)
          : fmt::format("in step {}", number);
  return {fmt::format("{} could learn of it on this way: {}.", named.lane(way.back().to), links),
          fmt::format("The link {} is missing: {}.", which, missing.lacks)};
}

std::string remedy_of_way(const std::vector<learning_link>& way) {
  return way.empty() ? std::string() : missing_link(way).remedy;
}

}  // namespace warpcheck
