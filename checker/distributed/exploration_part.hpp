// What one rank does of an exploration by all: it keeps the states that a hash gives to it, and
// explores them. Others learn of successors that are theirs in batches.
//
// All ranks go through the graph breadth first, level by level, so that they need no agreement on
// when there is nothing left: a level without states is the end. A question to the lane automaton
// that no rank has asked yet puts the state off; when the level is done, all ranks ask all such
// questions in one order, so their automata stay the same, and the states that were put off follow.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "checker/distributed/ranks.hpp"
#include "checker/distributed/state_codec.hpp"
#include "checker/explore/shared_search.hpp"
#include "checker/explore/state_checks.hpp"
#include "checker/liveness/livelock_question.hpp"
#include "checker/run/session.hpp"

namespace warpcheck {

/// What a question to the lane automaton is, in the terms of all ranks.
using wanted_questions = std::vector<simt::lane_automaton::question>;

/// The answers in it may be addresses.
byte_list pack_questions(std::span<const simt::lane_automaton::question> questions,
                         const common_addresses& addresses);
wanted_questions questions_in(const byte_list& packed, const common_addresses& addresses);
/// All together: asks what any rank wants, everywhere in the same order. Whether there was
/// anything.
bool ask_together(ranks& all, simt::lane_automaton& lanes, wanted_questions& wanted,
                  const common_addresses& addresses);

class exploration_part {
 public:
  /// A state among those of all ranks: its rank, and its number there.
  using global_id = std::uint32_t;

  /// `machine` has no news.
  exploration_part(ranks& all, const session& run, simt::machine& machine,
                   simt::lane_automaton& lanes, state_codec& codec,
                   const common_addresses& addresses, explore_options options,
                   const limits& bounds);

  /// All together: explores what can be reached from `root`, the same on all ranks.
  void run(simt::state_view root);

  /// Some rank's machine has news: what was explored is void.
  [[nodiscard]] bool is_void() const { return is_void_; }
  /// The user's mistake, where device code does what it must not; empty: there is none.
  [[nodiscard]] const std::string& misuse_found() const { return misuse_; }
  [[nodiscard]] shared_search& shared() { return shared_; }
  /// Of all ranks.
  [[nodiscard]] std::uint64_t states() const { return all_states_; }
  [[nodiscard]] std::uint64_t transitions() const { return all_transitions_; }
  [[nodiscard]] std::uint64_t depth() const { return depth_; }
  /// The most states that a rank has, as a multiple of what it would have if all had as many.
  [[nodiscard]] double imbalance() const { return imbalance_; }
  /// By all ranks to others.
  [[nodiscard]] std::uint64_t bytes_sent() const { return all_bytes_sent_; }
  [[nodiscard]] std::uint64_t bytes() const;
  [[nodiscard]] std::uint64_t peak_bytes() const { return peak_bytes_; }

  // What this rank knows of its states, by their numbers here.
  static constexpr std::uint32_t was_expanded = 1, ends = 2, stays = 4;
  [[nodiscard]] std::uint32_t flags(state_id s) const { return flags_[s]; }
  [[nodiscard]] std::span<const global_id> successors(state_id s) const {
    return std::span(targets_).subspan(first_target_[s], target_count_[s]);
  }

 private:
  static constexpr global_id not_known = 0xffffffff;
  /// States of others that were sent not long ago, with their numbers there.
  struct recent {
    std::uint64_t hash = 0;
    global_id id = not_known;
    std::uint32_t sent_in = 0;  // which exchange; the one behind it brings the number
    std::uint32_t slot = 0;     // its place in the message
  };
  /// An edge whose target has no number yet.
  struct open_edge {
    std::uint64_t at = 0;  // in targets_
    std::uint32_t slot = 0;
  };

  ranks& all_;
  const session& run_;
  simt::machine& machine_;
  simt::lane_automaton& lanes_;
  state_codec& codec_;
  common_addresses addresses_;
  const limits& bounds_;
  shared_search shared_;
  state_checks checks_;
  livelock_question livelocks_;

  std::vector<state_id> level_, next_level_, put_off_;
  wanted_questions wanted_;
  std::vector<std::uint32_t> flags_;
  std::vector<std::uint64_t> first_target_;
  std::vector<std::uint32_t> target_count_;
  std::vector<global_id> targets_;
  std::vector<recent> recent_;
  std::vector<std::uint32_t> recent_words_;
  // Of the message that is being put together, and of the last one:
  std::array<std::vector<std::uint32_t>, 2> recent_sent_;       // places in recent_
  std::array<std::vector<std::vector<open_edge>>, 2> waiting_;  // by rank
  std::uint32_t exchanges_ = 1;
  std::vector<message_writer> batches_;           // by rank
  std::vector<std::uint32_t> in_batch_;           // by rank: states in it
  std::vector<std::vector<state_id>> numbers_;    // by rank: of the states that came from there
  std::vector<std::vector<global_id>> answered_;  // by rank: of those that were sent there

  compressed_table::cursor here_;
  simt::successor_list list_;
  simt::state_words words_;
  std::uint64_t transitions_ = 0;
  bool skipped_races_ = false;
  bool is_void_ = false;
  stop_cause stopped_;  // here
  std::string misuse_;
  double seen_after_ = 0;  // seconds, of the first violation; 0: there is none

  std::uint64_t all_states_ = 0, all_transitions_ = 0, depth_ = 0, peak_bytes_ = 0;
  std::uint64_t sent_before_, all_bytes_sent_ = 0;
  double imbalance_ = 1;

  /// `near`: where it is a successor of what that has read.
  state_id enter(simt::state_view state, compressed_table::cursor* near = nullptr);
  void guard(const std::function<void()>& part);
  void expand(state_id s);
  global_id look_up(simt::state_view state, std::uint64_t at);
  struct sums;
  sums exchange(std::uint64_t expanded, std::uint64_t left);
  void take(std::uint32_t r, const byte_list& message, sums& all);
  [[nodiscard]] std::uint32_t owner_of(std::uint64_t hash) const {
    return static_cast<std::uint32_t>(hash % all_.count());
  }
  void look_at_limits();
  bool begins_alike(simt::state_view root);
  bool begins_again();
  void agree_on_end();
};

}  // namespace warpcheck
