// Which accesses other lanes can still come to while one lane does not move, by the values in
// memory and not only by footprints.
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

namespace simt {

class machine;

/// An abstract interpretation of the other lanes: a set of lanes for each continuation and number
/// of barriers passed, a set of values for each place in memory, all independent of each other.
/// For one thread.
class reach_without {
 public:
  explicit reach_without(machine& m);

  /// Whether no other lane can come to an access that conflicts with the access of `lane`, as long
  /// as `lane` waits at it. False also if the answer would take too long.
  /// `only_beyond_warp`: conflicts with lanes of its warp do not count (their changes of memory
  /// do). `waits_are_none`: nor do accesses that only come back to themselves as long as `lane`
  /// waits.
  ///
  /// Several questions about states each of which is reached from the one before cost less than the
  /// same questions apart: begin_questions() comes before the first one.
  ///
  /// True rests on answers that no lane was ever given; lane_automaton::assume_never records them.
  [[nodiscard]] bool leaves_alone(std::span<const std::uint32_t> state, std::uint32_t lane,
                                  bool only_beyond_warp, bool waits_are_none);
  void begin_questions();

 private:
  static constexpr std::uint32_t none = 0xffffffff;

  /// Barriers that all lanes of a block, or of a warp, pass together: `syncthreads`, and (under
  /// `its`) collectives of whole warps.
  enum class joint : std::uint8_t { block, warp };
  /// How many of each a lane has passed since the state. Numbers from `most_phases` on are one.
  struct phases {
    std::array<std::uint8_t, 2> passed{};
    [[nodiscard]] std::uint8_t& of(joint kind) { return passed[static_cast<std::size_t>(kind)]; }
    friend bool operator==(const phases&, const phases&) = default;
    friend std::size_t hash_value(const phases& p) { return p.passed[0] * 256U + p.passed[1]; }
  };
  static constexpr std::uint8_t most_phases = 8;

  struct node {
    continuation at = 0;
    phases since{};
    std::uint32_t place = none;  // of an access
    std::uint32_t form = 0;      // of an access: which one of its place
    /// Of an access: answers of its form that the lanes have got. Of a collective: lanes there.
    std::uint32_t done = 0;
    bool queued = false;
    /// Of an access that has a conflict by its sort: whether it only comes back to itself so far,
    /// and whether it commutes with that of the standing lane so far. If neither, it has one.
    bool only_waits = false, commutes = false;
    bool follows_all = false;            // every answer that it has been seen to get
    std::vector<std::uint32_t> to{};     // nodes that all of its lanes come to
    std::vector<std::uint32_t> parts{};  // nodes that some of its lanes come to
    /// Of an update: nodes to which an answer leads with which it has changed the place.
    std::vector<std::uint32_t> changed{};
  };
  /// What accesses of a location do that differ in nothing but the continuation.
  struct access_form {
    continuation like = 0;   // one of them
    std::uint32_t next = 0;  // the first value of the location that has to be looked at
    /// The first value that is not updated, since there are not so many updates; none: there is
    /// none.
    std::uint32_t kept_away = none;
    bool is_store = false;   // a store
    bool is_update = false;  // a read-modify-write
    bool changes = false;    // an update of some value
    /// Answers, and whether the location has changed with it.
    std::vector<std::pair<std::uint64_t, bool>> told{};
    std::vector<char> is_told{};         // by value: whether its answer is there
    std::vector<std::uint32_t> users{};  // nodes
    /// Whether the order of such an access and that of the standing lane is compared, by value.
    bool is_compared = false;
    bool conflicts = false;  // memory depends on the order
    /// Answers that the standing lane, and the other one, get in one order and in the other.
    std::vector<std::pair<std::uint64_t, std::uint64_t>> standing_told{}, either_told{};
  };
  /// Bytes that accesses of the nodes cover alike.
  struct location {
    std::uint32_t offset = 0, size = 0;
    bool is_any = false;        // the values are not told apart
    std::uint32_t started = 0;  // how many of the values are of the state
    std::vector<std::uint64_t> values{};
    std::vector<std::uint32_t> updates{};  // by value: the fewest updates that lead to it
    boost::unordered_flat_map<std::uint64_t, std::uint32_t> index_of{};  // of a value
    std::vector<access_form> forms{};
    /// By sort of access, and whether it is compared; operand; and compared value.
    boost::unordered_flat_map<std::tuple<std::uint32_t, std::uint64_t, std::uint64_t>,
                              std::uint32_t>
        form_of{};
    std::vector<std::uint32_t> open_forms{};  // those of which more values may show more
    /// Nodes whose updates change it, and lanes there.
    std::vector<std::uint32_t> updates_at{};
    std::vector<std::uint64_t> updating{};
    /// How many such updates each lane is taken to make, one after the other; none: any number.
    std::uint32_t updates_each = 1;
    bool is_bounded = false;  // the number of updates has kept a value away
  };
  using lane_set = std::span<std::uint64_t>;
  /// A barrier of one kind, by the number of barriers of the kind passed before. All blocks, or
  /// all warps, have one set here: they have different lanes.
  struct barrier_phase {
    bool is_begun = false;                 // else the rest is of an earlier question
    std::vector<std::uint32_t> missing{};  // lanes that have not come, by block or warp
    std::vector<std::uint64_t> come{};     // lanes that come to it, exit before, or do not count
    std::vector<std::uint64_t> passed{};   // lanes of blocks or warps of which all have come
    std::vector<std::uint32_t> nodes{};    // that wait at it
  };
  /// The result of the last question about a lane. It holds as long as the other lanes wait where
  /// they waited, and these places have the same values.
  struct shown {
    struct start {
      std::uint32_t offset = 0, size = 0;
      std::vector<std::uint64_t> values{};
    };
    struct access {
      continuation at = 0;
      bool is_beyond_warp = false;  // of some lane there
    };
    std::vector<std::uint32_t> lanes{};  // of the state; empty: there was no question
    std::vector<start> starts{};
    /// Set if no lane came to a conflict: all accesses that other lanes come to.
    bool is_complete = false;
    std::vector<access> accesses{};
    /// Otherwise: the lane whose access had a conflict.
    continuation at = 0;
    bool only_beyond_warp = false, waits_are_none = false, has_halves = false;
    /// Some other lane waits for the access, or commutes with it: the result is about no other one.
    bool is_for_access = false;
  };

