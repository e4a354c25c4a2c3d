// Makes random small programs from the idioms in fragments.cpp.
#include "tests/naive/generate.hpp"

#include <array>
#include <string>

#include "tests/naive/build.hpp"
#include "tests/naive/fragments.hpp"

namespace naive {

using namespace build;

namespace {

configuration several_blocks(random_source& r) {
  configuration c;
  c.blocks = 2;
  switch (r.weighted({5, 4, 2, 4})) {
    case 0: break;
    case 1: c.lanes = {2}; break;
    case 2: c.lanes = {1, 1}; break;
    default: c.blocks = 3; break;
  }
  if (r.percent(25)) c.resident = 1 + r.below(c.blocks);
  c.blocks_in_order = r.percent(40);
  return c;
}

configuration some_grid(random_source& r) {
  configuration c;
  switch (r.weighted({28, 18, 3, 14, 9, 5, 12, 5, 5})) {
    case 0: c.lanes = {2}; break;
    case 1: c.lanes = {3}; break;
    case 2: c.lanes = {4}; break;
    case 3: c.lanes = {1, 1}; break;
    case 4: c.lanes = {2, 1}; break;
    case 5: c.lanes = {2, 2}; break;
    case 6: c.blocks = 2; break;
    case 7: c.blocks = 2, c.lanes = {2}; break;
    default: c.blocks = 3; break;
  }
  if (c.blocks > 1 && r.percent(60)) c.resident = 1 + r.below(c.blocks);
  c.blocks_in_order = r.percent(40);
  return c;
}

configuration grid_of_messages(random_source& r) {
  configuration c;
  switch (r.weighted({3, 3, 3, 2, 2, 5, 3, 4})) {
    case 0: c.lanes = {2}; break;
    case 1: c.lanes = {3}; break;
    case 2: c.lanes = {2, 1}; break;
    case 3: c.lanes = {2, 2}; break;
    case 4: c.blocks = 2; break;
    case 5: c.blocks = 2, c.lanes = {2}; break;
    case 6: c.blocks = 2, c.lanes = {1, 1}; break;
    default: c.blocks = 3; break;
  }
  if (c.blocks > 1 && r.percent(10)) c.resident = 1 + r.below(c.blocks);
  return c;
}

int lanes_of(const configuration& c) {
  int lanes = 0;
  for (const int n : c.lanes) lanes += n;
  return c.blocks * lanes;
}

sequence some_sequence(context& c, int depth, int length);

/// A loop that may go on for ever, with something visible in every turn.
sequence some_loop(context& c, int depth) {
  const bool outer_loop = c.in_loop;
  const bool outer_switch = c.in_switch;
  c.in_loop = true;
  c.in_switch = false;
  const int cell = flag_cell + c.random.below(2);
  const operation look = load(0, some_strength(c), constant(cell));
  sequence body{c.random.percent(60) ? run(look) : some_access(c)};
  if (c.random.percent(60)) {
    sequence jump;
    if (c.random.percent(30)) jump.push_back(some_access(c));
    jump.push_back(c.random.weighted({5, 3, 2}) == 0 ? break_loop()
                   : c.random.percent(60)            ? continue_loop()
                                                     : return_body());
    body.push_back(if_else(when(some_test(c)), jump));
  }
  if (depth > 0 && c.random.percent(40)) {
    for (statement& s : some_sequence(c, depth - 1, 1)) body.push_back(std::move(s));
  }
  // A test of who one is makes a loop without an end: seldom.
  const expression goes_on = c.random.percent(6)    ? some_test(c)
                             : c.random.percent(45) ? differs(local(0), 1)
                                                    : equal(local(0), c.random.below(2));
  statement result;
  switch (c.random.weighted({3, 2, 3, 2, 2})) {
    case 0: result = while_loop(after(look, goes_on), body); break;
    case 1: result = while_loop(when(goes_on), body); break;
    case 2: result = do_while(body, after(look, goes_on)); break;
    case 3: result = do_while(body, when(goes_on)); break;
    default:
      body.push_back(if_else(after(look, some_test(c)), {break_loop()}));
      result = forever(body);
      break;
  }
  c.in_loop = outer_loop;
  c.in_switch = outer_switch;
  if (outer_loop || c.random.percent(30)) return {result};
  // Mostly, someone sets the flag.
  const statement give = run(store(some_strength(c), constant(cell), constant(1)));
  if (c.random.percent(50)) return {if_else(when(some_identity(c)), {give}), result};
  return {if_else(when(some_identity(c)), {give}, {result})};
}

/// A loop of two turns, counted in local 2, which nothing else in it touches.
sequence counted_loop(context& c) {
  const bool outer_loop = c.in_loop;
  const bool outer_switch = c.in_switch;
  c.in_switch = false;
  sequence body{assign(2, add(local(2), constant(1))), some_access(c)};
  if (c.random.percent(40)) {
    body.push_back(
        if_else(when(some_test(c)), {c.random.percent(50) ? break_loop() : continue_loop()}));
    body.push_back(c.random.percent(50) ? some_access(c) : some_collective(c));
  }
  c.in_loop = outer_loop;
  c.in_switch = outer_switch;
  return {assign(2, constant(0)), while_loop(when(less(local(2), 2)), body)};
}

sequence some_fragment(context& c, int depth) {
  const bool divided = depth > 0;
  const int barriers = c.in_loop ? 1 : 4;
  const int counts = c.in_loop ? 0 : 5;  // what counts must not be in a loop without bound
  switch (c.random.weighted({counts, counts * 2 / 5, 4, 3, counts * 3 / 5, 5, barriers,
                             c.config.lanes.size() > 1 ? barriers : 1, 3, 1,
                             divided ? 5 : 0,    // if
                             divided ? 2 : 0,    // switch
                             divided ? 3 : 0,    // loop
                             c.in_loop ? 0 : 1,  // counted loop
                             2,                  // early return
                             c.in_loop ? 0 : 3, c.in_loop ? 0 : 4, 3})) {
    case 0: return lock_fragment(c);
    case 1: return ticket_fragment(c);
    case 2: return flag_fragment(c);
    case 3: return chain_fragment(c);
    case 4: return counter_fragment(c);
    case 5: return collective_fragment(c);
    case 6: return barrier_fragment(c);
    case 7: return named_barrier_fragment(c);
    case 8: return spin_fragment(c);
    case 9: return c.random.percent(50) ? bad_access_fragment(c) : sequence{some_access(c)};
    case 10: {
      sequence body = some_sequence(c, depth - 1, 1);
      sequence otherwise = c.random.percent(50) ? some_sequence(c, depth - 1, 1) : sequence{};
      return {if_else(when(some_test(c)), body, otherwise)};
    }
    case 11: {
      const bool outer = c.in_switch;
      c.in_switch = true;
      std::vector<std::pair<int, sequence>> cases;
      cases.emplace_back(0, some_sequence(c, depth - 1, 1));
      cases.emplace_back(1, sequence{some_access(c)});
      sequence otherwise = c.random.percent(50) ? sequence{some_access(c)} : sequence{};
      c.in_switch = outer;
      return {switch_on(c.random.percent(70) ? lane() : local(0), cases, otherwise)};
    }
    case 12: return some_loop(c, depth);
    case 13: return counted_loop(c);
    case 14: {
      sequence last;
      if (c.random.percent(40)) last.push_back(some_access(c));
      last.push_back(return_body());
      return {if_else(when(some_test(c)), last), some_access(c)};
    }
    case 15: return polite_fragment(c);
    case 16: return names_fragment(c);
    default: return {some_access(c), some_access(c)};
  }
}

sequence some_sequence(context& c, int depth, int length) {
  sequence result;
  for (int i = 0; i < length; ++i) {
    for (statement& s : some_fragment(c, depth)) result.push_back(std::move(s));
  }
  return result;
}

void narrow(random_source& r, operation& op) {
  if (op.kind != operation_kind::load && op.kind != operation_kind::store) return;
  if (r.percent(40)) op.how = r.percent(50) ? strength::weak : strength::volatile_access;
  op.byte = (op.how == strength::weak || op.how == strength::volatile_access) && r.percent(60);
}

/// Some accesses become those of a byte.
void narrow(random_source& r, sequence& list) {
  for (statement& s : list) {
    if (s.kind == statement_kind::operate) narrow(r, s.op);
    if (s.test.first) narrow(r, *s.test.first);
    narrow(r, s.body);
    narrow(r, s.otherwise);
    for (auto& [label, body] : s.cases) narrow(r, body);
  }
}

void choose(random_source& r, operation& op) {
  const bool is_load = op.kind == operation_kind::load;
  const bool is_silent = op.kind == operation_kind::fence || op.kind == operation_kind::nanosleep;
  if (!is_load && !is_silent) return;
  if (r.percent(is_load ? 70 : 20)) return;
  const int target = is_load ? op.target : r.below(2);
  op = {};
  op.kind = operation_kind::choose;
  op.target = target;
}

/// Some operations become choices.
void choose(random_source& r, sequence& list) {
  for (statement& s : list) {
    if (s.kind == statement_kind::operate) choose(r, s.op);
    if (s.test.first) choose(r, *s.test.first);
    choose(r, s.body);
    choose(r, s.otherwise);
    for (auto& [label, body] : s.cases) choose(r, body);
  }
}

/// Cells that are the block's in all accesses, where these name them by a constant.
using own_cells = std::array<bool, cell_count>;

void change_scope(random_source& r, const own_cells& own, operation& op) {
  if (op.kind == operation_kind::fence) {
    if (op.how < strength::thread_scope) op.how = strength::device_scope;
    if (r.percent(25)) {
      op.how = r.one_of({strength::thread_scope, strength::block_scope, strength::system_scope});
    }
    return;
  }
  if (op.kind > operation_kind::add) return;
  const bool has_name =
      op.cell.kind == expression_kind::constant && op.cell.value >= 0 && op.cell.value < cell_count;
  if (!op.shared && has_name && own[static_cast<std::size_t>(op.cell.value)]) op.shared = true;
  if (op.how < strength::thread_scope) return;
  constexpr std::array scopes{strength::thread_scope, strength::block_scope, strength::device_scope,
                              strength::system_scope};
  if (op.shared ? r.percent(75) : r.percent(12)) {
    const int which = op.shared ? r.weighted({8, 80, 6, 6}) : r.weighted({25, 50, 0, 25});
    op.how = scopes[static_cast<std::size_t>(which)];
  }
}

/// Accesses get other scopes, and some are of cells of the block.
void change_scopes(random_source& r, const own_cells& own, sequence& list) {
  for (statement& s : list) {
    if (s.kind == statement_kind::operate) change_scope(r, own, s.op);
    const bool has_name =
        s.kind == statement_kind::bump && s.op.cell.kind == expression_kind::constant;
    if (has_name && s.op.cell.value < cell_count && own[static_cast<std::size_t>(s.op.cell.value)])
      s.op.shared = true;
    if (s.test.first) change_scope(r, own, *s.test.first);
    change_scopes(r, own, s.body);
    change_scopes(r, own, s.otherwise);
    for (auto& [label, body] : s.cases) change_scopes(r, own, body);
  }
}

configuration grid_of_scopes(random_source& r) {
  configuration c;
  c.blocks = 2;
  switch (r.weighted({45, 40, 15})) {
    case 0: c.lanes = {2}; break;
    case 1: c.lanes = {1, 1}; break;
    default: break;
  }
  if (r.percent(15)) c.resident = 1 + r.below(c.blocks);
  c.blocks_in_order = r.percent(40);
  return c;
}

}  // namespace

sample generate(std::uint64_t seed, unsigned index, grids which, kinds kind) {
  random_source mix(seed * 0x9e3779b97f4a7c15U + index);
  context c{random_source(mix.next()), {}};
  c.config = kind == kinds::messages    ? grid_of_messages(c.random)
             : kind == kinds::standing  ? grid_of_standing(c.random)
             : kind == kinds::dealing   ? grid_of_dealing(c.random)
             : kind == kinds::gathering ? grid_of_gathering(c.random)
             : kind == kinds::scopes    ? grid_of_scopes(c.random)
             : which == grids::any      ? some_grid(c.random)
                                        : several_blocks(c.random);
  c.scope =
      c.random.percent(90) || c.config.blocks > 1 ? strength::device_scope : strength::block_scope;
  const int lanes = lanes_of(c.config);

  sample result;
  result.config = c.config;
  result.code.name = "gen_" + std::to_string(index);
  result.code.cells.assign(cell_count, 0);
  if (c.random.percent(5)) {
    result.code.cells[static_cast<std::size_t>(c.random.below(cell_count))] = 1;
  }
  // The more lanes, the shorter, so that the states stay few.
  const int length = lanes >= 4   ? 1 + c.random.weighted({5, 5})
                     : lanes == 3 ? 1 + c.random.weighted({3, 4, 3})
                                  : 2 + c.random.weighted({3, 4, 2, 1});
  if (kind == kinds::standing || kind == kinds::dealing || kind == kinds::gathering) {
    const auto body = kind == kinds::standing  ? standing_body
                      : kind == kinds::dealing ? dealing_body
                                               : gathering_body;
    body(c, result.code);
    if (c.uses_shared) result.code.shared_cells = 2;
    return result;
  }
  const int what = kind == kinds::scopes ? c.random.weighted({4, 3, 3}) : 0;
  if (kind == kinds::messages || what == 1) {
    result.code.cells.resize(cell_count + phase_cells);
    result.code.body = messages_body(c);
  } else if (kind == kinds::phases || (kind == kinds::scopes && what == 0)) {
    c.shares_in_blocks = kind == kinds::scopes;
    result.code.cells.resize(cell_count + phase_cells);
    result.code.body = phases_fragment(c);
    if (c.random.percent(40)) {
      for (statement& s : phases_fragment(c)) result.code.body.push_back(std::move(s));
    }
    if (c.random.percent(20)) {
      for (statement& s : some_fragment(c, 0)) result.code.body.push_back(std::move(s));
    }
  } else {
    result.code.body = some_sequence(c, lanes >= 4 ? 1 : 2, length);
  }
  if (c.counted > 0 && c.random.percent(c.counted == lanes ? 80 : 10)) {
    result.code.final_values.emplace_back(counter_cell, c.counted);
  } else if (kind != kinds::messages && c.random.percent(15)) {
    result.code.final_values.emplace_back(c.random.below(4), c.random.below(2));
  }
  if (c.uses_shared) result.code.shared_cells = 2;
  if (kind == kinds::scopes) {
    own_cells own{};
    for (bool& one : own) one = c.random.percent(25);
    change_scopes(c.random, own, result.code.body);
    std::erase_if(result.code.final_values, [&](const auto& one) {
      return one.first < cell_count && own[static_cast<std::size_t>(one.first)];
    });
    result.code.shared_cells = cell_count;
  }
  if (kind == kinds::mixed_sizes) narrow(c.random, result.code.body);
  if (kind == kinds::choices) choose(c.random, result.code.body);
  if (kind == kinds::launches) {
    const int cells = static_cast<int>(result.code.cells.size());
    result.code.host = host_step{c.random.below(cells), c.random.below(cells),
                                 2 + (c.random.percent(30) ? 1 : 0), c.random.percent(50)};
  }
  return result;
}

std::vector<configuration> variants(const configuration& c) {
  std::vector<configuration> result;
  for (const reconvergence r : {reconvergence::stack, reconvergence::its}) {
    for (const progress p : {progress::fair, progress::unfair}) {
      configuration variant = c;
      variant.reconvergence = r;
      variant.progress = p;
      result.push_back(variant);
    }
  }
  return result;
}

std::vector<configuration> progress_variants(const configuration& c) {
  std::vector<configuration> result;
  for (const reconvergence r : {reconvergence::stack, reconvergence::its}) {
    for (const progress p : {progress::fair, progress::unfair, progress::obe, progress::hsa,
                             progress::hsa_obe, progress::lobe}) {
      for (const bool strong : {false, true}) {
        if (p == progress::unfair && strong) continue;
        configuration variant = c;
        variant.reconvergence = r;
        variant.progress = p;
        variant.strong = strong;
        result.push_back(variant);
      }
    }
  }
  return result;
}

}  // namespace naive
