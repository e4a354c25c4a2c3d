// Looks for two conflicting accesses that are enabled together, and runs the subject's own check on
// final memories.
#include "checker/explore/state_checks.hpp"

#include <optional>

namespace warpcheck {
namespace {

constexpr std::size_t most_renamed = 100'000;  // renamings that are tried for one final memory

}  // namespace

bool state_checks::has_race(simt::state_view state, const simt::successor_list& listed) {
  // Checks the state right after a step before lanes change places.
  const bool moved = machine_.couples_steps() && machine_.is_reduced();
  if (moved) machine_.distinct_steps(state, list_);
  const simt::successor_list& list = moved ? list_ : listed;
  const auto look = [&](bool at_all) {
    for (const simt::transition& t : list.transitions) {
      const bool plain = t.by.what == simt::choice::kind::lane && !machine_.couples_steps();
      if (plain && !at_all && !machine_.may_race(state[t.by.unit])) continue;
      if (!race_with(state, list, t).empty()) return true;
    }
    return false;
  };
  // Conflicts are symmetric. So one side of each pair is enough, unless steps are coupled or the
  // run ends.
  one_sided_ = false;
  return look(false) || (one_sided_ && look(true));
}

bool state_checks::has_race(simt::state_view state) {
  machine_.distinct_steps(state, list_);
  for (const simt::transition& t : list_.transitions) {
    if (!race_with(state, list_, t).empty()) return true;
  }
  return false;
}

// Any lane may have the second access, even a lane whose steps are not listed because they are
// symmetric to others.
std::vector<simt::choice> state_checks::race_with(simt::state_view state,
                                                  const simt::successor_list& list,
                                                  const simt::transition& first) {
  using kind = simt::choice::kind;
  if (first.by.what != kind::lane || first.ends != simt::ending::none) return {};
  const std::uint32_t a = first.by.unit;
  if (machine_.lanes().traits(state[a]).what != simt::operation_traits::kind::access) return {};
  const auto conflicting = [&](simt::state_view at) -> std::optional<simt::choice> {
    for (const std::uint32_t b : accessing_) {
      if (b != a && machine_.conflict(a, state[a], b, at[b])) return simt::choice{kind::lane, b, 0};
    }
    return std::nullopt;
  };
  if (!machine_.couples_steps()) {
    // An access that is enabled before the step is enabled after it, unless the step ends the run.
    if (!machine_.accesses(state, accessing_)) return {};
    const auto second = conflicting(state);
    if (!second) return {};
    machine_.steps(list.state(first, machine_.words()), then_);
    if (then_.here == simt::ending::none) return {*second};
    one_sided_ = true;
    return {};
  }

  // The step may enable or disable the other access. So look at what is enabled right after the
  // step, past moves that take no step.
  struct moved {
    simt::state_words state;
    std::vector<simt::choice> by;
  };
  std::vector<moved> after;
  const auto words = list.state(first, machine_.words());
  after.push_back({{words.begin(), words.end()}, {}});
  while (!after.empty()) {
    moved next = std::move(after.back());
    after.pop_back();
    if (machine_.accesses(next.state, accessing_)) {
      const auto second = conflicting(next.state);
      if (!second) continue;
      machine_.steps(next.state, then_);
      if (then_.here != simt::ending::none) continue;
      next.by.push_back(*second);
      return next.by;
    }
    machine_.steps(next.state, then_);
    for (const simt::transition& t : then_.transitions) {
      if (t.ends != simt::ending::none) continue;
      const auto state_after = then_.state(t, machine_.words());
      after.push_back({{state_after.begin(), state_after.end()}, next.by});
      after.back().by.push_back(t.by);
    }
  }
  return {};
}

const char* state_checks::failed_check(simt::state_view s) {
  if (!final_check_) return nullptr;
  const std::uint32_t image = s[machine_.memory_word()];
  if (checked_images_.size() <= image) checked_images_.resize(image + 1, 0);
  if (checked_images_[image] == 1) return nullptr;
  const char* message = final_check_(machine_.image(s));
  checked_images_[image] = message == nullptr ? 1 : 2;
  return message;
}

// The subject's check is host code, and may depend on the names of lanes. So all renamings of the
// memory must give the same result.
bool state_checks::minds_names(simt::state_view s) {
  simt::renaming* const renames = machine_.renaming_of_lanes();
  if (!final_check_ || renames == nullptr || !renames->on()) return false;
  const bool fails = failed_check(s) != nullptr;
  const std::uint32_t image = s[machine_.memory_word()];
  if (renamed_images_.contains(image)) return false;
  std::vector<std::uint32_t> all;
  if (!renames->images_of(image, most_renamed, all)) return true;
  simt::state_words other(s.begin(), s.end());
  for (const std::uint32_t renamed : all) {
    other[machine_.memory_word()] = renamed;
    if ((failed_check(other) != nullptr) != fails) return true;
    renamed_images_.insert(renamed);
  }
  return false;
}

}  // namespace warpcheck
