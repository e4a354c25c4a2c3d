// What an operation of an object returns where there may be nothing to return.
#pragma once

#include <simt/detail/qualifiers.hpp>

namespace simt {

/// A value, or none (`return {};`): what `dequeue` of an empty queue returns.
template <class T>
struct maybe {
  bool is_some = false;
  T what{};

  SIMT_HOST_FN constexpr maybe() {}
  SIMT_HOST_FN constexpr maybe(T value) : is_some(true), what(value) {}
  SIMT_HOST_FN constexpr explicit operator bool() const { return is_some; }
  SIMT_HOST_FN constexpr T operator*() const { return what; }
};

}  // namespace simt
