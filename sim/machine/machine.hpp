// The simulated GPU: the states of a grid, and the steps and choices that are possible in each.
//
// A state is a vector of `words()` 32-bit numbers: a continuation for each lane, the memory image,
// the status of the grid, and (under `stack`) the reconvergence stack of each warp. All of these
// are interned, so equal states have equal words.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "sim/machine/choice.hpp"
#include "sim/machine/reduce/footprint.hpp"

#include "sim/machine/intern.hpp"
#include "sim/machine/lane_automaton.hpp"
#include "sim/machine/machine_limits.hpp"
#include "sim/machine/memory/machine_memory.hpp"
#include "sim/machine/places.hpp"
#include "sim/machine/reduce/others_reach.hpp"
#include "sim/machine/reduce/own_addresses.hpp"
#include "sim/machine/reduce/renaming.hpp"
#include "sim/machine/reduce/symmetry.hpp"
#include "sim/machine/warp_stack.hpp"
#include "sim/monitor/history_monitor.hpp"

namespace simt {

/// How a run can end other than by completion.
enum class ending : std::uint8_t {
  none,
  assertion,
  bad_access,
  unwritten_read,   // a read of block-shared memory that no lane has written
  mbarrier_misuse,  // an access to an mbarrier that is none of its operations, or an
                    // initialization of one that is there, or the end of one that is not
  barrier_divergence,
  race
};

/// One way from a state to the next.
struct transition {
  static constexpr std::uint32_t no_state = 0xffffffff;
  choice by;
  ending ends = ending::none;     // other than none: there is no next state
  bool stays = false;             // the step is known to lead back to the same state
  bool ahead = false;             // machine::run_ahead has added other steps to this one
  std::uint32_t next = no_state;  // the number of the next state in the list
  // Set where memory keeps old values: the location of the access. An access is stale if it uses
  // the oldest message that it can, although there are newer ones. (A load reads that message; a
  // store goes right behind it.) Memory would be unfair if all accesses of a lane to a location
  // were stale for ever.
  std::uint32_t location = no_state;
  bool is_stale = false;
};

/// What may happen in one state.
struct successor_list {
  std::vector<transition> transitions;
  ending here = ending::none;  // barrier_divergence: the state itself ends the run
  std::string why;             // describes a barrier divergence
  bool is_choice = false;      // the transitions are choices that take no step
  bool suspicious = false;     // some pending access may be part of a race

  [[nodiscard]] std::span<const std::uint32_t> state(const transition& t, std::size_t words) const {
    return {states_.data() + t.next * words, words};
  }
  [[nodiscard]] std::span<std::uint32_t> state(const transition& t, std::size_t words) {
    return {states_.data() + t.next * words, words};
  }
  /// Adds a transition by `by`, and returns a copy of `state` as its next state, for the caller to
  /// change.
  std::span<std::uint32_t> add(const choice& by, std::span<const std::uint32_t> state) {
    const std::size_t words = state.size();
    const std::size_t at = count_ * words;
    if (at + words > states_.size()) states_.resize(2 * (at + words));
    transitions.push_back(
        {.by = by, .ends = ending::none, .stays = false, .ahead = false, .next = count_++});
    std::uint32_t* const copy = states_.data() + at;
    for (std::size_t i = 0; i < words; ++i) copy[i] = state[i];  // few: cheaper than a call
    return {copy, words};
  }
  /// Adds a transition by `by` that leads back to `state`.
  void add_stay(const choice& by, std::span<const std::uint32_t> state) {
    if (stay_ == transition::no_state) {
      stay_ = count_;
      add(by, state);
    } else {
      transitions.push_back(
          {.by = by, .ends = ending::none, .stays = true, .ahead = false, .next = stay_});
    }
    transitions.back().stays = true;
  }
  /// Gives a transition that stays its own copy of the next state, which the caller then changes.
  std::span<std::uint32_t> part(transition& t, std::size_t words) {
    const std::size_t at = count_ * words;
    if (at + words > states_.size()) states_.resize(2 * (at + words));
    for (std::size_t i = 0; i < words; ++i) states_[at + i] = states_[t.next * words + i];
    t.next = count_++;
    t.stays = false;
    return {states_.data() + at, words};
  }
  void clear() {
    transitions.clear();
    count_ = 0;
    stay_ = transition::no_state;
    here = ending::none;
    why.clear();
    is_choice = suspicious = false;
  }

