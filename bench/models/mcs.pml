/* The queue lock of algorithms/locks/mcs.hpp with the workload "counter". What is one transition,
 * what is left out, and the labels and macros: see tas.pml.
 *
 * A lane's `next` is dead from its last look at it until it is cleared for the next acquisition. The
 * model resets it at that look; with KEEP_NEXT it leaves memory as the lock does. */
#ifndef N
#define N 4
#endif
#ifndef K
#define K 2
#endif
#ifdef NO_UNLOCK
#define PASS(place) skip
#else
#define PASS(place) place = 0
#endif
#ifdef KEEP_NEXT
#define TAKE_NEXT other = next[me]
#else
#define TAKE_NEXT other = next[me]; next[me] = 0
#endif
#define me (_pid + 1)  /* 0 is no lane */

byte tail;
byte next[N + 1];
bit locked[N + 1];
byte counter;

active [N] proctype lane() {
  byte other;  /* the lane before, then the lane after */
  byte seen;
  byte left = K;
acquire:
#ifndef NO_LOCK
  if  /* one way only; SPIN wants no goto to a d_step itself */
  :: d_step { next[me] = 0 }
  fi;
  if
  :: d_step { tail == 0 -> tail = me } -> goto critical
  :: d_step { tail != 0 -> other = tail; tail = me }
  fi;
  locked[me] = 1;
  d_step { next[other] = me; other = 0 };
wait: accept_wait:
  if
  :: locked[me] != 0 -> goto wait
  :: locked[me] == 0
  fi;
#endif
critical:
  seen = counter;
  d_step { assert(counter == seen); counter = seen + 1; seen = 0 };
  if
  :: d_step { next[me] != 0 -> TAKE_NEXT } -> goto pass
  :: next[me] == 0
  fi;
  if
  :: d_step { tail == me && left > 1 -> PASS(tail); left-- } -> goto acquire
  :: d_step { tail == me && left == 1 -> PASS(tail); left = 0 } -> goto end
  :: tail != me
  fi;
link: accept_link:
  if
  :: next[me] == 0 -> goto link
  :: d_step { next[me] != 0 -> TAKE_NEXT }
  fi;
pass:
  if
  :: d_step { left > 1 -> PASS(locked[other]); other = 0; left-- } -> goto acquire
  :: d_step { left == 1 -> PASS(locked[other]); other = 0; left = 0 }
  fi;
end:
  false
}
