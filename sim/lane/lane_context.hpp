// The one place of global state: the data that instrumented code's callbacks share with the runner.
//
// Compiled code calls the hooks with no argument that could carry a context, and all lanes run on
// one stack under one lock. So this is a single object of the process.
#pragma once

#include <array>
#include <cstdint>

#include <boost/context/detail/fcontext.hpp>

#include "sim/lane/device_memory.hpp"
#include "sim/lane/operation.hpp"
#include "sim/lane/silent_rounds.hpp"

namespace simt {

struct lane_context {
  enum class misuse : std::uint8_t {
    none,
    allocation,
    not_inlined,
    stack_pointer_stored,
    runaway,
    no_such_barrier,
    no_such_choice,
    too_many_accesses,
    of_workload,  // `wrong_detail` says what
  };

  bool active = false;  // device code is running
  bool branch_stops = false;
  boost::context::detail::fcontext_t host{};
  boost::context::detail::fcontext_t lane{};
  std::uint64_t stack_begin = 0, stack_end = 0;
  std::uint64_t stack_opened = 0;  // no lane has accessed the stack below
  const subject_library* library = nullptr;
  const device_memory* memory = nullptr;

  // What a lane calls when it starts.
  void (*body)(void*, std::uint32_t) = nullptr;
  void (*init)(void*) = nullptr;
  void* object = nullptr;
  std::uint32_t repeat = 0;

  // About the running lane.
  operation next;  // filled by a hook before it stops
  /// The lane's last known position: its last operation, or the last block that it entered.
  std::uint64_t last_pc = 0;
  std::uint64_t answer = 0;
  std::uint64_t poison = 0;  // for registers that a call may leave undefined
  std::uint32_t block = no_block;
  std::uint64_t sequence = 0;
  std::uint64_t blocks_run = 0;  // since the last stop
  silent_rounds rounds;          // watches these blocks

  // The branch stops that the lane has passed, where the model asks for control flow. The lane must
  // not allocate, so it stops when the array is full, and the runner takes them.
  std::array<branch_stop, 256> way{};
  std::size_t way_length = 0;
  bool way_is_full = false;

  // A printed line. The runner takes it, and the lane then goes on.
  const char* line = nullptr;  // the format; null: no line
  std::uint64_t line_pc = 0;
  std::array<std::uint64_t, 32> line_values{};
  std::size_t line_length = 0;

  std::array<place_fact, 16> told{};  // answers since the lane last waited for anything else
  std::size_t told_count = 0;
  misuse wrong = misuse::none;
  const char* wrong_detail = nullptr;
  std::uint64_t wrong_pc = 0;

  // A plain store is announced before it happens, and is carried out as an operation at the next
  // stop.
  struct pending_store {
    std::uint64_t address = 0;
    std::uint32_t size = 0;  // 0: none
    bool weak = true;
    bool by_alignment = false;  // parts may be aligned by themselves
    std::uint64_t pc = 0;
    std::uint64_t sequence = 0;
  } pending;

  // Ranges of device memory that this run was given, or has announced to write.
  std::array<device_memory::range, 64> announced{};
  std::size_t announced_count = 0;
};

lane_context& current_lane();

/// Entry point of a fresh lane on its own stack.
void lane_entry(boost::context::detail::transfer_t from);

}  // namespace simt