  /// Answers taken for impossible, and continuations at which all are that are not known.
  struct assumptions {
    std::vector<std::pair<continuation, std::uint64_t>> never{};
    std::vector<continuation> no_other{};
  };
  /// All accesses that lanes come to from a state, whoever moves.
  struct reach_of_all {
    struct access {
      std::uint32_t begin = 0, end = 0;  // bytes of device memory
      continuation at = 0;
      std::uint32_t lanes = 0;  // which: words of `lanes` from here on
    };
    bool is_known = false;
    bool is_complete = false;  // else it took too long
    bool is_assumed = false;   // a conclusion rests on it
    std::vector<access> accesses{};
    std::vector<std::uint64_t> lanes{};
    assumptions assumed{};
  };

  machine& machine_;
  std::optional<std::uint32_t>
      whole_warp_;  // the mask of all its lanes, if it is that of each warp
  std::span<const std::uint32_t> state_;
  std::uint32_t lane_ = 0;  // none: all lanes move
  bool only_beyond_warp_ = false, waits_are_none_ = false;
  bool has_halves_ = false;  // some lane has called a half of its cluster's barrier
  bool is_over_ = false;     // a conflict, or too much work
  std::uint32_t work_ = 0, work_limit_ = 0;
  std::uint32_t questions_ = 0;  // since begin_questions
  reach_of_all of_all_;          // from the state of the second of these
  std::size_t words_ = 0;        // of a set of lanes
  std::vector<node> nodes_;
  std::size_t count_ = 0;                                             // nodes in use
  std::vector<std::uint64_t> lanes_;                                  // by node
  std::vector<std::uint64_t> same_warp_, same_block_, same_cluster_;  // as lane_
  boost::unordered_flat_map<std::pair<continuation, phases>, std::uint32_t> node_of_;
  std::array<std::array<barrier_phase, most_phases>, 2> barriers_;  // by joint
  /// By joint: lanes for which nobody waits.
  std::array<std::vector<std::uint64_t>, 2> absent_;
  std::vector<location> places_;
  std::uint32_t place_count_ = 0;   // places in use
  std::vector<std::uint64_t> led_;  // lanes, while they are added
  /// Answers of a collective, and the lanes that get each.
  std::vector<std::pair<std::uint64_t, std::vector<std::uint64_t>>> told_;
  std::vector<std::uint32_t> open_;
  assumptions assumed_;
  std::vector<shown> shown_;           // by lane
  std::vector<std::uint64_t> values_;  // of a place, while it is compared
  /// Cache of lane_automaton::given.
  boost::unordered_flat_map<std::pair<continuation, std::uint64_t>, continuation> known_;

