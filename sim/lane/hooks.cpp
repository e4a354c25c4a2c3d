// The functions that instrumented code calls: operations of the API, LLVM's sanitizer callbacks,
// and functions that a lane must not use. Everything here runs on the lane's stack.
//
// Models: each access of ThreadSanitizer's pass as one operation for each 8 bytes or less, or for
// each unit (device_memory::set_units). Does not model: accesses of code without the passes (inline
// assembly). The runner notices writes of such code, but no reads.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <span>

#include <simt/detail/agent.hpp>
#include <simt/detail/hooks.hpp>
#include <simt/detail/result_unused.hpp>

#include "sim/lane/lane_context.hpp"

namespace simt {

lane_context& current_lane() {
  static lane_context lane;
  return lane;
}

namespace {

using detail::memory_kind;

// The bits of MXCSR that say which exceptions have happened.
[[maybe_unused]] constexpr std::uint32_t mxcsr_flags = 0x3f;

// The most basic blocks that a lane may enter without a visible operation.
constexpr std::uint64_t runaway_limit = 4'000'000;

/// Clears the exception flags of MXCSR, which the jump keeps in the lane's image. Rounding in
/// earlier arithmetic is no state of the lane, but the flags would tell states apart. Where two
/// runs differ in a flag, the whole word would count as dead, and its control bits be poisoned. Not
/// inlined: its stack frame would be in the image.
__attribute__((noinline)) void forget_rounding() {
#if defined(__x86_64__)
  __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() & ~mxcsr_flags);
#endif
}

/// Hands `next` to the machine, and returns with its answer.
__attribute__((noinline)) std::uint64_t stop() {
  forget_rounding();
  lane_context& lane = current_lane();
  const boost::context::detail::transfer_t from =
      boost::context::detail::jump_fcontext(lane.host, nullptr);
  lane.host = from.fctx;
#if defined(__x86_64__)
  // Code may spill registers whose content is undefined after a call, for instance to align its
  // stack. They get the poison, so that the comparison of the two runs sees such bytes as dead.
  const std::uint64_t poison = lane.poison;
  __asm__ volatile(
      "mov %0, %%rcx\n\tmov %0, %%rsi\n\tmov %0, %%rdi\n\tmov %0, %%r8\n\tmov %0, %%r9\n\t"
      "mov %0, %%r10\n\tmov %0, %%r11"
      :
      : "r"(poison)
      : "rcx", "rsi", "rdi", "r8", "r9", "r10", "r11");
#endif
  return lane.answer;
}

[[noreturn]] void stop_for_good() {
  for (;;) stop();
}

[[noreturn]] void misuse(lane_context::misuse what, const char* detail, std::uint64_t pc) {
  lane_context& lane = current_lane();
  lane.wrong = what;
  lane.wrong_detail = detail;
  lane.wrong_pc = pc;
  stop_for_good();
}

void announce(std::uint64_t address, std::uint64_t size) {
  lane_context& lane = current_lane();
  if (lane.announced_count == lane.announced.size()) {
    misuse(lane_context::misuse::too_many_accesses, nullptr, lane.last_pc);
  }
  lane.announced[lane.announced_count++] = {address, address + size};
}

bool on_own_stack(std::uint64_t address) {
  const lane_context& lane = current_lane();
  return address >= lane.stack_begin && address < lane.stack_end;
}

bool is_private(std::uint64_t address, std::uint64_t size) {
  return on_own_stack(address) || current_lane().library->is_constant(address, size);
}

operation& begin(operation_kind kind, std::uint64_t pc) {
  lane_context& lane = current_lane();
  lane.next = {};
  lane.next.kind = kind;
  lane.next.pc = pc;
  if (pc != 0) lane.last_pc = pc;
  lane.next.block = lane.block;
  lane.next.sequence = lane.branch_stops ? lane.sequence : 0;
  return lane.next;
}

std::uint64_t access(memory_kind kind, std::uint64_t address, std::uint32_t size, bool weak,
                     std::uint64_t value, std::uint64_t pc, std::uint32_t whole = 0) {
  operation& op = begin(operation_kind::memory, pc);
  op.count = whole;
  op.memory = kind;
  op.address = address;
  op.size = static_cast<std::uint8_t>(size);
  op.weak = weak;
  op.operand = value;
  return stop();
}

void refuse_stack_pointer(std::uint64_t value, std::uint64_t pc) {
  if (on_own_stack(value)) misuse(lane_context::misuse::stack_pointer_stored, nullptr, pc);
}

// How one access is cut into operations of 8 bytes or less. Where the compiler only knows an
// alignment below the size, so does a GPU's compiler: then the parts are aligned by themselves.
enum class cut : std::uint8_t { natural, by_alignment };

/// The unit of a plain access. 0: it has none. A misaligned access has none, so that the machine
/// rejects it.
std::uint32_t unit_of(std::uint64_t address, std::uint32_t size, bool weak) {
  if (!weak || address % size != 0) return 0;
  return current_lane().memory->unit_at(address);
}

std::uint32_t part_size(cut how, std::uint64_t address, std::uint64_t left) {
  std::uint32_t size = 8;
  while (size > left || (how == cut::by_alignment && address % size != 0)) size /= 2;
  return size;
}

// Units have functions of their own, which are not inlined: their variables would be in the images
// of lanes that have none.

/// `later`: the position of the instruction behind the store.
__attribute__((noinline)) void store_units(const lane_context::pending_store& store,
                                           std::uint32_t unit, const std::uint8_t* bytes,
                                           std::uint64_t later) {
  lane_context& lane = current_lane();
  for (std::uint32_t done = 0; done < store.size;) {
    const std::uint32_t size = std::min(unit, store.size - done);
    std::uint64_t value = 0;
    std::memcpy(&value, bytes + done, size);
    if (size == 8) refuse_stack_pointer(value, store.pc);
    lane.sequence = store.sequence + done;
    access(memory_kind::store, store.address + done, size, true, value, store.pc);
    done += size;
  }
  lane.sequence = later;
}

/// Carries out an announced plain store, now that its value is in memory.
void flush() {
  lane_context& lane = current_lane();
  if (lane.pending.size == 0) return;
  const lane_context::pending_store store = lane.pending;
  lane.pending = {};
  announce(store.address, store.size);
  const std::uint64_t later = lane.sequence;
  std::uint8_t bytes[16];
  std::memcpy(bytes, reinterpret_cast<const void*>(store.address), store.size);
  const cut how = store.by_alignment ? cut::by_alignment : cut::natural;
  if (const std::uint32_t unit = unit_of(store.address, store.size, store.weak)) {
    return store_units(store, unit, bytes, later);
  }
  for (std::uint32_t done = 0; done < store.size;) {
    const std::uint32_t size = part_size(how, store.address + done, store.size - done);
    std::uint64_t value = 0;
    std::memcpy(&value, bytes + done, size);
    if (size == 8) refuse_stack_pointer(value, store.pc);
    lane.sequence = store.sequence + done;
    access(memory_kind::store, store.address + done, size, store.weak, value, store.pc);
    done += size;
  }
  lane.sequence = later;
}

// Advances the position of an instruction between two branch stops: the order of its block, its
// number there, and room for the parts of one access. The position does not depend on the lane's
// path, which would tell the rounds of a spin loop apart. Without branch stops it is not needed.
void next_instruction() {
  if (current_lane().branch_stops) current_lane().sequence += std::uint64_t{1} << 32;
}

void load_parts(std::uint64_t address, std::uint32_t size, cut how, bool weak, void* bytes,
                std::uint64_t pc) {
  lane_context& lane = current_lane();
  const std::uint64_t first = lane.sequence;
  for (std::uint32_t done = 0; done < size;) {
    const std::uint32_t part = part_size(how, address + done, size - done);
    lane.sequence = first + done;
    const std::uint64_t value = access(memory_kind::load, address + done, part, weak, 0, pc);
    std::memcpy(static_cast<std::uint8_t*>(bytes) + done, &value, part);
    done += part;
  }
  lane.sequence = first;
}

/// An access of the whole at an address that is no multiple of its size, which no GPU carries out.
/// The machine rejects the operation and never answers it.
[[noreturn]] void refuse_misaligned(memory_kind kind, std::uint64_t address, std::uint32_t size,
                                    std::uint64_t pc) {
  access(kind, address, size, true, 0, pc);
  stop_for_good();
}

__attribute__((noinline)) void read_units(std::uint64_t address, std::uint32_t size,
                                          std::uint32_t unit, std::uint64_t pc) {
  lane_context& lane = current_lane();
  const std::uint64_t first = lane.sequence;
  const auto before = static_cast<std::uint32_t>(unit > size ? address % unit : 0);
  const std::uint32_t whole = std::min(std::max(size, unit), std::uint32_t{8});
  std::uint8_t bytes[16];
  for (std::uint32_t done = 0; done < before + size; done += unit) {
    lane.sequence = first + done;
    const std::uint64_t value = access(memory_kind::load, address - before + done, unit, true, 0,
                                       pc, unit < whole ? whole : 0);
    std::memcpy(bytes + done, &value, unit);
  }
  lane.sequence = first;
  announce(address, size);
  std::memcpy(reinterpret_cast<void*>(address), bytes + before, size);
}

/// Prepares a plain load: asks for the value, and leaves it where the load will find it.
void read(std::uint64_t address, std::uint32_t size, cut how, bool weak, std::uint64_t pc) {
  if (!current_lane().active) return;
  flush();
  next_instruction();
  if (is_private(address, size)) {
    if (how == cut::natural && address % size != 0)
      refuse_misaligned(memory_kind::load, address, size, pc);
    return;
  }
  if (const std::uint32_t unit = unit_of(address, size, weak)) {
    return read_units(address, size, unit, pc);
  }
  std::uint8_t bytes[16];
  load_parts(address, size, how, weak, bytes, pc);
  announce(address, size);
  std::memcpy(reinterpret_cast<void*>(address), bytes, size);
}

/// Prepares a plain store, which is carried out as an operation at the next stop (see flush).
void write(std::uint64_t address, std::uint32_t size, cut how, bool weak, std::uint64_t pc) {
  lane_context& lane = current_lane();
  if (!lane.active) return;
  flush();
  next_instruction();
  if (is_private(address, size)) {
    if (how == cut::natural && address % size != 0)
      refuse_misaligned(memory_kind::store, address, size, pc);
    if (on_own_stack(address)) return;
  }
  if (lane.memory->find(address, size) == nullptr) {
    // The store itself would fault. The machine rejects the operation and never answers it.
    access(memory_kind::store, address, size < 8 ? size : 8, weak, 0, pc);
    stop_for_good();
  }
  lane.pending = {address, size, weak, how == cut::by_alignment, pc, lane.sequence};
}

void copy(std::uint64_t to, std::uint64_t from, std::uint64_t size, bool backwards,
          std::uint64_t pc) {
  lane_context& lane = current_lane();
  flush();
  next_instruction();
  const bool from_private = is_private(from, size);
  const bool to_private = on_own_stack(to);
  const std::uint64_t first = lane.sequence;
  for (std::uint64_t done = 0; done < size;) {
    // The alignment of both ends decides the parts. Backwards, the last part comes first.
    const std::uint64_t left = size - done;
    const std::uint32_t forward =
        part_size(cut::by_alignment, (to + done) | (from + done) | 8, left);
    const std::uint32_t part = backwards ? 1 : forward;
    const std::uint64_t at = backwards ? left - 1 : done;
    std::uint64_t value = 0;
    lane.sequence = first + 2 * done;
    if (from_private) {
      std::memcpy(&value, reinterpret_cast<const void*>(from + at), part);
    } else {
      value = access(memory_kind::load, from + at, part, true, 0, pc);
    }
    lane.sequence = first + 2 * done + 1;
    if (to_private) {
      std::memcpy(reinterpret_cast<void*>(to + at), &value, part);
    } else {
      if (part == 8) refuse_stack_pointer(value, pc);
      access(memory_kind::store, to + at, part, true, value, pc);
    }
    done += part;
  }
  lane.sequence = first;
}

void fill(std::uint64_t to, int byte, std::uint64_t size, std::uint64_t pc) {
  lane_context& lane = current_lane();
  flush();
  next_instruction();
  if (on_own_stack(to)) {
    std::memset(reinterpret_cast<void*>(to), byte, size);
    return;
  }
  const std::uint64_t first = lane.sequence;
  const std::uint64_t pattern = 0x0101010101010101U * static_cast<std::uint8_t>(byte);
  for (std::uint64_t done = 0; done < size;) {
    const std::uint32_t part = part_size(cut::by_alignment, to + done, size - done);
    lane.sequence = first + done;
    const std::uint64_t value =
        part == 8 ? pattern : pattern & ((std::uint64_t{1} << 8 * part) - 1);
    access(memory_kind::store, to + done, part, true, value, pc);
    done += part;
  }
  lane.sequence = first;
}

/// Fetches the bytes at `at`. Where they are shared, the lane loads them.
void fetch(std::uint64_t at, std::uint64_t size, std::uint8_t* bytes, std::uint64_t pc) {
  if (is_private(at, size)) {
    std::memcpy(bytes, reinterpret_cast<const void*>(at), size);
  } else {
    load_parts(at, static_cast<std::uint32_t>(size), cut::by_alignment, true, bytes, pc);
  }
}

int compare(std::uint64_t a, std::uint64_t b, std::uint64_t size, std::uint64_t pc) {
  flush();
  for (std::uint64_t done = 0; done < size; done += 8) {
    const std::uint64_t part = size - done < 8 ? size - done : 8;
    std::uint8_t left[8];
    std::uint8_t right[8];
    next_instruction();
    fetch(a + done, part, left, pc);
    next_instruction();
    fetch(b + done, part, right, pc);
    if (const int order = std::memcmp(left, right, part)) return order;
  }
  return 0;
}

/// Starts an operation that is no access.
operation& begin_instruction(operation_kind kind, std::uint64_t pc) {
  flush();
  next_instruction();
  return begin(kind, pc);
}

/// The control words: how numbers are rounded, and the like.
std::uint64_t control_words() {
#if defined(__x86_64__)
  std::uint16_t x87 = 0;
  __asm__("fnstcw %0" : "=m"(x87));
  return std::uint64_t{x87} << 32 | (__builtin_ia32_stmxcsr() & ~mxcsr_flags);
#else
  return 0;
#endif
}

/// `state`: the begin of the lane's state, which ends with its stack (silent_rounds.hpp) and has
/// room for the control words. Null: the state is not known.
void enter_block(std::uint32_t block, std::uint64_t pc, std::uint64_t* state) {
  lane_context& lane = current_lane();
  const subject_library& library = *lane.library;
  lane.last_pc = pc;
  if (lane.block != no_block && library.blocks[block].function == block) {
    misuse(lane_context::misuse::not_inlined, nullptr, pc);
  }
  if (++lane.blocks_run > runaway_limit) misuse(lane_context::misuse::runaway, nullptr, pc);
  if (lane.branch_stops && lane.block != no_block) {
    const block_role& left = library.roles[lane.block];
    bool stops = left.branches || library.roles[block].is_reconvergence;
    for (const std::uint32_t head : left.back_edges) stops = stops || head == block;
    if (stops) {
      flush();
      if (lane.way_length == lane.way.size()) {
        lane.way_is_full = true;
        stop();
      }
      lane.way[lane.way_length++] = {lane.block, block, pc};
    }
  }
  lane.block = block;
  if (lane.branch_stops) lane.sequence = std::uint64_t{library.roles[block].order} << 48;
  if (lane.blocks_run < silent_rounds::first_look || state == nullptr) return;
  const std::span<std::uint64_t> words(state, reinterpret_cast<std::uint64_t*>(lane.stack_end));
  if (lane.rounds.is_apart(block, lane.blocks_run, words)) return;
  *state = control_words();
  if (!lane.rounds.ends_at(block, lane.blocks_run, words)) return;
  begin_instruction(operation_kind::endless, pc);
  stop_for_good();
}

/// A memory operation of the API, as hooks get it.
struct memory_call {
  std::uint32_t packed;  // pack_memory
  std::uint64_t address, operand, compare;
};

void describe(operation& op, const memory_call& call) {
  op.memory = static_cast<memory_kind>(call.packed & 0xff);
  op.size = static_cast<std::uint8_t>(call.packed >> 8);
  op.order = static_cast<memory_order>(call.packed >> 16 & 0x7f);
  op.mask = (call.packed & detail::returns_nothing) != 0 ? 1
            : (call.packed & detail::result_unused) != 0 ? 2
                                                         : 0;
  op.scope = static_cast<thread_scope>(call.packed >> 24 & 7);
  op.number = (call.packed & ~detail::result_unused) >> detail::copy_number_at;
  op.address = call.address;
  op.operand = call.operand;
  op.compare = call.compare;
}

/// Carries out a memory operation of the API in host code (a final check).
[[gnu::noinline]] std::uint64_t on_host(std::uint32_t packed, std::uint64_t address,
                                        std::uint64_t operand, std::uint64_t compare) {
  operation op;
  op.kind = operation_kind::memory;
  describe(op, {packed, address, operand, compare});
  std::uint64_t old = 0;
  std::memcpy(&old, reinterpret_cast<const void*>(op.address), op.size);
  const std::uint64_t next = apply(op, old);
  std::memcpy(reinterpret_cast<void*>(op.address), &next, op.size);
  return answer(op, old);
}

/// No operation is put together on the lane's stack: what lies there is a part of the lane's image.
[[gnu::always_inline]] inline std::uint64_t atomic(std::uint32_t packed, std::uint64_t address,
                                                   std::uint64_t operand, std::uint64_t compare,
                                                   std::uint64_t pc) {
  lane_context& lane = current_lane();
  if (!lane.active) return on_host(packed, address, operand, compare);
  flush();
  next_instruction();
  if (on_own_stack(address)) return on_host(packed, address, operand, compare);
  const auto kind = static_cast<memory_kind>(packed & 0xff);
  const std::uint32_t size = packed >> 8 & 0xff;
  if (size == 8 && kind != memory_kind::load) refuse_stack_pointer(operand, pc);
  operation& op = begin(operation_kind::memory, pc);
  describe(op, {packed, address, operand, compare});
  // On an mbarrier, which has 8 bytes, a copy only asks for the mark. A store that compares with
  // something begins or ends an mbarrier.
  const bool copies = kind == memory_kind::async_load || kind == memory_kind::async_store;
  op.weak = (copies && size == 4) || (kind == memory_kind::store && compare != 0);
  return stop();
}

/// Asks about the lane's own place. Between two operations of other kinds, the lane stops only once
/// for the same question. Otherwise a loop that reads an index would stop in each round.
std::uint64_t ask_place(operation_kind kind, std::uint32_t number, std::uint64_t pc) {
  lane_context& lane = current_lane();
  begin_instruction(kind, pc).number = number;
  for (std::size_t i = 0; i < lane.told_count; ++i) {
    if (lane.told[i].question == fact_question(kind, number)) return lane.told[i].answer;
  }
  return stop();
}

}  // namespace

