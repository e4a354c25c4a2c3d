// What a search has learnt of a program, as a value.
//
// A round of a search assumes what is known when it begins. For example, lanes may change places,
// continuations of one class behave alike, or no other lane uses a location. The round comes to a
// result, or to something that contradicts an assumption. That gives better knowledge, with which
// the next round begins (checker/check/check.cpp). A saved search is a table of states and the
// knowledge that they rest on.
//
// The automaton of lanes remembers what device code did, which stays true from round to round. So
// the questions that the automaton was asked determine its classes.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "sim/automaton/lane_automaton.hpp"
#include "sim/machine/memory/shared_facts.hpp"
#include "sim/machine/reduce/footprint.hpp"
#include "sim/machine/reduce/symmetry.hpp"

namespace warpcheck {

/// What was learnt of symmetry (sim/machine/reduce/symmetry.hpp): what stays where it is.
struct kept_places {
  bool warps = false, lanes = false, blocks = false;
  std::vector<std::uint32_t> roles;  // which lanes behave alike, by lane. Empty: nothing is known

  void join(const kept_places& more);
  friend bool operator==(const kept_places&, const kept_places&) = default;
};

kept_places known_of(const simt::symmetry& moves);
void teach(simt::symmetry& moves, const kept_places& known);

/// Parts of reductions that a round has shown to be useless or wrong.
struct without {
  bool lockstep = false;  // lanes of a warp are not trusted to stay together
  bool names = false;     // lanes that use their names as data keep them
  bool moves = false;     // lanes stay where they are
  bool proofs = false;    // no proofs that a state reaches no end

  void join(const without& more);
  friend bool operator==(const without&, const without&) = default;
};

struct knowledge {
  struct memory {
    simt::memory_facts facts;
    simt::shared_facts::location_uses uses;

    void join(const memory& more);
    friend bool operator==(const memory&, const memory&) = default;
  };

  without off;
  kept_places moves;
  kept_places its_moves;              // for judging deadlocks under independent scheduling
  bool meets_divergence = false;      // simt::footprints
  std::set<std::uint64_t> not_worth;  // simt::assumed_answers
  std::optional<memory> weak;         // under weak memory

  /// What rests on the numbers of classes, to continue a stopped round. A new round makes it anew,
  /// from all that lanes have done until it begins.
  struct classes {
    std::vector<simt::lane_automaton::question> questions;  // that lanes were asked
    std::uint64_t digest = 0;     // of the classes, after all `questions` were asked
    std::uint64_t renamings = 0;  // simt::renaming::digest()
    std::optional<simt::footprints::knowledge> footprints;
    simt::assumed_answers assumed;
  };
  std::optional<classes> lanes;

  /// Adds what `more` knows. Of two lists of questions to one automaton, the longer one stays.
  void join(const knowledge& more);
  /// A digest of what states rest on, besides the classes of continuations. It is the same in
  /// another process.
  [[nodiscard]] std::uint64_t digest() const;
  [[nodiscard]] nlohmann::json to_json() const;
  /// Throws nlohmann::json::exception, std::runtime_error.
  static knowledge from_json(const nlohmann::json& from);
};

}  // namespace warpcheck
