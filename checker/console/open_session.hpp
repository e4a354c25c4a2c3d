// Opens a session for a command, and reports the mistakes of the subject first.
#pragma once

#include <memory>

#include "checker/run/session.hpp"

namespace warpcheck {

/// Loads the subject. Throws usage_error if device code calls functions that are not part of its
/// graph, and what session's constructor throws.
std::unique_ptr<session> open_session(const scenario& what, const run_settings& how,
                                      const simt::patience& waiting = {});

}  // namespace warpcheck
