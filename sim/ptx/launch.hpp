// Describes a launch of a kernel: its grid, its shared memory, its buffers and its arguments.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/ptx/module.hpp"

namespace simt::ptx {

/// An array in global memory that the host has made.
struct buffer {
  struct pointer {
    std::uint64_t at = 0;      // bytes from the begin of this buffer, a multiple of 8
    std::uint32_t buffer = 0;  // index in launch::buffers
    std::uint64_t offset = 0;  // bytes from the begin of that one
  };
  std::string name;
  std::uint64_t count = 0;   // elements
  type element = type::u32;  // u8, s8, u16, ... f64
  /// May be shorter than the buffer: the rest is 0.
  std::vector<std::uint8_t> bytes;
  std::vector<pointer> pointers;  // that it holds
};

/// A pointer in an argument.
struct pointer_argument {
  std::uint32_t at = 0;      // bytes from the begin of the parameter
  std::uint32_t buffer = 0;  // index in launch::buffers
  std::uint64_t offset = 0;  // bytes from the begin of the buffer
};

/// The value of one parameter of the kernel.
struct argument {
  std::vector<std::uint8_t> bytes;  // may be shorter than the parameter: the rest is 0
  std::vector<pointer_argument> pointers;
};

/// A value that the host has given a variable of the module (cudaMemcpyToSymbol).
struct variable_value {
  std::string name;                 // as in PTX, or as a person calls it
  std::vector<std::uint8_t> bytes;  // from its begin on; what is not given keeps its initial value
  /// The variable's address, if it already lies in the memory of the process. Then it is not
  /// declared.
  std::optional<std::uint64_t> at;
};

/// The kernel is a compiled subject. Its first parameter points to an object of C++, which the
/// subject's own code constructs and judges.
struct cpp_object {
  std::string header;        // its path
  std::string type;          // "simt::counter_workload<tas>"
  std::uint32_t repeat = 1;  // what the kernel's second parameter says, for the final check
};

struct launch {
  std::array<std::uint32_t, 3> grid{1, 1, 1};   // blocks, in x, y, z
  std::array<std::uint32_t, 3> block{1, 1, 1};  // threads
  std::uint32_t dynamic_shared = 0;             // bytes
  std::uint32_t cluster = 0;                    // blocks of a cluster, in x; 0: as the kernel says
  bool cooperative = false;
  bool zero_shared = false;  // shared memory starts as zeros; otherwise a read needs a write
  std::vector<buffer> buffers;
  std::vector<argument> arguments;
  std::vector<variable_value> variables;
  /// The subject is to be run once, not to be checked. Whoever runs it has the arguments,
  /// approximations are computed as the host's functions do, and clocks go.
  bool is_for_one_run = false;
  std::optional<cpp_object> object;
};

/// Blocks of a cluster, which lie along x: as the launch says, else as the kernel does, else 1.
[[nodiscard]] inline std::uint32_t cluster_of(const kernel& k, const launch& l) {
  return l.cluster != 0 ? l.cluster : k.cluster[0].value_or(1);
}

}  // namespace simt::ptx
