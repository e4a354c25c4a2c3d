// Reads the last part of a litmus test: `exists`, `~exists` or `forall`, and a formula.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "litmus/read/reader.hpp"

namespace litmus {

variable read_register_of_thread(reader& in);

namespace {

constexpr int deepest = 200;  // parentheses and negations in each other

constexpr std::array<std::pair<std::string_view, comparison>, 7> comparisons{
    {{"==", comparison::equal},
     {"=", comparison::equal},
     {"!=", comparison::not_equal},
     {"<", comparison::less},
     {"<=", comparison::less_equal},
     {">", comparison::greater},
     {">=", comparison::greater_equal}}};

bool has_location(const reader& in, const instruction& one, std::uint32_t location) {
  if (one.code == opcode::copy) {
    return std::ranges::any_of(in.copies, [&](const reader::copy& c) {
      return c.to.location == location || c.from.location == location;
    });
  }
  switch (one.code) {
    case opcode::load:
    case opcode::store:
    case opcode::atom:
    case opcode::red: return one.location == location;
    default: return false;
  }
}

bool has_register(const instruction& one, std::uint32_t index) {
  const auto is = [&](const operand& o) { return o.is_register && o.index == index; };
  switch (one.code) {
    case opcode::move:
    case opcode::arithmetic:
    case opcode::load:
    case opcode::atom:
      if (one.destination == index) return true;
      break;
    default:
      if (one.reduction != reduction::none && one.destination == index) return true;
      break;
  }
  return is(one.a) || is(one.b) || (one.resource && is(*one.resource)) ||
         (one.quorum && is(*one.quorum));
}

/// Whether some instruction names the variable. A register must be named in its own thread.
bool is_used(const reader& in, const variable& v) {
  const program& p = in.program;
  const auto uses = [&](const instruction& one) {
    return v.is_register ? has_register(one, v.index) : has_location(in, one, v.index);
  };
  if (v.is_register) return std::ranges::any_of(p.threads[v.thread].instructions, uses);
  return std::ranges::any_of(
      p.threads, [&](const thread& t) { return std::ranges::any_of(t.instructions, uses); });
}

/// An unused variable keeps its initial value whatever the program does: its name is misspelt.
void check_is_used(const reader& in, const token& named, const variable& v) {
  if (is_used(in, v)) return;
  std::vector<std::string> names;
  const auto add = [&](const variable& other) {
    if (is_used(in, other)) names.push_back(name(in.program, other));
  };
  if (v.is_register) {
    const std::size_t registers = in.program.threads[v.thread].registers.size();
    for (std::uint32_t r = 0; r < registers; ++r) add({true, v.thread, r});
  } else {
    for (std::uint32_t l = 0; l < in.program.locations.size(); ++l) add({false, 0, l});
  }
  const std::string wrong = name(in.program, v);
  const std::vector<std::string_view> known(names.begin(), names.end());
  in.fail(named, fmt::format("no instruction has {}; {}", wrong,
                             reader::nearest(wrong, known, "name one that the program uses")));
}

condition_operand read_operand(reader& in) {
  condition_operand result;
  if (in.integer_follows() && !in.ahead(1).is(":")) {
    result.integer = in.integer("");
    return result;
  }
  result.is_variable = true;
  const token named = in.next();
  if (in.ahead(1).is(":")) {
    result.variable = read_register_of_thread(in);
    check_is_used(in, named, result.variable);
    return result;
  }
  if (reader::is_register(in.next())) {
    in.fail(fmt::format("{0} of which thread? write for example P0:{0}", in.next().text));
  }
  result.variable.index =
      in.memory_in_brackets("write a register P1:r0, a location x, or an integer").location;
  if (in.program.mbarriers.contains(result.variable.index)) {
    in.fail(named,
            fmt::format("{} is an mbarrier, which has no value; name a register", named.text));
  }
  check_is_used(in, named, result.variable);
  return result;
}

formula read_formula(reader& in, int depth);

formula read_factor(reader& in, int depth) {
  if (depth > deepest) in.fail("the formula is nested too deeply; write it with fewer parentheses");
  formula result;
  if (in.take_if("~") || in.take_if("!")) {
    result.what = formula::kind::negation;
    result.children.push_back(read_factor(in, depth + 1));
    return result;
  }
  if (in.take_if("(")) {
    result = read_formula(in, depth + 1);
    in.expect(")", fmt::format("{} is too much here; connect comparisons by /\\ or \\/, and close "
                               "each ( with )",
                               reader::shown(in.next())));
    return result;
  }
  result.left = read_operand(in);
  for (const auto& [sign, how] : comparisons) {
    if (!in.next().is(sign)) continue;
    in.take();
    result.comparison = how;
    result.right = read_operand(in);
    return result;
  }
  in.fail(
      fmt::format("{} is no comparison; it is ==, !=, <, <=, > or >=", reader::shown(in.next())));
}

formula join(formula::kind what, formula left, formula right) {
  formula result;
  result.what = what;
  result.children.push_back(std::move(left));
  result.children.push_back(std::move(right));
  return result;
}

formula read_conjunction(reader& in, int depth) {
  formula result = read_factor(in, depth);
  while (in.take_if("/\\")) {
    result = join(formula::kind::conjunction, std::move(result), read_factor(in, depth));
  }
  return result;
}

formula read_formula(reader& in, int depth) {
  formula result = read_conjunction(in, depth);
  while (in.take_if("\\/")) {
    result = join(formula::kind::disjunction, std::move(result), read_conjunction(in, depth));
  }
  return result;
}

}  // namespace

bool at_condition(const reader& in) {
  const token& t = in.next();
  return t.is("exists") || t.is("forall") || t.is("not") || t.is("~");
}

void read_condition(reader& in) {
  condition& into = in.program.final;
  const std::size_t begin = in.position();
  if (in.take_if("forall")) {
    into.quantifier = quantifier::forall;
  } else if (in.take_if("exists")) {
    into.quantifier = quantifier::exists;
  } else {
    in.take();  // ~ or not
    in.expect("exists", "exists is missing; write ~exists (…)");
    into.quantifier = quantifier::not_exists;
  }
  into.formula = read_formula(in, 0);
  if (in.next().what != token::kind::end) {
    in.fail(fmt::format("{} is too much here; the condition is the end of the file",
                        reader::shown(in.next())));
  }
  into.text = in.text(begin, in.position());
}

}  // namespace litmus
