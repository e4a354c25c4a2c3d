// Finds registers that point to a known place in a local variable.
//
// A compiler keeps arrays of a lane in a depot, whose address it puts into a register. An access
// through that register is written as an access to the C++ array itself. If nothing else has the
// array's address, the array becomes registers, and a lane's state holds only what is still used.
#include <algorithm>

#include "sim/ptx/emit/emitter.hpp"

namespace simt::ptx {
namespace {

void count_registers(const operand& o, std::map<std::string, unsigned, std::less<>>& uses) {
  if (o.what == operand::kind::reg || (o.what == operand::kind::address && o.base_is_register)) {
    ++uses[o.name];
  }
  for (const operand& part : o.parts) count_registers(part, uses);
}

bool sets_first(const instruction& i) {
  return i.opcode != "st" && i.opcode != "stmatrix" && !(i.opcode == "wmma" && i.has("store")) &&
         i.opcode != "red" && i.opcode != "bra" && i.opcode != "brx" && i.opcode != "bar" &&
         i.opcode != "barrier" && i.opcode != "call";
}

}  // namespace

std::optional<emitter::local_pointer> emitter::pointed_by(const instruction& i) const {
  if (!i.guard.empty() || i.operands.size() < 2) return std::nullopt;
  const operand& from = i.operands[1];
  const auto of_register = [&](const operand& o) -> std::optional<local_pointer> {
    const auto found = local_pointers_.find(o.name);
    if (o.what != operand::kind::reg || found == local_pointers_.end()) return std::nullopt;
    return found->second;
  };
  if (i.opcode == "mov" || i.opcode == "cvta") {
    if (size_of(i.type_from_end()) != 8) return std::nullopt;
    if (i.opcode == "cvta" && !i.has("local")) return std::nullopt;
    if (from.what == operand::kind::symbol) {
      const variable* v = local_variable(from.name);
      if (v == nullptr || v->where != space::local) return std::nullopt;
      return local_pointer{v, from.offset, false};
    }
    return of_register(from);
  }
  if (i.opcode == "add" && i.operands.size() == 3 && size_of(i.type_from_end()) == 8 &&
      i.modifiers.size() == 1 && i.operands[2].what == operand::kind::immediate) {
    auto found = of_register(from);
    if (found) found->offset += static_cast<std::int64_t>(i.operands[2].bits);
    return found;
  }
  return std::nullopt;
}

void emitter::find_local_pointers() {
  const bool has_local = std::ranges::any_of(
      function_.variables, [](const variable& v) { return v.where == space::local; });
  if (!has_local) return;
  std::map<std::string, unsigned, std::less<>> definitions, uses;
  for (const instruction& i : function_.instructions) {
    for (std::size_t k = 0; k < i.operands.size(); ++k) {
      count_registers(i.operands[k], k == 0 && sets_first(i) ? definitions : uses);
    }
  }
  // Each round finds pointers that are made of those of the round before.
  for (bool grows = true; grows;) {
    grows = false;
    for (const instruction& i : function_.instructions) {
      const auto pointer = pointed_by(i);
      if (!pointer || i.operands[0].what != operand::kind::reg) continue;
      const auto defined = definitions.find(i.operands[0].name);
      if (defined == definitions.end() || defined->second != 1) continue;
      grows = local_pointers_.emplace(i.operands[0].name, *pointer).second || grows;
    }
  }
  // A register is needless if all of its uses are accesses, or make other needless pointers.
  for (auto& [name, pointer] : local_pointers_) pointer.is_only_address = true;
  for (bool shrinks = true; shrinks;) {
    shrinks = false;
    std::map<std::string, unsigned, std::less<>> harmless;
    for (const instruction& i : function_.instructions) {
      if (i.opcode == "ld" || i.opcode == "st") {
        for (const operand& o : i.operands) {
          std::uint64_t size = size_of(i.type_from_end());
          for (const operand& value : i.operands) {
            if (value.what == operand::kind::vector) size *= value.parts.size();
          }
          if (o.what == operand::kind::address && local_target(o, size)) ++harmless[o.name];
        }
      } else if (!i.operands.empty() && pointed_by(i)) {
        const auto made = local_pointers_.find(i.operands[0].name);
        if (made != local_pointers_.end() && made->second.is_only_address &&
            i.operands[1].what == operand::kind::reg) {
          ++harmless[i.operands[1].name];
        }
      }
    }
    for (auto& [name, pointer] : local_pointers_) {
      if (!pointer.is_only_address || harmless[name] == uses[name]) continue;
      pointer.is_only_address = false;
      shrinks = true;
    }
  }
}

std::optional<emitter::local_pointer> emitter::local_target(const operand& place,
                                                            std::uint64_t size) const {
  if (place.what != operand::kind::address || !place.base_is_register) return std::nullopt;
  const auto found = local_pointers_.find(place.name);
  if (found == local_pointers_.end()) return std::nullopt;
  local_pointer target = found->second;
  target.offset += place.offset;
  const auto at = static_cast<std::uint64_t>(target.offset);
  if (target.offset < 0 || at + size > target.to->size.value_or(0)) return std::nullopt;
  return target;
}

bool emitter::is_needless(const instruction& i) const {
  if (i.operands.empty() || i.operands[0].what != operand::kind::reg || !pointed_by(i))
    return false;
  const auto made = local_pointers_.find(i.operands[0].name);
  return made != local_pointers_.end() && made->second.is_only_address;
}

}  // namespace simt::ptx
