// Finds the calls of device code that the compiler could not inline.
#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <map>
#include <set>
#include <string_view>

#include <dlfcn.h>

#include "sim/subject/elf_image.hpp"
#include "sim/subject/gates_copies.hpp"
#include "sim/subject/location.hpp"
#include "sim/subject/subject.hpp"

namespace simt {
namespace {

// What instrumented code may call: the boundary, the instrumentation, and what the linker diverts
// to the simulator.
bool is_allowed(std::string_view name) {
  for (const std::string_view prefix : {"simt_hook_", "__tsan_", "__sanitizer_cov_", "__wrap_"}) {
    if (name.substr(0, prefix.size()) == prefix) return true;
  }
  return false;
}

// Compares addresses, because the C library picks a version of the function for the processor, and
// that version's name is private.
bool is_libc_memory_function(std::uint64_t address) {
  const void* const functions[] = {
      reinterpret_cast<const void*>(&std::memcpy), reinterpret_cast<const void*>(&std::memmove),
      reinterpret_cast<const void*>(&std::memset), reinterpret_cast<const void*>(&std::memcmp)};
  return std::find(std::begin(functions), std::end(functions),
                   reinterpret_cast<const void*>(address)) != std::end(functions);
}

std::uint32_t entry_block(const subject_library& library, std::uint64_t function) {
  for (std::uint32_t number = 0; number < library.blocks.size(); ++number) {
    if (library.blocks[number].address == function) return number;
  }
  return no_block;
}

std::set<std::uint64_t> callees_of(const subject_library& library, std::uint64_t function) {
  std::set<std::uint64_t> all;
  const std::uint32_t entry = entry_block(library, function);
  for (const basic_block& block : library.blocks) {
    if (entry != no_block && block.function == entry) {
      all.insert(block.callees.begin(), block.callees.end());
    }
  }
  return all;
}

// The instrumentation leaves out a function that ends in its first block by a call that does not
// return. Then only the debug information lists its calls.
void add_calls_of_uninstrumented(const subject_library& library, std::uint64_t function,
                                 std::set<std::string>& names) {
  if (entry_block(library, function) != no_block) return;
  for (const function_call& call : debug_info(library.file).calls_in(function)) {
    const bool is_of_memory = call.name == "memcpy" || call.name == "memmove" ||
                              call.name == "memset" || call.name == "memcmp";
    if (is_allowed(call.name) || is_of_memory) continue;
    names.insert(call.name.empty() ? through_a_pointer : detail::demangle(call.name.c_str()));
  }
}

/// The names of functions outside of the subject. The C library has several names for one function,
/// and private ones for versions of it. The object has the name that the source uses.
class linker_names {
 public:
  explicit linker_names(const subject_library& library) {
    for (std::string& name : detail::names_needed(library.file)) {
      const void* const address = dlsym(RTLD_DEFAULT, name.c_str());
      if (address != nullptr) called_.emplace(address, std::move(name));
    }
  }

  [[nodiscard]] std::string operator[](std::uint64_t address) const {
    const auto found = called_.find(reinterpret_cast<const void*>(address));
    return found == called_.end() ? name_of_symbol(address) : found->second;
  }

 private:
  std::map<const void*, std::string> called_;

  static std::string name_of_symbol(std::uint64_t address);
};

std::string linker_names::name_of_symbol(std::uint64_t address) {
  Dl_info found;
  // The address must be the symbol's own. Otherwise an unexported function would get its
  // neighbour's name.
  if (dladdr(reinterpret_cast<const void*>(address), &found) != 0 && found.dli_sname != nullptr &&
      reinterpret_cast<std::uint64_t>(found.dli_saddr) == address) {
    return found.dli_sname;
  }
  return {};
}

}  // namespace

bool calls(const subject_library& library, const detail::subject_entry& entry,
           std::string_view function) {
  const auto callees = callees_of(library, reinterpret_cast<std::uint64_t>(entry.body));
  const linker_names names(library);
  return std::ranges::any_of(callees,
                             [&](std::uint64_t callee) { return names[callee] == function; });
}

// What is not inlined is refused (calls_not_inlined), so these calls are all that there are.
bool makes_copies(const subject_library& library, const detail::subject_entry& entry) {
  if (!library.makes_copies) return false;
  if (gates_copies(library)) return true;
  const linker_names names(library);
  for (const auto function :
       {reinterpret_cast<std::uint64_t>(entry.body), reinterpret_cast<std::uint64_t>(entry.endless),
        reinterpret_cast<std::uint64_t>(entry.init)}) {
    if (function == 0) continue;
    if (entry_block(library, function) == no_block) return true;  // its calls are not known
    for (const std::uint64_t callee : callees_of(library, function)) {
      if (names[callee] == "simt_hook_copies") return true;
    }
  }
  return false;
}

std::vector<std::string> calls_not_inlined(const subject_library& library,
                                           const detail::subject_entry& entry) {
  std::set<std::uint64_t> callees;
  std::set<std::string> names;
  for (const auto function :
       {reinterpret_cast<std::uint64_t>(entry.body), reinterpret_cast<std::uint64_t>(entry.endless),
        reinterpret_cast<std::uint64_t>(entry.init)}) {
    if (function == 0) continue;
    callees.merge(callees_of(library, function));
    add_calls_of_uninstrumented(library, function, names);
  }
  const linker_names others(library);
  std::map<std::uint64_t, std::string> own;  // of functions of the subject, which are not exported
  for (const std::uint64_t callee : callees) {
    if (callee == indirect_callee) {
      names.insert(through_a_pointer);
      continue;
    }
    if (is_libc_memory_function(callee)) continue;
    std::string name;
    if (callee >= library.code_begin && callee < library.code_end) {
      if (own.empty()) own = detail::read_functions(library.file, library.code_begin);
      const auto found = own.find(callee);
      if (found != own.end()) name = found->second;
    } else {
      name = others[callee];
      if (is_allowed(name)) continue;
    }
    names.insert(name.empty() ? "a function without a name" : detail::demangle(name.c_str()));
  }
  return {names.begin(), names.end()};
}

}  // namespace simt
