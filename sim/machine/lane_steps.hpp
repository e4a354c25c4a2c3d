// How lanes go on: from a continuation, with an answer, to the next operation that takes a step.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "sim/automaton/lane_automaton.hpp"
#include "sim/automaton/news.hpp"
#include "sim/machine/machine_setup.hpp"
#include "sim/machine/memory/machine_memory.hpp"
#include "sim/machine/places.hpp"

namespace simt {

/// The steps of single lanes, as one machine knows them. It remembers what the lane automaton and
/// memory answer. Here and below: throws lane_error where device code misbehaves, and
/// lane_automaton::given_up where the time limit has passed. Once lists are cut short
/// (news_watch::is_cut), no device code runs and nothing is learnt.
class lane_steps {
 public:
  /// What a machine has, and its lanes need. `moves` is null where lanes keep their places.
  struct parts {
    const machine_setup& setup;
    machine_stores& stores;
    const grid_places& places;
    machine_memory& memory;
    symmetry* moves;
    news_watch& news;
    bool runs_ahead;  // whether steps that concern no other lane are taken at once
  };
  explicit lane_steps(const parts& of) : of_(of) {}

  [[nodiscard]] bool runs_ahead() const { return of_.runs_ahead; }

  // What operations are.

  /// Traits of an operation that may never occur. Nothing is learnt from this call.
  [[nodiscard]] operation_traits traits_of(const operation& op) const;
  /// Traits of the operation at `c`. The first call for `c` teaches memory and symmetry, and may
  /// record news.
  [[nodiscard]] const operation_traits& traits(continuation c) {
    if (c >= traits_.size()) [[unlikely]]
      learn_traits(c);
    return traits_[c];
  }
  /// Learns from operations that other machines of the run have met: their states may come to this
  /// machine.
  void catch_up();
  /// Whether some access that is known is weak, or narrow in its scope.
  [[nodiscard]] bool has_suspicious() const { return has_suspicious_; }
  /// Whether some accesses that are known overlap without covering the same bytes.
  [[nodiscard]] bool has_mixed_sizes() const { return has_mixed_sizes_; }
  /// Whether some operation that is known, other than a barrier, orders memory.
  [[nodiscard]] bool orders_memory() const { return orders_memory_; }

  // Going on.

  /// Like lane_automaton::next, with a cache.
  continuation next(continuation from, std::uint64_t answer);
  /// `c` if it takes a step; otherwise the first continuation behind `c` that takes one.
  continuation settle(std::uint32_t lane, continuation c);
  /// The next continuation of `lane` that takes a step, after `answer` at `from`.
  continuation advance(std::uint32_t lane, continuation from, std::uint64_t answer) {
    return settle(lane, next(from, answer));
  }
  /// The continuation of a lane that loops for ever: `c` leads back to `c` without a step.
  continuation endless(std::uint32_t lane, continuation c);
  struct access_result {
    continuation next;
    std::uint32_t memory;
    continuation first;  // `next` before operations that take no step are passed
  };
  /// Carries out the access at `c`, where memory is its image.
  access_result carry_out(std::uint32_t lane, continuation c, std::uint32_t memory);
  /// The number of linearization points that `lane` passes from `c` to its next step. `which`
  /// (which may be null) gets them.
  std::uint32_t count_points(std::uint32_t lane, continuation c, std::vector<operation>* which);
  /// Like count_points(), without a look if no points are declared.
  std::uint32_t points_from(std::uint32_t lane, continuation c) {
    return of_.setup.has_points ? count_points(lane, c, nullptr) : 0;
  }

  // What lanes ask about themselves.

  /// Whether the lane runs the subject's operations. Other lanes end at once.
  [[nodiscard]] bool is_client(std::uint32_t lane) const;
  /// The answer to `lane` where it asks about its own place in the grid.
  [[nodiscard]] std::uint64_t local_answer(std::uint32_t lane, const operation& op) const;
  /// The answer to `op`, by which `lane` asks what operation it is to carry out.
  [[nodiscard]] std::uint64_t assignment_of(std::uint32_t lane, const operation& op) const;
  /// The continuation of `lane` after `c`, where the lane asks about its own place in the grid.
  /// Nothing: this continuation, or what it means for symmetry, is not known yet.
  [[nodiscard]] std::optional<continuation> known_local(std::uint32_t lane, continuation c) const;
  /// Learns known_local() of `c` for all lanes.
  void learn_local(continuation c);

  /// Forgets what rests on lists that were cut short.
  void forget();
  /// The number of bytes of all that is cached.
  [[nodiscard]] std::size_t memory() const;

 private:
  static constexpr std::uint32_t row_length = 1024;
  static constexpr unsigned recent_bits = 14;

  struct step_key {
    std::uint64_t answer;
    continuation from;
    friend bool operator==(const step_key&, const step_key&) = default;
  };
  struct step_hash {
    using is_avalanching = void;
    std::size_t operator()(const step_key& k) const {
      const std::uint64_t mixed = (k.answer ^ std::uint64_t{k.from} << 40) * 0x9e3779b97f4a7c15U;
      return (mixed ^ mixed >> 29) * 0xbf58476d1ce4e5b9U;
    }
  };
  struct recent_access {
    continuation from = 0xffffffff;
    std::uint32_t memory = 0;
    std::uint64_t value = 0;
  };

  parts of_;
  std::vector<operation_traits> traits_;
  std::map<std::uint32_t, std::uint8_t> access_sizes_;  // by offset
  bool has_suspicious_ = false;
  bool has_mixed_sizes_ = false;
  bool orders_memory_ = false;
  boost::unordered_flat_map<step_key, continuation, step_hash> next_cache_;
  std::vector<std::vector<continuation>> local_next_;  // by continuation, then lane
  // Cache of accesses, from (continuation, memory) to (continuation, memory), for memories with low
  // numbers. A row belongs to a continuation. An entry is the value plus one; 0: not known yet.
  std::vector<std::vector<std::uint64_t>> access_rows_;
  // Cache of accesses for memories with higher numbers: the latest entries only.
  std::vector<recent_access> recent_;
  std::vector<memory_outcome> outcomes_;                            // scratch of device_access
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> points_;  // by lane, continuation

  void learn_traits(continuation c);
  bool learn_symmetry(const operation& op);
  [[nodiscard]] bool has_stacks() const {
    return of_.setup.model.reconvergence == reconvergence::stack;
  }
  [[nodiscard]] bool is_symmetric() const;
  continuation local_next(std::uint32_t lane, continuation c);
  std::uint64_t device_access(continuation c, std::uint32_t memory);
  /// The continuation behind `c`, where `c` takes no step.
  continuation pass(std::uint32_t lane, continuation c) {
    return traits(c).what == operation_traits::kind::local ? local_next(lane, c) : next(c, 0);
  }
};

/// The answer to a question about the assigned operations of `list`.
std::uint64_t answer_from(const std::vector<assigned_operation>& list, const operation& op,
                          bool for_ever);

}  // namespace simt
