#include "checker/explore/explorer.hpp"

#include <algorithm>
#include <new>
#include <stdexcept>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <boost/unordered/unordered_flat_set.hpp>

#include "checker/explore/machine_shape.hpp"

namespace warpcheck {

explorer::explorer(simt::machine& machine, explore_options options, const limits& bounds)
    : machine_(machine),
      start_(std::chrono::steady_clock::now()),
      shared_(shape_of(machine), std::move(options), bounds),
      search_(shared_, machine, [this] { return look(); }),
      checks_(machine, shared_.options.final_check),
      livelocks_(machine, shared_.options.progress, shared_.states) {}

void explorer::run(std::span<const simt::state_words> roots) {
  try {
    for (const simt::state_words& root : roots) {
      if (!search_.run(shared_.states.intern(root).id)) break;
    }
    if (search_.skipped_races() && machine_.may_race()) look_for_skipped_races();
  } catch (const std::bad_alloc&) {
    shared_.stop("there is no more memory");
  } catch (const std::length_error& error) {
    shared_.stop(error.what());
  } catch (const std::system_error& error) {
    shared_.stop(error.what());
  }
  peak_bytes_ = std::max(peak_bytes_, bytes());
}

// Where no access was known to race, one behind the next move may have turned out to since.
void explorer::look_for_skipped_races() {
  compressed_table::cursor here;
  for (state_id s = 0; s < shared_.states.size() && shared_.wants(verdict::race); ++s) {
    if (!is_closed(s) || is_proved(s)) continue;
    shared_.states.read(s, here);
    if (checks_.has_race(here.words())) shared_.report(verdict::race);
  }
}

std::uint64_t explorer::bytes() const {
  return shared_.states.memory() + search_.memory() + machine_.memory();
}

bool explorer::look() {
  const limits& bounds = shared_.bounds;
  const std::uint64_t used = bytes();
  peak_bytes_ = std::max(peak_bytes_, used);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
  if (bounds.stop != nullptr && bounds.stop->load()) {
    shared_.stop("interrupted");
  } else if (bounds.max_memory && used > *bounds.max_memory) {
    shared_.stop(fmt::format("the limit of {} MiB of memory is reached", *bounds.max_memory >> 20));
  } else if (bounds.time && elapsed.count() > *bounds.time) {
    shared_.stop(fmt::format("the limit of {} s is reached", *bounds.time));
  }
  if (bounds.progress) bounds.progress({shared_.states.size(), transitions(), depth(), used});
  return !shared_.stops;
}

bool explorer::can_stay(state_id s) {
  const compressed_table& states = shared_.states;
  const std::uint32_t component = mark(s) & state_mark::component_bits;
  simt::successor_list list;
  compressed_table::cursor here;
  if (component < state_mark::first_component) {
    states.read(s, here);
    machine_.successors(here.words(), list);
    const bool loops = std::ranges::any_of(list.transitions, [&](const simt::transition& t) {
      return t.stays || (t.ends == simt::ending::none &&
                         std::ranges::equal(list.state(t, machine_.words()), here.words()));
    });
    return loops && livelocks_.can_stay_at(s, here.words(), list);
  }
  const auto [known, is_new] = can_stay_.try_emplace(component, false);
  if (!is_new) return known->second;
  std::vector<state_id> members{s};
  boost::unordered_flat_set<state_id> seen{s};
  for (std::size_t i = 0; i < members.size(); ++i) {
    states.read(members[i], here);
    machine_.successors(here.words(), list);
    for (const simt::transition& t : list.transitions) {
      if (t.ends != simt::ending::none) continue;
      const state_id next = states.find(list.state(t, machine_.words()), here);
      if (same_component(s, next) && seen.insert(next).second) members.push_back(next);
    }
  }
  return known->second = livelocks_.can_stay_in(members);
}

}  // namespace warpcheck
