// Finds by name, in the text of a function, where control may go and which registers are still
// read.
#include "sim/ptx/flow.hpp"

#include <algorithm>

namespace simt::ptx {
namespace {

bool reads(const instruction& i, const std::string& name) {
  if (i.guard == name) return true;
  std::vector<std::string> all;
  // An instruction of another kind may read whatever it names.
  const bool sets_first = only_computes(i) || i.opcode == "ld";
  for (std::size_t k = sets_first ? 1 : 0; k < i.operands.size(); ++k)
    list_registers(i.operands[k], all);
  return std::ranges::find(all, name) != all.end();
}

bool surely_sets(const instruction& i, const std::string& name) {
  return i.guard.empty() && (only_computes(i) || i.opcode == "ld") && !i.operands.empty() &&
         i.operands[0].what == operand::kind::reg && i.operands[0].name == name;
}

}  // namespace

bool only_computes(const instruction& i) {
  static const std::set<std::string, std::less<>> computing = {
      "add",  "sub",   "mul",   "mad",   "fma",      "div",  "rem",  "abs",  "neg",  "min",
      "max",  "sad",   "mul24", "mad24", "and",      "or",   "xor",  "not",  "cnot", "shl",
      "shr",  "shf",   "bfe",   "bfi",   "bfind",    "popc", "clz",  "brev", "prmt", "lop3",
      "bmsk", "szext", "dp4a",  "dp2a",  "selp",     "slct", "setp", "set",  "mov",  "cvt",
      "rcp",  "sqrt",  "sin",   "rsqrt", "copysign", "cos",  "lg2",  "ex2",  "tanh"};
  return !i.has("cc") && !i.operands.empty() && computing.contains(i.opcode);
}

void list_registers(const operand& o, std::vector<std::string>& to) {
  if (o.what == operand::kind::reg || (o.what == operand::kind::address && o.base_is_register)) {
    to.push_back(o.name);
  }
  for (const operand& part : o.parts) list_registers(part, to);
}

std::vector<std::size_t> successors(const function& f, std::size_t at) {
  if (at >= f.instructions.size()) return {};
  const instruction& i = f.instructions[at];
  const bool ends = i.opcode == "ret" || i.opcode == "exit" || i.opcode == "trap";
  const bool jumps = i.opcode == "bra" || i.opcode == "brx";
  std::vector<std::size_t> all;
  if (jumps) {
    for (const label& l : f.labels) {
      if (i.opcode == "brx" || (!i.operands.empty() && i.operands[0].name == l.name))
        all.push_back(l.at);
    }
  }
  if ((!ends && !jumps) || !i.guard.empty()) all.push_back(at + 1);
  return all;
}

bool is_live(const function& f, const std::string& name, std::size_t at) {
  std::vector<char> seen(f.instructions.size(), 0);
  std::vector<std::size_t> open{at};
  while (!open.empty()) {
    const std::size_t here = open.back();
    open.pop_back();
    if (here >= f.instructions.size()) {
      if (std::ranges::find(f.results, name, &parameter::name) != f.results.end()) return true;
      continue;
    }
    if (seen[here] != 0) continue;
    seen[here] = 1;
    const instruction& i = f.instructions[here];
    if (reads(i, name)) return true;
    if (surely_sets(i, name)) continue;
    if (i.opcode == "ret") open.push_back(f.instructions.size());
    for (const std::size_t next : successors(f, here)) open.push_back(next);
  }
  return false;
}

std::set<std::string> shuffled_registers(const module& m, const function& f) {
  std::set<std::string> all;
  const auto has_shuffle = [](const function& one) {
    return std::ranges::any_of(one.instructions,
                               [](const instruction& i) { return i.opcode == "shfl"; });
  };
  const bool is_any =
      std::ranges::any_of(m.functions, has_shuffle) || std::ranges::any_of(m.kernels, has_shuffle);
  if (!is_any) return all;
  for (const parameter& p : f.parameters) all.insert(p.name);
  for (bool grows = true; grows;) {
    const std::size_t before = all.size();
    for (const instruction& i : f.instructions) {
      const bool moves = i.opcode == "shfl" || i.opcode == "vote" || i.opcode == "match" ||
                         i.opcode == "redux" || i.opcode == "movmatrix";
      std::vector<std::string> named;
      for (const operand& o : i.operands) list_registers(o, named);
      if (!i.guard.empty()) named.push_back(i.guard);
      const bool is_one =
          moves || i.opcode == "call" ||
          std::ranges::any_of(named, [&](const std::string& r) { return all.contains(r); });
      if (!is_one || i.operands.empty()) continue;
      // Stores and the like use the value where they stand.
      if (i.opcode != "call" && !moves && !only_computes(i) && !i.has("cc")) continue;
      std::vector<std::string> set;
      if (i.opcode == "call")
        set = named;
      else
        list_registers(i.operands[0], set);
      all.insert(set.begin(), set.end());
    }
    grows = all.size() != before;
  }
  return all;
}

}  // namespace simt::ptx
