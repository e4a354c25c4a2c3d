// A kernel of CUDA or PTX and its launch, which a scenario may have in place of a subject.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpcheck {

/// An array in global memory: "128:f32:iota".
struct written_buffer {
  enum class fill : std::uint8_t { zero, iota, values, file };
  std::string name;
  std::uint64_t count = 0;  // number of elements
  std::string element;      // type of an element, as PTX names it: u8, s8, b8, ... f64
  fill filled = fill::zero;
  std::vector<std::string> values;  // the first elements as they are written; the rest is 0
  std::filesystem::path file;       // a file of raw bytes, relative to the scenario's folder
  std::string text;                 // as it was written
  std::string where;                // "file:line:column", for messages
};

/// A number, or an address in a buffer: "128", "1.5", "in", "in+16", "7:u64".
struct written_value {
  std::string buffer;        // empty: the value is a number
  std::uint64_t offset = 0;  // in bytes from the buffer's beginning
  std::string number;
  // Type of a number in a structure, as PTX names it; empty: the parameter's type.
  std::string type;
};

/// The value of a parameter, or the parts of a structure by their offsets in bytes: "{0:in,
/// 8:7:u64}".
struct written_argument {
  std::map<std::uint32_t, written_value> parts;  // a plain value has one part, at 0
  bool is_structure = false;
  std::string text;
  std::string where;
};

/// An address that a buffer holds: "list+16=nodes+8".
struct written_pointer {
  std::string buffer;    // the buffer that holds the address
  std::uint64_t at = 0;  // in bytes from the buffer's beginning, a multiple of 8
  written_value target;
  std::string text;
  std::string where;
};

struct kernel_launch {
  std::filesystem::path file;  // .cu or .ptx, absolute
  // As CUDA or PTX has it; empty: the file has only one kernel.
  std::string name;
  std::vector<std::string> flags;                // for nvcc
  std::array<std::uint32_t, 3> grid{1, 1, 1};    // blocks
  std::array<std::uint32_t, 3> block{32, 1, 1};  // threads
  std::uint32_t shared = 0;                      // bytes, besides the static ones
  std::uint32_t cluster = 0;                     // blocks of a cluster; 0: as the kernel says
  bool cooperative = false;
  bool zero_shared = false;  // shared memory starts as zeros
  std::vector<written_buffer> buffers;
  // Values of variables of the module, by their names in PTX.
  std::vector<written_buffer> variables;
  std::vector<written_pointer> pointers;  // pointers that buffers hold
  std::vector<written_argument> arguments;

  [[nodiscard]] std::uint64_t blocks() const { return std::uint64_t{grid[0]} * grid[1] * grid[2]; }
  [[nodiscard]] std::uint64_t threads_of_block() const {
    return std::uint64_t{block[0]} * block[1] * block[2];
  }
};

/// Most dynamic shared memory of a block, on the GPUs that have most (sm_90).
inline constexpr std::uint32_t most_shared_bytes = 227 << 10;

/// Says why no kernel can be read from that path, which a person wrote as `written`. Empty: the
/// path is a file.
std::string why_no_kernels(const std::filesystem::path& path, const std::string& written);

/// Reads "COUNT:TYPE" or "COUNT:TYPE:FILL". A FILL is zero, iota, a list of numbers, or a file.
/// Throws usage_error that begins with `where`.
written_buffer buffer_from(const std::string& name, const std::string& text,
                           const std::string& where);

/// Reads a written_argument. Throws usage_error that begins with `where`.
written_argument argument_from(const std::string& text, const std::string& where);

/// Reads "list+16=nodes+8". Throws usage_error that begins with `where`.
written_pointer pointer_from(const std::string& text, const std::string& where);

/// Reads "2", "2,1" or "2x2x1": one to three numbers. Throws usage_error that begins with `where`.
std::array<std::uint32_t, 3> extent_from(const std::string& text, const std::string& where);

/// Throws usage_error if the grid is larger than what can be explored.
void check_extents(const kernel_launch& launch, const std::string& where);

}  // namespace warpcheck
