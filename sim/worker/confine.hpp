// Takes from a process what host code of subjects does not need: files, the network, other
// processes, threads. By a filter of system calls (seccomp, Linux on x86-64); elsewhere nothing is
// taken, which docs/trust.md says.
#pragma once

#include <string>

namespace simt {

enum class may : unsigned char {
  compute,     // memory, clocks, and writing to what is open
  read_files,  // that, and open files for reading: what loading a shared object takes
};

/// For good, and for this process: a later call can only take away more. A call that is not allowed
/// does not happen; `denied` is then called with its number, in a signal handler.
void confine(may what, void (*denied)(int number));

/// Such a call in words, by its number.
std::string describe_call(int number);

}  // namespace simt
