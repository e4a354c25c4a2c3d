// Writes branches, calls and ends, and the text of whole functions.
#include <algorithm>

#include <fmt/format.h>

#include "sim/ptx/emit/emitter.hpp"
#include "sim/ptx/emit/source_line.hpp"

namespace simt::ptx {
namespace {

/// The string whose address a register holds. Nothing: the register gets values in several ways, or
/// no such address.
std::optional<std::string> text_behind(const module& m, const function& f, const std::string& name,
                                       unsigned depth = 0) {
  if (depth > 8) return std::nullopt;
  const instruction* found = nullptr;
  for (const instruction& i : f.instructions) {
    if (i.operands.empty() || i.operands[0].what != operand::kind::reg ||
        i.operands[0].name != name)
      continue;
    if (found != nullptr) return std::nullopt;
    found = &i;
  }
  if (found == nullptr || found->operands.size() < 2) return std::nullopt;
  if (found->opcode != "mov" && found->opcode != "cvta") return std::nullopt;
  const operand& from = found->operands[1];
  if (from.what == operand::kind::reg) return text_behind(m, f, from.name, depth + 1);
  if (from.what != operand::kind::symbol || from.offset != 0) return std::nullopt;
  const variable* v = m.find_variable(from.name);
  return v == nullptr ? std::nullopt : layout::text_in(*v);
}

}  // namespace

emitter::emitter(const layout& memory, const function& f, bool is_kernel)
    : memory_(memory), function_(f), is_kernel_(is_kernel) {
  for (const char* own :
       {"carry",      "unused_carry", "piece0", "piece1",    "whole",     "shuffled",
        "in_range",   "same",         "lanes",  "chosen",    "first",     "second",
        "at",         "guard",        "shared", "shared_at", "in_shared", "is_shared",
        "cluster_at", "in_cluster",   "copies", "bulk",      "object",    "tells_inits",
        "given",      "row",          "matrix", "stride",    "n",         "made",
        "moved",      "from"}) {
    names_.take(own);
  }
  for (const char* own : {"at", "upper", "lower", "above", "below", "value", "old"}) {
    for (int k = 0; k < 8; ++k) names_.take(own + std::to_string(k));
  }
  // A local name must not hide a global one.
  for (const std::string& name : memory.buffer_names()) names_.take(name);
  for (const variable& v : memory.of().variables) {
    if (const auto* placed = memory.find(v.name, f)) names_.take(placed->name);
  }
  for (const variable& v : f.variables) {
    if (const auto* placed = memory.find(v.name, f)) names_.take(placed->name);
  }
  for (const function* callee : memory.functions()) names_.take(memory.function_name(*callee));
  for (const register_declaration& r : f.registers) {
    registers_[r.name] = &r;
    register_names_[r.name] = names_.take(r.name.starts_with('%') ? r.name.substr(1) : r.name);
  }
  for (const variable& v : f.variables) {
    if (v.where == space::local || v.where == space::param)
      variable_names_[v.name] = names_.take(v.name);
  }
  for (const std::vector<parameter>* list : {&f.parameters, &f.results}) {
    for (const parameter& p : *list) {
      if (!p.in_register) variable_names_[p.name] = names_.take(is_kernel ? "parameter" : p.name);
    }
  }
  find_local_pointers();
  find_unread_results();
  find_origins();
  name_pool labels;
  for (const label& l : f.labels) {
    std::string stem = l.name;
    std::erase(stem, '$');
    label_names_[l.name] = labels.take(stem);
  }
}

std::string emitter::statement(const instruction& i) {
  guard_.clear();
  spans_cluster_ = memory_.cluster() > 1 && i.has("shared::cluster");
  std::string condition;
  if (!i.guard.empty()) {
    if (find(i.guard) == nullptr) throw not_translated{"its guard"};
    condition = (i.guard_negated ? "!" : "") + name_of_register(i.guard);
  }
  // An instruction that only sets registers needs no branch: the guard selects the value.
  guard_ = condition;
  const bool is_move = i.opcode == "mov" || i.opcode == "cvta" || i.opcode == "isspacep";
  for (const auto kind : {&emitter::integer, &emitter::bits, &emitter::comparison,
                          &emitter::floating, &emitter::conversion}) {
    if (auto text = (this->*kind)(i)) {
      guard_.clear();
      return *text;
    }
  }
  if (is_move) {
    if (auto text = move(i)) {
      guard_.clear();
      return *text;
    }
  }
  guard_.clear();
  for (const auto kind : {&emitter::move, &emitter::memory, &emitter::atomic, &emitter::warp,
                          &emitter::block, &emitter::mbarrier, &emitter::bulk_copy,
                          &emitter::async_copy, &emitter::matrix, &emitter::control}) {
    if (auto text = (this->*kind)(i)) return whole_statement(i, std::move(*text));
  }
  if (i.opcode == "wgmma")
    throw not_translated{"a product of matrices by four warps, which goes on by itself"};
  if (i.opcode == "tcgen05") throw not_translated{"tensor memory, and products of matrices in it"};
  for (const char* name : {"tex", "tld4", "txq", "suld", "sust", "sured", "suq"}) {
    if (i.opcode == name) throw not_translated{"an access to a texture or a surface"};
  }
  throw not_translated{"an instruction that is not known"};
}

std::string emitter::whole_statement(const instruction& i, std::string text) {
  if (orders_memory(i)) text.insert(0, carried_out_copies());
  if (memory_.has_bulk_copies() && acquires(i)) text += " bulk.acquired();";
  if (i.guard.empty() || text.empty()) return text;
  return fmt::format("if ({}{}) {{ {} }}", i.guard_negated ? "!" : "", name_of_register(i.guard),
                     text);
}

std::string emitter::opaque_statement(const instruction& i) {
  guard_ = i.guard.empty() ? "" : (i.guard_negated ? "!" : "") + name_of_register(i.guard);
  std::string text;
  const auto clear = [&](const operand& to) {
    if (to.what != operand::kind::reg) return;
    const register_declaration* r = find(to.name);
    if (r == nullptr) return;
    if (r->kind == type::pred) {
      text += set_predicate(to, "false");
    } else {
      const std::uint32_t size = size_of(r->kind);
      text += set(to, size == 2 ? type::b16 : size == 4 ? type::b32 : type::b64, "0");
    }
  };
  if (i.operands.empty()) return text;
  if (memory_.at().is_for_one_run) {
    const std::string computed = approximate_statement(i);
    guard_.clear();
    return computed;
  }
  const bool accesses = moves_matrix(i);
  if (!accesses || i.has("load")) {
    clear(i.operands[0]);
    for (const operand& part : i.operands[0].parts) clear(part);
  }
  guard_.clear();
  if (accesses) text.insert(0, whole_statement(i, wmma_accesses(i)) + " ");
  return text + "  // not known";
}

std::string emitter::chosen_statement(const instruction& i) {
  chooses_ = true;
  const std::string text = statement(i);
  chooses_ = false;
  return "{ const bool chosen = simt::choose(2) != 0; " + text + " }";
}

std::optional<std::string> emitter::control(const instruction& i) {
  const std::string& op = i.opcode;
  if (op == "bra") {
    want(i, 1, 1);
    return fmt::format("goto {};", label_name(i.operands[0].name));
  }
  if (op == "brx") {
    want(i, 2, 2);
    const auto found =
        std::ranges::find(function_.targets, i.operands[1].name, &branch_targets::name);
    if (found == function_.targets.end() || found->labels.empty())
      throw not_translated{"a list of labels that is not there"};
    std::string text = fmt::format("switch ({}) {{", in(i, 0, type::u32));
    for (std::size_t k = 0; k < found->labels.size(); ++k) {
      text += fmt::format(" case {}: goto {};", k, label_name(found->labels[k]));
    }
    text += fmt::format(
        " default: simt::detail::fail(\"brx.idx has an index behind its list of {} labels, which "
        "PTX leaves undefined\"); goto {};",
        found->labels.size(), label_name(found->labels.back()));
    return text + " }";
  }
  if (op == "ret" || op == "exit") {
    if (op == "exit" && !is_kernel_) throw not_translated{"exit in a function"};
    return end_of_lane() + "return;";
  }
  // A failure ends the run. Control flow goes on as in PTX: a way to the end of the kernel would
  // move the place where the lanes of a branch meet again.
  if (op == "trap") return "simt::detail::fail(\"trap\");";
  if (op == "brkpt" || op == "pmevent" || op == "setmaxnreg" || op == "griddepcontrol") return "";
  if (op == "call") return call(i);
  return std::nullopt;
}

std::string emitter::end_of_lane() const {
  if (!is_kernel_) return "";
  return carried_out_copies() + (memory_.has_bulk_copies() ? "bulk.leave(); " : "");
}

std::string emitter::call(const instruction& i) {
  // Operands: call [(results),] function [, (arguments)];
  std::vector<operand> results, arguments;
  std::string name;
  bool has_name = false;
  for (const operand& o : i.operands) {
    if (o.what == operand::kind::list) {
      (has_name ? arguments : results) = o.parts;
    } else if (!has_name) {
      has_name = true;
      if (o.what != operand::kind::symbol) throw not_translated{"a call through a pointer"};
      name = o.name;
    }
  }
  if (name == "vprintf") {  // what is printed is no step
    if (memory_.at().is_for_one_run && arguments.size() == 2 &&
        variable_names_.contains(arguments[0].name) &&
        variable_names_.contains(arguments[1].name)) {
      return fmt::format("ptx::print(ptx::own<ptx::u64>({}), ptx::own<ptx::u64>({}));",
                         variable_names_.at(arguments[0].name),
                         variable_names_.at(arguments[1].name));
    }
    if (results.size() != 1 || !variable_names_.contains(results[0].name)) return "";
    return fmt::format("ptx::own<ptx::u32>({}) = 0;", variable_names_.at(results[0].name));
  }
  if (name == "__assertfail") {
    std::vector<std::string> texts;
    for (std::size_t k = 0; k < 2 && k < arguments.size(); ++k) {
      // The register that was last stored to the argument.
      std::string from;
      for (const instruction& other : function_.instructions) {
        if (&other == &i || other.line > i.line) break;
        if (other.opcode == "st" && other.operands.size() == 2 &&
            other.operands[0].name == arguments[k].name)
          from = other.operands[1].name;
      }
      texts.push_back(text_behind(memory_.of(), function_, from).value_or(""));
    }
    const std::string message = texts.empty() || texts[0].empty() ? "an assertion" : texts[0];
    return fmt::format("simt::detail::fail({});", quoted_text(message));
  }
  const function* callee = memory_.of().find_function(name);
  if (callee == nullptr || !callee->has_body) {
    throw not_translated{"a call of `" + name + "`, whose body is not in the text"};
  }
  if (memory_.recurses()) throw not_translated{"a function that calls itself"};
  if (results.size() != callee->results.size() || arguments.size() != callee->parameters.size()) {
    throw not_translated{"a call with other parameters than the function's"};
  }
  std::string text = memory_.function_name(*callee) + "(shared";
  if (memory_.most_async_copies() > 0) text += ", copies";
  if (memory_.has_bulk_copies()) text += ", bulk";
  if (memory_.tells_inits()) text += ", tells_inits";
  const char* separator = ", ";
  for (const auto& [list, declared] :
       {std::pair{&results, &callee->results}, std::pair{&arguments, &callee->parameters}}) {
    for (std::size_t k = 0; k < list->size(); ++k) {
      const operand& o = (*list)[k];
      const parameter& p = (*declared)[k];
      text += separator;
      separator = ", ";
      if (p.in_register) {
        text += list == &results ? name_of_register(o.name) : in(o, p.element);
      } else if (variable_names_.contains(o.name)) {
        text += variable_names_.at(o.name);
      } else {
        throw not_translated{"an argument of that form"};
      }
    }
  }
  return text + ");";
}

std::string emitter::parameter_list() const {
  std::string text;
  const char* separator = ", ";
  if (const std::size_t most = memory_.most_async_copies(); most > 0)
    text += fmt::format(", [[maybe_unused]] ptx::async_copies<{}>& copies", most);
  if (memory_.has_bulk_copies()) text += ", [[maybe_unused]] ptx::bulk_lane& bulk";
  if (memory_.tells_inits()) text += ", [[maybe_unused]] bool& tells_inits";
  for (const std::vector<parameter>* list : {&function_.results, &function_.parameters}) {
    for (const parameter& p : *list) {
      text += separator;
      separator = ", ";
      if (p.in_register) {
        text += fmt::format("{}{} {}", p.element == type::pred ? "bool" : cpp_bits(p.element),
                            list == &function_.results ? "&" : "", register_names_.at(p.name));
      } else {
        text += fmt::format("ptx::u8* {}", variable_names_.at(p.name));
      }
    }
  }
  return text;
}

std::string emitter::body(const opaque_values& opaque) {
  const auto is_in = [&](const std::map<const function*, std::set<std::size_t>>& all,
                         std::size_t number) {
    const auto found = all.find(&function_);
    return found != all.end() && found->second.contains(number);
  };
  const auto settled = [&](std::size_t number) -> std::optional<bool> {
    const auto of_function = opaque.settled.find(&function_);
    if (of_function == opaque.settled.end()) return std::nullopt;
    const auto found = of_function->second.find(number);
    return found == of_function->second.end() ? std::nullopt : std::optional(found->second);
  };
  source_line lines(memory_.of());
  std::string statements;
  // A label that nothing branches to, such as a debugger's, is left out. It would cut a block in
  // two.
  std::set<std::string> wanted;
  for (const instruction& i : function_.instructions) {
    if (i.opcode == "bra" && !i.operands.empty()) wanted.insert(i.operands[0].name);
  }
  for (const branch_targets& t : function_.targets) wanted.insert(t.labels.begin(), t.labels.end());
  std::multimap<std::size_t, const label*> labels;
  for (const label& l : function_.labels) {
    if (wanted.contains(l.name)) labels.emplace(l.at, &l);
  }
  for (std::size_t n = 0; n <= function_.instructions.size(); ++n) {
    for (auto [at, end] = labels.equal_range(n); at != end; ++at) {
      statements += fmt::format("{}:;\n", label_names_.at(at->second->name));
    }
    if (n == function_.instructions.size()) break;
    const instruction& i = function_.instructions[n];
    if (is_needless(i)) continue;
    if (const std::optional<bool> taken = settled(n)) {
      if (*taken) {
        statements += fmt::format("  goto {};  // either way\n", label_name(i.operands[0].name));
      }
      continue;
    }
    const std::string text = is_in(opaque.instructions, n) ? opaque_statement(i)
                             : is_in(opaque.chosen, n)     ? chosen_statement(i)
                                                           : statement(i);
    if (text.empty()) continue;
    statements += lines.in_front_of(i) + "  " + followed(i) + text + "\n";
  }
  // PTX ISA, "ret": a function that ends without one returns.
  const std::vector<instruction>& all = function_.instructions;
  const bool has_return = !all.empty() && all.back().guard.empty() &&
                          labels.count(all.size()) == 0 &&
                          (all.back().opcode == "ret" || all.back().opcode == "exit");
  if (const std::string end = end_of_lane(); !has_return && !end.empty()) {
    statements += (all.empty() ? "" : lines.in_front_of(all.back())) + "  " + end + "\n";
  }
  std::string declarations;
  std::map<std::string, std::string> by_type;
  for (const register_declaration& r : function_.registers) {
    const auto is_it = [&](const parameter& p) { return p.in_register && p.name == r.name; };
    if (std::ranges::any_of(function_.parameters, is_it) ||
        std::ranges::any_of(function_.results, is_it))
      continue;
    const std::uint32_t size = size_of(r.kind);
    if (size == 0 || size > 8) continue;
    const std::string kind = r.kind == type::pred ? "bool" : cpp_bits(size);
    std::string& list = by_type[kind];
    if (!list.empty()) list += ", ";
    list += register_names_.at(r.name) + (r.kind == type::pred ? " = false" : " = 0");
  }
  for (const auto& [kind, list] : by_type) declarations += fmt::format("  {} {};\n", kind, list);
  declarations += declared_origins();
  if (uses_carry_) declarations += "  bool carry = false, unused_carry = false;\n";
  for (const variable& v : function_.variables) {
    if (!variable_names_.contains(v.name)) continue;
    declarations +=
        fmt::format("  alignas({}) ptx::u8 {}[{}];\n", std::max<std::uint32_t>(v.align, 8),
                    variable_names_.at(v.name), std::max<std::uint64_t>(v.size.value_or(1), 1));
  }
  if (is_kernel_ && uses_parameters_) {
    for (std::size_t n = 0; n < function_.parameters.size(); ++n) {
      const parameter& p = function_.parameters[n];
      const std::uint64_t words = (std::max<std::uint64_t>(p.size, 1) + 7) / 8;
      declarations +=
          fmt::format("  [[maybe_unused]] ptx::u64 {}[{}] = {{", variable_names_.at(p.name), words);
      for (std::uint64_t w = 0; w < words; ++w) {
        declarations +=
            (w == 0 ? "" : ", ") + (memory_.is_real() ? memory_.argument_bits(n, 8 * w, 8) : "0");
      }
      declarations += "};\n";
    }
  }
  return declarations + statements;
}

}  // namespace simt::ptx
