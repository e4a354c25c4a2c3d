// A program on its way to an execution. Threads run ahead as far as their branches are decided.
// Loads whose source is not chosen yet have unknown values, as has what is computed from them.
//
// A load may only read from a store whose value is known. So, in the order of choices, every store
// comes after all loads that its value or its presence depends on. That is the axiom No-thin-air,
// over syntactic dependencies: executions that violate it are never made.
//
// Spin loops: a thread may be at a point again where it was, with the same live registers, and have
// stored nothing since. Then the rounds in between change nothing. The execution without them is
// allowed as well, as only constraints go. So complete executions have no such rounds.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <vector>

#include "litmus/analysis.hpp"
#include "litmus/clauses.hpp"
#include "litmus/execution.hpp"

namespace litmus {

enum class thread_status : std::uint8_t {
  unstarted,  // a copy that is not issued yet
  running,
  undecided,  // at a barrier: does it pass?
  finished,
  blocked,  // waits for ever
  spinning  // goes round for ever
};

class unfolding {
 public:
  /// With `spare_round`, each thread may repeat one round that changes nothing.
  unfolding(const program& p, const analysis& known, const clauses& rules,
            bool spare_round = false);

  /// Runs all threads as far as possible. False: the execution is abandoned. It repeats another
  /// one, or went round a loop `rounds` times (then was_cut() holds).
  bool advance(std::uint32_t rounds);

  [[nodiscard]] const execution& so_far() const { return x_; }

  /// A thread at a barrier for which block() or pass() has not been called yet. Empty: there is
  /// none.
  [[nodiscard]] std::optional<std::uint32_t> undecided() const;
  /// The thread passes its barrier. Returns as advance() does.
  bool pass(std::uint32_t thread, std::uint32_t rounds);
  void block(std::uint32_t thread);

  /// A load without a source for which there is a store to choose. no_event: there is none.
  [[nodiscard]] event_id open_load() const;
  /// Any load without a source. no_event: there is none.
  [[nodiscard]] event_id unread_load() const;
  /// The stores that the load may read from now, except those that it was postponed past.
  [[nodiscard]] event_set sources(event_id load) const;
  /// Whether further stores to the load's location may become known.
  [[nodiscard]] bool more_sources(event_id load) const;
  /// The load reads from the store. False: the execution is abandoned.
  bool read(event_id load, event_id store);
  /// The load reads from none of the stores known now.
  void postpone(event_id load);

  /// The load reads `v` from nowhere. Later sources(load) are the stores that could justify it. For
  /// tests of the model without No-thin-air.
  bool guess(event_id load, value v);
  /// A guess that is not justified. no_event: there is none.
  [[nodiscard]] event_id unjustified() const;
  void justify(event_id load, event_id store) { x_.source[load] = store; }

  /// All threads are at their ends, blocked, or spinning for ever.
  [[nodiscard]] bool is_over() const;
  [[nodiscard]] bool is_stuck() const;
  [[nodiscard]] event_set blocked() const;
  /// Loads of the rounds that are repeated for ever.
  [[nodiscard]] event_set spinning() const { return spinning_; }
  [[nodiscard]] thread_status status(std::uint32_t thread) const { return threads_[thread].status; }

  [[nodiscard]] bool was_cut() const { return cut_; }
  /// Whether an infinite run may have been missed.
  [[nodiscard]] bool may_miss_spinning() const { return may_miss_spinning_; }
  /// Arithmetic went out of bounds: too large, or divided by zero.
  [[nodiscard]] bool is_undefined() const { return undefined_; }

  /// The value of a register of a thread that has finished.
  [[nodiscard]] value register_value(std::uint32_t thread, std::uint32_t index) const;

 private:
  using term_id = std::uint32_t;
  static constexpr term_id no_term = ~term_id{0};

  /// An integer, or a value that is computed from others and unknown until they are known.
  struct term {
    std::optional<value> known;
    bool is_read = false;
    event_set reads = 0;  // loads that it was computed of
    litmus::operation operation = litmus::operation::add;
    std::array<term_id, 3> from{no_term, no_term, no_term};
  };

  /// The state of a thread when it came to the head of a loop.
  struct visit {
    std::uint32_t at = 0;
    std::uint32_t index = 0;  // of its next event
    std::vector<term_id> registers;
  };

  struct running_thread {
    std::uint32_t at = 0;
    std::uint32_t index = 0;  // of the next event
    thread_status status = thread_status::running;
    bool may_repeat = false;
    event_id barrier = no_event;
    event_set control = 0;  // loads that its branches depended on
    std::vector<term_id> registers;
    std::vector<visit> visits;
  };

  /// Pairs of values. If all of them become equal, the execution repeats another one.
  using repetition = std::vector<std::pair<term_id, term_id>>;

  const program* program_;
  const analysis* analysis_;
  const clauses* rules_;
  execution x_;
  std::vector<term> terms_;
  std::vector<term_id> term_of_;          // by event: what it stores or reads
  std::vector<term_id> quorum_of_;        // by event
  std::vector<std::uint32_t> known_;      // by event: the moment when a store's value became known
  std::vector<std::uint32_t> postponed_;  // by event: the moment up to which it is postponed
  std::uint32_t moment_ = 1;
  std::vector<running_thread> threads_;
  std::vector<repetition> repetitions_;
  struct reduced {
    term_id operand = no_term, result = no_term;
  };
  std::map<event_id, reduced> reduced_;  // by barrier that has a result
  event_set spinning_ = 0;
  bool cut_ = false;
  bool may_miss_spinning_ = false;
  bool undefined_ = false;

  term_id constant(value v);
  term_id read_term();
  term_id compute(operation how, term_id a, term_id b, term_id c = no_term);
  term_id value_of(const running_thread& t, const operand& o);
  [[nodiscard]] std::optional<value> known_value(const running_thread& t, const operand& o) const;
  void update(term& t);
  bool settle();
  [[nodiscard]] bool repeats() const;
  bool run_ahead(std::uint32_t rounds);
  bool reduce();
  /// The bits of a value that an access of the type has.
  term_id fit(term_id t, const value_type& type);
  term_id update_of(const instruction& one, term_id old, term_id a);
  term_id is_phase_over(const running_thread& t, const instruction& one, term_id state);

  event_id add(std::uint32_t thread, const instruction& one, event_kind kind, term_id t);
  bool step(std::uint32_t thread, std::uint32_t rounds);
  bool move_to(std::uint32_t thread, std::uint32_t at, std::uint32_t rounds);
  bool arrive_at_loop(std::uint32_t thread, std::uint32_t rounds);
  void access_both(std::uint32_t thread, const instruction& one);
  void arrive_at_barrier(std::uint32_t thread, const instruction& one);
  [[nodiscard]] bool changes_nothing(std::uint32_t thread, std::uint32_t from) const;
  bool spin(std::uint32_t thread, std::uint32_t from);
};

}  // namespace litmus
