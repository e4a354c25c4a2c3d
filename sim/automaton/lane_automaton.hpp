// Classes of continuations that behave alike. The machine sees lanes as these classes.
//
// Dead values on a lane's stack make continuations differ that no answer can ever tell apart. A
// class is a set of continuations that wait at the same operation, where each answer leads all of
// them to one class again. The classes are the coarsest bisimulation of the memoized automaton
// (docs/reductions.md, "Equivalent continuations"). An answer that one continuation gets is tried
// on all others that wait at this operation, so no class rests on ignorance.
//
// When a new answer shows that a class must be split, all states explored with the class are void.
// That is recorded as news (news.hpp), and the exploration starts again with refined classes. Until
// then the classes stay unchanged. All results of the C++ are kept, so nothing runs twice.
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

#include "sim/automaton/assumed_answers.hpp"
#include "sim/automaton/lane_program.hpp"
#include "sim/automaton/news.hpp"

namespace simt {

/// Threads: at() and size() take no lock. A thread may call them with a class that it got from a
/// thread that knows the class. All other functions are for one thread at a time
/// (machine_stores::lanes_lock).
class lane_automaton {
 public:
  /// Without `merge`, each continuation is a separate class with the same number.
  lane_automaton(lane_program& lanes, bool merge) : lanes_(lanes), merge_(merge) {}

  /// Makes the classes again if some class has to be split. Call this only while nobody uses the
  /// numbers of classes, as a new machine does.
  void refine() {
    if (stale_) partition();
  }

  /// Sets a function that says when to give up. Once `told` returns true, new questions and
  /// refine() throw `given_up`. An empty `told` never does. A question in progress throws it too,
  /// or ends with classes that are finer than necessary. A question that throws leaves the
  /// automaton as if it had not been asked.
  /// This matters with hundreds of lanes, or a body that repeats: an answer is tried on all
  /// continuations of its operation, which may take minutes. Returns the previous `told`. Call this
  /// while no other thread uses the automaton.
  std::function<bool()> give_up_where(std::function<bool()> told) {
    return std::exchange(gives_up_, std::move(told));
  }
  struct given_up {};
  /// For code that works for a long time without a question. Throws given_up.
  void give_up_in_time() const {
    if (gives_up()) throw given_up{};
  }
  [[nodiscard]] bool gives_up() const { return gives_up_ && gives_up_(); }
  [[nodiscard]] bool merges() const { return merge_; }
  /// The cost of merging so far. Counts answers that were looked up to compare classes, and, with a
  /// higher weight, runs of the C++ for answers that no lane got. For any thread.
  [[nodiscard]] std::uint64_t merging_work() const {
    return merging_work_.load(std::memory_order_relaxed);
  }

  /// News of all machines over these classes: classes that must be split, and news that machines
  /// record.
  [[nodiscard]] simt::news& news() { return news_; }
  [[nodiscard]] const simt::news& news() const { return news_; }

  /// A question that was asked. Device code is deterministic. So equal questions in equal order
  /// give equal continuations and classes, with equal numbers. `of` is `nobody` where the classes
  /// were made again.
  struct question {
    static constexpr continuation nobody = 0xffffffff;
    continuation of = nobody;
    std::uint64_t answer = 0;
    friend bool operator==(const question&, const question&) = default;
  };
  [[nodiscard]] const std::vector<question>& questions() const { return questions_; }
  /// Lets several processes keep equal classes, by asking equal questions in one order. A question
  /// that no process has asked is then added to `wanted`, and given_up is thrown. Null: questions
  /// are asked.
  void hold_back(std::vector<question>* wanted) { wanted_ = wanted; }
  /// Asks the remaining questions of `all`. False: the questions asked so far differ from the
  /// beginning of `all`.
  bool ask_again(std::span<const question> all);
  /// A digest that is equal for two automata with equal continuations and classes.
  [[nodiscard]] std::uint64_t digest() const;

  /// The class of the first stop of the body in a launch.
  [[nodiscard]] continuation start(std::uint32_t launch = 0);

  [[nodiscard]] const operation& at(continuation c) const { return lanes_.at(raw(c)); }
  /// The class after `answer` at `c`. Throws lane_error.
  continuation next(continuation c, std::uint64_t answer) {
    if (!merge_) {
      note(c, answer);
      return lanes_.next(c, answer);
    }
    const continuation result = outcome(c, answer);
    if (at(result).kind == operation_kind::fault) lanes_.raise(representative_[result]);
    return result;
  }
  /// Like next(), for an answer that may never come. If device code misbehaves, the result waits at
  /// a `fault`.
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
  /// The class after `answer`, if it is known for all members of `c`.
  [[nodiscard]] std::optional<continuation> known(continuation c, std::uint64_t answer) const {
    const auto next = lanes_.known(raw(c), answer);
    if (!merge_ || !next) return next;
    return is_tried(c, answer) ? std::optional(class_of_[*next]) : std::nullopt;
  }
  /// Like known(), but only for answers that some lane was given, and not for answers that were
  /// only tried to compare classes. Footprints contain what given answers lead to, and no more.
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

