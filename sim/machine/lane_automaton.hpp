// Lanes as the machine sees them: classes of continuations that behave alike.
//
// Dead values that survive on a lane's stack make continuations differ that no answer can ever tell
// apart. A class is a set of continuations that wait at the same operation and that every answer
// leads to the same class again: the coarsest bisimulation of the memoized automaton
// (docs/reductions.md, "Equivalent continuations"). So that no class rests on ignorance, an answer
// that one continuation gets is tried on all others that wait at the same operation.
//
// When a new answer shows that a class must be split, all that was explored with it is void: that
// is recorded (news.hpp), and the exploration starts again with the refined classes. Until then
// classes are as they were. What the lanes did is remembered, so nothing runs twice.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_set.hpp>

#include "sim/machine/lane_program.hpp"
#include "sim/machine/news.hpp"
#include "sim/machine/reduce/assumed_answers.hpp"

namespace simt {

/// Threads: at() and size() take no lock, and are for any thread that was given the class by one
/// that knows it. All else is for one thread at a time (machine_stores::lanes_lock).
class lane_automaton {
 public:
  /// Without `merge` each continuation is a class of its own, with the same number.
  lane_automaton(lane_program& lanes, bool merge) : lanes_(lanes), merge_(merge) {}

  /// Makes the classes anew, if one of them was seen to fall apart. When nobody uses their numbers:
  /// a new machine does it.
  void refine() {
    if (stale_) partition();
  }

  /// Where `told` says so, new questions and refine() throw `given_up` (empty: never), and one that
  /// is on the way does so, or comes to an end with classes that are finer than they need be. All
  /// is then as if it had not been asked. (Where there are hundreds of lanes, or where the body
  /// repeats, an answer may take minutes: it is tried on all that wait alike.)
  /// Gives back what told it before. While no other thread uses the automaton.
  std::function<bool()> give_up_where(std::function<bool()> told) {
    return std::exchange(gives_up_, std::move(told));
  }
  struct given_up {};
  /// For whoever does much without asking. Throws given_up.
  void give_up_in_time() const {
    if (gives_up()) throw given_up{};
  }
  [[nodiscard]] bool gives_up() const { return gives_up_ && gives_up_(); }
  /// What merging has cost so far: answers that were looked up to tell classes, and runs of the C++
  /// for answers that nobody got, which count for many. For any thread.
  [[nodiscard]] std::uint64_t merging_work() const {
    return merging_work_.load(std::memory_order_relaxed);
  }

  /// What was learnt of the program by all machines over these classes: that some of them fall
  /// apart, and what machines record.
  [[nodiscard]] simt::news& news() { return news_; }
  [[nodiscard]] const simt::news& news() const { return news_; }

  /// What was asked so far: device code is deterministic, so who asks the same has the same
  /// continuations and classes, with the same numbers. Of `nobody`: the classes were made anew.
  struct question {
    static constexpr continuation nobody = 0xffffffff;
    continuation of = nobody;
    std::uint64_t answer = 0;
    friend bool operator==(const question&, const question&) = default;
  };
  [[nodiscard]] const std::vector<question>& questions() const { return questions_; }
  /// Where several processes keep the same classes, and ask the same in the same order: a question
  /// that nobody has asked is not asked now, but added to `wanted`, and given_up is thrown. Null:
  /// it is asked.
  void hold_back(std::vector<question>* wanted) { wanted_ = wanted; }
  /// Asks what `all` has beyond what was asked already. False: something else was asked.
  bool ask_again(std::span<const question> all);
  /// Tells whether two automata have the same continuations and classes.
  [[nodiscard]] std::uint64_t digest() const;

  /// The first stop of the body in a launch.
  [[nodiscard]] continuation start(std::uint32_t launch = 0);

