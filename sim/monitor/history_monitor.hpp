// Judges the events of a run: the operations of its object, and how consistent their history is.
//
// For any number of threads. A machine remembers the answers, so the lock is taken rarely.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "sim/lane/operation.hpp"
#include "sim/monitor/observer.hpp"
#include "sim/monitor/words.hpp"

namespace simt {

/// An operation that a client is to carry out.
struct assigned_operation {
  std::uint32_t operation = 0;  // of the subject's list
  spec::value arguments[spec::max_arguments] = {};
};

/// The operations of each lane of the grid, in their order, and those before the grid starts.
struct assignments {
  std::vector<std::vector<assigned_operation>> of_lane;
  std::vector<assigned_operation> before;
  bool for_ever = false;  // a lane begins again where its list ends
};

/// A set of kinds of consistency, one bit each.
using consistency_set = std::uint8_t;
constexpr consistency_set bit(consistency c) {
  return static_cast<consistency_set>(1U << static_cast<unsigned>(c));
}

class history_monitor {
 public:
  using word = std::uint32_t;

  /// `meanings`: for each operation of the subject, the number of its operation in the
  /// specification.
  history_monitor(std::shared_ptr<const spec::specification> spec,
                  std::vector<std::uint32_t> meanings, consistency_set wanted);

  [[nodiscard]] const spec::specification& spec() const { return *spec_; }
  [[nodiscard]] std::uint32_t meaning(std::uint32_t operation) const {
    return meanings_[operation];
  }
  /// The call at which a lane stands, and the result that an operation returns.
  [[nodiscard]] spec::call call_of(const operation& op, std::uint32_t client) const;
  [[nodiscard]] spec::result result_of(const operation& op) const;

  /// The word of the object once the operations of `events` have been called one by one.
  word initial(std::span<const operation> events);
  /// The word after an event of `client`, or after a point that it passes. Throws
  /// std::length_error.
  word after(word before, std::uint32_t client, const operation& op);
  /// The kinds of consistency that the history lacks.
  [[nodiscard]] consistency_set broken(word now) const;
  /// The kinds of consistency that the history of a complete run lacks.
  consistency_set broken_at_end(word now);
  [[nodiscard]] std::size_t memory() const;

  /// How all words came about, as numbers, for another monitor of the same operations.
  [[nodiscard]] std::vector<std::uint64_t> pack() const;
  /// Makes the packed words again, behind the initial one. False: they get other numbers.
  [[nodiscard]] bool unpack(std::span<const std::uint64_t> origins);

 private:
  std::shared_ptr<const spec::specification> spec_;
  std::vector<std::uint32_t> meanings_;
  std::vector<std::unique_ptr<observer>> observers_;
  std::vector<consistency> wanted_;
  mutable std::mutex changing_;
  words_of<std::vector<observer::word>> words_;
  struct origin {  // of a word: the event that first led to it
    word before, made;
    std::uint32_t client;
    operation event;
  };
  std::vector<origin> origins_;

  word initial_of_transactions(std::span<const operation> events);
};

}  // namespace simt
