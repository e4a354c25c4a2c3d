// Asynchronous copies by the instructions of sm_80 and sm_90. An older GPU traps.
#pragma once

#include <cstdint>

#include <simt/detail/qualifiers.hpp>

namespace simt::detail {

/// The GPU needs no agent.
template <class T>
SIMT_FN void use_copies() {}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
SIMT_FN unsigned shared_place(const void* at) {
  return static_cast<unsigned>(__cvta_generic_to_shared(at));
}
template <unsigned size>
SIMT_FN void cp_async(void* shared, const void* global) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;"
               :
               : "r"(shared_place(shared)), "l"(__cvta_generic_to_global(global)), "n"(size)
               : "memory");
}
SIMT_FN void cp_async_commit_group() { asm volatile("cp.async.commit_group;" : : : "memory"); }
template <unsigned groups>
SIMT_FN void cp_async_wait_group() {
  asm volatile("cp.async.wait_group %0;" : : "n"(groups) : "memory");
}
#else
template <unsigned size>
SIMT_FN void cp_async(void*, const void*) {
  asm volatile("trap;");
}
SIMT_FN void cp_async_commit_group() { asm volatile("trap;"); }
template <unsigned groups>
SIMT_FN void cp_async_wait_group() {
  asm volatile("trap;");
}
#endif

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
SIMT_FN void cp_async_bulk_load(void* shared, const void* global, unsigned bytes,
                                std::uint64_t* end) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
      :
      : "r"(shared_place(shared)), "l"(__cvta_generic_to_global(global)), "r"(bytes),
        "r"(shared_place(end))
      : "memory");
}
SIMT_FN void cp_async_bulk_to_cluster(void* peer, const void* shared, unsigned bytes,
                                      std::uint64_t* end) {
  asm volatile(
      "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
      :
      : "r"(shared_place(peer)), "r"(shared_place(shared)), "r"(bytes), "r"(shared_place(end))
      : "memory");
}
SIMT_FN void cp_async_bulk_store(void* global, const void* shared, unsigned bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;"
               :
               : "l"(__cvta_generic_to_global(global)), "r"(shared_place(shared)), "r"(bytes)
               : "memory");
}
SIMT_FN void cp_async_bulk_commit_group() {
  asm volatile("cp.async.bulk.commit_group;" : : : "memory");
}
template <unsigned groups>
SIMT_FN void cp_async_bulk_wait_group() {
  asm volatile("cp.async.bulk.wait_group %0;" : : "n"(groups) : "memory");
}
template <unsigned groups>
SIMT_FN void cp_async_bulk_wait_group_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" : : "n"(groups) : "memory");
}
SIMT_FN void fence_proxy_async() { asm volatile("fence.proxy.async;" : : : "memory"); }
#else
SIMT_FN void cp_async_bulk_load(void*, const void*, unsigned, std::uint64_t*) {
  asm volatile("trap;");
}
SIMT_FN void cp_async_bulk_to_cluster(void*, const void*, unsigned, std::uint64_t*) {
  asm volatile("trap;");
}
SIMT_FN void cp_async_bulk_store(void*, const void*, unsigned) { asm volatile("trap;"); }
SIMT_FN void cp_async_bulk_commit_group() { asm volatile("trap;"); }
template <unsigned groups>
SIMT_FN void cp_async_bulk_wait_group() {
  asm volatile("trap;");
}
template <unsigned groups>
SIMT_FN void cp_async_bulk_wait_group_read() {
  asm volatile("trap;");
}
SIMT_FN void fence_proxy_async() { asm volatile("trap;"); }
#endif

}  // namespace simt::detail
