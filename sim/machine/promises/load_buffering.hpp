// Asks whether, behind a state, some load may return a value that is only stored because of this
// load. Such a cycle consists of program order, reads-from, the order of fence.sc, and barriers.
// Without a cycle, no promise is needed (promises.cpp).
//
// Models: docs/memory-model.md, "Where promises are not needed", which has the proof. In an
// execution with such a cycle, a machine that takes steps in order reaches a state where lanes wait
// in a circle. Each waits for something behind the place where the next one waits. Some circles are
// excluded because the axioms forbid them. At one location, the stores would go round in coherence
// order. With fewer than two breaks in causality, Causality forbids the circle.
// Axioms: Causality and Coherence, of these circles. Does not model: what lanes know of memory in
// the state, except for the last value of a chain of read-modify-writes. So it may report a
// possible circle where there is none.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

#include "sim/machine/promises/circles_of_locations.hpp"
#include "sim/machine/promises/lane_futures.hpp"
#include "sim/machine/weak/weak_memory.hpp"

namespace simt {

/// The graph of what lanes may do, shared by all machines of a run.
class buffering_graph {
 public:
  buffering_graph(const machine& of, const lane_program& like, std::span<const std::uint8_t> image);

  /// Null: the graph has reached a limit, so nothing is known.
  [[nodiscard]] const lane_futures* futures() const { return futures_.get(); }
  [[nodiscard]] const lane_program& lanes() const { return *lanes_; }
  [[nodiscard]] std::string_view unknown() const { return graph_->unknown(); }
  [[nodiscard]] std::size_t memory() const;

 private:
  std::unique_ptr<lane_program> lanes_;
  std::unique_ptr<thread_modular> graph_;
  std::unique_ptr<lane_futures> futures_;
};

/// Searches states of one machine for circles of waiting lanes.
class load_buffering {
 public:
  load_buffering(machine& of, const weak_memory& memory)
      : machine_(of), memory_(memory), circles_(of, memory) {}
  bool may_occur(state_view state);
  /// Whether locations may form a circle at all, as far as lanes are known. The caller holds the
  /// lock of the lanes.
  [[nodiscard]] bool has_circles() { return circles_.may_be(); }
  [[nodiscard]] std::size_t memory() const;

 private:
  using number = thread_modular::number;
  // How a lane gets from what it waits for to what another lane waits for. `acquired`: it has
  // synchronized with the store that it read, before the event. `released`: a lane that
  // synchronizes with the event comes behind what this lane has waited for. `through`: such a lane
  // also comes behind the store that this lane has read. `passed_on`: read and event are one
  // read-modify-write.
  static constexpr std::uint8_t acquired = 1, released = 2, through = 4, passed_on = 8;
  static constexpr int flag_sets = 16;
  struct exit {
    awaited as;
    std::uint64_t value = 0;
    std::uint16_t flags = 0;  // a set of possible sets of flags, as bits; none: of_warp
    friend auto operator<=>(const exit&, const exit&) = default;
  };
  using exits = std::vector<exit>;

  /// A lane that waits for others.
  struct waiting {
    awaited as;
    std::uint32_t stops = 0;  // the set of stops at which the lane may be
    bool fenced = false;
    friend auto operator<=>(const waiting&, const waiting&) = default;
  };
  /// Lanes that go on together: one lane, or a warp in lockstep. One lane of the unit waits for
  /// another unit, and any lane may do what comes behind.
  struct unit {
    std::vector<waiting> lanes;
    std::vector<std::uint32_t> others;  // the sets of stops of all lanes of the unit
    friend auto operator<=>(const unit&, const unit&) = default;
  };
  /// One unit of a circle, and how the circle passes through it.
  struct segment {
    std::size_t unit = 0, lane = 0;
    std::uint64_t value = 0;  // the value that the lane reads
    std::uint8_t flags = 0;
    // Another lane of the warp does what comes next. Lockstep alone keeps it back, which is no
    // order of memory.
    bool of_warp = false;
  };

  machine& machine_;
  const weak_memory& memory_;
  circles_of_locations circles_;
  const lane_futures* futures_ = nullptr;
  // Members of the machine's classes, as continuations of its lane program.
  std::vector<std::vector<continuation>> members_;
  continuation members_known_ = 0;
  std::vector<std::vector<number>> stop_sets_;
  std::map<std::vector<number>, std::uint32_t> stop_set_numbers_;
  struct place_key {
    std::uint32_t lane;
    continuation at;
    std::size_t members;
    friend auto operator<=>(const place_key&, const place_key&) = default;
  };
  std::map<place_key, std::uint32_t> sets_at_;
  std::map<std::pair<waiting, std::uint64_t>, exits> exits_;
  std::map<std::tuple<std::uint32_t, std::uint64_t, std::uint64_t>, bool> may_be_next_;
  std::map<std::vector<unit>, bool> known_;

  std::vector<unit> units_;  // of the present state
  std::vector<segment> way_;
  std::vector<char> is_on_way_;
  std::vector<std::uint32_t> part_of_;   // by unit
  std::vector<std::set<awaited>> done_;  // by unit: what other units may wait for
  std::vector<std::size_t> kinds_;       // by unit
  std::map<std::vector<std::pair<waiting, std::map<std::uint64_t, exits>>>, std::size_t>
      kind_numbers_;
  std::size_t tries_ = 0;

  std::uint32_t stops_of(std::uint32_t lane, continuation at);
  void learn_members();
  [[nodiscard]] bool collect(state_view state);
  /// A lane that has not ended, and what it waits for.
  struct standing {
    std::uint32_t lane = 0, stops = 0;  // the set of stops at which it may be
    std::optional<awaited> as;          // what the lane waits for, if its step comes next
    bool fenced = false;
  };
  [[nodiscard]] standing standing_of(state_view state, const weak_state& memory,
                                     std::uint32_t lane);
  bool may_change(std::span<const standing> lanes, const standing& of, std::uint64_t value);
  bool search();
  void learn_parts();
  [[nodiscard]] static bool stands_with(const unit& by, const waiting& of);
  [[nodiscard]] bool is_of_one_location(std::uint32_t part) const;
  [[nodiscard]] bool is_like_earlier(std::size_t unit) const;
  [[nodiscard]] std::set<std::uint64_t> values_for(const waiting& at) const;
  bool go_on();
  bool has_shortcut_to(const waiting& next);
  bool come_to(std::size_t unit, std::size_t lane, const exit& by);
  [[nodiscard]] bool is_allowed() const;
  const exits& exits_of(const waiting& from, std::uint64_t value);
  exits all_exits(const segment& from);
};

}  // namespace simt
