// Each operation of the API beside libcu++'s or CUDA's own. ptx_pairs.cpp compares the PTX of every
// api_NAME with that of raw_NAME.
#include <cuda/atomic>

#include <simt/simt.hpp>

// The formatter takes the lists of macros for expressions.
// clang-format off

// The runner's half of the boundary: not linked here.
void* simt::detail::allocate_array_storage(void*, const char*, std::size_t, std::size_t,
                                           std::size_t*) {
  return nullptr;
}
void simt::detail::register_gpu_entry(const gpu_entry*) {}

using u32 = unsigned;
using u64 = unsigned long long;
using i64 = long long;
struct pair32 {
  unsigned a;
  unsigned b;
};
enum class color : int { red, green };

#define PAIR(name, parameters, api, raw)                        \
  extern "C" __global__ void api_##name parameters { api; }     \
  extern "C" __global__ void raw_##name parameters { raw; }

// --- atomic_ref and atomic, in every order and scope that libcu++ has ---

#define LOAD(T, t, scope, order)                                                       \
  PAIR(load_##t##_##scope##_##order, (T * p, T* out),                                  \
       (*out = simt::atomic_ref<T, simt::thread_scope_##scope>(*p).load(               \
            simt::memory_order_##order)),                                              \
       (*out = cuda::atomic_ref<T, cuda::thread_scope_##scope>(*p).load(               \
            cuda::std::memory_order_##order)))
#define STORE(T, t, scope, order)                                                      \
  PAIR(store_##t##_##scope##_##order, (T * p, T v),                                    \
       (simt::atomic_ref<T, simt::thread_scope_##scope>(*p).store(                     \
           v, simt::memory_order_##order)),                                            \
       (cuda::atomic_ref<T, cuda::thread_scope_##scope>(*p).store(                     \
           v, cuda::std::memory_order_##order)))
#define RMW(operation, T, t, scope, order)                                             \
  PAIR(operation##_##t##_##scope##_##order, (T * p, T v, T* out),                      \
       (*out = simt::atomic_ref<T, simt::thread_scope_##scope>(*p).operation(          \
            v, simt::memory_order_##order)),                                           \
       (*out = cuda::atomic_ref<T, cuda::thread_scope_##scope>(*p).operation(          \
            v, cuda::std::memory_order_##order)))
#define CAS(operation, T, t, scope, order)                                             \
  PAIR(operation##_##t##_##scope##_##order, (T * p, T * expected, T v, bool* out),     \
       (*out = simt::atomic_ref<T, simt::thread_scope_##scope>(*p).operation(          \
            *expected, v, simt::memory_order_##order)),                                \
       (*out = cuda::atomic_ref<T, cuda::thread_scope_##scope>(*p).operation(          \
            *expected, v, cuda::std::memory_order_##order)))
#define CAS2(operation, T, t, scope, order, failure)                                   \
  PAIR(operation##_##t##_##scope##_##order##_##failure,                                \
       (T * p, T * expected, T v, bool* out),                                          \
       (*out = simt::atomic_ref<T, simt::thread_scope_##scope>(*p).operation(          \
            *expected, v, simt::memory_order_##order, simt::memory_order_##failure)),  \
       (*out = cuda::atomic_ref<T, cuda::thread_scope_##scope>(*p).operation(          \
            *expected, v, cuda::std::memory_order_##order,                             \
            cuda::std::memory_order_##failure)))

#define IN_SCOPES(kind, T, t, order) \
  kind(T, t, block, order) kind(T, t, device, order) kind(T, t, system, order)
#define RMW_IN_SCOPES(operation, T, t, order) \
  RMW(operation, T, t, block, order)          \
  RMW(operation, T, t, device, order)         \
  RMW(operation, T, t, system, order)

IN_SCOPES(LOAD, int, i32, relaxed)
IN_SCOPES(LOAD, int, i32, acquire)
IN_SCOPES(LOAD, int, i32, seq_cst)
LOAD(u64, u64, device, acquire)
LOAD(pair32, pair, device, acquire)
LOAD(color, color, device, relaxed)
LOAD(int*, pointer, device, seq_cst)
LOAD(unsigned char, u8, device, relaxed)
LOAD(bool, bool, device, acquire)
LOAD(unsigned short, u16, device, relaxed)
IN_SCOPES(STORE, int, i32, relaxed)
IN_SCOPES(STORE, int, i32, release)
IN_SCOPES(STORE, int, i32, seq_cst)
STORE(u64, u64, device, release)
STORE(pair32, pair, device, release)
STORE(color, color, device, relaxed)
STORE(int*, pointer, device, release)
STORE(unsigned char, u8, device, relaxed)
STORE(bool, bool, device, release)
RMW_IN_SCOPES(exchange, int, i32, relaxed)
RMW_IN_SCOPES(exchange, int, i32, acquire)
RMW_IN_SCOPES(exchange, int, i32, seq_cst)
RMW(exchange, u64, u64, device, acq_rel)
RMW(exchange, pair32, pair, device, acq_rel)
RMW(exchange, int*, pointer, device, acq_rel)
RMW(exchange, bool, bool, device, acquire)
RMW_IN_SCOPES(fetch_add, int, i32, relaxed)
RMW_IN_SCOPES(fetch_add, int, i32, acquire)
RMW_IN_SCOPES(fetch_add, int, i32, release)
RMW_IN_SCOPES(fetch_add, int, i32, acq_rel)
RMW_IN_SCOPES(fetch_add, int, i32, seq_cst)
RMW(fetch_add, u64, u64, device, relaxed)
RMW(fetch_add, unsigned char, u8, device, relaxed)
RMW(fetch_sub, int, i32, device, relaxed)
RMW(fetch_sub, u64, u64, system, seq_cst)
RMW(fetch_and, u32, u32, device, relaxed)
RMW(fetch_or, u32, u32, device, release)
RMW(fetch_xor, u64, u64, block, acq_rel)
RMW(fetch_min, int, i32, device, relaxed)
RMW(fetch_min, u32, u32, device, relaxed)
RMW(fetch_max, i64, i64, device, relaxed)
RMW(fetch_max, u64, u64, system, seq_cst)
CAS(compare_exchange_strong, int, i32, block, relaxed)
CAS(compare_exchange_strong, int, i32, device, acquire)
CAS(compare_exchange_strong, int, i32, device, acq_rel)
CAS(compare_exchange_strong, int, i32, system, seq_cst)
CAS(compare_exchange_strong, pair32, pair, device, acq_rel)
CAS(compare_exchange_strong, int*, pointer, device, release)
CAS(compare_exchange_weak, u64, u64, device, acq_rel)
CAS2(compare_exchange_strong, int, i32, device, acq_rel, relaxed)
CAS2(compare_exchange_weak, u64, u64, device, seq_cst, acquire)

PAIR(pointer_fetch_add, (int** p, long n, int** out),
     (*out = simt::atomic_ref<int*>(*p).fetch_add(n)), (*out = cuda::atomic_ref<int*>(*p).fetch_add(n)))
PAIR(pointer_fetch_sub, (int** p, long n, int** out),
     (*out = simt::atomic_ref<int*>(*p).fetch_sub(n)), (*out = cuda::atomic_ref<int*>(*p).fetch_sub(n)))

using simt_int = simt::atomic<int, simt::thread_scope_device>;
using cuda_int = cuda::atomic<int, cuda::thread_scope_device>;
PAIR(object_load, (void* p, int* out), (*out = static_cast<simt_int*>(p)->load()),
     (*out = static_cast<cuda_int*>(p)->load()))
PAIR(object_convert, (void* p, int* out), (*out = *static_cast<simt_int*>(p)),
     (*out = *static_cast<cuda_int*>(p)))
PAIR(object_assign, (void* p, int v), (*static_cast<simt_int*>(p) = v),
     (*static_cast<cuda_int*>(p) = v))
PAIR(object_exchange, (void* p, int v, int* out), (*out = static_cast<simt_int*>(p)->exchange(v)),
     (*out = static_cast<cuda_int*>(p)->exchange(v)))
PAIR(object_increment, (void* p, int* out), (*out = ++*static_cast<simt_int*>(p)),
     (*out = ++*static_cast<cuda_int*>(p)))
PAIR(object_post_decrement, (void* p, int* out), (*out = (*static_cast<simt_int*>(p))--),
     (*out = (*static_cast<cuda_int*>(p))--))
PAIR(object_add, (void* p, int v, int* out), (*out = *static_cast<simt_int*>(p) += v),
     (*out = *static_cast<cuda_int*>(p) += v))
PAIR(object_or, (void* p, int v, int* out), (*out = *static_cast<simt_int*>(p) |= v),
     (*out = *static_cast<cuda_int*>(p) |= v))
PAIR(object_min, (void* p, int v, int* out), (*out = static_cast<simt_int*>(p)->fetch_min(v)),
     (*out = static_cast<cuda_int*>(p)->fetch_min(v)))

// --- the legacy forms ---

#define LEGACY(name, T, t)                                                                   \
  PAIR(name##_##t, (T * p, T v, T* out), (*out = simt::name(p, v)), (*out = ::name(p, v)))   \
  PAIR(name##_block_##t, (T * p, T v, T* out), (*out = simt::name##_block(p, v)),            \
       (*out = ::name##_block(p, v)))                                                        \
  PAIR(name##_system_##t, (T * p, T v, T* out), (*out = simt::name##_system(p, v)),          \
       (*out = ::name##_system(p, v)))
#define LEGACY_CAS(T, t)                                                                     \
  PAIR(atomicCAS_##t, (T * p, T c, T v, T* out), (*out = simt::atomicCAS(p, c, v)),          \
       (*out = ::atomicCAS(p, c, v)))                                                        \
  PAIR(atomicCAS_block_##t, (T * p, T c, T v, T* out), (*out = simt::atomicCAS_block(p, c, v)), \
       (*out = ::atomicCAS_block(p, c, v)))                                                  \
  PAIR(atomicCAS_system_##t, (T * p, T c, T v, T* out), (*out = simt::atomicCAS_system(p, c, v)), \
       (*out = ::atomicCAS_system(p, c, v)))
LEGACY_CAS(int, i32) LEGACY_CAS(u32, u32) LEGACY_CAS(u64, u64)
LEGACY(atomicExch, int, i32) LEGACY(atomicExch, u32, u32) LEGACY(atomicExch, u64, u64)
LEGACY(atomicAdd, int, i32) LEGACY(atomicAdd, u32, u32) LEGACY(atomicAdd, u64, u64)
LEGACY(atomicSub, int, i32) LEGACY(atomicSub, u32, u32)
LEGACY(atomicMin, int, i32) LEGACY(atomicMin, u32, u32) LEGACY(atomicMin, u64, u64)
LEGACY(atomicMin, i64, i64)
LEGACY(atomicMax, int, i32) LEGACY(atomicMax, u32, u32) LEGACY(atomicMax, u64, u64)
LEGACY(atomicMax, i64, i64)
LEGACY(atomicAnd, int, i32) LEGACY(atomicAnd, u32, u32) LEGACY(atomicAnd, u64, u64)
LEGACY(atomicOr, int, i32) LEGACY(atomicOr, u32, u32) LEGACY(atomicOr, u64, u64)
LEGACY(atomicXor, int, i32) LEGACY(atomicXor, u32, u32) LEGACY(atomicXor, u64, u64)
LEGACY(atomicInc, u32, u32) LEGACY(atomicDec, u32, u32)

// --- fences ---

// A store before and after, so that the fence has something to order.
#define FENCE(name, api, raw) \
  PAIR(name, (int* p), (p[0] = 1, api, p[1] = 2), (p[0] = 1, raw, p[1] = 2))
#define FENCE_IN(scope, order)                                                                  \
  FENCE(fence_##scope##_##order,                                                                \
        (simt::atomic_thread_fence(simt::memory_order_##order, simt::thread_scope_##scope)),    \
        (cuda::atomic_thread_fence(cuda::std::memory_order_##order, cuda::thread_scope_##scope)))
FENCE(threadfence, simt::__threadfence(), ::__threadfence())
FENCE(threadfence_block, simt::__threadfence_block(), ::__threadfence_block())
FENCE(threadfence_system, simt::__threadfence_system(), ::__threadfence_system())
FENCE(fence_default, simt::atomic_thread_fence(simt::memory_order_seq_cst),
      cuda::atomic_thread_fence(cuda::std::memory_order_seq_cst))
FENCE_IN(block, acquire) FENCE_IN(device, acquire) FENCE_IN(system, acquire)
FENCE_IN(block, release) FENCE_IN(device, release) FENCE_IN(system, release)
FENCE_IN(block, acq_rel) FENCE_IN(device, acq_rel) FENCE_IN(system, acq_rel)
FENCE_IN(block, seq_cst) FENCE_IN(device, seq_cst) FENCE_IN(system, seq_cst)
FENCE_IN(device, relaxed)

// --- warps ---

PAIR(syncwarp, (u32 m), simt::syncwarp(m), ::__syncwarp(m))
PAIR(syncwarp_all, (int* p), (p[0] = 1, simt::syncwarp(), p[1] = 2),
     (p[0] = 1, ::__syncwarp(), p[1] = 2))
#define SHFL(T, t)                                                                              \
  PAIR(shfl_##t, (u32 m, T v, int s, T* out), (*out = simt::shfl(m, v, s)),                     \
       (*out = ::__shfl_sync(m, v, s)))                                                         \
  PAIR(shfl_8_##t, (u32 m, T v, int s, T* out), (*out = simt::shfl(m, v, s, 8)),                \
       (*out = ::__shfl_sync(m, v, s, 8)))                                                      \
  PAIR(shfl_up_##t, (u32 m, T v, u32 d, T* out), (*out = simt::shfl_up(m, v, d)),               \
       (*out = ::__shfl_up_sync(m, v, d)))                                                      \
  PAIR(shfl_down_##t, (u32 m, T v, u32 d, T* out), (*out = simt::shfl_down(m, v, d, 16)),       \
       (*out = ::__shfl_down_sync(m, v, d, 16)))                                                \
  PAIR(shfl_xor_##t, (u32 m, T v, int s, T* out), (*out = simt::shfl_xor(m, v, s)),             \
       (*out = ::__shfl_xor_sync(m, v, s)))
SHFL(int, i32) SHFL(u32, u32) SHFL(u64, u64) SHFL(i64, i64) SHFL(float, f32) SHFL(double, f64)
PAIR(shfl_pair, (u32 m, pair32* v, int s, pair32* out), (*out = simt::shfl(m, *v, s)),
     (*out = __builtin_bit_cast(pair32, ::__shfl_sync(m, __builtin_bit_cast(u64, *v), s))))
PAIR(ballot, (u32 m, int v, u32* out), (*out = simt::ballot(m, v)), (*out = ::__ballot_sync(m, v)))
PAIR(any, (u32 m, int v, int* out), (*out = simt::any(m, v)), (*out = ::__any_sync(m, v)))
PAIR(all, (u32 m, int v, int* out), (*out = simt::all(m, v)), (*out = ::__all_sync(m, v)))
PAIR(match_any_32, (u32 m, int v, u32* out), (*out = simt::match_any(m, v)),
     (*out = ::__match_any_sync(m, v)))
PAIR(match_any_64, (u32 m, u64 v, u32* out), (*out = simt::match_any(m, v)),
     (*out = ::__match_any_sync(m, v)))
PAIR(match_all_32, (u32 m, int v, int* same, u32* out), (*out = simt::match_all(m, v, same)),
     (*out = ::__match_all_sync(m, v, same)))
PAIR(match_all_64, (u32 m, u64 v, int* same, u32* out), (*out = simt::match_all(m, v, same)),
     (*out = ::__match_all_sync(m, v, same)))
PAIR(ffs, (u32 v, int* out), (*out = simt::ffs(v)), (*out = ::__ffs(static_cast<int>(v))))
PAIR(ffs_64, (u64 v, int* out), (*out = simt::ffs(v)), (*out = ::__ffsll(static_cast<i64>(v))))
PAIR(popc, (u32 v, int* out), (*out = simt::popc(v)), (*out = ::__popc(v)))
PAIR(popc_64, (u64 v, int* out), (*out = simt::popc(v)), (*out = ::__popcll(v)))
PAIR(clz, (int v, int* out), (*out = simt::clz(v)), (*out = ::__clz(v)))
PAIR(clz_64, (i64 v, int* out), (*out = simt::clz(v)), (*out = ::__clzll(v)))
PAIR(brev, (u32 v, u32* out), (*out = simt::brev(v)), (*out = ::__brev(v)))
PAIR(brev_64, (u64 v, u64* out), (*out = simt::brev(v)), (*out = ::__brevll(v)))
PAIR(min, (int a, int b, int* out), (*out = simt::min(a, b)), (*out = ::min(b, a)))
PAIR(max, (u32 a, u32 b, u32* out), (*out = simt::max(a, b)), (*out = ::max(a, b)))
#if __CUDA_ARCH__ >= 800
#define REDUCE(name, T, t)                                                                \
  PAIR(name##_##t, (u32 m, T v, T* out), (*out = simt::name(m, v)), (*out = ::__##name##_sync(m, v)))
REDUCE(reduce_add, int, i32) REDUCE(reduce_add, u32, u32) REDUCE(reduce_min, int, i32)
REDUCE(reduce_min, u32, u32) REDUCE(reduce_max, int, i32) REDUCE(reduce_max, u32, u32)
REDUCE(reduce_and, u32, u32) REDUCE(reduce_or, u32, u32) REDUCE(reduce_xor, u32, u32)
#endif
PAIR(activemask, (u32 * out), (*out = simt::activemask()), (*out = ::__activemask()))

// --- blocks, places, time ---

PAIR(syncthreads, (int* p), (p[0] = 1, simt::syncthreads(), p[1] = 2),
     (p[0] = 1, ::__syncthreads(), p[1] = 2))
PAIR(bar_sync, (int* p), (p[0] = 1, simt::bar_sync(3, 64), p[1] = 2),
     p[0] = 1; asm volatile("bar.sync %0, %1;" ::"r"(3), "r"(64) : "memory"); p[1] = 2)
PAIR(bar_arrive, (int* p), (p[0] = 1, simt::bar_arrive(3, 64), p[1] = 2),
     p[0] = 1; asm volatile("bar.arrive %0, %1;" ::"r"(3), "r"(64) : "memory"); p[1] = 2)
PAIR(bar_sync_all, (int* p), (p[0] = 1, simt::bar_sync(3), p[1] = 2),
     p[0] = 1; asm volatile("bar.sync %0;" ::"r"(3) : "memory"); p[1] = 2)
PAIR(named_barrier_sync, (int* p), (p[0] = 1, simt::named_barrier_sync(3, 2), p[1] = 2),
     p[0] = 1; asm volatile("bar.sync %0, %1;" ::"r"(3), "r"(64) : "memory"); p[1] = 2)
PAIR(named_barrier_arrive, (int* p), (p[0] = 1, simt::named_barrier_arrive(3, 2), p[1] = 2),
     p[0] = 1; asm volatile("bar.arrive %0, %1;" ::"r"(3), "r"(64) : "memory"); p[1] = 2)
PAIR(printf, (int v, float w), simt::printf("%d %f", v, w), ::printf("%d %f", v, w))
PAIR(nanosleep, (u32 n), simt::nanosleep(n), ::__nanosleep(n))
PAIR(lane_index, (u32 * out), (*out = simt::lane_index()), (*out = threadIdx.x & 31))
PAIR(warp_index, (u32 * out), (*out = simt::warp_index()), (*out = threadIdx.x >> 5))
PAIR(block_index, (u32 * out), (*out = simt::block_index()), (*out = blockIdx.x))
PAIR(warp_count, (u32 * out), (*out = simt::warp_count()), (*out = blockDim.x >> 5))
PAIR(block_count, (u32 * out), (*out = simt::block_count()), (*out = gridDim.x))
PAIR(block_size, (u32 * out), (*out = simt::block_size()),
     (*out = simt::detail::launch.block_threads))

struct tag;
PAIR(block_shared, (int v), (*const_cast<volatile int*>(&simt::block_shared<int, tag>()) = v),
     __shared__ volatile int raw_variable;
     raw_variable = v)

// --- pairs that differ, which the comparison must see ---

PAIR(must_differ_scope, (int* p), simt::atomicAdd(p, 1), ::atomicAdd_system(p, 1))
PAIR(must_differ_order, (int* p),
     simt::atomic_ref<int>(*p).store(1, simt::memory_order_release),
     cuda::atomic_ref<int>(*p).store(1, cuda::std::memory_order_relaxed))
PAIR(must_differ_register, (int* p, int a, int b), simt::atomicCAS(p, a, b), ::atomicCAS(p, b, a))
PAIR(must_differ_length, (int* p), simt::atomicAdd(p, 1), ::atomicAdd(p, 1); ::__threadfence())

// --- a whole lock, as one would write it by hand ---

PAIR(lock, (int* lock, int* counter),
     while (simt::atomicCAS(lock, 0, 1) != 0) {} simt::__threadfence(); ++*counter;
     simt::__threadfence(); simt::atomicExch(lock, 0),
     while (::atomicCAS(lock, 0, 1) != 0) {} ::__threadfence(); ++*counter; ::__threadfence();
     ::atomicExch(lock, 0))
