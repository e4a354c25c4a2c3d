// Memory other than the object's own: shared by a block, or sized by the scenario.
#pragma once

#include <cstddef>
#include <type_traits>

#include <simt/atomic.hpp>
#include <simt/detail/backend.hpp>

namespace simt {

/// The block's variable of type T; `Tag` is any type, and tells apart variables of one type. It
/// starts as zeros in the simulator and with anything on a GPU.
template <class T, class Tag = T>
SIMT_FN T& block_shared() {
  static_assert(std::is_trivially_default_constructible_v<T>,
                "block-shared memory is not constructed: T must be trivially constructible");
  return detail::block_shared<T, Tag>();
}

namespace detail {

template <class T>
constexpr element_kind element_kind_of() {
  if constexpr (std::is_enum_v<T>) {
    return element_kind_of<std::underlying_type_t<T>>();
  } else if constexpr (!std::is_integral_v<T>) {
    return element_kind::other;
  } else {
    return std::is_signed_v<T> ? element_kind::signed_integer : element_kind::unsigned_integer;
  }
}

template <class T>
inline constexpr element_kind kind_of_elements = element_kind_of<T>();
template <class T, thread_scope scope>
inline constexpr element_kind kind_of_elements<atomic<T, scope>> = element_kind_of<T>();

}  // namespace detail

/// An array in device memory, a member of a subject. The scenario gives its size under its name
/// (`[arrays] flags = 8`), or, for integers, its first contents (`flags = [1, 0, 0]`). An array
/// without a size has one element for each thread of the grid. Without contents it starts as zeros.
/// The subject's constructor may read and fill it.
template <class T>
class device_array {
 public:
  explicit device_array(const char* name) {
    data_ = detail::allocate_array<T>(data_, name, detail::kind_of_elements<T>, &size_);
  }
  device_array(const device_array&) = delete;
  device_array& operator=(const device_array&) = delete;

  SIMT_HOST_FN T& operator[](std::size_t i) const { return data_[i]; }
  SIMT_HOST_FN T* data() const { return data_; }
  SIMT_HOST_FN std::size_t size() const { return size_; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace simt
