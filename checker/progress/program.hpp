// The programs of the forward-progress tests: a few threads, a few words of memory, three
// instructions, no registers. Sorensen et al., OOPSLA 2021; docs/progress.md has the format.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace warpcheck {

/// Threads of a program, bit i for thread i.
using thread_set = std::uint64_t;

constexpr thread_set only(std::uint32_t thread) { return thread_set{1} << thread; }

/// Limits of a program. Exploration has limits of its own.
inline constexpr std::size_t most_progress_threads = 64;
inline constexpr std::size_t most_progress_instructions = 4096;  // of a thread
inline constexpr std::uint32_t most_progress_words = 256;        // m0 .. m255
inline constexpr std::uint32_t largest_progress_value = 65535;

/// One instruction, carried out in one atomic step. `target` is the number of an instruction of the
/// same thread; the number of all its instructions stands for "end".
struct progress_instruction {
  enum class kind : std::uint8_t {
    store,    // word := value
    branch,   // if word = compare go to target
    xbranch,  // old := word; word := value; if old = compare go to target
  };
  kind what = kind::store;
  std::uint16_t word = 0;
  std::uint16_t value = 0;    // store, xbranch
  std::uint16_t compare = 0;  // branch, xbranch
  std::uint16_t target = 0;   // branch, xbranch

  friend bool operator==(const progress_instruction&, const progress_instruction&) = default;
};

constexpr bool writes(const progress_instruction& i) {
  return i.what != progress_instruction::kind::branch;
}
constexpr bool jumps(const progress_instruction& i) {
  return i.what != progress_instruction::kind::store;
}

/// A thread starts at instruction 0, and is finished when it has gone past its last one.
struct progress_program {
  std::vector<std::vector<progress_instruction>> threads;

  [[nodiscard]] std::uint32_t words() const;  // the highest word used, plus one
};

/// Says what is wrong with an instruction's text, and what to do.
class instruction_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Reads "xbranch m0 0 1 end" of a thread of `size` instructions. Throws instruction_error.
progress_instruction parse_instruction(std::string_view text, std::size_t size);

/// Returns the text of an instruction, as parse_instruction() reads it.
std::string text_of(const progress_instruction& instruction, std::size_t size);

}  // namespace warpcheck
