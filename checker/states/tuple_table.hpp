// Interned tuples: each different tuple of a fixed number of words has a number, from 0 in order of
// discovery. Any number of threads may use a table.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <mutex>
#include <stdexcept>
#include <vector>

#include "checker/states/compact_index.hpp"
#include "checker/states/growing_memory.hpp"

namespace warpcheck {

class tuple_table {
 public:
  static constexpr std::uint32_t none = compact_index::none;
  static constexpr std::size_t most_words = 12;

  tuple_table(std::size_t words, const storage_options& options)
      : words_(words),
        tuples_(options, compact_index::most_rows * tuple_bytes()),
        index_(options, [this](std::uint32_t number) { return hash((*this)[number]); }) {}

  [[nodiscard]] std::size_t words() const { return words_; }
  [[nodiscard]] std::uint32_t size() const { return size_.load(std::memory_order_acquire); }

  std::uint32_t intern(const std::uint32_t* tuple) {
    const auto same = [&](std::uint32_t number) { return equal(number, tuple); };
    return index_.intern(index_.locate(hash(tuple)), same, [&] { return append(tuple); }).row;
  }
  /// Remembers recent look-ups. Belongs to one table and one thread.
  class memo {
    friend tuple_table;
    static constexpr unsigned bits = 12;
    std::vector<std::uint32_t> numbers_;
  };
  std::uint32_t intern(const std::uint32_t* tuple, memo& lately) {
    if (lately.numbers_.empty()) lately.numbers_.resize(std::size_t{1} << memo::bits, none);
    const std::uint32_t hashed = hash(tuple);
    std::uint32_t& number = lately.numbers_[hashed >> (32 - memo::bits)];
    if (!equal(number, tuple)) {  // also if `number` is none
      const auto same = [&](std::uint32_t n) { return equal(n, tuple); };
      number = index_.intern(index_.locate(hashed), same, [&] { return append(tuple); }).row;
    }
    return number;
  }
  [[nodiscard]] std::uint32_t find(const std::uint32_t* tuple) const {
    return index_.find(index_.locate(hash(tuple)),
                       [&](std::uint32_t number) { return equal(number, tuple); });
  }

  [[nodiscard]] const std::uint32_t* operator[](std::uint32_t number) const {
    return word(number, 0);
  }

  [[nodiscard]] std::size_t memory() const {
    return (tuples_.is_file() ? 0 : tuples_.size()) + index_.memory();
  }
  [[nodiscard]] std::size_t on_disk() const {
    return (tuples_.is_file() ? tuples_.size() : 0) + index_.on_disk();
  }
  [[nodiscard]] std::size_t resident() const { return tuples_.resident() + index_.resident(); }

 private:
  std::size_t words_;
  growing_memory tuples_;
  std::atomic<std::uint32_t> size_ = 0;
  std::atomic<std::uint32_t> room_ = 0;  // tuples that have memory
  std::mutex growing_;
  compact_index index_;

  [[nodiscard]] std::size_t tuple_bytes() const { return words_ * sizeof(std::uint32_t); }
  [[nodiscard]] std::uint32_t* word(std::uint32_t number, std::size_t i) const {
    return reinterpret_cast<std::uint32_t*>(tuples_.data()) + number * words_ + i;
  }
  // Multilinear hashing (Carter & Wegman 1979), followed by one multiplication. The words are
  // multiplied independently of each other.
  [[nodiscard]] std::uint32_t hash(const std::uint32_t* tuple) const {
    static constexpr std::uint64_t factors[] = {
        0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9, 0x94d049bb133111eb, 0xd6e8feb86659fd93,
        0xff51afd7ed558ccd, 0xc4ceb9fe1a85ec53, 0xa0761d6478bd642f, 0xe7037ed1a0b428db,
        0x8ebc6af09c88c6e3, 0x589965cc75374cc3, 0x1d8e4e27c47d124f, 0xeb44accab455d165};
    static_assert(std::size(factors) == most_words);
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < words_; ++i) sum += tuple[i] * factors[i];
    return static_cast<std::uint32_t>(((sum ^ sum >> 32) * factors[0]) >> 32);
  }
  // May be called with any number, even that of a tuple that another thread is writing.
  [[nodiscard]] bool equal(std::uint32_t number, const std::uint32_t* tuple) const {
    if (number >= room_.load(std::memory_order_relaxed)) return false;
    for (std::size_t i = 0; i < words_; ++i) {
      const std::atomic_ref present(*word(number, i));
      if (present.load(std::memory_order_acquire) != tuple[i]) return false;
    }
    return true;
  }
  std::uint32_t append(const std::uint32_t* tuple) {
    std::uint32_t number = size_.load(std::memory_order_relaxed);
    do {
      if (number >= room_.load(std::memory_order_acquire)) make_room(number);
    } while (!size_.compare_exchange_weak(number, number + 1, std::memory_order_relaxed));
    for (std::size_t i = 0; i < words_; ++i) {
      std::atomic_ref(*word(number, i)).store(tuple[i], std::memory_order_relaxed);
    }
    return number;
  }
  void make_room(std::uint32_t number) {
    if (number == compact_index::most_rows) {
      throw std::length_error("more parts of states than can be numbered");
    }
    const std::lock_guard lock(growing_);
    tuples_.grow((number + std::size_t{1}) * tuple_bytes());
    const std::size_t room = tuples_.size() / tuple_bytes();
    room_.store(static_cast<std::uint32_t>(std::min<std::size_t>(room, compact_index::most_rows)),
                std::memory_order_release);
  }
};

}  // namespace warpcheck
