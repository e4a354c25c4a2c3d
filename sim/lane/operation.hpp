// A visible operation: what a stopped lane is about to do.
#pragma once

#include <cstdint>
#include <type_traits>

#include <simt/detail/agent.hpp>
#include <simt/detail/types.hpp>

namespace simt {

enum class operation_kind : std::uint8_t {
  exited,  // the lane has returned from its body
  memory,  // load, store or read-modify-write
  fence,
  collective,
  barrier,  // syncthreads, and both halves of a named barrier
  nanosleep,
  choose,      // the environment answers with any number below `count`
  index,       // answered at once, takes no step
  shared,      // the address of a block-shared variable: takes no step
  assignment,  // what the lane is to do next: takes no step
  called,      // an operation of an object starts
  returned,    // an operation of an object ends
  point,       // an operation of an object has taken effect with the lane's last step: takes no
               // step
  branch,      // only where the model asks for control flow: not a stop of its own (branch_stop)
  fail,        // a failed assertion
  fault,       // no operation: device code misbehaved on the way here (lane_program::speculate)
  endless,     // no operation: the lane loops here for ever without any further operation
};

/// The largest operand of simt::choose.
inline constexpr std::uint32_t most_chosen = 0x10000;

/// The part of a barrier at which a lane stands. `arrive`, `wait`: of a named barrier. `cluster`,
/// `grid`: like syncthreads, of all lanes of a cluster or of the whole grid. `cluster_arrive`,
/// `cluster_wait`: the two halves of a cluster's barrier.
enum class barrier_part : std::uint8_t {
  syncthreads,
  arrive,
  wait,
  cluster,
  grid,
  cluster_arrive,
  cluster_wait
};

/// Plain data without padding: compared and hashed as bytes.
struct operation {
  operation_kind kind{};
  detail::memory_kind memory{};          // memory
  detail::collective_kind collective{};  // collective
  barrier_part barrier{};                // barrier
  std::uint8_t size = 0;                 // memory: bytes, 1, 2, 4 or 8
  bool weak = false;                     // memory: a plain access
  memory_order order{};                  // memory, fence
  thread_scope scope{};                  // memory, fence
  std::uint32_t mask = 0;  // collective; barrier: how it is called. Memory: 1 if the lane gets no
                           // result, 2 if no code reads it: the answer is 0 in both. Fence: 1 if it
                           // acquires or releases only, as `order` says
  std::uint32_t shfl = 0;  // collective: pack_shfl
  std::uint32_t number = 0;  // barrier: id; index: index_kind; shared: slot; assignment: which one;
                             // memory: the copy that makes it, or of_desk (agent.hpp);
                             // called, returned: the operation, by the subject's list
  std::uint32_t count = 0;   // barrier: warps; nanosleep: ns; choose: values; assignment: part;
                             // returned: is_some; point: whether it is one; memory: of a load in
                             // units, bytes of the whole (0: the load is the whole)
  std::uint32_t block = 0;   // the basic block that the lane is in (branch: that it has left)
  std::uint32_t target = 0;  // branch: the basic block that it enters
  std::uint64_t sequence = 0;  // rises from one branch stop to the next (only with branch stops)
  std::uint64_t address = 0;   // memory; fail: the message; called: first argument
  std::uint64_t operand = 0;   // memory: stored or combined, of a load the bits that it tells (0:
                               // all), pools: nodes of the word, or which one is retired;
                               // collective: the lane's value; barrier: whether it says yes;
                               // called: second argument; returned: the value
  std::uint64_t compare = 0;   // compare_exchange: expected; pool_take: whether nodes are used
                               // again; called: third argument; barrier: whether the lane waits
  std::uint64_t pc = 0;        // return address of the call that stopped the lane

  [[nodiscard]] bool writes() const {
    return kind == operation_kind::memory && memory != detail::memory_kind::load;
  }
};
static_assert(std::has_unique_object_representations_v<operation>);

/// A branch, or the entry of a reconvergence block, that a lane passes on its way to its next stop.
struct branch_stop {
  std::uint32_t left = 0, entered = 0;  // basic blocks
  std::uint64_t pc = 0;                 // in the block that it enters
  friend bool operator==(const branch_stop&, const branch_stop&) = default;
};

/// An answer that a lane got about its own place. Such an answer never changes.
struct place_fact {
  std::uint64_t question = 0;  // fact_question
  std::uint64_t answer = 0;
  friend bool operator==(const place_fact&, const place_fact&) = default;
};

/// The kind and number of an operation that asks about the lane's place (index, shared).
constexpr std::uint64_t fact_question(operation_kind kind, std::uint32_t number) {
  return std::uint64_t{static_cast<std::uint8_t>(kind)} << 32 | number;
}
[[nodiscard]] constexpr bool asks_for_place(const operation& op) {
  return op.kind == operation_kind::index || op.kind == operation_kind::shared;
}

/// Carries out a memory operation on `old`, and returns the value stored. Sizes below 8 use the low
/// bytes.
std::uint64_t apply(const operation& op, std::uint64_t old);
/// The answer that a lane gets from a memory operation on `old`, without marks (tells_marks()).
std::uint64_t answer(const operation& op, std::uint64_t old);
/// Whether answer() lacks a bit that memory may add: `marked`.
[[nodiscard]] constexpr bool tells_marks(const operation& op) {
  return op.memory == detail::memory_kind::async_load ||
         op.memory == detail::memory_kind::async_store;
}
/// Whether an access only loads, or only stores.
[[nodiscard]] constexpr bool is_load(const operation& op) {
  return op.memory == detail::memory_kind::load || op.memory == detail::memory_kind::async_load;
}
[[nodiscard]] constexpr bool is_store(const operation& op) {
  return op.memory == detail::memory_kind::store || op.memory == detail::memory_kind::async_store;
}
/// Whether the operation is no access, but asks for a mark or takes marks away. (On an mbarrier,
/// which has 8 bytes, a copy only asks for the mark.)
[[nodiscard]] constexpr bool concerns_marks_only(const operation& op) {
  using enum detail::memory_kind;
  return op.memory == proxy_fence || (op.memory == async_load && op.size == 8);
}
/// Whether a memory operation neither reads nor changes a value.
[[nodiscard]] constexpr bool touches_no_value(const operation& op) {
  return concerns_marks_only(op) || op.memory == detail::memory_kind::copy_view;
}
/// Whether the answer is the number of a copy that begins, which memory chooses.
[[nodiscard]] constexpr bool numbers_copy(const operation& op) {
  return op.memory == detail::memory_kind::copy_view &&
         op.operand == static_cast<std::uint64_t>(detail::copy_views::taken);
}
/// For numbers_copy(): whether a copy under way has this number.
[[nodiscard]] constexpr bool is_in_use(const operation& op, std::uint32_t number) {
  return (op.compare >> number & 1) != 0;
}
/// Whether the operation is at a word that is no part of the program (agent.hpp).
[[nodiscard]] constexpr bool is_of_desk(const operation& op) {
  return op.kind == operation_kind::memory && op.number == detail::of_desk;
}
/// The generic proxy has written there since the last proxy fence.
inline constexpr std::uint64_t marked = std::uint64_t{1} << 32;
/// Whether a compare-exchange does not find what it expects: then it is a load.
bool fails(const operation& op, std::uint64_t old);

/// The result of a reduction of two values of 4 bytes.
std::uint32_t reduced(detail::collective_kind kind, std::uint32_t a, std::uint32_t b);

}  // namespace simt
