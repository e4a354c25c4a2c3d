// Which calls of device code the compiler could not inline.
#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <map>
#include <set>
#include <string_view>

#include <dlfcn.h>

#include "sim/subject/elf_image.hpp"
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

// By address: the C library picks a version for this processor, and that one's name is private.
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

template <class T>
T read_at(std::uint64_t address) {
  T value;
  std::memcpy(&value, reinterpret_cast<const void*>(address), sizeof value);
  return value;
}

std::uint64_t relative(std::uint64_t next, std::uint64_t at) {
  return next + static_cast<std::uint64_t>(std::int64_t{read_at<std::int32_t>(at)});
}

// Whether `target` is the callee, or an entry of the linker's table that jumps there:
// "endbr64; bnd jmp *slot", where the first instruction and the prefix may be missing.
bool leads_to(const subject_library& library, std::uint64_t target, std::uint64_t callee) {
  if (target == callee) return true;
  constexpr std::uint64_t longest = 16;
  if (target < library.code_begin || target + longest > library.code_end) return false;
  if (read_at<std::uint32_t>(target) == 0xfa1e0ff3U) target += 4;
  if (read_at<std::uint8_t>(target) == 0xf2) ++target;
  if (read_at<std::uint16_t>(target) != 0x25ff) return false;
  const std::uint64_t slot = relative(target + 6, target + 2);
  if (slot < library.code_begin || slot + 8 > library.code_end) return false;
  return read_at<std::uint64_t>(slot) == callee;
}

// The return address of a call of `callee` in the block ("call rel32"), where it is found.
std::uint64_t place_of_call(const subject_library& library, const basic_block& block,
                            std::uint64_t callee) {
  std::uint64_t end = library.code_end;
  for (const basic_block& other : library.blocks) {
    if (other.address > block.address) end = std::min(end, other.address);
  }
  constexpr std::uint64_t call_size = 5;
  constexpr std::uint64_t longest_block = 1 << 16;
  end = std::min(end, block.address + longest_block);
  for (std::uint64_t at = block.address; callee != indirect_callee && at + call_size <= end; ++at) {
    if (read_at<std::uint8_t>(at) != 0xe8) continue;
    const std::uint64_t next = at + call_size;
    if (leads_to(library, relative(next, at + 1), callee)) return next;
  }
  return block.address + 1;
}

void add_calls(const subject_library& library, std::uint64_t function,
               std::map<std::uint64_t, std::uint64_t>& callees) {
  const std::uint32_t entry = entry_block(library, function);
  for (const basic_block& block : library.blocks) {
    if (entry == no_block || block.function != entry) continue;
    for (const std::uint64_t callee : block.callees) {
      if (!callees.contains(callee)) callees[callee] = place_of_call(library, block, callee);
    }
  }
}

std::string linker_name(std::uint64_t address) {
  Dl_info found;
  // Not an address within some function: an unexported one would pass for its neighbour.
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
  return std::ranges::any_of(callees,
                             [&](std::uint64_t callee) { return linker_name(callee) == function; });
}

std::vector<unfollowed_call> calls_not_inlined(const subject_library& library,
                                               const detail::subject_entry& entry) {
  std::map<std::uint64_t, std::uint64_t> callees;  // and where each is called
  add_calls(library, reinterpret_cast<std::uint64_t>(entry.body), callees);
  if (entry.endless != nullptr) {
    add_calls(library, reinterpret_cast<std::uint64_t>(entry.endless), callees);
  }
  if (entry.init != nullptr) {
    add_calls(library, reinterpret_cast<std::uint64_t>(entry.init), callees);
  }
  std::map<std::string, std::uint64_t> found;
  std::map<std::uint64_t, std::string> own;  // of functions of the subject, which are not exported
  for (const auto& [callee, pc] : callees) {
    if (callee == indirect_callee) {
      found.emplace("a function called through a pointer", pc);
      continue;
    }
    if (is_libc_memory_function(callee)) continue;
    std::string name;
    if (callee >= library.code_begin && callee < library.code_end) {
      if (own.empty()) own = detail::read_functions(library.file, library.code_begin);
      const auto its = own.find(callee);
      if (its != own.end()) name = its->second;
    } else {
      name = linker_name(callee);
      if (is_allowed(name)) continue;
    }
    found.emplace(name.empty() ? "a function without a name" : detail::demangle(name.c_str()), pc);
  }
  std::vector<unfollowed_call> result;
  for (const auto& [name, pc] : found) result.push_back({name, pc});
  return result;
}

}  // namespace simt