// Code makes room for small local variables by pushing rax. That register must hold poison at the
// start, or such a variable would have a value that the lane was not given.
#if defined(__x86_64__)
__asm__(
    ".pushsection .text\n"
    ".globl simt_enter\n\t.hidden simt_enter\n\t.type simt_enter, @function\n"
    "simt_enter:\n\t"
    "mov %rcx, %r11\n\t"
    "mov %rdx, %rax\n\tmov %rdx, %rcx\n\tmov %rdx, %r8\n\tmov %rdx, %r9\n\tmov %rdx, %r10\n\t"
    "jmp *%r11\n"
    ".size simt_enter, .-simt_enter\n"
    ".popsection");
extern "C" void enter(void* object, std::uint32_t repeat, std::uint64_t poison,
                      void* code) __asm__("simt_enter");
#else
static void enter(void* object, std::uint32_t repeat, std::uint64_t, void* code) {
  reinterpret_cast<void (*)(void*, std::uint32_t)>(code)(object, repeat);
}
#endif

void lane_entry(boost::context::detail::transfer_t from) {
  lane_context& lane = current_lane();
  lane.host = from.fctx;
#if defined(__x86_64__)
  // Earlier code on this stack has left values where the body's variables will lie. They must read
  // as uninitialized. A call would leave values itself, so this is inline assembly.
  std::uint64_t from_here = lane.stack_opened;
  std::uint64_t count = 0;
  const std::uint64_t poison = lane.poison;  // its low byte counts
  __asm__ volatile("mov %%rsp, %%rcx\n\tsub %%rdi, %%rcx\n\trep stosb"
                   : "+D"(from_here), "=&c"(count)
                   : "a"(poison)
                   : "memory");
#endif
  if (lane.init != nullptr) {
    enter(lane.object, 0, lane.poison, reinterpret_cast<void*>(lane.init));
  } else {
    enter(lane.object, lane.repeat, lane.poison, reinterpret_cast<void*>(lane.body));
  }
  begin_instruction(operation_kind::exited, 0);
  stop_for_good();
}

}  // namespace simt

