// Finds the accesses that other lanes may still reach while one lane stands still. It uses the
// values in memory, and not only footprints.
//
// docs/reductions.md, "While a lane stands still".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "sim/lane/operation.hpp"
#include "sim/machine/reduce/footprint.hpp"
#include "sim/machine/warp_stack.hpp"

namespace simt {

class access_uses;
class machine;

/// In grids of fewer lanes the interleavings cost less than the questions. (Where lanes
/// meet at mbarriers, there are far more interleavings, so the limit is lower.)
inline constexpr std::size_t fewest_lanes_to_ask = 16, fewest_lanes_to_ask_at_mbarriers = 4;

/// An abstract interpretation of the other lanes. It has a set of lanes for each continuation and
/// number of passed barriers, and a set of values for each place in memory. All of these sets are
/// independent. Use one object for each thread.
class reach_without {
 public:
  reach_without(machine& m, access_uses& uses);

  /// Whether no other lane can reach an access that conflicts with the access of `lane`, as long as
  /// `lane` waits there. Also false if the answer would take too long.
  /// `only_beyond_warp`: ignores conflicts with lanes of the same warp, but not their changes of
  /// memory. `waits_are_none`: ignores accesses that only come back to themselves as long as `lane`
  /// waits. `stands`: false if the lane may move on meanwhile, so that nothing holds the others
  /// back.
  ///
  /// Several questions about states that each follow from the one before cost less than the same
  /// questions apart. For that, call begin_questions() before the first one.
  ///
  /// True rests on the assumption that certain answers are never given.
  /// lane_automaton::assume_never records them.
  [[nodiscard]] bool leaves_alone(std::span<const std::uint32_t> state, std::uint32_t lane,
                                  bool only_beyond_warp, bool waits_are_none, bool stands);
  void begin_questions();

 private:
  static constexpr std::uint32_t none = 0xffffffff;

  /// Barriers that all lanes of a block or warp pass together: `syncthreads` and, under `its`,
  /// collectives of whole warps.
  enum class joint : std::uint8_t { block, warp };
  /// The number of joint barriers of each kind that a lane has passed since the state. Numbers from
  /// `most_phases` on are not told apart.
  struct phases {
    std::array<std::uint8_t, 2> passed{};
    std::uint8_t arrivals = 0;  // at named barriers, counted alike
    /// Waits for the barrier of the cluster, called in two halves: up to most_waits.
    std::uint8_t waits = 0;
    [[nodiscard]] std::uint8_t& of(joint kind) { return passed[static_cast<std::size_t>(kind)]; }
    friend bool operator==(const phases&, const phases&) = default;
    friend std::size_t hash_value(const phases& p) {
      return ((p.waits * 256U + p.arrivals) * 256U + p.passed[0]) * 256U + p.passed[1];
    }
  };
  static constexpr std::uint8_t most_phases = 8;
  static constexpr std::uint8_t most_waits = 2;
  static constexpr unsigned most_steps_alike = 3;

