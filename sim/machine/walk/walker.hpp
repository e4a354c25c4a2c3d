// Carries out one execution of a machine at a time, in place. For searches that follow single runs
// and keep no states.
//
// Models: what the machine models; a test compares the two, state by state. Does not model: a
// machine with reductions.
//
// `machine::steps` lists all that may happen, each with a copy of the state. Here a step takes a
// few look-ups. Memory is plain bytes, the effect of an access is cached beside its continuation,
// and the set of ready lanes is updated instead of computed. The machine's own code does the rare
// steps (barriers, blocks that wait for a place).
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "sim/machine/machine.hpp"

namespace simt {

class walker {
 public:
  /// Starts at the machine's initial state. Throws lane_error, as do all functions that take steps.
  explicit walker(machine& of);

  /// Goes back to the initial state.
  void restart();
  void assign(state_view state);
  /// The present state, in the machine's form.
  [[nodiscard]] state_words state();
  [[nodiscard]] std::span<const std::uint8_t> memory() const {
    return {now_.bytes.data(), image_size_};
  }
  [[nodiscard]] const simt::machine& follows() const { return machine_; }

  // What may happen now.

  /// Whether the next move is a choice that takes no step: one of `sides` or `blocks`, and nothing
  /// else.
  [[nodiscard]] bool awaits_choice() const { return now_.awaits_block || !now_.parted.empty(); }
  /// A warp, and the sides of its top frame that may become active, as rising masks.
  struct side_choice {
    std::uint32_t warp;
    std::span<const std::uint32_t> sides;
  };
  [[nodiscard]] std::optional<side_choice> sides() const;
  /// Lists the blocks that may be dispatched.
  void blocks(std::vector<std::uint32_t>& out) const;

  /// Lanes that may take a step by themselves. None while a choice is awaited, or if the state
  /// diverges.
  [[nodiscard]] std::span<const std::uint32_t> ready() const { return now_.ready; }
  [[nodiscard]] bool is_ready(std::uint32_t lane) const { return now_.position[lane] != none; }
  /// The ready lanes of one warp, as a mask.
  [[nodiscard]] std::uint32_t ready_in(std::uint32_t warp) const { return now_.warps[warp].ready; }
  /// A step that several lanes may take together.
  struct joint_step {
    choice by;
    // A warp; or the number of warps plus a block; or wide_owner (all blocks); or launch_owner (the
    // host).
    std::uint32_t owner;
    bool any_set = false;  // an activemask: any set of lanes of by.mask, but not none
  };
  [[nodiscard]] std::span<const joint_step> joint() const { return now_.joint; }
  /// Whether the state itself ends the run: barrier divergence.
  [[nodiscard]] bool diverges() const { return now_.divergences != 0 && !awaits_choice(); }
  [[nodiscard]] bool is_complete() const {
    return now_.living == 0 && (!machine_.has_launches() || machine_.status(now_.words).is_over);
  }
  /// The kinds of consistency that the history so far lacks.
  [[nodiscard]] consistency_set broken() { return machine_.broken(now_.words); }
  [[nodiscard]] bool can(const choice& by) const;
  /// Whether some lanes may take steps by themselves, and nothing else can happen.
  [[nodiscard]] bool only_single_steps() const {
    return now_.joint.empty() && now_.parted.empty() && now_.divergences == 0 &&
           !now_.awaits_block && !now_.ready.empty();
  }
  /// The number of answers of the choose at which `lane` stands. 0: it stands at no choose.
  [[nodiscard]] std::uint32_t values_to_choose(std::uint32_t lane) const {
    const continuation c = now_.words[lane];
    return nodes_[c].what == kind::choose ? machine_.program().at(c).count : 0;
  }
  /// The continuation of a lane.
  [[nodiscard]] continuation at(std::uint32_t lane) const { return now_.words[lane]; }

  // What happens.

  /// Carries out the step of a ready lane.
  ending step(const choice& by);
  /// Carries out any choice that is possible.
  ending perform(const choice& by);

  // What is known of the run so far.

  /// The number of steps since the run started, or since `assign`.
  [[nodiscard]] std::uint64_t steps() const { return steps_; }
  /// The number of changes of memory.
  [[nodiscard]] std::uint64_t changes() const { return changes_; }
  /// The number of the last step that made progress: it changed memory, reached a continuation that
  /// was new in this run, or was taken by several lanes.
  [[nodiscard]] std::uint64_t last_news() const { return news_; }

  /// A hash of the position of a unit of fairness. Equal positions have equal hashes; different
  /// ones almost never do.
  [[nodiscard]] std::uint64_t fingerprint(std::uint32_t unit) const;

