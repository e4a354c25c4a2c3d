// For each stop in the graph of thread_modular: what a lane may still do there that other lanes
// wait for, such as stores and barriers.
//
// Axioms: none; load_buffering.cpp applies them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "sim/machine/promises/thread_modular.hpp"

namespace simt {

/// Something that a lane waits for, and that other lanes have to do.
struct awaited {
  enum class kind : std::uint8_t {
    store,    // a store to a location that it reads strongly; `where` is the offset
    fence,    // the fence.sc operations that come before its own
    barrier,  // the arrival of the others at a barrier or syncwarp
    vote,     // the arrival of the others at another collective, which orders nothing
  };
  kind what{};
  std::uint64_t where = 0;
  friend auto operator<=>(const awaited&, const awaited&) = default;

  // `where` of barriers: the block and the number of the barrier, or the warp, or the cluster.
  static constexpr std::uint64_t syncthreads = 0xff;
  static constexpr std::uint64_t halves = 0xfe;  // the barrier of a cluster, called in two halves
  static constexpr std::uint64_t of_a_warp = std::uint64_t{1} << 48;
  static constexpr std::uint64_t of_cluster = std::uint64_t{1} << 49;
  static constexpr std::uint64_t of_grid = std::uint64_t{1} << 50;
  /// Whether this is a syncthreads of a block.
  [[nodiscard]] bool is_of_whole_block() const {
    constexpr std::uint64_t of_others = of_a_warp | of_cluster | of_grid;
    return what == kind::barrier && (where & (of_others | syncthreads)) == syncthreads;
  }
};

/// What `lane` waits for at an operation. Nothing: the operation does not depend on what others do.
/// `fenced`: the lane has carried out the fence that the operation begins with.
std::optional<awaited> awaited_by(const grid_places& places, std::uint32_t lane,
                                  const operation& op, const operation_traits& t, bool fenced);

/// Something that a lane does and that another lane may wait for.
struct deed {
  awaited as;
  std::uint64_t value = 0;  // the value that is stored
  bool releases = false;    // whether others can synchronize with it
  friend auto operator<=>(const deed&, const deed&) = default;
};

class lane_futures {
 public:
  using number = thread_modular::number;
  using deeds = std::vector<std::uint32_t>;  // numbers of deeds, rising

  lane_futures(const machine& of, const thread_modular& graph);

  [[nodiscard]] const thread_modular& graph() const { return graph_; }
  [[nodiscard]] const deed& at(std::uint32_t number) const { return deeds_[number]; }
  /// What a lane may do from stop `s` on. unfenced(): only what comes before any fence.
  [[nodiscard]] const deeds& all(number s) const { return sets_[all_[s]]; }
  [[nodiscard]] const deeds& unfenced(number s) const { return sets_[unfenced_[s]]; }
  /// The store of the operation at stop `s` with edge `e`, if other lanes may wait for that store.
  [[nodiscard]] std::optional<std::uint32_t> of_edge(number s, const thread_modular::edge& e) const;
  /// The fence, barrier or collective at stop `s`, if there is one.
  [[nodiscard]] std::optional<std::uint32_t> meets(number s) const;
  /// The number of the fence or barrier that a lane waits for.
  [[nodiscard]] std::uint32_t number_of(const awaited& what) const;
  /// Whether the edge does nothing that others could miss: it reads strongly and stores nothing, or
  /// only what it has read.
  [[nodiscard]] bool changes_nothing(number s, const thread_modular::edge& e) const;
  /// Whether the edge is a round of a loop that stores what it has read. The lane comes back to
  /// where it was, past nothing but branches and sleep. An execution without the round has the same
  /// outcome.
  [[nodiscard]] bool is_round(number s, const thread_modular::edge& e) const {
    return rounds_.contains({s, e.read});
  }
  /// Whether some access to the location is not morally strong with all others.
  [[nodiscard]] bool is_mixed(std::uint32_t offset) const { return mixed_.contains(offset); }
  /// Whether only morally strong read-modify-writes store to the location.
  [[nodiscard]] bool is_chain(std::uint32_t offset) const { return !unchained_.contains(offset); }
  /// Whether a lane behind one of these stops may store next to a chain whose last value is
  /// `value`.
  [[nodiscard]] bool may_be_next(std::span<const number> from, std::uint32_t offset,
                                 std::uint64_t value) const;
  /// Properties of the operation at a stop. `wide`: it is for everybody. Otherwise it orders
  /// nothing and counts as no fence.
  struct role {
    bool wide = false;
    bool fence = false;  // is a fence, or begins with one
    bool acquires = false;
    bool releases = false;
    bool strong = false;           // is a strong access
    bool returns_nothing = false;  // is an access from which no fence acquires
  };
  [[nodiscard]] role role_of(number s) const { return roles_[s]; }
  [[nodiscard]] std::size_t memory() const;

 private:
  const grid_places places_;
  const thread_modular& graph_;
  std::vector<role> roles_;  // by stop
  std::vector<deed> deeds_;
  std::map<deed, std::uint32_t> numbers_;
  std::vector<deeds> sets_;
  std::map<deeds, std::uint32_t> set_numbers_;
  std::vector<std::uint32_t> all_, unfenced_;  // by stop: sets
  std::vector<std::uint32_t> meets_;           // by stop: a deed, or none
  std::set<std::uint32_t> mixed_;      // offsets with accesses that are not strong for everybody
  std::set<std::uint32_t> unchained_;  // offsets with stores that are not links of a chain
  std::set<std::pair<number, std::uint64_t>> rounds_;  // by stop and value read

  std::uint32_t number_of(const deed& one);
  std::uint32_t number_of(deeds all);
  [[nodiscard]] bool goes_round(number s, const thread_modular::edge& e) const;
  void look_ahead(std::vector<std::uint32_t>& result, bool past_fences);
  void own_deeds(number s, bool past_fences, deeds& all);
};

}  // namespace simt
