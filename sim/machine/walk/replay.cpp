// Finds the transition that a choice's name means.
#include "sim/machine/walk/replay.hpp"

#include <limits>

#include "sim/machine/walk/choice_name.hpp"

namespace simt {
namespace {

/// How far a message is from the one that a name means, in the same group; 0: it is that message.
/// Where less is known, messages of a group are merged, and one that merges several counts as the
/// oldest of them that is left. So older messages than the named one come last.
std::size_t distance(std::size_t within, const std::optional<std::size_t>& named) {
  constexpr std::size_t far = std::numeric_limits<std::size_t>::max() / 2;
  if (!named) return far - within;
  return within <= *named ? *named - within : far + within;
}

}  // namespace

const transition* replay::find(const choice_name& name) {
  if (!name.place) return find(name.by);
  machine_.steps_by(state_, name.by, list_);
  const transition* best = nullptr;
  std::size_t nearest = 0;
  for (const transition& t : list_.transitions) {
    if (machine_.has_news()) return nullptr;
    if (t.by.what != name.by.what || t.by.unit != name.by.unit) continue;
    const auto one = placed(machine_, state_, t.by);
    if (!one || one->by != name.by || one->store != name.store) continue;
    if (one->place->newer != name.place->newer) continue;
    const std::size_t how_far = distance(one->place->within.value_or(0), name.place->within);
    if (best != nullptr && nearest <= how_far) continue;
    best = &t;
    nearest = how_far;
  }
  return machine_.has_news() ? nullptr : best;
}

}  // namespace simt