  /// Two conflicting accesses: `second` can follow directly behind the step of `first`.
  struct race_pair {
    std::uint32_t first, second;  // lanes
    bool begun;                   // `first` has just taken its step
  };
  /// Whether to look for races from now on (the default). Without this, the walker is faster.
  void watch_races(bool on) { watching_ = on; }
  /// The first race since the run started. Both accesses can be carried out as soon as no choice is
  /// awaited.
  [[nodiscard]] const std::optional<race_pair>& race() const { return race_; }

 private:
  static constexpr std::uint32_t none = 0xffffffff;
  using kind = operation_traits::kind;

  /// What is known about a continuation, in one cache line.
  struct node {
    kind what{};
    std::uint8_t size = 0;           // access: bytes
    bool is_access = false;          // an access that can be carried out
    bool is_alone : 1 = false;       // its step involves no other lane
    bool has_node : 1 = false;       // access: a node of a pool must be in use
    bool has_marks : 1 = false;      // access: to block-shared memory
    std::uint32_t offset = 0;        // access; branch: the block that it enters
    std::uint32_t block = no_block;  // access: the owner of the memory; branch: the block it leaves
    std::uint32_t seen = 0;          // the last run that reached it
    std::uint64_t weight = 0;        // what an access adds to a cell (see `cell`)
    std::array<std::uint64_t, 2> old{};
    std::array<std::uint64_t, 2> fresh{};
    std::array<continuation, 2> next{none, none};
  };

  /// An entry of a warp's SIMT stack.
  struct frame {
    std::uint32_t block = no_block;  // where its lanes reconverge
    std::uint32_t arrived = 0;
    std::uint32_t pending = 0;  // the number of its sides, at the end of `warp_state::sides`
  };
  /// The lanes of a warp, by what they wait for.
  struct warp_state {
    std::uint32_t alive = 0;          // lanes that have not exited
    std::uint32_t ready = 0;          // lanes that may take a step of their own
    std::uint32_t at_collective = 0;  // `its`
    std::uint32_t at_barrier = 0;
    bool alike = true;  // `its`: all lanes of at_collective wait at the same one
    // Only under `stack`:
    std::uint32_t active = 0;
    std::uint32_t at_branch = 0;
    std::uint64_t earliest = 0;  // sequence of the ready lanes
    std::vector<frame> frames;
    std::vector<std::uint32_t>
        sides;  // of all frames, those of the top last; each frame's in rising order
  };
  /// Counts, for 4 bytes of memory, of ready lanes' accesses: all, those that write, and those that
  /// may race. Each count has 16 bits.
  using cell = std::uint64_t;
  static constexpr cell one_access = 1;
  static constexpr cell one_write = cell{1} << 16;
  static constexpr cell one_suspect = cell{1} << 32;

  /// The present state, and what may happen in it.
  struct situation {
    state_words words;  // without updates of the words of memory and stacks
    std::vector<std::uint8_t> bytes;
    std::vector<warp_state> warps;
    std::vector<std::uint32_t> ready;     // lanes
    std::vector<std::uint32_t> position;  // by lane: its index in `ready`
    std::vector<cell> cells;
    std::vector<joint_step> joint;
    std::vector<std::uint32_t> parted;     // warps that await the choice of a side, rising
    std::vector<char> diverging;           // by owner
    std::vector<std::uint32_t> waiting;    // by block: lanes at barriers
    std::vector<std::uint32_t> living_in;  // by block: lanes that have not exited
    std::uint32_t living = 0;
    std::uint32_t divergences = 0;
    bool awaits_block = false;
  };

  simt::machine& machine_;
  const grid_places& places_;
  bool stacks_;
  bool couples_;
  std::size_t image_size_;
  std::size_t cell_mask_;
  std::vector<node> nodes_;
  std::uint64_t device_runs_ = 0;        // at the last check of the time limit
  std::vector<std::uint64_t> sequence_;  // by continuation, where there are stacks
  situation now_;
  situation start_;
  std::uint32_t run_ = 1;
  std::uint64_t steps_ = 0;
  std::uint64_t changes_ = 0;
  std::uint64_t news_ = 0;
  bool watching_ = true;
  std::uint32_t last_lane_ = none;  // the lane of the last step, if that was an access
  continuation last_at_ = 0;
  std::optional<race_pair> race_;
  std::optional<race_pair> start_race_;
  successor_list list_;

