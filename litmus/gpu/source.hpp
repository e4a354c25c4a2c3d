// Litmus tests as CUDA source: each thread is one block of inline PTX.
//
// What keeps ptxas from changing a test:
// - Each access has an address of its own: its location's plus a multiple of a zero that only the
//   launch knows. In loops the address moves on by that zero. So ptxas cannot tell that accesses
//   share a location: it merges, deletes and moves none, and lets none pass a store.
// - Second operands of arithmetic have that zero added: r1 - r1 is no constant, and stays a
//   dependency.
// - A branch to the next instruction, which is only there for its dependency, jumps over a store to
//   memory of the runner's.
// - All registers are stored at the end, so no load is dead.
//
// Loops count their rounds and give up at a bound. The instance is then not complete.
#pragma once

#include <span>
#include <string>

#include "litmus/gpu/placement.hpp"
#include "litmus/program.hpp"

namespace litmus::gpu {

/// A test to be compiled. Refers to the program.
struct compiled_test {
  std::string name;  // as the runner lists it
  const litmus::program* program = nullptr;
  placement_plan plan;
  std::vector<variable> observed;  // what its outcomes consist of
};

/// A source file that hardware/litmus_runner.cu is compiled with. Tests are numbered in the order
/// given.
std::string cuda_source(std::span<const compiled_test> tests);

/// The PTX of one thread, with one instruction or label in each line. Operands: %0 is zero, %1 the
/// bound on rounds, %2 the place of the thread's registers. %3 is what to mark where it gives up,
/// %4 the instance's slots, %5 the number of the CTA's first barrier. From %6 on come the locations
/// that the thread accesses, in the order of their numbers.
std::vector<std::string> ptx_of(const program& p, const placement_plan& plan, std::uint32_t thread);

}  // namespace litmus::gpu
