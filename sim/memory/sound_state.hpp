// Checks states of a weak memory that come from elsewhere, such as a file.
#pragma once

#include <cstddef>

#include "sim/memory/weak_state.hpp"

namespace simt {

/// Whether each number of the state names something that is there: a message, a lane, a record, a
/// location, a place in so many bytes of memory. Its vectors by lane and location have their sizes.
bool is_sound(weak_state& state, std::size_t memory);

}  // namespace simt
