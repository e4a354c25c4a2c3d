// Members of a subject that look as if the API called them, and that nobody calls.
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

/// Member functions with names like those that the API calls (`check`, `init`, `parties`), which
/// the subject does not have, and that are called nowhere. Reads debug information.
std::vector<uncalled_member> uncalled_members(const session& run);

}  // namespace warpcheck
