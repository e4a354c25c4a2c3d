// Why two events are related: shortest ways along named relations, and cycles.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "litmus/relations.hpp"

namespace litmus {

/// A step from one event to the next, and the name of the relation that contains it.
struct edge {
  event_id from = no_event, to = no_event;
  std::string_view label;
};

struct labelled {
  std::string_view label;
  relation pairs;
};

/// A shortest way of at least one edge from `from` to `to`. Empty: there is none.
std::vector<edge> shortest_path(const std::vector<labelled>& along, event_id from, event_id to);

/// A shortest cycle. Empty: there is none.
std::vector<edge> shortest_cycle(const std::vector<labelled>& along);

/// Steps that show why `from` comes before `to` in causality order. Empty: it does not.
std::vector<edge> causality_path(const relations& r, const completion& with, event_id from,
                                 event_id to);

}  // namespace litmus
