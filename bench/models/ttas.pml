/* The test-and-test-and-set lock of algorithms/locks/ttas.hpp with the workload "counter". What is
 * one transition, and what is left out: see tas.pml. */
#ifndef N
#define N 5
#endif
#ifndef K
#define K 2
#endif

bit held;
byte counter;

active [N] proctype lane() {
  byte seen;
  byte left = K;
look:
  if
  :: held != 0 -> goto look
  :: held == 0
  fi;
  if
  :: held != 0 -> goto look
  :: d_step { held == 0 -> held = 1 }
  fi;
  seen = counter;
  d_step { assert(counter == seen); counter = seen + 1; seen = 0 };
  if
  :: d_step { left > 1 -> held = 0; left-- } -> goto look
  :: d_step { left == 1 -> held = 0; left = 0 }
  fi;
end:
  false
}
