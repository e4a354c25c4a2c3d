// Symmetry of lanes that use their index as data: queue nodes told by number or by address, slots
// of an array, owners of a lock.
//
// Such lanes have different roles (symmetry.hpp). But the program may not care which of them is
// which: then there is a **renaming** for each exchange of two of them, a mapping of continuations,
// of places in memory and of values at each place, that commutes with all that lanes do. Nobody
// declares it. It is found by following the lane automaton from the start, in pairs: when one lane
// of the exchange stands at an operation, its partner stands at the renamed one. What operations
// name tells which place and which value becomes which; where that contradicts itself, the lanes
// stay apart. Argument: docs/reductions.md, "Renaming".
//
// Only neighbours are exchanged: lanes of the grid or of a warp, warps of a block, or blocks,
// whatever moves at all. That generates all others.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <boost/container_hash/hash.hpp>
#include <boost/unordered/unordered_flat_map.hpp>

#include "sim/machine/places.hpp"
#include "sim/machine/reduce/symmetry.hpp"

namespace simt {

class machine;

class renaming {
 public:
  explicit renaming(const symmetry& moves);
  ~renaming();
  renaming(const renaming&) = delete;
  renaming& operator=(const renaming&) = delete;

  /// Forgets continuations, and looks for renamings of `m`: none, if something is learnt on the way
  /// (machine::has_news). Throws lane_error.
  void renew(machine& m);
  /// Follows all edges that are known by now. False: what was explored with it is void, since a
  /// renaming has turned out to be none, or another one, or since something was learnt. Throws
  /// lane_error.
  bool verify();

  /// What a value becomes in another process, where it may be an address.
  using moved_value = std::function<std::uint64_t(std::uint64_t)>;
  /// What was learnt of renamings from round to round, as numbers. It depends on the order in which
  /// lanes' behaviour became known, so another process is told.
  [[nodiscard]] std::vector<std::uint64_t> learnt(const moved_value& move) const;
  /// Behind renew(), and before it is called again: knows that, and nothing else.
  void learn(std::span<const std::uint64_t> all, const moved_value& move);

  [[nodiscard]] bool on() const { return !exchanges_.empty(); }
  /// Neighbours that may change names.
  [[nodiscard]] std::size_t size() const { return exchanges_.size(); }

  /// Of all that they map: the same in another process that has learnt the same.
  [[nodiscard]] std::uint64_t digest() const;

  /// Replaces a state by the one that is kept of all that it can be renamed to. `moved`, where it
  /// is given, says for each place which lane is there now; it is brought up to date. A state may
  /// show that what was explored is void; then that is recorded.
  void canonicalize(std::span<std::uint32_t> words, std::vector<std::uint32_t>* moved);

  /// A lane, and an offset in the image.
  using access = std::pair<std::uint32_t, std::uint32_t>;
  /// All that an access can be renamed to, itself first. The lane may be none of the grid's, and
  /// stays as it is then.
  [[nodiscard]] std::vector<access> images_of(const access& one) const;
  /// For each two neighbours that may change names: where that moves each of the locations.
  using moved_offsets =
      std::map<std::pair<std::uint32_t, std::uint32_t>, std::map<std::uint32_t, std::uint32_t>>;
  [[nodiscard]] moved_offsets offsets(std::span<const std::uint32_t> locations) const;
  /// Where `offset` was before lanes changed names: `lane_at` says for each place which lane is
  /// there now. Nothing: renamings alone do not lead there.
  [[nodiscard]] std::optional<std::uint32_t> offset_before(std::span<const std::uint32_t> lane_at,
                                                           std::uint32_t offset) const;

  /// All memories that `memory` can be renamed to, itself first. False: there are more than `most`.
  bool images_of(std::uint32_t memory, std::size_t most, std::vector<std::uint32_t>& all);

 private:
  class exchange;
  using pair = std::pair<std::uint32_t, std::uint32_t>;  // units
  struct neighbours {
    pair units;
    exchange* swap;
  };
  /// Something that can be renamed: a continuation, or a place in memory with its value.
  struct object {
    std::uint64_t orbit = 0;  // the same for all that it can be renamed to; 0: not known yet
    std::uint64_t named = 0;  // units that it names, as a mask
  };
  using placed = std::pair<std::uint64_t, std::uint64_t>;

  const symmetry& moves_;
  machine* machine_ = nullptr;
  std::vector<std::vector<std::uint32_t>> unit_lanes_;  // by unit
  std::vector<std::uint32_t> unit_of_;                  // by lane
  std::vector<std::vector<neighbours>> runs_;           // exchanges of neighbours in a row
  std::vector<exchange*> exchanges_;                    // all of these
  std::map<pair, std::unique_ptr<exchange>> known_;
  std::set<pair> refused_;  // for good
  std::uint64_t budget_;
  bool asked_ = false;

  // What was asked for once.
  std::vector<object> classes_;
  std::vector<std::uint64_t> spots_;  // all that any exchange moves
  boost::unordered_flat_map<placed, object, boost::hash<placed>> objects_;
  std::map<std::uint64_t, std::uint64_t> class_orbits_;
  std::map<placed, std::uint64_t> place_orbits_;

  // Of the state that is being renamed.
  struct renamed_state {
    std::vector<std::uint32_t> words;
    std::vector<std::uint8_t> image;
    std::uint32_t memory = 0;          // where it is weak; there is no image then
    std::vector<std::uint32_t> moved;  // may be empty: nobody asks
  };
  renamed_state state_, tried_, before_;
  std::vector<object> in_memory_;
  std::vector<std::uint64_t> colours_, next_colours_, sorted_;  // by unit

  void arrange();
  bool follow(exchange& e);
  void forget_objects();
  std::uint32_t renamed(exchange& e, std::uint32_t c);
  void begin(std::span<const std::uint32_t> words, renamed_state& s,
             const std::vector<std::uint32_t>* moved);
  void apply(exchange& e, renamed_state& s);
  std::uint32_t renamed_memory(exchange& e, std::uint32_t memory);
  [[nodiscard]] bool is_less_memory(std::uint32_t a, std::uint32_t b) const;
  [[nodiscard]] bool is_less(const renamed_state& a, const renamed_state& b) const;
  template <class Key, class Apply, class Hash>
  object describe(const Key& start, std::map<Key, std::uint64_t>& orbits, Apply apply, Hash hash);
  [[nodiscard]] std::uint64_t hash_of(std::uint64_t at, std::uint64_t value) const;
  const object& class_object(std::uint32_t c);
  void find_objects(std::uint32_t memory);
  void colour(std::span<const std::uint32_t> words);
  void settle_ties(const std::vector<neighbours>& run, std::size_t begin, std::size_t end);
};

}  // namespace simt
