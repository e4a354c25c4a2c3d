// One execution at a time where memory is weak: for searches that follow single runs and keep no
// states.
//
// Models: what the machine models (it asks the machine, so nothing is modelled twice); a test
// compares the two.
// Does not model: a machine with reductions.
//
// To schedule means more here than to say who steps: a lane may read any of several messages, and
// it may promise a store. So for each lane that can step there are `ways`. They are listed for one
// lane at a time where that is possible; all that may happen is listed (`list_all`) where lanes
// wait for each other, where a promise is open, and where somebody wants to know what may be
// promised.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/machine/machine.hpp"
#include "sim/machine/walk/walker.hpp"

namespace simt {

class weak_walker {
 public:
  /// Stands at the machine's initial state. Throws lane_error, as all that takes steps. Where the
  /// machine has news, it stands still.
  explicit weak_walker(machine& of);

  /// Back to the initial state.
  void restart() { assign(start_); }
  void assign(state_view state);
  /// The present state, as the machine has it.
  [[nodiscard]] const state_words& state() const { return words_; }
  /// Of each location the last value, in coherence order.
  [[nodiscard]] std::span<const std::uint8_t> memory() const { return machine_.image(words_); }
  [[nodiscard]] const simt::machine& follows() const { return machine_; }

  // What may happen now: as for `walker`.

  [[nodiscard]] bool awaits_choice() const { return !sides_.empty() || !blocks_.empty(); }
  using side_choice = walker::side_choice;
  [[nodiscard]] std::optional<side_choice> sides() const;
  void blocks(std::vector<std::uint32_t>& out) const { out = blocks_; }
  /// Lanes that can step alone, or promise.
  [[nodiscard]] std::span<const std::uint32_t> ready() const { return ready_; }
  [[nodiscard]] bool is_ready(std::uint32_t lane) const { return is_ready_[lane] != 0; }
  [[nodiscard]] std::uint32_t ready_in(std::uint32_t warp) const;
  using joint_step = walker::joint_step;
  [[nodiscard]] std::span<const joint_step> joint() const { return joint_; }
  [[nodiscard]] bool diverges() const { return diverges_; }
  [[nodiscard]] bool is_complete() const { return machine_.is_complete(words_); }
  [[nodiscard]] consistency_set broken() { return machine_.broken(words_); }
  [[nodiscard]] bool can(const choice& by) { return find(by) != nullptr; }
  [[nodiscard]] bool only_single_steps() const {
    return joint_.empty() && !awaits_choice() && !diverges_ && !ready_.empty();
  }
  [[nodiscard]] continuation at(std::uint32_t lane) const { return words_[lane]; }
  /// Some store has been promised and not carried out: if the run cannot go on here, it is no
  /// execution.
  [[nodiscard]] bool has_promises() const { return machine_.has_promises(words_); }

  /// What `lane`, which is ready, may do alone: the newest messages first, promises not counted.
  std::span<const choice> ways(std::uint32_t lane);
  /// What it may promise, as far as that has been listed.
  [[nodiscard]] std::span<const choice> promises(std::uint32_t lane) const;
  /// Lists all that may happen, with what lanes may promise.
  void list_all();

  // What happens.

  /// Any choice that can be made.
  ending perform(const choice& by);
  ending step(const choice& by) { return perform(by); }

  // What is known of the run so far: as for `walker`.

  [[nodiscard]] std::uint64_t steps() const { return steps_; }
  /// How often memory, or what lanes know of it, has changed.
  [[nodiscard]] std::uint64_t changes() const { return changes_; }
  [[nodiscard]] std::uint64_t last_news() const { return news_; }
  /// The last step was the only one that its lane could take.
  [[nodiscard]] bool was_forced() const { return was_forced_; }
  [[nodiscard]] std::uint64_t fingerprint(std::uint32_t unit) const;
  /// A race ends the run here.
  void watch_races(bool) {}
  [[nodiscard]] static std::optional<walker::race_pair> race() { return std::nullopt; }

 private:
  static constexpr std::uint32_t none = 0xffffffff;

  simt::machine& machine_;
  state_words start_;
  state_words words_;

  std::vector<std::uint32_t> ready_;  // lanes
  std::vector<char> is_ready_;        // by lane
  std::vector<joint_step> joint_;
  std::uint32_t parted_ = none;  // the warp that awaits the choice of a side
  std::vector<std::uint32_t> sides_;
  std::vector<std::uint32_t> blocks_;
  bool diverges_ = false;

  successor_list list_;           // what may happen, or what listed_ may do
  bool lists_all_ = false;        // or
  std::uint32_t listed_ = none;   // this lane
  std::vector<choice> ways_;      // of the lane that was asked for last
  std::vector<choice> promises_;  // sorted by lane

  std::uint64_t steps_ = 0;
  std::uint64_t changes_ = 0;
  std::uint64_t news_ = 0;
  bool was_forced_ = false;
  std::uint32_t run_ = 0;
  std::vector<std::uint32_t> seen_;  // by continuation: the last run that came there

  void look();
  void add_joint(const choice& by);
  void list_ways(std::uint32_t lane);
  const transition* find(const choice& by);
  bool is_new(continuation c);
};

}  // namespace simt
