// Writes states for messages between ranks, and hashes them alike on all ranks.
//
// The words of a state are numbers that a process gives. Numbers of continuations mean the same on
// all ranks, since these ask the same questions in the same order (distributed_search.hpp). Numbers
// of memories, statuses and stacks do not. The first state that has such a number brings its
// content along, once for each rank. Addresses are written as the first rank has them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "checker/distributed/message.hpp"
#include "sim/machine/machine.hpp"
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
              std::uint32_t ranks);

  [[nodiscard]] std::uint64_t hash(simt::state_view state);
  void write(simt::state_view state, std::uint32_t to, message_writer& out);
  /// Throws std::runtime_error if the message makes no sense.
  void read(message_reader& in, std::uint32_t from, std::span<std::uint32_t> words);
  [[nodiscard]] std::size_t memory() const;

 private:
  enum part : std::uint8_t { image, status, stack };
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
  std::array<numbers, 3> known_;
  std::vector<std::uint64_t> mixed_;  // words that are hashed

  static part part_of(std::size_t behind_lanes) {
    return behind_lanes == 0 ? image : behind_lanes == 1 ? status : stack;
  }
  [[nodiscard]] byte_list content(part what, std::uint32_t number) const;
  std::uint32_t intern(part what, std::span<const std::uint8_t> content);
  std::uint64_t hash_of(part what, std::uint32_t number);
};

}  // namespace warpcheck
