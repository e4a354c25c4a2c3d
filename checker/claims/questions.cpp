// Asks for strongly connected sets whose runs break a guarantee, starve a client or livelock, and
// keeps the nearest.
#include "checker/claims/questions.hpp"

#include <algorithm>
#include <utility>

namespace warpcheck {

class progress_questions::nearest {
 public:
  explicit nearest(const recurrences& runs) : runs_(runs) {}

  [[nodiscard]] bool wants(std::uint32_t distance) const { return !found_ || distance < distance_; }
  void add(std::uint32_t distance, graph_lasso lasso, std::uint32_t who) {
    distance_ = distance;
    found_ = std::move(lasso);
    found_->who = who;
  }
  /// Adds a set if its runs meet all needs, and it is nearer.
  void add(const std::vector<state_id>& members, const std::vector<need>& needs,
           std::uint32_t who) {
    const std::uint32_t distance = runs_.distance(members);
    if (!wants(distance)) return;
    for (const need& what : needs) {
      if (!runs_.meets(members, what)) return;
    }
    add(distance, runs_.lasso(members, needs), who);
  }
  std::optional<graph_lasso> take() { return std::move(found_); }

 private:
  const recurrences& runs_;
  std::uint32_t distance_ = 0;
  std::optional<graph_lasso> found_;
};

progress_questions::progress_questions(const operation_graph& graph, std::function<void()> look)
    : graph_(graph), runs_(graph, std::move(look)) {}

std::vector<need> progress_questions::fair() const {
  std::vector<need> needs;
  for (std::uint32_t unit = 0; unit < graph_.units; ++unit) {
    needs.push_back({need::kind::service, unit});
  }
  return needs;
}

// Finds units that are blocked: they can take no step, since the others may have stopped for ever.
void progress_questions::add_blocked(nearest& found) const {
  for (state_id s = 0; s < graph_.size(); ++s) {
    const graph_status& here = graph_.status(s);
    if (here.awaits_choice || here.ends || here.promised || !found.wants(runs_.distance(s))) {
      continue;
    }
    runs_.look();
    for (std::uint32_t unit = 0; unit < graph_.units; ++unit) {
      if (!graph_.is_pending(unit, s) || graph_.is_enabled(unit, s)) continue;
      found.add(runs_.distance(s), way(s), unit);
      break;
    }
  }
}

std::optional<graph_lasso> progress_questions::breaks(guarantee what) {
  nearest found(runs_);
  switch (what) {
    case guarantee::wait_free:
      for (std::uint32_t client = 0; client < graph_.clients(); ++client) {
        const step_filter filter{.completes_not = client};
        runs_.each(filter, [&](const std::vector<state_id>& members) {
          if (graph_.status(members.front()).pending[client] == 0) return;
          found.add(members, {{need::kind::step, graph_.unit_of[client]}}, client);
        });
      }
      add_blocked(found);
      break;
    case guarantee::lock_free: {
      const step_filter filter{.completes_nothing = true};
      runs_.each(filter, [&](const std::vector<state_id>& members) { found.add(members, {}, 0); });
      add_blocked(found);
      break;
    }
    case guarantee::obstruction_free:
      for (std::uint32_t unit = 0; unit < graph_.units; ++unit) {
        const step_filter filter{.completes_nothing = true, .only = unit};
        runs_.each(filter,
                   [&](const std::vector<state_id>& members) { found.add(members, {}, unit); });
      }
      add_blocked(found);
      break;
    case guarantee::blocking: {
      const step_filter filter{.completes_nothing = true};
      runs_.each(filter,
                 [&](const std::vector<state_id>& members) { found.add(members, fair(), 0); });
      for (state_id s = 0; s < graph_.size(); ++s) {
        const graph_status& here = graph_.status(s);
        const bool stuck = graph_.out(s).empty() && !here.ends && !here.promised &&
                           std::ranges::find(here.left, 1) != here.left.end();
        if (stuck && found.wants(runs_.distance(s))) found.add(runs_.distance(s), way(s), 0);
      }
      break;
    }
  }
  return found.take();
}

std::optional<graph_lasso> progress_questions::starvation() {
  nearest found(runs_);
  for (std::uint32_t client = 0; client < graph_.clients(); ++client) {
    const step_filter filter{.completes_not = client};
    std::vector<need> needs = fair();
    needs.push_back({need::kind::completion, client});
    runs_.each(filter, [&](const std::vector<state_id>& members) {
      if (graph_.status(members.front()).pending[client] == 0) return;
      found.add(members, needs, client);
    });
  }
  return found.take();
}

std::optional<graph_lasso> progress_questions::livelock() {
  nearest found(runs_);
  const step_filter filter{.completes_nothing = true};
  runs_.each(filter, [&](const std::vector<state_id>& members) {
    for (std::uint32_t client = 0; client < graph_.clients(); ++client) {
      const bool left = graph_.status(members.front()).left[client] != 0;
      if (left && !can_complete(client, members.front())) return;
    }
    found.add(members, fair(), 0);
  });
  return found.take();
}

// Goes backwards from steps that complete an operation of the client, and from ends.
const std::vector<std::vector<char>>& progress_questions::hopes() {
  if (!hopes_.empty() || graph_.clients() == 0) return hopes_;
  // List predecessors by state.
  std::vector<std::uint64_t> begin(graph_.size() + 1, 0);
  for (const operation_graph::edge& e : graph_.edges) {
    if (e.to != operation_graph::no_state) ++begin[e.to + 1];
  }
  for (state_id s = 0; s < graph_.size(); ++s) begin[s + 1] += begin[s];
  std::vector<state_id> before(begin.back());
  std::vector<std::uint64_t> next(begin.begin(), begin.end() - 1);
  for (state_id s = 0; s < graph_.size(); ++s) {
    for (const operation_graph::edge& e : graph_.out(s)) {
      if (e.to != operation_graph::no_state) before[next[e.to]++] = s;
    }
  }
  std::vector<std::vector<char>> hopes(graph_.clients());
  std::vector<state_id> open;
  for (std::uint32_t client = 0; client < graph_.clients(); ++client) {
    runs_.look();
    std::vector<char>& hope = hopes[client];
    hope.assign(graph_.size(), 0);
    for (state_id s = 0; s < graph_.size(); ++s) {
      const bool at_once =
          graph_.status(s).ends || std::ranges::any_of(graph_.out(s), [&](const auto& e) {
            return e.to == operation_graph::no_state ||
                   std::ranges::binary_search(graph_.steps[e.step].completes, client);
          });
      if (!at_once) continue;
      hope[s] = 1;
      open.push_back(s);
    }
    while (!open.empty()) {
      const state_id s = open.back();
      open.pop_back();
      for (std::uint64_t i = begin[s]; i < begin[s + 1]; ++i) {
        if (hope[before[i]] != 0) continue;
        hope[before[i]] = 1;
        open.push_back(before[i]);
      }
    }
  }
  hopes_ = std::move(hopes);
  return hopes_;
}

}  // namespace warpcheck
