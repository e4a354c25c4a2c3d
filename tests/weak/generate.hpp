// Random programs. The same seed and index give the same program on every machine.
#pragma once

#include <cstdint>

#include "tests/weak/program.hpp"

namespace weak {

/// All that there is.
program generate(std::uint64_t seed, unsigned index);

/// Each lane passes on to the next one what it reads from the one before, and one of them stores
/// though it has read nothing. So it comes back to that one by load buffering alone. What is passed
/// on may be plain data behind a flag.
program generate_ring(std::uint64_t seed, unsigned index);

/// One lane stores what it has read of several locations, if all of it is there, and others store
/// these though they have read nothing, or pass on what comes from such a store. They read in front
/// of that what the first lane stores: so that is there by load buffering alone, and rests on
/// several promises at once.
program generate_join(std::uint64_t seed, unsigned index);

/// Stores of several lanes rest on each other as in a tree: each is carried out if what it rests on
/// has been read. Lanes read in front of that what the root brings about: so the root is there by
/// load buffering alone.
program generate_tree(std::uint64_t seed, unsigned index);

/// The same of plain data behind flags: two lanes each store some, a third one stores what it has
/// read of both, and a fourth one passes that on, to what the first two have read in front.
program generate_plain_join(std::uint64_t seed, unsigned index);

/// Lanes take flags, and maybe data behind them, and give their own, in all ways that there are;
/// what they give may rest on what they have taken.
program generate_web(std::uint64_t seed, unsigned index);

/// One lane exchanges, and others pass on what it has stored, until one of them stores what the
/// exchange may have read.
program generate_exchanges(std::uint64_t seed, unsigned index);

/// One lane stores what it has read, by read-modify-writes that add nothing, maybe only where it
/// has read something else; another one adds to that, and what it stores comes back to the first.
program generate_repetitions(std::uint64_t seed, unsigned index);

/// Lanes take a lock by an exchange, and give it back by one; what they do meanwhile, and around
/// it, is ordered by that, or not.
program generate_locks(std::uint64_t seed, unsigned index);

/// One lane releases behind a load, mostly by a fence and a relaxed operation; a read-modify-write
/// of another one passes that on; a third one acquires, and stores what the first has read. Each is
/// in a block of its own.
program generate_passing_on(std::uint64_t seed, unsigned index);

// Programs of several blocks (blocks.cpp). Some locations are the block's.

/// All that there is.
program generate_blocks(std::uint64_t seed, unsigned index);

/// Lanes hand on values, to lanes of their own block and to those of another one.
program generate_relay(std::uint64_t seed, unsigned index);

/// Programs as above, of which the lanes are in two blocks.
program generate_moved(std::uint64_t seed, unsigned index);

}  // namespace weak
