// Carries out one execution at a time where memory is weak. For searches that follow single runs
// and keep no states.
//
// Models: what the machine models. It asks the machine, so nothing is modelled twice; a test
// compares the two. Does not model: a machine with reductions.
//
// A schedule has to say more than which lane steps: a lane may read any of several messages, and it
// may promise a store. So each lane that can step has `ways`. They are listed for one lane at a
// time where that is possible. All that may happen is listed (`list_all`) where lanes wait for each
// other, where a promise is open, and where the caller asks for promises.
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
  /// Starts at the machine's initial state. Throws lane_error, as do all functions that take steps.
  /// Where the machine has news, the walker stands still.
  explicit weak_walker(machine& of);

  /// Goes back to the initial state.
  void restart() { assign(start_); }
  void assign(state_view state);
  /// The present state, in the machine's form.
  [[nodiscard]] const state_words& state() const { return words_; }
  /// The last value of each location, in coherence order.
  [[nodiscard]] std::span<const std::uint8_t> memory() const { return machine_.image(words_); }
  [[nodiscard]] const simt::machine& follows() const { return machine_; }

  // What may happen now: as in `walker`.

  [[nodiscard]] bool awaits_choice() const { return !sides_.empty() || !blocks_.empty(); }
  using side_choice = walker::side_choice;
  [[nodiscard]] std::optional<side_choice> sides() const;
  void blocks(std::vector<std::uint32_t>& out) const { out = blocks_; }
  /// Lanes that can take a step by themselves, or promise a store.
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
  /// Whether some store is promised and not carried out. If the run cannot go on here, it is no
  /// execution.
  [[nodiscard]] bool has_promises() const { return machine_.has_promises(words_); }

  /// What the ready lane `lane` may do by itself, without promises. Reads of the newest messages
  /// come first.
  std::span<const choice> ways(std::uint32_t lane);
  /// What `lane` may promise, as far as that was listed.
  [[nodiscard]] std::span<const choice> promises(std::uint32_t lane) const;
  /// Lists all that may happen, including promises.
  void list_all();

  // What happens.

  /// Carries out any choice that is possible.
  ending perform(const choice& by);
  ending step(const choice& by) { return perform(by); }

  // What is known of the run so far: as in `walker`.

  [[nodiscard]] std::uint64_t steps() const { return steps_; }
  /// The number of changes of memory, or of what lanes know of it.
  [[nodiscard]] std::uint64_t changes() const { return changes_; }
  [[nodiscard]] std::uint64_t last_news() const { return news_; }
  /// Whether the last step was the only one that its lane could take.
  [[nodiscard]] bool was_forced() const { return was_forced_; }
  [[nodiscard]] std::uint64_t fingerprint(std::uint32_t unit) const;
  /// Does nothing: here a race ends the run.
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

  successor_list list_;           // all that may happen, or what `listed_` may do
  bool lists_all_ = false;        // whether `list_` has all
  std::uint32_t listed_ = none;   // otherwise the lane of `list_`
  std::vector<choice> ways_;      // of the last lane that was asked for
  std::vector<choice> promises_;  // sorted by lane

  std::uint64_t steps_ = 0;
  std::uint64_t changes_ = 0;
  std::uint64_t news_ = 0;
  bool was_forced_ = false;
  std::uint32_t run_ = 0;
  std::vector<std::uint32_t> seen_;  // by continuation: the last run that reached it

  void look();
  void add_joint(const choice& by);
  void list_ways(std::uint32_t lane);
  const transition* find(const choice& by);
  bool is_new(continuation c);
};

}  // namespace simt