 private:
  std::vector<std::uint32_t> states_;  // the next states, one after another; never shrinks
  std::uint32_t count_ = 0;
  std::uint32_t stay_ = transition::no_state;  // the copy of the state itself, if listed
};

using state_view = std::span<const std::uint32_t>;
using state_words = std::vector<std::uint32_t>;

/// Everything about one run that does not depend on the reconvergence model.
struct machine_setup {
  std::shared_ptr<const subject_library> library;
  const detail::subject_entry* entry = nullptr;
  const device_memory* memory = nullptr;
  grid_shape grid;
  machine_model model;
  simt::progress progress = simt::progress::fair;
  simt::clients clients = simt::clients::lane;
  std::uint32_t repeat = 1;
  const assignments* assigned = nullptr;  // the operations that lanes carry out on an object
  history_monitor* monitor = nullptr;     // null: events are steps that nothing watches
  bool has_points = false;                // linearization points are declared, and checked
  shared_facts* facts = nullptr;          // facts of the program, if the memory model learns any
  /// Set to true where too many lanes wait at an activemask to enumerate all their sets. Then only
  /// a few of these sets are listed (few_sets), and a state without listed steps may still have
  /// steps. Null: the caller does not need to know.
  std::atomic<bool>* leaves_masks_out = nullptr;
};

/// Reductions that a machine applies. A null pointer turns that reduction off.
struct machine_reductions {
  symmetry* moves = nullptr;      // which lanes may trade places
  renaming* renames = nullptr;    // which lanes may trade names
  footprints* reaches = nullptr;  // which memory lanes may still access
  /// Under `stack`: ignores what lanes of a warp do after they have left lockstep. Then a state
  /// with another kind of deadlock may hide a SIMT deadlock.
  bool trust_lockstep = false;
  /// Ask reach_without in grids of few lanes, too.
  bool asks_in_small_grids = false;
};

/// Tables that all machines of one run share. Each machine runs in its own thread. A thread that
/// was given the number of an entry may read that entry without a lock.
struct machine_stores {
  explicit machine_stores(lane_automaton& lanes) : program(lanes) {}
  lane_automaton& program;
  /// Guards `program`, and every call into code of the subject. Machines cache answers, so they
  /// take this lock rarely.
  std::mutex lanes_lock;
  interned_bytes images;
  grid_statuses statuses;
  warp_stacks stacks;
};

class early_stores;
class reach_without;
struct promised_store;

class machine {
 public:
  virtual ~machine();
  machine(const machine&) = delete;
  machine& operator=(const machine&) = delete;

  [[nodiscard]] std::size_t words() const { return words_; }
  [[nodiscard]] const grid_places& places() const { return places_; }
  [[nodiscard]] const machine_setup& setup() const { return setup_; }
  [[nodiscard]] const own_addresses& addresses() const { return addresses_; }
  [[nodiscard]] const lane_automaton& program() const { return stores_.program; }
  /// The continuations at which lanes begin, in each launch reached so far.
  [[nodiscard]] std::vector<continuation> program_starts();
  /// The value that init() leaves at a location. Call initial() first.
  [[nodiscard]] std::uint64_t first_value(std::uint32_t offset, std::uint32_t size) const;
  [[nodiscard]] lane_automaton& program() { return stores_.program; }

  /// Returns the only initial state. It may await choices of sides, or of blocks to dispatch.
  virtual state_words initial() = 0;
  /// What `lane` prints before its first operation in a launch. For machines without reductions.
  [[nodiscard]] std::vector<printed_line> printed_at_start(std::uint32_t lane,
                                                           std::uint32_t launch = 0);
  /// What `lane` prints after its operation in the step `by` from `state`. For machines without
  /// reductions.
  [[nodiscard]] std::vector<printed_line> printed(state_view state, const choice& by,
                                                  std::uint32_t lane);
  /// Whether this machine, or another one over the same classes, has learnt something about the
  /// program since this machine was made, or since begin_again(). Then all states explored with
  /// this machine are void. Its lists may be cut short (is_cut), and its errors may be false
  /// (unless_void).
  [[nodiscard]] bool has_news() const { return stores_.program.news().count() != began_; }
  /// Reuses this machine with all that it has learnt. Call before initial(), and only if classes
  /// are not merged; otherwise make a new machine.
  void begin_again();
  /// Whether news was recorded that cuts lists short. The machine then stops learning and runs no
  /// device code. A lane that runs alone still learns: see heed_cuts.
  [[nodiscard]] bool is_cut() const { return stores_.program.news().cuts() != heeded_; }
  /// Stops cutting lists short because of the news so far. All that is listed stays void, but may
  /// bring up more news. For memory that is an image.
  void go_on_after_news();

  /// Lists all steps and choices of `state`. Here and below: throws lane_error where device code
  /// misbehaves, and lane_automaton::given_up where the time limit has passed.
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
  /// Whether the present knowledge of lanes still allows the renamings.
  bool renames_still_hold() { return renaming_ == nullptr || renaming_->verify(); }
  /// Extends what is known about accesses to all accesses that renaming can turn them into.
  void rename_facts();
  [[nodiscard]] bool renames() const { return renaming_ != nullptr && renaming_->on(); }
  /// Null: lanes keep their names.
  [[nodiscard]] renaming* renaming_of_lanes() const { return renaming_; }
  /// Learns from operations that other machines of the run have met: their states may come to this
  /// machine.
  void catch_up();
  [[nodiscard]] bool is_reduced() const { return is_symmetric() || may_run_ahead(); }
  /// Describes the accesses of each known continuation, for footprints::update. `has_ended`: an
  /// exploration has ended, so device code is asked whether lanes use results (unused_results).
  void describe_operations(std::vector<footprints::own>& all, bool has_ended = false);
  [[nodiscard]] bool is_symmetric() const { return symmetry_ != nullptr && symmetry_->on(); }
  /// Null: lanes keep their places.
  [[nodiscard]] const symmetry* symmetry_of_lanes() const { return symmetry_; }

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

  /// Whether all lanes have exited and there is no further launch.
  [[nodiscard]] bool is_complete(state_view state) const;

  // Launches (launch/launches.cpp).

