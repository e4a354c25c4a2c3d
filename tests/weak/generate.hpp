// Random programs. The same seed and index give the same program on every machine.
#pragma once

#include <cstdint>

#include "tests/weak/program.hpp"

namespace weak {

program generate(std::uint64_t seed, unsigned index);

}  // namespace weak
