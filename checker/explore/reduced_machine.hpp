// The machine of an exploration, with its reductions and their knowledge.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <vector>

#include <boost/unordered/unordered_flat_set.hpp>

#include "checker/run/knowledge.hpp"
#include "checker/run/reductions.hpp"
#include "checker/run/session.hpp"
#include "sim/machine/machine.hpp"
#include "sim/machine/reduce/access_uses.hpp"
#include "sim/machine/reduce/footprint.hpp"
#include "sim/machine/reduce/reach_without.hpp"
#include "sim/machine/reduce/renaming.hpp"
#include "sim/machine/reduce/symmetry.hpp"

namespace warpcheck {

/// Whether stores are promised, as far as is known.
inline bool may_promise(const session& run) {
  return !run.traits_of_memory().is_image && run.setup().model.promises &&
         run.facts().now().may_buffer;
}

/// A machine that merges lanes into classes, together with what has been learnt of symmetry.
struct reduced_machine {
  simt::machine_stores stores;
  simt::grid_places places;
  simt::symmetry moves;
  simt::symmetry its_moves;  // for judging deadlocks under independent scheduling
  simt::renaming renames;
  std::optional<simt::footprints> reaches;
  without off;
  std::unique_ptr<simt::machine> machine;

  reduced_machine(const session& run, simt::lane_automaton& lanes, const reductions& reduce)
      : stores(lanes),
        places(run.setup().grid),
        moves(places, reduce.symmetry, has_stacks(run) ? &stores.stacks : nullptr),
        its_moves(places, reduce.symmetry, nullptr),
        renames(moves) {
    if (!run.traits_of_memory().is_image) off.lockstep = true;
    if (reduce.order)
      reaches.emplace(run.setup().model.reconvergence == simt::reconvergence::stack);
    asks_in_small_grids_ = reduce.asks_in_small_grids;
  }

  /// Makes a machine for another thread. renew() takes over what that machine learns of symmetry.
  std::unique_ptr<simt::machine> another(const session& run) {
    simt::symmetry& its_own = moves_of_others_.emplace_back(moves);
    simt::machine_reductions reduce{.moves = off.moves ? nullptr : &its_own,
                                    .trust_lockstep = !off.lockstep,
                                    .asks_in_small_grids = asks_in_small_grids_};
    if (reaches) reduce.reaches = &*reaches;
    return simt::make_machine(run.setup(), stores, reduce);
  }

  /// Returns the knowledge for a new round: what was known when this round began, and what has been
  /// learnt since. Call it while no machine of another thread is at work.
  [[nodiscard]] knowledge known(const session& run) const {
    knowledge all;
    all.off = off;
    all.moves = known_of(moves);
    all.its_moves = known_of(its_moves);
    for (const simt::symmetry& other : moves_of_others_) all.moves.join(known_of(other));
    all.meets_divergence = reaches && reaches->has_met_divergence();
    const auto& not_worth = stores.program.assumed().not_worth;
    all.not_worth.insert(not_worth.begin(), not_worth.end());
    if (run.traits_of_memory().learns_facts) all.weak = {run.facts().now(), run.facts().uses()};
    return all;
  }
  /// Returns the knowledge on which this round rests, to continue the round later.
  [[nodiscard]] knowledge known_of_round(const session& run) const {
    knowledge all = known(run);
    knowledge::classes& lanes = all.lanes.emplace();
    lanes.questions = stores.program.questions();
    lanes.digest = stores.program.digest();
    lanes.renamings = renames.digest();
    lanes.assumed = stores.program.assumed();
    if (reaches) lanes.footprints = reaches->known();
    return all;
  }