  /// Whether the host may launch the kernel again.
  [[nodiscard]] bool has_launches() const { return setup_.entry->next_launch != nullptr; }
  /// Whether all lanes have exited and the host is about to decide on a further launch.
  [[nodiscard]] bool awaits_launch(state_view state) const;
  /// The number of the launch, from 0.
  [[nodiscard]] std::uint32_t launch_of(state_view state) const { return status(state).launch; }
  /// The events of the initial content. They count as having happened before the grid started.
  [[nodiscard]] const std::vector<operation>& initial_events() const { return initial_events_; }
  /// The linearization points that a lane passes in its step `by` from `state`, as operations.
  [[nodiscard]] std::vector<operation> points_of_step(state_view state, const choice& by);
  /// Whether the access at which `lane` waits cannot be carried out in `state`.
  [[nodiscard]] bool is_bad_access(state_view state, std::uint32_t lane) {
    return is_bad_access(state, lane, traits(state[lane]));
  }
  /// The kinds of consistency that the run asks for and that the history up to `state` violates.
  /// None while a promise is open: a violation is still there when the promise has been kept.
  [[nodiscard]] consistency_set broken(state_view state);
  /// The positions of words in a state.
  [[nodiscard]] std::size_t memory_word() const { return places_.lanes.size(); }
  [[nodiscard]] std::size_t status_word() const { return places_.lanes.size() + 1; }
  [[nodiscard]] std::size_t stack_word(std::uint32_t warp) const {
    return status_word() + 1 + warp;
  }
  /// The last value of each location, in coherence order.
  [[nodiscard]] interned_bytes::bytes image(state_view state) const {
    return memory_->image(state[memory_word()]);
  }
  /// Properties of the memory model that hold in every state.
  [[nodiscard]] const memory_traits& traits_of_memory() const { return memory_->traits(); }
  /// Whether some fact of the program that its steps depend on is still unknown
  /// (shared_facts::settle).
  [[nodiscard]] bool lacks_facts() const { return memory_->lacks_facts(); }
  /// What the lane of `by` reads at its pending access if `by` is chosen.
  [[nodiscard]] memory_reading reading_of(state_view state, const choice& by) {
    return memory_->reading(request_of(state, by.unit), by.mask);
  }
  /// The stores that `lane` may promise in `state`. A choice names a store by its index here. Some
  /// of these promises cannot be kept.
  [[nodiscard]] std::vector<promised_store> promises(state_view state, std::uint32_t lane);
  /// Whether lanes promise stores at all.
  [[nodiscard]] bool makes_promises() const { return memory_->makes_promises(); }
  /// Looks for further telling locations (memory_facts) in what lanes have been seen to do. True:
  /// it has found some, and all states so far are void. It finds all of them once an exploration
  /// `has_ended`.
  bool learn_telling(bool has_ended);
  /// The stored values at `offset` that some lane may still read, in coherence order.
  [[nodiscard]] std::vector<stored_value> stored_at(state_view state, std::uint32_t offset,
                                                    std::uint8_t size) const {
    return memory_->stored_at(state[memory_word()], offset, size);
  }
  /// For each value of stored_at(), the lanes whose loads may return that value.
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> readers_at(state_view state,
                                                                   std::uint32_t offset) const;
  /// Whether some lane has promised a store and not carried it out.
  [[nodiscard]] bool has_promises(state_view state) const {
    return memory_->has_promises(state[memory_word()]);
  }
  /// After a step that ended in a race: the earlier access that the step's access races with.
  [[nodiscard]] std::optional<race_partner> race_of(state_view state, const choice& by) {
    return memory_->race(request_of(state, by.unit), by.mask);
  }
  [[nodiscard]] const warp_stack& stack(state_view state, std::uint32_t warp) const {
    return stores_.stacks[state[stack_word(warp)]];
  }
  [[nodiscard]] const grid_status& status(state_view state) const {
    return stores_.statuses[state[status_word()]];
  }
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
  [[nodiscard]] bool is_resident(state_view state, std::uint32_t block) const {
    return all_resident_ || status(state).started[block] != 0;
  }
  [[nodiscard]] const operation& waits_at(state_view state, std::uint32_t lane) const {
    return stores_.program.at(state[lane]);
  }
  /// The answer to `lane` where it asks about its own place in the grid.
  [[nodiscard]] std::uint64_t local_answer(std::uint32_t lane, const operation& op) const;
  /// Traits of an operation that may never occur. The machine learns nothing from this call.
  [[nodiscard]] operation_traits traits_of(const operation& op) const;
  [[nodiscard]] const operation_traits& traits(continuation c) {
    if (c >= traits_.size()) [[unlikely]]
      learn_traits(c);
    return traits_[c];
  }

  /// The continuation of `lane` after `c`, where the lane asks about its own place in the grid.
  /// Nothing: this continuation, or what it means for symmetry, is not known yet.
  [[nodiscard]] std::optional<continuation> known_local(std::uint32_t lane, continuation c) const;
  /// Learns known_local() of `c` for all lanes.
  void learn_local(continuation c);

  /// The answer to `op`, by which `lane` asks what operation it is to carry out.
  [[nodiscard]] std::uint64_t assignment_of(std::uint32_t lane, const operation& op) const;