  /// The kept result for the lane, if it answers the question.
  [[nodiscard]] std::optional<bool> known_answer();
  void remember();
  void account(const operation& op, std::uint64_t work, bool spares);
  /// A conclusion rests on them.
  void assume(const assumptions& all);
  /// Whether what all lanes come to has no conflict with the access of `lane_`.
  [[nodiscard]] bool all_leave_alone();
  /// Finds the nodes that lanes come to, up to the first conflict.
  void find_reach();
  [[nodiscard]] std::optional<continuation> given(continuation from, std::uint64_t value);
  /// The values that may be read at the place.
  void list_values(std::uint32_t offset, std::uint32_t size, std::vector<std::uint64_t>& all) const;
  void begin();
  [[nodiscard]] lane_set lanes_of(std::uint32_t n) {
    return lane_set(lanes_).subspan(n * words_, words_);
  }
  std::uint32_t node_at(continuation c, phases since);
  void add_lanes(std::uint32_t to, std::span<const std::uint64_t> more);
  /// Those of the node `from`.
  void add_all_lanes(std::uint32_t from, std::uint32_t to);
  std::uint32_t lead(std::uint32_t from, continuation to);
  /// The same for some of the lanes of `from`.
  void lead_some(std::uint32_t from, std::uint32_t to, std::span<const std::uint64_t> lanes);
  void queue(std::uint32_t n);
  void visit(std::uint32_t n);
  void visit_access(std::uint32_t n);
  std::uint32_t form_of(std::uint32_t n, location& where);
  /// Looks at the values that have come up at the place, and at those that they lead to.
  void follow_values(std::uint32_t p);
  void follow_value(std::uint32_t p, access_form& form, std::uint32_t index);
  /// Keeps what the order of the access and that of the standing lane may change at this value.
  void compare_orders(access_form& form, const operation& op, std::uint64_t old);
  void visit_local(std::uint32_t n);
  void visit_waiting(std::uint32_t n);
  void visit_joint(std::uint32_t n, joint kind);
  void visit_exited(std::uint32_t n);
  static std::uint32_t group_of(joint kind, const place& lane) {
    return kind == joint::warp ? lane.warp : lane.block;
  }
  barrier_phase& phase_of(joint kind, std::size_t phase);
  void come(joint kind, std::size_t phase, std::span<const std::uint64_t> lanes);
  /// The lanes `passing` of node `n` go on from a collective of their whole warps. `all`: the nodes
  /// of lanes that have passed as many of them.
  void exchange(std::uint32_t n, std::span<const std::uint32_t> all,
                std::span<const std::uint64_t> passing, phases since);
  /// A lane of a collective gets an answer: see `told_`.
  void tell(std::uint64_t value, std::size_t word, std::uint64_t lane);
  [[nodiscard]] std::optional<std::array<std::uint64_t, 32>> votes_of(
      std::uint32_t warp, std::span<const std::uint32_t> all);
  /// Some lanes of the node go on with every answer that it has been seen to get.
  void follow_some(std::uint32_t n, std::span<const std::uint64_t> lanes, phases since);
  void answer(std::uint32_t n, std::uint64_t value);
  void follow_all(std::uint32_t n);
  void add_value(std::uint32_t p, std::uint64_t value, std::uint32_t updates);
  /// The lanes of a node change the place by updates: adds them to those that do.
  void add_updating(location& where, std::uint32_t n);
  static void allow_more_updates(location& where);
  /// How many updates of the place may follow each other.
  [[nodiscard]] std::uint32_t most_updates(const location& where) const;
  /// Whether lanes make no more updates of places than they were taken to make. If not, corrects
  /// that, and queues what depends on it.
  bool updates_are_as_taken();
  /// The longest way through nodes that update the place, in updates; none: there is a circle.
  [[nodiscard]] std::uint32_t longest_updates(const location& where);
  void forget_values(std::uint32_t p);
  [[nodiscard]] bool conflicts(std::uint32_t n);
  /// Whether the conflict counts only if the node's lanes do more than come back to it.
  [[nodiscard]] bool may_only_wait(std::uint32_t n);
  /// Whether the node's access is one of which values tell whether it conflicts.
  [[nodiscard]] bool may_commute(std::uint32_t n);
  /// Whether it is none, by the values that have come up so far.
  [[nodiscard]] bool commutes_by_values(std::uint32_t n, const access_form& form);
  [[nodiscard]] std::uint32_t place_of(std::uint32_t offset, std::uint8_t size);
};

}  // namespace simt
