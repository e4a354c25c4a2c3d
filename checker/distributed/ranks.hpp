// The processes that `mpirun` has started together, by Open MPI. Each of them is a rank.
//
// No other room knows MPI. Without Open MPI, or if the process was
// started alone, there is one rank, and nothing waits. Functions marked "All together" (gather,
// exchange, ...) must be called by each rank, in the same order.
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
  /// Returns how many of the ranks share this machine; 1 if this process is alone.
  [[nodiscard]] static std::uint32_t on_this_machine();
  /// Makes processes that this one starts run alone.
  static void start_others_alone();

  /// Joins the other ranks. Call it once in a process. While it waits for them it looks at `stop`.
  /// If that is set, it waits a moment longer, and then takes them for lost. Throws usage_error if
  /// others were started and this warpcheck knows no MPI.
  explicit ranks(const std::atomic<bool>* stop = nullptr);
  /// Leaves the other ranks. If a rank is lost, or an exception is on its way, ends all of them.
  ~ranks();
  ranks(const ranks&) = delete;
  ranks& operator=(const ranks&) = delete;

  [[nodiscard]] std::uint32_t own() const { return own_; }
  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] bool is_first() const { return own_ == 0; }
  /// Whether there are other ranks.
  [[nodiscard]] bool are_many() const { return count_ > 1; }

  /// Whether some rank does not answer. Then nothing can be done together any more.
  [[nodiscard]] bool is_lost() const;
  /// Ends all ranks at once, if they could not come together any more.
  [[noreturn]] void end_all(int status);

  struct message {
    std::uint32_t from = 0;
    byte_list content;
  };
  /// Sends a message, and does not wait until it has arrived.
  void send(std::uint32_t to, byte_list content);
  /// Returns a message from another rank, if there is one.
  std::optional<message> receive();

  /// All together: returns what each rank has, by rank.
  std::vector<byte_list> gather(const byte_list& mine);
  /// All together: the first rank gets what each rank has, by rank. Others get nothing.
  std::vector<byte_list> gather_at_first(const byte_list& mine);
  /// All together: returns what the first rank has.
  byte_list from_first(byte_list mine);
  /// All together: returns what each rank has for this one, by rank. `to`: what this one has for
  /// each rank.
  std::vector<byte_list> exchange(const std::vector<byte_list>& to);
  /// All together: replaces numbers by their sums over all ranks, or by the largest of them.
  void add_up(std::span<std::uint64_t> numbers);
  void take_largest(std::span<std::uint64_t> numbers);

  /// Returns the bytes that this rank sent to other ranks by exchange().
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
