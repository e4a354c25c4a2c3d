// Collects what a shared object's constructors register while it is being loaded.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/subject/subject.hpp"

namespace simt::detail {

struct registration {
  std::vector<const subject_entry*> entries;
  std::vector<shared_variable> shared;
  bool makes_copies = false;
  std::uint32_t* guards_begin = nullptr;
  std::uint32_t* guards_end = nullptr;
  const std::uintptr_t* blocks_begin = nullptr;  // pairs: address, flags (1: a function's entry)
  const std::uintptr_t* blocks_end = nullptr;
  // For each block: address, successors, 0, callees (-1: through a pointer), 0.
  const std::uintptr_t* flow_begin = nullptr;
  const std::uintptr_t* flow_end = nullptr;
};

/// While a scope lives, this thread's loads of shared objects report to `target`.
class registration_scope {
 public:
  explicit registration_scope(registration& target);
  ~registration_scope();
  registration_scope(const registration_scope&) = delete;
  registration_scope& operator=(const registration_scope&) = delete;
};

}  // namespace simt::detail
