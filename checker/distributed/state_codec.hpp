// Writes states for messages between ranks, and hashes them alike on all ranks.
//
// The words of a state are numbers that a process gives. Numbers of continuations mean the same on
// all ranks, since these ask the same questions in the same order (distributed_search.hpp). Numbers
// of memories, statuses and stacks do not. The first state that has such a number brings its
// content along, once for each rank. Addresses are written as the first rank has them: those in the
// image, and under weak memory also those in messages. Of a memory goes what differs from the one
// before it in the same message: under weak memory nearly each state has its own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "checker/distributed/message.hpp"
#include "sim/machine/machine.hpp"
#include "sim/machine/memory/copy_marks.hpp"
#include "sim/machine/reduce/own_addresses.hpp"

namespace warpcheck {

/// Maps addresses of this process to those of the first rank, and back.
class common_addresses {
 public:
  using ranges = std::array<simt::own_addresses::range, 2>;
  common_addresses(const ranges& mine, const ranges& common) : mine_(mine), common_(common) {}

  [[nodiscard]] std::uint64_t to_common(std::uint64_t value) const {
    return moved(value, mine_, common_);
  }
  [[nodiscard]] std::uint64_t from_common(std::uint64_t value) const {
    return moved(value, common_, mine_);
  }

 private:
  ranges mine_, common_;

  static std::uint64_t moved(std::uint64_t value, const ranges& from, const ranges& to) {
    for (std::size_t i = 0; i < from.size(); ++i) {
      const std::uint64_t distance = value - from[i].begin;
      if (distance < from[i].end - from[i].begin) return to[i].begin + distance;
    }
    return value;
  }
};

class state_codec {
 public:
  state_codec(simt::machine_stores& stores, const common_addresses& addresses, std::size_t lanes,
              const simt::memory_layout& memory, std::uint32_t ranks);

  [[nodiscard]] std::uint64_t hash(simt::state_view state);
  // Each message to a rank and from a rank begins anew.
  void begin_writing(std::uint32_t to) { last_sent_[to].assign(layout_.image, 0); }
  void begin_reading(std::uint32_t from) { last_received_[from].assign(layout_.image, 0); }
  void write(simt::state_view state, std::uint32_t to, message_writer& out);
  /// Throws std::runtime_error if the message makes no sense.
  void read(message_reader& in, std::uint32_t from, std::span<std::uint32_t> words);
  [[nodiscard]] std::size_t memory() const;

 private:
  enum part : std::uint8_t { memory_of_state, status, stack };
  /// What is known of the numbers of one kind.
  struct numbers {
    std::vector<std::uint64_t> hashes;    // by number; 0: not computed yet
    std::vector<std::vector<char>> sent;  // by rank, then by number
    // By rank, then by that rank's number: our number.
    std::vector<std::vector<std::uint32_t>> received;
  };

  simt::machine_stores& stores_;
  common_addresses addresses_;
  std::size_t lanes_;
  simt::memory_layout layout_;
  std::array<numbers, 3> known_;
  // By rank: the content of the last memory in the message.
  std::vector<byte_list> last_sent_, last_received_;
  std::optional<std::uint32_t> packed_number_;  // of the memory that was packed last
  byte_list packed_;                            // what it has become
  std::vector<std::uint64_t> mixed_;            // words that are hashed

  static part part_of(std::size_t behind_lanes) {
    return behind_lanes == 0 ? memory_of_state : behind_lanes == 1 ? status : stack;
  }
  template <class Move>
  [[nodiscard]] byte_list moved(std::span<const std::uint8_t> memory, Move move) const;
  [[nodiscard]] byte_list content(part what, std::uint32_t number);
  void write_memory(byte_list content, std::uint32_t to, message_writer& out);
  const byte_list& read_memory(message_reader& in, std::uint32_t from);
  std::uint32_t intern(part what, std::span<const std::uint8_t> content);
  std::uint64_t hash_of(part what, std::uint32_t number);
};

}  // namespace warpcheck