  /// A continuation with a number of passed barriers, and the lanes that may reach it.
  struct node {
    continuation at = 0;
    phases since{};
    std::uint32_t place = none;  // of an access: its location
    std::uint32_t form = 0;      // of an access: its form at that location
    /// Of an access: the number of answers of its form that its lanes have got. Of a collective:
    /// the number of lanes there.
    std::uint32_t done = 0;
    bool queued = false;
    /// Of an access that conflicts by its sort. `only_waits`: so far it only comes back to itself,
    /// or to a node that is alike.
    /// `commutes`: so far it commutes with the access of the standing lane. If neither, it
    /// conflicts.
    bool only_waits = false, commutes = false;
    bool follows_all = false;            // it goes on with each answer that it has been seen to get
    std::vector<std::uint32_t> to{};     // nodes that all of its lanes reach
    std::vector<std::uint32_t> parts{};  // nodes that some of its lanes reach
    /// Of an update: the nodes behind answers with which it has changed the location.
    std::vector<std::uint32_t> changed{};
  };
  /// A form: accesses of a location that differ only in the continuation.
  struct access_form {
    continuation like = 0;   // one of the accesses
    std::uint32_t next = 0;  // index of the next value to look at
    /// Index of the first value that is not updated, because of the bound on updates. none: there
    /// is none.
    std::uint32_t kept_away = none;
    bool is_store = false;     // a store
    bool is_update = false;    // a read-modify-write
    bool needs_value = false;  // a read of memory that nobody has written ends the run
    bool changes = false;      // an update of some value
    /// Answers, each with whether the location changes.
    std::vector<std::pair<std::uint64_t, bool>> told{};
    std::vector<char> is_told{};         // by value: whether its answer is in `told`
    std::vector<std::uint32_t> users{};  // nodes with accesses of this form
    /// Whether the order with the access of the standing lane is compared, for each value.
    bool is_compared = false;
    bool conflicts = false;  // memory depends on that order
    /// Pairs of different answers in the two orders: of the standing lane, and of the other one.
    std::vector<std::pair<std::uint64_t, std::uint64_t>> standing_told{}, either_told{};
  };
  /// Bytes that accesses of some nodes cover exactly.
  struct location {
    std::uint32_t offset = 0, size = 0;
    bool is_any = false;            // its values are not told apart
    bool starts_unwritten = false;  // nobody has written there in the state
    bool is_unwritten = false;      // nor has any lane since: the first value is none
    std::uint32_t started = 0;      // the number of values that the state has there
    std::vector<std::uint64_t> values{};
    std::vector<std::uint32_t> updates{};  // by value: the fewest updates that lead to it
    boost::unordered_flat_map<std::uint64_t, std::uint32_t> index_of{};  // by value
    std::vector<access_form> forms{};
    /// Key: sort of access and whether it is compared, operand, compared value.
    boost::unordered_flat_map<std::tuple<std::uint32_t, std::uint64_t, std::uint64_t>,
                              std::uint32_t>
        form_of{};
    std::vector<std::uint32_t> open_forms{};  // forms for which further values may show more
    /// Nodes whose updates change the location, and the lanes there.
    std::vector<std::uint32_t> updates_at{};
    std::vector<std::uint64_t> updating{};
    /// The assumed number of such updates that a lane makes one after another. none: any number.
    std::uint32_t updates_each = 1;
    bool is_bounded = false;  // the bound on updates has kept a value away
  };
  using lane_set = std::span<std::uint64_t>;
  /// A joint barrier, by the number of barriers of its kind passed before. All blocks, or all
  /// warps, share one set, since their lanes are different.
  struct barrier_phase {
    bool is_begun = false;                 // false: the rest belongs to an earlier question
    std::vector<std::uint32_t> missing{};  // by block or warp: how many lanes are missing
    std::vector<std::uint64_t> come{};     // lanes that reach it, exit before, or do not count
    std::vector<std::uint64_t> passed{};   // lanes of blocks or warps that have come completely
    std::vector<std::uint32_t> nodes{};    // nodes that wait at it
  };
  /// What lanes say at reductions of their blocks, by the number of barriers of the block passed
  /// before.
  struct block_votes {
    bool is_begun = false;             // false: the rest belongs to an earlier question
    std::uint32_t reduction = 0;       // the bits of barrier_reduces
    bool is_mixed = false;             // lanes come with different reductions
    std::vector<std::uint64_t> yes{};  // lanes that may come with yes
    std::vector<std::uint64_t> no{};   // lanes that may come with no
    /// By block: the answer. none_yet: some lane has not come. open_answer: lanes may come with
    /// different values, and the answer depends on these.
    std::vector<std::uint64_t> answers{};
  };
  static constexpr std::uint64_t none_yet = ~std::uint64_t{0}, open_answer = none_yet - 1;
  /// A named barrier of a block.
  struct named_barrier {
    std::uint32_t block = 0, id = 0;
    std::uint32_t expected = none;  // warps, as the state or an arrival says; none: not known yet
    std::uint32_t arrived = 0;      // at most, since it was completed last
    bool may_complete = false;      // since the state
    /// By warp of the block: bit k is set if it may arrive here behind k arrivals anywhere.
    std::vector<std::uint8_t> arrivals{};
    std::vector<std::uint32_t> nodes{};  // nodes that arrive or wait there
  };
  /// The result of the last question about a lane. It stays valid as long as the other lanes wait
  /// where they waited, and these locations have the same values.
  struct shown {
    struct start {
      std::uint32_t offset = 0, size = 0;
      std::vector<std::uint64_t> values{};
    };
    struct access {
      continuation at = 0;
      bool is_beyond_warp = false;  // some lane there is of another warp
    };
    std::vector<std::uint32_t> lanes{};  // continuations of the state; empty: no question yet
    std::vector<start> starts{};
    /// No lane reached a conflict. `accesses`: all accesses that other lanes reach.
    bool is_complete = false;
    std::vector<access> accesses{};
    /// Otherwise: the access of the standing lane that had a conflict.
    continuation at = 0;
    bool only_beyond_warp = false, waits_are_none = false;
    std::vector<grid_status::barrier> barriers{};  // named barriers with arrivals
    std::vector<std::uint8_t> halves{};            // grid_status::halves
    /// Some other lane waits for this access, or commutes with it. So the result holds for this
    /// access only.
    bool is_for_access = false;
  };

