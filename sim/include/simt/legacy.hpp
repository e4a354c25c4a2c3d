// CUDA's legacy atomic functions: relaxed; device scope, or that of the suffix. They return the old
// value.
#pragma once

#include <simt/detail/backend.hpp>

namespace simt {

/// Stores `value` if `compare` was there.
SIMT_FN int atomicCAS(int* address, int compare, int value) {
  return detail::legacy_compare_exchange<thread_scope_device>(address, compare, value);
}
SIMT_FN unsigned atomicCAS(unsigned* address, unsigned compare, unsigned value) {
  return detail::legacy_compare_exchange<thread_scope_device>(address, compare, value);
}
SIMT_FN unsigned long long atomicCAS(unsigned long long* address, unsigned long long compare,
                                     unsigned long long value) {
  return detail::legacy_compare_exchange<thread_scope_device>(address, compare, value);
}
SIMT_FN int atomicCAS_block(int* address, int compare, int value) {
  return detail::legacy_compare_exchange<thread_scope_block>(address, compare, value);
}
SIMT_FN unsigned atomicCAS_block(unsigned* address, unsigned compare, unsigned value) {
  return detail::legacy_compare_exchange<thread_scope_block>(address, compare, value);
}
SIMT_FN unsigned long long atomicCAS_block(unsigned long long* address, unsigned long long compare,
                                           unsigned long long value) {
  return detail::legacy_compare_exchange<thread_scope_block>(address, compare, value);
}
SIMT_FN int atomicCAS_system(int* address, int compare, int value) {
  return detail::legacy_compare_exchange<thread_scope_system>(address, compare, value);
}
SIMT_FN unsigned atomicCAS_system(unsigned* address, unsigned compare, unsigned value) {
  return detail::legacy_compare_exchange<thread_scope_system>(address, compare, value);
}
SIMT_FN unsigned long long atomicCAS_system(unsigned long long* address, unsigned long long compare,
                                            unsigned long long value) {
  return detail::legacy_compare_exchange<thread_scope_system>(address, compare, value);
}

/// Stores `value`.
SIMT_FN int atomicExch(int* address, int value) {
  return detail::legacy_exchange<thread_scope_device>(address, value);
}
SIMT_FN unsigned atomicExch(unsigned* address, unsigned value) {
  return detail::legacy_exchange<thread_scope_device>(address, value);
}
SIMT_FN unsigned long long atomicExch(unsigned long long* address, unsigned long long value) {
  return detail::legacy_exchange<thread_scope_device>(address, value);
}
SIMT_FN int atomicExch_block(int* address, int value) {
  return detail::legacy_exchange<thread_scope_block>(address, value);
}
SIMT_FN unsigned atomicExch_block(unsigned* address, unsigned value) {
  return detail::legacy_exchange<thread_scope_block>(address, value);
}
SIMT_FN unsigned long long atomicExch_block(unsigned long long* address, unsigned long long value) {
  return detail::legacy_exchange<thread_scope_block>(address, value);
}
SIMT_FN int atomicExch_system(int* address, int value) {
  return detail::legacy_exchange<thread_scope_system>(address, value);
}
SIMT_FN unsigned atomicExch_system(unsigned* address, unsigned value) {
  return detail::legacy_exchange<thread_scope_system>(address, value);
}
SIMT_FN unsigned long long atomicExch_system(unsigned long long* address,
                                             unsigned long long value) {
  return detail::legacy_exchange<thread_scope_system>(address, value);
}

/// old + value
SIMT_FN int atomicAdd(int* address, int value) {
  return detail::legacy_add<thread_scope_device>(address, value);
}
SIMT_FN unsigned atomicAdd(unsigned* address, unsigned value) {
  return detail::legacy_add<thread_scope_device>(address, value);
}
SIMT_FN unsigned long long atomicAdd(unsigned long long* address, unsigned long long value) {
  return detail::legacy_add<thread_scope_device>(address, value);
}
SIMT_FN int atomicAdd_block(int* address, int value) {
  return detail::legacy_add<thread_scope_block>(address, value);
}
SIMT_FN unsigned atomicAdd_block(unsigned* address, unsigned value) {
  return detail::legacy_add<thread_scope_block>(address, value);
}
SIMT_FN unsigned long long atomicAdd_block(unsigned long long* address, unsigned long long value) {
  return detail::legacy_add<thread_scope_block>(address, value);
}
SIMT_FN int atomicAdd_system(int* address, int value) {
  return detail::legacy_add<thread_scope_system>(address, value);
}
SIMT_FN unsigned atomicAdd_system(unsigned* address, unsigned value) {
  return detail::legacy_add<thread_scope_system>(address, value);
}
SIMT_FN unsigned long long atomicAdd_system(unsigned long long* address, unsigned long long value) {
  return detail::legacy_add<thread_scope_system>(address, value);
}

/// old - value
SIMT_FN int atomicSub(int* address, int value) {
  return detail::legacy_sub<thread_scope_device>(address, value);
}
SIMT_FN unsigned atomicSub(unsigned* address, unsigned value) {
  return detail::legacy_sub<thread_scope_device>(address, value);
}
SIMT_FN int atomicSub_block(int* address, int value) {
  return detail::legacy_sub<thread_scope_block>(address, value);
}
SIMT_FN unsigned atomicSub_block(unsigned* address, unsigned value) {
  return detail::legacy_sub<thread_scope_block>(address, value);
}
SIMT_FN int atomicSub_system(int* address, int value) {
  return detail::legacy_sub<thread_scope_system>(address, value);
}
SIMT_FN unsigned atomicSub_system(unsigned* address, unsigned value) {
  return detail::legacy_sub<thread_scope_system>(address, value);
}

/// The smaller of old and value.
SIMT_FN int atomicMin(int* address, int value) {
  return detail::legacy_min<thread_scope_device>(address, value);
}
SIMT_FN unsigned atomicMin(unsigned* address, unsigned value) {
  return detail::legacy_min<thread_scope_device>(address, value);
}
SIMT_FN unsigned long long atomicMin(unsigned long long* address, unsigned long long value) {
  return detail::legacy_min<thread_scope_device>(address, value);
}
SIMT_FN long long atomicMin(long long* address, long long value) {
  return detail::legacy_min<thread_scope_device>(address, value);
}
SIMT_FN int atomicMin_block(int* address, int value) {
  return detail::legacy_min<thread_scope_block>(address, value);
}
SIMT_FN unsigned atomicMin_block(unsigned* address, unsigned value) {
  return detail::legacy_min<thread_scope_block>(address, value);
}
SIMT_FN unsigned long long atomicMin_block(unsigned long long* address, unsigned long long value) {
  return detail::legacy_min<thread_scope_block>(address, value);
}
SIMT_FN long long atomicMin_block(long long* address, long long value) {
  return detail::legacy_min<thread_scope_block>(address, value);
}
SIMT_FN int atomicMin_system(int* address, int value) {
  return detail::legacy_min<thread_scope_system>(address, value);
}
SIMT_FN unsigned atomicMin_system(unsigned* address, unsigned value) {
  return detail::legacy_min<thread_scope_system>(address, value);
}
SIMT_FN unsigned long long atomicMin_system(unsigned long long* address, unsigned long long value) {
  return detail::legacy_min<thread_scope_system>(address, value);
}
SIMT_FN long long atomicMin_system(long long* address, long long value) {
  return detail::legacy_min<thread_scope_system>(address, value);
}

/// The greater of old and value.
SIMT_FN int atomicMax(int* address, int value) {
  return detail::legacy_max<thread_scope_device>(address, value);
}
SIMT_FN unsigned atomicMax(unsigned* address, unsigned value) {
  return detail::legacy_max<thread_scope_device>(address, value);
}
SIMT_FN unsigned long long atomicMax(unsigned long long* address, unsigned long long value) {
  return detail::legacy_max<thread_scope_device>(address, value);
}
SIMT_FN long long atomicMax(long long* address, long long value) {
  return detail::legacy_max<thread_scope_device>(address, value);
}
SIMT_FN int atomicMax_block(int* address, int value) {
  return detail::legacy_max<thread_scope_block>(address, value);
}
SIMT_FN unsigned atomicMax_block(unsigned* address, unsigned value) {
  return detail::legacy_max<thread_scope_block>(address, value);
}
SIMT_FN unsigned long long atomicMax_block(unsigned long long* address, unsigned long long value) {
  return detail::legacy_max<thread_scope_block>(address, value);
}
SIMT_FN long long atomicMax_block(long long* address, long long value) {
  return detail::legacy_max<thread_scope_block>(address, value);
}
SIMT_FN int atomicMax_system(int* address, int value) {
  return detail::legacy_max<thread_scope_system>(address, value);
}
SIMT_FN unsigned atomicMax_system(unsigned* address, unsigned value) {
  return detail::legacy_max<thread_scope_system>(address, value);
}
SIMT_FN unsigned long long atomicMax_system(unsigned long long* address, unsigned long long value) {
  return detail::legacy_max<thread_scope_system>(address, value);
}
SIMT_FN long long atomicMax_system(long long* address, long long value) {
  return detail::legacy_max<thread_scope_system>(address, value);
}

/// old & value
SIMT_FN int atomicAnd(int* address, int value) {
  return detail::legacy_and<thread_scope_device>(address, value);
}
SIMT_FN unsigned atomicAnd(unsigned* address, unsigned value) {
  return detail::legacy_and<thread_scope_device>(address, value);
}
SIMT_FN unsigned long long atomicAnd(unsigned long long* address, unsigned long long value) {
  return detail::legacy_and<thread_scope_device>(address, value);
}
SIMT_FN int atomicAnd_block(int* address, int value) {
  return detail::legacy_and<thread_scope_block>(address, value);
}
SIMT_FN unsigned atomicAnd_block(unsigned* address, unsigned value) {
  return detail::legacy_and<thread_scope_block>(address, value);
}
SIMT_FN unsigned long long atomicAnd_block(unsigned long long* address, unsigned long long value) {
  return detail::legacy_and<thread_scope_block>(address, value);
}
SIMT_FN int atomicAnd_system(int* address, int value) {
  return detail::legacy_and<thread_scope_system>(address, value);
}
SIMT_FN unsigned atomicAnd_system(unsigned* address, unsigned value) {
  return detail::legacy_and<thread_scope_system>(address, value);
}
SIMT_FN unsigned long long atomicAnd_system(unsigned long long* address, unsigned long long value) {
  return detail::legacy_and<thread_scope_system>(address, value);
}

/// old | value
SIMT_FN int atomicOr(int* address, int value) {
  return detail::legacy_or<thread_scope_device>(address, value);
}
SIMT_FN unsigned atomicOr(unsigned* address, unsigned value) {
  return detail::legacy_or<thread_scope_device>(address, value);
}
SIMT_FN unsigned long long atomicOr(unsigned long long* address, unsigned long long value) {
  return detail::legacy_or<thread_scope_device>(address, value);
}
SIMT_FN int atomicOr_block(int* address, int value) {
  return detail::legacy_or<thread_scope_block>(address, value);
}
SIMT_FN unsigned atomicOr_block(unsigned* address, unsigned value) {
  return detail::legacy_or<thread_scope_block>(address, value);
}
SIMT_FN unsigned long long atomicOr_block(unsigned long long* address, unsigned long long value) {
  return detail::legacy_or<thread_scope_block>(address, value);
}
SIMT_FN int atomicOr_system(int* address, int value) {
  return detail::legacy_or<thread_scope_system>(address, value);
}
SIMT_FN unsigned atomicOr_system(unsigned* address, unsigned value) {
  return detail::legacy_or<thread_scope_system>(address, value);
}
SIMT_FN unsigned long long atomicOr_system(unsigned long long* address, unsigned long long value) {
  return detail::legacy_or<thread_scope_system>(address, value);
}

/// old ^ value
SIMT_FN int atomicXor(int* address, int value) {
  return detail::legacy_xor<thread_scope_device>(address, value);
}
SIMT_FN unsigned atomicXor(unsigned* address, unsigned value) {
  return detail::legacy_xor<thread_scope_device>(address, value);
}
SIMT_FN unsigned long long atomicXor(unsigned long long* address, unsigned long long value) {
  return detail::legacy_xor<thread_scope_device>(address, value);
}
SIMT_FN int atomicXor_block(int* address, int value) {
  return detail::legacy_xor<thread_scope_block>(address, value);
}
SIMT_FN unsigned atomicXor_block(unsigned* address, unsigned value) {
  return detail::legacy_xor<thread_scope_block>(address, value);
}
SIMT_FN unsigned long long atomicXor_block(unsigned long long* address, unsigned long long value) {
  return detail::legacy_xor<thread_scope_block>(address, value);
}
SIMT_FN int atomicXor_system(int* address, int value) {
  return detail::legacy_xor<thread_scope_system>(address, value);
}
SIMT_FN unsigned atomicXor_system(unsigned* address, unsigned value) {
  return detail::legacy_xor<thread_scope_system>(address, value);
}
SIMT_FN unsigned long long atomicXor_system(unsigned long long* address, unsigned long long value) {
  return detail::legacy_xor<thread_scope_system>(address, value);
}

/// old >= limit ? 0 : old + 1
SIMT_FN unsigned atomicInc(unsigned* address, unsigned limit) {
  return detail::legacy_inc<thread_scope_device>(address, limit);
}
SIMT_FN unsigned atomicInc_block(unsigned* address, unsigned limit) {
  return detail::legacy_inc<thread_scope_block>(address, limit);
}
SIMT_FN unsigned atomicInc_system(unsigned* address, unsigned limit) {
  return detail::legacy_inc<thread_scope_system>(address, limit);
}

/// old == 0 || old > limit ? limit : old - 1
SIMT_FN unsigned atomicDec(unsigned* address, unsigned limit) {
  return detail::legacy_dec<thread_scope_device>(address, limit);
}
SIMT_FN unsigned atomicDec_block(unsigned* address, unsigned limit) {
  return detail::legacy_dec<thread_scope_block>(address, limit);
}
SIMT_FN unsigned atomicDec_system(unsigned* address, unsigned limit) {
  return detail::legacy_dec<thread_scope_system>(address, limit);
}

}  // namespace simt
