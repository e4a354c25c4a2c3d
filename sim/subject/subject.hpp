// A subject's shared object in this process: its entries, its device globals, its control flow.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <simt/detail/hooks.hpp>

#include "sim/worker/host_worker.hpp"

namespace simt {

/// One basic block of instrumented code. Blocks are numbered as their guards are.
struct basic_block {
  std::uint64_t address = 0;
  std::vector<std::uint32_t> successors;  // block numbers
  std::uint32_t function = 0;             // block number of its function's entry
  bool ends_body = false;                 // calls simt_hook_exit
  std::vector<std::uint64_t> callees;     // addresses; indirect_callee: a call through a pointer
};

inline constexpr std::uint64_t indirect_callee = ~std::uint64_t{0};

inline constexpr std::uint32_t no_block = 0xffffffff;

/// What the stack model needs of a block (sim/subject/control_flow.cpp computes it).
struct block_role {
  std::uint32_t immediate_post_dominator = no_block;  // no_block: none
  bool branches = false;                              // several successors
  bool is_reconvergence = false;          // the immediate post-dominator of a block that branches
  std::vector<std::uint32_t> back_edges;  // successors that close a loop
  // Rises along every way without branches and back edges, up to 65535 at the way's last block.
  std::uint32_t order = 0xffff;
};

/// The roles of all blocks, function by function. Blocks from which the end cannot be reached are
/// left out of the post-dominator computation. The end lies behind the `ends_body` blocks, or, in a
/// function that has none, behind the blocks without successors.
std::vector<block_role> analyze_control_flow(const std::vector<basic_block>& blocks);

/// A global variable that device code may access.
struct device_global {
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  std::string name;                 // demangled
  std::vector<std::uint8_t> image;  // its bytes after the host's constructors ran
};

struct shared_variable {
  std::uint64_t size = 0;
  std::uint64_t align = 1;
  bool has_no_value = false;  // until it is written; otherwise it starts as zeros
};

/// A thread_local variable, of which each thread of the host has one.
struct thread_variable {
  std::uint64_t offset = 0;  // in what a thread has of the shared object
  std::uint64_t size = 0;
  std::string name;  // demangled
};

class subject_library {
 public:
  /// Loads a shared object that compile_subject made, for as long as the process lives. The same
  /// file gives the same library. Throws std::runtime_error.
  static std::shared_ptr<const subject_library> load(const std::filesystem::path& file);
  /// Loads a user's shared object. Its static constructors are host code, and run in a worker
  /// process first. `subject` is the name for messages. Throws also host_code_error,
  /// host_code_stopped.
  static std::shared_ptr<const subject_library> load(const std::filesystem::path& file,
                                                     const std::string& subject,
                                                     const patience& waiting);

  std::filesystem::path file;
  std::vector<const detail::subject_entry*> entries;
  std::vector<device_global> globals;
  std::vector<shared_variable> shared;
  bool makes_copies = false;  // asynchronous ones
  std::vector<basic_block> blocks;
  std::vector<block_role> roles;               // same numbering as blocks
  const std::uint32_t* guards = nullptr;       // block number = guard - guards
  std::uint64_t code_begin = 0, code_end = 0;  // the whole mapping of the shared object
  /// Whether [address, address + size) is read-only data of the shared object.
  [[nodiscard]] bool is_constant(std::uint64_t address, std::uint64_t size) const;

  std::vector<std::pair<std::uint64_t, std::uint64_t>> constants;  // [begin, end) of such data

  /// The thread-local variable that has a byte at `address` in this thread. Null: there is none.
  /// Threads of the host have variables of their own, lanes have not.
  [[nodiscard]] const thread_variable* thread_variable_at(std::uint64_t address) const;
  std::vector<thread_variable> thread_variables;
  void* handle = nullptr;  // as of dlopen
};

/// The words for a callee that is not known before the code runs, in calls_not_inlined.
inline constexpr const char* through_a_pointer = "a function called through a pointer";

/// The functions that `entry`'s device code calls although they are not part of its graph: not
/// inlined, host functions, or calls through pointers. Each is a mistake of the subject.
std::vector<std::string> calls_not_inlined(const subject_library& library,
                                           const detail::subject_entry& entry);

/// Whether the body of `entry` calls the function of that name in the simulator.
bool calls(const subject_library& library, const detail::subject_entry& entry,
           std::string_view function);

/// Gives device arrays their storage while an object is constructed (simt_device_array).
class array_allocator {
 public:
  virtual ~array_allocator() = default;
  virtual void* allocate(const char* name, std::size_t size, std::size_t align,
                         detail::element_kind kind, std::size_t* count) = 0;
  /// Called for each pool that is constructed.
  virtual void add_pool(const detail::pool_layout& layout) = 0;
};
/// The allocator in use by this thread's constructors; set around `construct` calls.
void set_array_allocator(array_allocator* allocator);

}  // namespace simt
