// Sentences for races where memory is weak: which two accesses nothing orders, and what a store and
// a load through which they could be ordered lack.
#include <algorithm>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "checker/report/cause/parts.hpp"
#include "checker/report/describe.hpp"

namespace warpcheck {
namespace {

using simt::operation_kind;

struct step_of_lane {
  std::size_t at = 0;  // in the trace
  const trace_step* step = nullptr;
  const lane_action* what = nullptr;
};

bool is_access(const lane_action& a) { return a.op.kind == operation_kind::memory && a.valid; }

bool is_read_modify_write(const simt::operation& op) {
  return op.memory != simt::detail::memory_kind::load &&
         op.memory != simt::detail::memory_kind::store;
}

/// The steps of one lane each, in their order.
std::vector<step_of_lane> single_steps(const trace& t) {
  std::vector<step_of_lane> all;
  for (std::size_t i = 0; i < t.steps.size(); ++i) {
    if (t.steps[i].actions.size() == 1) all.push_back({i, &t.steps[i], &t.steps[i].actions[0]});
  }
  return all;
}

/// How a lane could have learnt of an access of another one: by reading what that one has stored
/// behind it.
struct communication {
  const step_of_lane* store = nullptr;
  const step_of_lane* load = nullptr;
  std::string lacks;   // why it orders nothing
  std::string remedy;  // where and how
};

class race_story {
 public:
  race_story(session& run, names& named, const trace& t)
      : run_(run), named_(named), steps_(single_steps(t)), second_(steps_.back()) {
    const auto partner = run.machine().race_of(second_.step->before, second_.step->by);
    if (!partner) return;
    for (const step_of_lane& s : steps_) {
      if (s.at == second_.at || !is_access(*s.what) || s.what->lane != partner->lane) continue;
      // (A read-modify-write is two: its load, and its store.)
      const bool writes = s.what->op.writes();
      const bool same =
          partner->access.writes ? writes : !writes || is_read_modify_write(s.what->op);
      if (same && run.machine().traits(s.what->from).offset == partner->access.key) first_ = s;
    }
    if (first_) look_for_communication();
  }

  [[nodiscard]] const std::optional<step_of_lane>& first() const { return first_; }
  [[nodiscard]] const step_of_lane& second() const { return second_; }
  [[nodiscard]] const std::optional<communication>& talk() const { return talk_; }
  [[nodiscard]] bool same_block() const {
    const auto& lanes = run_.machine().places().lanes;
    return lanes[first_->what->lane].block == lanes[second_.what->lane].block;
  }

 private:
  session& run_;
  names& named_;
  std::vector<step_of_lane> steps_;
  step_of_lane second_;
  std::optional<step_of_lane> first_;
  std::optional<communication> talk_;

  /// The store that `load` reads from, as far as the trace shows it; through read-modify-writes of
  /// others back to one of `writer`.
  const step_of_lane* source_of(const step_of_lane& load, std::uint32_t writer) const {
    const auto end = static_cast<std::size_t>(&load - steps_.data());
    for (std::size_t i = end; i-- > 0;) {
      const lane_action& a = *steps_[i].what;
      if (!is_access(a) || !a.op.writes() || a.op.address != load.what->op.address) continue;
      if (a.lane == writer) return &steps_[i];
      if (!is_read_modify_write(a.op)) return nullptr;
    }
    return nullptr;
  }

  void look_for_communication() {
    for (const step_of_lane& s : steps_) {
      if (s.at <= first_->at || s.at >= second_.at || s.what->lane != second_.what->lane) continue;
      if (!is_access(*s.what) || s.what->newer > 0) continue;
      if (s.what->op.memory == simt::detail::memory_kind::store) continue;
      const step_of_lane* const store = source_of(s, first_->what->lane);
      if (store == nullptr || store->at <= first_->at) continue;
      communication found{store, &s, {}, {}};
      judge(found);
      if (!found.lacks.empty()) talk_ = found;
    }
  }

  [[nodiscard]] bool fences_between(const step_of_lane& from, const step_of_lane& to,
                                    std::uint32_t lane) const {
    return std::ranges::any_of(steps_, [&](const step_of_lane& s) {
      return s.at > from.at && s.at < to.at && s.what->lane == lane &&
             s.what->op.kind == operation_kind::fence;
    });
  }