using simt::begin_instruction;
using simt::current_lane;
using simt::cut;
using simt::operation;
using simt::operation_kind;

#define HERE reinterpret_cast<std::uint64_t>(__builtin_return_address(0))
#define AT(pointer) reinterpret_cast<std::uint64_t>(pointer)

namespace {
simt::memory_order order_of(int order) { return static_cast<simt::memory_order>(order); }

template <class T>
T atomic_operation(simt::detail::memory_kind kind, const volatile T* at, std::uint64_t operand,
                   std::uint64_t compare, int order, std::uint64_t pc) {
  const std::uint32_t packed =
      simt::detail::pack_memory(kind, sizeof(T), order_of(order), simt::thread_scope_system);
  return static_cast<T>(simt::atomic(packed, AT(at), operand, compare, pc));
}
}  // namespace

// These names are fixed by the compiler's passes and by the linker's --wrap.
extern "C" {

// --- the API ---

std::uint64_t simt_hook_memory(std::uint32_t packed, void* address, std::uint64_t operand,
                               std::uint64_t compare) {
  return simt::atomic(packed, AT(address), operand, compare, HERE);
}

void simt_hook_fence(std::uint32_t packed) {
  if (!current_lane().active) return;
  operation& op = begin_instruction(operation_kind::fence, HERE);
  op.order = static_cast<simt::memory_order>(packed & 0xff);
  op.scope = static_cast<simt::thread_scope>(packed >> 8 & 0xff);
  op.mask = (packed & simt::detail::one_sided) != 0 ? 1 : 0;
  simt::stop();
}

std::uint64_t simt_hook_collective(std::uint32_t kind, std::uint32_t mask, std::uint64_t value,
                                   std::uint32_t shfl) {
  if (!current_lane().active) return 0;
  const auto what = static_cast<simt::detail::collective_kind>(kind);
  if (what == simt::detail::collective_kind::undefined && value == 0) return 0;
  operation& op = begin_instruction(operation_kind::collective, HERE);
  op.collective = what;
  // Lanes without a use pass no instruction here. So in lockstep none of them counts as earlier.
  if (what == simt::detail::collective_kind::undefined) op.sequence = 0;
  op.mask = mask;
  op.operand = value;
  op.shfl = shfl;
  return simt::stop();
}

std::uint32_t simt_hook_barrier(std::uint32_t packed, std::uint32_t id, std::uint32_t threads,
                                bool yes) {
  if (!current_lane().active) return 0;
  using enum simt::detail::barrier_kind;
  const auto what = static_cast<simt::detail::barrier_kind>(packed & 0xff);
  const bool is_named = what == named_sync || what == named_arrive;
  if (is_named && (id > 15 || (what == named_arrive && threads == 0))) {
    simt::misuse(simt::lane_context::misuse::no_such_barrier, nullptr, HERE);
  }
  const bool is_whole = what == syncthreads || (what == named_sync && threads == 0);
  const std::uint32_t warps = threads / 32;
  operation& op = begin_instruction(operation_kind::barrier, HERE);
  op.mask = packed >> 8;
  op.barrier = is_whole                 ? simt::barrier_part::syncthreads
               : what == cluster_sync   ? simt::barrier_part::cluster
               : what == grid_sync      ? simt::barrier_part::grid
               : what == cluster_wait   ? simt::barrier_part::cluster_wait
               : what == cluster_arrive ? simt::barrier_part::cluster_arrive
                                        : simt::barrier_part::arrive;
  op.number = id;
  op.count = warps;
  op.compare = what == named_sync && !is_whole ? 1 : 0;
  op.operand = yes ? 1 : 0;
  const auto told = static_cast<std::uint32_t>(simt::stop());
  if (what != named_sync || is_whole) return told;
  // An arrival that completes the barrier has nothing to wait for (grid_barriers::answer).
  if ((told & 1) != 0) return told >> 1;
  operation& wait = begin_instruction(operation_kind::barrier, HERE);
  wait.mask = packed >> 8;
  wait.barrier = simt::barrier_part::wait;
  wait.number = id;
  wait.count = warps;
  wait.operand = yes ? 1 : 0;
  return static_cast<std::uint32_t>(simt::stop());
}

void simt_hook_nanosleep(std::uint32_t nanoseconds) {
  if (!current_lane().active) return;
  begin_instruction(operation_kind::nanosleep, HERE).count = nanoseconds;
  simt::stop();
}

std::uint32_t simt_hook_choose(std::uint32_t count) {
  if (!current_lane().active) return 0;
  if (count == 0 || count > simt::most_chosen) {
    simt::misuse(simt::lane_context::misuse::no_such_choice, nullptr, HERE);
  }
  begin_instruction(operation_kind::choose, HERE).count = count;
  return static_cast<std::uint32_t>(simt::stop());
}

std::uint32_t simt_hook_index(std::uint32_t kind) {
  if (!current_lane().active) return 0;
  return static_cast<std::uint32_t>(simt::ask_place(operation_kind::index, kind, HERE));
}

void* simt_hook_shared(std::uint32_t packed) {
  if (!current_lane().active) return nullptr;
  return reinterpret_cast<void*>(simt::ask_place(operation_kind::shared, packed, HERE));
}

std::uint64_t simt_hook_fma(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  return std::bit_cast<std::uint64_t>(
      std::fma(std::bit_cast<double>(a), std::bit_cast<double>(b), std::bit_cast<double>(c)));
}

bool simt_hook_was_initially(const void* address, std::uint32_t size, std::uint64_t value) {
  const simt::lane_context& lane = current_lane();
  if (!lane.active || lane.memory == nullptr) return true;
  const simt::allocation* const there = lane.memory->find(AT(address), size);
  if (there == nullptr) return true;
  const std::uint64_t offset = there->offset + (AT(address) - there->address);
  return std::memcmp(lane.memory->initial_image().data() + offset, &value, size) == 0;
}

void simt_hook_aligned(const void* address, std::uint32_t size, bool writes) {
  if (!current_lane().active || AT(address) % size == 0) return;
  simt::flush();
  simt::next_instruction();
  simt::refuse_misaligned(writes ? simt::memory_kind::store : simt::memory_kind::load, AT(address),
                          size, HERE);
}

std::uint64_t simt_hook_assignment(std::uint32_t number, std::uint32_t part) {
  if (!current_lane().active) return simt::detail::no_operation;
  operation& op = begin_instruction(operation_kind::assignment, HERE);
  op.number = number;
  op.count = part;
  return simt::stop();
}

void simt_hook_call(std::uint32_t operation, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  if (!current_lane().active) return;
  simt::operation& op = begin_instruction(operation_kind::called, HERE);
  op.number = operation;
  op.address = a;
  op.operand = b;
  op.compare = c;
  simt::stop();
}

void simt_hook_return(std::uint32_t operation, std::uint32_t is_some, std::uint64_t value) {
  if (!current_lane().active) return;
  simt::operation& op = begin_instruction(operation_kind::returned, HERE);
  op.number = operation;
  op.count = is_some;
  op.operand = value;
  simt::stop();
}

void simt_hook_copies();  // in detail/copies.hpp
void simt_hook_copies() {}

void simt_hook_linearization_point(std::uint32_t here) {
  if (!current_lane().active) return;
  begin_instruction(operation_kind::point, HERE).count = here;
  simt::stop();
}

void simt_hook_fail(const char* message) {
  if (!current_lane().active) return;
  begin_instruction(operation_kind::fail, HERE).address = AT(message);
  simt::stop();
}

void simt_hook_misuse(const char* message) {
  if (!current_lane().active) return;
  simt::misuse(simt::lane_context::misuse::of_workload, message, HERE);
}

// Carries out earlier stores before the line.
void simt_hook_print_begin() {
  if (!current_lane().active) return;
  simt::flush();
  current_lane().line_length = 0;
}

void simt_hook_print_value(std::uint64_t value) {
  simt::lane_context& lane = current_lane();
  if (lane.active && lane.line_length < lane.line_values.size())
    lane.line_values[lane.line_length++] = value;
}

// The runner takes the line and lets the lane go on. That is no operation, and nothing of it is in
// an image.
void simt_hook_print(const char* format) {
  simt::lane_context& lane = current_lane();
  if (!lane.active) return;
  lane.line = format;
  lane.line_pc = HERE;
  simt::stop();
}

void simt_hook_exit() {
  if (current_lane().active) simt::flush();
}

// --- SanitizerCoverage ---

#if defined(__x86_64__)
// Pushes the registers that calls preserve in front of the lane's stack, which starts with the
// return address of the call. In front of these it leaves room for the control words.
__asm__(
    ".pushsection .text\n"
    ".globl __sanitizer_cov_trace_pc_guard\n\t"
    ".type __sanitizer_cov_trace_pc_guard, @function\n"
    "__sanitizer_cov_trace_pc_guard:\n\t"
    "push %rbp\n\tpush %rbx\n\tpush %r12\n\tpush %r13\n\tpush %r14\n\tpush %r15\n\t"
    "sub $8, %rsp\n\t"
    "mov %rsp, %rsi\n\t"
    "call simt_enter_block\n\t"
    "add $8, %rsp\n\t"
    "pop %r15\n\tpop %r14\n\tpop %r13\n\tpop %r12\n\tpop %rbx\n\tpop %rbp\n\t"
    "ret\n"
    ".size __sanitizer_cov_trace_pc_guard, .-__sanitizer_cov_trace_pc_guard\n"
    ".popsection");
[[gnu::used, gnu::visibility("hidden")]] void simt_enter_block(std::uint32_t* guard,
                                                               std::uint64_t* state) {
  const simt::lane_context& lane = current_lane();
  if (lane.active)
    simt::enter_block(static_cast<std::uint32_t>(guard - lane.library->guards), state[7], state);
}
#else
void __sanitizer_cov_trace_pc_guard(std::uint32_t* guard) {
  const simt::lane_context& lane = current_lane();
  if (lane.active)
    simt::enter_block(static_cast<std::uint32_t>(guard - lane.library->guards), HERE, nullptr);
}
#endif

// --- ThreadSanitizer's pass: plain and volatile accesses ---

#define PLAIN_ACCESS(size)                                                                   \
  void __tsan_read##size(void* at) { simt::read(AT(at), size, cut::natural, true, HERE); }   \
  void __tsan_write##size(void* at) { simt::write(AT(at), size, cut::natural, true, HERE); } \
  void __tsan_volatile_read##size(void* at) {                                                \
    simt::read(AT(at), size, cut::natural, false, HERE);                                     \
  }                                                                                          \
  void __tsan_volatile_write##size(void* at) {                                               \
    simt::write(AT(at), size, cut::natural, false, HERE);                                    \
  }                                                                                          \
  void __tsan_read_write##size(void* at) {                                                   \
    simt::read(AT(at), size, cut::natural, true, HERE);                                      \
    simt::write(AT(at), size, cut::natural, true, HERE);                                     \
  }
