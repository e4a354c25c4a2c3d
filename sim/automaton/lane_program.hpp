// The memoized automaton of a lane: (continuation, answer) → continuation.
//
// Device code is deterministic between stops. So each distinct pair runs the C++ once
// (lane_runner), and is looked up from then on. A continuation is the interned image of a stopped
// lane together with the operation where it waits. Number 0 is the lane that has exited.
//
// If the model asks for control flow, each branch that a run has passed is a continuation, too.
// Such a continuation has no image. It consists of the branch and the continuation behind it, which
// the answer 0 leads to. So a local loop runs once, however many branches it passes.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "sim/automaton/intern.hpp"
#include "sim/lane/device_memory.hpp"
#include "sim/lane/lane_runner.hpp"

namespace simt {

using continuation = std::uint32_t;
inline constexpr continuation exited = 0;

/// The answer that stands for an endless loop. It leads from a continuation in the loop to the
/// continuation of a lane that goes round there for ever. No lane gets it.
inline constexpr std::uint64_t goes_round = 0x8000'0000'0000'0e1dU;
/// Whether `op` takes no step. Such an operation has one answer, which is never goes_round.
[[nodiscard]] constexpr bool takes_no_step(const operation& op) {
  return asks_for_place(op) || op.kind == operation_kind::point;
}

class lane_program {
 public:
  /// `weakens_sc`: operations with the order seq_cst count as acquire, release, or both.
  lane_program(std::shared_ptr<const subject_library> library, const detail::subject_entry& entry,
               const device_memory& memory, std::uint32_t repeat, bool branch_stops,
               bool weakens_sc = false);

  /// A new program of this subject that knows nothing yet. Its continuations have other numbers.
  [[nodiscard]] std::unique_ptr<lane_program> another() const;
  /// The continuation here that equals `c` of `other`, if it has been met here.
  [[nodiscard]] std::optional<continuation> find(const lane_program& other, continuation c) const;
  /// Returns the continuation here that equals `c` of `other`, and adds it if necessary. `c` must
  /// wait neither at a branch nor at a fault.
  continuation adopt(const lane_program& other, continuation c) { return intern(other.image(c)); }

  /// The first stop of the body in a launch.
  [[nodiscard]] continuation start(std::uint32_t launch = 0);
  /// The number of launches whose start() was asked for.
  [[nodiscard]] std::uint32_t launches() const {
    return static_cast<std::uint32_t>(starts_.size());
  }
  /// The first stop of init(); `exited` where there is none.
  [[nodiscard]] continuation start_init();
  /// Continuations with lower numbers, except `exited`, are older than the first start of the body.
  [[nodiscard]] continuation init_end() const { return init_end_; }

  [[nodiscard]] const operation& at(continuation c) const { return operations_[c]; }
  /// The continuation after `answer`. Throws lane_error.
  continuation next(continuation c, std::uint64_t answer);
  /// Like next(), if the result is known already.
  [[nodiscard]] std::optional<continuation> known(continuation c, std::uint64_t answer) const {
    const auto found = steps_.find(step_key{c, answer});
    return found == steps_.end() ? std::nullopt : std::optional(found->second);
  }
  /// Like next(), for an answer that may never come. If device code misbehaves, the result waits at
  /// a `fault`.
  continuation speculate(continuation c, std::uint64_t answer);
  /// Throws what device code did wrong on the way to `c`, which waits at a fault.
  [[noreturn]] void raise(continuation c) const;

  /// Whether `c` waits at a read in a loop, and the value read decides whether the lane ever leaves
  /// the loop. With one answer the lane leaves by a branch. With another answer it stays for ever
  /// and stores nothing. `answer` is one of the two; for the other, some values are tried. False:
  /// not known.
  bool decides_on_loop(continuation c, std::uint64_t answer);

  /// What a lane prints before its first stop. Runs the C++ again, as printed() does.
  [[nodiscard]] lane_runner::lines printed_at_start(std::uint32_t launch);
  /// What a lane prints after `answer`.
  [[nodiscard]] lane_runner::lines printed(continuation c, std::uint64_t answer);

  /// Whether this program, or another() of it, has met the order seq_cst.
  [[nodiscard]] bool meets_sc() const { return orders_->sc; }
  /// Whether it has met an order other than relaxed, except for a fence.sc of the whole device.
  [[nodiscard]] bool meets_other_orders() const { return orders_->others; }
  [[nodiscard]] bool stops_at_branches() const { return branch_stops_; }
  [[nodiscard]] const subject_library& library() const { return *library_; }
  [[nodiscard]] std::size_t size() const { return operations_.size(); }
  [[nodiscard]] std::uint64_t runs() const { return runner_.runs(); }
  [[nodiscard]] std::size_t memory() const;

  /// The successors of `c`, in the order in which they were met.
  [[nodiscard]] std::span<const std::pair<std::uint64_t, continuation>> known_of(
      continuation c) const {
    return known_[c];
  }
  /// Calls f(answer, continuation) for each successor of `c` that is known so far.
  template <class F>
  void for_each_known(continuation c, F f) const {
    for (const auto& [answer, next] : known_[c]) f(answer, next);
  }
  /// The continuation behind a branch at which a lane stands.
  [[nodiscard]] continuation behind(continuation branch) const {
    return known_[branch].front().second;
  }

 private:
  lane_program(const lane_program& like, lane_runner runner);

  struct step_key {
    continuation from;
    std::uint64_t answer;
    friend bool operator==(const step_key&, const step_key&) = default;
  };
  struct step_hash {
    std::size_t operator()(const step_key& k) const {
      return k.answer * 0x9e3779b97f4a7c15U + k.from;
    }
  };

  std::shared_ptr<const subject_library> library_;
  const detail::subject_entry& entry_;
  lane_runner runner_;
  std::uint32_t repeat_;
  bool branch_stops_;
  bool weakens_sc_;
  struct met_orders {
    std::atomic<bool> sc{false}, others{false};
  };
  std::shared_ptr<met_orders> orders_;
  interned_bytes images_;
  stable_vector<operation> operations_;
  std::vector<std::vector<std::pair<std::uint64_t, continuation>>> known_;
  boost::unordered_flat_map<step_key, continuation, step_hash> steps_;
  boost::unordered_flat_map<step_key, bool, step_hash> decides_on_loop_;
  std::vector<std::exception_ptr> faults_;
  continuation init_end_ = 0;
  std::vector<continuation> starts_;  // by launch

  [[nodiscard]] std::uint32_t argument_of(std::uint32_t launch) const;

  bool stays_in_loop(const lane_image& at, std::uint64_t answer);
  bool find_way_back(const lane_image& to, const lane_image& from,
                     std::vector<std::uint64_t>& answers, std::uint64_t likely);
  std::optional<lane_image> go_on(lane_image from, std::span<const std::uint64_t> answers);
  continuation intern(const lane_image& image);
  continuation intern(operation op, std::span<const std::uint8_t> rest);
  continuation intern_branch(const operation& branch, continuation behind);
  continuation after_way(continuation end);
  continuation fault_of(const lane_error& error);
  void make_known(continuation c, std::uint64_t answer, continuation next);
  [[nodiscard]] lane_image image(continuation c) const;
};

}  // namespace simt
