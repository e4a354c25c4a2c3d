// Interprets a forward-progress test: tiny threads of stores, branches and exchanges, of which
// thread i of the grid carries out number i. The program comes from the scenario
// (docs/progress.md); `warpcheck progress FILE --scenarios DIR` writes such scenarios.
//
// The shape is that of the kernels of Sorensen et al. (OOPSLA 2021): one `if` for each thread, one
// behind the other, with a loop and a switch inside. It decides what lockstep makes of the program:
// behind each `if`, the lanes of a warp meet again.
#pragma once

#include <simt/simt.hpp>

struct interpreter {
  /// Thread i has the instructions first[i] to first[i + 1] - 1 of `code`.
  simt::device_array<unsigned> first{"first"};
  /// From the highest digit on: 0xO_WW_VVVV_CCCC_TTTT, with the operation (1 store, 2 branch,
  /// 3 xbranch), the word, the value, what to compare with, and the target, counted from the
  /// thread's first instruction; the number of its instructions: the end.
  simt::device_array<unsigned long long> code{"code"};
  simt::device_array<int> memory{"memory"};

  SIMT_FN void interpret(const unsigned long long* program, unsigned size, int* words) {
    unsigned at = 0;
    while (at < size) {
      const unsigned long long instruction = program[at];
      const int value = static_cast<int>(instruction >> 32 & 0xffff);
      const int compare = static_cast<int>(instruction >> 16 & 0xffff);
      const simt::atomic_ref<int, simt::thread_scope_device> word(words[instruction >> 48 & 0xff]);
      bool jump = false;
      switch (instruction >> 56) {
        case 1: word.store(value); break;
        case 2: jump = word.load() == compare; break;
        case 3: jump = word.exchange(value) == compare; break;
        default: simt::check(false, "the program has an unknown operation"); return;
      }
      at = jump ? static_cast<unsigned>(instruction & 0xffff) : at + 1;
    }
  }

  SIMT_FN void operator()() {
    const unsigned me = simt::thread_rank();
    const unsigned threads = simt::grid_size();
    const unsigned* begin = first.data();
    const unsigned long long* program = code.data();
    int* words = memory.data();
    for (unsigned thread = 0; thread < threads; ++thread) {
      if (me == thread) {
        const unsigned start = begin[thread];
        interpret(program + start, begin[thread + 1] - start, words);
      }
    }
  }
};
SIMT_SUBJECT(interpreter);