PLAIN_ACCESS(1)
PLAIN_ACCESS(2)
PLAIN_ACCESS(4)
PLAIN_ACCESS(8)
PLAIN_ACCESS(16)

#define UNALIGNED_ACCESS(size)                                 \
  void __tsan_unaligned_read##size(void* at) {                 \
    simt::read(AT(at), size, cut::by_alignment, true, HERE);   \
  }                                                            \
  void __tsan_unaligned_write##size(void* at) {                \
    simt::write(AT(at), size, cut::by_alignment, true, HERE);  \
  }                                                            \
  void __tsan_unaligned_volatile_read##size(void* at) {        \
    simt::read(AT(at), size, cut::by_alignment, false, HERE);  \
  }                                                            \
  void __tsan_unaligned_volatile_write##size(void* at) {       \
    simt::write(AT(at), size, cut::by_alignment, false, HERE); \
  }
UNALIGNED_ACCESS(2)
UNALIGNED_ACCESS(4)
UNALIGNED_ACCESS(8)
UNALIGNED_ACCESS(16)

void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void** at, void*) { simt::write(AT(at), 8, cut::natural, true, HERE); }
void __tsan_vptr_read(void** at) { simt::read(AT(at), 8, cut::natural, true, HERE); }

void* __tsan_memcpy(void* to, const void* from, std::size_t size) {
  if (!current_lane().active) return std::memcpy(to, from, size);
  simt::copy(AT(to), AT(from), size, false, HERE);
  return to;
}
void* __tsan_memmove(void* to, const void* from, std::size_t size) {
  if (!current_lane().active) return std::memmove(to, from, size);
  simt::copy(AT(to), AT(from), size, to > from, HERE);
  return to;
}
void* __tsan_memset(void* to, int byte, std::size_t size) {
  if (!current_lane().active) return std::memset(to, byte, size);
  simt::fill(AT(to), byte, size, HERE);
  return to;
}

