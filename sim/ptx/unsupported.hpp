// Says what of a kernel cannot be translated, before anything runs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/ptx/module.hpp"

namespace simt::ptx {

struct unsupported_use {
  std::string what;        // the instruction or directive, as the text has it
  std::string reason;      // a clause: "an approximation whose value reaches a branch"
  std::uint32_t line = 0;  // of the PTX text
  std::string file;        // of the user's source; empty: not known
  std::uint32_t source_line = 0;
};

/// The uses that have no translation, in the order of the text, also in functions that the kernel
/// calls. Empty: to_subject() translates the kernel.
[[nodiscard]] std::vector<unsupported_use> unsupported(const module& m, const kernel& k);

/// The uses that are translated under an assumption, which reports must tell since every verdict
/// rests on it. A clock on which a branch, an address or synchronization depends always gives 0. A
/// copy by cp.async that ends with an arrival at an mbarrier ends at once. A comparison of a value
/// that is not known has either result. A strong vector's elements within 8 bytes are one access,
/// elect.sync elects the lowest lane, and griddepcontrol.wait has nothing to wait for.
[[nodiscard]] std::vector<unsupported_use> assumed(const module& m, const kernel& k);

/// The uses whose values are not known and may lie in global memory at the end: no verdict says
/// what they are.
[[nodiscard]] std::vector<unsupported_use> unknown_in_memory(const module& m, const kernel& k);

}  // namespace simt::ptx
