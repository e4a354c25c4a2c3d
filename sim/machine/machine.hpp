// The simulated GPU: the states of a grid, and the steps and choices that are possible in each.
//
// A state is a vector of `words()` 32-bit numbers: a continuation for each lane, the memory image
// and the status of the grid. Under `stack` it also has the reconvergence stack of each warp. All
// of these are interned, so equal states have equal words.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "sim/automaton/news.hpp"
#include "sim/machine/choice.hpp"
#include "sim/machine/groups/barriers.hpp"
#include "sim/machine/groups/collectives.hpp"
#include "sim/machine/lane_steps.hpp"
#include "sim/machine/launch/host_steps.hpp"
#include "sim/machine/machine_limits.hpp"
#include "sim/machine/machine_setup.hpp"
#include "sim/machine/memory/location_learner.hpp"
#include "sim/machine/memory/machine_memory.hpp"
#include "sim/machine/places.hpp"
#include "sim/machine/reduce/own_addresses.hpp"
#include "sim/machine/reduce/renaming.hpp"
#include "sim/machine/reduce/symmetry.hpp"
#include "sim/machine/step_list.hpp"
#include "sim/machine/watched_history.hpp"

namespace simt {

class early_stores;
class steps_ahead;
struct promised_store;

class machine {
 public:
  virtual ~machine();
  machine(const machine&) = delete;
  machine& operator=(const machine&) = delete;

  // What it is made of.

  [[nodiscard]] const machine_setup& setup() const { return setup_; }
  [[nodiscard]] const grid_places& places() const { return places_; }
  [[nodiscard]] const own_addresses& addresses() const { return addresses_; }
  [[nodiscard]] machine_stores& stores() { return stores_; }
  [[nodiscard]] const machine_stores& stores() const { return stores_; }
  [[nodiscard]] lane_automaton& program() { return stores_.program; }
  [[nodiscard]] const lane_automaton& program() const { return stores_.program; }
  /// How single lanes go on.
  [[nodiscard]] lane_steps& lanes() { return lanes_; }
  [[nodiscard]] const lane_steps& lanes() const { return lanes_; }
  /// The memory model.
  [[nodiscard]] machine_memory& model() { return *memory_; }
  [[nodiscard]] const machine_memory& model() const { return *memory_; }
  /// Steps that several lanes take together.
  [[nodiscard]] warp_collectives& collectives() { return collectives_; }
  [[nodiscard]] grid_barriers& barriers() { return barriers_; }
  /// The history of the object's operations.
  [[nodiscard]] watched_history& history() { return history_; }
  /// The reduction by order. Null: lanes do not run ahead.
  [[nodiscard]] steps_ahead* ahead() { return ahead_.get(); }
  /// What weak memory learns of locations.
  [[nodiscard]] location_learner& learner() { return learner_; }

  // States, as at the head of this file.

  [[nodiscard]] std::size_t words() const { return words_; }
  [[nodiscard]] std::size_t memory_word() const { return places_.lanes.size(); }
  [[nodiscard]] std::size_t status_word() const { return places_.lanes.size() + 1; }
  [[nodiscard]] std::size_t stack_word(std::uint32_t warp) const {
    return status_word() + 1 + warp;
  }
  /// Returns the only initial state. It may await choices of sides, or of blocks to dispatch.
  virtual state_words initial() = 0;
  [[nodiscard]] const operation& waits_at(state_view state, std::uint32_t lane) const {
    return stores_.program.at(state[lane]);
  }
  [[nodiscard]] const grid_status& status(state_view state) const {
    return stores_.statuses[state[status_word()]];
  }
  [[nodiscard]] const warp_stack& stack(state_view state, std::uint32_t warp) const {
    return stores_.stacks[state[stack_word(warp)]];
  }
  /// The lanes of a warp that have not exited, as a mask.
  [[nodiscard]] std::uint32_t alive(state_view state, std::uint32_t warp) const;
  /// Converts a mask of lanes of a warp to lane numbers of the grid.
  [[nodiscard]] std::vector<std::uint32_t> lanes_of(std::uint32_t warp, std::uint32_t mask) const;
  /// Calls f(lane) for each lane that takes part in the step `c` from `state`.
  template <class F>
  void for_each_lane(const choice& c, state_view state, F f) const;
  /// Whether all lanes have exited and there is no further launch.
  [[nodiscard]] bool is_complete(state_view state) const;

