// Finds members of a subject that look as if the API called them, but are never called.
#pragma once

#include <string>
#include <vector>

#include "checker/run/place.hpp"

namespace warpcheck {

class session;

struct uncalled_member {
  source_place at;
  std::string name;  // "initialize"
  std::string why;   // "initialize() is never called: …"
};

/// Returns member functions that are never called, with names like those that the API calls
/// (`check`, `init`, `parties`) and that the subject does not have. Reads debug information.
std::vector<uncalled_member> uncalled_members(const session& run);

}  // namespace warpcheck