// --- ThreadSanitizer's pass: the compiler's own atomics (std::atomic, __atomic_*), system scope
// ---

#define COMPILER_ATOMICS(bits, T)                                                                  \
  T __tsan_atomic##bits##_load(const volatile T* at, int order) {                                  \
    return atomic_operation(simt::detail::memory_kind::load, at, 0, 0, order, HERE);               \
  }                                                                                                \
  void __tsan_atomic##bits##_store(volatile T* at, T value, int order) {                           \
    atomic_operation(simt::detail::memory_kind::store, at, value, 0, order, HERE);                 \
  }                                                                                                \
  T __tsan_atomic##bits##_exchange(volatile T* at, T value, int order) {                           \
    return atomic_operation(simt::detail::memory_kind::exchange, at, value, 0, order, HERE);       \
  }                                                                                                \
  T __tsan_atomic##bits##_fetch_add(volatile T* at, T value, int order) {                          \
    return atomic_operation(simt::detail::memory_kind::add, at, value, 0, order, HERE);            \
  }                                                                                                \
  T __tsan_atomic##bits##_fetch_sub(volatile T* at, T value, int order) {                          \
    return atomic_operation(simt::detail::memory_kind::add, at, static_cast<T>(T{0} - value), 0,   \
                            order, HERE);                                                          \
  }                                                                                                \
  T __tsan_atomic##bits##_fetch_and(volatile T* at, T value, int order) {                          \
    return atomic_operation(simt::detail::memory_kind::bit_and, at, value, 0, order, HERE);        \
  }                                                                                                \
  T __tsan_atomic##bits##_fetch_or(volatile T* at, T value, int order) {                           \
    return atomic_operation(simt::detail::memory_kind::bit_or, at, value, 0, order, HERE);         \
  }                                                                                                \
  T __tsan_atomic##bits##_fetch_xor(volatile T* at, T value, int order) {                          \
    return atomic_operation(simt::detail::memory_kind::bit_xor, at, value, 0, order, HERE);        \
  }                                                                                                \
  int __tsan_atomic##bits##_compare_exchange_strong(volatile T* at, T* expected, T value,          \
                                                    int order, int) {                              \
    const T old = atomic_operation(simt::detail::memory_kind::compare_exchange, at, value,         \
                                   *expected, order, HERE);                                        \
    const bool same = old == *expected;                                                            \
    *expected = old;                                                                               \
    return same;                                                                                   \
  }                                                                                                \
  int __tsan_atomic##bits##_compare_exchange_weak(volatile T* at, T* expected, T value, int order, \
                                                  int other) {                                     \
    return __tsan_atomic##bits##_compare_exchange_strong(at, expected, value, order, other);       \
  }                                                                                                \
  T __tsan_atomic##bits##_compare_exchange_val(volatile T* at, T expected, T value, int order,     \
                                               int) {                                              \
    return atomic_operation(simt::detail::memory_kind::compare_exchange, at, value, expected,      \
                            order, HERE);                                                          \
  }
