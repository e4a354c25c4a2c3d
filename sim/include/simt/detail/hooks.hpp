// The boundary between instrumented device code and the simulator: what a subject's shared object
// calls, and what it hands over when it is loaded. The simulator defines these functions.
//
// Every `simt_hook_*` function stops the calling lane and returns when the machine has answered.
// Called from host code (constructors, final checks) they must not be reached.
#pragma once

#include <cstddef>
#include <cstdint>

#include <simt/detail/types.hpp>

#if defined(__clang__)
#define SIMT_CONVERGENT __attribute__((convergent))
#else
#define SIMT_CONVERGENT
#endif

namespace simt::detail {

/// A memory operation's kind, size in bytes (1, 2, 4 or 8), order and scope in one word.
constexpr std::uint32_t pack_memory(memory_kind kind, std::uint32_t size, memory_order order,
                                    thread_scope scope) {
  return static_cast<std::uint32_t>(kind) | size << 8 | static_cast<std::uint32_t>(order) << 16 |
         static_cast<std::uint32_t>(scope) << 24;
}

/// Bits of pack_memory. The lane gets no result, so no later fence acquires from what was read (PTX
/// red).
inline constexpr std::uint32_t returns_nothing = 0x800000;

constexpr std::uint32_t pack_fence(memory_order order, thread_scope scope) {
  return static_cast<std::uint32_t>(order) | static_cast<std::uint32_t>(scope) << 8;
}

/// A bit of pack_fence. An acquire fence releases nothing, and a release fence acquires nothing
/// (PTX fence.acquire, fence.release). Without it both are fence.acq_rel, as libcu++ compiles them.
inline constexpr std::uint32_t one_sided = 0x10000;

/// In the operand of `shfl`: the lane that it reads from may be missing. Then the answer has this
/// bit and no other. A lane may pass such an answer on, with other bits in it.
inline constexpr std::uint32_t shfl_may_miss = 0x80;
inline constexpr std::uint64_t not_shuffled = std::uint64_t{1} << 63;

/// The operand of `shfl`: mode, lane or distance (0..31), segment width (1, 2, 4 .. 32).
constexpr std::uint32_t pack_shfl(shfl_mode mode, std::uint32_t source, std::uint32_t width) {
  return static_cast<std::uint32_t>(mode) | (source & 0xff) << 8 | width << 16;
}

/// A barrier and how it is called (barrier_unaligned, barrier_relaxed, a reduction).
constexpr std::uint32_t pack_barrier(barrier_kind kind, std::uint32_t how = 0) {
  return static_cast<std::uint32_t>(kind) | how << 8;
}

/// Which block-shared variable: its slot, of the lane's own block (`own_block`), or of the block of
/// that number in its cluster.
inline constexpr std::uint32_t own_block = 0xffff;
constexpr std::uint32_t pack_shared(std::uint32_t slot, std::uint32_t block) {
  return (slot & 0xffff) | (block & 0xffff) << 16;
}

/// The assignment behind a lane's last one.
inline constexpr std::uint32_t no_operation = 0xffffffff;
/// The part of an assignment that tells the number of the one after it.
inline constexpr std::uint32_t next_assignment = 4;

/// How often clients do their work, if they never end.
inline constexpr std::uint32_t for_ever = 0xffffffff;

/// What a final check may know of the run.
struct launch_shape {
  std::uint32_t blocks;
  std::uint32_t threads;  // of the whole grid
  std::uint32_t clients;  // lanes that ran the body
  std::uint32_t repeat;
};

/// An operation of an object, as the workload "operations" calls it.
struct operation_entry {
  const char* name;
  std::uint32_t arguments;
  enum class result : std::uint8_t { nothing, boolean, number, maybe } returns;
};

/// Where a pool (pool.hpp) lies. Node 0 is never handed out.
struct pool_layout {
  const void* words;       // of 8 bytes each; node i belongs to word i / pool_word_nodes
  const void* nodes;       // the first one is node 0
  std::size_t stride;      // bytes from one node to the next
  std::uint32_t capacity;  // nodes are numbered 0 .. capacity
  bool guarded;            // a node that is not in use must not be accessed
};

/// One way to run a subject: the type itself where it is a kernel, or a workload around it.
struct subject_entry {
  const char* name;      // of the type, as given to SIMT_SUBJECT
  const char* workload;  // "kernel", "counter", "operations"
  const char* type;      // the C++ type of the object, for names of variables in reports
  std::size_t size;      // of the object, bytes
  std::size_t align;
  void (*construct)(void* object);  // host: value-initializes the object there
  void (*init)(void* object);       // device, once, before the grid; or null
  /// device: what each client lane runs. `repeat`: of a kernel, the number of the launch.
  void (*body)(void* object, std::uint32_t repeat);
  const char* (*check)(const void* object, const launch_shape& shape);  // host; null: all is well
  const operation_entry* operations = nullptr;  // of the workload "operations"
  std::uint32_t operation_count = 0;
  const char* spec = nullptr;  // the specification that the subject names; or null
  /// device: what client lanes run that never end, each repetition an operation; null: the body.
  void (*endless)(void* object, std::uint32_t repeat) = nullptr;
  /// host: before the launch of this number, from 1: whether there is one. Null: there is only one
  /// launch.
  bool (*next_launch)(void* object, std::uint32_t launch) = nullptr;
  /// The type has a check() of its own, which only the workload "kernel" calls.
  bool checks_itself = false;
  /// There may be member functions that the API cannot see. The type is final, or is a union, or
  /// has a variable or a type with the name of an optional member of a base class.
  bool hides_members = false;
};

}  // namespace simt::detail

