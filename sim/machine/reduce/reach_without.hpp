// Which accesses other lanes can still come to while one lane does not move, by the values in
// memory and not only by footprints.
//
// docs/reductions.md, "While a lane stands still".
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "sim/lane/operation.hpp"
#include "sim/machine/reduce/footprint.hpp"

namespace simt {

class machine;

/// An abstract interpretation of the other lanes: a set of lanes for each continuation, a set of
/// values for each place in memory, all independent of each other. For one thread.
class reach_without {
 public:
  explicit reach_without(machine& m) : machine_(m) {}

  /// Whether no other lane can come to an access that conflicts with the access of `lane`, as long
  /// as `lane` waits at it. `only_beyond_warp`: conflicts with lanes of its warp do not count
  /// (their changes of memory do). False also if the answer would take too long.
  ///
  /// True rests on answers that no lane was ever given; lane_automaton::assume_never records them.
  [[nodiscard]] bool leaves_alone(std::span<const std::uint32_t> state, std::uint32_t lane,
                                  bool only_beyond_warp);

 private:
  static constexpr std::uint32_t none = 0xffffffff;

  struct node {
    continuation at = 0;
    std::uint32_t place = none;  // of an access
    std::uint32_t done = 0;      // values of the place that the lanes have got
    bool queued = false;
    bool follows_all = false;         // every answer that it has been seen to get
    std::vector<std::uint32_t> to{};  // nodes that all of its lanes come to
  };
  /// Bytes that accesses of the nodes cover alike.
  struct location {
    std::uint32_t offset = 0, size = 0;
    bool is_any = false;        // the values are not told apart
    std::uint32_t started = 0;  // how many of the values are of the state
    std::vector<std::uint64_t> values{};
    std::vector<std::uint32_t> updates{};  // by value: the fewest updates that lead to it
    std::vector<std::uint32_t> users{};    // nodes
    /// Lanes that may update it, as far as none does so twice: no more updates follow each other
    /// than there are such lanes.
    std::vector<std::uint64_t> updating{};
    bool is_updated_again = false;  // some lane may do so twice
  };
  using lane_set = std::span<std::uint64_t>;
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
    bool only_beyond_warp = false;
  };

  machine& machine_;
  std::span<const std::uint32_t> state_;
  std::uint32_t lane_ = 0;
  bool only_beyond_warp_ = false;
  bool is_over_ = false;  // a conflict, or too much work
  std::uint32_t work_ = 0;
  std::size_t words_ = 0;  // of a set of lanes
  std::vector<node> nodes_;
  std::size_t count_ = 0;                                             // nodes in use
  std::vector<std::uint64_t> lanes_;                                  // by node
  std::vector<std::uint64_t> same_warp_, same_block_, same_cluster_;  // as lane_
  boost::unordered_flat_map<continuation, std::uint32_t> node_of_;
  std::vector<location> places_;
  std::uint32_t place_count_ = 0;   // places in use
  std::vector<std::uint64_t> led_;  // lanes, while they are added
  std::vector<std::uint32_t> open_;
  std::vector<std::pair<continuation, std::uint64_t>> never_;  // answers taken for impossible
  std::vector<continuation> no_other_;                         // the same: all that are not known
  std::vector<shown> shown_;                                   // by lane
  std::vector<std::uint64_t> values_;                          // of a place, while it is compared
  /// Cache of lane_automaton::given.
  boost::unordered_flat_map<std::pair<continuation, std::uint64_t>, continuation> known_;

  /// The kept result for the lane, if it answers the question.
  [[nodiscard]] std::optional<bool> known_answer();
  void remember();
  [[nodiscard]] std::optional<continuation> given(continuation from, std::uint64_t value);
  /// The values that may be read at the place.
  void list_values(std::uint32_t offset, std::uint32_t size, std::vector<std::uint64_t>& all) const;
  void begin();
  [[nodiscard]] lane_set lanes_of(std::uint32_t n) {
    return lane_set(lanes_).subspan(n * words_, words_);
  }
  std::uint32_t node_at(continuation c);
  void add_lanes(std::uint32_t to, std::span<const std::uint64_t> more);
  void lead(std::uint32_t from, continuation to);
  void queue(std::uint32_t n);
  void visit(std::uint32_t n);
  void visit_access(std::uint32_t n);
  void visit_local(std::uint32_t n);
  void visit_waiting(std::uint32_t n);
  void answer(std::uint32_t n, std::uint64_t value);
  void follow_all(std::uint32_t n);
  void add_value(std::uint32_t p, std::uint64_t value, std::uint32_t updates);
  /// The lanes of a node update the place: adds them to those that do.
  void add_updating(std::uint32_t p, std::uint32_t n);
  /// How many updates of the place may follow each other.
  [[nodiscard]] std::uint32_t most_updates(const location& where) const;
  void forget_values(std::uint32_t p);
  [[nodiscard]] bool conflicts(std::uint32_t n);
  [[nodiscard]] std::uint32_t place_of(std::uint32_t offset, std::uint8_t size);
};

}  // namespace simt
