// Finds in the debug information which reference of the source each block-shared variable is bound
// to.
#include "sim/subject/shared_names.hpp"

#include <vector>

#include <dwarf.h>

namespace simt::detail {
namespace {

/// The template arguments of a variable's descriptor: its type, and its tag.
struct descriptor_types {
  Dwarf_Die type, tag;
};

std::optional<descriptor_types> types_of(Dwarf_Die entry, const char* template_name) {
  if (!qualified_name(entry).starts_with(template_name)) return std::nullopt;
  const std::vector<Dwarf_Die> types = type_arguments(entry);
  if (types.size() != 2) return std::nullopt;
  return descriptor_types{types[0], types[1]};
}

bool is_same(Dwarf_Die a, Dwarf_Die b) { return dwarf_dieoffset(&a) == dwarf_dieoffset(&b); }

std::optional<std::uint64_t> address_of(Dwarf_Die variable) {
  Dwarf_Attribute location, address;
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  Dwarf_Addr value = 0;
  if (dwarf_attr(&variable, DW_AT_location, &location) == nullptr) return std::nullopt;
  if (dwarf_getlocation(&location, &operations, &count) != 0 || count != 1) return std::nullopt;
  if (operations->atom == DW_OP_addr) return operations->number;
  if (dwarf_getlocation_attr(&location, operations, &address) != 0) return std::nullopt;
  if (dwarf_formaddr(&address, &value) != 0) return std::nullopt;
  return value;
}

/// The type that a reference or a pointer leads to. Nothing: the type is neither.
std::optional<Dwarf_Die> target_of(Dwarf_Die variable) {
  const auto type = plain_type(referenced(variable, DW_AT_type));
  if (!type) return std::nullopt;
  Dwarf_Die found = *type;
  const int tag = dwarf_tag(&found);
  const bool leads = tag == DW_TAG_reference_type || tag == DW_TAG_pointer_type;
  return leads ? plain_type(referenced(found, DW_AT_type)) : std::nullopt;
}

std::uint64_t line_at(Dwarf_Die entry, unsigned name) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  if (dwarf_attr(&entry, name, &attribute) == nullptr) return 0;
  return dwarf_formudata(&attribute, &value) == 0 ? value : 0;
}

/// The last reference to `type` that is declared in `scope` no later than at `line`. A call may
/// stand some lines below the beginning of its declaration.
void find_reference(Dwarf_Die scope, Dwarf_Die type, std::uint64_t line, std::string& name,
                    std::uint64_t& at) {
  each_child(scope, [&](Dwarf_Die child) {
    if (dwarf_tag(&child) == DW_TAG_lexical_block) find_reference(child, type, line, name, at);
    if (dwarf_tag(&child) != DW_TAG_variable || dwarf_diename(&child) == nullptr) return;
    const std::uint64_t declared = line_at(child, DW_AT_decl_line);
    const auto target = target_of(child);
    if (!target || !is_same(*target, type) || declared > line || declared < at) return;
    name = dwarf_diename(&child);
    at = declared;
  });
}

/// Looks for a call of block_shared() for the variable, and for the reference that it initializes.
void find_use(Dwarf_Die scope, Dwarf_Die function, const descriptor_types& wanted,
              std::string& name) {
  each_child(scope, [&](Dwarf_Die child) {
    if (!name.empty()) return;
    const int tag = dwarf_tag(&child);
    if (tag == DW_TAG_namespace || tag == DW_TAG_lexical_block) {
      return find_use(child, function, wanted, name);
    }
    if (tag == DW_TAG_subprogram) return find_use(child, child, wanted, name);
    if (tag != DW_TAG_inlined_subroutine) return;
    const auto called = referenced(child, DW_AT_abstract_origin);
    if (!called) return;
    const auto types = types_of(*called, "simt::block_shared<");
    if (!types) return find_use(child, *called, wanted, name);
    if (!is_same(types->type, wanted.type) || !is_same(types->tag, wanted.tag)) return;
    const auto type = plain_type(types->type);
    std::uint64_t at = 0;
    if (type) find_reference(function, *type, line_at(child, DW_AT_call_line), name, at);
  });
}

std::string last_part(const std::string& name) {
  const std::size_t arguments = name.find('<');
  const std::size_t scope = name.rfind("::", arguments);
  return scope == std::string::npos ? name : name.substr(scope + 2);
}

void find_descriptors(Dwarf_Die scope, Dwarf_Die unit, std::map<std::uint64_t, shared_name>& all) {
  each_child(scope, [&](Dwarf_Die child) {
    if (dwarf_tag(&child) == DW_TAG_namespace) return find_descriptors(child, unit, all);
    if (dwarf_tag(&child) != DW_TAG_variable) return;
    const auto owner = class_around(child);
    const auto types = owner ? types_of(*owner, "simt::detail::shared_variable<") : std::nullopt;
    const auto address = address_of(child);
    if (!types || !address) return;
    shared_name found{{}, plain_type(types->type)};
    find_use(unit, unit, *types, found.name);
    // The members of kernel_shared are the variables of a kernel in PTX.
    const bool is_of_kernel = qualified_name(types->type) == "simt::ptx::kernel_shared";
    if (found.name.empty() && !is_of_kernel) {
      const std::string tag = last_part(qualified_name(types->tag));
      const bool is_own = !is_same(types->type, types->tag);
      found.name = is_own && !tag.empty() ? tag : tag.empty() ? "shared" : "shared " + tag;
    }
    all.insert_or_assign(*address, found);
  });
}

}  // namespace

void list_shared_variables(Dwarf_Die unit, std::map<std::uint64_t, shared_name>& all) {
  find_descriptors(unit, unit, all);
}

}  // namespace simt::detail
