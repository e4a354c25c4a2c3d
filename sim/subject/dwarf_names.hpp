// C++ names of DWARF entries, and the way down from a type to the member at an offset.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <elfutils/libdw.h>

namespace simt::detail {

/// "outer::type::function"; unnamed scopes are left out. Empty: it has no name.
std::string qualified_name(Dwarf_Die entry);

/// Spellings of one name agree after this: blanks and "(anonymous namespace)::" are removed.
std::string normalized(const std::string& name);

/// A normalized name without its template arguments: compilers write those in more than one way.
std::string without_arguments(const std::string& name);

/// The entry at attribute `name`, inherited from abstract origin or specification.
std::optional<Dwarf_Die> referenced(Dwarf_Die entry, unsigned name);

/// The path from a `type` to what lies at `offset`: ".lock.held", "[2].next", or what is known of
/// it and then "+4".
std::string member_path(Dwarf_Die type, std::uint64_t offset);

/// "[2].next": the same from the first of an array of `type`.
std::string element_path(Dwarf_Die type, std::uint64_t offset);

/// What the pointer at `offset` of a `type` points to, if there is a pointer.
std::optional<Dwarf_Die> pointee(Dwarf_Die type, std::uint64_t offset);

}  // namespace simt::detail