extern "C" {

// --- device side: each is one visible operation ---
std::uint64_t simt_hook_memory(std::uint32_t packed, void* address, std::uint64_t operand,
                               std::uint64_t compare) SIMT_CONVERGENT;  // returns the old value
void simt_hook_fence(std::uint32_t packed) SIMT_CONVERGENT;
std::uint64_t simt_hook_collective(std::uint32_t kind, std::uint32_t mask, std::uint64_t value,
                                   std::uint32_t shfl) SIMT_CONVERGENT;
/// `packed`: pack_barrier. `threads`: a multiple of 32; each warp counts as 32, whatever its lanes.
/// 0: all of the block. Of a reduction, `yes` is the lane's part; returns the result.
std::uint32_t simt_hook_barrier(std::uint32_t packed, std::uint32_t id, std::uint32_t threads,
                                bool yes) SIMT_CONVERGENT;
void simt_hook_nanosleep(std::uint32_t nanoseconds) SIMT_CONVERGENT;
std::uint32_t simt_hook_choose(std::uint32_t count) SIMT_CONVERGENT;  // returns 0 .. count - 1
std::uint32_t simt_hook_index(std::uint32_t kind) SIMT_CONVERGENT;
void* simt_hook_shared(std::uint32_t packed) SIMT_CONVERGENT;  // pack_shared
/// a * b + c of doubles, by their bits, rounded once: no step.
std::uint64_t simt_hook_fma(std::uint64_t a, std::uint64_t b, std::uint64_t c);
/// What the lane is to do as its `number`-th operation. Part 0: which of its object's operations,
/// or no_operation; part k up to 3: its k-th argument; next_assignment: the number of the one that
/// follows it. Answered at once, as an index is.
std::uint64_t simt_hook_assignment(std::uint32_t number, std::uint32_t part) SIMT_CONVERGENT;
/// Events: an operation of an object begins, and ends.
void simt_hook_call(std::uint32_t operation, std::uint64_t a, std::uint64_t b, std::uint64_t c)
    SIMT_CONVERGENT;
void simt_hook_return(std::uint32_t operation, std::uint32_t is_some, std::uint64_t value)
    SIMT_CONVERGENT;
/// If `here` is not 0: the operation that is called takes effect with the lane's last access.
void simt_hook_linearization_point(std::uint32_t here) SIMT_CONVERGENT;
void simt_hook_fail(const char* message) SIMT_CONVERGENT;  // a failed assertion; returns
/// The subject's code does not fit what calls it: an error of the subject's, no finding.
void simt_hook_misuse(const char* message) SIMT_CONVERGENT;  // a string literal; does not return
/// A line of a lane: what comes before it is done, its values one after another (as 8 bytes; a
/// floating-point number as a double), its format.
void simt_hook_print_begin() SIMT_CONVERGENT;
void simt_hook_print_value(std::uint64_t value) SIMT_CONVERGENT;
void simt_hook_print(const char* format) SIMT_CONVERGENT;
void simt_hook_exit() SIMT_CONVERGENT;  // the last thing that a body does

// --- host side ---
void simt_register_subject(const simt::detail::subject_entry* entry);
std::uint32_t simt_register_shared(std::size_t size, std::size_t align,
                                   bool has_no_value);  // a slot in every block
/// Storage for a device array while an object is constructed: `count` becomes the size that the
/// scenario gives it (by default one element for each thread of the grid). Filled with the
/// scenario's values, or with zeros.
void* simt_device_array(const char* name, std::size_t size, std::size_t align,
                        simt::detail::element_kind kind, std::size_t* count);
/// The subject makes asynchronous copies: each block has an agent for them.
void simt_register_copies();
/// A pool, as its constructor makes it.
void simt_device_pool(const simt::detail::pool_layout* layout);
}
