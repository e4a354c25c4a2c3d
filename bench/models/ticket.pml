/* The ticket lock of algorithms/locks/ticket.hpp with the workload "counter". What is one
 * transition, what is left out, and the labels and macros: see tas.pml. */
#ifndef N
#define N 5
#endif
#ifndef K
#define K 2
#endif
#ifdef NO_UNLOCK
#define RELEASE skip
#else
#define RELEASE current++
#endif

byte tickets;
byte current;
byte counter;

active [N] proctype lane() {
  byte mine;
  byte seen;
  byte left = K;
acquire:
#ifndef NO_LOCK
  if  /* one way only; SPIN wants no goto to a d_step itself */
  :: d_step { mine = tickets; tickets++ }
  fi;
wait: accept:
  if
  :: current != mine -> goto wait
  :: d_step { current == mine -> mine = 0 }
  fi;
#endif
  seen = counter;
  d_step { assert(counter == seen); counter = seen + 1; seen = 0 };
  if
  :: d_step { left > 1 -> RELEASE; left-- } -> goto acquire
  :: d_step { left == 1 -> RELEASE; left = 0 }
  fi;
end:
  false
}
