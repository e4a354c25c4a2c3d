// A stack of plain data that grows without moving (growing_memory.hpp). A depth-first search keeps
// its path there.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

#include "checker/states/growing_memory.hpp"

namespace warpcheck {

template <class T>
class growing_stack {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  /// Makes a stack for up to `most` elements. Throws as growing_memory does.
  growing_stack(const storage_options& options, std::size_t most)
      : memory_(options, most * sizeof(T)) {}

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] T& operator[](std::size_t i) const { return data()[i]; }
  [[nodiscard]] T& back() const { return data()[size_ - 1]; }
  /// Returns the elements from `first` on. The span is valid until they are removed.
  [[nodiscard]] std::span<T> from(std::size_t first) const {
    return {data() + first, size_ - first};
  }

  /// Throws std::bad_alloc, std::system_error.
  void push(const T& value) {
    if (size_ == room_) [[unlikely]]
      grow();
    data()[size_++] = value;
  }
  void pop() { --size_; }
  /// Keeps the first `size` elements.
  void cut(std::size_t size) { size_ = size; }

  /// Returns the bytes in memory, as allocated. Memory of removed elements is kept for later.
  [[nodiscard]] std::size_t memory() const { return memory_.is_file() ? 0 : memory_.size(); }

 private:
  growing_memory memory_;
  std::size_t size_ = 0;
  std::size_t room_ = 0;

  [[nodiscard]] T* data() const { return reinterpret_cast<T*>(memory_.data()); }
  void grow() {
    memory_.grow((size_ + 1) * sizeof(T));
    room_ = memory_.size() / sizeof(T);
  }
};

}  // namespace warpcheck
