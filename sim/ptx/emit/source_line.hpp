// Finds the line of the user's source that an instruction belongs to.
#pragma once

#include <string>

#include "sim/ptx/module.hpp"

namespace simt::ptx {

struct user_place {
  std::string file;
  std::uint32_t line = 0;
};

/// The innermost place outside the toolkit's headers. If all places are in these, the innermost
/// one. If the text names no source, the line of the PTX.
user_place place_of(const module& m, const instruction& i);

/// Writes `#line` in front of instructions.
class source_line {
 public:
  explicit source_line(const module& m) : module_(m) {}
  std::string in_front_of(const instruction& i);

 private:
  const module& module_;
};

}  // namespace simt::ptx
