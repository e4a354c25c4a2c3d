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

}  // namespace weak
