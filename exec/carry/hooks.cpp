// Defines the functions that a kernel's code calls (simt/detail/hooks.hpp), and those that the
// compiler puts in front of its accesses and at its basic blocks.
#include <cstdio>
#include <cstring>

#include <cmath>

#include <simt/detail/hooks.hpp>

#include "exec/carry/grid.hpp"
#include "exec/carry/registered.hpp"
#include "sim/lane/operation.hpp"

using warpcheck::carry::ended;
using warpcheck::carry::grid;
using warpcheck::carry::lane;
using warpcheck::carry::the_grid;

namespace {

std::uint64_t read(std::uint64_t at, std::uint8_t size) {
  std::uint64_t value = 0;
  std::memcpy(&value, reinterpret_cast<const void*>(at), size);
  return value;
}

void see(void* at, std::uint64_t size) {
  grid* const all = the_grid();
  if (all != nullptr && all->is_running())
    all->check_access(reinterpret_cast<std::uint64_t>(at), size);
}
void change(void* at, std::uint64_t size) {
  see(at, size);
  if (the_grid() != nullptr) the_grid()->changed();
}
void look_again(const void* at) {
  if (the_grid() != nullptr && the_grid()->is_running()) the_grid()->yield(at);
}

}  // namespace

extern "C" {

std::uint64_t simt_hook_memory(std::uint32_t packed, void* address, std::uint64_t operand,
                               std::uint64_t compare) {
  simt::operation op;
  op.kind = simt::operation_kind::memory;
  op.memory = static_cast<simt::detail::memory_kind>(packed & 0xff);
  op.size = static_cast<std::uint8_t>(packed >> 8 & 0xff);
  op.operand = operand;
  op.compare = compare;
  grid& all = *the_grid();
  all.check_access(reinterpret_cast<std::uint64_t>(address), op.size);
  if (op.memory != simt::detail::memory_kind::store) all.yield(__builtin_return_address(0));
  const std::uint64_t old = read(reinterpret_cast<std::uint64_t>(address), op.size);
  const std::uint64_t fresh = simt::apply(op, old);
  if (fresh != old) {
    std::memcpy(address, &fresh, op.size);
    all.changed();
  }
  return simt::answer(op, old);
}

void simt_hook_fence(std::uint32_t) {}

std::uint64_t simt_hook_collective(std::uint32_t kind, std::uint32_t mask, std::uint64_t value,
                                   std::uint32_t shfl) {
  grid& all = *the_grid();
  lane& one = all.current();
  one.collective = static_cast<simt::detail::collective_kind>(kind);
  one.value = value;
  one.shfl = shfl;
  // Any set of lanes with this lane in it is a right answer: here it is the lane alone.
  if (one.collective == simt::detail::collective_kind::activemask) return 1U << one.place();
  one.mask = mask;
  return all.wait_at_collective(__builtin_return_address(0));
}

std::uint32_t simt_hook_barrier(std::uint32_t packed, std::uint32_t id, std::uint32_t threads,
                                bool yes) {
  grid& all = *the_grid();
  lane& one = all.current();
  one.barrier = static_cast<simt::detail::barrier_kind>(packed & 0xff);
  one.number = id % 16;
  one.count = threads;
  one.called = packed >> 8;
  one.value = yes ? 1 : 0;
  // A cluster has one block here, so arrivals need not be counted: a wait waits for the whole
  // block.
  if (one.barrier == simt::detail::barrier_kind::cluster_arrive) return 0;
  if (one.barrier == simt::detail::barrier_kind::named_arrive) {
    ++one.of->named[one.number].arrived;
    all.changed();
    return 0;
  }
  return static_cast<std::uint32_t>(all.wait_at_barrier(__builtin_return_address(0)));
}

void simt_hook_nanosleep(std::uint32_t) { the_grid()->yield(__builtin_return_address(0)); }

std::uint32_t simt_hook_index(std::uint32_t kind) {
  using simt::detail::index_kind;
  grid& all = *the_grid();
  const lane& one = all.current();
  const std::uint32_t threads = all.what().threads;
  switch (static_cast<index_kind>(kind)) {
    case index_kind::lane: return one.place();
    case index_kind::warp: return one.warp();
    case index_kind::block: return one.of->number;
    case index_kind::thread_rank: return one.of->number * threads + one.thread;
    case index_kind::warp_size: return std::min(32U, threads - one.warp() * 32);
    case index_kind::warp_count: return all.warps();
    case index_kind::block_size: return threads;
    case index_kind::block_count: return all.what().blocks;
    case index_kind::grid_size: return all.what().blocks * threads;
    case index_kind::cluster_rank: return 0;  // kernels of clusters are not translated
    case index_kind::cluster_size: return 1;
    case index_kind::copies: return 0;
  }
  return 0;
}

// The environment may give any answer, so 0 is right.
std::uint32_t simt_hook_choose(std::uint32_t) { return 0; }

void* simt_hook_shared(std::uint32_t packed) {
  lane& one = the_grid()->current();
  const std::uint32_t slot = packed & 0xffff;  // of the lane's own block
  const auto at = reinterpret_cast<std::uint64_t>(one.of->shared.at(slot).get());
  const std::uint64_t align = warpcheck::carry::registered().shared.at(slot).align;
  return reinterpret_cast<void*>((at + align - 1) / align * align);
}

// The launch is checked elsewhere.
bool simt_hook_was_initially(const void*, std::uint32_t, std::uint64_t) { return true; }

// As on a GPU, a misaligned access ends the launch.
void simt_hook_aligned(const void* address, std::uint32_t size, bool) {
  const auto at = reinterpret_cast<std::uint64_t>(address);
  if (at % size == 0) return;
  char text[128];
  std::snprintf(text, sizeof text, "an access of %u bytes at %#llx, which is no multiple of them",
                static_cast<unsigned>(size), static_cast<unsigned long long>(at));
  the_grid()->end(ended::illegal_address, text);
}

std::uint64_t simt_hook_fma(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  double x = 0, y = 0, z = 0;
  std::memcpy(&x, &a, sizeof x);
  std::memcpy(&y, &b, sizeof y);
  std::memcpy(&z, &c, sizeof z);
  const double sum = std::fma(x, y, z);
  std::uint64_t bits = 0;
  std::memcpy(&bits, &sum, sizeof bits);
  return bits;
}

const std::uint8_t* simt_launch_arguments() { return the_grid()->what().arguments.data(); }

std::uint64_t simt_hook_assignment(std::uint32_t, std::uint32_t) { return 0; }
void simt_hook_call(std::uint32_t, std::uint64_t, std::uint64_t, std::uint64_t) {}
void simt_hook_return(std::uint32_t, std::uint32_t, std::uint64_t) {}
void simt_hook_linearization_point(std::uint32_t) {}
void simt_hook_fail(const char* message) { the_grid()->end(ended::assertion, message); }
void simt_hook_misuse(const char* message) { the_grid()->end(ended::unknown, message); }
void simt_launch_print(const char* format, const std::uint8_t* values) {
  std::fputs(warpcheck::carry::printed_text(format, values).c_str(), stdout);
}
void simt_hook_exit() {}

void simt_register_subject(const simt::detail::subject_entry* entry) {
  if (std::strcmp(entry->workload, "kernel") == 0) warpcheck::carry::registered().subject = entry;
}
std::uint32_t simt_register_shared(std::size_t size, std::size_t align, bool) {
  auto& all = warpcheck::carry::registered().shared;
  all.push_back({size, align});
  return static_cast<std::uint32_t>(all.size() - 1);
}
void* simt_device_array(const char*, std::size_t, std::size_t, simt::detail::element_kind,
                        std::size_t*) {
  return nullptr;
}
void simt_hook_copies();
void simt_hook_copies() {}
void simt_register_copies() {}  // no kernel in PTX has an agent
void simt_device_pool(const simt::detail::pool_layout*) {}

// --- what ThreadSanitizer's pass calls in front of accesses ---

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}

