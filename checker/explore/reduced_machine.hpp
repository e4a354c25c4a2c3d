// The machine that an exploration goes through, with its reductions and what they have learnt.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "checker/run/reductions.hpp"
#include "checker/run/session.hpp"
#include "sim/machine/machine.hpp"
#include "sim/machine/reduce/footprint.hpp"
#include "sim/machine/reduce/renaming.hpp"
#include "sim/machine/reduce/symmetry.hpp"

namespace warpcheck {

/// With classes of lanes, and with what has been learnt of symmetry.
struct reduced_machine {
  simt::machine_stores stores;
  simt::grid_places places;
  simt::symmetry moves;
  simt::symmetry its_moves;  // under independent scheduling, to judge deadlocks
  simt::renaming renames;
  std::optional<simt::footprints> reaches;
  bool trust_lockstep = true;
  bool may_rename = true;  // where lanes use their names as data
  bool may_move = true;
  std::unique_ptr<simt::machine> machine;

  reduced_machine(const session& run, simt::lane_automaton& lanes, const reductions& reduce)
      : stores(lanes),
        places(run.setup().grid),
        moves(places, reduce.symmetry, has_stacks(run) ? &stores.stacks : nullptr),
        its_moves(places, reduce.symmetry, nullptr),
        renames(moves) {
    if (run.has_weak_memory()) trust_lockstep = false;
    if (reduce.order) reaches.emplace();
  }

  /// For another thread. What it learns of symmetry, renew() takes over.
  std::unique_ptr<simt::machine> another(const session& run) {
    simt::symmetry& its_own = moves_of_others_.emplace_back(moves);
    simt::machine_reductions reduce{.moves = may_move ? &its_own : nullptr,
                                    .trust_lockstep = trust_lockstep};
    if (reaches) reduce.reaches = &*reaches;
    return simt::make_machine(run.setup(), stores, reduce);
  }

  /// Forgets what rests on classes that have been split since. (No machine of another thread is
  /// left.) The machine has news if something is learnt at once.
  void renew(const session& run) {
    for (const simt::symmetry& other : moves_of_others_) moves.learn_from(other);
    moves_of_others_.clear();
    simt::machine_reductions reduce{.moves = may_move ? &moves : nullptr,
                                    .trust_lockstep = trust_lockstep};
    if (reaches) reduce.reaches = &*reaches;
    if (moves.on() && may_rename) reduce.renames = &renames;
    machine = simt::make_machine(run.setup(), stores, reduce);
    if (reaches) {
      reaches->clear();
      has_learnt(false);
    }
    if (reduce.renames != nullptr && !machine->has_news()) renames.renew(*machine);
    if (machine->has_news()) return;
    if (run.has_weak_memory()) rename_facts(*run.setup().facts, reduce.renames != nullptr);
  }
  /// Whether SIMT deadlocks may be missed.
  [[nodiscard]] bool has_trusted_lockstep() const { return trust_lockstep && reaches; }
  /// Whether lanes may touch more than was known, or depend on more. `has_ended`: an exploration.
  bool has_learnt(bool has_ended) {
    if (machine->has_weak_memory() && machine->learn_telling(has_ended)) return true;
    if (!reaches) return false;
    std::vector<simt::footprints::own> operations;
    machine->describe_operations(operations);
    if (machine->has_news()) return false;
    return reaches->update(machine->program(), operations);
  }

 private:
  std::deque<simt::symmetry> moves_of_others_;
  simt::renaming::moved_offsets renamed_;  // with what names facts of memory were made the same

  /// Facts of memory hold for all names. Where names have turned out to be none, or to be others,
  /// locations would seem to be shared that are not: then they are learnt anew.
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
    machine->rename_facts();
    list();
    renamed_ = now();
  }

  static bool has_stacks(const session& run) {
    return run.setup().model.reconvergence == simt::reconvergence::stack;
  }
};

}  // namespace warpcheck
