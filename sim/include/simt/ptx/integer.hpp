// PTX's integer, logic and shift instructions, bit for bit (PTX ISA, chapters "Integer Arithmetic
// Instructions", "Extended-Precision Integer Arithmetic Instructions", "Logic and Shift
// Instructions").
//
// Models: what the PTX ISA says, and for division by zero what GPUs do (all bits set; the remainder
// is the dividend).
// Does not model: two values of 16 bits in one register, `fns`.
#pragma once

#include <simt/ptx/bits.hpp>

namespace simt::ptx {

template <class T>
inline constexpr bool is_signed = std::is_signed_v<T>;

/// All bits set where `c` holds.
template <class B>
SIMT_FN constexpr B all_if(bool c) {
  return static_cast<B>(0 - static_cast<B>(c));
}

template <class T>
SIMT_FN constexpr bool less(bits<T> a, bits<T> b) {
  return value<T>(a) < value<T>(b);
}

template <class T>
SIMT_FN constexpr bits<T> add(bits<T> a, bits<T> b) {
  return static_cast<bits<T> >(a + b);
}
template <class T>
SIMT_FN constexpr bits<T> sub(bits<T> a, bits<T> b) {
  return static_cast<bits<T> >(a - b);
}
template <class T>
SIMT_FN constexpr bits<T> mul_lo(bits<T> a, bits<T> b) {
  return static_cast<bits<T> >(static_cast<u64>(a) * static_cast<u64>(b));
}

/// Clamped to the range of s32.
SIMT_FN constexpr u32 clamped(s64 v) {
  const s64 low = simt::max<s64>(v, -0x80000000LL);
  return static_cast<u32>(simt::min<s64>(low, 0x7fffffffLL));
}
SIMT_FN constexpr u32 add_sat(u32 a, u32 b) {
  return clamped(static_cast<s64>(value<s32>(a)) + value<s32>(b));
}
SIMT_FN constexpr u32 sub_sat(u32 a, u32 b) {
  return clamped(static_cast<s64>(value<s32>(a)) - value<s32>(b));
}

template <class T>
SIMT_FN constexpr bits<T> mul_hi(bits<T> a, bits<T> b) {
  if constexpr (sizeof(T) == 8) {
    __extension__ using wide = std::conditional_t<is_signed<T>, __int128, unsigned __int128>;
    return static_cast<bits<T> >(static_cast<wide>(value<T>(a)) * value<T>(b) >> 64);
  } else {
    using wide = std::conditional_t<is_signed<T>, s64, u64>;
    return static_cast<bits<T> >(static_cast<wide>(value<T>(a)) * value<T>(b) >> width<T>);
  }
}

template <class T>
using doubled = bits_of_size<2 * sizeof(T)>;

template <class T>
SIMT_FN constexpr doubled<T> mul_wide(bits<T> a, bits<T> b) {
  using wide = std::conditional_t<is_signed<T>, s64, u64>;
  return static_cast<doubled<T> >(static_cast<wide>(value<T>(a)) * static_cast<wide>(value<T>(b)));
}

/// The lower 24 bits of a register as a number.
template <class T>
SIMT_FN constexpr s64 of_24_bits(u32 a) {
  if constexpr (is_signed<T>) return static_cast<s32>(a << 8) >> 8;
  return a & 0xffffff;
}
template <class T>
SIMT_FN constexpr u32 mul24_lo(u32 a, u32 b) {
  return static_cast<u32>(of_24_bits<T>(a) * of_24_bits<T>(b));
}
template <class T>
SIMT_FN constexpr u32 mul24_hi(u32 a, u32 b) {
  return static_cast<u32>(of_24_bits<T>(a) * of_24_bits<T>(b) >> 16);
}

// --- with a carry ---

template <class T>
SIMT_FN constexpr bits<T> add_cc(bits<T> a, bits<T> b, bool carry, bool& out) {
  const auto sum = static_cast<bits<T> >(a + b);
  const auto all = static_cast<bits<T> >(sum + static_cast<bits<T> >(carry));
  out = static_cast<bool>(static_cast<int>(sum < a) | static_cast<int>(all < sum));
  return all;
}
/// The flag is set where there is a borrow.
template <class T>
SIMT_FN constexpr bits<T> sub_cc(bits<T> a, bits<T> b, bool borrow, bool& out) {
  const auto difference = static_cast<bits<T> >(a - b);
  const auto all = static_cast<bits<T> >(difference - static_cast<bits<T> >(borrow));
  out = static_cast<bool>(static_cast<int>(a < b) |
                          static_cast<int>(difference < static_cast<bits<T> >(borrow)));
  return all;
}

// --- division ---

template <class T>
SIMT_FN constexpr bits<T> neg(bits<T> a) {
  return static_cast<bits<T> >(0 - a);
}
template <class T>
SIMT_FN constexpr bool is_negative(bits<T> a) {
  if constexpr (is_signed<T>) return value<T>(a) < 0;
  return false;
}
template <class T>
SIMT_FN constexpr bits<T> abs(bits<T> a) {
  return select(is_negative<T>(a), neg<T>(a), a);
}

template <class T>
SIMT_FN constexpr bits<T> div(bits<T> a, bits<T> b) {
  const bits<T> divisor = abs<T>(static_cast<bits<T> >(b | static_cast<bits<T> >(b == 0)));
  const auto quotient = static_cast<bits<T> >(abs<T>(a) / divisor);
  const bool changes = is_negative<T>(a) != is_negative<T>(b);
  return static_cast<bits<T> >(select(changes, neg<T>(quotient), quotient) |
                               all_if<bits<T> >(b == 0));
}
template <class T>
SIMT_FN constexpr bits<T> rem(bits<T> a, bits<T> b) {
  const bits<T> divisor = abs<T>(static_cast<bits<T> >(b | static_cast<bits<T> >(b == 0)));
  const auto rest = static_cast<bits<T> >(abs<T>(a) % divisor);
  return select(b == 0, a, select(is_negative<T>(a), neg<T>(rest), rest));
}

// --- comparison ---

template <class T>
SIMT_FN constexpr bits<T> min(bits<T> a, bits<T> b) {
  return select(less<T>(b, a), b, a);
}
template <class T>
SIMT_FN constexpr bits<T> max(bits<T> a, bits<T> b) {
  return select(less<T>(a, b), b, a);
}
template <class T>
SIMT_FN constexpr bits<T> sad(bits<T> a, bits<T> b, bits<T> c) {
  return static_cast<bits<T> >(sub<T>(max<T>(a, b), min<T>(a, b)) + c);
}

// --- bits ---

/// Shift amounts are not taken modulo the width: a large one shifts all out.
template <class T>
SIMT_FN constexpr bits<T> shl(bits<T> a, u32 n) {
  return static_cast<bits<T> >(static_cast<bits<T> >(a << (n & (width<T> - 1))) &
                               all_if<bits<T> >(n < width<T>));
}
template <class T>
SIMT_FN constexpr bits<T> shr(bits<T> a, u32 n) {
  const u32 most = simt::min<u32>(n, width<T> - 1);
  const auto shifted = static_cast<bits<T> >(value<T>(a) >> most);
  if constexpr (is_signed<T>) return shifted;
  return static_cast<bits<T> >(shifted & all_if<bits<T> >(n < width<T>));
}
/// shf: of b:a, shifted left the upper, shifted right the lower word.
SIMT_FN constexpr u32 shf_l_wrap(u32 a, u32 b, u32 n) {
  return static_cast<u32>(((static_cast<u64>(b) << 32 | a) << (n & 31)) >> 32);
}
SIMT_FN constexpr u32 shf_r_wrap(u32 a, u32 b, u32 n) {
  return static_cast<u32>((static_cast<u64>(b) << 32 | a) >> (n & 31));
}
SIMT_FN constexpr u32 shf_l_clamp(u32 a, u32 b, u32 n) {
  return static_cast<u32>(((static_cast<u64>(b) << 32 | a) << simt::min<u32>(n, 32)) >> 32);
}
SIMT_FN constexpr u32 shf_r_clamp(u32 a, u32 b, u32 n) {
  return static_cast<u32>((static_cast<u64>(b) << 32 | a) >> simt::min<u32>(n, 32));
}

/// A place or a length of a field is the lowest byte of its operand. For fields of 64 bits, which
/// GPUs put together from shifts, it is the whole operand (PTX says nothing of numbers above 255).
template <class T>
SIMT_FN constexpr u32 field_number(u32 n) {
  return width<T> == 64 ? simt::min<u32>(n, 255) : n & 0xff;
}
template <class T>
SIMT_FN constexpr bits<T> bfe(bits<T> a, u32 from, u32 count) {
  const u32 pos = field_number<T>(from);
  const u32 len = field_number<T>(count);
  // Bits above the value are copies of its sign; a field that is 0 bits wide is 0.
  const bits<T> shifted = shr<T>(a, pos);
  const bits<T> kept = static_cast<bits<T> >(~shl<T>(static_cast<bits<T> >(~bits<T>{0}), len));
  const u32 last = simt::min<u32>(pos + len - 1, width<T> - 1);
  const bool negative = (static_cast<int>((a >> last & 1U) != 0) & static_cast<int>(len != 0)) != 0;
  if constexpr (!is_signed<T>) return static_cast<bits<T> >(shifted & kept);
  return static_cast<bits<T> >((shifted & kept) |
                               (all_if<bits<T> >(negative) & static_cast<bits<T> >(~kept)));
}
template <class T>
SIMT_FN constexpr bits<T> bfi(bits<T> a, bits<T> b, u32 from, u32 count) {
  const u32 pos = field_number<T>(from);
  const u32 len = field_number<T>(count);
  const bits<T> field =
      shl<T>(static_cast<bits<T> >(~shl<T>(static_cast<bits<T> >(~bits<T>{0}), len)), pos);
  return static_cast<bits<T> >((b & ~field) | (shl<T>(a, pos) & field));
}
/// The number of the highest bit that is not the sign; all bits set if there is none.
template <class T>
SIMT_FN constexpr u32 bfind(bits<T> a) {
  const auto wanted = static_cast<bits<T> >(a ^ all_if<bits<T> >(is_negative<T>(a)));
  return static_cast<u32>(static_cast<int>(width<T>) - 1 - simt::clz(wanted));
}
template <class T>
SIMT_FN constexpr u32 bfind_shift(bits<T> a) {
  const u32 at = bfind<T>(a);
  return select<u32>(at == 0xffffffff, at, width<T> - 1 - at);
}
template <class T>
SIMT_FN constexpr bits<T> cnot(bits<T> a) {
  return static_cast<bits<T> >(a == 0);
}

template <unsigned table>
SIMT_FN constexpr u32 lop3(u32 a, u32 b, u32 c) {
  constexpr u32 one = 0xffffffff;
  return ((table & 1) * one & ~a & ~b & ~c) | ((table >> 1 & 1) * one & ~a & ~b & c) |
         ((table >> 2 & 1) * one & ~a & b & ~c) | ((table >> 3 & 1) * one & ~a & b & c) |
         ((table >> 4 & 1) * one & a & ~b & ~c) | ((table >> 5 & 1) * one & a & ~b & c) |
         ((table >> 6 & 1) * one & a & b & ~c) | ((table >> 7 & 1) * one & a & b & c);
}

/// A byte of b:a, by a selector whose bit 3 replicates the sign.
SIMT_FN constexpr u32 permuted_byte(u64 both, u32 selector) {
  const auto byte = static_cast<u32>(both >> 8 * (selector & 7)) & 0xff;
  return select<u32>((selector & 8) != 0, (byte >> 7) * 0xff, byte);
}
SIMT_FN constexpr u32 prmt(u32 a, u32 b, u32 c) {
  const u64 both = static_cast<u64>(b) << 32 | a;
  return permuted_byte(both, c & 15) | permuted_byte(both, c >> 4 & 15) << 8 |
         permuted_byte(both, c >> 8 & 15) << 16 | permuted_byte(both, c >> 12 & 15) << 24;
}
SIMT_FN constexpr u32 four_bytes(u64 both, u32 a, u32 b, u32 c, u32 d) {
  return permuted_byte(both, a & 7) | permuted_byte(both, b & 7) << 8 |
         permuted_byte(both, c & 7) << 16 | permuted_byte(both, d & 7) << 24;
}
SIMT_FN constexpr u32 prmt_f4e(u32 a, u32 b, u32 c) {
  const u32 n = c & 3;
  return four_bytes(static_cast<u64>(b) << 32 | a, n, n + 1, n + 2, n + 3);
}
SIMT_FN constexpr u32 prmt_b4e(u32 a, u32 b, u32 c) {
  const u32 n = c & 3;
  return four_bytes(static_cast<u64>(b) << 32 | a, n, n + 7, n + 6, n + 5);
}
SIMT_FN constexpr u32 prmt_rc8(u32 a, u32 b, u32 c) {
  const u32 n = c & 3;
  return four_bytes(static_cast<u64>(b) << 32 | a, n, n, n, n);
}
SIMT_FN constexpr u32 prmt_ecl(u32 a, u32 b, u32 c) {
  const u32 n = c & 3;
  return four_bytes(static_cast<u64>(b) << 32 | a, n, simt::max<u32>(n, 1), simt::max<u32>(n, 2),
                    3);
}
SIMT_FN constexpr u32 prmt_ecr(u32 a, u32 b, u32 c) {
  const u32 n = c & 3;
  return four_bytes(static_cast<u64>(b) << 32 | a, 0, simt::min<u32>(n, 1), simt::min<u32>(n, 2),
                    n);
}
SIMT_FN constexpr u32 prmt_rc16(u32 a, u32 b, u32 c) {
  const u32 n = 2 * (c & 1);
  return four_bytes(static_cast<u64>(b) << 32 | a, n, n + 1, n, n + 1);
}

/// Bits from `from` on, `count` of them.
template <bool wraps>
SIMT_FN constexpr u32 bmsk(u32 from, u32 count) {
  const u32 a = wraps ? from & 31 : from;
  const u32 b = wraps ? count & 31 : count;
  return shl<u32>(~shl<u32>(0xffffffff, b), a);
}
template <class T, bool wraps>
SIMT_FN constexpr u32 szext(u32 a, u32 n) {
  const u32 count = wraps ? n & 31 : n;
  return bfe<T>(a, 0, simt::min<u32>(count, 32));
}

template <class T>
SIMT_FN constexpr s64 lane_of(u32 a, unsigned i) {
  return static_cast<s64>(value<T>(static_cast<bits<T> >(a >> width<T> * i)));
}
/// A and B: what the bytes of a and b are, s8 or u8.
template <class A, class B>
SIMT_FN constexpr u32 dp4a(u32 a, u32 b, u32 c) {
  return static_cast<u32>(lane_of<A>(a, 0) * lane_of<B>(b, 0) +
                          lane_of<A>(a, 1) * lane_of<B>(b, 1) +
                          lane_of<A>(a, 2) * lane_of<B>(b, 2) +
                          lane_of<A>(a, 3) * lane_of<B>(b, 3) + static_cast<s64>(c));
}
/// A: s16 or u16; B: s8 or u8. `first`: the byte of b that comes first, 0 or 2.
template <class A, class B, unsigned first>
SIMT_FN constexpr u32 dp2a(u32 a, u32 b, u32 c) {
  return static_cast<u32>(lane_of<A>(a, 0) * lane_of<B>(b, first) +
                          lane_of<A>(a, 1) * lane_of<B>(b, first + 1) + static_cast<s64>(c));
}

/// cvt from one integer to another, where `saturates` clamped to the range of To.
template <class To, class From, bool saturates>
SIMT_FN constexpr bits<To> cvt(bits<From> a) {
  if constexpr (!saturates) {
    return static_cast<bits<To> >(value<From>(a));
  } else if constexpr (is_signed<From>) {
    constexpr s64 low = is_signed<To> ? static_cast<s64>(~u64{0} << (width<To> - 1)) : 0;
    constexpr u64 high =
        is_signed<To> ? (u64{1} << (width<To> - 1)) - 1 : ~u64{0} >> (64 - width<To>);
    constexpr s64 top = high > 0x7fffffffffffffffU ? 0x7fffffffffffffff : static_cast<s64>(high);
    const s64 wide = value<From>(a);
    return static_cast<bits<To> >(simt::min<s64>(simt::max<s64>(wide, low), top));
  } else {
    constexpr u64 high =
        is_signed<To> ? (u64{1} << (width<To> - 1)) - 1 : ~u64{0} >> (64 - width<To>);
    return static_cast<bits<To> >(simt::min<u64>(a, high));
  }
}

}  // namespace simt::ptx