  [[nodiscard]] const operation& at(continuation c) const { return lanes_.at(raw(c)); }
  /// What a lane of class `c` waits at after `answer`. Throws lane_error.
  continuation next(continuation c, std::uint64_t answer) {
    if (!merge_) {
      note(c, answer);
      return lanes_.next(c, answer);
    }
    const continuation result = outcome(c, answer);
    if (at(result).kind == operation_kind::fault) lanes_.raise(representative_[result]);
    return result;
  }
  /// The same, for what may never come up: device code that misbehaves leads to a `fault`.
  continuation outcome(continuation c, std::uint64_t answer) {
    if (!merge_) {
      note(c, answer);
      return lanes_.speculate(c, answer);
    }
    const auto next = known(c, answer);
    if (wanted_ != nullptr) {
      if (!next || !is_given(representative_[c], answer)) want(c, answer);
      return *next;
    }
    if (!next) return ask(c, answer);
    note_given(c, answer);
    return *next;
  }
  /// Where that leads, if it is known of all of the class.
  [[nodiscard]] std::optional<continuation> known(continuation c, std::uint64_t answer) const {
    const auto next = lanes_.known(raw(c), answer);
    if (!merge_ || !next) return next;
    return is_tried(c, answer) ? std::optional(class_of_[*next]) : std::nullopt;
  }
  /// The same, if somebody has asked for it: not if the answer was only tried to tell classes
  /// apart. Footprints hold what these lead to, and no more.
  [[nodiscard]] std::optional<continuation> given(continuation c, std::uint64_t answer) const {
    if (!merge_ || is_given(representative_[c], answer)) return known(c, answer);
    return std::nullopt;
  }
  /// Calls f(answer, class) for each successor of `c` that is known so far.
  template <class F>
  void for_each_known(continuation c, F f) const {
    lanes_.for_each_known(raw(c), [&](std::uint64_t answer, continuation next) {
      if (!merge_) {
        f(answer, next);
      } else if (is_tried(c, answer)) {
        f(answer, class_of_[next]);
      }
    });
  }

  /// The same for those that somebody has asked for: not what answers lead to that were only tried
  /// to tell classes apart.
  template <class F>
  void for_each_given(continuation c, F f) const {
    if (!merge_) return for_each_known(c, f);
    const continuation from = representative_[c];
    lanes_.for_each_known(from, [&](std::uint64_t answer, continuation next) {
      if (is_given(from, answer)) f(answer, class_of_[next]);
    });
  }
  /// Somebody concludes from that nobody has asked for an answer of `c`, or for one beyond those
  /// that were asked for: once somebody does, that is news. Until the classes are made anew.
  void assume_never(continuation c, std::uint64_t answer) {
    assumed_.never.insert({raw(c), answer});
  }
  void assume_no_other(continuation c) { assumed_.no_other.insert(raw(c)); }
  /// Whether such conclusions for lanes that stand at an access like this have been worth their
  /// work.
  [[nodiscard]] bool is_worth(const operation& op) const {
    return !assumed_.not_worth.contains(assumed_answers::kind_of(op));
  }
  /// One more: `work` was spent on it, and it `spares` a state or not. That it is worth no more is
  /// news.
  void account_for(const operation& op, std::uint64_t work, bool spares) {
    if (assumed_.is_too_dear(assumed_answers::kind_of(op), work, spares)) news_.note();
  }
  [[nodiscard]] const assumed_answers& assumed() const { return assumed_; }
  void assume(decltype(assumed_answers::never) never,
              decltype(assumed_answers::no_other) no_other) {
    assumed_.never = std::move(never);
    assumed_.no_other = std::move(no_other);
  }
  void assume_not_worth(assumed_answers::access_kind kind) { assumed_.not_worth.insert(kind); }

  /// Whether lanes that begin at one of these come to a class by what somebody has asked for; by
  /// class.
  [[nodiscard]] std::vector<char> reached_from(std::span<const continuation> starts) const;

  /// Where lanes use what an atomic operation gives, by offset; as far as it has turned out
  /// (unused_results).
  [[nodiscard]] std::set<std::uint32_t>& used_results() { return used_results_; }

  /// lane_program::decides_on_loop.
  bool decides_on_loop(continuation c, std::uint64_t answer) {
    return lanes_.decides_on_loop(raw(c), answer);
  }

  [[nodiscard]] bool stops_at_branches() const { return lanes_.stops_at_branches(); }
  [[nodiscard]] const subject_library& library() const { return lanes_.library(); }
  /// Classes.
  [[nodiscard]] std::size_t size() const { return merge_ ? representative_.size() : lanes_.size(); }
  [[nodiscard]] const lane_program& lanes() const { return lanes_; }
  /// A program of the same subject, for answers that may never come up: what they lead to is no
  /// part of these classes. It is kept for whoever asks the same later.
  [[nodiscard]] lane_program& trials() {
    if (!trials_) trials_ = lanes_.another();
    return *trials_;
  }
  [[nodiscard]] std::size_t memory() const;

  /// The class of a continuation of `lanes()`. Nothing: none yet.
  [[nodiscard]] std::optional<continuation> class_of(continuation met) const {
    if (!merge_) return met;
    if (met >= class_of_.size() || class_of_[met] == unplaced) return std::nullopt;
    return class_of_[met];
  }

