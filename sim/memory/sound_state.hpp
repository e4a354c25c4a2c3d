// Checks states of a weak memory that come from elsewhere, such as a file.
#pragma once

#include <cstddef>

#include "sim/memory/weak_state.hpp"

namespace simt {

/// Whether each number in the state names something that exists: a message, a lane, a record, a
/// location, a place in `memory` bytes. The state's vectors by lane and location must have their
/// right sizes.
bool is_sound(weak_state& state, std::size_t memory);

}  // namespace simt