  /// Answers assumed to be impossible. At continuations in `no_other`, all unknown answers are.
  struct assumptions {
    std::vector<std::pair<continuation, std::uint64_t>> never{};
    std::vector<continuation> no_other{};
  };
  /// All accesses that lanes reach from a state, whichever lane moves.
  struct reach_of_all {
    struct access {
      std::uint32_t begin = 0, end = 0;  // bytes of device memory
      continuation at = 0;
      std::uint32_t lanes = 0;  // its lanes, as the words of `lanes` from this index on
    };
    bool is_known = false;
    bool is_complete = false;  // false: it took too long
    bool is_assumed = false;   // a conclusion rests on it, so its assumptions are recorded
    std::vector<access> accesses{};
    std::vector<std::uint64_t> lanes{};
    assumptions assumed{};
  };

  machine& machine_;
  access_uses& uses_;
  std::optional<std::uint32_t>
      whole_warp_;  // the mask of all lanes of a warp, if equal for all warps
  std::span<const std::uint32_t> state_;
  std::uint32_t lane_ = 0;  // the standing lane; none: all lanes move
  bool only_beyond_warp_ = false, waits_are_none_ = false;
  /// The block whose shared memory the standing lane accesses, if that is another one: the access
  /// is an error once that block has ended. none: it needs no other block.
  std::uint32_t needed_block_ = none;
  bool has_halves_ = false;         // some lane has called a half of its cluster's barrier
  bool holds_barriers_up_ = false;  // barriers of the standing lane's block and cluster wait for it
  bool is_over_ = false;            // a conflict was found, or too much work was done
  std::uint32_t work_ = 0, work_limit_ = 0;
  std::uint32_t questions_ = 0;  // since begin_questions
  reach_of_all of_all_;          // from the state of the second question
  std::size_t words_ = 0;        // words of a set of lanes
  std::vector<node> nodes_;
  std::size_t count_ = 0;                                             // nodes in use
  std::vector<std::uint64_t> lanes_;                                  // by node
  std::vector<std::uint64_t> same_warp_, same_block_, same_cluster_;  // of the standing lane
  boost::unordered_flat_map<std::pair<continuation, phases>, std::uint32_t> node_of_;
  std::array<std::array<barrier_phase, most_phases>, 2> barriers_;  // by joint
  /// By joint: lanes that no other lane waits for.
  std::array<std::vector<std::uint64_t>, 2> absent_;
  std::vector<named_barrier> named_;                // that some lane comes to
  std::array<block_votes, most_phases + 1> votes_;  // by phase
  /// Nodes at a reduction of their block whose lanes have passed `most_phases` or more barriers.
  std::vector<std::uint32_t> late_votes_;
  std::vector<std::uint64_t> may_exit_;  // lanes that may have exited
  std::vector<location> places_;
  std::uint32_t place_count_ = 0;     // locations in use
  std::vector<std::uint32_t> desks_;  // offsets of words at which copies are handed over
  std::vector<std::uint64_t> led_;    // scratch: lanes that are being added
  /// Answers of a collective, and the lanes that get each.
  std::vector<std::pair<std::uint64_t, std::vector<std::uint64_t>>> told_;
  std::vector<std::uint32_t> open_;
  assumptions assumed_;
  std::vector<shown> shown_;           // by lane
  std::vector<std::uint64_t> values_;  // scratch: values of a location, for comparison
  /// Cache of lane_automaton::given.
  boost::unordered_flat_map<std::pair<continuation, std::uint64_t>, continuation> known_;