#define ACCESSES(bytes)                                               \
  void __tsan_read##bytes(void* at) { see(at, bytes); }               \
  void __tsan_write##bytes(void* at) { change(at, bytes); }           \
  void __tsan_unaligned_read##bytes(void* at) { see(at, bytes); }     \
  void __tsan_unaligned_write##bytes(void* at) { change(at, bytes); } \
  void __tsan_read_write##bytes(void* at) { change(at, bytes); }      \
  void __tsan_volatile_read##bytes(void* at) {                        \
    see(at, bytes);                                                   \
    look_again(__builtin_return_address(0));                          \
  }                                                                   \
  void __tsan_volatile_write##bytes(void* at) { change(at, bytes); }
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

void* __tsan_memcpy(void* to, const void* from, std::size_t size) {
  return std::memcpy(to, from, size);
}
void* __tsan_memmove(void* to, const void* from, std::size_t size) {
  return std::memmove(to, from, size);
}
void* __tsan_memset(void* to, int value, std::size_t size) { return std::memset(to, value, size); }

// Called at each basic block, so that a loop that waits for a plain variable lets others run, too.
void __sanitizer_cov_trace_pc() {
  thread_local std::uint32_t blocks = 0;
  if ((++blocks & 0x3fff) == 0) look_again(__builtin_return_address(0));
}

}  // extern "C"
