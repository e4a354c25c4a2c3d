// Functions as transactions that are carried out again until they commit, as `atomic { … }` in
// figure 5.1 of Cederman's thesis (2011); with what a client does between two attempts.
#pragma once

#include "words.hpp"

namespace stm {

/// Units of time that nobody sleeps longer than.
constexpr unsigned most_units = simt::sized(2, 1024);

struct no_backoff {
  SIMT_FN void sleep() {}
};

/// Section 5.4.5: one unit longer each time.
struct linear_backoff {
  unsigned units = 0;

  SIMT_FN void sleep() {
    units = units < most_units ? units + 1 : units;
    simt::nanosleep(units * 64);
  }
};

/// Section 5.4.5: twice as long each time.
struct exponential_backoff {
  unsigned units = 1;

  SIMT_FN void sleep() {
    simt::nanosleep(units * 64);
    units = units < most_units ? 2 * units : units;
  }
};

/// The transaction as the function sees it. Once it has been aborted, all that it reads is 0.
template <class Memory>
struct attempt {
  Memory& memory;
  typename Memory::transaction& own;
  bool is_open = true;

  SIMT_FN int read(int word) {
    int value = 0;
    if (is_open) is_open = memory.read(own, word, value);
    return is_open ? value : 0;
  }
  SIMT_FN void write(int word, int value) {
    if (is_open) is_open = memory.write(own, word, value);
  }
};

template <class Memory, class Backoff>
struct retried {
  Memory memory;

  template <class Function>
  SIMT_FN void atomically(Function function) {
    typename Memory::transaction own{};
    Backoff backoff{};
    while (true) {
      memory.begin(own);
      attempt<Memory> now{memory, own};
      function(now);
      if (now.is_open && memory.commit(own)) return;
      backoff.sleep();
      if constexpr (requires { backoff.is_over(); }) {  // where it is measured, there is a deadline
        if (backoff.is_over()) return;
      }
    }
  }
};

}  // namespace stm
