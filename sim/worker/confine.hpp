// Takes rights from a process that host code of subjects does not need: files, the network, other
// processes, threads. A filter of system calls does it (seccomp, Linux on x86-64). Elsewhere
// nothing is taken, as docs/trust.md says.
#pragma once

#include <string>

namespace simt {

enum class may : unsigned char {
  compute,     // memory, clocks, and writing to what is open
  read_files,  // compute, and open files for reading: what loading a shared object takes
};

/// Confines this process for good: a later call can only take away more. A call that is not allowed
/// does not happen. `denied` is then called with its number, in a signal handler.
void confine(may what, void (*denied)(int number));

/// What a denied call would have done, in words, by its number.
std::string describe_call(int number);

}  // namespace simt