  node& known(continuation c) {
    if (c >= nodes_.size()) [[unlikely]]
      learn(c);
    return nodes_[c];
  }
  void learn(continuation c);
  void look_at_time();
  std::size_t learn_effect(continuation c, std::uint64_t old);
  continuation after(std::uint32_t lane, continuation c, std::uint64_t answer);
  continuation pass(continuation c);
  continuation rest(std::uint32_t lane, continuation c);
  [[nodiscard]] bool rests(const node& n) const {
    return n.what != kind::local && (stacks_ || n.what != kind::branch);
  }
  [[nodiscard]] bool owns(std::uint32_t lane, const node& n) const {
    const std::uint32_t own = places_.lanes[lane].block;
    if (n.block == no_block || n.block == own) return true;
    return places_.shape.share_cluster(n.block, own) && now_.living_in[n.block] != 0;
  }
  ending rare_step(const choice& by, continuation c);
  [[nodiscard]] bool is_freed(continuation c) {
    return !machine_.setup().memory->is_in_use(machine_.lanes().traits(c).node, memory());
  }
  /// Changes the marks of block-shared memory as the access does. False: it reads bytes that no
  /// lane has written, or misuses an mbarrier.
  [[nodiscard]] bool take_marks(continuation c);
  [[nodiscard]] bool is_answer(const choice& by) const;
  void pass_points(std::uint32_t lane, continuation first);
  void go(std::uint32_t lane, continuation next);
  void go_in_lockstep(std::uint32_t lane, continuation next);

  // Which lanes are ready.
  void enable(std::uint32_t lane);
  void disable(std::uint32_t lane);
  void count(std::uint32_t lane, const node& n);
  void uncount(const node& n);
  void look_for_race(std::uint32_t lane);
  void place(std::uint32_t lane, continuation next);
  void after_exit(std::uint32_t warp);

  // Whole blocks, from the words of a state.
  void load();
  void load_block(std::uint32_t block);
  void load_started(const grid_status& before);
  void withdraw_block(std::uint32_t block);
  void load_stack(std::uint32_t warp);
  void sync_stacks(std::uint32_t block);
  [[nodiscard]] warp_stack stack_of(const warp_state& w) const;

  // Lanes that wait for each other: walker_groups.cpp.
  void drop_joint(std::uint32_t owner);
  void set_diverging(std::uint32_t owner, bool diverges);
  void arrive_at_collective(std::uint32_t lane);
  void check_collectives(std::uint32_t warp);
  ending collective_step(const choice& by);
  void check_barrier(std::uint32_t block);
  void check_wide_barriers();
  void check_halves(std::uint32_t block);
  [[nodiscard]] std::uint32_t wide_owner() const {
    return static_cast<std::uint32_t>(places_.warps.size()) + places_.shape.blocks;
  }
  [[nodiscard]] std::uint32_t launch_owner() const { return wide_owner() + 1; }
  void consider_launch();
  void launch_step(const choice& by);
  void consider_barrier(std::uint32_t warp, std::uint32_t arrived);
  ending barrier_step(const choice& by);
  ending wide_barrier_step(const choice& by);
  void dispatch_step(const choice& by);
  void take_over(state_view words, std::uint32_t block);
  void dispatch();

  // Lockstep: walker_stack.cpp.
  void side_step(const choice& by);
  void come_to_front(std::uint32_t warp);
  void find_front(std::uint32_t warp);
  void settle(std::uint32_t warp);
  bool branch(std::uint32_t warp);
  bool enter(std::uint32_t warp, std::uint32_t lanes);
  [[nodiscard]] static bool awaits_side(const warp_state& w) {
    return w.active == 0 && !w.frames.empty() && w.frames.back().pending > 1;
  }
};

inline ending walker::step(const choice& by) {
  const std::uint32_t lane = by.unit;
  ++steps_;
  const continuation c = now_.words[lane];
  const node& n = nodes_[c];
  if (!n.is_access || !owns(lane, n) || (n.has_node && is_freed(c)) ||
      (n.has_marks && !take_marks(c))) [[unlikely]] {
    return rare_step(by, c);
  }
  std::uint8_t* const at = now_.bytes.data() + n.offset;
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  const std::uint64_t mask = ~std::uint64_t{0} >> (64U - 8U * n.size);
  const std::uint64_t old = word & mask;
  std::size_t slot = old * 0x9e3779b97f4a7c15U >> 63;
  if (n.next[slot] == none || n.old[slot] != old) [[unlikely]]
    slot = learn_effect(c, old);
  const node& m = nodes_[c];  // the table may have grown
  const continuation next = m.next[slot];
  if (machine_.setup().has_points) [[unlikely]]
    pass_points(lane, next);
  if (m.fresh[slot] != old) {
    word = (word & ~mask) | m.fresh[slot];
    std::memcpy(at, &word, sizeof word);
    ++changes_;
    news_ = steps_;
  } else if (next == c) {
    return ending::none;  // a lane that spins
  }
  if (couples_) {
    last_lane_ = lane;
    last_at_ = c;
  }
  go(lane, next);
  return ending::none;
}

}  // namespace simt