  // Steps. Here and below: throws lane_error where device code misbehaves, and
  // lane_automaton::given_up where the time limit has passed.

  /// Lists all steps and choices of `state`.
  void steps(state_view state, successor_list& out) {
    spares_repeats_ = false;
    list_all(state, out);
  }
  /// Like steps(), for code that follows a known execution. May list only those steps of single
  /// lanes that fit `by`, the choice made in `state`.
  void steps_by(state_view state, const choice& by, successor_list& out);
  /// Like steps(), without symmetric duplicates and commuting lockstep orders.
  void distinct_steps(state_view state, successor_list& out) {
    spares_repeats_ = is_reduced();
    list_all(state, out);
  }
  /// Like distinct_steps(), with each next state replaced by its representative.
  void successors(state_view state, successor_list& out);
  /// Lists the steps that `lane` may take by itself in `state`. `lane` must be one that
  /// single_steps() lists, and no promise may be open in `state`.
  void steps_of(state_view state, std::uint32_t lane, successor_list& out);
  /// Fills `lanes` with the lanes that may step by themselves in `state`. False: `state` may also
  /// have choices that take no step, or steps of several lanes, or may be blocked because these are
  /// missing.
  bool single_steps(state_view state, std::vector<std::uint32_t>& lanes);
  /// Fills `lanes` with the lanes that may carry out an access now. False: the state awaits a
  /// choice.
  virtual bool accesses(state_view state, std::vector<std::uint32_t>& lanes) const = 0;
  /// Whether the next moves are choices that take no step.
  [[nodiscard]] virtual bool awaits_choice(state_view state) const = 0;
  /// Lists all steps of `state`, and choices of sides and blocks, but no promises.
  virtual void list_steps(state_view state, successor_list& out) = 0;
  /// Lists the step of a lane whose operation involves no other lane.
  void lane_step(state_view state, std::uint32_t lane, successor_list& out);
  /// Lists one transition for each outcome that memory allows for the operation at which `lane`
  /// waits.
  void memory_steps(state_view state, std::uint32_t lane, successor_list& out);
  /// Lists the steps that lanes of `warp` may take together at a collective, activemask included.
  virtual void collective_steps(state_view state, std::uint32_t warp, successor_list& out) = 0;
  /// Whether memory takes part in the step of one lane at `c`.
  [[nodiscard]] bool is_memory_step(continuation c) const {
    return memory_->has_part_in(stores_.program.at(c));
  }

  // News: facts about the program that make explored states void.

  /// Whether this machine, or another one over the same classes, has learnt something about the
  /// program since this machine was made, or since begin_again(). Then all states explored with
  /// this machine are void. Its lists may be cut short (is_cut), and its errors may be false
  /// (unless_void).
  [[nodiscard]] bool has_news() const { return news_.has_news(); }
  /// news_watch::is_cut().
  [[nodiscard]] bool is_cut() const { return news_.is_cut(); }
  [[nodiscard]] news_watch& news() { return news_; }
  /// Reuses this machine with all that it has learnt. Call before initial(), and only if classes
  /// are not merged; otherwise make a new machine.
  void begin_again();
  /// Stops cutting lists short because of the news so far. All that is listed stays void, but may
  /// bring up more news. For memory that is an image.
  void go_on_after_news();

  // Reductions.