  // What the pair lacks to synchronize.
  void judge(communication& c) const {
    const lane_action &store = *c.store->what, &load = *c.load->what;
    const auto narrow = [&](const simt::operation& op) {
      return op.scope == simt::thread_scope_thread ||
             (op.scope == simt::thread_scope_block && !same_block());
    };
    using enum simt::memory_order;
    const auto place = [](const lane_action& a) { return a.at.text(); };
    const bool releases = store.op.order == release || store.op.order == acq_rel ||
                          fences_between(*first_, *c.store, store.lane);
    const bool acquires = (load.op.order != relaxed && load.op.order != release) ||
                          fences_between(*c.load, second_, load.lane);
    if (store.op.weak || load.op.weak) {
      const lane_action& weak = store.op.weak ? store : load;
      c.lacks = fmt::format("the {} is a plain access", store.op.weak ? "store" : "load");
      c.remedy = fmt::format("make the access at {} atomic", place(weak));
    } else if (narrow(store.op) || narrow(load.op)) {
      const lane_action& first = narrow(store.op) ? store : load;
      c.lacks = fmt::format("scope `{}` of the {} does not include the other lane",
                            scope_name(first.op.scope), narrow(store.op) ? "store" : "load");
      c.remedy = fmt::format("scope `device` at {}", place(first));
    } else if (!releases && !acquires) {
      c.lacks = "the store is no release, and the load is no acquire";
      c.remedy = fmt::format(
          "memory_order_release at {} and memory_order_acquire at {}, or a fence "
          "before the one and behind the other",
          place(store), place(load));
    } else if (!releases) {
      c.lacks = "the store is no release, nor is there a fence before it";
      c.remedy = fmt::format("memory_order_release at {}, or a fence before it", place(store));
    } else if (!acquires) {
      c.lacks = "the load is no acquire, nor is there a fence behind it";
      c.remedy = fmt::format("memory_order_acquire at {}, or a fence behind it", place(load));
    } else {
      c.lacks = "a fence or an access on the way has a scope that does not include the other lane";
      c.remedy =
          fmt::format("scope `device` for the fences around {} and {}", place(store), place(load));
    }
  }
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
  const race_story story(run, named, t);
  if (!story.first()) return {"The last access and an earlier one are not ordered."};
  const step_of_lane& first = *story.first();
  const step_of_lane& second = story.second();
  std::vector<std::string> why{
      fmt::format("`{}` is {}, and {}: neither comes before the other in causality order.",
                  second.what->variable, access_text(named, first), access_text(named, second))};
  if (const auto& talk = story.talk()) {
    why.push_back(fmt::format(
        "{} has read `{}` (step {}) behind what {} stored there (step {}), but that orders "
        "nothing: "
        "{}.",
        named.lane(second.what->lane), talk->load->what->variable, talk->load->step->number,
        named.lane(first.what->lane), talk->store->step->number, talk->lacks));
  } else {
    why.push_back(fmt::format("{} has read nothing that {} stored after that.",
                              named.lane(second.what->lane), named.lane(first.what->lane)));
  }
  return why;
}

std::string remedy_of_weak_race(session& run, names& named, const trace& t) {
  const race_story story(run, named, t);
  if (!story.first()) return {};
  if (story.talk()) return story.talk()->remedy;
  const lane_action &a = *story.first()->what, &b = *story.second().what;
  if (!a.op.weak && !b.op.weak) {
    const auto narrow = [](const lane_action& x) {
      return x.op.scope == simt::thread_scope_block || x.op.scope == simt::thread_scope_thread;
    };
    return fmt::format("scope `device` at {}", (narrow(a) ? a : b).at.text());
  }
  return "let the later one wait for a release behind the earlier one, with an acquire; or make "
         "both "
         "atomic, with a scope that includes both lanes";
}

std::string numbers_of_weak_race(session& run, names& named, const trace& t) {
  const race_story story(run, named, t);
  if (!story.first()) return "this access is in a race";
  return fmt::format("steps {} and {} race: nothing orders them", story.first()->step->number,
                     story.second().step->number);
}

}  // namespace warpcheck
