// Source places for program counters, as reports show them.
#pragma once

#include <cstdint>
#include <string>

namespace warpcheck {

class session;

/// " (tas.hpp:5)", or nothing where the place is unknown. Reads debug information.
std::string at_place(const session& run, std::uint64_t pc);

}  // namespace warpcheck
