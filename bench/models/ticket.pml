/* The ticket lock of algorithms/locks/ticket.hpp with the workload "counter". What is one
 * transition, and what is left out: see tas.pml. */
#ifndef N
#define N 5
#endif
#ifndef K
#define K 2
#endif

byte tickets;
byte current;
byte counter;

active [N] proctype lane() {
  byte mine;
  byte seen;
  byte left = K;
acquire:
  if  /* one way only; SPIN wants no goto to a d_step itself */
  :: d_step { mine = tickets; tickets++ }
  fi;
wait:
  if
  :: current != mine -> goto wait
  :: d_step { current == mine -> mine = 0 }
  fi;
  seen = counter;
  d_step { assert(counter == seen); counter = seen + 1; seen = 0 };
  if
  :: d_step { left > 1 -> current++; left-- } -> goto acquire
  :: d_step { left == 1 -> current++; left = 0 }
  fi;
end:
  false
}
