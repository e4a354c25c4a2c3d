// The processes that `mpirun` has started together, by Open MPI: each of them is a rank.
//
// This is the one file that knows MPI. Without Open MPI, or where the process was started alone,
// there is one rank, and nothing waits. What all ranks do together (gather, exchange, ...) each of
// them has to call, in the same order.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "checker/distributed/message.hpp"

namespace warpcheck {

/// Another rank has ended, or no longer answers.
struct rank_lost : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class ranks {
 public:
  /// Whether this process was started with others, by mpirun or by a scheduler such as Slurm.
  [[nodiscard]] static bool are_started();
  /// How many of them share this machine, or this one alone.
  [[nodiscard]] static std::uint32_t on_this_machine();
  /// Of processes that this one starts: they are alone.
  static void start_others_alone();

  /// Joins the others. Once in a process. While it waits for them it looks at `stop`: set, it waits
  /// a moment longer, and then takes them for lost. Throws usage_error where they were started and
  /// this warpcheck knows no MPI.
  explicit ranks(const std::atomic<bool>* stop = nullptr);
  /// Leaves them. Where a rank is lost, or an exception is on its way, ends all of them.
  ~ranks();
  ranks(const ranks&) = delete;
  ranks& operator=(const ranks&) = delete;

  [[nodiscard]] std::uint32_t own() const { return own_; }
  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] bool is_first() const { return own_ == 0; }
  /// Whether there are others.
  [[nodiscard]] bool are_many() const { return count_ > 1; }

  /// A rank does not answer: nothing can be done together any more.
  [[nodiscard]] bool is_lost() const;
  /// Ends all ranks at once, where they could not come together any more.
  [[noreturn]] void end_all(int status);

  struct message {
    std::uint32_t from = 0;
    byte_list content;
  };
  /// Does not wait until it has arrived.
  void send(std::uint32_t to, byte_list content);
  /// What another rank has sent to this one, if there is something.
  std::optional<message> receive();

  /// All together. What each rank has, by rank.
  std::vector<byte_list> gather(const byte_list& mine);
  /// The same, for the first rank; others get nothing.
  std::vector<byte_list> gather_at_first(const byte_list& mine);
  /// What the first rank has.
  byte_list from_first(byte_list mine);
  /// What all ranks have for this one, by rank. `to`: what this one has, by rank.
  std::vector<byte_list> exchange(const std::vector<byte_list>& to);
  /// Sums of numbers, and the largest of them.
  void add_up(std::span<std::uint64_t> numbers);
  void take_largest(std::span<std::uint64_t> numbers);

  /// Bytes that were sent by exchange() to other ranks.
  [[nodiscard]] std::uint64_t bytes_sent() const { return bytes_sent_; }

 private:
  struct mpi;
  std::unique_ptr<mpi> mpi_;  // null: this process is alone
  std::uint32_t own_ = 0;
  std::uint32_t count_ = 1;
  std::uint64_t bytes_sent_ = 0;
  const std::atomic<bool>* stop_;
};

}  // namespace warpcheck
