// Names block-shared variables: by the reference in the source that block_shared() initializes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "sim/subject/dwarf_names.hpp"

namespace simt::detail {

struct shared_name {
  std::string name;  // "tile", of `int& tile = block_shared<int>()`; else of its tag. Empty: its
                     // members are variables
  std::optional<Dwarf_Die> type;  // past its name
};

/// Adds the unit's block-shared variables, by the addresses of their descriptors.
void list_shared_variables(Dwarf_Die unit, std::map<std::uint64_t, shared_name>& all);

}  // namespace simt::detail
