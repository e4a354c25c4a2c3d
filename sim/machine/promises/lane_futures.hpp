// What lanes may still do for each other, by where they stand in the graph of thread_modular: what
// they may store, which barriers they may come to.
//
// Axioms: none; load_buffering.cpp asks.
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

/// What a lane waits for that others have to do.
struct awaited {
  enum class kind : std::uint8_t {
    store,    // at a location that it reads strongly; `where`: its offset
    fence,    // a fence.sc that comes before its own one
    barrier,  // the others to come there; a syncwarp is one
    vote,     // the same of other collectives, which order nothing
  };
  kind what{};
  std::uint64_t where = 0;
  friend auto operator<=>(const awaited&, const awaited&) = default;

  // `where`, of barriers: the block and the barrier's number, or the warp, or the cluster.
  static constexpr std::uint64_t syncthreads = 0xff;
  static constexpr std::uint64_t halves = 0xfe;  // of a cluster's barrier
  static constexpr std::uint64_t of_a_warp = std::uint64_t{1} << 48;
  static constexpr std::uint64_t of_cluster = std::uint64_t{1} << 49;
  static constexpr std::uint64_t of_grid = std::uint64_t{1} << 50;
  /// Whether it is a syncthreads.
  [[nodiscard]] bool is_of_whole_block() const {
    constexpr std::uint64_t of_others = of_a_warp | of_cluster | of_grid;
    return what == kind::barrier && (where & (of_others | syncthreads)) == syncthreads;
  }
};

/// Nothing: what others do later is nothing to the operation. `fenced`: the fence that it begins
/// with has been carried out.
std::optional<awaited> awaited_by(const grid_places& places, std::uint32_t lane,
                                  const operation& op, const operation_traits& t, bool fenced);

/// What a lane does that another one may wait for.
struct deed {
  awaited as;
  std::uint64_t value = 0;  // that is stored
  bool releases = false;    // who synchronizes with it comes behind what is in front of it
  friend auto operator<=>(const deed&, const deed&) = default;
};

class lane_futures {
 public:
  using number = thread_modular::number;
  using deeds = std::vector<std::uint32_t>;  // by their numbers, rising

  lane_futures(const machine& of, const thread_modular& graph);

  [[nodiscard]] const thread_modular& graph() const { return graph_; }
  [[nodiscard]] const deed& at(std::uint32_t number) const { return deeds_[number]; }
  /// What a lane may do from there on; and in front of any fence.
  [[nodiscard]] const deeds& all(number s) const { return sets_[all_[s]]; }
  [[nodiscard]] const deeds& unfenced(number s) const { return sets_[unfenced_[s]]; }
  /// What the operation there stores, with that edge.
  [[nodiscard]] std::optional<std::uint32_t> of_edge(number s, const thread_modular::edge& e) const;
  /// What it does besides: a fence, a barrier.
  [[nodiscard]] std::optional<std::uint32_t> meets(number s) const;
  /// The same of who waits for that.
  [[nodiscard]] std::uint32_t number_of(const awaited& what) const;
  /// Whether the edge does nothing that others could miss: it reads strongly, and stores nothing,
  /// or what it has read.
  [[nodiscard]] bool changes_nothing(number s, const thread_modular::edge& e) const;
  /// Whether it is a round of a loop that stores what it has read, and comes back to where the lane
  /// was with nothing but branches and sleep in between: an execution without it has the same
  /// outcome.
  [[nodiscard]] bool is_round(number s, const thread_modular::edge& e) const {
    return rounds_.contains({s, e.read});
  }
  /// Whether some access there is not morally strong with all others.
  [[nodiscard]] bool is_mixed(std::uint32_t offset) const { return mixed_.contains(offset); }
  /// Whether nothing stores there but read-modify-writes, all of which are morally strong.
  [[nodiscard]] bool is_chain(std::uint32_t offset) const { return !unchained_.contains(offset); }
  /// Whether a lane may be the next one to store at a chain whose last value that is, somewhere
  /// behind one of these stops.
  [[nodiscard]] bool may_be_next(std::span<const number> from, std::uint32_t offset,
                                 std::uint64_t value) const;
  /// What the operation there is; `wide`: it is meant for everybody, else it is no fence and orders
  /// nothing.
  struct role {
    bool wide = false;
    bool fence = false;  // or begins with one
    bool acquires = false;
    bool releases = false;
    bool strong = false;  // an access
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
  std::set<std::uint32_t> mixed_;      // accessed otherwise than strongly, for everybody: offsets
  std::set<std::uint32_t> unchained_;  // stored to otherwise, too
  std::set<std::pair<number, std::uint64_t>> rounds_;  // stops, and what is read there

  std::uint32_t number_of(const deed& one);
  std::uint32_t number_of(deeds all);
  [[nodiscard]] bool goes_round(number s, const thread_modular::edge& e) const;
  void look_ahead(std::vector<std::uint32_t>& result, bool past_fences);
  void own_deeds(number s, bool past_fences, deeds& all);
};

}  // namespace simt
