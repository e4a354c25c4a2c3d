// Lists names of CUDA and of libraries, and what to write in their place.
#include "sim/subject/cuda_names.hpp"

#include <initializer_list>
#include <map>

namespace simt::detail {
namespace {

const std::map<std::string_view, std::string_view>& counterparts() {
  static const std::map<std::string_view, std::string_view> all = {
      {"__device__",
       "mark device functions SIMT_FN, and global variables of the device SIMT_GLOBAL"},
      {"__host__", "functions that host and device call are marked SIMT_HOST_FN"},
      {"__forceinline__", "SIMT_FN says that, too"},
      {"__global__",
       "a kernel is a struct with SIMT_FN void operator()(), registered by SIMT_SUBJECT(NAME); its "
       "arguments are members of the struct"},
      {"__launch_bounds__", "leave it out: [grid] of the scenario says how many threads there are"},
      {"__cluster_dims__",
       "[grid] of the scenario says how many blocks a cluster has: cluster = 2"},
      {"<<<",
       "the checker launches the subject's operator()(), with the [grid] of the scenario; the "
       "host's step between launches is bool next_launch(std::uint32_t launch)"},
      {"__shared__", "simt::block_shared<T, Tag>() is the block's variable of type T"},
      {"__constant__", "constants are members of the subject, or constexpr"},
      {"__managed__", "device memory is a member of the subject, or SIMT_GLOBAL"},
      {"threadIdx",
       "simt::thread_rank() % simt::block_size() is the thread's number in its block, "
       "simt::lane_index() that in its warp"},
      {"blockIdx", "simt::block_index() is the block's number"},
      {"blockDim", "simt::block_size() is the number of a block's threads"},
      {"gridDim", "simt::block_count() is the number of blocks"},
      {"warpSize", "simt::warp_size() is the number of the warp's lanes"},
      {"dim3", "grids have one dimension, and the scenario gives their size"},
      {"__syncthreads", "simt::syncthreads()"},
      {"__syncthreads_count", "simt::bar_red_popc(id, threads, condition)"},
      {"__syncthreads_and", "simt::bar_red_and(id, threads, condition)"},
      {"__syncthreads_or", "simt::bar_red_or(id, threads, condition)"},
      {"__syncwarp", "simt::syncwarp(mask)"},
      {"__shfl_sync", "simt::shfl(mask, value, source, width)"},
      {"__shfl_up_sync", "simt::shfl_up(mask, value, delta, width)"},
      {"__shfl_down_sync", "simt::shfl_down(mask, value, delta, width)"},
      {"__shfl_xor_sync", "simt::shfl_xor(mask, value, lane_mask, width)"},
      {"__ballot_sync", "simt::ballot(mask, predicate)"},
      {"__any_sync", "simt::any(mask, predicate)"},
      {"__all_sync", "simt::all(mask, predicate)"},
      {"__match_any_sync", "simt::match_any(mask, value)"},
      {"__match_all_sync", "simt::match_all(mask, value, &predicate)"},
      {"__reduce_add_sync", "simt::reduce_add(mask, value)"},
      {"__reduce_min_sync", "simt::reduce_min(mask, value)"},
      {"__reduce_max_sync", "simt::reduce_max(mask, value)"},
      {"__reduce_and_sync", "simt::reduce_and(mask, value)"},
      {"__reduce_or_sync", "simt::reduce_or(mask, value)"},
      {"__reduce_xor_sync", "simt::reduce_xor(mask, value)"},
      {"__activemask", "simt::activemask()"},
      {"__ffs", "simt::ffs(x)"},
      {"__ffsll", "simt::ffs(x)"},
      {"__popc", "simt::popc(x)"},
      {"__popcll", "simt::popc(x)"},
      {"__clz", "simt::clz(x)"},
      {"__clzll", "simt::clz(x)"},
      {"__brev", "simt::brev(x)"},
      {"__brevll", "simt::brev(x)"},
      {"__builtin_ctz", "CUDA's device code has none; simt::ffs(x) - 1 is the same"},
      {"__builtin_ctzl", "CUDA's device code has none; simt::ffs(x) - 1 is the same"},
      {"__builtin_ctzll", "CUDA's device code has none; simt::ffs(x) - 1 is the same"},
      {"__builtin_popcount", "simt::popc(x)"},
      {"__builtin_popcountll", "simt::popc(x)"},
      {"__builtin_clz", "simt::clz(x)"},
      {"__builtin_clzll", "simt::clz(x)"},
      {"__builtin_ffs", "simt::ffs(x)"},
      {"__builtin_ffsll", "simt::ffs(x)"},
      {"__builtin_bitreverse32", "simt::brev(x)"},
      {"__builtin_bitreverse64", "simt::brev(x)"},
      {"min", "simt::min(a, b)"},
      {"max", "simt::max(a, b)"},
      {"swap", "simt::swap(a, b)"},
      {"printf", "simt::printf(format, ...) prints in device code"},
      // A vector is accessed as one on a GPU, and member by member here.
      {"int2", "a struct of your own; each of its members is an access of its own"},
      {"int4", "a struct of your own; each of its members is an access of its own"},
      {"uint2", "a struct of your own; each of its members is an access of its own"},
      {"uint4", "a struct of your own; each of its members is an access of its own"},
      {"float2", "a struct of your own; each of its members is an access of its own"},
      {"float4", "a struct of your own; each of its members is an access of its own"},
      {"__half", "the simulator has integers, float and double"},
      {"half", "the simulator has integers, float and double"},
      {"__nanosleep", "simt::nanosleep(nanoseconds)"},
      {"clock", "there is no time in the simulator; waiting is simt::nanosleep(nanoseconds)"},
      {"clock64", "there is no time in the simulator; waiting is simt::nanosleep(nanoseconds)"},
      {"__trap", "simt::check(false, \"why\") ends the run"},
      {"__ldg", "shared data is read as it is: x, or a simt::atomic"},
      {"cuda",
       "simt::atomic, simt::atomic_ref and simt::atomic_thread_fence are those of cuda::, with the "
       "same scopes and orders; what else there is: docs/from-cuda.md"},
      {"cooperative_groups", "groups are written with masks of lanes and simt::syncthreads()"},
      {"cuda_runtime.h", "#include <simt/simt.hpp> is all that device code needs"},
      {"cooperative_groups.h", "groups are written with masks of lanes and simt::syncthreads()"},
  };
  return all;
}

/// Names that people look for in namespace simt.
const std::map<std::string_view, std::string_view>& other_names() {
  static const std::map<std::string_view, std::string_view> all = {
      {"device_atomic", "simt::atomic<T, simt::thread_scope_device>"},
      {"block_atomic", "simt::atomic<T, simt::thread_scope_block>"},
      {"system_atomic", "simt::atomic<T>"},
      {"shared_atomic", "simt::atomic<T, simt::thread_scope_block>"},
      {"atomic_int", "simt::atomic<int>"},
      {"atomic_uint", "simt::atomic<unsigned>"},
      {"atomic_bool", "simt::atomic<int>"},
      {"atomic_flag", "simt::atomic<int>"},
      {"atomic_fence", "simt::atomic_thread_fence(order, scope)"},
      {"thread_fence", "simt::atomic_thread_fence(order, scope), or simt::__threadfence()"},
      {"fence", "simt::atomic_thread_fence(order, scope), or simt::__threadfence()"},
      {"atomic_add", "simt::atomicAdd(&x, value), or fetch_add of a simt::atomic"},
      {"atomic_sub", "simt::atomicSub(&x, value), or fetch_sub of a simt::atomic"},
      {"atomic_cas",
       "simt::atomicCAS(&x, old, value), or compare_exchange_strong of a simt::atomic"},
      {"atomic_exchange", "simt::atomicExch(&x, value), or exchange of a simt::atomic"},
      {"atomic_exch", "simt::atomicExch(&x, value), or exchange of a simt::atomic"},
      {"thread_id", "simt::thread_rank()"},
      {"thread_index", "simt::thread_rank()"},
      {"thread_idx", "simt::thread_rank()"},
      {"global_thread_id", "simt::thread_rank()"},
      {"rank", "simt::thread_rank()"},
      {"tid", "simt::thread_rank()"},
      {"lane_id", "simt::lane_index()"},
      {"lane", "simt::lane_index()"},
      {"lane_rank", "simt::lane_index()"},
      {"warp_id", "simt::warp_index()"},
      {"block_id", "simt::block_index()"},
      {"block_dim", "simt::block_size()"},
      {"grid_dim", "simt::block_count()"},
      {"num_blocks", "simt::block_count()"},
      {"num_threads", "simt::grid_size()"},
      {"thread_count", "simt::grid_size()"},
      {"lane_count", "simt::warp_size()"},
      {"barrier", "simt::syncthreads(), simt::named_barrier_sync(id, warps), or simt::mbarrier"},
      {"sync", "simt::syncthreads(), or simt::syncwarp(mask)"},
      {"shared", "simt::block_shared<T, Tag>() is the block's variable of type T"},
      {"shared_memory", "simt::block_shared<T, Tag>() is the block's variable of type T"},
      {"array",
       "simt::device_array, to which [arrays] of the scenario gives its length, or an array as a "
       "member"},
      {"vector", "simt::device_array, to which [arrays] of the scenario gives its length"},
      {"assert", "simt::check(condition, \"why\")"},
      {"abort", "simt::check(false, \"why\")"},
      {"sleep", "simt::nanosleep(nanoseconds)"},
      {"yield", "simt::nanosleep(nanoseconds)"},
      {"random", "simt::choose(n), of which each value is explored"},
  };
  return all;
}

bool is_atomic_function(std::string_view name) {
  if (!name.starts_with("atomic") || name.size() < 8) return false;
  for (const std::string_view suffix : {"_block", "_system"}) {
    if (name.ends_with(suffix)) name.remove_suffix(suffix.size());
  }
  for (const std::string_view what :
       {"CAS", "Exch", "Add", "Sub", "Min", "Max", "And", "Or", "Xor", "Inc", "Dec"}) {
    if (name.substr(6) == what) return true;
  }
  return false;
}

bool is_fence(std::string_view name) {
  return name == "__threadfence" || name == "__threadfence_block" || name == "__threadfence_system";
}

struct library_functions {
  std::initializer_list<std::string_view> names;
  std::string_view remedy;
};

/// Whether the name is listed. A listed name that ends in * stands for all names that begin so.
bool is_among(std::string_view name, const library_functions& all) {
  for (const std::string_view one : all.names) {
    if (one.ends_with('*') ? name.starts_with(one.substr(0, one.size() - 1)) : name == one) {
      return true;
    }
  }
  return false;
}

const library_functions of_libraries[] = {
    {{"puts", "putchar", "putc", "fputs", "fprintf", "vprintf", "fputc", "fwrite",
      "std::ostream::*", "std::basic_ostream*", "std::operator<<*", "std::endl*"},
     "simt::printf(format, ...) prints in device code"},
    {{"strlen", "strnlen", "strcmp", "strncmp", "strcpy", "strncpy", "strcat", "strchr", "memchr",
      "strstr", "sprintf", "snprintf", "__strcpy_chk"},
     "nothing of the C library handles text in device code; write the loop, or make it constexpr"},
    {{"sqrt",   "cbrt",   "pow",    "exp",    "exp2",      "expm1", "log",   "log2",   "log10",
      "log1p",  "sin",    "cos",    "tan",    "asin",      "acos",  "atan",  "atan2",  "sinh",
      "cosh",   "tanh",   "hypot",  "fmod",   "remainder", "fma",   "round", "lround", "ldexp",
      "frexp",  "erf",    "tgamma", "lgamma", "sqrtf",     "cbrtf", "powf",  "expf",   "exp2f",
      "logf",   "log2f",  "log10f", "sinf",   "cosf",      "tanf",  "asinf", "acosf",  "atanf",
      "atan2f", "hypotf", "fmodf",  "fmaf",   "roundf"},
     "the simulator does not follow the library of mathematics; compute the value on the host (in "
     "the constructor), or write the function with + - * /, marked SIMT_FN"},
    {{"exit", "_exit", "quick_exit", "abort", "std::terminate()", "std::__throw_*", "__cxa_throw*",
      "std::exception*"},
     "simt::check(false, \"why\") ends the run"},
    {{"rand", "random", "drand48", "lrand48", "rand_r", "std::random_device*"},
     "all that lanes may do is explored, so nothing is drawn; let numbers depend on "
     "simt::thread_rank()"},
    {{"std::chrono::*", "time", "clock_gettime", "gettimeofday"},
     "there is no time in the simulator; waiting is simt::nanosleep(nanoseconds)"},
    {{"std::this_thread::*", "sched_yield", "usleep", "sleep", "nanosleep"},
     "waiting is simt::nanosleep(nanoseconds)"},
    {{"std::__new_allocator*", "std::allocator*", "operator new*", "operator delete*"},
     "device code must not allocate; use device_array, simt::pool or members"},
};

}  // namespace

std::string in_place_of_called(std::string_view function) {
  if (std::string said = in_place_of(function); !said.empty()) return said;
  for (const library_functions& some : of_libraries) {
    if (is_among(function, some)) return std::string(some.remedy);
  }
  return {};
}

std::string in_place_of(std::string_view name) {
  if (is_atomic_function(name) || is_fence(name)) {
    return "write simt::" + std::string(name);
  }
  if (name.starts_with("cuda/")) name = "cuda";
  const auto found = counterparts().find(name);
  return found == counterparts().end() ? std::string() : std::string(found->second);
}

std::string in_place_of_simt(std::string_view name) {
  if (const auto found = other_names().find(name); found != other_names().end()) {
    return std::string(found->second);
  }
  const std::string cuda = "__" + std::string(name);  // threadfence, shfl_sync, ballot
  for (const std::string& other : {std::string(name), cuda, cuda + "_sync"}) {
    if (std::string said = in_place_of(other); !said.empty()) return said;
  }
  return "the names of simt:: are in docs/api.md, what stands for those of CUDA in "
         "docs/from-cuda.md";
}

std::string in_place_of_marks(std::string_view code) {
  for (const char* const mark : {"__launch_bounds__", "__cluster_dims__", "<<<"}) {
    if (code.find(mark) != std::string_view::npos) return in_place_of(mark);
  }
  return {};
}

std::string in_place_of_quoted(std::string_view message) {
  for (const char mark : {'\'', '"'}) {
    for (std::size_t at = message.find(mark); at != std::string_view::npos;) {
      const std::size_t end = message.find(mark, at + 1);
      if (end == std::string_view::npos) break;
      std::string said = in_place_of(message.substr(at + 1, end - at - 1));
      if (!said.empty()) return said;
      at = message.find(mark, end + 1);
    }
  }
  return {};
}

}  // namespace simt::detail