COMPILER_ATOMICS(8, std::uint8_t)
COMPILER_ATOMICS(16, std::uint16_t)
COMPILER_ATOMICS(32, std::uint32_t)
COMPILER_ATOMICS(64, std::uint64_t)

void __tsan_atomic_thread_fence(int order) {
  simt_hook_fence(simt::detail::pack_fence(order_of(order), simt::thread_scope_system));
}
void __tsan_atomic_signal_fence(int) {}

// --- what a lane must not call; subjects are linked with --wrap for these names ---

[[noreturn]] void __wrap___assert_fail(const char* expression, const char* file, unsigned line,
                                       const char* function);
void __assert_fail(const char*, const char*, unsigned, const char*) noexcept;

void __wrap___assert_fail(const char* expression, const char* file, unsigned line,
                          const char* function) {
  if (!current_lane().active) {
    __assert_fail(expression, file, line, function);
    __builtin_unreachable();
  }
  begin_instruction(operation_kind::fail, HERE).address = AT(expression);
  simt::stop_for_good();
}

int __wrap_memcmp(const void* a, const void* b, std::size_t size) {
  if (!current_lane().active) return std::memcmp(a, b, size);
  return simt::compare(AT(a), AT(b), size, HERE);
}
int __wrap_bcmp(const void* a, const void* b, std::size_t size) {
  if (!current_lane().active) return std::memcmp(a, b, size);
  return simt::compare(AT(a), AT(b), size, HERE);
}

