/* The test-and-test-and-set lock of algorithms/locks/ttas.hpp with the workload "counter". What is
 * one transition, what is left out, and the labels and macros: see tas.pml. */
#ifndef N
#define N 5
#endif
#ifndef K
#define K 2
#endif
#ifdef NO_UNLOCK
#define RELEASE skip
#else
#define RELEASE held = 0
#endif

#ifdef FENCES
#define FENCE held == held;
#else
#define FENCE
#endif

bit held;
byte counter;

active [N] proctype lane() {
  byte seen;
  byte left = K;
#ifdef NO_LOCK
look:
#else
look: accept:
  if
  :: held != 0 -> goto look
  :: held == 0
  fi;
  if
  :: held != 0 -> goto look
  :: d_step { held == 0 -> held = 1 }
  fi;
#endif
  FENCE
  seen = counter;
  d_step { assert(counter == seen); counter = seen + 1; seen = 0 };
  FENCE
  if
  :: d_step { left > 1 -> RELEASE; left-- } -> goto look
  :: d_step { left == 1 -> RELEASE; left = 0 }
  fi;
end:
  false
}
