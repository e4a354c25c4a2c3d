// A vector that grows without moving its elements. One thread at a time appends. Any thread may
// read an element whose number it got from a thread that saw the element appended.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <memory>
#include <utility>

namespace simt {

template <class T>
class stable_vector {
 public:
  [[nodiscard]] std::size_t size() const { return size_.load(std::memory_order_acquire); }
  [[nodiscard]] T& operator[](std::size_t i) { return blocks_[block_of(i)][place_of(i)]; }
  [[nodiscard]] const T& operator[](std::size_t i) const {
    return blocks_[block_of(i)][place_of(i)];
  }
  void push_back(T value) {
    const std::size_t i = size_.load(std::memory_order_relaxed);
    const std::size_t block = block_of(i);
    if (!blocks_[block]) blocks_[block] = std::make_unique<T[]>(first << block);
    blocks_[block][place_of(i)] = std::move(value);
    size_.store(i + 1, std::memory_order_release);
  }
  /// Call only while no other thread reads.
  void clear() { size_.store(0, std::memory_order_relaxed); }
  /// The number of bytes, without what elements own. For the thread that appends.
  [[nodiscard]] std::size_t memory() const {
    const std::size_t count = size_.load(std::memory_order_relaxed);
    return count == 0 ? 0 : (first << (block_of(count - 1) + 1)) * sizeof(T);
  }

 private:
  // Block b has as many elements as all earlier blocks together, and `first` more.
  static constexpr unsigned first_bits = 6;
  static constexpr std::size_t first = std::size_t{1} << first_bits;
  std::array<std::unique_ptr<T[]>, 64 - first_bits> blocks_;
  std::atomic<std::size_t> size_ = 0;

  static std::size_t block_of(std::size_t i) {
    return static_cast<std::size_t>(std::bit_width(i + first)) - first_bits - 1;
  }
  static std::size_t place_of(std::size_t i) { return i + first - (first << block_of(i)); }
};

}  // namespace simt