  /// Whether two pending accesses of different lanes conflict: docs/model.md, "Memory".
  [[nodiscard]] bool conflict(std::uint32_t lane_a, continuation a, std::uint32_t lane_b,
                              continuation b);

  /// Whether a lane that goes on at `next` may still change the bytes that the access at `c`
  /// covers.
  [[nodiscard]] bool may_write_again(continuation next, continuation c) {
    const operation_traits t = traits(c);
    const footprints::cell_range cells = footprints_->cells_of(t.offset, t.size);
    return next != exited &&
           (footprints_->writes(next, cells, footprints::horizon::end) ||
            footprints_->may(next, footprints::use::updated, cells, footprints::horizon::end));
  }
  /// Whether the order of an access at `a` and of another lane's access at `b` may matter.
  [[nodiscard]] bool may_not_commute(continuation a, continuation b);
  /// Whether the mask of the collective covers all lanes of a warp, for every warp.
  [[nodiscard]] bool needs_whole_warp(const operation& op) const;
  /// Whether an access at `c` may fail to commute with accesses of other bytes, because of pool
  /// nodes.
  [[nodiscard]] bool concerns_nodes(continuation c);

  /// Whether some known access may be part of a race; false if the memory model reports races
  /// itself. Of two conflicting accesses, may_race() holds for at least one.
  [[nodiscard]] bool may_race() const {
    return !memory_->traits().ends_at_races && (any_suspicious_ || mixed_sizes_);
  }
  [[nodiscard]] bool may_race(continuation c) {
    return !memory_->traits().ends_at_races && (mixed_sizes_ || traits(c).suspicious);
  }

  /// Units of fairness: lanes under `its`, warps under `stack`.
  [[nodiscard]] std::uint32_t units() const;
  [[nodiscard]] std::uint32_t unit_of_lane(std::uint32_t lane) const;
  [[nodiscard]] bool is_finished(state_view state, std::uint32_t unit) const;
  [[nodiscard]] std::uint32_t block_of_unit(std::uint32_t unit) const;
  // Progress (owed.cpp). In a grid of one block all models but `unfair` are `fair`.
  [[nodiscard]] progress owes() const { return setup_.progress; }
  /// Lists for each unit whether it is owed progress in `state`: the unit is not finished, its
  /// block is resident, and the progress model chooses that block.
  void list_owed(state_view state, std::vector<char>& owed) const;
  /// Whether states record which blocks have taken a step.
  [[nodiscard]] bool remembers_steps() const { return remembers_steps_; }
  /// Calls f(lane) for each lane that takes part in the step `c` from `state`.
  template <class F>
  void for_each_lane(const choice& c, state_view state, F f) const;

  // What lanes do, for code that looks further ahead (promises, walk, reduce).

  [[nodiscard]] machine_stores& stores() { return stores_; }
  [[nodiscard]] const machine_stores& stores() const { return stores_; }
  /// The memory model.
  [[nodiscard]] machine_memory& model() { return *memory_; }
  [[nodiscard]] const machine_memory& model() const { return *memory_; }
  /// Lists all steps of `state`, and choices of sides and blocks, but no promises.
  virtual void list_steps(state_view state, successor_list& out) = 0;
  /// Under `stack`: the enabled active lanes of a warp that stand at its earliest instruction.
  [[nodiscard]] virtual std::uint32_t front(state_view state, std::uint32_t warp) const = 0;
  /// The next continuation of `lane` that takes a step, after `answer` at `from`.
  continuation advance(std::uint32_t lane, continuation from, std::uint64_t answer);
  /// `c` if it takes a step; otherwise the first continuation behind `c` that takes one.
  continuation settle(std::uint32_t lane, continuation c);
  /// Whether the lane runs the subject's operations. Other lanes end at once.
  [[nodiscard]] bool is_client(std::uint32_t lane) const;
  /// Whether an access with these traits is invalid for the lane in every state.
  [[nodiscard]] bool is_bad(std::uint32_t lane, const operation_traits& t) const {
    return t.what == operation_traits::kind::bad_access ||
           (t.block != no_block && !setup_.grid.share_cluster(t.block, places_.lanes[lane].block));
  }
  /// The request to memory for the operation at which `lane` waits.
  [[nodiscard]] memory_request request_of(state_view state, std::uint32_t lane) {
    return {lane, stores_.program.at(state[lane]), traits(state[lane]), state[memory_word()], {}};
  }
  /// Learns from an access. False: the access is news, and the present list is cut short.
  bool learn_access(std::uint32_t lane, const operation& op, const operation_traits& t);
  /// Fills `answers` with the answer to each of `lanes` of `warp` at their collective, by its place
  /// in the warp. False: a lane reads from a lane that does not take part, and `why` says so.
  [[nodiscard]] bool collective_answers(state_view state, std::uint32_t warp, std::uint32_t lanes,
                                        std::array<std::uint64_t, 32>& answers,
                                        std::string& why) const;
  /// What the lanes have said that pass a barrier of a block together, or that one warp's arrival
  /// at a named barrier lets go on.
  struct barrier_votes {
    std::uint32_t yes = 0, all = 0;  // lanes
    bool completes = true;           // a named barrier: whether the arrival is the last one
  };
  /// The votes of the lanes that the step `by` of barrier `op` concerns.
  [[nodiscard]] barrier_votes votes_at_barrier(state_view state, const operation& op,
                                               const choice& by) const;
  /// The answer to a lane that stands at the barrier: the result of its reduction, 0 without one.
  /// An arrival at a named barrier is answered 0 if it is not the last one, or else with the result
  /// in the bits above bit 0, which is 1.
  [[nodiscard]] static std::uint64_t barrier_answer(const operation& op,
                                                    const barrier_votes& votes);
  /// The lane that a `shfl` of lane `own` reads from. Both are places in the warp.
  [[nodiscard]] static std::uint32_t shuffle_source(std::uint32_t own, std::uint32_t packed);
  /// Checks the time limit. Call before memory takes a step.
  void look_at_time_for_memory() { look_at_time(memory_->traits().work_of_step); }
  /// Records news: all explored states are void.
  void record_news() { stores_.program.news().record(); }
  /// Records news, but the present list goes on, since it may teach more.
  void note_news() { stores_.program.news().note(); }
  /// From here on, is_cut() ignores the news so far. `again`: it counts all news since the machine
  /// began.
  void heed_cuts(bool again) { heeded_ = again ? began_cuts_ : stores_.program.news().cuts(); }
  /// Whether the next moves are choices that take no step.
  [[nodiscard]] virtual bool awaits_choice(state_view state) const = 0;
  /// Whether lists leave out steps that are symmetric to a listed step.
  [[nodiscard]] bool spares_repeats() const { return spares_repeats_; }

