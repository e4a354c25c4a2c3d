// Symmetry of lanes that use their index as data: numbers or addresses of queue nodes, slots of an
// array, owners of a lock.
//
// Such lanes have different roles (symmetry.hpp). But the program may not depend on their names.
// Then each exchange of two of these lanes has a **renaming**: a mapping of continuations, of
// places in memory and of values at each place, that commutes with all steps of lanes. No program
// declares renamings. They are found by following the lane automaton from the start, in pairs: when
// one lane of the exchange stands at an operation, its partner stands at the renamed operation. The
// places and values of the two operations then correspond. If this contradicts itself, the lanes
// are kept apart. Argument: docs/reductions.md, "Renaming".
//
// Only neighbours are exchanged: lanes of the grid or of a warp, warps of a block, or blocks. These
// exchanges generate all other ones.
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

  /// Forgets continuations, and looks for renamings of `m`. If there is news on the way
  /// (machine::has_news), it finds none. Throws lane_error.
  void renew(machine& m);
  /// Follows all edges that are known by now. False: all explored states are void, because a
  /// renaming turned out to be wrong or another one, or because there is news. Throws lane_error.
  bool verify();

  /// What a value becomes in another process, where it may be an address.
  using moved_value = std::function<std::uint64_t(std::uint64_t)>;
  /// The knowledge of renamings from round to round, as numbers. It depends on the order in which
  /// behaviour of lanes became known, so other processes must be given it.
  [[nodiscard]] std::vector<std::uint64_t> learnt(const moved_value& move) const;
  /// Replaces the knowledge. Call it between two calls of renew().
  void learn(std::span<const std::uint64_t> all, const moved_value& move);

  [[nodiscard]] bool on() const { return !exchanges_.empty(); }
  /// Neighbours that may change names.
  [[nodiscard]] std::size_t size() const { return exchanges_.size(); }

  /// A digest of all mappings, equal in processes that have learnt the same facts.
  [[nodiscard]] std::uint64_t digest() const;

  /// Replaces a state by the representative of all its renamings. `moved`, if given, says for each
  /// place which lane is there now; it is updated. A state may show that all explored states are
  /// void; then news is recorded.
  void canonicalize(std::span<std::uint32_t> words, std::vector<std::uint32_t>* moved);

  /// A lane, and an offset in the image.
  using access = std::pair<std::uint32_t, std::uint32_t>;
  /// All renamings of an access, itself first. A lane outside the grid stays unchanged.
  [[nodiscard]] std::vector<access> images_of(const access& one) const;
  /// For each pair of neighbours that may change names: where the exchange moves each of the
  /// locations.
  using moved_offsets =
      std::map<std::pair<std::uint32_t, std::uint32_t>, std::map<std::uint32_t, std::uint32_t>>;
  [[nodiscard]] moved_offsets offsets(std::span<const std::uint32_t> locations) const;
  /// The offset that became `offset` when lanes changed names; `lane_at` says for each place which
  /// lane is there now. Nothing: no renaming leads to `offset`.
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
  /// A thing that can be renamed: a continuation, or a place in memory with its value.
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
