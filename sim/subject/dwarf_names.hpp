// C++ names of DWARF entries, and the way down from a type to the member at an offset.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <elfutils/libdw.h>

#include "sim/subject/location.hpp"

namespace simt::detail {

/// Calls visit(child) for each entry within.
void each_child(Dwarf_Die parent, const std::function<void(Dwarf_Die)>& visit);

/// "outer::type::function"; unnamed scopes are left out. Empty: it has no name.
std::string qualified_name(Dwarf_Die entry);

/// Spellings of one name agree after this: blanks and "(anonymous namespace)::" are removed.
std::string normalized(const std::string& name);

/// A normalized name without its template arguments: compilers write those in more than one way.
std::string without_arguments(const std::string& name);

/// Where an entry that is defined elsewhere is declared: in its class, say. Else the entry itself.
Dwarf_Die declaration_of(Dwarf_Die entry);

/// The class or function that `entry` is declared in; namespaces are left out.
std::optional<Dwarf_Die> class_around(Dwarf_Die entry);

/// The types among the template arguments of a class or function.
std::vector<Dwarf_Die> type_arguments(Dwarf_Die entry);

/// The type past typedefs and qualifiers.
std::optional<Dwarf_Die> plain_type(std::optional<Dwarf_Die> type);

/// The entry at attribute `name`, inherited from abstract origin or specification.
std::optional<Dwarf_Die> referenced(Dwarf_Die entry, unsigned name);

/// The path from a `type` to what lies at `offset`: ".lock.held", "[2].next", or what is known of
/// it and then "+4".
std::string member_path(Dwarf_Die type, std::uint64_t offset);

/// "[2].next": the same from the first of an array of `type`.
std::string element_path(Dwarf_Die type, std::uint64_t offset);

/// How the value that begins at `offset` of a `type` is written; a number with a sign where nothing
/// is known.
value_type value_type_at(Dwarf_Die type, std::uint64_t offset);
/// The same of an array of `type`.
value_type value_type_of_element(Dwarf_Die type, std::uint64_t offset);

/// What the pointer at `offset` of a `type` points to, if there is a pointer.
std::optional<Dwarf_Die> pointee(Dwarf_Die type, std::uint64_t offset);

}  // namespace simt::detail
