// Draws each step of a walk at random, and replays the questions of an unmerged walk to the merging
// automaton.
#include "checker/explore/rehearsal.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <random>
#include <unordered_map>
#include <vector>

#include "checker/explore/asked_in_time.hpp"

namespace warpcheck {

namespace {

// Once in so many steps, or more in a grid of more lanes, all that may happen is listed.
constexpr std::size_t steps_for_a_list = 16;

/// Collects the listed steps behind which the walk can go on. False: it ends because of news.
bool collect_ways(simt::machine& machine, simt::state_view state, simt::successor_list& list,
                  std::vector<const simt::transition*>& ways) {
  if (machine.has_news() && !machine.traits_of_memory().is_image) return false;
  if (machine.is_cut()) {
    machine.go_on_after_news();
    machine.distinct_steps(state, list);
  }
  for (const simt::transition& t : list.transitions) {
    if (t.ends == simt::ending::none && !t.stays) ways.push_back(&t);
  }
  return true;
}

/// Collects the steps of one lane, the first that can go on from a random one. In a grid of
/// hundreds of lanes, a list of all that may happen takes hundreds of times as long. No ways: all
/// must be listed. False: the walk ends because of news.
bool collect_ways_of_one(simt::machine& machine, simt::state_view state, std::mt19937_64& random,
                         simt::successor_list& list, std::vector<const simt::transition*>& ways) {
  std::vector<std::uint32_t> lanes;
  const std::size_t count = machine.places().lanes.size();
  if (random() % std::max(steps_for_a_list, count) == 0 || machine.has_promises(state)) return true;
  machine.single_steps(state, lanes);
  if (lanes.empty()) return true;
  const std::size_t first = random() % lanes.size();
  for (std::size_t i = 0; i < lanes.size() && ways.empty(); ++i) {
    machine.steps_of(state, lanes[(first + i) % lanes.size()], list);
    if (!collect_ways(machine, state, list, ways)) return false;
  }
  return true;
}

}  // namespace

std::size_t walk(simt::machine& machine, std::uint64_t seed, std::size_t steps,
                 const limits& bounds) {
  std::mt19937_64 random(seed);
  simt::state_words state = machine.initial();
  simt::successor_list list;
  std::vector<const simt::transition*> ways;
  for (std::size_t i = 0; i < steps; ++i) {
    // In a grid of hundreds of lanes, a walk takes tens of thousands of steps, of milliseconds
    // each.
    if (bounds.is_over()) return i;
    ways.clear();
    if (!collect_ways_of_one(machine, state, random, list, ways)) return i;
    if (ways.empty()) {
      machine.distinct_steps(state, list);
      if (!collect_ways(machine, state, list, ways)) return i;
    }
    if (ways.empty()) return i;
    const auto words = list.state(*ways[random() % ways.size()], machine.words());
    state.assign(words.begin(), words.end());
  }
  return steps;
}

namespace {

bool is_like(const simt::operation& a, const simt::operation& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

}  // namespace

std::size_t walk_unmerged(session& run, simt::lane_automaton& merging, std::uint64_t seed,
                          std::size_t steps, const limits& bounds) {
  // What can happen under sc can also happen where memory is weaker. Only the answers that lanes
  // get are kept.
  simt::machine_setup setup = run.setup();
  setup.model.memory = simt::memory_model::sc;
  setup.facts = nullptr;
  setup.monitor = nullptr;
  setup.has_points = false;
  setup.leaves_masks_out = nullptr;
  // A second program answers, so that the walk does not change the numbers of continuations.
  const std::unique_ptr<simt::lane_program> program = run.lanes().another();
  simt::lane_automaton plain(*program, false);
  const asked_in_time patience(plain, bounds);
  simt::machine_stores stores(plain);
  const auto machine = simt::make_machine(setup, stores);
  std::size_t taken = 0;
  unless_void(*machine, [&] { taken = walk(*machine, seed, steps, bounds); });

  std::unordered_map<simt::continuation, simt::continuation> class_of;
  std::uint32_t launch = 0;
  for (const simt::continuation first : machine->program_starts()) {
    class_of.emplace(first, merging.start(launch++));
  }
  for (const auto& [of, answer] : plain.questions()) {
    const auto from = class_of.find(of);
    const auto to = program->known(of, answer);
    // A class that is too coarse may lead to another operation.
    if (from == class_of.end() || !to || !is_like(merging.at(from->second), program->at(of))) {
      continue;
    }
    class_of.emplace(*to, merging.outcome(from->second, answer));
  }
  return taken;
}

}  // namespace warpcheck
