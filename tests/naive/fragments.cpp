// Puts together the idioms of generated programs, each with random faults.
#include "tests/naive/fragments.hpp"

#include <algorithm>

#include "tests/naive/build.hpp"

namespace naive {

using namespace build;
using kind_of = operation_kind;

namespace {

int least_lanes(const context& c) {
  return *std::min_element(c.config.lanes.begin(), c.config.lanes.end());
}
int most_lanes(const context& c) {
  return *std::max_element(c.config.lanes.begin(), c.config.lanes.end());
}
int all_lanes(const context& c) {
  int lanes = 0;
  for (const int n : c.config.lanes) lanes += n;
  return c.config.blocks * lanes;
}

void append(sequence& to, sequence more) {
  for (statement& s : more) to.push_back(std::move(s));
}

/// A cell index that is always in range.
expression some_cell(context& c) {
  switch (c.random.weighted({6, 2, 1, 1})) {
    case 1: return modulo(lane(), cell_count);
    case 2: return modulo(add(rank(), constant(1)), cell_count);
    case 3: return add(binary(k::bit_and, local(0), constant(1)), constant(flag_cell));
    default:
      // A lock that is written to by chance stays locked: seldom.
      return constant(c.random.percent(8) ? lock_cell : 1 + c.random.below(3));
  }
}

statement add_one(context& c, int target, expression where) {
  return run(fetch_add(target, some_atomic(c), std::move(where), constant(1)));
}

/// What is done while the lock is held.
sequence critical_section(context& c) {
  switch (c.random.weighted({5, 3, 2, 1})) {
    case 1:
      return {run(load(0, c.scope, constant(counter_cell))),
              run(store(c.scope, constant(counter_cell), add(local(0), constant(1))))};
    case 2: return {bump(constant(counter_cell)), check(less(local(0), 3))};
    case 3: {
      // Only one lane is ever inside.
      return {run(exchange(0, c.scope, constant(flag_cell), constant(1))),
              check(equal(local(0), 0)), run(store(c.scope, constant(flag_cell), constant(0)))};
    }
    default: return {bump(constant(counter_cell))};
  }
}

condition try_lock(context& c) {
  const strength how = some_atomic(c);
  if (c.random.percent(30)) {
    return after(compare_exchange(0, how, constant(lock_cell), constant(0), constant(1)),
                 equal(local(0), 0));
  }
  return after(exchange(0, how, constant(lock_cell), constant(1)), equal(local(0), 0));
}

condition lock_is_held(context& c) {
  condition test = try_lock(c);
  test.test = differs(local(0), 0);
  return test;
}

}  // namespace

strength some_atomic(context& c) {
  switch (c.random.weighted({24, 1, 1, 2})) {
    case 1: return strength::block_scope;
    case 2: return strength::system_scope;
    case 3: return strength::device_scope;
    default: return c.scope;
  }
}

strength some_strength(context& c) {
  switch (c.random.weighted({16, 1, 1})) {
    case 1: return strength::volatile_access;
    case 2: return strength::weak;
    default: return some_atomic(c);
  }
}

expression some_mask(context& c) {
  switch (c.random.weighted({10, 3, 1, 1})) {
    case 1: return constant((1 << most_lanes(c)) - 1);
    case 2: return constant(1 + c.random.below((1 << most_lanes(c)) - 1));
    case 3: return binary(k::shift_left, constant(1), lane());
    default: return constant(-1);
  }
}

expression some_identity(context& c) {
  if (c.config.blocks > 1 && c.random.percent(60))
    return equal(block(), c.random.below(c.config.blocks));
  if (c.config.lanes.size() > 1 && c.random.percent(50)) return equal(warp(), c.random.below(2));
  switch (c.random.weighted({4, 2, 1, 1})) {
    case 1: return equal(rank(), c.random.below(all_lanes(c)));
    case 2: return less(lane(), 1 + c.random.below(most_lanes(c)));
    case 3: return differs(lane(), c.random.below(most_lanes(c)));
    default: return equal(lane(), c.random.below(most_lanes(c)));
  }
}

expression some_test(context& c) {
  switch (c.random.weighted({4, 3, 3})) {
    case 1: return equal(local(0), c.random.below(2));
    case 2: return differs(local(0), c.random.below(3));
    default: return some_identity(c);
  }
}

statement some_access(context& c) {
  const expression where = some_cell(c);
  const expression value = c.random.percent(30) ? binary(k::bit_and, local(0), constant(1))
                                                : constant(c.random.below(2));
  operation op;
  switch (c.random.weighted({6, 5, 3, 2, c.in_loop ? 0 : 2, 1, 1, c.in_loop ? 0 : 2})) {
    case 0: op = load(c.random.below(2), some_strength(c), where); break;
    case 1: op = store(some_strength(c), where, value); break;
    case 2: op = exchange(0, some_atomic(c), where, value); break;
    case 3:
      op = compare_exchange(0, some_atomic(c), where, constant(c.random.below(2)), value);
      break;
    case 4: op = fetch_add(c.random.below(2), some_atomic(c), where, constant(1)); break;
    case 5: op = simple(kind_of::fence); break;
    case 6: op = simple(kind_of::nanosleep); break;
    default: return bump(where);
  }
  if (op.kind <= kind_of::add && c.random.percent(15)) {
    c.uses_shared = true;
    op.shared = true;
    op.cell = constant(c.random.below(2));
  }
  return run(op);
}

statement some_collective(context& c) {
  const kind_of kind =
      c.random.one_of({kind_of::syncwarp, kind_of::syncwarp, kind_of::ballot, kind_of::any,
                       kind_of::all, kind_of::shfl, kind_of::match_any, kind_of::match_all,
                       kind_of::reduce_add, kind_of::reduce_max, kind_of::activemask});
  const int target = kind == kind_of::syncwarp ? -1 : c.random.below(2);
  const expression value = c.random.percent(50) ? some_identity(c) : local(c.random.below(2));
  const expression source = c.random.percent(60) ? constant(c.random.below(least_lanes(c)))
                                                 : modulo(add(lane(), constant(1)), least_lanes(c));
  return run(collective(kind, target, some_mask(c), value, source));
}

sequence lock_fragment(context& c) {
  sequence inside = critical_section(c);
  c.counted += all_lanes(c);
  const statement unlock =
      run(store(some_strength(c), constant(lock_cell), constant(c.random.percent(4) ? 1 : 0)));
  const bool forgets = c.random.percent(5);
  sequence section = inside;
  if (!forgets) section.push_back(unlock);
  switch (c.random.weighted({4, 3, 3, 3, 2, 1})) {
    case 0: {
      sequence result{while_loop(lock_is_held(c), {})};
      append(result, section);
      return result;
    }
    case 1: {
      section.push_back(assign(1, constant(1)));
      return {assign(1, constant(0)),
              while_loop(when(equal(local(1), 0)), {if_else(try_lock(c), section)})};
    }
    case 2: {
      section.push_back(assign(1, constant(1)));
      return {assign(1, constant(0)),
              do_while({if_else(try_lock(c), section)}, when(differs(local(1), 1)))};
    }
    case 3: {
      if (c.in_switch) return {while_loop(lock_is_held(c), {}), unlock};
      section.push_back(c.random.percent(20) ? return_body() : break_loop());
      return {forever({if_else(try_lock(c), section)})};
    }
    case 4: {
      // Test, then test-and-set.
      sequence result{do_while(
          {while_loop(after(load(0, some_strength(c), constant(lock_cell)), differs(local(0), 0)),
                      {})},
          lock_is_held(c))};
      append(result, section);
      return result;
    }
    default: {
      // A try that gives up.
      return {if_else(try_lock(c), section, {some_access(c)})};
    }
  }
}

sequence ticket_fragment(context& c) {
  const strength how = some_atomic(c);
  const auto served = [&] { return load(0, some_strength(c), constant(served_cell)); };
  sequence inside = critical_section(c);
  c.counted += all_lanes(c);
  inside.push_back(run(store(how, constant(served_cell), add(local(1), constant(1)))));
  sequence result{run(fetch_add(1, how, constant(ticket_cell), constant(1)))};
  if (c.random.percent(50)) {
    result.push_back(while_loop(after(served(), binary(k::not_equal, local(0), local(1))), {}));
    append(result, inside);
  } else {
    inside.push_back(assign(2, constant(1)));
    result.push_back(assign(2, constant(0)));
    result.push_back(do_while({if_else(after(served(), equal(local(0), local(1))), inside)},
                              when(equal(local(2), 0))));
  }
  return result;
}

sequence flag_fragment(context& c) {
  const int cell = flag_cell + c.random.below(2);
  const strength how = some_strength(c);
  sequence give{run(store(some_strength(c), constant(cell), constant(1)))};
  sequence take{while_loop(after(load(0, how, constant(cell)), differs(local(0), 1)), {})};
  if (c.random.percent(50)) {
    // A message comes with the flag.
    give.insert(give.begin(), run(store(strength::weak, constant(counter_cell), constant(1))));
    take.push_back(run(load(0, strength::weak, constant(counter_cell))));
    take.push_back(check(equal(local(0), 1)));
    if (c.random.percent(20)) std::swap(give[0], give[1]);
  }
  if (c.random.percent(7)) give.erase(give.begin());
  const bool same_order = c.random.percent(50);
  const expression test = some_identity(c);
  return {if_else(when(test), same_order ? give : take, same_order ? take : give)};
}

sequence chain_fragment(context& c) {
  const strength how = some_strength(c);
  const expression who = c.config.lanes.size() > 1 || c.config.blocks > 1 ? rank() : lane();
  // The first one finds its flag set already; or it waits for the last one.
  const int first = flag_cell;
  const int links = cell_count - first;
  const expression own = add(modulo(who, links), constant(first));
  const expression next = add(modulo(add(who, constant(1)), links), constant(first));
  const statement wait = while_loop(after(load(0, how, own), differs(local(0), 1)), {});
  const statement pass = run(store(how, next, constant(1)));
  const statement open = if_else(when(equal(who, 0)), {pass}, {wait, pass});
  if (c.random.percent(40)) return {open};
  sequence result{
      if_else(when(equal(who, c.random.percent(80) ? 0 : 1)), {run(store(how, own, constant(1)))})};
  if (c.random.percent(50)) {
    result.push_back(wait);
    result.push_back(pass);
  } else {
    result.push_back(assign(1, constant(0)));
    result.push_back(while_loop(
        when(equal(local(1), 0)),
        {if_else(after(load(0, how, own), equal(local(0), 1)), {pass, assign(1, constant(1))})}));
  }
  return result;
}

sequence counter_fragment(context& c) {
  c.counted += all_lanes(c);
  switch (c.random.weighted({3, 3, 2, 2, 1})) {
    case 0: return {bump(constant(counter_cell))};
    case 1: return {add_one(c, 0, constant(counter_cell))};
    case 2:
      return {run(load(0, some_strength(c), constant(counter_cell))),
              run(store(some_strength(c), constant(counter_cell), add(local(0), constant(1))))};
    case 3:
      return {run(load(0, c.scope, constant(counter_cell))),
              while_loop(after(compare_exchange(1, some_atomic(c), constant(counter_cell), local(0),
                                                add(local(0), constant(1))),
                               binary(k::not_equal, local(0), local(1))),
                         {assign(0, local(1))})};
    default: return {add_one(c, 0, constant(counter_cell)), check(less(local(0), all_lanes(c)))};
  }
}

sequence collective_fragment(context& c) {
  const statement one = some_collective(c);
  switch (c.random.weighted({4, 2, 2, 2, 1})) {
    case 1: return {if_else(when(some_test(c)), {one, some_access(c)})};
    case 2: return {if_else(when(some_identity(c)), {one}, {some_collective(c)})};
    case 3: {
      // Results are what the lanes would expect.
      return {run(collective(kind_of::ballot, 0, some_mask(c), some_identity(c))),
              c.random.percent(50) ? check(differs(local(0), 0)) : check(less(local(0), 8))};
    }
    case 4: {
      const operation who = collective(kind_of::activemask, 1, constant(0));
      return {run(who), run(collective(c.random.one_of({kind_of::ballot, kind_of::syncwarp}), -1,
                                       local(1), some_identity(c)))};
    }
    default: return {one, some_access(c)};
  }
}

sequence barrier_fragment(context& c) {
  const statement barrier = run(simple(kind_of::syncthreads));
  switch (c.random.weighted({4, 2, 2, 2})) {
    case 1: return {if_else(when(some_test(c)), {barrier}, {barrier})};
    case 2: return {if_else(when(some_test(c)), {some_access(c)}), barrier};
    case 3: return {if_else(when(some_test(c)), {barrier, some_access(c)})};
    default: {
      // One writes, all read behind the barrier.
      const bool shared = c.random.percent(40);
      c.uses_shared = c.uses_shared || shared;
      operation write = store(strength::weak, constant(1), constant(1));
      operation read = load(0, strength::weak, constant(1));
      write.shared = read.shared = shared;
      sequence result{if_else(when(some_identity(c)), {run(write)})};
      if (c.random.percent(85)) result.push_back(barrier);
      result.push_back(run(read));
      if (c.random.percent(70)) result.push_back(check(equal(local(0), 1)));
      return result;
    }
  }
}

sequence named_barrier_fragment(context& c) {
  const int warps = static_cast<int>(c.config.lanes.size());
  const auto count = [&] { return c.random.percent(85) ? warps : 1 + c.random.below(3); };
  const auto kind = [&] {
    return c.random.percent(60) ? kind_of::barrier_sync : kind_of::barrier_arrive;
  };
  // syncthreads is barrier 0, for all warps.
  const bool at_zero = c.random.percent(20);
  const auto id = [&] { return c.random.percent(85) ? (at_zero ? 0 : 1) : 2; };
  const auto some_barrier = [&] {
    if (at_zero && c.random.percent(40)) return run(simple(kind_of::syncthreads));
    return run(barrier(kind(), id(), at_zero && c.random.percent(50) ? 1 : count()));
  };
  sequence one{some_barrier()};
  sequence other{some_barrier()};
  if (c.random.percent(50)) one.insert(one.begin(), some_access(c));
  if (c.random.percent(50)) other.push_back(some_access(c));
  if (c.random.percent(35)) return one;
  const expression test = warps > 1 && c.random.percent(80) ? equal(warp(), 0) : some_test(c);
  return {if_else(when(test), one, other)};
}

sequence spin_fragment(context& c) {
  const int cell = flag_cell + c.random.below(2);
  const statement give = run(store(some_strength(c), constant(cell), constant(1)));
  const operation look = load(0, some_strength(c), constant(cell));
  switch (c.random.weighted({3, 2, 2, 1})) {
    case 0: {
      // The warp spins together, by vote.
      const kind_of vote = c.random.one_of({kind_of::any, kind_of::all, kind_of::ballot});
      return {if_else(when(some_identity(c)), {give}),
              do_while({run(look)}, after(collective(vote, 1, some_mask(c), equal(local(0), 0)),
                                          differs(local(1), 0)))};
    }
    case 1:
      return {do_while({if_else(when(some_identity(c)), {give}),
                        run(collective(kind_of::syncwarp, -1, some_mask(c)))},
                       after(look, differs(local(0), 1)))};
    case 2:
      return {if_else(when(some_identity(c)), {give}),
              while_loop(after(look, differs(local(0), 1)), {some_access(c)})};
    default: return {if_else(when(some_identity(c)), {forever({run(look)})}, {give})};
  }
}

sequence names_fragment(context& c) {
  const strength how = some_atomic(c);
  const int tail = lock_cell;
  const expression me = add(c.random.percent(85) ? rank() : lane(), constant(1));
  const auto slot = [](expression name) { return add(modulo(std::move(name), 4), constant(2)); };
  const auto same = [](expression a, expression b) {
    return binary(k::equal, std::move(a), std::move(b));
  };
  // Now and then the program cares who is who.
  const auto with_twist = [&](sequence list) {
    if (c.random.percent(15)) {
      list.push_back(if_else(when(binary(k::less, local(1), me)), {some_access(c)}));
    }
    return list;
  };
  switch (c.random.weighted({3, 3, 3, 2, 2})) {
    case 0: {
      // A lock that knows its owner.
      sequence result{while_loop(after(compare_exchange(1, how, constant(tail), constant(0), me),
                                       differs(local(1), 0)),
                                 {}),
                      run(load(1, how, constant(tail))), check(same(local(1), me))};
      c.counted += all_lanes(c);
      append(result, critical_section(c));
      result.push_back(run(store(how, constant(tail), constant(0))));
      return with_twist(std::move(result));
    }
    case 1: {
      // Each waits for the one before it (Craig; Landin and Hagersten).
      c.counted += all_lanes(c);
      sequence result{
          run(exchange(1, how, constant(tail), me)),
          if_else(when(differs(local(1), 0)),
                  {while_loop(after(load(0, how, slot(local(1))), differs(local(0), 1)), {})}),
          bump(constant(counter_cell)), run(store(how, slot(me), constant(1)))};
      return with_twist(std::move(result));
    }
    case 2: {
      // Each tells the one before it its name, and then wakes the one behind it, or is the last.
      const sequence wake{while_loop(after(load(1, how, slot(me)), equal(local(1), 0)), {}),
                          run(store(some_strength(c), slot(local(1)), local(1)))};
      const statement leave =
          c.random.percent(70)
              ? if_else(after(compare_exchange(1, how, constant(tail), me, constant(0)),
                              binary(k::not_equal, local(1), me)),
                        wake)
              : if_else(after(load(1, how, constant(tail)), binary(k::not_equal, local(1), me)),
                        wake);
      return with_twist({run(exchange(1, how, constant(tail), me)),
                         if_else(when(differs(local(1), 0)), {run(store(how, slot(local(1)), me))}),
                         leave});
    }
    case 3:
      // Names in slots of one's own, and a look at those of others.
      return with_twist({run(store(some_strength(c), slot(me), me)),
                         run(load(1, some_strength(c), slot(add(me, constant(1))))),
                         run(store(how, constant(tail), me)), run(load(1, how, constant(tail))),
                         check(differs(local(1), 0))});
    default:
      // Whoever came first; the others read its slot, or agree with it.
      return with_twist({run(store(how, slot(me), c.random.percent(50) ? me : constant(1))),
                         run(compare_exchange(1, how, constant(tail), constant(0), me)),
                         if_else(when(differs(local(1), 0)),
                                 {run(load(0, some_strength(c), slot(local(1)))),
                                  c.random.percent(50) ? check(differs(local(0), 0))
                                                       : check(same(local(0), local(1)))})});
  }
}

/// Loops in which lanes can keep each other from getting on although each of them takes steps.
sequence polite_fragment(context& c) {
  const expression test = some_identity(c);
  const strength how = some_atomic(c);
  const auto free = [&](int cell) { return run(store(how, constant(cell), constant(0))); };
  const auto take = [&](int cell) {
    return after(exchange(0, how, constant(cell), constant(1)), equal(local(0), 0));
  };
  switch (c.random.weighted({3, 3, 2})) {
    case 0: {
      // Two locks in either order; who does not get the second gives the first back.
      const auto both = [&](int first, int second) {
        return sequence{
            assign(1, constant(0)),
            do_while({if_else(take(first),
                              {if_else(take(second), {free(second), assign(1, constant(1))}),
                               free(first)})},
                     when(equal(local(1), 0)))};
      };
      return {if_else(when(test), both(lock_cell, flag_cell), both(flag_cell, lock_cell))};
    }
    case 1: {
      // One takes and frees the lock until it sees the flag; to set it, the other needs the lock.
      const operation look = load(0, how, constant(flag_cell));
      const sequence turns{do_while({if_else(take(lock_cell), {free(lock_cell)})},
                                    after(look, differs(local(0), 1)))};
      const sequence sets{
          assign(1, constant(0)),
          while_loop(when(equal(local(1), 0)),
                     {if_else(take(lock_cell), {run(store(how, constant(flag_cell), constant(1))),
                                                assign(1, constant(1)), free(lock_cell)})})};
      return {if_else(when(test), turns, sets)};
    }
    default: {
      // Each wishes, and withdraws while the other one wishes as well (without taking turns).
      const auto wish = [&](int own, int other) {
        return sequence{run(store(how, constant(own), constant(1))),
                        while_loop(after(load(0, how, constant(other)), differs(local(0), 0)),
                                   {free(own), run(store(how, constant(own), constant(1)))}),
                        free(own)};
      };
      return {if_else(when(test), wish(flag_cell, flag_cell + 1), wish(flag_cell + 1, flag_cell))};
    }
  }
}

sequence bad_access_fragment(context& c) {
  // Far outside of all memory, for those lanes whose index is not 0.
  const expression far =
      binary(k::shift_left, c.random.percent(50) ? lane() : local(0), constant(20));
  return {c.random.percent(50) ? run(load(0, some_strength(c), far))
                               : run(store(some_strength(c), far, constant(1)))};
}

sequence phases_fragment(context& c) {
  const bool shared =
      c.shares_in_blocks ? c.random.percent(60) : c.config.blocks == 1 && c.random.percent(30);
  c.uses_shared = c.uses_shared || shared;
  const expression who = c.config.lanes.size() > 1 || c.config.blocks > 1 ? rank() : lane();
  const int lanes = std::min(all_lanes(c), phase_cells);
  const auto cell_of = [&](expression which) {
    const expression in_range = modulo(std::move(which), shared ? 2 : phase_cells);
    return shared ? in_range : add(in_range, constant(cell_count));
  };
  const auto put = [&](expression which, expression value) {
    operation op = store(strength::weak, cell_of(std::move(which)), std::move(value));
    op.shared = shared;
    return run(op);
  };
  const auto get = [&](int target, expression which) {
    operation op = load(target, strength::weak, cell_of(std::move(which)));
    op.shared = shared;
    return run(op);
  };
  const bool one_warp = c.config.lanes.size() == 1 && c.config.blocks == 1;
  const auto meet = [&](sequence& to, int percent) {
    if (!c.random.percent(percent)) return;
    const bool in_warp = one_warp && c.random.percent(30);
    to.push_back(run(in_warp ? collective(kind_of::syncwarp, -1, constant(-1))
                             : simple(kind_of::syncthreads)));
  };
  sequence result;
  switch (c.random.weighted({4, 3, 3, 3, 3, 2, 2})) {
    case 0: {
      // Each reads its neighbour's.
      result.push_back(put(who, add(who, constant(1))));
      meet(result, 85);
      result.push_back(get(0, add(who, constant(1))));
      if (c.random.percent(40)) {
        meet(result, 80);
        result.push_back(put(who, local(0)));
      }
      break;
    }
    case 1: {
      // A tree: half of the lanes add the other half's.
      result.push_back(put(who, constant(1)));
      for (int distance = 2; distance > 0; distance /= 2) {
        meet(result, 85);
        result.push_back(
            if_else(when(less(who, distance)), {get(0, add(who, constant(distance))), get(1, who),
                                                put(who, add(local(0), local(1)))}));
      }
      break;
    }
    case 2: {
      // A histogram: nobody looks at what the additions return.
      result.push_back(run(fetch_add(-1, some_atomic(c), cell_of(modulo(who, 2)), constant(1))));
      if (shared) result.back().op.shared = true;
      meet(result, 80);
      result.push_back(get(0, constant(0)));
      if (one_warp && c.random.percent(50))
        result.push_back(check(binary(k::less, constant(0), local(0))));
      break;
    }
    case 3: {
      // Values go through a collective first, in groups of two now and then.
      const expression pair =
          binary(k::shift_left, constant(3),
                 binary(k::subtract, lane(), binary(k::bit_and, lane(), constant(1))));
      operation sum = collective(c.random.one_of({kind_of::reduce_add, kind_of::ballot}), 0,
                                 c.random.percent(40) ? pair : constant(-1), lane());
      result.push_back(run(sum));
      result.push_back(put(who, local(0)));
      meet(result, 85);
      result.push_back(get(1, add(who, constant(1))));
      break;
    }
    case 4: {
      // A loop of two turns with barriers.
      sequence body{put(who, local(2))};
      meet(body, 85);
      body.push_back(get(0, add(who, constant(1))));
      meet(body, 85);
      body.push_back(assign(2, add(local(2), constant(1))));
      result = {assign(2, constant(0)), while_loop(when(less(local(2), 2)), body)};
      break;
    }
    case 5: {
      // Some leave before the others meet: the barrier does not wait for them.
      result.push_back(put(who, add(who, constant(1))));
      result.push_back(if_else(when(less(who, 1)), {return_body()}));
      meet(result, 85);
      result.push_back(get(0, add(who, constant(1))));
      break;
    }
    default: {
      // The last one to come reads what all have left.
      result.push_back(put(who, constant(1)));
      if (c.random.percent(70)) result.push_back(run(simple(kind_of::fence)));
      result.push_back(add_one(c, 1, constant(counter_cell)));
      result.push_back(
          if_else(when(equal(local(1), lanes - 1)), {get(0, constant(0)), get(0, constant(1))}));
      break;
    }
  }
  return result;
}

sequence messages_body(context& c) {
  random_source& r = c.random;
  const int blocks = c.config.blocks;
  const int in_block = all_lanes(c) / blocks;
  const auto own = add(rank(), constant(cell_count));
  // The cell of lane `in` of the next block.
  const auto of_next = [&](int in) {
    const expression next = modulo(add(block(), constant(1)), blocks);
    expression cell = constant(cell_count + in);
    for (int i = 0; i < in_block; ++i) cell = add(std::move(cell), next);
    return cell;
  };
  const auto fence = [&](sequence& to, int percent) {
    if (!r.percent(percent)) return;
    operation op = simple(kind_of::fence);
    op.how = r.percent(92) ? strength::device_scope : strength::block_scope;
    const statement one = run(op);
    to.push_back(in_block > 1 && r.percent(12) ? if_else(when(equal(rank(), 0)), {one}) : one);
  };
  const auto meet = [&](sequence& to, int percent) {
    if (in_block == 1 || !r.percent(percent)) return;
    const bool in_warp = c.config.lanes.size() == 1 && r.percent(20);
    to.push_back(run(in_warp ? collective(kind_of::syncwarp, -1, constant(-1))
                             : simple(kind_of::syncthreads)));
  };
  const auto by_first = [&](sequence body, int percent) {
    if (in_block == 1 || !r.percent(percent)) return body;
    const expression is_first = c.config.lanes.size() > 1 && r.percent(50)
                                    ? equal(modulo(rank(), in_block), 0)
                                    : equal(lane(), 0);
    return sequence{if_else(when(is_first), std::move(body))};
  };
  const strength how_stored = r.percent(75) ? strength::weak : c.scope;
  const strength how_read = r.percent(80) ? how_stored : strength::weak;
  const auto read_others = [&](sequence& to) {
    const int count = 1 + r.below(2);
    for (int i = 0; i < count; ++i) {
      const int in = r.below(in_block);
      to.push_back(run(load(i, how_read, blocks == 1 ? constant(cell_count + in) : of_next(in))));
    }
    if (r.percent(50)) to.push_back(check(less(local(0), 2)));
    if (r.percent(20)) to.push_back(run(store(how_stored, own, add(local(0), constant(1)))));
  };
  sequence give, take;
  give.push_back(run(store(how_stored, own, constant(1))));
  fence(give, 88);
  meet(give, 85);
  fence(give, 10);
  switch (r.weighted({4, 3, 3, 2})) {
    case 0: {  // a flag of the first block, for which others wait, or at which they look
      append(give, by_first({run(store(c.scope, constant(flag_cell), constant(1)))}, 85));
      const bool waits = r.percent(60);
      const operation look = load(2, c.scope, constant(flag_cell));
      append(take, by_first({waits ? while_loop(after(look, equal(local(2), 0)), {}) : run(look)},
                            waits ? 50 : 0));
      meet(take, 85);
      fence(take, 88);
      sequence then;
      read_others(then);
      if (waits)
        append(take, std::move(then));
      else
        take.push_back(if_else(when(equal(local(2), 1)), std::move(then)));
      break;
    }
    case 1: {  // the last one to come
      const int all = in_block > 1 && blocks > 1 ? blocks : all_lanes(c);
      sequence count{run(fetch_add(2, c.scope, constant(counter_cell), constant(1)))};
      if (all == blocks) count = by_first(std::move(count), 90);
      append(give, std::move(count));
      sequence then;
      fence(then, 85);
      read_others(then);
      take.push_back(if_else(when(equal(local(2), all - 1)), std::move(then)));
      append(give, std::move(take));
      return give;
    }
    case 2: {  // all wait until all have come
      const int all = blocks > 1 ? blocks : all_lanes(c);
      sequence arrive{run(fetch_add(-1, c.scope, constant(counter_cell), constant(1)))};
      arrive.push_back(
          while_loop(after(load(2, c.scope, constant(counter_cell)), differs(local(2), all)), {}));
      append(give, blocks > 1 ? by_first(std::move(arrive), 95) : std::move(arrive));
      meet(give, 85);
      fence(give, 80);
      read_others(give);
      return give;
    }
    default: {  // both write, and one of them must see the other
      sequence both{run(store(c.scope, add(constant(flag_cell), modulo(rank(), 2)), constant(1)))};
      fence(both, 90);
      meet(both, 30);
      both.push_back(
          run(load(0, c.scope, add(constant(flag_cell), modulo(add(rank(), constant(1)), 2)))));
      if (r.percent(50)) {
        both.push_back(if_else(when(equal(local(0), 0)), {bump(constant(counter_cell))}));
      } else {
        both.push_back(if_else(when(equal(local(0), 0)),
                               {run(fetch_add(1, c.scope, constant(counter_cell), constant(1))),
                                check(equal(local(1), 0))}));
      }
      return both;
    }
  }
  sequence body{if_else(when(blocks > 1 ? equal(block(), 0) : equal(rank(), 0)), give, take)};
  if (blocks > 1 || in_block > 2 || r.percent(50)) return body;
  meet(body, 70);
  return body;
}

}  // namespace naive
