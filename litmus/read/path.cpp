// Searches labelled relations breadth first for ways and cycles.
#include "litmus/read/path.hpp"

#include <algorithm>
#include <deque>

namespace litmus {

namespace {

/// A breadth-first search. A way counts only if it has an edge of a relation from `needed` on.
std::vector<edge> search(const std::vector<labelled>& along, std::size_t needed, event_id from,
                         event_id to) {
  struct node {
    event_id at;
    bool counts;
    std::size_t parent;
    std::string_view label;
  };
  std::vector<node> nodes{{from, false, 0, {}}};
  std::array<event_set, 2> seen{};
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (std::size_t kind = 0; kind < along.size(); ++kind) {
      const node here = nodes[i];
      const bool counts = here.counts || kind >= needed;
      for_each(along[kind].pairs.of(here.at), [&](event_id next) {
        if (contains(seen[counts ? 1 : 0], next)) return;
        seen[counts ? 1 : 0] |= only(next);
        nodes.push_back({next, counts, i, along[kind].label});
      });
    }
    if (i == 0 || nodes[i].at != to || !nodes[i].counts) continue;
    std::vector<edge> path;
    for (std::size_t at = i; at != 0; at = nodes[at].parent) {
      path.push_back({nodes[nodes[at].parent].at, nodes[at].at, nodes[at].label});
    }
    std::ranges::reverse(path);
    return path;
  }
  return {};
}

}  // namespace

std::vector<edge> shortest_path(const std::vector<labelled>& along, event_id from, event_id to) {
  return search(along, 0, from, to);
}

std::vector<edge> shortest_cycle(const std::vector<labelled>& along) {
  std::vector<edge> best;
  if (along.empty()) return best;
  for (event_id e = 0; e < along.front().pairs.size(); ++e) {
    std::vector<edge> cycle = search(along, 0, e, e);
    if (!cycle.empty() && (best.empty() || cycle.size() < best.size())) best = std::move(cycle);
  }
  return best;
}

std::vector<edge> causality_path(const relations& r, const completion& with, event_id from,
                                 event_id to) {
  const std::vector<labelled> steps{{"program order", r.program_order},
                                    {"synchronizes", r.sync},
                                    {"fence.sc order", with.sc},
                                    {"barrier", with.barriers},
                                    {"issues", r.issued}};
  const relation base = reaching(r, base_causality(r, with, {}), {});
  // A way that proxies preserve: it passes through the fences that it needs.
  const auto way = [&](event_id begin, event_id end) -> std::vector<edge> {
    if (!r.proxies.matter) return search(steps, 1, begin, end);
    const auto stops = preserving_way(r.proxies, base, r.program_order, begin, end);
    if (stops.size() == 2) return search(steps, 1, begin, end);
    std::vector<edge> path;
    for (std::size_t i = 0; i + 1 < stops.size(); ++i) {
      const std::vector<edge> part = search(steps, 0, stops[i], stops[i + 1]);
      path.insert(path.end(), part.begin(), part.end());
    }
    return path;
  };
  std::vector<edge> path = way(from, to);
  if (!path.empty()) return path;
  for_each(r.observation.of(from), [&](event_id seen) {
    std::vector<edge> rest = way(seen, to);
    if (rest.empty() && r.program_order_overlap(seen, to)) {
      rest.push_back({seen, to, "program order, same location"});
    }
    if (rest.empty() || (!path.empty() && path.size() <= rest.size() + 1)) return;
    path.assign(1, {from, seen, "is observed by"});
    path.insert(path.end(), rest.begin(), rest.end());
  });
  return path;
}

}  // namespace litmus
