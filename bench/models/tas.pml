/* The test-and-set lock of algorithms/locks/tas.hpp with the workload "counter": N lanes, each of
 * which takes the lock K times. One transition for each access to shared memory; a d_step never
 * joins two of them. Fences, which change nothing under sequential consistency, are left out.
 * Variables are reset where they are dead, and a lane that is done stays where it is: SPIN would
 * otherwise count the order in which it removes them. */
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
acquire:
  if
  :: d_step { held == 0 -> held = 1 }
  :: held != 0 -> goto acquire          /* a failed compare-and-swap is a step as well */
  fi;
  seen = counter;
  d_step { assert(counter == seen); counter = seen + 1; seen = 0 };
  if
  :: d_step { left > 1 -> held = 0; left-- } -> goto acquire
  :: d_step { left == 1 -> held = 0; left = 0 }
  fi;
end:
  false
}
