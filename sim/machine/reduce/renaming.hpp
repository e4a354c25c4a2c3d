// Symmetry of lanes that use their index as data: as queue node number or address, slot of an
// array, owner of a lock.
//
// Such lanes have different roles (symmetry.hpp), but the program may still not depend on their
// names. Then each exchange of two of these lanes has a **renaming**. It maps continuations, places
// in memory and the values at each place, and it commutes with all steps of lanes. No program
// declares renamings. They are found by following the lane automaton from the start, in pairs. When
// one lane of the exchange stands at an operation, its partner stands at the renamed operation, so
// the places and values of the two operations correspond. Where that leads to a contradiction, the
// two lanes are not exchanged. Argument: docs/reductions.md, "Renaming".
//
// Only neighbours are exchanged: lanes of the grid or of a warp, warps of a block, or blocks. These
// exchanges generate all others.
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

  /// Forgets continuations, and looks for renamings of `m`. Finds none if there is news on the way
  /// (machine::has_news). Throws lane_error.
  void renew(machine& m);
  /// Follows all edges known by now. False: all explored states are void, because a renaming has
  /// failed or changed, or because there is news. Throws lane_error.
  bool verify();

  /// Converts a value that may be an address to its value in another process.
  using moved_value = std::function<std::uint64_t(std::uint64_t)>;
  /// The knowledge of renamings across rounds, as numbers. It depends on the order in which lanes'
  /// behaviour became known, so other processes need it.
  [[nodiscard]] std::vector<std::uint64_t> learnt(const moved_value& move) const;
  /// Replaces the knowledge. Call this between two calls of renew().
  void learn(std::span<const std::uint64_t> all, const moved_value& move);

  [[nodiscard]] bool on() const { return !exchanges_.empty(); }
  /// The number of pairs of neighbours that may trade names.
  [[nodiscard]] std::size_t size() const { return exchanges_.size(); }

  /// A digest of all mappings, equal in processes that have learnt the same facts.
  [[nodiscard]] std::uint64_t digest() const;

  /// Replaces a state by the representative of all its renamings. Updates `moved`, if given: the
  /// lane that is now at each place. May find that all explored states are void, and then records
  /// news.
  void canonicalize(std::span<std::uint32_t> words, std::vector<std::uint32_t>* moved);

  /// A lane, and an offset in the image.
  using access = std::pair<std::uint32_t, std::uint32_t>;
  /// All renamings of an access, itself first. A lane outside the grid stays unchanged.
  [[nodiscard]] std::vector<access> images_of(const access& one) const;
  /// For each pair of neighbours that may trade names: the offset to which their exchange moves
  /// each location.
  using moved_offsets =
      std::map<std::pair<std::uint32_t, std::uint32_t>, std::map<std::uint32_t, std::uint32_t>>;
  [[nodiscard]] moved_offsets offsets(std::span<const std::uint32_t> locations) const;
  /// The offset that became `offset` when lanes traded names. `lane_at`: the lane that is now at
  /// each place. Nothing: no renaming leads to `offset`.
  [[nodiscard]] std::optional<std::uint32_t> offset_before(std::span<const std::uint32_t> lane_at,
                                                           std::uint32_t offset) const;

  /// All renamings of `memory`, itself first. False: there are more than `most`.
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
    std::uint64_t orbit = 0;  // equal for all objects that it can be renamed to; 0: not known
    std::uint64_t named = 0;  // the units that it names, as a mask
  };
  using placed = std::pair<std::uint64_t, std::uint64_t>;

  const symmetry& moves_;
  machine* machine_ = nullptr;
  std::vector<std::vector<std::uint32_t>> unit_lanes_;  // by unit
  std::vector<std::uint32_t> unit_of_;                  // by lane
  std::vector<std::vector<neighbours>> runs_;           // each run: neighbours in a row
  std::vector<exchange*> exchanges_;                    // the exchanges of all runs
  std::map<pair, std::unique_ptr<exchange>> known_;
  std::set<pair> refused_;  // pairs without a renaming, for good
  std::uint64_t budget_;
  bool asked_ = false;

  // Caches.
  std::vector<object> classes_;
  std::vector<std::uint64_t> spots_;  // all places that some exchange moves
  boost::unordered_flat_map<placed, object, boost::hash<placed>> objects_;
  std::map<std::uint64_t, std::uint64_t> class_orbits_;
  std::map<placed, std::uint64_t> place_orbits_;

  // The state that is being renamed.
  struct renamed_state {
    std::vector<std::uint32_t> words;
    std::vector<std::uint8_t> image;
    std::uint32_t memory = 0;          // for weak memory, which has no image here
    std::vector<std::uint32_t> moved;  // empty if the caller does not ask
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