  [[nodiscard]] bool is_reduced() const { return is_symmetric() || ahead_ != nullptr; }
  [[nodiscard]] bool is_symmetric() const { return symmetry_ != nullptr && symmetry_->on(); }
  [[nodiscard]] bool renames() const { return renaming_ != nullptr && renaming_->on(); }
  /// Null: lanes keep their places.
  [[nodiscard]] const symmetry* symmetry_of_lanes() const { return symmetry_; }
  /// Null: lanes keep their names.
  [[nodiscard]] renaming* renaming_of_lanes() const { return renaming_; }
  /// Whether the present knowledge of lanes still allows the renamings.
  bool renames_still_hold() { return renaming_ == nullptr || renaming_->verify(); }
  /// Replaces a state by its representative, which is explored instead.
  void reduce(std::span<std::uint32_t> words) {
    run_ahead(words, nullptr);
    change_places(words);
  }
  /// First half of reduce(): takes steps that concern no other lane, and appends them to `made`
  /// (which may be null). Returns whether there were any.
  bool run_ahead(std::span<std::uint32_t> words, std::vector<choice>* made);
  /// Second half of reduce(): symmetry::canonicalize.
  void change_places(std::span<std::uint32_t> words, std::vector<std::uint32_t>* moved = nullptr) {
    if (memory_->traits().names_lanes) {
      change_places_and_names(words, moved);
    } else if (symmetry_ != nullptr) {
      symmetry_->canonicalize(words, moved);
    }
    if (renaming_ != nullptr) renaming_->canonicalize(words, moved);
  }
  /// Whether lists leave out steps that are symmetric to a listed step.
  [[nodiscard]] bool spares_repeats() const { return spares_repeats_; }
  /// Whether lanes that wait at the same operation take equal steps, because memory does not tell
  /// the lanes apart.
  [[nodiscard]] bool may_repeat() const {
    return symmetry_ != nullptr && !memory_->traits().names_lanes;
  }

  // Launches (launch/launches.cpp).

  /// The continuations at which lanes begin, in each launch reached so far.
  [[nodiscard]] std::vector<continuation> program_starts();
  /// Whether the host may launch the kernel again.
  [[nodiscard]] bool has_launches() const { return setup_.entry->next_launch != nullptr; }
  /// Whether all lanes have exited and the host is about to decide on a further launch.
  [[nodiscard]] bool awaits_launch(state_view state) const;
  /// Lists the host's step, which may start a launch: the only step in a state that awaits a
  /// launch.
  void launch_step(state_view state, successor_list& out);
  /// The number of the launch, from 0.
  [[nodiscard]] std::uint32_t launch_of(state_view state) const { return status(state).launch; }

  // Residence of blocks.

  [[nodiscard]] bool all_resident() const { return all_resident_; }
  [[nodiscard]] bool is_resident(state_view state, std::uint32_t block) const {
    return all_resident_ || status(state).started[block] != 0;
  }
  /// Whether the next move is the choice of a block to dispatch.
  [[nodiscard]] bool awaits_dispatch(state_view state) const;
  void dispatch_choices(state_view state, successor_list& out);
  /// Makes blocks resident where there is no choice.
  void dispatch(std::span<std::uint32_t> words);
  /// Brings a state to rest after a step of lanes of `block`: dispatches blocks where there is no
  /// choice, and carries out the reconvergence model's moves.
  void come_to_rest(std::span<std::uint32_t> words, std::uint32_t block);

  // Reconvergence.

  [[nodiscard]] bool has_stacks() const {
    return setup_.model.reconvergence == reconvergence::stack;
  }
  /// Whether some lanes run in lockstep.
  [[nodiscard]] bool has_lockstep() const {
    return has_stacks() && places_.lanes.size() > places_.warps.size();
  }
  /// Whether a step may enable an access of another lane: in lockstep, and when a block that ends
  /// gives its place to another.
  [[nodiscard]] bool couples_steps() const { return has_stacks() || !all_resident_; }
  /// Under `stack`: the enabled active lanes of a warp that stand at its earliest instruction.
  [[nodiscard]] virtual std::uint32_t front(state_view state, std::uint32_t warp) const = 0;
  /// Carries out the reconvergence model's moves that take no step, for one warp.
  virtual void settle_warp(std::span<std::uint32_t> words, std::uint32_t warp) = 0;

  // Memory.

