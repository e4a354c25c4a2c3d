// Writes sentences for races under weak memory: which two accesses nothing orders, and what is
// missing at a store and a load that could order them.
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "checker/report/cause/learning.hpp"
#include "checker/report/cause/parts.hpp"
#include "checker/report/describe.hpp"

namespace warpcheck {
namespace {

struct step_of_lane {
  std::size_t at = 0;  // index of the step in the trace
  const trace_step* step = nullptr;
  const lane_action* what = nullptr;
};

/// Returns the steps of one lane each, in their order.
std::vector<step_of_lane> single_steps(const trace& t) {
  std::vector<step_of_lane> all;
  for (std::size_t i = 0; i < t.steps.size(); ++i) {
    if (t.steps[i].actions.size() == 1) all.push_back({i, &t.steps[i], &t.steps[i].actions[0]});
  }
  return all;
}

class race_story {
 public:
  race_story(session& run, const trace& t) : steps_(single_steps(t)), second_(steps_.back()) {
    const auto partner = run.machine().race_of(second_.step->before, second_.step->by);
    if (!partner) return;
    for (const step_of_lane& s : steps_) {
      if (s.at == second_.at || !s.what->is_access() || s.what->lane != partner->lane) continue;
      // A compare-exchange that fails counts as a store.
      const bool same = partner->access.writes == s.what->op.writes();
      if (same && run.machine().lanes().traits(s.what->from).offset == partner->access.key)
        first_ = s;
    }
  }

  [[nodiscard]] const std::optional<step_of_lane>& first() const { return first_; }
  [[nodiscard]] const step_of_lane& second() const { return second_; }
  /// Returns the way from the first access to the second.
  [[nodiscard]] std::vector<learning_link> way(session& run, const trace& t) const {
    return way_of_learning(run, t, first_->at, first_->what->lane, second_.at, second_.what->lane);
  }

 private:
  std::vector<step_of_lane> steps_;
  step_of_lane second_;
  std::optional<step_of_lane> first_;
};

std::string access_text(names& named, const step_of_lane& s) {
  const lane_action& a = *s.what;
  const std::string_view verb = a.op.memory == simt::detail::memory_kind::load    ? "read"
                                : a.op.memory == simt::detail::memory_kind::store ? "written"
                                                                                  : "changed";
  const std::string how =
      a.op.weak ? std::string("weak") : fmt::format("strong, scope {}", scope_name(a.op.scope));
  return fmt::format("{} by {} at {} ({}; step {})", verb, named.lane(a.lane),
                     a.at.text_with_function(), how, s.step->number);
}

}  // namespace

std::vector<std::string> why_weak_accesses_race(session& run, names& named, const trace& t) {
  const race_story story(run, t);
  if (!story.first()) return {"The last access and an earlier one are not ordered."};
  const step_of_lane& first = *story.first();
  const step_of_lane& second = story.second();
  std::vector<std::string> why{
      fmt::format("`{}` is {}, and {}: neither comes before the other in causality order.",
                  second.what->variable, access_text(named, first), access_text(named, second))};
  if (const auto way = story.way(run, t); !way.empty()) {
    for (std::string& line : text_of_way(named, t, way)) why.push_back(std::move(line));
  } else {
    why.push_back(fmt::format("{} has read nothing that {} stored after that.",
                              named.lane(second.what->lane), named.lane(first.what->lane)));
  }
  return why;
}

std::string remedy_of_weak_race(session& run, const trace& t) {
  const race_story story(run, t);
  if (!story.first()) return {};
  if (const auto way = story.way(run, t); !way.empty()) return remedy_of_way(way);
  const lane_action &a = *story.first()->what, &b = *story.second().what;
  if (!a.op.weak && !b.op.weak) {
    const bool narrow = leaves_out(run, a, b.lane);
    return fmt::format("scope `{}` at {}", scope_of_both(run, a.lane, b.lane),
                       (narrow ? a : b).at.text());
  }
  return "let the later one wait for a release behind the earlier one, with an acquire; or make "
         "both "
         "atomic, with a scope that includes both lanes";
}

std::string numbers_of_weak_race(session& run, const trace& t) {
  const race_story story(run, t);
  if (!story.first()) return "this access is in a race";
  return fmt::format("steps {} and {} race: nothing orders them", story.first()->step->number,
                     story.second().step->number);
}

}  // namespace warpcheck
