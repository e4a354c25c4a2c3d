// For kernels that are run once, so that a program can go on: their arguments, which are not part
// of the text, and approximations by the host's functions. Checked kernels never use these, since
// each GPU may give other last bits.
#pragma once

#include <cstring>

#include <simt/ptx/bits.hpp>

/// The arguments of the launch, one behind the other. The process that runs the kernel has them.
extern "C" const std::uint8_t* simt_launch_arguments();
/// vprintf: the values lie one behind the other, each at a multiple of its size.
extern "C" void simt_launch_print(const char* format, const std::uint8_t* values);

namespace simt::ptx {

template <class B>
SIMT_FN B launch_argument(u64 at) {
  B bits;
  std::memcpy(&bits, simt_launch_arguments() + at, sizeof bits);
  return bits;
}

SIMT_FN void print(u64 format, u64 values) {
  simt_launch_print(reinterpret_cast<const char*>(format), reinterpret_cast<const u8*>(values));
}

template <class T>
SIMT_FN bits<T> approximate_sin(bits<T> a) {
  return raw(__builtin_sinf(value<T>(a)));
}
template <class T>
SIMT_FN bits<T> approximate_cos(bits<T> a) {
  return raw(__builtin_cosf(value<T>(a)));
}
template <class T>
SIMT_FN bits<T> approximate_ex2(bits<T> a) {
  return raw(__builtin_exp2f(value<T>(a)));
}
template <class T>
SIMT_FN bits<T> approximate_lg2(bits<T> a) {
  return raw(__builtin_log2f(value<T>(a)));
}
template <class T>
SIMT_FN bits<T> approximate_tanh(bits<T> a) {
  return raw(__builtin_tanhf(value<T>(a)));
}
template <class T>
SIMT_FN bits<T> approximate_sqrt(bits<T> a) {
  return raw(__builtin_sqrtf(value<T>(a)));
}
template <class T>
SIMT_FN bits<T> approximate_rsqrt(bits<T> a) {
  return raw(static_cast<T>(1.0 / __builtin_sqrt(static_cast<double>(value<T>(a)))));
}
template <class T>
SIMT_FN bits<T> approximate_rcp(bits<T> a) {
  return raw(T{1} / value<T>(a));
}
template <class T>
SIMT_FN bits<T> approximate_div(bits<T> a, bits<T> b) {
  return raw(value<T>(a) / value<T>(b));
}

}  // namespace simt::ptx