  /// Properties of the memory model that hold in every state.
  [[nodiscard]] const memory_traits& traits_of_memory() const { return memory_->traits(); }
  /// The last value of each location, in coherence order.
  [[nodiscard]] interned_bytes::bytes image(state_view state) const {
    return memory_->image(state[memory_word()]);
  }
  /// The value that init() leaves at a location. Call initial() first.
  [[nodiscard]] std::uint64_t first_value(std::uint32_t offset, std::uint32_t size) const;
  /// The stored values at `offset` that some lane may still read, in coherence order.
  [[nodiscard]] std::vector<stored_value> stored_at(state_view state, std::uint32_t offset,
                                                    std::uint8_t size) const {
    return memory_->stored_at(state[memory_word()], offset, size);
  }
  /// For each value of stored_at(), the lanes whose loads may return that value.
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> readers_at(state_view state,
                                                                   std::uint32_t offset) const;
  /// The request to memory for the operation at which `lane` waits.
  [[nodiscard]] memory_request request_of(state_view state, std::uint32_t lane) {
    return {lane, waits_at(state, lane), lanes_.traits(state[lane]), state[memory_word()], {}};
  }
  /// What the lane of `by` reads at its pending access if `by` is chosen.
  [[nodiscard]] memory_reading reading_of(state_view state, const choice& by) {
    return memory_->reading(request_of(state, by.unit), by.mask);
  }
  /// After a step that ended in a race: the earlier access that the step's access races with.
  [[nodiscard]] std::optional<race_partner> race_of(state_view state, const choice& by) {
    return memory_->race(request_of(state, by.unit), by.mask);
  }
  /// Whether some fact of the program that its steps depend on is still unknown
  /// (shared_facts::settle).
  [[nodiscard]] bool lacks_facts() const { return memory_->lacks_facts(); }
  /// Whether lanes promise stores at all.
  [[nodiscard]] bool makes_promises() const { return memory_->makes_promises(); }
  /// Whether some lane has promised a store and not carried it out.
  [[nodiscard]] bool has_promises(state_view state) const {
    return memory_->has_promises(state[memory_word()]);
  }
  /// The stores that `lane` may promise in `state`. A choice names a store by its index here. Some
  /// of these promises cannot be kept.
  [[nodiscard]] std::vector<promised_store> promises(state_view state, std::uint32_t lane);
  /// Looks for further telling locations (memory_facts) in what lanes have been seen to do. True:
  /// it has found some, and all states so far are void. It finds all of them once an exploration
  /// `has_ended`.
  bool learn_telling(bool has_ended);
  /// Looks for circles of locations (memory_facts) in what lanes have been seen to do. True: there
  /// may be some, and all states so far are void.
  bool learn_circles();
  /// Drops what memory keeps for lanes that have ended.
  void forget_exited(std::span<std::uint32_t> words);

  // Properties of accesses.

  /// How the pending access of this lane ends the run, if it does.
  [[nodiscard]] ending fault_of(state_view state, std::uint32_t lane,
                                const operation_traits& t) const;
  /// Whether the access at which `lane` waits cannot be carried out in `state`. `t`: its traits.
  [[nodiscard]] bool is_bad_access(state_view state, std::uint32_t lane,
                                   const operation_traits& t) const {
    return fault_of(state, lane, t) != ending::none;
  }
  [[nodiscard]] bool is_bad_access(state_view state, std::uint32_t lane) {
    return is_bad_access(state, lane, lanes_.traits(state[lane]));
  }
  /// Whether an access with these traits is invalid for the lane in every state.
  [[nodiscard]] bool is_bad(std::uint32_t lane, const operation_traits& t) const {
    return t.what == operation_traits::kind::bad_access ||
           (t.block != no_block && !setup_.grid.share_cluster(t.block, places_.lanes[lane].block));
  }
  /// Whether two pending accesses of different lanes conflict: docs/model.md, "Memory".
  [[nodiscard]] bool conflict(std::uint32_t lane_a, continuation a, std::uint32_t lane_b,
                              continuation b);
  /// Whether some known access may be part of a race; false if the memory model reports races
  /// itself. Of two conflicting accesses, may_race() holds for at least one.
  [[nodiscard]] bool may_race() const {
    return !memory_->traits().ends_at_races &&
           (lanes_.has_suspicious() || lanes_.has_mixed_sizes());
  }
  [[nodiscard]] bool may_race(continuation c) {
    return !memory_->traits().ends_at_races &&
           (lanes_.has_mixed_sizes() || lanes_.traits(c).suspicious);
  }