  /// The number of bytes of all that is interned and cached.
  [[nodiscard]] std::size_t memory() const { return shared_memory() + own_memory(); }
  [[nodiscard]] std::size_t shared_memory() const;
  [[nodiscard]] std::size_t own_memory() const;

 protected:
  machine(machine_setup setup, machine_stores& stores, std::size_t words,
          machine_reductions reduce);

  void list_all(state_view state, successor_list& out) {
    list_steps(state, out);
    look_at_time(words_ * (1 + out.transitions.size()));
    if (out.here == ending::barrier_divergence && may_run_ahead() && !is_cut() &&
        footprints_->meet_divergence()) {
      return record_news();
    }
    if (remembers_steps_) remember_steps(out);
    if (memory_->traits().is_image || is_cut()) return;
    forget_exited(state, out);
    if (early_ != nullptr) add_early_stores(state, out);
  }
  /// Gives up if time is over. `work`: the number of words of states that were read or written.
  void look_at_time(std::size_t work) {
    since_look_ += work;
    if (since_look_ < work_in_time) return;
    since_look_ = 0;
    stores_.program.give_up_in_time();
  }
  /// Lists the steps that lanes of `warp` may take together at a collective, activemask included.
  virtual void collective_steps(state_view state, std::uint32_t warp, successor_list& out) = 0;
  [[nodiscard]] bool may_run_ahead() const {
    return footprints_ != nullptr && (all_resident_ || !has_stacks());
  }
  bool go_ahead(std::span<std::uint32_t> words, std::vector<choice>* made);
  /// A location where lanes wait whose steps alone may suffice: meeting.cpp.
  struct meeting_place {
    std::uint32_t offset = 0, size = 0;   // bytes that the lanes access
    std::uint32_t lanes = 0;              // the number of lanes that wait there
    footprints::use_set conflicting = 0;  // uses that do not commute with some of their accesses
  };
  /// Finds a location for which it suffices to list the steps of its lanes. Null: there is none.
  /// The pointer is valid until the next call.
  [[nodiscard]] const meeting_place* find_meeting(state_view state);
  [[nodiscard]] bool may_meet_there(state_view state, const meeting_place& there);
  [[nodiscard]] bool is_at(continuation c, const meeting_place& there) {
    const operation_traits t = traits(c);
    return t.what == operation_traits::kind::access && t.offset == there.offset &&
           t.size == there.size;
  }
  template <class F>
  void for_each_lane_at(state_view state, const meeting_place& there, F f);
  bool lanes_ahead(std::span<std::uint32_t> words, std::vector<choice>* made);
  bool group_ahead(std::span<std::uint32_t> words, std::vector<choice>* made);
  bool unit_ahead(std::span<std::uint32_t> words, std::uint32_t unit, std::uint32_t begin,
                  std::vector<choice>* made);
  /// Takes a step of `lane`. False: the step has several outcomes or ends the run, and nothing has
  /// changed.
  bool step_ahead(std::span<std::uint32_t> words, std::uint32_t lane);
  /// Whether a lane at `c` may ever access one of these cells.
  [[nodiscard]] bool may_come_to(continuation c, footprints::cell_range cells) const {
    return c != exited && std::ranges::any_of(footprints::uses, [&](footprints::use how) {
             return footprints_->may(c, how, cells, footprints::horizon::end);
           });
  }
  [[nodiscard]] const transition* way_on(state_view state, std::uint32_t lane,
                                         const successor_list& all);
  bool may_diverge_at(continuation next);
  bool may_go_to(state_view state, std::uint32_t lane, continuation next);
  [[nodiscard]] bool owes_some_blocks() const {
    return owes() != progress::fair && owes() != progress::unfair;
  }
  void remember_steps(successor_list& out);
  std::uint32_t status_with_step(std::uint32_t status, std::uint32_t block);
  std::optional<std::uint32_t> lane_ahead(state_view state, std::uint32_t unit);
  bool concerns_nobody(state_view state, std::uint32_t lane, std::uint32_t lockstep);
  bool is_left_alone(state_view state, std::uint32_t lane, std::uint32_t lockstep);
  /// Like is_left_alone(), but looks at values in memory where footprints say that other lanes may
  /// come there.
  bool stays_alone(state_view state, std::uint32_t lane, bool only_beyond_warp);
  bool ends_waits(state_view state, std::uint32_t lane);
  /// Like concerns_nobody(), for memory models whose state is more than an image.
  bool concerns_nobody_in_memory(state_view state, std::uint32_t lane);
  /// The byte that stands for a pool node in footprints, behind the bytes of memory. Accesses to
  /// the node read this byte, and the node's retirement writes it.
  [[nodiscard]] std::uint32_t node_byte(pool_node node) const {
    return static_cast<std::uint32_t>(setup_.memory->image_size() + node);
  }
  /// The byte in footprints that a lane reads when it ends. It comes behind the node bytes.
  [[nodiscard]] std::uint32_t exit_byte() const { return node_byte(setup_.memory->pool_nodes()); }
  /// In grids of clusters: a lane writes this byte when it ends. A lane that may access shared
  /// memory of another block reads it.
  [[nodiscard]] std::uint32_t gone_byte() const { return exit_byte() + 1; }
  struct pool_nodes {
    pool_node first = 0;
    std::uint32_t count = 0;
  };
  /// The nodes from which an `allocate` takes one. None: `op` is no `allocate`, or nodes of the
  /// pool may be accessed while they are not in use.
  [[nodiscard]] pool_nodes nodes_of_take(const operation& op) const;
  /// How the access at `c` uses its bytes, as far as is known (optimistic).
  footprints::use use_of(continuation c, const operation_traits& t);
  std::optional<others_reach::access> access_of(continuation c);
  /// Whether the result of the access at `c` may be unused, and the access commutes with others of
  /// its kind.
  bool may_be_update(continuation c);
  bool leads_as_others(continuation c, const operation_traits& t, continuation next);
  bool orders_memory_ = false;  // some operation other than a barrier orders memory
  boost::unordered_flat_map<continuation, continuation> after_update_;  // where updates led
  [[nodiscard]] bool retires(continuation c) const {
    const operation& op = stores_.program.at(c);
    return op.kind == operation_kind::memory && op.memory == detail::memory_kind::pool_retire;
  }

