// Whether, behind a state, some load may return what only comes to be stored because of it: a cycle
// of program order, reads-from, the order of fence.sc and barriers. Where there is none, nobody
// needs to promise anything (promises.cpp).
//
// Models: docs/memory-model.md, "Where promises are not needed", which has the proof. In an
// execution with such a cycle, a machine that takes steps in order comes to a state in which lanes
// wait for each other, in a circle: each for something that comes behind where the one before it
// waits. Of such circles those are left out that the axioms forbid: what is stored at one location
// goes round in coherence order, and with fewer than two breaks in causality it goes round in that.
// Axioms: Causality, Coherence, of these circles. Does not model: what lanes know of memory in the
// state, but for the last value of a chain of read-modify-writes; so there may be none where this
// says that there may be one.
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

/// What is known of lanes, for all machines of a run.
class buffering_graph {
 public:
  buffering_graph(const machine& of, const lane_program& like, std::span<const std::uint8_t> image);

  /// Null: nothing is known.
  [[nodiscard]] const lane_futures* futures() const { return futures_.get(); }
  [[nodiscard]] const lane_program& lanes() const { return *lanes_; }
  [[nodiscard]] std::string_view unknown() const { return graph_->unknown(); }
  [[nodiscard]] std::size_t memory() const;

 private:
  std::unique_ptr<lane_program> lanes_;
  std::unique_ptr<thread_modular> graph_;
  std::unique_ptr<lane_futures> futures_;
};

/// The question, of one machine.
class load_buffering {
 public:
  load_buffering(machine& of, const weak_memory& memory)
      : machine_(of), memory_(memory), circles_(of, memory) {}
  bool may_occur(state_view state);
  [[nodiscard]] std::size_t memory() const;

 private:
  using number = thread_modular::number;
  // What a lane does between what it waits for and what another one waits for. `acquired`: it
  // synchronizes with who stored what it has read, before; `released`: who synchronizes with what
  // it does comes behind what it waits for; `through`: behind that one, too. `passed_on`: it is one
  // read-modify-write.
  static constexpr std::uint8_t acquired = 1, released = 2, through = 4, passed_on = 8;
  static constexpr int flag_sets = 16;
  struct exit {
    awaited as;
    std::uint64_t value = 0;
    std::uint16_t flags = 0;  // sets of flags with which it may come, as bits; none: of_warp
    friend auto operator<=>(const exit&, const exit&) = default;
  };
  using exits = std::vector<exit>;

  /// A lane that waits.
  struct waiting {
    awaited as;
    std::uint32_t stops = 0;  // a set of stops at which it may be
    bool fenced = false;
    friend auto operator<=>(const waiting&, const waiting&) = default;
  };
  /// Lanes that go on together: a lane, or a warp in lockstep. One of them waits for another unit;
  /// what comes behind it may be done by any of them.
  struct unit {
    std::vector<waiting> lanes;
    std::vector<std::uint32_t> others;  // stops of lanes, as sets; also of those that do not wait
    friend auto operator<=>(const unit&, const unit&) = default;
  };
  struct segment {
    std::size_t unit = 0, lane = 0;
    std::uint64_t value = 0;  // that is read
    std::uint8_t flags = 0;
    // What another lane of the warp does, which is kept back by lockstep alone: that is no order of
    // memory.
    bool of_warp = false;
  };

  machine& machine_;
  const weak_memory& memory_;
  circles_of_locations circles_;
  const lane_futures* futures_ = nullptr;
  std::vector<std::vector<continuation>> members_;  // of the machine's classes, in its lane program
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

  std::vector<unit> units_;  // of the state
  std::vector<segment> way_;
  std::vector<char> is_on_way_;
  std::vector<std::uint32_t> part_of_;   // by unit
  std::vector<std::set<awaited>> done_;  // by unit: what others may wait for
  std::vector<std::size_t> kinds_;       // by unit
  std::map<std::vector<std::pair<waiting, std::map<std::uint64_t, exits>>>, std::size_t>
      kind_numbers_;
  std::size_t tries_ = 0;

  std::uint32_t stops_of(std::uint32_t lane, continuation at);
  void learn_members();
  [[nodiscard]] bool collect(state_view state);
  /// A lane that has not ended.
  struct standing {
    std::uint32_t lane = 0, stops = 0;  // a set of stops at which it may be
    std::optional<awaited> as;          // if it is next to take a step, what for
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
