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

/// Calls visit(child) for each child of the entry.
void each_child(Dwarf_Die parent, const std::function<void(Dwarf_Die)>& visit);

/// "outer::type::function", without unnamed scopes. Empty: the entry has no name.
std::string qualified_name(Dwarf_Die entry);

/// The name without blanks and "(anonymous namespace)::", so that all spellings of it agree.
std::string normalized(const std::string& name);

/// A normalized name without its template arguments, which compilers write in more than one way.
std::string without_arguments(const std::string& name);

/// The declaration of an entry that is defined elsewhere, for example in its class. Without one,
/// the entry itself.
Dwarf_Die declaration_of(Dwarf_Die entry);

/// The class or function that `entry` is declared in. Namespaces do not count.
std::optional<Dwarf_Die> class_around(Dwarf_Die entry);

/// The types among the template arguments of a class or function.
std::vector<Dwarf_Die> type_arguments(Dwarf_Die entry);

/// The type past typedefs and qualifiers.
std::optional<Dwarf_Die> plain_type(std::optional<Dwarf_Die> type);

/// The entry at attribute `name`, inherited from abstract origin or specification.
std::optional<Dwarf_Die> referenced(Dwarf_Die entry, unsigned name);

/// The path from a `type` to what lies at `offset`: ".lock.held", "[2].next", or the part of it
/// that is known, followed by "+4".
std::string member_path(Dwarf_Die type, std::uint64_t offset);

/// The path from the first element of an array of `type`: "[2].next".
std::string element_path(Dwarf_Die type, std::uint64_t offset);

/// How the value at `offset` of a `type` is written. If nothing is known: as a number with a sign.
value_type value_type_at(Dwarf_Die type, std::uint64_t offset);
/// How the value at `offset` of an array of `type` is written.
value_type value_type_of_element(Dwarf_Die type, std::uint64_t offset);

/// The type that the pointer at `offset` of a `type` points to. Nothing: there is no pointer.
std::optional<Dwarf_Die> pointee(Dwarf_Die type, std::uint64_t offset);

}  // namespace simt::detail