  static constexpr std::uint32_t no_offset = 0xffffffff;

  machine_setup setup_;
  machine_stores& stores_;
  std::uint32_t began_;       // the amount of news when the machine began
  std::uint32_t began_cuts_;  // the amount of recorded news when the machine began
  std::uint32_t heeded_;      // the amount of recorded news that is_cut() ignores
  own_addresses addresses_;
  grid_places places_;
  std::size_t words_;
  symmetry* symmetry_;
  renaming* renaming_;
  footprints* footprints_;
  std::optional<others_reach> others_;      // set where there are footprints
  std::vector<meeting_place> meetings_;     // scratch of find_meeting
  std::unique_ptr<reach_without> without_;  // null: not used
  bool trusts_lockstep_;
  bool spares_repeats_ = false;
  static constexpr std::uint32_t every_lane = 0xffffffff;
  std::uint32_t only_ = every_lane;  // list only the single-lane steps of this lane
  std::size_t since_look_ = 0;       // work since the last check of the time limit
  bool all_resident_ = true;
  bool remembers_steps_ = false;
  bool any_suspicious_ = false;
  bool mixed_sizes_ = false;  // some accesses overlap without covering the same bytes
  std::unique_ptr<machine_memory> memory_;
  std::unique_ptr<early_stores> early_;  // null: the memory model has none
  std::vector<char> keeps_place_;        // by lane: no other lane may ever trade places with it
  std::vector<std::uint32_t> lane_at_;   // scratch of change_places_and_names
  state_words sorted_words_;
  std::vector<operation_traits> traits_;
  std::map<std::uint32_t, std::uint8_t> access_sizes_;  // by offset

  // Cache of accesses, from (continuation, memory) to (continuation, memory), for memories with low
  // numbers. A row belongs to a continuation. An entry is the value plus one; 0: not known yet.
  std::vector<std::vector<std::uint64_t>> access_rows_;
  // How a lane goes on: from a continuation, with an answer.
  struct access_key {
    std::uint64_t value;
    continuation from;
    friend bool operator==(const access_key&, const access_key&) = default;
  };
  struct access_hash {
    using is_avalanching = void;
    std::size_t operator()(const access_key& k) const {
      const std::uint64_t mixed = (k.value ^ std::uint64_t{k.from} << 40) * 0x9e3779b97f4a7c15U;
      return (mixed ^ mixed >> 29) * 0xbf58476d1ce4e5b9U;
    }
  };
  std::vector<memory_outcome> outcomes_;  // of the step that is being listed
  std::vector<char> ahead_loops_;
  successor_list groups_;  // scratch of group_ahead
  std::vector<char> ahead_owed_;
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> stepped_cache_;  // by status and block
  std::vector<std::vector<continuation>> local_next_;  // by continuation, then lane

