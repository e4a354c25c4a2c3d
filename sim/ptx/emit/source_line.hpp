// Which line of the user's source an instruction belongs to.
#pragma once

#include <string>

#include "sim/ptx/module.hpp"

namespace simt::ptx {

struct user_place {
  std::string file;
  std::uint32_t line = 0;
};

/// The innermost place that is not in a header of the toolkit; or the innermost, if all are; or the
/// PTX line, where the text names no source.
user_place place_of(const module& m, const instruction& i);

/// Writes `#line` where the next instruction has another place than the last one.
class source_line {
 public:
  explicit source_line(const module& m) : module_(m) {}
  std::string in_front_of(const instruction& i);

 private:
  const module& module_;
};

}  // namespace simt::ptx
