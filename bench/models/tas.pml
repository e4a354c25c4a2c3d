/* The test-and-set lock of algorithms/locks/tas.hpp with the workload "counter": N lanes, each of
 * which takes the lock K times. One transition for each access to shared memory; a d_step never
 * joins two of them. Fences, which change nothing under sequential consistency, are left out; with
 * FENCES they are steps. Variables are reset where they are dead, and a lane that is done stays where
 * it is: SPIN would otherwise count the order in which it removes them.
 *
 * Places where a lane spins have accept labels. Clients are finite, so every endless run ends in
 * cycles of spinning: a fair acceptance cycle (-a -f) is a fair run that does not end. NO_LOCK and
 * NO_UNLOCK are for the self-check of bench/compare. */
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
acquire:
#else
acquire: accept:
  if
  :: d_step { held == 0 -> held = 1 }
  :: held != 0 -> goto acquire          /* a failed compare-and-swap is a step as well */
  fi;
#endif
  FENCE
  seen = counter;
  d_step { assert(counter == seen); counter = seen + 1; seen = 0 };
  FENCE
  if
  :: d_step { left > 1 -> RELEASE; left-- } -> goto acquire
  :: d_step { left == 1 -> RELEASE; left = 0 }
  fi;
end:
  false
}