  /// For init(), which one thread runs once: continuations, not classes.
  [[nodiscard]] lane_program& init_program() { return lanes_; }

 private:
  static constexpr continuation unplaced = 0xffffffff;
  // Runs of the C++ for answers that nobody got may be this many, and this many times those that
  // somebody did; beyond it, new continuations stay classes of their own.
  static constexpr std::uint64_t speculation_floor = 20'000;
  static constexpr std::uint64_t speculation_factor = 64;
  static constexpr std::uint64_t work_of_a_run = 16;

  /// Continuations that wait at the same operation, and the answers that have been tried on them.
  struct group {
    std::vector<continuation> members;
    std::vector<std::uint64_t> answers;
    boost::unordered_flat_set<std::uint64_t> tried;  // the same
    std::vector<continuation> classes;               // of the members
    // Classes by those that the answers lead to, and those of which not all of these are known.
    boost::unordered_flat_map<std::vector<continuation>, continuation,
                              boost::hash<std::vector<continuation>>>
        by_successors;
    std::vector<continuation> not_by_successors;
  };

  lane_program& lanes_;
  bool merge_;
  std::unique_ptr<lane_program> trials_;
  std::set<std::uint32_t> used_results_;
  simt::news news_;
  bool stale_ = false;                          // some class falls apart
  std::vector<continuation> class_of_;          // of continuations; `unplaced`: not decided yet
  stable_vector<continuation> representative_;  // of classes
  std::vector<std::uint32_t> group_of_;         // of continuations; no_group: a class of its own
  std::vector<group> groups_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> groups_by_hash_;
  std::vector<continuation> new_;  // met, and not yet placed
  std::vector<continuation> guess_;
  std::vector<char> is_on_way_;  // of place(): continuations that wait for those behind them
  std::vector<question> questions_;
  // Representatives of classes, with the answers that somebody has asked for.
  boost::unordered_flat_set<std::pair<continuation, std::uint64_t>> given_;
  assumed_answers assumed_;
  std::function<bool()> gives_up_;
  std::vector<question>* wanted_ = nullptr;
  std::uint64_t asked_ = 0;
  std::uint64_t speculated_ = 0;
  std::atomic<std::uint64_t> merging_work_ = 0;
  static constexpr std::uint32_t no_group = 0xffffffff;

  // What the program knows may have been asked by somebody else, of one continuation alone.
  [[nodiscard]] bool is_tried(continuation c, std::uint64_t answer) const {
    const continuation representative = representative_[c];
    const std::uint32_t g = group_of_[representative];
    if (g != no_group) return groups_[g].tried.contains(answer);
    const auto next = lanes_.known(representative, answer);
    return next && *next < class_of_.size();
  }
  [[nodiscard]] bool is_given(continuation representative, std::uint64_t answer) const {
    return lanes_.at(representative).kind == operation_kind::branch ||
           given_.contains({representative, answer});
  }
  [[nodiscard]] continuation raw(continuation c) const { return merge_ ? representative_[c] : c; }
  void note(continuation c, std::uint64_t answer) {
    if (lanes_.known(c, answer)) return;
    if (wanted_ != nullptr) want(c, answer);
    questions_.push_back({c, answer});
    contradict(c, answer);
  }
  [[noreturn]] void want(continuation c, std::uint64_t answer) {
    wanted_->push_back({c, answer});
    throw given_up{};
  }
  void note_given(continuation c, std::uint64_t answer) {
    if (!given_.insert({representative_[c], answer}).second) return;
    questions_.push_back({c, answer});
    contradict(representative_[c], answer);
  }
  void contradict(continuation from, std::uint64_t answer) {
    if (assumed_.contradicts(from, answer)) news_.note();
  }
  void count_work(std::uint64_t more) {
    merging_work_.store(merging_work() + more, std::memory_order_relaxed);
  }
  continuation ask(continuation c, std::uint64_t answer);
  void meet_all();
  void try_answer(continuation member, std::uint64_t answer);
  [[noreturn]] void take_back(std::uint32_t asked, std::uint64_t answer);
  void join_group(continuation met);
  void place_all(std::size_t from);
  void place(continuation first);
  void place_behind_others(continuation met);
  [[nodiscard]] std::optional<std::vector<continuation>> classes_behind(continuation met);
  void new_class(continuation met);
  bool equivalent(continuation met, continuation other);
  continuation resolve(continuation c) const;
  void partition();
};

}  // namespace simt
