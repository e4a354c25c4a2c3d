// The threads of a launch as fibers, of which one runs at a time.
//
// Models: blocks, warps and lanes; barriers, collectives; shared memory. Each lane runs until it
// waits, or has looked at memory that others may change. Does not model: weak memory. What lanes
// see is one of the executions under sc.
#pragma once

#include <array>
#include <boost/context/fiber.hpp>
#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "exec/plan/plan.hpp"

#include <simt/detail/hooks.hpp>

namespace warpcheck::carry {

struct block;

struct lane {
  enum class state : std::uint8_t { ready, at_collective, at_barrier, done };

  block* of = nullptr;
  std::uint32_t thread = 0;  // in the block
  state now = state::ready;
  boost::context::fiber fiber;

  // What the lane waits at, and the answer to it.
  const void* at = nullptr;  // return address of the hook
  simt::detail::collective_kind collective{};
  std::uint32_t mask = 0, shfl = 0;
  std::uint64_t value = 0;
  simt::detail::barrier_kind barrier{};
  std::uint32_t number = 0, count = 0, called = 0;

  [[nodiscard]] std::uint32_t warp() const { return thread / 32; }
  [[nodiscard]] std::uint32_t place() const { return thread % 32; }
};

/// How many threads have arrived at a named barrier.
struct named_barrier {
  std::uint32_t arrived = 0;  // threads
};

struct block {
  std::uint32_t number = 0;
  std::vector<lane> lanes;
  std::vector<std::unique_ptr<std::uint8_t[]>> shared;  // one for each slot
  std::array<named_barrier, 16> named;
  std::uint32_t left = 0;  // lanes that have not exited
};

struct shared_slot {
  std::size_t size = 0, align = 1;
};

class grid {
 public:
  grid(const plan& what, const simt::detail::subject_entry& subject,
       std::vector<shared_slot> shared);

  /// Runs all threads to their end, or until none can go on.
  ended run();
  /// The threads that are left, by the place at which they wait.
  [[nodiscard]] std::vector<waiting_threads> waits() const;

  [[nodiscard]] lane& current() { return *current_; }
  [[nodiscard]] bool is_running() const { return current_ != nullptr; }
  [[nodiscard]] const plan& what() const { return what_; }
  [[nodiscard]] std::uint32_t warps() const { return (what_.threads + 31) / 32; }

  // --- for the lane that runs ---
  /// Lets other lanes run. `at`: a return address, to tell where the lane is.
  void yield(const void* at);
  /// Waits for the answer of a collective, or for a barrier.
  std::uint64_t wait_at_collective(const void* at);
  std::uint64_t wait_at_barrier(const void* at);
  /// Something has changed that a waiting thread may look for.
  void changed() { changed_ = true; }
  /// Ends the process.
  [[noreturn]] void end(ended how, const std::string& message);
  /// Ends the process if the bytes belong to device memory, but to no allocation.
  void check_access(std::uint64_t at, std::uint64_t size);
  /// "block 3, thread 17"
  [[nodiscard]] std::string name_of(const lane& who) const;

 private:
  struct stacks {
    std::vector<boost::context::stack_context> free;
    boost::context::stack_context allocate();
    void deallocate(boost::context::stack_context& stack);
  };
  // Boost copies allocators, so the stacks themselves belong to the grid.
  struct stack_allocator {
    stacks* from;
    boost::context::stack_context allocate() { return from->allocate(); }
    void deallocate(boost::context::stack_context& stack) { from->deallocate(stack); }
  };

  plan what_;
  const simt::detail::subject_entry& subject_;
  std::vector<shared_slot> shared_;
  std::vector<std::uint8_t> object_;
  stacks stacks_;
  std::list<block> resident_;
  std::uint32_t next_block_ = 0;
  lane* current_ = nullptr;
  boost::context::fiber scheduler_;
  bool changed_ = false;
  const allocation* last_ = nullptr;  // what the last access went to

  void admit_block();
  void start(lane& one);
  void resume(lane& one);
  bool release_collectives(block& of);
  bool release_barriers(block& of);
  [[nodiscard]] std::uint64_t resident_threads() const {
    return std::uint64_t{what_.threads} * resident_.size();
  }
};

/// Gives the lanes of `group` the answers of their collective. `warp`: all lanes by their place.
void answer_collective(std::array<lane*, 32>& warp, std::uint32_t group);

/// The text that CUDA's printf writes. The values lie one behind the other.
std::string printed_text(const char* format, const std::uint8_t* values);

/// The grid of this process.
grid*& the_grid();

}  // namespace warpcheck::carry