  /// Like lane_automaton::next, with a cache.
  continuation next(continuation from, std::uint64_t answer);
  boost::unordered_flat_map<access_key, continuation, access_hash> next_cache_;
  /// The status after the event that `lane` stands at.
  std::uint32_t after_event(std::uint32_t status, std::uint32_t lane, continuation c);
  /// The status after the linearization points that `lane` passes from `c` to its next step.
  std::uint32_t after_points(std::uint32_t status, std::uint32_t lane, continuation c);
  /// The number of linearization points that `lane` passes from `c` to its next step.
  std::uint32_t points_from(std::uint32_t lane, continuation c) {
    return setup_.has_points ? count_points(lane, c, nullptr) : 0;
  }
  std::uint32_t count_points(std::uint32_t lane, continuation c, std::vector<operation>* which);
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> points_cache_;  // by lane, continuation
  struct event_key {
    std::uint32_t status, lane;
    continuation at;
    friend bool operator==(const event_key&, const event_key&) = default;
    friend std::size_t hash_value(const event_key& k) {
      std::uint64_t h = (std::uint64_t{k.status} << 32 | k.at) * 0x9e3779b97f4a7c15U;
      h = (h ^ h >> 29 ^ k.lane) * 0xbf58476d1ce4e5b9U;
      return h ^ h >> 32;
    }
  };
  boost::unordered_flat_map<event_key, std::uint32_t> event_cache_;
  boost::unordered_flat_map<std::uint32_t, consistency_set> broken_cache_;  // by status
  std::vector<operation> initial_events_;
  std::uint32_t first_memory_ = 0;

  // Cache of accesses for memories with higher numbers: the latest entries only. See access_rows_.
  struct recent_access {
    continuation from = transition::no_state;
    std::uint32_t memory = 0;
    std::uint64_t value = 0;
  };
  static constexpr unsigned recent_bits = 14;
  std::vector<recent_access> recent_;

  /// The continuation of a lane that loops for ever: `c` leads back to `c` without a step.
  continuation endless(std::uint32_t lane, continuation c);
  /// The continuation behind `c`, where `c` takes no step.
  continuation pass(std::uint32_t lane, continuation c) {
    return traits(c).what == operation_traits::kind::local ? local_next(lane, c) : next(c, 0);
  }
  struct access_result {
    continuation next;
    std::uint32_t memory;
    continuation first;  // `next` before operations that take no step are passed
  };
  access_result carry_out(std::uint32_t lane, continuation c, std::uint32_t memory);

  /// Sets the initial words of lanes, memory and status, with device memory as init() leaves it.
  void fill_initial(std::span<std::uint32_t> words);
  /// Sets the words of lanes and status at the start of a launch.
  void fill_launch(std::span<std::uint32_t> words, std::uint32_t launch, grid_status status);
  /// At the start of a launch: brings lanes to rest, and makes blocks resident.
  virtual void set_out(std::span<std::uint32_t> words) = 0;
  [[nodiscard]] bool have_all_exited(state_view state) const;
  /// Lists the host's step, which may start a launch: the only step in a state that awaits a
  /// launch.
  void launch_step(state_view state, successor_list& out);
  struct host_step {
    std::uint32_t memory;  // memory after the host's step
    bool launches;
  };
  host_step ask_host(std::uint32_t memory, std::uint32_t launch);
  boost::unordered_flat_map<std::uint64_t, host_step> host_steps_;  // by memory and launch
  [[nodiscard]] std::uint32_t intern_status(const grid_status& status);
  /// Whether an access goes to shared memory of a block of the cluster that has ended.
  [[nodiscard]] bool is_gone(std::uint32_t lane, const operation_traits& t, state_view state) const;
  /// Whether the pending access of this lane cannot be carried out in `state`.
  [[nodiscard]] bool is_bad_access(state_view state, std::uint32_t lane,
                                   const operation_traits& t) const {
    return fault_of(state, lane, t) != ending::none;
  }
  /// How the pending access of this lane ends the run, if it does.
  [[nodiscard]] ending fault_of(state_view state, std::uint32_t lane,
                                const operation_traits& t) const {
    const std::uint32_t memory = state[memory_word()];
    if (is_bad(lane, t) || is_freed(t, memory) || is_gone(lane, t, state))
      return ending::bad_access;
    if (t.misuses_mbarrier(stores_.images[memory])) return ending::mbarrier_misuse;
    return is_unwritten(t, memory) ? ending::unwritten_read : ending::none;
  }
  /// Whether an access reads block-shared memory of which no byte has been written.
  [[nodiscard]] bool is_unwritten(const operation_traits& t, std::uint32_t memory) const {
    return t.needs_value && !t.written.any_in(stores_.images[memory]);
  }
  /// Whether an access goes to a node of a pool that is not in use.
  [[nodiscard]] bool is_freed(const operation_traits& t, std::uint32_t memory) const {
    return t.node != no_node && !setup_.memory->is_in_use(t.node, stores_.images[memory]);
  }

  static void emit_end(successor_list& out, const choice& by, ending how);
  static void end_here(successor_list& out, std::string why);