  /// Like for_each_known(), but only for answers that some lane was given.
  template <class F>
  void for_each_given(continuation c, F f) const {
    if (!merge_) return for_each_known(c, f);
    const continuation from = representative_[c];
    lanes_.for_each_known(from, [&](std::uint64_t answer, continuation next) {
      if (is_given(from, answer)) f(answer, class_of_[next]);
    });
  }
  /// The amount of knowledge of given answers. It stays equal only as long as nothing new is known.
  [[nodiscard]] std::array<std::uint64_t, 3> extent() const {
    return {news_.count(), given_.size(), lanes_.runs()};
  }
  /// The caller concludes something from the fact that no lane at `c` was ever given `answer`. If a
  /// lane is given that answer later, that is news. Holds until the classes are made again.
  void assume_never(continuation c, std::uint64_t answer) {
    assumed_.never.insert({raw(c), answer});
  }
  /// Like assume_never(), for all answers that no lane at `c` was given so far.
  void assume_no_other(continuation c) { assumed_.no_other.insert(raw(c)); }
  /// Whether such conclusions have been worth their work, for lanes that stand at an access like
  /// `op`.
  [[nodiscard]] bool is_worth(const operation& op) const {
    return !assumed_.not_worth.contains(assumed_answers::kind_of(op));
  }
  /// Adds the cost of one more question. It is news if questions about such accesses are worth it
  /// no more.
  void account_for(const operation& op, const assumed_answers::account& question,
                   std::uint64_t trial) {
    if (assumed_.is_too_dear(assumed_answers::kind_of(op), question, trial)) news_.note();
  }
  [[nodiscard]] const assumed_answers& assumed() const { return assumed_; }
  void assume(decltype(assumed_answers::never) never,
              decltype(assumed_answers::no_other) no_other) {
    assumed_.never = std::move(never);
    assumed_.no_other = std::move(no_other);
  }
  void assume_not_worth(assumed_answers::access_kind kind) { assumed_.not_worth.insert(kind); }

  /// For each class, whether lanes that start at one of `starts` reach it by given answers.
  [[nodiscard]] std::vector<char> reached_from(std::span<const continuation> starts) const;

  /// Offsets where lanes use the result of an atomic operation, as far as is known
  /// (unused_results).
  [[nodiscard]] std::set<std::uint32_t>& used_results() { return used_results_; }

  /// Calls lane_program::decides_on_loop.
  bool decides_on_loop(continuation c, std::uint64_t answer) {
    return lanes_.decides_on_loop(raw(c), answer);
  }

  [[nodiscard]] bool stops_at_branches() const { return lanes_.stops_at_branches(); }
  [[nodiscard]] const subject_library& library() const { return lanes_.library(); }
  /// The number of classes.
  [[nodiscard]] std::size_t size() const { return merge_ ? representative_.size() : lanes_.size(); }
  [[nodiscard]] const lane_program& lanes() const { return lanes_; }
  /// Another program of this subject, for answers that may never come. Its continuations are in no
  /// class here. It is kept, so equal questions are looked up.
  [[nodiscard]] lane_program& trials() {
    if (!trials_) trials_ = lanes_.another();
    return *trials_;
  }
  [[nodiscard]] std::size_t memory() const;

  /// The class of a continuation of `lanes()`. Nothing: it has none yet.
  [[nodiscard]] std::optional<continuation> class_of(continuation met) const {
    if (!merge_) return met;
    if (met >= class_of_.size() || class_of_[met] == unplaced) return std::nullopt;
    return class_of_[met];
  }

  /// The program for init(), which one thread runs once. It has continuations, and no classes.
  [[nodiscard]] lane_program& init_program() { return lanes_; }

 private:
  static constexpr continuation unplaced = 0xffffffff;
  // Limits on runs of the C++ for answers that no lane got: this number, and this multiple of the
  // runs for given answers. Beyond both, new continuations stay separate classes.
  static constexpr std::uint64_t speculation_floor = 20'000;
  static constexpr std::uint64_t speculation_factor = 64;
  static constexpr std::uint64_t work_of_a_run = 16;

  /// Continuations that wait at the same operation, and the answers that were tried on them.
  struct group {
    std::vector<continuation> members;
    std::vector<std::uint64_t> answers;
    boost::unordered_flat_set<std::uint64_t> tried;  // the answers again, as a set
    std::vector<continuation> classes;               // classes of the members
    // Classes, by the classes that their answers lead to.
    boost::unordered_flat_map<std::vector<continuation>, continuation,
                              boost::hash<std::vector<continuation>>>
        by_successors;
    // Classes for which some of these are unknown.
    std::vector<continuation> not_by_successors;
  };

  lane_program& lanes_;
  bool merge_;
  std::unique_ptr<lane_program> trials_;
  std::set<std::uint32_t> used_results_;
  simt::news news_;
  bool stale_ = false;                          // some class has to be split
  std::vector<continuation> class_of_;          // by continuation; `unplaced`: not decided yet
  stable_vector<continuation> representative_;  // by class
  std::vector<std::uint32_t> group_of_;         // by continuation; no_group: a class of its own
  std::vector<group> groups_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> groups_by_hash_;
  std::vector<continuation> new_;  // met, and not yet placed
  std::vector<continuation> guess_;
  std::vector<char> is_on_way_;  // in place(): continuations that wait for their successors
  std::vector<question> questions_;
  // Representatives of classes, with the answers that were asked for.
  boost::unordered_flat_set<std::pair<continuation, std::uint64_t>> given_;
  assumed_answers assumed_;
  std::function<bool()> gives_up_;
  std::vector<question>* wanted_ = nullptr;
  std::uint64_t asked_ = 0;
  std::uint64_t speculated_ = 0;
  std::atomic<std::uint64_t> merging_work_ = 0;
  static constexpr std::uint32_t no_group = 0xffffffff;

  // Whether the answer was tried on all members of the class. The program may know an answer that
  // other code asked of one continuation alone.
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