  // Fairness. Its units are lanes under `its`, warps under `stack`.

  [[nodiscard]] std::uint32_t units() const;
  [[nodiscard]] std::uint32_t unit_of_lane(std::uint32_t lane) const;
  [[nodiscard]] bool is_finished(state_view state, std::uint32_t unit) const;
  [[nodiscard]] std::uint32_t block_of_unit(std::uint32_t unit) const;
  // Progress (owed.cpp). In a grid of one block all models but `unfair` are `fair`.
  [[nodiscard]] progress owes() const { return setup_.progress; }
  /// Whether the progress model may owe progress to some blocks and not to others.
  [[nodiscard]] bool owes_some_blocks() const {
    return owes() != progress::fair && owes() != progress::unfair;
  }
  /// Lists for each unit whether it is owed progress in `state`: the unit is not finished, its
  /// block is resident, and the progress model chooses that block.
  void list_owed(state_view state, std::vector<char>& owed) const;
  /// Whether states record which blocks have taken a step.
  [[nodiscard]] bool remembers_steps() const { return remembers_steps_; }
  /// The status after a step of `block`.
  std::uint32_t status_with_step(std::uint32_t status, std::uint32_t block);

  // The history of an object, and what lanes print.

  /// The events of the initial content. They count as having happened before the grid started.
  [[nodiscard]] const std::vector<operation>& initial_events() const { return initial_events_; }
  /// The linearization points that a lane passes in its step `by` from `state`, as operations.
  [[nodiscard]] std::vector<operation> points_of_step(state_view state, const choice& by);
  /// The status after the linearization points that `lane` passes from `c` to its next step.
  std::uint32_t after_points(std::uint32_t status, std::uint32_t lane, continuation c) {
    return history_.after_points(status, lane, lanes_.points_from(lane, c));
  }
  /// The kinds of consistency that the run asks for and that the history up to `state` violates.
  /// None while a promise is open: a violation is still there when the promise has been kept.
  [[nodiscard]] consistency_set broken(state_view state);
  /// What `lane` prints before its first operation in a launch. For machines without reductions.
  [[nodiscard]] std::vector<printed_line> printed_at_start(std::uint32_t lane,
                                                           std::uint32_t launch = 0);
  /// What `lane` prints after its operation in the step `by` from `state`. For machines without
  /// reductions.
  [[nodiscard]] std::vector<printed_line> printed(state_view state, const choice& by,
                                                  std::uint32_t lane);

  // Limits.

  /// Gives up if time is over. `work`: the number of words of states that were read or written.
  void look_at_time(std::size_t work) {
    since_look_ += work;
    if (since_look_ < work_in_time) return;
    since_look_ = 0;
    stores_.program.give_up_in_time();
  }
  /// Checks the time limit. Call before memory takes a step.
  void look_at_time_for_memory() { look_at_time(memory_->traits().work_of_step); }
  /// The number of bytes of all that is interned and cached.
  [[nodiscard]] std::size_t memory() const { return shared_memory() + own_memory(); }
  [[nodiscard]] std::size_t shared_memory() const;
  [[nodiscard]] std::size_t own_memory() const;

 protected:
  machine(machine_setup setup, machine_stores& stores, std::size_t words,
          machine_reductions reduce);

  static constexpr std::uint32_t every_lane = 0xffffffff;

  machine_setup setup_;
  machine_stores& stores_;
  news_watch news_;
  own_addresses addresses_;
  grid_places places_;
  std::size_t words_;
  symmetry* symmetry_;
  renaming* renaming_;
  bool all_resident_;
  bool remembers_steps_;
  bool spares_repeats_ = false;
  std::uint32_t only_ = every_lane;  // list only the single-lane steps of this lane
  std::unique_ptr<machine_memory> memory_;
  lane_steps lanes_;
  std::unique_ptr<steps_ahead> ahead_;   // null: lanes do not run ahead
  std::unique_ptr<early_stores> early_;  // null: the memory model has none
  warp_collectives collectives_;
  grid_barriers barriers_;

