// What an instruction computes of two values, for the oracles that interpret litmus programs.
#pragma once

#include <cstdint>
#include <stdexcept>

#include "litmus/program.hpp"

namespace litmus {

/// Throws std::logic_error for an operation of three operands.
inline value computed(operation how, value a, value b) {
  switch (how) {
    case operation::add: return a + b;
    case operation::sub: return a - b;
    case operation::mul: return a * b;
    case operation::div: return a / b;
    case operation::bit_and: return a & b;
    case operation::bit_or: return a | b;
    case operation::bit_xor: return a ^ b;
    case operation::increment: return a >= b ? 0 : a + 1;
    case operation::decrement: return a == 0 || a > b ? b : a - 1;
    case operation::minimum: return a < b ? a : b;
    case operation::maximum: return a > b ? a : b;
    case operation::exchange: return b;
    case operation::arrive_at_mbarrier:
    case operation::compare_and_swap: break;
  }
  throw std::logic_error("the operation has three operands");
}

/// What is left of a value in memory of the type.
inline value fitted(value v, const value_type& type) {
  switch (type.bits) {
    case 8:
      return type.is_signed ? value{static_cast<std::int8_t>(v)}
                            : value{static_cast<std::uint8_t>(v)};
    case 16:
      return type.is_signed ? value{static_cast<std::int16_t>(v)}
                            : value{static_cast<std::uint16_t>(v)};
    case 32:
      return type.is_signed ? value{static_cast<std::int32_t>(v)}
                            : value{static_cast<std::uint32_t>(v)};
    default: return v;
  }
}

/// An mbarrier's state is its phase, 40 bits up; its arrivals, 20 bits up; and the bytes it
/// expects.
inline value arrived(value state, value arrivals, value bytes, value expected) {
  constexpr value step = value{1} << 20;
  value outstanding = state % step;
  if (outstanding >= step / 2) outstanding -= step;
  if (outstanding < -step / 2) outstanding += step;
  value count = (state - outstanding) / step + arrivals;
  outstanding += bytes;
  const value phase = count / step;
  count %= step;
  if (count == expected && outstanding == 0) return (phase + 1) * step * step;
  return (phase * step + count) * step + outstanding;
}

/// What a load puts into its register where it reads `v`.
inline value loaded(const instruction& one, value v) {
  if (!one.tests_mbarrier) return fitted(v, one.type);
  constexpr value phase = value{1} << 40;
  value number = 0;
  while ((number + 1) * phase - phase / 2 <= v) ++number;
  return number % 2 == one.a.integer ? 0 : 1;
}

/// What an atom or red that is no compare-and-swap stores where it reads `old`.
inline value updated(const instruction& one, value old, value a) {
  if (one.operation == operation::arrive_at_mbarrier) {
    return arrived(old, a, one.bytes, one.b.integer);
  }
  old = fitted(old, one.type);
  a = fitted(a, one.type);
  const bool flips = one.type == value_type{64, false};
  const bool smaller =
      flips ? static_cast<std::uint64_t>(a) < static_cast<std::uint64_t>(old) : a < old;
  if (one.operation == operation::minimum) return smaller ? a : old;
  if (one.operation == operation::maximum) return smaller ? old : a;
  return fitted(computed(one.operation, old, a), one.type);
}

/// Of the values that the threads bring to a barrier.
template <class Values>
value reduced(reduction how, const Values& brought) {
  value count = 0, all = 0;
  for (const value v : brought) {
    ++all;
    if (v != 0) ++count;
  }
  if (how == reduction::popc) return count;
  return how == reduction::all ? value{count == all} : value{count > 0};
}

}  // namespace litmus
