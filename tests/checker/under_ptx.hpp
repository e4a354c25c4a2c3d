// Kernels given as source text, checked under `memory = "ptx"`.
#pragma once

#include <cstdint>
#include <string>

#include "tests/checker/run_source.hpp"

namespace test::under_ptx {

/// A run of blocks of one lane each. The body sees `first`: whether it is the first lane.
inline source_run run_of(const std::string& members, const std::string& body,
                         std::uint32_t blocks = 2, bool promises = true) {
  source_run run(kernel(members, "const bool first = simt::block_index() == 0;\n" + body),
                 {blocks, {1}});
  run.how.machine.memory = simt::memory_model::ptx;
  run.how.machine.promises = promises;
  return run;
}

/// The violations that such a run finds, as names.
inline std::string found(const std::string& members, const std::string& body,
                         std::uint32_t blocks = 2, bool promises = true) {
  return run_of(members, body, blocks, promises).found();
}

inline const char* const two_atomics =
    "simt::atomic<int, simt::thread_scope_device> x{0}, y{0}, sum{0}; int data = 0;";

}  // namespace test::under_ptx
