// What of a kernel cannot be translated: known before anything runs.
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

/// Each use, in the order of the text, those of functions that the kernel calls among them. Empty:
/// to_subject() translates the kernel.
[[nodiscard]] std::vector<unsupported_use> unsupported(const module& m, const kernel& k);

/// What is translated under an assumption that every verdict rests on, so reports should tell it: a
/// clock on which a branch, an address or synchronization depends always gives 0; a copy by
/// cp.async that ends with an arrival at an mbarrier ends at once; a comparison of a value that is
/// not known has either result.
[[nodiscard]] std::vector<unsupported_use> assumed(const module& m, const kernel& k);

}  // namespace simt::ptx
