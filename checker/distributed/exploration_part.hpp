// The part of one rank in an exploration by all ranks. The rank keeps the states that a hash gives
// to it, and explores them. Successors that belong to other ranks go there in batches.
//
// All ranks go through the graph breadth first, level by level. So they need not agree on when
// there is nothing left: a level without states is the end. A question to the lane automaton that
// no rank has asked yet puts the state off. When the level is done, all ranks ask all such
// questions in one order, so their automata stay the same. Then the states that were put off
// follow.
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

/// Questions to the lane automaton, in terms that all ranks share.
using wanted_questions = std::vector<simt::lane_automaton::question>;

/// Packs questions. Their answers may be addresses.
byte_list pack_questions(std::span<const simt::lane_automaton::question> questions,
                         const common_addresses& addresses);
wanted_questions questions_in(const byte_list& packed, const common_addresses& addresses);
/// All together: asks what any rank wants, everywhere in the same order. Returns whether there was
/// any question.
bool ask_together(ranks& all, simt::lane_automaton& lanes, wanted_questions& wanted,
                  const common_addresses& addresses);

class exploration_part {
 public:
  /// A state among those of all ranks: a number made of its rank, and of its number there.
  using global_id = std::uint32_t;

  /// `machine` must have no news.
  exploration_part(ranks& all, const session& run, simt::machine& machine,
                   simt::lane_automaton& lanes, state_codec& codec,
                   const common_addresses& addresses, explore_options options,
                   const limits& bounds);

  /// All together: explores what can be reached from the `root` of the first rank.
  void run(simt::state_view root);

  /// All together, once run() has ended: whether news show when each rank learns what all have
  /// learnt. Then what was explored is void.
  bool learns_from_others();
  /// Whether some rank's machine has news. Then what was explored is void.
  [[nodiscard]] bool is_void() const { return is_void_; }
  /// Returns the user's mistake if device code does what it must not do; otherwise empty.
  [[nodiscard]] const std::string& misuse_found() const { return misuse_; }
  [[nodiscard]] shared_search& shared() { return shared_; }
  /// Returns the number of states on all ranks.
  [[nodiscard]] std::uint64_t states() const { return all_states_; }
  [[nodiscard]] std::uint64_t transitions() const { return all_transitions_; }
  [[nodiscard]] std::uint64_t depth() const { return depth_; }
  /// Returns the most states that a rank has, as a multiple of the even share.
  [[nodiscard]] double imbalance() const { return imbalance_; }
  /// Returns the bytes that all ranks have sent to other ranks.
  [[nodiscard]] std::uint64_t bytes_sent() const { return all_bytes_sent_; }
  [[nodiscard]] std::uint64_t bytes() const;
  [[nodiscard]] std::uint64_t peak_bytes() const { return peak_bytes_; }

  // What this rank knows of each of its states, by their numbers here.
  static constexpr std::uint32_t was_expanded = 1, ends = 2, stays = 4;
  [[nodiscard]] std::uint32_t flags(state_id s) const { return flags_[s]; }
  [[nodiscard]] std::span<const global_id> successors(state_id s) const {
    return std::span(targets_).subspan(first_target_[s], target_count_[s]);
  }

 private:
  static constexpr global_id not_known = 0xffffffff;
  /// A state of another rank that was sent recently, with its number there.
  struct recent {
    std::uint64_t hash = 0;
    global_id id = not_known;
    std::uint32_t sent_in = 0;  // the exchange in which it was sent; the next one brings the number
    std::uint32_t slot = 0;     // its position in the message
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
  // For the message that is being put together, and for the last one:
  std::array<std::vector<std::uint32_t>, 2> recent_sent_;       // places in recent_
  std::array<std::vector<std::vector<open_edge>>, 2> waiting_;  // by rank
  std::uint32_t exchanges_ = 1;
  std::vector<message_writer> batches_;  // by rank
  std::vector<std::uint32_t> in_batch_;  // by rank: states in it
  // By rank: numbers of the states that came from there.
  std::vector<std::vector<state_id>> numbers_;
  // By rank: numbers of the states that were sent there.
  std::vector<std::vector<global_id>> answered_;

  compressed_table::cursor here_;
  simt::successor_list list_;
  simt::state_words words_;
  std::uint64_t transitions_ = 0;
  bool skipped_races_ = false;
  bool is_void_ = false;
  stop_cause stopped_;  // why this rank has stopped
  std::string misuse_;
  double seen_after_ = 0;                   // seconds until the first violation; 0: there is none
  simt::shared_facts::location_uses told_;  // the uses of locations that all ranks know

  std::uint64_t all_states_ = 0, all_transitions_ = 0, depth_ = 0, peak_bytes_ = 0;
  std::uint64_t sent_before_, all_bytes_sent_ = 0;
  double imbalance_ = 1;

  /// `near`: the state that was read last, if `state` is its successor.
  state_id enter(simt::state_view state, compressed_table::cursor* near = nullptr);
  void guard(const std::function<void()>& part);
  void expand(state_id s);
  [[nodiscard]] bool has_room() const;
  global_id look_up(simt::state_view state, std::uint64_t at);
  struct sums;
  sums exchange(std::uint64_t expanded, std::uint64_t left);
  void take(std::uint32_t r, const byte_list& message, sums& all);
  [[nodiscard]] std::uint32_t owner_of(std::uint64_t hash) const {
    return static_cast<std::uint32_t>(hash % all_.count());
  }
  void look_at_limits();
  bool begins_alike();
  simt::state_words of_first(simt::state_view root);
  bool begins_again();
  void agree_on_end();
};

}  // namespace warpcheck