#define REFUSE(name) \
  if (current_lane().active) simt::misuse(simt::lane_context::misuse::allocation, name, HERE)

void* __wrap_malloc(std::size_t size) {
  REFUSE("malloc");
  return std::malloc(size);
}
void* __wrap_calloc(std::size_t n, std::size_t size) {
  REFUSE("calloc");
  return std::calloc(n, size);
}
void* __wrap_realloc(void* at, std::size_t size) {
  REFUSE("realloc");
  return std::realloc(at, size);
}
void __wrap_free(void* at) {
  REFUSE("free");
  std::free(at);
}
void* __wrap_aligned_alloc(std::size_t align, std::size_t size) {
  REFUSE("aligned_alloc");
  return std::aligned_alloc(align, size);
}
int __wrap_posix_memalign(void** at, std::size_t align, std::size_t size) {
  REFUSE("posix_memalign");
  return ::posix_memalign(at, align, size);
}
void* __wrap__Znwm(std::size_t size) {
  REFUSE("new");
  return ::operator new(size);
}
void* __wrap__Znam(std::size_t size) {
  REFUSE("new[]");
  return ::operator new[](size);
}
void __wrap__ZdlPv(void* at) {
  REFUSE("delete");
  ::operator delete(at);
}
void __wrap__ZdlPvm(void* at, std::size_t) {
  REFUSE("delete");
  ::operator delete(at);
}
void __wrap__ZdaPv(void* at) {
  REFUSE("delete[]");
  ::operator delete[](at);
}
void __wrap__ZdaPvm(void* at, std::size_t) {
  REFUSE("delete[]");
  ::operator delete[](at);
}

}  // extern "C"