  /// Sets the initial words of lanes, memory and status, with device memory as init() leaves it.
  void fill_initial(std::span<std::uint32_t> words);
  /// At the start of a launch: brings lanes to rest, and makes blocks resident.
  virtual void set_out(std::span<std::uint32_t> words) = 0;
  /// Whether list_steps() lists single-lane steps of `lane`.
  [[nodiscard]] bool lists(std::uint32_t lane) const {
    return only_ == every_lane || only_ == lane;
  }
  /// Whether the steps of a lane, or of a whole warp, equal steps already listed for another one.
  [[nodiscard]] bool is_spared(state_view state, std::uint32_t lane) const {
    return spares_repeats_ && may_repeat() && symmetry_->repeats(state, lane);
  }
  [[nodiscard]] bool is_spared_warp(state_view state, std::uint32_t warp) const {
    return spares_repeats_ && may_repeat() && symmetry_->repeats_warp(state, warp);
  }

 private:
  watched_history history_;
  host_steps host_;
  location_learner learner_;
  std::size_t since_look_ = 0;            // work since the last check of the time limit
  std::vector<std::uint32_t> lane_at_;    // scratch of change_places_and_names
  state_words sorted_words_;              // scratch of change_places_and_names
  std::vector<memory_outcome> outcomes_;  // of the step that is being listed
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> stepped_cache_;  // by status and block
  std::vector<operation> initial_events_;
  std::uint32_t first_memory_ = 0;

  void list_all(state_view state, successor_list& out);
  void remember_steps(successor_list& out);
  void choose_steps(state_view state, std::uint32_t lane, successor_list& out);
  bool is_told_the_end(state_view state, std::uint32_t lane);
  void go_on(state_view state, const choice& by, continuation next, std::uint32_t memory,
             std::uint32_t status, successor_list& out);
  bool waits_with(continuation c, std::uint64_t answer);
  void take(state_view state, std::uint32_t lane, const choice& by, const memory_outcome& one,
            successor_list& out);
  void forget_exited(state_view state, successor_list& out);
  // Symmetry for memory models that record what lanes know: memory_symmetry.cpp.
  void change_places_and_names(std::span<std::uint32_t> words, std::vector<std::uint32_t>* moved);
  /// Sets the words of lanes and status at the start of a launch.
  void fill_launch(std::span<std::uint32_t> words, std::uint32_t launch, grid_status status);
  [[nodiscard]] bool have_all_exited(state_view state) const;
  void settle_block(std::span<std::uint32_t> words, std::uint32_t block);
  /// Whether an access goes to shared memory of a block of the cluster that has ended.
  [[nodiscard]] bool is_gone(std::uint32_t lane, const operation_traits& t, state_view state) const;
  void add_printed(std::uint32_t lane, continuation from, std::uint64_t answer,
                   std::vector<printed_line>& lines);
};

/// Carries out `f`. Ignores a lane_error if there was news on the way: after a wrong merge of
/// states, the error may be false.
template <class F>
void unless_void(const machine& m, F f) {
  try {
    f();
  } catch (const lane_error&) {
    if (!m.has_news()) throw;
  }
}

template <class F>
void machine::for_each_lane(const choice& c, state_view state, F f) const {
  switch (c.what) {
    case choice::kind::lane: f(c.unit); break;
    case choice::kind::group: {
      const warp_place& w = places_.warps[c.unit];
      for (std::uint32_t i = 0; i < w.lanes; ++i) {
        if ((c.mask >> i & 1U) != 0) f(w.first + i);
      }
      break;
    }
    case choice::kind::block:
      for (std::uint32_t lane = 0; lane < places_.lanes.size(); ++lane) {
        const place& at = places_.lanes[lane];
        if (c.has_block(at.block) && state[lane] != exited && !setup_.grid.is_agent(at.warp)) {
          f(lane);
        }
      }
      break;
    case choice::kind::launch:
    case choice::kind::side:
    case choice::kind::dispatch:
    case choice::kind::promise: break;
  }
}

/// Makes the machine for the setup's reconvergence model.
std::unique_ptr<machine> make_machine(const machine_setup& setup, machine_stores& stores,
                                      machine_reductions reduce = {});

}  // namespace simt
