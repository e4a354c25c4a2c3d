// A large array of plain data, zeroed, whose pages are all there from the start: faulting them in
// one by one costs as much as a small exploration.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

namespace warpcheck {

template <class T>
class page_array {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  page_array() = default;
  /// Throws std::bad_alloc.
  explicit page_array(std::size_t size) : size_(size) {
    void* mapping = mmap(nullptr, size * sizeof(T), PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (mapping == MAP_FAILED) throw std::bad_alloc();
    data_ = static_cast<T*>(mapping);
  }
  page_array(page_array&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  page_array& operator=(page_array&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~page_array() {
    if (data_ != nullptr) munmap(data_, size_ * sizeof(T));
  }

  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  [[nodiscard]] T* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  T* begin() const { return data_; }
  T* end() const { return data_ + size_; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace warpcheck
