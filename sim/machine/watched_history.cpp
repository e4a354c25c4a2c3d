// Adds events and linearization points to the history of a state.
#include "sim/machine/watched_history.hpp"

namespace simt {

std::uint32_t watched_history::after_event(std::uint32_t status, std::uint32_t lane,
                                           continuation c) {
  const event_key key{status, lane, c};
  if (const auto known = after_.find(key); known != after_.end()) return known->second;
  grid_status next = stores_.statuses[status];
  next.history = monitor_->after(next.history, lane, stores_.program.at(c));
  const std::uint32_t after = stores_.statuses.intern(next);
  after_.emplace(key, after);
  return after;
}

std::uint32_t watched_history::after_points(std::uint32_t status, std::uint32_t lane,
                                            std::uint32_t count) {
  if (count == 0) return status;
  operation point;
  point.kind = operation_kind::point;
  grid_status next = stores_.statuses[status];
  for (; count > 0; --count) next.history = monitor_->after(next.history, lane, point);
  return stores_.statuses.intern(next);
}

consistency_set watched_history::broken(std::uint32_t status) {
  const auto [known, is_new] = broken_.try_emplace(status, 0);
  if (is_new) known->second = monitor_->broken(stores_.statuses[status].history);
  return known->second;
}

consistency_set watched_history::broken_at_end(std::uint32_t status) {
  return monitor_->broken_at_end(stores_.statuses[status].history);
}

}  // namespace simt
