// Finds entries of DWARF by address and by name, and makes names for reports from them.
#include "sim/subject/location.hpp"

#include <functional>
#include <optional>
#include <set>

#include <dlfcn.h>
#include <dwarf.h>
#include <fcntl.h>
#include <link.h>
#include <unistd.h>
#include <simt/detail/hooks.hpp>

#include "sim/subject/dwarf_names.hpp"
#include "sim/subject/shared_names.hpp"

namespace simt {
namespace {

using detail::each_child;
using detail::normalized;
using detail::qualified_name;
using detail::without_arguments;

std::uint64_t load_address(const std::filesystem::path& file) {
  void* handle = dlopen(file.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (handle == nullptr) return 0;
  const link_map* map = nullptr;
  const bool known = dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && map != nullptr;
  const std::uint64_t bias = known ? map->l_addr : 0;
  dlclose(handle);  // only drops our own reference
  return bias;
}

// Calls visit(entry) for `entry` and the types and variables in it, until visit returns true.
bool search(Dwarf_Die entry, const std::function<bool(Dwarf_Die)>& visit) {
  if (visit(entry)) return true;
  switch (dwarf_tag(&entry)) {
    case DW_TAG_compile_unit:
    case DW_TAG_namespace:
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type:
    case DW_TAG_subprogram:
    case DW_TAG_lexical_block: break;
    default: return false;
  }
  Dwarf_Die child;
  if (dwarf_child(&entry, &child) != 0) return false;
  do {
    if (search(child, visit)) return true;
  } while (dwarf_siblingof(&child, &child) == 0);
  return false;
}

bool is_type(int tag) {
  return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type ||
         tag == DW_TAG_typedef || tag == DW_TAG_base_type;
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

// `wanted` may leave out the outermost scopes: not every caller knows the whole name.
bool names_match(const std::string& full, const std::string& wanted) {
  if (!ends_with(full, wanted)) return false;
  const std::size_t before = full.size() - wanted.size();
  return before == 0 || (before >= 2 && full.compare(before - 2, 2, "::") == 0);
}

named_data unknown_at(std::uint64_t offset) { return {"+" + std::to_string(offset), {}}; }

// The name and type of what lies at `offset` of the variable `name`.
named_data within(const std::string& name, const std::optional<Dwarf_Die>& type,
                  std::uint64_t offset) {
  std::string path = type ? detail::member_path(*type, offset) : unknown_at(offset).name;
  if (name.empty() && path.starts_with('.')) path.erase(0, 1);
  return {path == "+0" ? name : name + path,
          type ? detail::value_type_at(*type, offset) : value_type{}};
}

std::string text_of(const char* text) { return text != nullptr ? text : ""; }

std::uint32_t attribute_number(Dwarf_Die entry, unsigned name) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  if (dwarf_attr(&entry, name, &attribute) == nullptr) return 0;
  return dwarf_formudata(&attribute, &value) == 0 ? static_cast<std::uint32_t>(value) : 0;
}

// The file whose number is at the attribute. dwarf_decl_file takes number 0 for none, but in DWARF
// 5 it is the first file.
std::string file_of(Dwarf_Die unit, Dwarf_Die entry, unsigned name) {
  Dwarf_Files* files = nullptr;
  std::size_t count = 0;
  if (dwarf_getsrcfiles(&unit, &files, &count) != 0) return {};
  const std::uint32_t index = attribute_number(entry, name);
  return index < count ? text_of(dwarf_filesrc(files, index, nullptr, nullptr)) : "";
}

std::string absolute(const std::string& file, Dwarf_Die unit) {
  Dwarf_Attribute attribute;
  if (file.empty() || file.front() == '/') return file;
  if (dwarf_attr(&unit, DW_AT_comp_dir, &attribute) == nullptr) return file;
  const std::filesystem::path folder = text_of(dwarf_formstring(&attribute));
  return (folder / file).lexically_normal().string();
}

// The functions around `address`, outermost first: one that was not inlined, then those inlined
// into it. dwarf_getscopes does not find functions in namespaces.
void find_functions(Dwarf_Die parent, std::uint64_t address, std::vector<Dwarf_Die>& functions) {
  Dwarf_Die child;
  if (dwarf_child(&parent, &child) != 0) return;
  do {
    const int tag = dwarf_tag(&child);
    const bool is_function = tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
    if (is_function || tag == DW_TAG_lexical_block) {
      if (dwarf_haspc(&child, address) <= 0) continue;
      if (is_function) functions.push_back(child);
      find_functions(child, address, functions);
      return;
    }
    if (tag == DW_TAG_namespace || is_type(tag)) {
      find_functions(child, address, functions);
      if (!functions.empty()) return;
    }
  } while (dwarf_siblingof(&child, &child) == 0);
}

std::vector<source_frame> frames_in(Dwarf_Die unit, std::uint64_t address) {
  source_frame place;
  if (Dwarf_Line* line = dwarf_getsrc_die(&unit, address)) {
    int row = 0, column = 0;
    dwarf_lineno(line, &row);
    dwarf_linecol(line, &column);
    place.file = text_of(dwarf_linesrc(line, nullptr, nullptr));
    place.line = static_cast<std::uint32_t>(row);
    place.column = static_cast<std::uint32_t>(column);
  }
  std::vector<source_frame> frames;
  std::vector<Dwarf_Die> functions;
  find_functions(unit, address, functions);
  for (auto function = functions.rbegin(); function != functions.rend(); ++function) {
    place.function = qualified_name(*function);
    place.file = absolute(place.file, unit);
    frames.push_back(place);
    place = {{},
             file_of(unit, *function, DW_AT_call_file),
             attribute_number(*function, DW_AT_call_line),
             attribute_number(*function, DW_AT_call_column)};
  }
  return frames;
}

bool is_class(int tag) {
  return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

// The declarations of member functions that are compiled somewhere in `entry`.
void find_compiled(Dwarf_Die entry, std::set<Dwarf_Off>& declarations) {
  each_child(entry, [&](Dwarf_Die child) {
    const int tag = dwarf_tag(&child);
    Dwarf_Attribute attribute;
    Dwarf_Die declared;
    if (tag == DW_TAG_namespace) find_compiled(child, declarations);
    if (tag != DW_TAG_subprogram) return;
    if (dwarf_attr(&child, DW_AT_specification, &attribute) == nullptr) return;
    if (dwarf_formref_die(&attribute, &declared) == nullptr) return;
    declarations.insert(dwarf_dieoffset(&declared));
  });
}

std::string linker_name_of(Dwarf_Die function) {
  Dwarf_Attribute attribute;
  if (dwarf_attr_integrate(&function, DW_AT_linkage_name, &attribute) != nullptr) {
    return text_of(dwarf_formstring(&attribute));
  }
  return text_of(dwarf_diename(&function));
}

void list_calls(Dwarf_Die within, std::uint64_t bias, std::vector<function_call>& all) {
  each_child(within, [&](Dwarf_Die child) {
    list_calls(child, bias, all);
    Dwarf_Attribute attribute;
    Dwarf_Addr behind = 0;
    if (dwarf_tag(&child) != DW_TAG_call_site) return;
    if (dwarf_attr(&child, DW_AT_call_return_pc, &attribute) == nullptr) return;
    if (dwarf_formaddr(&attribute, &behind) != 0) return;
    const auto callee = detail::referenced(child, DW_AT_call_origin);
    all.push_back({callee ? linker_name_of(*callee) : std::string(), behind + bias});
  });
}

void list_functions(Dwarf_Die type, Dwarf_Die unit, const std::set<Dwarf_Off>& compiled,
                    std::vector<member_function>& all) {
  each_child(type, [&](Dwarf_Die child) {
    if (dwarf_tag(&child) == DW_TAG_inheritance) {
      auto base = detail::referenced(child, DW_AT_type);
      if (base && is_class(dwarf_tag(&*base))) list_functions(*base, unit, compiled, all);
    }
    Dwarf_Attribute attribute;
    if (dwarf_tag(&child) != DW_TAG_subprogram || dwarf_diename(&child) == nullptr) return;
    if (dwarf_attr(&child, DW_AT_artificial, &attribute) != nullptr) return;
    const bool says_access = dwarf_attr(&child, DW_AT_accessibility, &attribute) != nullptr;
    const bool is_public = says_access
                               ? attribute_number(child, DW_AT_accessibility) == DW_ACCESS_public
                               : dwarf_tag(&type) != DW_TAG_class_type;
    all.push_back({dwarf_diename(&child), absolute(file_of(unit, child, DW_AT_decl_file), unit),
                   attribute_number(child, DW_AT_decl_line), is_public,
                   compiled.contains(dwarf_dieoffset(&child))});
  });
}

}  // namespace

struct debug_info::implementation {
  int descriptor = -1;
  Dwarf* dwarf = nullptr;
  std::uint64_t bias = 0;
  // By address of the descriptor. Empty: not read yet.
  std::optional<std::map<std::uint64_t, detail::shared_name>> shared;

  // Calls visit(unit) for each compilation unit until it returns true.
  void each_unit(const std::function<bool(Dwarf_Die)>& visit) const {
    Dwarf_CU* unit = nullptr;
    Dwarf_Die entry;
    while (dwarf != nullptr &&
           dwarf_get_units(dwarf, unit, &unit, nullptr, nullptr, &entry, nullptr) == 0) {
      if (visit(entry)) return;
    }
  }

  // The entry whose tag passes and whose name is `name`. Without one: an entry whose name ends with
  // `name`. Else the only entry that has the name apart from template arguments.
  [[nodiscard]] std::optional<Dwarf_Die> find(const std::string& name, bool (*passes)(int)) const {
    const std::string wanted = normalized(name);
    const std::string stem = without_arguments(name);
    std::optional<Dwarf_Die> exact, by_end, by_stem;
    std::string stem_owner;
    bool ambiguous = false;
    if (stem.empty()) return exact;
    const auto visit = [&](Dwarf_Die entry) {
      Dwarf_Attribute attribute;
      if (!passes(dwarf_tag(&entry)) || dwarf_diename(&entry) == nullptr) return false;
      // Finding scopes is slow, so the entry's own name is compared first.
      if (!ends_with(stem, without_arguments(dwarf_diename(&entry)))) return false;
      if (dwarf_attr(&entry, DW_AT_declaration, &attribute) != nullptr) return false;
      const std::string full = normalized(qualified_name(entry));
      if (full == wanted) exact = entry;
      if (!by_end && names_match(full, wanted)) by_end = entry;
      if (without_arguments(full) == stem) {
        ambiguous = ambiguous || (by_stem && stem_owner != full);
        by_stem = entry;
        stem_owner = full;
      }
      return exact.has_value();
    };
    each_unit([&](Dwarf_Die unit) { return search(unit, visit); });
    if (exact) return exact;
    if (by_end) return by_end;
    return ambiguous ? std::nullopt : by_stem;
  }

  [[nodiscard]] std::optional<Dwarf_Die> find(const class_name& name) const {
    std::optional<Dwarf_Die> argument;
    if (name.function > bias) {
      each_unit([&](Dwarf_Die unit) {
        std::vector<Dwarf_Die> around;
        find_functions(unit, name.function - bias, around);
        const auto owner = around.empty() ? std::nullopt : detail::class_around(around.front());
        const auto types = owner ? detail::type_arguments(*owner) : std::vector<Dwarf_Die>();
        if (!types.empty()) argument = types.front();
        return !around.empty();
      });
    }
    return argument ? argument : find(name.text, is_type);
  }
};

class_name workload_type(const detail::subject_entry& entry) {
  return {entry.type, reinterpret_cast<std::uint64_t>(entry.body)};
}

debug_info::debug_info(const std::filesystem::path& file)
    : self_(std::make_unique<implementation>()) {
  self_->bias = load_address(file);
  self_->descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (self_->descriptor >= 0) self_->dwarf = dwarf_begin(self_->descriptor, DWARF_C_READ);
}

debug_info::~debug_info() {
  if (self_->dwarf != nullptr) dwarf_end(self_->dwarf);
  if (self_->descriptor >= 0) ::close(self_->descriptor);
}

std::vector<source_frame> debug_info::frames(std::uint64_t return_address) const {
  std::vector<source_frame> frames;
  if (return_address <= self_->bias) return frames;
  // The byte before belongs to the call. The return address itself may belong to the next line.
  const std::uint64_t address = return_address - self_->bias - 1;
  self_->each_unit([&](Dwarf_Die unit) {
    if (dwarf_haspc(&unit, address) > 0) frames = frames_in(unit, address);
    return !frames.empty();
  });
  return frames;
}

named_data debug_info::member(const class_name& type, std::uint64_t offset) const {
  const auto found = self_->find(type);
  if (!found) return unknown_at(offset);
  const std::string path = detail::member_path(*found, offset);
  return {path.front() == '.' ? path.substr(1) : path, detail::value_type_at(*found, offset)};
}

std::vector<function_call> debug_info::calls_in(std::uint64_t function) const {
  std::vector<function_call> all;
  if (function < self_->bias) return all;
  self_->each_unit([&](Dwarf_Die unit) {
    std::vector<Dwarf_Die> around;
    find_functions(unit, function - self_->bias, around);
    if (!around.empty()) list_calls(around.front(), self_->bias, all);
    return !around.empty();
  });
  return all;
}

std::vector<member_function> debug_info::functions_of_first_member(const class_name& type) const {
  std::vector<member_function> all;
  const auto found = self_->find(type);
  if (!found) return all;
  std::optional<Dwarf_Die> subject;
  each_child(*found, [&](Dwarf_Die child) {
    if (!subject && dwarf_tag(&child) == DW_TAG_member) {
      subject = detail::referenced(child, DW_AT_type);
    }
  });
  while (subject && dwarf_tag(&*subject) == DW_TAG_typedef) {
    subject = detail::referenced(*subject, DW_AT_type);
  }
  if (!subject || !is_class(dwarf_tag(&*subject))) return all;
  std::set<Dwarf_Off> compiled;
  self_->each_unit([&](Dwarf_Die unit) {
    find_compiled(unit, compiled);
    return false;
  });
  self_->each_unit([&](Dwarf_Die unit) {
    list_functions(*subject, unit, compiled, all);
    return true;
  });
  return all;
}

named_data debug_info::element(const class_name& type, std::uint64_t pointer,
                               std::uint64_t offset) const {
  const auto found = self_->find(type);
  const auto target = found ? detail::pointee(*found, pointer) : std::nullopt;
  if (!target) return unknown_at(offset);
  return {detail::element_path(*target, offset), detail::value_type_of_element(*target, offset)};
}

named_data debug_info::variable(const std::string& name, std::uint64_t offset) const {
  const auto found = self_->find(name, [](int tag) { return tag == DW_TAG_variable; });
  return within(name, found ? detail::referenced(*found, DW_AT_type) : std::nullopt, offset);
}

named_data debug_info::shared(std::uint32_t slot, std::uint32_t slots, std::uint64_t offset) const {
  if (!self_->shared) {
    self_->shared.emplace();
    self_->each_unit([&](Dwarf_Die unit) {
      detail::list_shared_variables(unit, *self_->shared);
      return false;
    });
  }
  // Slots number the descriptors by address, so all descriptors must be known.
  if (self_->shared->size() != slots) {
    return within("shared " + std::to_string(slot), std::nullopt, offset);
  }
  const auto& [address, variable] = *std::next(self_->shared->begin(), slot);
  return within(variable.name, variable.type, offset);
}

}  // namespace simt
