// Replays runs with some choices left out, and keeps the shorter ones that still show the
// violation.
#include "checker/search/shorten.hpp"

#include <algorithm>

#include "checker/run/ending.hpp"
#include "checker/run/object.hpp"

namespace warpcheck {
namespace {

constexpr std::size_t replayed_in_time = 256;  // steps between two looks at the time

template <class Walk>
simt::choice first_choice(const Walk& walk) {
  std::vector<std::uint32_t> blocks;
  walk.blocks(blocks);
  if (!blocks.empty()) return {simt::choice::kind::dispatch, blocks.front(), 0};
  const auto next = walk.sides();
  return {simt::choice::kind::side, next->warp, next->sides.front()};
}

}  // namespace

template <class Engine>
bool shortener<Engine>::tired() const {
  return work_ + dead_.work() - dead_before_ > most_work_ || bounds_.is_over();
}

/// Whether the walker stands at a deadlock of this kind.
template <class Engine>
bool shortener<Engine>::shows(verdict kind) {
  const bool stuck = walk_.ready().empty() && walk_.joint().empty();
  if constexpr (Engine::is_weak) {
    if (stuck && walk_.has_promises()) return false;  // a broken promise: the run is no execution
  }
  if (!stuck && !dead_.proves(walk_) && !(by_search_ && dead_.decides(walk_))) return false;
  return dead_.kind(walk_) == kind;
}

/// Appends the two accesses of the race that has been seen, one after the other. False: one of them
/// cannot follow the other here. For example, the first may lead to a divergence, which ends the
/// run.
template <class Engine>
bool shortener<Engine>::append_race(choices& made) {
  const simt::walker::race_pair race = *walk_.race();
  const simt::state_words here = walk_.state();
  const std::size_t size = made.size();
  const auto append = [&](std::uint32_t first, std::uint32_t second) {
    for (const std::uint32_t lane : {first, second}) {
      if (lane == first && race.begun) continue;
      while (walk_.awaits_choice() && !machine_.has_news()) {
        made.push_back(first_choice(walk_));
        walk_.perform(made.back());
      }
      const simt::choice by{simt::choice::kind::lane, lane, 0};
      if (!walk_.can(by)) return false;
      made.push_back(by);
      if (walk_.perform(by) != simt::ending::none) return false;
    }
    return true;
  };
  if (append(race.first, race.second)) return true;
  if (race.begun) return false;
  walk_.assign(here);
  made.resize(size);
  return append(race.second, race.first);
}

// Makes those of the wanted choices that can be made. If a choice that takes no step is due and not
// wanted, makes any. Returns the choices made, if they show a violation of this kind.
template <class Engine>
auto shortener<Engine>::replay(std::span<const simt::choice> wanted, verdict kind)
    -> std::optional<choices> {
  choices made;
  walk_.watch_races(kind == verdict::race);
  walk_.restart();
  std::size_t next = 0;
  for (;;) {
    if (machine_.has_news()) return std::nullopt;
    if (walk_.awaits_choice()) {
      const bool as_wanted = next < wanted.size() && walk_.can(wanted[next]);
      made.push_back(as_wanted ? wanted[next++] : first_choice(walk_));
      walk_.perform(made.back());
      continue;
    }
    if (walk_.diverges()) break;
    if (kind == verdict::race && walk_.race()) {
      return append_race(made) ? std::optional(made) : std::nullopt;
    }
    if (walk_.is_complete()) break;
    while (next < wanted.size() && !walk_.can(wanted[next])) ++next;
    if (next == wanted.size()) break;
    if (made.size() % replayed_in_time == 0) machine_.program().give_up_in_time();
    made.push_back(wanted[next++]);
    work_ += work_of_step_;
    const simt::ending ends = walk_.perform(made.back());
    if (ends != simt::ending::none) {
      return verdict_of(ends) == kind ? std::optional(made) : std::nullopt;
    }
    if ((bit(kind) & of_histories) != 0 && (verdicts_of(walk_.broken()) & bit(kind)) != 0) {
      return made;
    }
  }
  bool shown = false;
  if (walk_.diverges()) {
    shown = kind == verdict::barrier_divergence;
  } else if (walk_.is_complete()) {
    shown = kind == verdict::assertion && run_.final_check(walk_.memory()) != nullptr;
  } else if ((deadlocks & bit(kind)) != 0) {
    shown = shows(kind);
  }
  return shown ? std::optional(made) : std::nullopt;
}

// Erases loops of a lane (in lockstep, of a warp) that do not change memory. The violation does not
// need them, whatever other units do in the meantime.
template <class Engine>
void shortener<Engine>::erase_loops(choices& best, verdict kind) {
  struct visit {
    std::uint64_t where;
    std::size_t step;  // in `best`: after this step the unit was there
  };
  // By unit: where it was since it last changed memory.
  std::vector<std::vector<visit>> since(machine_.units());
  std::vector<char> erased(best.size(), 0);
  walk_.watch_races(false);
  walk_.restart();
  for (std::size_t i = 0; i < best.size(); ++i) {
    const simt::choice& by = best[i];
    const std::uint64_t changes = walk_.changes();
    if (!walk_.can(by) || walk_.perform(by) != simt::ending::none) break;
    work_ += work_of_step_;
    if (by.what == simt::choice::kind::group || by.what == simt::choice::kind::block ||
        by.what == simt::choice::kind::dispatch || by.what == simt::choice::kind::launch) {
      for (auto& visits : since) visits.clear();
      continue;
    }
    const std::uint32_t unit =
        by.what == simt::choice::kind::side ? by.unit : machine_.unit_of_lane(by.unit);
    std::vector<visit>& visits = since[unit];
    const std::uint64_t where = walk_.fingerprint(unit);
    if (walk_.changes() != changes) visits.clear();
    const auto known = std::ranges::find(visits, where, &visit::where);
    if (known == visits.end()) {
      visits.push_back({where, i});
      continue;
    }
    // Erase all that the unit has done since then.
    for (auto v = known + 1; v != visits.end(); ++v) erased[v->step] = 1;
    erased[i] = 1;
    visits.erase(known + 1, visits.end());
  }
  choices rest;
  for (std::size_t i = 0; i < best.size(); ++i) {
    if (erased[i] == 0) rest.push_back(best[i]);
  }
  if (rest.size() == best.size()) return;
  auto made = replay(rest, kind);
  if (made && made->size() < best.size()) best = std::move(*made);
}

/// Cuts off the end of a deadlock, which is dead from some step on, and stays dead.
template <class Engine>
void shortener<Engine>::cut(choices& best, verdict kind) {
  std::size_t too_short = 0;
  while (too_short + 1 < best.size() && !tired()) {
    const std::size_t middle = too_short + (best.size() - too_short) / 2;
    auto made = replay(std::span(best).first(middle), kind);
    if (made && made->size() < best.size()) {
      best = std::move(*made);
    } else {
      too_short = middle;
    }
  }
}

/// Leaves out all steps of many warps, of few, of one. Then the same with lanes.
template <class Engine>
void shortener<Engine>::drop_units(choices& best, verdict kind) {
  const simt::grid_places& places = machine_.places();
  using what = simt::choice::kind;
  const auto try_without = [&](auto is_dropped) {
    choices rest;
    std::ranges::copy_if(best, std::back_inserter(rest),
                         [&](const simt::choice& c) { return !is_dropped(c); });
    if (rest.size() == best.size()) return;
    auto made = replay(rest, kind);
    if (made && made->size() < best.size()) best = std::move(*made);
  };
  const auto by_halves = [&](std::size_t count, auto number_of) {
    for (std::size_t size = std::max<std::size_t>(count / 2, 1); size != 0; size /= 2) {
      for (std::size_t begin = 0; begin < count && !tired(); begin += size) {
        try_without([&](const simt::choice& c) { return number_of(c) - begin < size; });
      }
    }
  };
  constexpr std::size_t none = ~std::size_t{0} / 2;  // lies in no range
  by_halves(places.warps.size(), [&](const simt::choice& c) -> std::size_t {
    if (c.what == what::lane) return places.lanes[c.unit].warp;
    return c.what == what::group || c.what == what::side ? c.unit : none;
  });
  by_halves(places.lanes.size(), [&](const simt::choice& c) -> std::size_t {
    return c.what == what::lane ? c.unit : none;
  });
}

/// Leaves out pieces of the run, long ones first.
template <class Engine>
void shortener<Engine>::drop_pieces(choices& best, verdict kind) {
  for (std::size_t size = std::max<std::size_t>(best.size() / 2, 1); !tired();) {
    bool shorter = false;
    for (std::size_t end = best.size(); end > 0 && !tired();) {
      const std::size_t begin = end > size ? end - size : 0;
      choices rest(best.begin(), best.begin() + static_cast<std::ptrdiff_t>(begin));
      rest.insert(rest.end(), best.begin() + static_cast<std::ptrdiff_t>(end), best.end());
      auto made = replay(rest, kind);
      if (made && made->size() < best.size()) {
        best = std::move(*made);
        shorter = true;
      }
      end = std::min(begin, best.size());
    }
    if (size == 1 && !shorter) return;
    if (size > 1) size /= 2;
  }
}

// Under weak memory: lets loads read the newest store, since then a table is easier to read.
template <class Engine>
void shortener<Engine>::read_newest(choices& best, verdict kind) {
  for (std::size_t i = best.size(); i-- > 0 && !tired();) {
    if (i >= best.size() || best[i].what != simt::choice::kind::lane || best[i].mask == 0 ||
        best[i].is_at_choose()) {
      continue;
    }
    choices other = best;
    other[i].mask = 0;
    auto made = replay(other, kind);
    if (made && made->size() <= best.size()) best = std::move(*made);
  }
}

template <class Engine>
std::optional<std::vector<simt::choice>> shortener<Engine>::shorten(
    const std::vector<simt::choice>& found, verdict kind) {
  work_ = 0;
  dead_before_ = dead_.work();
  by_search_ = true;
  auto whole = replay(found, kind);
  if (!whole) return std::nullopt;
  choices best = std::move(*whole);
  const bool is_complete = kind == verdict::assertion && walk_.is_complete();
  by_search_ = (deadlocks & bit(kind)) != 0 && !dead_.proves(walk_);
  if (!tired()) erase_loops(best, kind);
  if ((deadlocks & bit(kind)) != 0) cut(best, kind);
  if (!is_complete) drop_units(best, kind);
  drop_pieces(best, kind);
  if constexpr (Engine::is_weak) read_newest(best, kind);
  return best;
}

template class shortener<ordered_engine>;
template class shortener<weak_engine>;

}  // namespace warpcheck
