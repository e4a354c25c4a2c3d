// Reads the bodies of functions: registers, labels, places in the source, instructions.
#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "sim/ptx/read/parser.hpp"

namespace simt::ptx {
namespace {

constexpr unsigned deepest_scope = 64;
constexpr unsigned deepest_operand = 8;
constexpr std::uint64_t most_registers = 1'000'000;
constexpr std::size_t most_operands = 64;

/// Whether the name is one of PTX's special registers.
bool is_special(std::string_view name) {
  if (!name.starts_with('%')) return false;
  name.remove_prefix(1);
  for (const std::string_view known : {"tid",
                                       "ntid",
                                       "laneid",
                                       "warpid",
                                       "nwarpid",
                                       "ctaid",
                                       "nctaid",
                                       "smid",
                                       "nsmid",
                                       "gridid",
                                       "clock",
                                       "clock_hi",
                                       "clock64",
                                       "globaltimer",
                                       "globaltimer_lo",
                                       "globaltimer_hi",
                                       "dynamic_smem_size",
                                       "total_smem_size",
                                       "aggr_smem_size",
                                       "current_graph_exec",
                                       "is_explicit_cluster",
                                       "clusterid",
                                       "nclusterid"}) {
    if (name == known) return true;
  }
  for (const std::string_view begin : {"envreg", "lanemask_", "cluster_", "pm", "reserved_smem_"}) {
    if (name.starts_with(begin)) return true;
  }
  return false;
}

}  // namespace

void parser::enter_scope() {
  if (++depth_ > deepest_scope) in_.fail(in_.peek(), "scopes are nested too deeply");
  scopes_.emplace_back().parent = scope_;
  scope_ = scopes_.size() - 1;
}

void parser::leave_scope() {
  --depth_;
  scope_ = scopes_[scope_].parent;
}

std::string parser::unique(const std::string& name) {
  const unsigned before = used_names_[name]++;
  return before == 0 ? name : name + "@" + std::to_string(before + 1);
}

std::string parser::declare(const std::string& name) {
  const auto [at, is_new] = scopes_[scope_].names.emplace(name, std::string());
  if (!is_new) in_.fail(in_.peek(), "`" + name + "` is declared twice in one scope");
  return at->second = unique(name);
}

const std::string* parser::find_register(const std::string& name) {
  const std::size_t stem = name.find_last_not_of("0123456789") + 1;
  for (std::size_t s = scope_;; s = scopes_[s].parent) {
    scope& here = scopes_[s];
    if (const auto found = here.names.find(name); found != here.names.end()) return &found->second;
    if (stem < name.size() && name.size() - stem < 9) {
      const auto range = here.ranges.find(std::string_view(name).substr(0, stem));
      std::uint64_t number = 0;
      std::from_chars(name.data() + stem, name.data() + name.size(), number);
      const bool is_plain = name[stem] != '0' || name.size() == stem + 1;
      if (range != here.ranges.end() && is_plain && number < range->second.count) {
        std::string& made = here.names[name];
        made = unique(name);
        register_of_[made] = function_->registers.size();
        function_->registers.push_back({made, range->second.kind, range->second.vector});
        return &made;
      }
    }
    if (s == 0) return nullptr;
  }
}

void parser::body(function& f) {
  function_ = &f;
  scopes_.assign(1, {});
  scope_ = 0;
  depth_ = 0;
  used_names_.clear();
  register_of_.clear();
  place_.reset();
  for (std::vector<parameter>* list : {&f.results, &f.parameters}) {
    for (parameter& p : *list) {
      const std::string name = p.name;
      p.name = declare(name);
      if (!p.in_register) continue;
      register_of_[p.name] = f.registers.size();
      f.registers.push_back({p.name, p.element, 1});
    }
  }
  expect('{', "before a body");
  for (;;) {
    const token& next = in_.peek();
    if (next.what == token::kind::end) in_.fail(next, "a body has no end: } is missing");
    if (next.is('{')) {
      in_.take();
      enter_scope();
    } else if (next.is('}')) {
      in_.take();
      if (depth_ == 0) break;
      leave_scope();
    } else {
      body_statement(f);
    }
  }
  resolve_names(f);
  function_ = nullptr;
  place_.reset();
}

void parser::body_statement(function& f) {
  const token first = in_.peek();
  if (first.is(';')) {
    in_.take();
    return;
  }
  if (first.text == "@@") return in_.skip_line();
  if (first.is('@') || first.what == token::kind::name) {
    if (first.what == token::kind::name && in_.second().is(':')) {
      in_.take();
      in_.take();
      return label_or_targets(f, first);
    }
    return instruction_statement(f);
  }
  if (first.what != token::kind::dotted) {
    in_.fail(first, "expected an instruction, not `" + std::string(first.text.substr(0, 40)) + "`");
  }
  in_.take();
  const std::string_view name = first.text;
  if (name == "reg") return registers(f);
  if (name == "loc") return location();
  if (name == "pragma") {
    rest_of_statement(first);
    return;
  }
  if (name == "file") return file();
  if (name == "local") return variables(space::local, false, f.variables, true);
  if (name == "shared") return variables(space::shared, false, f.variables, true);
  if (name == "global") return variables(space::global, false, f.variables, true);
  if (name == "const") return variables(space::constant, false, f.variables, true);
  if (name == "param") return variables(space::param, false, f.variables, true);
  if (name == "extern") {
    const token where = in_.take();
    if (!where.is_dotted("shared")) in_.fail(where, "expected .shared behind .extern");
    return variables(space::shared, true, f.variables, true);
  }
  f.directives.push_back({std::string(name), rest_of_statement(first), first.line});
}

void parser::registers(function& f) {
  register_range range;
  while (in_.peek().what == token::kind::dotted) {
    const token name = in_.take();
    if (name.text == "v2" || name.text == "v4") {
      range.vector = static_cast<std::uint32_t>(name.text[1] - '0');
    } else {
      range.kind = type_named(name.text);
      if (range.kind == type::none) range.kind = type::other;
    }
  }
  do {
    const token name = expect_name("the name of a register");
    if (accept('<')) {
      range.count = number("how many registers");
      if (range.count > most_registers) in_.fail(name, "more than a million registers");
      expect('>', "behind the number of registers");
      scopes_[scope_].ranges[std::string(name.text)] = range;
    } else {
      const std::string made = declare(std::string(name.text));
      register_of_[made] = f.registers.size();
      f.registers.push_back({made, range.kind, range.vector});
    }
  } while (accept(','));
  expect(';', "behind registers");
}

// Reads .loc FILE LINE COLUMN [, function_name LABEL [+ N]], inlined_at FILE LINE COLUMN
void parser::location() {
  source_place place;
  place.file = static_cast<std::uint32_t>(number("the number of a file"));
  place.line = static_cast<std::uint32_t>(number("a line"));
  if (in_.peek().what == token::kind::number) {
    place.column = static_cast<std::uint32_t>(number("a column"));
  }
  std::string name_label;
  while (accept(',')) {
    const token what = expect_name("function_name or inlined_at");
    if (what.text == "function_name") {
      name_label = expect_name("a label").text;
      if (accept('+')) number("an offset");
    } else if (what.text == "inlined_at") {
      std::vector<std::uint32_t> at;
      for (int i = 0; i < 3; ++i) at.push_back(static_cast<std::uint32_t>(number("a place")));
      if (const auto found = latest_.find(at); found != latest_.end()) {
        place.inlined_at = found->second;
      } else {
        module_.places.push_back({at[0], at[1], at[2], std::nullopt, {}});
        place.inlined_at = static_cast<std::uint32_t>(module_.places.size() - 1);
      }
    } else {
      in_.fail(what, "expected function_name or inlined_at");
    }
  }
  if (place.line == 0) return;  // no place in the source
  place.function = name_label;
  const auto [known, is_new] =
      interned_.emplace(place, static_cast<std::uint32_t>(module_.places.size()));
  if (is_new) {
    module_.places.push_back(place);
    if (!name_label.empty()) unnamed_[name_label].push_back(known->second);
  }
  place_ = known->second;
  latest_[{place.file, place.line, place.column}] = known->second;
}

void parser::label_or_targets(function& f, const token& name) {
  const std::string made = declare(std::string(name.text));
  const token next = in_.peek();
  if (next.is_dotted("branchtargets") || next.is_dotted("calltargets")) {
    in_.take();
    branch_targets targets{made, {}};
    do targets.labels.emplace_back(expect_name("a label").text);
    while (accept(','));
    expect(';', "behind labels");
    // The labels are known only at the end of the scope.
    for (std::string& each : targets.labels) each += '\n' + std::to_string(scope_);
    f.targets.push_back(std::move(targets));
    return;
  }
  if (next.is_dotted("callprototype")) {
    in_.take();
    f.directives.push_back({"callprototype", rest_of_statement(next), next.line});
    return;
  }
  f.labels.push_back({made, f.instructions.size(), name.line});
}

void parser::instruction_statement(function& f) {
  instruction i;
  token begin = in_.peek();
  const std::size_t from = begin.begin;
  i.line = begin.line;
  i.place = place_;
  if (accept('@')) {
    i.guard_negated = accept('!');
    const token guard = expect_name("a predicate");
    const std::string* known = find_register(std::string(guard.text));
    if (known == nullptr) {
      in_.fail(guard, "`" + std::string(guard.text) + "` is no register of this scope");
    }
    i.guard = *known;
    begin = in_.peek();
    i.line = begin.line;
  }
  i.opcode = expect_name("an instruction").text;
  while (in_.peek().what == token::kind::dotted) i.modifiers.emplace_back(in_.take().text);
  while (!in_.peek().is(';')) {
    if (i.operands.size() == most_operands) in_.fail(in_.peek(), "more than 64 operands");
    operand o = one_operand(0);
    // `d|p` is one operand; `a, b` are two.
    if (accept('|')) {
      operand both;
      both.what = operand::kind::pair;
      both.parts.push_back(std::move(o));
      both.parts.push_back(one_operand(1));
      o = std::move(both);
    }
    i.operands.push_back(std::move(o));
    if (!accept(',')) break;
  }
  const token end = expect(';', "behind an instruction");
  i.text = on_one_line(in_.text().substr(from, end.finish - from));
  f.instructions.push_back(std::move(i));
}

operand parser::one_operand(unsigned depth) {
  if (depth > deepest_operand) in_.fail(in_.peek(), "operands are nested too deeply");
  const token next = in_.peek();
  operand o;
  if (next.is('[')) return address_operand(depth);
  if (next.is('{') || next.is('(')) {
    in_.take();
    const char end = next.is('{') ? '}' : ')';
    o.what = next.is('{') ? operand::kind::vector : operand::kind::list;
    if (accept(end)) return o;
    do {
      if (o.parts.size() == most_operands) in_.fail(next, "more than 64 operands");
      o.parts.push_back(one_operand(depth + 1));
    } while (accept(','));
    expect(end, "behind a list of operands");
    return o;
  }
  return simple_operand(depth);
}

operand parser::simple_operand(unsigned depth) {
  const token next = in_.take();
  operand o;
  if (next.is('!') || next.is('-') || next.is('+')) {
    if (next.is('-') && in_.peek().what == token::kind::number) return number_operand(true);
    o = one_operand(depth + 1);
    if (!next.is('+')) o.negated = true;
    return o;
  }
  if (next.what == token::kind::number) {
    // The number has been taken, so number_operand() cannot read it.
    o.what = operand::kind::immediate;
    std::string_view text = next.text;
    const bool is_hex_float =
        text.size() > 2 && text[0] == '0' &&
        (text[1] == 'f' || text[1] == 'F' || text[1] == 'd' || text[1] == 'D');
    if (is_hex_float) {
      o.is_float = true;
      o.is_f32 = text[1] == 'f' || text[1] == 'F';
      const auto [end, error] =
          std::from_chars(text.data() + 2, text.data() + text.size(), o.bits, 16);
      if (error != std::errc() || end != text.data() + text.size() ||
          text.size() != (o.is_f32 ? 10U : 18U)) {
        in_.fail(next, "`" + std::string(text) + "` is no number");
      }
      return o;
    }
    const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
    if (!is_hex && text.find_first_of(".eE") != std::string_view::npos) {
      double value = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
      if (error != std::errc() || end != text.data() + text.size()) {
        in_.fail(next, "`" + std::string(text) + "` is no number");
      }
      o.is_float = true;
      o.bits = std::bit_cast<std::uint64_t>(value);
      return o;
    }
    o.bits = number_of(next);
    return o;
  }
  if (next.what != token::kind::name) {
    in_.fail(next, "expected an operand, not `" + std::string(next.text.substr(0, 40)) + "`");
  }
  name_operand(o, next.text);
  if (o.what == operand::kind::symbol && (in_.peek().is('+') || in_.peek().is('-'))) {
    o.offset = signed_offset();
  } else if (o.what == operand::kind::symbol && in_.peek().is('[')) {
    o.offset = static_cast<std::int64_t>(array_size());
  }
  return o;
}

operand parser::number_operand(bool negative) {
  operand o = simple_operand(0);
  if (!negative) return o;
  if (!o.is_float) {
    o.bits = 0 - o.bits;
  } else {
    o.bits ^= o.is_f32 ? 0x80000000U : std::uint64_t{1} << 63;
  }
  return o;
}

void parser::name_operand(operand& to, std::string_view name) {
  if (name == "_") {
    to.what = operand::kind::sink;
    return;
  }
  if (name == "WARP_SZ") {
    to.what = operand::kind::immediate;
    to.bits = 32;
    return;
  }
  to.name = name;
  const std::string* known = find_register(to.name);
  const bool is_register = known != nullptr && register_of_.contains(*known);
  if (is_register) {
    to.name = *known;
  } else if (is_special(name)) {
    if (in_.peek().what == token::kind::dotted) to.name += "." + std::string(in_.take().text);
  } else {
    // The name may be of a variable, a label or a function. The end of the body tells which.
    to.what = operand::kind::symbol;
    if (function_ != nullptr) to.name += '\n' + std::to_string(scope_);
    return;
  }
  to.what = operand::kind::reg;
  if (is_register && in_.peek().what == token::kind::dotted && in_.peek().text.size() == 1) {
    to.component = in_.take().text[0];
  }
}

std::int64_t parser::signed_offset() {
  std::int64_t sum = 0;
  while (in_.peek().is('+') || in_.peek().is('-')) {
    bool negative = in_.take().is('-');
    if (in_.peek().is('-')) {
      in_.take();
      negative = !negative;
    }
    const auto value = static_cast<std::int64_t>(number("an offset"));
    sum = static_cast<std::int64_t>(
        negative ? static_cast<std::uint64_t>(sum) - static_cast<std::uint64_t>(value)
                 : static_cast<std::uint64_t>(sum) + static_cast<std::uint64_t>(value));
  }
  return sum;
}

operand parser::address_operand(unsigned depth) {
  in_.take();
  operand o;
  o.what = operand::kind::address;
  operand base = one_operand(depth + 1);
  if (base.what == operand::kind::immediate) {
    o.bits = base.bits;
  } else if (base.what == operand::kind::reg || base.what == operand::kind::symbol) {
    o.name = std::move(base.name);
    o.base_is_register = base.what == operand::kind::reg;
    o.component = base.component;
    o.offset = base.offset;
  } else {
    o.parts.push_back(std::move(base));
  }
  o.offset += signed_offset();
  while (accept(',')) {  // coordinates of tensors and textures
    if (o.parts.size() == most_operands) in_.fail(in_.peek(), "more than 64 operands");
    o.parts.push_back(one_operand(depth + 1));
  }
  expect(']', "behind an address");
  return o;
}

void parser::resolve(operand& o) {
  const std::size_t mark = o.name.find('\n');
  if (mark != std::string::npos) {
    std::size_t s = 0;
    std::from_chars(o.name.data() + mark + 1, o.name.data() + o.name.size(), s);
    o.name.resize(mark);
    for (;; s = scopes_[s].parent) {
      const auto found = scopes_[s].names.find(o.name);
      if (found != scopes_[s].names.end()) {
        o.name = found->second;
        break;
      }
      if (s == 0) break;
    }
  }
  for (operand& part : o.parts) resolve(part);
}

void parser::resolve_names(function& f) {
  for (instruction& i : f.instructions) {
    for (operand& o : i.operands) resolve(o);
  }
  for (branch_targets& targets : f.targets) {
    for (std::string& each : targets.labels) {
      operand o;
      o.name = each;
      resolve(o);
      each = o.name;
    }
  }
}

}  // namespace simt::ptx
