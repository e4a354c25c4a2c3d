// Proves, by an abstract interpretation, that no run can end from a state, and that nothing else
// that is checked can happen on the way. See docs/reductions.md, "Dead states by abstract
// interpretation".
//
// Models: each place in memory as the set of values that it may hold; each lane as the set of
// continuations that it may come to. All these sets are independent of each other.
// Does not model (gives up where it matters): numbered barriers, the values of collectives,
// activemask, accesses that overlap without covering the same bytes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "checker/liveness/lane_groups.hpp"
#include "sim/machine/machine.hpp"

namespace warpcheck {

class no_end_proof {
 public:
  /// Whether the proof may run device code for answers that no lane has had yet.
  enum class answers : std::uint8_t { known, any };

  explicit no_end_proof(simt::machine& machine, answers use = answers::known)
      : machine_(machine), use_(use) {}

  /// True: from `state` on, whatever happens, no run is complete, no assertion fails, and no race
  /// begins. Nor is there a bad access, barrier divergence or error of device code. False: that is
  /// not proved. The answer is void if the machine has news.
  bool proves(simt::state_view state);

  /// With known answers: lets all proofs together ask for so many other answers, as long as telling
  /// which continuations behave alike takes little work. These answers count as given, so the
  /// machine may have news by them.
  void may_ask(std::uint64_t answers) { may_ask_ = answers; }

  /// Limits the work of one proof: pairs of a continuation and an answer.
  void limit(std::uint64_t steps) { limit_ = steps; }
  [[nodiscard]] std::uint64_t steps() const { return steps_; }  // of the last proof

 private:
  static constexpr std::uint32_t none = 0xffffffff;
  static constexpr std::uint32_t unbounded = 0xffffffff;

  enum class outcome : std::uint8_t { open, proved, failed, too_coarse };

  /// Changes of memory that must have happened, by class of places. The class is the number of the
  /// place modulo `clocks`.
  static constexpr std::uint32_t clocks = 4;
  using time = std::array<std::uint32_t, clocks>;

  struct value {
    std::uint64_t bits;
    time since;
  };
  struct place {
    std::uint32_t offset;
    std::uint8_t size;
    std::vector<value> values;
    std::vector<std::uint32_t> users;  // nodes that access the place
  };
  /// A continuation to which lanes of a group may come.
  struct node {
    simt::continuation at;
    std::uint32_t group;
    time since;
    std::uint32_t place = none;  // of an access; none: not known yet
    std::uint32_t done = 0;      // number of values of the place that have been tried
    bool queued = true;
    bool waits = false;   // in front of a gate, at a collective, or at a barrier
    bool passed = false;  // lanes may leave it, as far as other lanes are concerned
  };
  struct reach {  // the nodes that a group may come to
    std::uint32_t start = none;
    bool exits = false;
    bool collective = false;  // may wait at a collective
    bool barrier = false;
    std::vector<std::uint32_t> blocks;  // blocks in front of which it may stop
  };
  struct edge {
    std::uint32_t to;     // number of a node
    std::uint32_t place;  // the place that the step changes; none: nothing
    std::uint64_t old;    // the value before the change
  };
  /// A step that takes a value away from a place.
  struct taking {
    std::uint32_t place = none;
    std::uint64_t old = 0;
    friend bool operator==(const taking&, const taking&) = default;
  };

  simt::machine& machine_;
  answers use_;
  std::uint64_t limit_ = 20'000;
  std::uint64_t steps_ = 0;
  std::uint64_t asked_ = 0;  // new answers, in this proof
  std::uint64_t asked_in_all_ = 0;
  std::uint64_t may_ask_ = 0;
  std::uint64_t asking_work_ = 0;  // work of merging continuations

  simt::state_view state_;
  fineness how_{};
  fineness needed_{};
  outcome outcome_{};
  lane_groups lanes_;
  std::vector<place> places_;
  time bound_{};                     // later changes are left out
  std::array<bool, clocks> late_{};  // by class: some changes were left out
  std::vector<node> nodes_;
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> node_of_;
  std::vector<std::uint32_t> open_;                  // nodes to look at
  std::vector<reach> reach_;                         // by group
  std::vector<char> gate_open_;                      // by gate
  std::vector<std::vector<std::uint32_t>> at_gate_;  // nodes, by gate
  std::vector<std::uint32_t> gathered_;              // nodes at collectives and barriers
  // By unit: the collective that its lanes use.
  std::vector<std::optional<simt::operation>> collective_;
  std::vector<std::optional<simt::operation>> barrier_;
  std::vector<std::uint32_t> group_of_;  // by lane; empty: not filled yet
  std::uint32_t staying_ = 0;            // groups that have not been seen to exit
  bool dispatched_ = false;              // blocks that are not resident yet may become resident

  outcome attempt(fineness how);
  void begin(fineness how);
  void start(std::uint32_t group);
  void pass(std::uint32_t number);
  void add_node(std::uint32_t group, simt::continuation at, const time& since);
  void queue(std::uint32_t number);
  void visit(std::uint32_t number);
  void visit_access(std::uint32_t number);
  void visit_choose(std::uint32_t number);
  void visit_branch(std::uint32_t number);
  void visit_local(std::uint32_t number);
  void visit_collective(std::uint32_t number);
  void visit_barrier(std::uint32_t number);
  std::optional<simt::continuation> next(simt::continuation from, std::uint64_t answer);
  void give_up() {
    if (outcome_ == outcome::open) outcome_ = outcome::failed;
  }
  void need(fineness how) {
    if (outcome_ != outcome::open) return;
    outcome_ = outcome::too_coarse;
    needed_ = how;
  }

  std::uint32_t place_of(const simt::operation_traits& t);
  [[nodiscard]] bool is_late(std::uint32_t node, const value& old) const;
  void add_value(std::uint32_t place, std::uint64_t bits, const time& since);

  bool open_gates();
  bool may_open(const lane_gate& gate);
  bool gather();
  bool all_at_collective(const lane_unit& unit, std::uint32_t mask);
  bool all_at_barrier(std::uint32_t block);
  bool dispatch();
  std::uint32_t group_of(std::uint32_t lane);

  bool raise_bounds();
  [[nodiscard]] std::uint64_t changes(std::uint32_t clock) const;
  [[nodiscard]] bool runs_unseen() const;
  void edges_of(std::uint32_t number, std::vector<edge>& out) const;
  template <class Edges, class Counts>
  [[nodiscard]] std::vector<std::uint32_t> longest(std::span<const std::uint32_t> starts,
                                                   Edges edges, Counts counts) const;
  [[nodiscard]] bool is_unseen(std::uint32_t number) const;

  template <class Count, class Goal>
  bool is_contended(Count count, Goal is_goal);
  template <class Goal>
  bool finds(std::uint32_t start, Goal is_goal, const taking* without, std::vector<taking>* taken);
  bool comes_back(const taking& lost);
  [[nodiscard]] bool is_exit(const node& n) const;
  bool some_stay();

  bool may_race();
  bool conflict(const node& a, const node& b);
};

}  // namespace warpcheck