  /// The cached result for the lane, if it answers the question.
  [[nodiscard]] std::optional<bool> known_answer();
  void remember();
  void account(const operation& op, std::uint64_t work, bool spares);
  /// Records the assumptions, because a conclusion rests on them.
  void assume(const assumptions& all);
  /// Whether no access that any lane reaches conflicts with the access of `lane_`.
  [[nodiscard]] bool all_leave_alone();
  /// Finds the nodes that lanes reach, up to the first conflict.
  void find_reach();
  [[nodiscard]] std::optional<continuation> given(continuation from, std::uint64_t value);
  /// Lists the values that other lanes may read at the location.
  void list_values(std::uint32_t offset, std::uint32_t size, std::vector<std::uint64_t>& all) const;
  void begin();
  [[nodiscard]] lane_set lanes_of(std::uint32_t n) {
    return lane_set(lanes_).subspan(n * words_, words_);
  }
  std::uint32_t node_at(continuation c, phases since);
  void add_lanes(std::uint32_t to, std::span<const std::uint64_t> more);
  /// Adds all lanes of node `from` to node `to`.
  void add_all_lanes(std::uint32_t from, std::uint32_t to);
  std::uint32_t lead(std::uint32_t from, continuation to);
  /// Leads `lanes` of node `from` to node `to`.
  void lead_some(std::uint32_t from, std::uint32_t to, std::span<const std::uint64_t> lanes);
  void queue(std::uint32_t n);
  void visit(std::uint32_t n);
  void visit_access(std::uint32_t n);
  std::uint32_t form_of(std::uint32_t n, location& where);
  /// Looks at new values of the location, and at the values that they lead to.
  void follow_values(std::uint32_t p);
  void follow_value(std::uint32_t p, access_form& form, std::uint32_t index);
  /// Notes what the order of this access and the standing lane's access changes at this value.
  void compare_orders(access_form& form, const operation& op, std::uint64_t old);
  void visit_local(std::uint32_t n);
  void visit_waiting(std::uint32_t n);
  void visit_joint(std::uint32_t n, joint kind);
  void visit_named(std::uint32_t n);
  [[nodiscard]] named_barrier& named_at(std::uint32_t block, const operation& op);
  /// Notes that the warp may arrive at the barrier behind so many arrivals anywhere.
  void arrive(named_barrier& at, std::uint32_t warp, std::uint8_t behind);
  void complete_if_enough(named_barrier& at);
  void visit_exited(std::uint32_t n);
  static std::uint32_t group_of(joint kind, const place& lane) {
    return kind == joint::warp ? lane.warp : lane.block;
  }
  barrier_phase& phase_of(joint kind, std::size_t phase);
  void come(joint kind, std::size_t phase, std::span<const std::uint64_t> lanes);
  /// Leads the lanes `passing` of node `n` on from a collective of their whole warps. `all`: the
  /// nodes of lanes that have passed equally many.
  void exchange(std::uint32_t n, std::span<const std::uint32_t> all,
                std::span<const std::uint64_t> passing, phases since);
  /// Leads the lanes `passing` of node `n` on from a barrier of their block with a reduction, which
  /// they reach in that phase. `all`: the nodes of lanes that reach it so.
  void vote(std::uint32_t n, std::size_t phase, std::span<const std::uint32_t> all,
            std::span<const std::uint64_t> passing, phases since);
  /// Looks at all blocks again. Returns whether the result of some block has changed.
  bool count_votes(block_votes& here);
  /// Leads lanes of node `n` on with the answers in `told_`, and the lanes `any` with each answer
  /// that was seen.
  void lead_told(std::uint32_t n, std::span<const std::uint64_t> any, phases since);
  void visit_cluster_wait(std::uint32_t n);
  /// Notes in `told_` that a lane gets an answer.
  void tell(std::uint64_t value, std::size_t word, std::uint64_t lane);
  [[nodiscard]] std::optional<std::array<std::uint64_t, 32>> votes_of(
      std::uint32_t warp, std::span<const std::uint32_t> all);
  /// Leads some lanes of the node on with each answer that it has been seen to get.
  void follow_some(std::uint32_t n, std::span<const std::uint64_t> lanes, phases since);
  void answer(std::uint32_t n, std::uint64_t value);
  void follow_all(std::uint32_t n);
  void add_value(std::uint32_t p, std::uint64_t value, std::uint32_t updates);
  /// The lanes of node `n` change the location by updates: adds them to `updating`.
  void add_updating(location& where, std::uint32_t n);
  static void allow_more_updates(location& where);
  /// The most updates of the location that may follow each other.
  [[nodiscard]] std::uint32_t most_updates(const location& where) const;
  /// Whether lanes make no more updates than assumed. If they do, corrects the assumption and
  /// queues what depends on it.
  bool updates_are_as_taken();
  /// The most updates on any path through nodes that update the location. none: there is a loop.
  [[nodiscard]] std::uint32_t longest_updates(const location& where);
  void forget_values(std::uint32_t p);
  void forget_desk(std::uint32_t offset);
  [[nodiscard]] bool is_on_desk(std::uint32_t offset) const;
  [[nodiscard]] bool conflicts(std::uint32_t n);
  /// Whether some of the node's lanes are of this block.
  [[nodiscard]] bool has_lane_of(std::uint32_t n, std::uint32_t block);
  [[nodiscard]] bool may_be_told_of_the_end(std::uint32_t n);
  /// Whether lanes at `a` and at `b` have the same operations and answers ahead of them, as far as
  /// is known. Beyond `most_steps` both must come to the same continuation.
  [[nodiscard]] bool are_alike(continuation a, continuation b, unsigned most_steps);
  /// Whether the conflict counts only if the node's lanes do more than come back to the node.
  [[nodiscard]] bool may_only_wait(std::uint32_t n);
  /// Whether values decide if the node's access conflicts.
  [[nodiscard]] bool may_commute(std::uint32_t n);
  /// Whether the access commutes, for the values known so far.
  [[nodiscard]] bool commutes_by_values(std::uint32_t n, const access_form& form);
  [[nodiscard]] std::uint32_t place_of(std::uint32_t offset, std::uint8_t size);
};

}  // namespace simt
