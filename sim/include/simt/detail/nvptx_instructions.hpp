// Values as words, and the atomic instructions of PTX for sm_60 on them: relaxed, of any scope. For
// nvptx.hpp.
#pragma once

#include <cstddef>

#include <simt/detail/qualifiers.hpp>
#include <simt/detail/types.hpp>

namespace simt::detail {

// --- values as words ---

using word32 = unsigned;
using word64 = unsigned long long;

template <std::size_t size>
struct word_of_size;
template <>
struct word_of_size<1> {
  using type = unsigned char;
};
template <>
struct word_of_size<2> {
  using type = unsigned short;
};
template <>
struct word_of_size<4> {
  using type = word32;
};
template <>
struct word_of_size<8> {
  using type = word64;
};
template <class T>
using word_of = typename word_of_size<sizeof(T)>::type;

template <class T>
SIMT_FN word_of<T> to_word(T value) {
  return __builtin_bit_cast(word_of<T>, value);
}
template <class T>
SIMT_FN T from_word(word_of<T> bits) {
  return __builtin_bit_cast(T, bits);
}
template <class T>
SIMT_FN word_of<T>* words_at(T* address) {
  return reinterpret_cast<word_of<T>*>(address);
}

// --- instructions ---

/// Defines overloads of one instruction, relaxed and of any scope, for the words of one type.
#define SIMT_DETAIL_ATOM(NAME, OPERATION, WORD, REGISTER)                             \
  template <thread_scope scope>                                                       \
  SIMT_FN WORD NAME(WORD* address, WORD operand) {                                    \
    WORD old;                                                                         \
    if constexpr (scope == thread_scope_system)                                       \
      asm volatile("atom.sys." OPERATION " %0, [%1], %2;"                             \
                   : "=" REGISTER(old)                                                \
                   : "l"(address), REGISTER(operand)                                  \
                   : "memory");                                                       \
    else if constexpr (scope == thread_scope_device || scope == thread_scope_cluster) \
      asm volatile("atom.gpu." OPERATION " %0, [%1], %2;"                             \
                   : "=" REGISTER(old)                                                \
                   : "l"(address), REGISTER(operand)                                  \
                   : "memory");                                                       \
    else                                                                              \
      asm volatile("atom.cta." OPERATION " %0, [%1], %2;"                             \
                   : "=" REGISTER(old)                                                \
                   : "l"(address), REGISTER(operand)                                  \
                   : "memory");                                                       \
    return old;                                                                       \
  }                                                                                   \
  static_assert(true)
#define SIMT_DETAIL_ATOM_CAS(OPERATION, WORD, REGISTER)                               \
  template <thread_scope scope>                                                       \
  SIMT_FN WORD atom_cas(WORD* address, WORD compare, WORD value) {                    \
    WORD old;                                                                         \
    if constexpr (scope == thread_scope_system)                                       \
      asm volatile("atom.sys." OPERATION " %0, [%1], %2, %3;"                         \
                   : "=" REGISTER(old)                                                \
                   : "l"(address), REGISTER(compare), REGISTER(value)                 \
                   : "memory");                                                       \
    else if constexpr (scope == thread_scope_device || scope == thread_scope_cluster) \
      asm volatile("atom.gpu." OPERATION " %0, [%1], %2, %3;"                         \
                   : "=" REGISTER(old)                                                \
                   : "l"(address), REGISTER(compare), REGISTER(value)                 \
                   : "memory");                                                       \
    else                                                                              \
      asm volatile("atom.cta." OPERATION " %0, [%1], %2, %3;"                         \
                   : "=" REGISTER(old)                                                \
                   : "l"(address), REGISTER(compare), REGISTER(value)                 \
                   : "memory");                                                       \
    return old;                                                                       \
  }                                                                                   \
  static_assert(true)

SIMT_DETAIL_ATOM_CAS("cas.b32", word32, "r");
SIMT_DETAIL_ATOM_CAS("cas.b64", word64, "l");
SIMT_DETAIL_ATOM(atom_exchange, "exch.b32", word32, "r");
SIMT_DETAIL_ATOM(atom_exchange, "exch.b64", word64, "l");
SIMT_DETAIL_ATOM(atom_add, "add.u32", word32, "r");
SIMT_DETAIL_ATOM(atom_add, "add.u64", word64, "l");
SIMT_DETAIL_ATOM(atom_and, "and.b32", word32, "r");
SIMT_DETAIL_ATOM(atom_and, "and.b64", word64, "l");
SIMT_DETAIL_ATOM(atom_or, "or.b32", word32, "r");
SIMT_DETAIL_ATOM(atom_or, "or.b64", word64, "l");
SIMT_DETAIL_ATOM(atom_xor, "xor.b32", word32, "r");
SIMT_DETAIL_ATOM(atom_xor, "xor.b64", word64, "l");
SIMT_DETAIL_ATOM(atom_min_unsigned, "min.u32", word32, "r");
SIMT_DETAIL_ATOM(atom_min_unsigned, "min.u64", word64, "l");
SIMT_DETAIL_ATOM(atom_min_signed, "min.s32", word32, "r");
SIMT_DETAIL_ATOM(atom_min_signed, "min.s64", word64, "l");
SIMT_DETAIL_ATOM(atom_max_unsigned, "max.u32", word32, "r");
SIMT_DETAIL_ATOM(atom_max_unsigned, "max.u64", word64, "l");
SIMT_DETAIL_ATOM(atom_max_signed, "max.s32", word32, "r");
SIMT_DETAIL_ATOM(atom_max_signed, "max.s64", word64, "l");
SIMT_DETAIL_ATOM(atom_inc, "inc.u32", word32, "r");
SIMT_DETAIL_ATOM(atom_dec, "dec.u32", word32, "r");

#undef SIMT_DETAIL_ATOM
#undef SIMT_DETAIL_ATOM_CAS

}  // namespace simt::detail
