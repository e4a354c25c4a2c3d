// The definitions of docs/progress.md a second time, as literally as possible and without regard
// for speed, to compare the checker with; and what each definition would be if read otherwise.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "checker/progress/model.hpp"
#include "checker/progress/program.hpp"

namespace test {

using warpcheck::fairness_notion;
using warpcheck::progress_model;
using warpcheck::progress_program;

enum class reading {
  as_defined,
  strong_needs_the_end,   // an empty fair set is not as good as the end
  weak_stops,             // stopping with an empty fair set is non-termination
  weak_only_fair_run,     // threads outside the fair set do not run in the loop
  lobe_only_unfinished,   // LOBE: only threads that started and are not finished count
  lobe_lowest_too,        // LOBE: the lowest unfinished thread is owed progress, too
  hsa_thread_0,           // HSA: always thread 0
  strong_from_the_start,  // strong: paths from the initial state alone
  first_step_is_fair,     // OBE: a thread has started when it takes its first step, not after it
};

struct state {
  std::vector<std::uint32_t> memory, at;
  std::set<std::size_t> started;
  auto operator<=>(const state&) const = default;
};

class reference {
 public:
  explicit reference(const progress_program& program, reading how = reading::as_defined)
      : program_(program), how_(how) {
    explore(initial());
    for (const auto& [from, unused] : next_) collect(from, reach_[from]);
  }

  [[nodiscard]] state initial() const {
    return {std::vector<std::uint32_t>(program_.words(), 0),
            std::vector<std::uint32_t>(program_.threads.size(), 0),
            {}};
  }

  [[nodiscard]] bool finished(const state& s, std::size_t thread) const {
    return s.at[thread] >= program_.threads[thread].size();
  }

  [[nodiscard]] std::set<std::size_t> fair(progress_model model, const state& s) const {
    std::set<std::size_t> unfinished;
    for (std::size_t t = 0; t < s.at.size(); ++t) {
      if (!finished(s, t)) unfinished.insert(t);
    }
    std::set<std::size_t> result;
    for (const std::size_t t : unfinished) {
      const bool lowest = t == *unfinished.begin();
      const bool started = s.started.contains(t);
      bool below = false;
      for (const std::size_t other : s.started) {
        const bool counts = how_ != reading::lobe_only_unfinished || !finished(s, other);
        below = below || (counts && t <= other);
      }
      switch (model) {
        case progress_model::fair: result.insert(t); break;
        case progress_model::hsa:
          if (how_ == reading::hsa_thread_0 ? t == 0 : lowest) result.insert(t);
          break;
        case progress_model::obe:
          if (started || how_ == reading::first_step_is_fair) result.insert(t);
          break;
        case progress_model::hsa_obe:
          if (started || lowest) result.insert(t);
          break;
        case progress_model::lobe:
          if (below || (lowest && how_ == reading::lobe_lowest_too)) result.insert(t);
          break;
      }
    }
    return result;
  }

  [[nodiscard]] state step(const state& s, std::size_t thread) const {
    using kind = warpcheck::progress_instruction::kind;
    const auto& i = program_.threads[thread][s.at[thread]];
    state after = s;
    after.started.insert(thread);
    ++after.at[thread];
    const std::uint32_t old = s.memory[i.word];
    if (i.what != kind::branch) after.memory[i.word] = i.value;
    if (i.what != kind::store && old == i.compare) after.at[thread] = i.target;
    return after;
  }

  [[nodiscard]] bool guaranteed(fairness_notion notion, progress_model model) const {
    return notion == fairness_notion::weak ? weak(model) : strong(model);
  }

  /// Whether steps of threads owed progress lead from `s` to all finished, or nobody owed.
  [[nodiscard]] bool can_end(progress_model model, const state& s) const {
    std::set<state> seen{s};
    std::vector<state> todo{s};
    while (!todo.empty()) {
      const state here = todo.back();
      todo.pop_back();
      const auto owed = fair(model, here);
      if (all_finished(here)) return true;
      if (owed.empty() && how_ != reading::strong_needs_the_end) return true;
      for (const std::size_t t : owed) {
        if (seen.insert(step(here, t)).second) todo.push_back(step(here, t));
      }
    }
    return false;
  }

 private:
  progress_program program_;
  reading how_;
  std::map<state, std::vector<state>> next_;
  std::map<state, std::set<state>> reach_;  // by one step or more

  void explore(const state& from) {
    std::vector<state> todo{from};
    while (!todo.empty()) {
      const state s = todo.back();
      todo.pop_back();
      if (!next_.emplace(s, std::vector<state>()).second) continue;
      for (std::size_t t = 0; t < s.at.size(); ++t) {
        if (finished(s, t)) continue;
        next_[s].push_back(step(s, t));
        todo.push_back(step(s, t));
      }
    }
  }

  void collect(const state& from, std::set<state>& reached) const {
    std::vector<state> todo{from};
    while (!todo.empty()) {
      const state s = todo.back();
      todo.pop_back();
      for (const state& after : next_.at(s)) {
        if (reached.insert(after).second) todo.push_back(after);
      }
    }
  }

  [[nodiscard]] bool all_finished(const state& s) const {
    for (std::size_t t = 0; t < s.at.size(); ++t) {
      if (!finished(s, t)) return false;
    }
    return true;
  }

  /// Whether a run can go from `s` back to `s` by steps of all of `owed` and of others.
  [[nodiscard]] bool fair_round(const state& s, const std::set<std::size_t>& owed) const {
    const std::set<state>& reach = reach_.at(s);
    if (!reach.contains(s)) return false;
    for (const std::size_t t : owed) {
      bool steps = false;
      for (const state& from : reach) {
        if (!reach_.at(from).contains(s) || finished(from, t)) continue;
        const state after = step(from, t);
        steps = steps || after == s || reach_.at(after).contains(s);
      }
      if (!steps) return false;
    }
    return true;
  }

  /// The same by steps of threads in `owed` alone: the program without the others.
  [[nodiscard]] bool fair_round_alone(const state& s, const std::set<std::size_t>& owed) const {
    const auto alone = [&](const state& from) {
      std::set<state> reached;
      std::vector<state> todo{from};
      while (!todo.empty()) {
        const state here = todo.back();
        todo.pop_back();
        for (const std::size_t t : owed) {
          if (finished(here, t)) continue;
          if (reached.insert(step(here, t)).second) todo.push_back(step(here, t));
        }
      }
      return reached;
    };
    const std::set<state> reach = alone(s);
    if (!reach.contains(s)) return false;
    for (const std::size_t t : owed) {
      bool steps = false;
      for (const state& from : reach) {
        if (finished(from, t) || !alone(from).contains(s)) continue;
        const state after = step(from, t);
        steps = steps || after == s || alone(after).contains(s);
      }
      if (!steps) return false;
    }
    return true;
  }

  [[nodiscard]] bool weak(progress_model model) const {
    for (const auto& [s, unused] : next_) {
      const auto owed = fair(model, s);
      if (owed.empty() && how_ == reading::weak_stops && !all_finished(s)) return false;
      if (how_ == reading::weak_only_fair_run ? fair_round_alone(s, owed) : fair_round(s, owed)) {
        return false;
      }
    }
    return true;
  }

  [[nodiscard]] bool strong(progress_model model) const {
    if (how_ == reading::strong_from_the_start) return can_end(model, initial());
    for (const auto& [s, unused] : next_) {
      if (!can_end(model, s)) return false;
    }
    return true;
  }
};

}  // namespace test
