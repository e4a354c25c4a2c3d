// Walks DWARF types down to a member, and reads how its values are written.
#include "sim/subject/dwarf_names.hpp"

#include <dwarf.h>
#include <cstdlib>

namespace simt::detail {
namespace {

// The depth of types within types, deeper than any real one, so that bad input ends too.
constexpr int depth_limit = 64;

std::optional<std::uint64_t> unsigned_attribute(Dwarf_Die entry, unsigned name) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  if (dwarf_attr_integrate(&entry, name, &attribute) == nullptr) return std::nullopt;
  if (dwarf_formudata(&attribute, &value) != 0) return std::nullopt;
  return value;
}

bool is_named_scope(int tag) {
  return tag == DW_TAG_namespace || tag == DW_TAG_class_type || tag == DW_TAG_structure_type ||
         tag == DW_TAG_union_type || tag == DW_TAG_subprogram;
}

std::optional<std::uint64_t> size_of(Dwarf_Die type) {
  Dwarf_Word size = 0;
  if (dwarf_aggregate_size(&type, &size) != 0) return std::nullopt;
  return size;
}

bool is_structure(int tag) {
  return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

bool is_mbarrier(Dwarf_Die type) { return qualified_name(type) == "simt::mbarrier"; }

// The inner workings of these types are the API's business.
bool is_opaque(Dwarf_Die type) {
  const std::string name = qualified_name(type);
  for (const char* prefix : {"simt::atomic", "simt::device_array<"}) {
    if (name.rfind(prefix, 0) == 0) return true;
  }
  return is_mbarrier(type);
}

// Nodes of a pool have the pool's name: "nodes[2].next".
bool is_pool(Dwarf_Die type) { return qualified_name(type).rfind("simt::pool<", 0) == 0; }
std::string name_in_pool(const std::string& member) {
  return member == "nodes_" ? std::string() : ".words";
}

struct element {
  Dwarf_Die type;
  std::uint64_t offset = 0;  // of what is looked for, within it
  std::string name;          // empty: a base class, or an unnamed structure
};

// The member or base of a structure that covers `offset`. In a union it is the first one.
std::optional<element> structure_element(Dwarf_Die structure, std::uint64_t offset) {
  Dwarf_Die child;
  if (dwarf_child(&structure, &child) != 0) return std::nullopt;
  do {
    const int tag = dwarf_tag(&child);
    if (tag != DW_TAG_member && tag != DW_TAG_inheritance) continue;
    // A static member is a declaration. A member without a location is at the start (a union's).
    Dwarf_Attribute attribute;
    if (dwarf_attr(&child, DW_AT_external, &attribute) != nullptr) continue;
    const std::uint64_t begin = unsigned_attribute(child, DW_AT_data_member_location).value_or(0);
    std::optional<Dwarf_Die> type = plain_type(referenced(child, DW_AT_type));
    if (!type) continue;
    const std::optional<std::uint64_t> size = size_of(*type);
    if (!size || offset < begin || offset - begin >= *size) continue;
    const char* name = tag == DW_TAG_member ? dwarf_diename(&child) : nullptr;
    // An empty base or member shares its byte with the one that holds data.
    if (is_structure(dwarf_tag(&*type)) && *size == 1 && !is_opaque(*type) &&
        !structure_element(*type, 0)) {
      continue;
    }
    return element{*type, offset - begin, name != nullptr ? name : ""};
  } while (dwarf_siblingof(&child, &child) == 0);
  return std::nullopt;
}

std::vector<std::uint64_t> array_lengths(Dwarf_Die array) {
  std::vector<std::uint64_t> lengths;
  Dwarf_Die child;
  if (dwarf_child(&array, &child) != 0) return lengths;
  do {
    if (dwarf_tag(&child) != DW_TAG_subrange_type) continue;
    if (const auto count = unsigned_attribute(child, DW_AT_count)) {
      lengths.push_back(*count);
    } else if (const auto last = unsigned_attribute(child, DW_AT_upper_bound)) {
      lengths.push_back(*last + 1);
    }
  } while (dwarf_siblingof(&child, &child) == 0);
  return lengths;
}

std::optional<element> array_element(Dwarf_Die array, std::uint64_t offset) {
  const std::optional<Dwarf_Die> type = plain_type(referenced(array, DW_AT_type));
  if (!type) return std::nullopt;
  const std::uint64_t size = size_of(*type).value_or(0);
  if (size == 0) return std::nullopt;
  std::uint64_t index = offset / size;
  const std::vector<std::uint64_t> lengths = array_lengths(array);
  std::string text;
  for (auto length = lengths.rbegin(); length != lengths.rend() && *length != 0; ++length) {
    text = "[" + std::to_string(index % *length) + "]" + text;
    index /= *length;
  }
  if (text.empty()) text = "[" + std::to_string(index) + "]";
  return element{*type, offset % size, text};
}

std::string text_of_value(Dwarf_Die enumerator) {
  const char* name = dwarf_diename(&enumerator);
  return name != nullptr ? name : "";
}

value_type type_of_scalar(Dwarf_Die type) {
  value_type result;
  if (dwarf_tag(&type) == DW_TAG_enumeration_type) {
    each_child(type, [&](Dwarf_Die child) {
      Dwarf_Attribute attribute;
      Dwarf_Sword value = 0;
      if (dwarf_tag(&child) != DW_TAG_enumerator) return;
      if (dwarf_attr(&child, DW_AT_const_value, &attribute) == nullptr) return;
      if (dwarf_formsdata(&attribute, &value) != 0) return;
      result.enumerators.emplace(static_cast<std::int64_t>(value), text_of_value(child));
    });
    const auto underlying = plain_type(referenced(type, DW_AT_type));
    if (underlying) result.what = type_of_scalar(*underlying).what;
    return result;
  }
  if (dwarf_tag(&type) != DW_TAG_base_type) return result;
  switch (unsigned_attribute(type, DW_AT_encoding).value_or(DW_ATE_signed)) {
    case DW_ATE_boolean: result.what = value_type::kind::boolean; break;
    case DW_ATE_unsigned:
    case DW_ATE_unsigned_char:
    case DW_ATE_UTF: result.what = value_type::kind::unsigned_integer; break;
    case DW_ATE_float: result.what = value_type::kind::real; break;
    default: break;
  }
  return result;
}

}  // namespace

void each_child(Dwarf_Die parent, const std::function<void(Dwarf_Die)>& visit) {
  Dwarf_Die child;
  if (dwarf_child(&parent, &child) != 0) return;
  do {
    visit(child);
  } while (dwarf_siblingof(&child, &child) == 0);
}

Dwarf_Die declaration_of(Dwarf_Die entry) {
  for (int depth = 0; depth < depth_limit; ++depth) {
    Dwarf_Attribute attribute;
    Dwarf_Die next;
    if (dwarf_attr(&entry, DW_AT_abstract_origin, &attribute) == nullptr &&
        dwarf_attr(&entry, DW_AT_specification, &attribute) == nullptr) {
      break;
    }
    if (dwarf_formref_die(&attribute, &next) == nullptr) break;
    entry = next;
  }
  return entry;
}

std::optional<Dwarf_Die> class_around(Dwarf_Die entry) {
  Dwarf_Die declared = declaration_of(entry);
  Dwarf_Die* scopes = nullptr;
  std::optional<Dwarf_Die> around;
  if (dwarf_getscopes_die(&declared, &scopes) > 1 && dwarf_tag(&scopes[1]) != DW_TAG_namespace) {
    around = scopes[1];
  }
  std::free(scopes);
  return around;
}

std::vector<Dwarf_Die> type_arguments(Dwarf_Die entry) {
  std::vector<Dwarf_Die> types;
  each_child(entry, [&](Dwarf_Die child) {
    if (dwarf_tag(&child) != DW_TAG_template_type_parameter) return;
    if (const auto type = referenced(child, DW_AT_type)) types.push_back(*type);
  });
  return types;
}

std::optional<Dwarf_Die> plain_type(std::optional<Dwarf_Die> type) {
  for (int depth = 0; type && depth < depth_limit; ++depth) {
    switch (dwarf_tag(&*type)) {
      case DW_TAG_typedef:
      case DW_TAG_const_type:
      case DW_TAG_volatile_type:
      case DW_TAG_template_alias: type = referenced(*type, DW_AT_type); break;
      default: return type;
    }
  }
  return std::nullopt;
}

std::optional<Dwarf_Die> referenced(Dwarf_Die entry, unsigned name) {
  Dwarf_Attribute attribute;
  Dwarf_Die target;
  if (dwarf_attr_integrate(&entry, name, &attribute) == nullptr) return std::nullopt;
  if (dwarf_formref_die(&attribute, &target) == nullptr) return std::nullopt;
  return target;
}

std::string qualified_name(Dwarf_Die entry) {
  Dwarf_Die declared = declaration_of(entry);
  const char* own = dwarf_diename(&declared);
  if (own == nullptr) return {};
  std::string name = own;
  Dwarf_Die* scopes = nullptr;
  const int count = dwarf_getscopes_die(&declared, &scopes);
  for (int index = 1; index < count; ++index) {
    if (!is_named_scope(dwarf_tag(&scopes[index]))) continue;
    if (const char* scope = dwarf_diename(&scopes[index])) name = std::string(scope) + "::" + name;
  }
  std::free(scopes);
  return name;
}

std::string normalized(const std::string& name) {
  std::string result;
  for (const char letter : name) {
    if (letter != ' ') result += letter;
  }
  const std::string unnamed = "(anonymousnamespace)::";
  for (std::size_t at = 0; (at = result.find(unnamed, at)) != std::string::npos;) {
    result.erase(at, unnamed.size());
  }
  return result;
}

std::string without_arguments(const std::string& name) {
  std::string result;
  int depth = 0;
  for (const char letter : normalized(name)) {
    if (letter == '<') ++depth;
    if (depth == 0) result += letter;
    if (letter == '>') --depth;
  }
  return result;
}

std::string element_path(Dwarf_Die start, std::uint64_t offset) {
  const std::optional<Dwarf_Die> type = plain_type(start);
  const std::uint64_t size = type ? size_of(*type).value_or(0) : 0;
  if (size == 0) return "+" + std::to_string(offset);
  const std::string rest = member_path(*type, offset % size);
  return "[" + std::to_string(offset / size) + "]" + (rest == "+0" ? "" : rest);
}

std::optional<Dwarf_Die> pointee(Dwarf_Die start, std::uint64_t offset) {
  std::optional<Dwarf_Die> type = plain_type(start);
  for (int depth = 0; type && depth < depth_limit; ++depth) {
    const int tag = dwarf_tag(&*type);
    if (tag == DW_TAG_pointer_type) {
      return offset == 0 ? referenced(*type, DW_AT_type) : std::nullopt;
    }
    std::optional<element> next;
    if (is_structure(tag)) next = structure_element(*type, offset);
    if (tag == DW_TAG_array_type) next = array_element(*type, offset);
    if (!next) break;
    type = next->type;
    offset = next->offset;
  }
  return std::nullopt;
}

value_type value_type_at(Dwarf_Die start, std::uint64_t offset) {
  std::optional<Dwarf_Die> type = plain_type(start);
  for (int depth = 0; type && depth < depth_limit; ++depth) {
    const int tag = dwarf_tag(&*type);
    std::optional<element> next;
    if (is_structure(tag) && offset == 0 && is_mbarrier(*type)) {
      value_type state;
      state.what = value_type::kind::mbarrier;
      return state;
    }
    if (is_structure(tag)) next = structure_element(*type, offset);
    if (tag == DW_TAG_array_type) next = array_element(*type, offset);
    if (!next) return offset == 0 ? type_of_scalar(*type) : value_type{};
    type = next->type;
    offset = next->offset;
  }
  return {};
}

value_type value_type_of_element(Dwarf_Die start, std::uint64_t offset) {
  const std::optional<Dwarf_Die> type = plain_type(start);
  const std::uint64_t size = type ? size_of(*type).value_or(0) : 0;
  return size == 0 ? value_type{} : value_type_at(*type, offset % size);
}

std::string member_path(Dwarf_Die start, std::uint64_t offset) {
  std::string path;
  std::optional<Dwarf_Die> type = plain_type(start);
  for (int depth = 0; type && depth < depth_limit; ++depth) {
    const int tag = dwarf_tag(&*type);
    std::optional<element> next;
    if (is_structure(tag) && !is_opaque(*type)) {
      next = structure_element(*type, offset);
      if (next && is_pool(*type)) {
        path += name_in_pool(next->name);
      } else if (next && !next->name.empty()) {
        path += "." + next->name;
      }
    } else if (tag == DW_TAG_array_type) {
      next = array_element(*type, offset);
      if (next) path += next->name;
    }
    if (!next) break;
    type = next->type;
    offset = next->offset;
  }
  return offset == 0 && !path.empty() ? path : path + "+" + std::to_string(offset);
}

}  // namespace simt::detail