  /// The lanes of a warp that have not exited, as a mask.
  [[nodiscard]] std::uint32_t alive(state_view state, std::uint32_t warp) const;
  /// Lists the step of a lane whose operation involves no other lane.
  void lane_step(state_view state, std::uint32_t lane, successor_list& out);
  void choose_steps(state_view state, std::uint32_t lane, successor_list& out);
  void go_on(state_view state, const choice& by, continuation next, std::uint32_t memory,
             std::uint32_t status, successor_list& out);
  /// Lists one transition for each outcome that memory allows for the operation at which `lane`
  /// waits.
  void memory_steps(state_view state, std::uint32_t lane, successor_list& out);
  void take(state_view state, std::uint32_t lane, const choice& by, const memory_outcome& one,
            successor_list& out);
  /// Drops what memory keeps for lanes that have ended.
  void forget_exited(std::span<std::uint32_t> words);
  void forget_exited(state_view state, successor_list& out);
  /// Converts a mask of lanes of a warp to lane numbers of the grid.
  [[nodiscard]] std::vector<std::uint32_t> lanes_of(std::uint32_t warp, std::uint32_t mask) const;
  /// Whether memory takes part in the step of one lane at `c`.
  [[nodiscard]] bool is_memory_step(continuation c) const {
    return memory_->has_part_in(stores_.program.at(c));
  }
  void add_early_stores(state_view state, successor_list& out);
  // Symmetry for memory models that record what lanes know: memory_symmetry.cpp.
  void change_places_and_names(std::span<std::uint32_t> words, std::vector<std::uint32_t>* moved);

  bool waits_with(continuation c, std::uint64_t answer);
  bool learn_use(std::uint32_t lane, const operation& op, const operation_traits& t);
  void learn_contested(state_view state, std::uint32_t lane, const operation_traits& t);
  void tell_of_location();
  void add_printed(std::uint32_t lane, continuation from, std::uint64_t answer,
                   std::vector<printed_line>& lines);

  /// The mask that each of `lanes` of `warp` passes to its collective, by the lane's place in the
  /// warp.
  [[nodiscard]] std::array<std::uint32_t, 32> masks_of(state_view state, std::uint32_t warp,
                                                       std::uint32_t lanes) const;
  /// The answers to lanes at a collective that all of them call with one mask.
  [[nodiscard]] bool answers_in_group(state_view state, std::uint32_t warp, std::uint32_t lanes,
                                      std::array<std::uint64_t, 32>& answers,
                                      std::string& why) const;
  /// Lists the step in which `lanes` of `warp` carry out their collective together.
  void collective_step(state_view state, std::uint32_t warp, std::uint32_t lanes,
                       successor_list& out);
  /// Whether list_steps() lists single-lane steps of `lane`.
  [[nodiscard]] bool lists(std::uint32_t lane) const {
    return only_ == every_lane || only_ == lane;
  }
  /// Lists the steps of barriers, and checks rules 4 to 6 of barrier-divergence (docs/model.md).
  void barrier_steps(state_view state, successor_list& out);
  /// Lists the steps of barriers of clusters and of the grid.
  void wide_barrier_steps(state_view state, successor_list& out);

  /// Whether lanes that wait at the same operation take equal steps, because memory does not tell
  /// the lanes apart.
  [[nodiscard]] bool may_repeat() const {
    return symmetry_ != nullptr && !memory_->traits().names_lanes;
  }
  [[nodiscard]] bool looks_for_repeats() const { return spares_repeats_ && may_repeat(); }
  /// Whether the steps of a lane, or of a whole warp, equal steps already listed for another one.
  [[nodiscard]] bool is_spared(state_view state, std::uint32_t lane) const {
    return looks_for_repeats() && symmetry_->repeats(state, lane);
  }
  [[nodiscard]] bool is_spared_warp(state_view state, std::uint32_t warp) const {
    return looks_for_repeats() && symmetry_->repeats_warp(state, warp);
  }

  [[nodiscard]] bool awaits_dispatch(state_view state) const;
  void dispatch_choices(state_view state, successor_list& out);
  /// Makes blocks resident where there is no choice.
  void dispatch(std::span<std::uint32_t> words);
  /// Brings a state to rest after a step of lanes of `block`: dispatches blocks where there is no
  /// choice, and carries out the reconvergence model's moves.
  void come_to_rest(std::span<std::uint32_t> words, std::uint32_t block);
  /// Carries out the reconvergence model's moves that take no step, for one warp.
  virtual void settle_warp(std::span<std::uint32_t> words, std::uint32_t warp) = 0;

 private:
  friend class walker;    // carries out single executions of the same machine
  friend class renaming;  // follows what lanes do
  static constexpr std::uint32_t row_length = 1024;
  void learn_traits(continuation c);
  bool learn_symmetry(const operation& op);
  continuation local_next(std::uint32_t lane, continuation c);
  std::uint64_t device_access(continuation c, std::uint32_t memory);
  void barrier_steps_of_block(state_view state, std::uint32_t block, successor_list& out);
  // The barrier of a cluster that is called in two halves.
  void half_steps(state_view state, std::uint32_t block, successor_list& out);
  [[nodiscard]] bool are_all_in(state_view state, std::uint32_t cluster) const;
  void arrive_in_cluster(state_view state, std::uint32_t warp, std::uint32_t lanes,
                         successor_list& out);
  void pass_in_cluster(state_view state, std::uint32_t warp, std::uint32_t lanes,
                       successor_list& out);
  void settle_block(std::span<std::uint32_t> words, std::uint32_t block);
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