  /// Makes a machine for a round that assumes this knowledge. Classes of continuations are as they
  /// were asked for. What rests on classes that have been split since is forgotten. The machine has
  /// news if something is learnt at once. Throws std::runtime_error if the knowledge is of another
  /// program.
  void renew(const session& run, const knowledge& what) {
    off.join(what.off);
    teach(moves, what.moves);
    teach(its_moves, what.its_moves);
    if (what.weak && run.traits_of_memory().learns_facts) {
      run.facts().learn(what.weak->facts);
      for (const auto& [key, use] : what.weak->uses) run.facts().use(key, use);
    }
    if (reaches && what.meets_divergence) reaches->meet_divergence();
    for (const std::uint64_t kind : what.not_worth) stores.program.assume_not_worth(kind);
    renew(run);
    if (what.lanes) stores.program.assume(what.lanes->assumed.never, what.lanes->assumed.no_other);
    if (!reaches || !what.lanes || !what.lanes->footprints) return;
    simt::footprints::knowledge all = *what.lanes->footprints;
    all.meets_divergence = reaches->has_met_divergence();
    if (!reaches->adopt(std::move(all))) throw std::runtime_error("footprints do not fit");
  }
  /// Makes a machine for a new round, with the knowledge of this machine and of other threads'
  /// machines.
  void renew(const session& run) {
    for (const simt::symmetry& other : moves_of_others_) moves.learn_from(other);
    moves_of_others_.clear();
    simt::machine_reductions reduce{.moves = off.moves ? nullptr : &moves,
                                    .trust_lockstep = !off.lockstep,
                                    .asks_in_small_grids = asks_in_small_grids_};
    if (reaches) reduce.reaches = &*reaches;
    // What other lanes do while one stands still is asked of lanes by their names.
    const bool asks =
        reaches && places.lanes.size() >= simt::fewest_lanes_to_ask && !may_promise(run);
    if (moves.on() && !off.names && !asks) reduce.renames = &renames;
    machine = simt::make_machine(run.setup(), stores, reduce);
    if (reaches) {
      reaches->clear();
      has_learnt(false);
    }
    if (reduce.renames != nullptr && !machine->has_news()) renames.renew(*machine);
    if (machine->has_news()) return;
    if (run.traits_of_memory().learns_facts)
      rename_facts(*run.setup().facts, reduce.renames != nullptr);
  }
  /// Whether SIMT deadlocks may be missed.
  [[nodiscard]] bool has_trusted_lockstep() const { return !off.lockstep && reaches; }
  /// Whether lanes may access more, or depend on more, than was known. `has_ended`: an exploration
  /// has ended.
  bool has_learnt(bool has_ended) {
    if (machine->learn_telling(has_ended)) return true;
    if (has_ended && machine->learn_circles()) return true;
    if (!reaches) return false;
    std::vector<simt::footprints::own> operations;
    simt::describe_operations(*machine, operations, has_ended);
    if (machine->has_news()) return false;
    known_places_ = count_places();
    return reaches->update(machine->program(), operations);
  }

  /// Whether lanes have come to operations in further places of the code since has_learnt().
  [[nodiscard]] bool knows_new_places() { return count_places() > known_places_; }

 private:
  std::size_t known_places_ = 0;

  /// The places in the code at which lanes were seen to stop.
  [[nodiscard]] std::size_t count_places() {
    const std::lock_guard lock(stores.lanes_lock);
    boost::unordered_flat_set<std::uint64_t> places;
    const simt::lane_automaton& lanes = machine->program();
    for (simt::continuation c = 0; c < lanes.size(); ++c) places.insert(lanes.at(c).pc);
    return places.size();
  }

  bool asks_in_small_grids_ = false;
  std::deque<simt::symmetry> moves_of_others_;
  // the renaming with which facts of memory were last made equal
  simt::renaming::moved_offsets renamed_;

  /// Facts of memory hold for all names. If the names turn out to be wrong, locations would wrongly
  /// seem to be shared. Then this function forgets the facts, and the search learns them again.
  void rename_facts(simt::shared_facts& facts, bool may_rename) {
    std::vector<std::uint32_t> locations;
    const auto list = [&] {
      locations.clear();
      for (const auto& [location, use] : facts.uses()) locations.push_back(location);
    };
    const auto now = [&] {
      return may_rename ? renames.offsets(locations) : simt::renaming::moved_offsets{};
    };
    list();
    const simt::renaming::moved_offsets moved = now();
    const bool are_same = std::ranges::all_of(renamed_, [&](const auto& earlier) {
      const auto at = moved.find(earlier.first);
      return at != moved.end() && std::ranges::includes(at->second, earlier.second);
    });
    if (!are_same) facts.forget_uses();
    machine->learner().rename_facts();
    list();
    renamed_ = now();
  }

  static bool has_stacks(const session& run) {
    return run.setup().model.reconvergence == simt::reconvergence::stack;
  }
};

}  // namespace warpcheck
