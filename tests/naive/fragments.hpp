// The idioms that generated programs are put together from, each with random faults.
#pragma once

#include "tests/naive/program.hpp"
#include "tests/naive/random.hpp"

namespace naive {

/// What the fragments of one program share. Cell 0 is a lock, 1 a counter, 2 and 3 are
/// flags, 4 and 5 the tickets given out and served; a chain of flags has 2 to 5.
struct context {
  random_source random;
  configuration config;
  strength scope = strength::device_scope;  // of most atomics
  bool uses_shared = false;
  bool in_loop = false;           // nothing that counts may be done here
  bool in_switch = false;         // no `break` here
  bool shares_in_blocks = false;  // phases may use memory of the block in several blocks, too
  int counted = 0;                // how many lanes add one to the counter, as far as is known
};

inline constexpr int lock_cell = 0;
inline constexpr int counter_cell = 1;
inline constexpr int flag_cell = 2;
inline constexpr int ticket_cell = 4;
inline constexpr int served_cell = 5;
inline constexpr int cell_count = 6;

/// Some way to access strongly; seldom another scope, or none.
strength some_strength(context& c);
/// The same for read-modify-writes, which are never plain.
strength some_atomic(context& c);
expression some_mask(context& c);
/// A test that tells lanes, warps or blocks apart.
expression some_identity(context& c);
/// A test of local 0, or of who the lane is.
expression some_test(context& c);
/// A memory access, fence or nanosleep.
statement some_access(context& c);
/// A collective with its result in local 0 or 1.
statement some_collective(context& c);

sequence lock_fragment(context& c);
sequence ticket_fragment(context& c);
sequence flag_fragment(context& c);
sequence chain_fragment(context& c);
sequence counter_fragment(context& c);
sequence collective_fragment(context& c);
sequence barrier_fragment(context& c);
sequence named_barrier_fragment(context& c);
sequence spin_fragment(context& c);
sequence polite_fragment(context& c);
/// Lanes tell each other by number: owners of a lock, queues of waiting lanes, slots.
sequence names_fragment(context& c);
sequence bad_access_fragment(context& c);
/// Lanes write cells of their own, meet, and read those of others: phases of ordinary kernels.
/// Their cells of the object are behind the others.
inline constexpr int phase_cells = 8;
sequence phases_fragment(context& c);
/// Lanes write cells of their own, tell others by a flag or a counter behind fences and barriers,
/// and read what they are told of. The whole body.
sequence messages_body(context& c);

/// Lanes that stand still, and others that wait for them (standing.cpp). A grid, and the program's
/// whole body, members and final check.
configuration grid_of_standing(random_source& r);
void standing_body(context& c, program& to);
/// Lanes that hand values around their warps (dealing.cpp). The same.
configuration grid_of_dealing(random_source& r);
void dealing_body(context& c, program& to);
/// Lanes that change few cells together, or arrive at an mbarrier (gathering.cpp). The same.
configuration grid_of_gathering(random_source& r);
void gathering_body(context& c, program& to);

}  // namespace naive
