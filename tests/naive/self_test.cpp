// The naive explorer on programs whose violations are known from thinking.
#include "tests/naive/explore.hpp"

#include <doctest/doctest.h>

#include "tests/naive/build.hpp"

using namespace naive;
using namespace naive::build;
using warpcheck::bit;
using warpcheck::verdict;
using warpcheck::verdict_set;

namespace {

constexpr auto device = strength::device_scope;
constexpr verdict_set none = 0;
constexpr verdict_set livelock = bit(verdict::livelock);
constexpr verdict_set race = bit(verdict::race);
constexpr verdict_set assertion = bit(verdict::assertion);
constexpr verdict_set deadlock = bit(verdict::deadlock);
constexpr verdict_set simt_deadlock = bit(verdict::simt_deadlock);
constexpr verdict_set divergence = bit(verdict::barrier_divergence);
constexpr verdict_set bad_access = bit(verdict::bad_access);

program make(std::vector<int> cells, sequence body,
             std::vector<std::pair<int, int>> final_values = {}) {
  program p;
  p.name = "self_test";
  p.cells = std::move(cells);
  p.body = std::move(body);
  p.final_values = std::move(final_values);
  return p;
}

struct expected {
  verdict_set stack;
  verdict_set fair;
  verdict_set unfair;
};

void expect(const program& p, configuration c, const expected& e) {
  const auto violations = [&](naive::reconvergence r, bool fair) {
    c.reconvergence = r;
    c.progress = fair ? naive::progress::fair : naive::progress::unfair;
    const outcome o = explore(p, c, 200'000);
    CHECK_FALSE(o.too_large);
    return o.violations;
  };
  CHECK(violations(naive::reconvergence::stack, true) == e.stack);
  CHECK(violations(naive::reconvergence::its, true) == e.fair);
  CHECK(violations(naive::reconvergence::its, false) == e.unfair);
}

configuration warps(std::vector<int> lanes) {
  configuration c;
  c.lanes = std::move(lanes);
  return c;
}

expression cell(int i) { return constant(i); }

statement spin_lock(int i) {
  return while_loop(after(exchange(0, device, cell(i), constant(1)), differs(local(0), 0)), {});
}
statement unlock(int i) { return run(store(device, cell(i), constant(0))); }
statement spin_until(expression where, int value) {
  return while_loop(after(load(0, device, std::move(where)), differs(local(0), value)), {});
}

}  // namespace

TEST_CASE("a naive test-and-set lock") {
  const program p = make({0, 0}, {spin_lock(0), bump(cell(1)), unlock(0)}, {{1, 3}});
  expect(p, warps({3}), {simt_deadlock, none, livelock});
  expect(p, warps({1, 1, 1}), {none, none, livelock});
}

TEST_CASE("a naive ticket lock") {
  const program p = make(
      {0, 0, 0},
      {run(fetch_add(1, device, cell(0), constant(1))),
       while_loop(after(load(0, device, cell(1)), binary(k::not_equal, local(0), local(1))), {}),
       bump(cell(2)), run(store(device, cell(1), add(local(1), constant(1))))},
      {{2, 3}});
  expect(p, warps({3}), {simt_deadlock, none, livelock});
}

TEST_CASE("done flags, and break instead of one") {
  const sequence section{bump(cell(1)), unlock(0)};
  const auto try_lock = [] {
    return after(exchange(0, device, cell(0), constant(1)), equal(local(0), 0));
  };
  sequence with_flag = section;
  with_flag.push_back(assign(1, constant(1)));
  sequence with_break = section;
  with_break.push_back(break_loop());
  const std::vector<std::pair<int, int>> final{{1, 3}};

  expect(
      make({0, 0}, {while_loop(when(equal(local(1), 0)), {if_else(try_lock(), with_flag)})}, final),
      warps({3}), {none, none, livelock});
  expect(
      make({0, 0}, {do_while({if_else(try_lock(), with_flag)}, when(equal(local(1), 0)))}, final),
      warps({3}), {none, none, livelock});
  expect(make({0, 0}, {forever({if_else(try_lock(), with_break)})}, final), warps({3}),
         {simt_deadlock, none, livelock});
}

TEST_CASE("flag chains") {
  // Lane i waits for lane i-1.
  const auto chain = [](strength how) {
    const auto wait = while_loop(after(load(0, how, lane()), differs(local(0), 1)), {});
    return make({1, 0, 0, 0}, {wait, run(store(how, add(lane(), constant(1)), constant(1)))});
  };
  expect(chain(device), warps({3}), {simt_deadlock, none, livelock});
  const auto volatile_chain = chain(strength::volatile_access);
  expect(volatile_chain, warps({3}), {simt_deadlock, none, livelock});
  // Under `stack` lane 0 never comes to its store.
  expect(chain(strength::weak), warps({3}),
         {simt_deadlock, race, static_cast<verdict_set>(race | livelock)});
}

TEST_CASE("a lock that nobody releases, and two locks in opposite order") {
  expect(make({0}, {spin_lock(0)}), warps({2}), {deadlock, deadlock, deadlock});

  const sequence up{spin_lock(0), spin_lock(1), unlock(1), unlock(0)};
  const sequence down{spin_lock(1), spin_lock(0), unlock(0), unlock(1)};
  const verdict_set both = deadlock | livelock;
  expect(make({0, 0}, {if_else(when(equal(warp(), 0)), up, down)}), warps({1, 1}),
         {deadlock, deadlock, both});
  // Two lanes of one warp: whole sections on each side never meet under `stack`.
  expect(make({0, 0}, {if_else(when(equal(lane(), 0)), up, down)}), warps({2}),
         {none, deadlock, both});
  // The locks selected first, then one code path. Lockstep makes each lane get its first lock, so
  // even the start is dead under `stack`; from there independent lanes could still complete.
  const auto take = [](expression which) {
    return while_loop(
        after(exchange(0, device, std::move(which), constant(1)), differs(local(0), 0)), {});
  };
  const auto first = lane();
  const auto second = subtract(constant(1), lane());
  expect(make({0, 0}, {take(first), take(second), run(store(device, second, constant(0))),
                       run(store(device, first, constant(0)))}),
         warps({2}), {static_cast<verdict_set>(simt_deadlock | deadlock), deadlock, both});
}

TEST_CASE("lost updates") {
  expect(make({0}, {bump(cell(0))}, {{0, 2}}), warps({1, 1}),
         {static_cast<verdict_set>(assertion | race), static_cast<verdict_set>(assertion | race),
          static_cast<verdict_set>(assertion | race)});
  const sequence strong{run(load(0, device, cell(0))),
                        run(store(device, cell(0), add(local(0), constant(1))))};
  expect(make({0}, strong, {{0, 2}}), warps({1, 1}), {assertion, assertion, assertion});
  expect(make({0}, strong, {{0, 2}}), warps({2}), {assertion, assertion, assertion});
}

TEST_CASE("syncthreads in both arms of a branch, or after it, or after early returns") {
  const statement barrier = run(simple(operation_kind::syncthreads));
  expect(make({0}, {if_else(when(equal(lane(), 0)), {barrier}, {barrier})}), warps({2, 2}),
         {divergence, divergence, divergence});
  expect(make({0, 0}, {if_else(when(equal(lane(), 0)), {run(store(device, cell(0), constant(1)))}),
                       barrier}),
         warps({2, 2}), {none, none, none});
  // Lanes that return early wait at the end of the body under `stack`: they are parked.
  expect(make({0}, {if_else(when(equal(lane(), 0)), {return_body()}), barrier}), warps({2, 2}),
         {divergence, none, none});
}

TEST_CASE("a consumer block waits for a producer block") {
  const program p =
      make({0}, {if_else(when(equal(block(), 0)), {run(store(device, cell(0), constant(1)))},
                         {spin_until(cell(0), 1)})});
  configuration c = warps({1});
  c.blocks = 2;
  c.resident = 1;
  expect(p, c, {deadlock, deadlock, deadlock});
  c.blocks_in_order = true;
  expect(p, c, {none, none, none});
  c.resident = 2;
  expect(p, c, {none, none, livelock});
  c.resident = 0;
  expect(p, c, {none, none, livelock});
}

TEST_CASE("collectives") {
  using o = operation_kind;
  const auto full = [](o kind, int target) {
    return run(collective(kind, target, constant(-1), equal(lane(), 0)));
  };
  // A ballot in the arm of a branch with the full mask: who is parked, or elsewhere, is missing.
  expect(make({0}, {if_else(when(equal(lane(), 0)), {full(o::ballot, 0)}, {full(o::any, 0)})}),
         warps({2}), {divergence, divergence, divergence});
  expect(make({0}, {full(o::ballot, 0), check(equal(local(0), 1)), full(o::all, 1),
                    check(equal(local(1), 0)),
                    run(collective(o::shfl, 2, constant(3), lane(), subtract(constant(1), lane()))),
                    check(equal(add(local(2), lane()), 1))}),
         warps({2}), {none, none, none});
  // The source lane is not in the mask.
  expect(make({0}, {run(collective(o::shfl, 2, constant(7), lane(), constant(3)))}), warps({3}),
         {divergence, divergence, divergence});
  // Under `its` the lanes may come one by one.
  expect(make({0}, {run(collective(o::activemask, 0, constant(0))), check(equal(local(0), 3))}),
         warps({2}), {none, assertion, assertion});
  // syncwarp in a chain of flags (Grote's 3.6): no spinning.
  expect(make({0}, {if_else(when(equal(lane(), 0)), {run(collective(o::syncwarp, -1, constant(3)))},
                            {run(collective(o::syncwarp, -1, constant(3)))})}),
         warps({2}), {none, none, none});
  expect(make({0}, {run(collective(o::syncwarp, -1, constant(2)))}), warps({2}),
         {none, divergence, divergence});
}

TEST_CASE("numbered barriers") {
  using o = operation_kind;
  const sequence wait{run(barrier(o::barrier_sync, 1, 2)), run(load(0, strength::weak, cell(0))),
                      check(equal(local(0), 1))};
  const sequence give{run(store(strength::weak, cell(0), constant(1))),
                      run(barrier(o::barrier_arrive, 1, 2))};
  expect(make({0}, {if_else(when(equal(warp(), 0)), wait, give)}), warps({1, 1}),
         {none, none, none});
  // Too few at one barrier: a deadlock, not a divergence.
  expect(make({0}, {run(barrier(o::barrier_sync, 1, 3))}), warps({1, 1}),
         {deadlock, deadlock, deadlock});
  expect(make({0}, {if_else(when(equal(warp(), 0)), {run(barrier(o::barrier_sync, 1, 3))},
                            {run(barrier(o::barrier_arrive, 1, 2))})}),
         warps({1, 1}), {divergence, divergence, divergence});
}

TEST_CASE("bad accesses, scopes, block-shared memory") {
  expect(make({0}, {run(load(0, strength::weak, binary(k::shift_left, lane(), constant(20))))}),
         warps({2}), {bad_access, bad_access, bad_access});
  configuration two = warps({1});
  two.blocks = 2;
  const auto add_one = [](strength how) { return run(fetch_add(-1, how, cell(0), constant(1))); };
  expect(make({0}, {add_one(strength::block_scope)}, {{0, 2}}), two, {race, race, race});
  expect(make({0}, {add_one(strength::system_scope)}, {{0, 2}}), two, {none, none, none});
  program shared = make(
      {0}, {run(in_shared(fetch_add(0, device, cell(0), constant(1)))), check(equal(local(0), 0))});
  shared.shared_cells = 1;
  expect(shared, two, {none, none, none});
  expect(shared, warps({1, 1}), {assertion, assertion, assertion});
}

TEST_CASE("loops without an end: lockstep without any branch") {
  const program p =
      make({0}, {if_else(when(equal(lane(), 0)),
                         {forever({run(fetch_add(-1, device, cell(0), constant(0)))})})});
  expect(p, warps({3}), {deadlock, deadlock, deadlock});
}

TEST_CASE("lockstep and reconvergence under stack") {
  using o = operation_kind;
  const auto everyone = [](int mask) {
    return sequence{run(collective(o::activemask, 0, constant(0))), check(equal(local(0), mask))};
  };
  const auto under_stack = [](const program& p, const configuration& c) {
    configuration stack = c;
    stack.reconvergence = naive::reconvergence::stack;
    return explore(p, stack, 10'000).violations;
  };
  // All lanes load before any of them stores.
  const sequence together{run(load(0, device, cell(0))),
                          run(store(device, cell(0), add(local(0), constant(1))))};
  CHECK(under_stack(make({0}, together, {{0, 1}}), warps({3})) == none);

  // Either side of a branch may be first, but one is whole before the other.
  const auto sides = [](int seen) {
    return make({0, 0}, {if_else(when(equal(lane(), 0)),
                                 {run(store(device, cell(0), constant(1))),
                                  run(store(device, cell(0), constant(2)))},
                                 {run(load(0, device, cell(0))), check(differs(local(0), seen))})});
  };
  CHECK(under_stack(sides(0), warps({2})) == assertion);
  CHECK(under_stack(sides(1), warps({2})) == none);
  CHECK(under_stack(sides(2), warps({2})) == assertion);

  // All meet again behind a branch, a loop of different lengths, and a switch; not if some return
  // in between.
  sequence branch{if_else(when(equal(lane(), 0)), {run(simple(o::fence))})};
  sequence loop{while_loop(when(binary(k::less, local(1), lane())),
                           {run(simple(o::fence)), assign(1, add(local(1), constant(1)))})};
  sequence cases{
      switch_on(lane(), {{0, {run(simple(o::fence))}}, {1, {run(simple(o::nanosleep))}}}, {})};
  for (sequence body : {branch, loop, cases}) {
    for (const statement& s : everyone(7)) body.push_back(s);
    CHECK(under_stack(make({0}, body), warps({3})) == none);
  }
  sequence returns{if_else(when(equal(lane(), 0)), {return_body()})};
  for (const statement& s : everyone(6)) returns.push_back(s);
  CHECK(under_stack(make({0}, returns), warps({3})) == none);

  // Within a side, lanes part and meet again before the other side runs.
  sequence inner = branch;
  for (const statement& s : everyone(3)) inner.push_back(s);
  sequence nested{if_else(when(less(lane(), 2)), inner, {run(simple(o::fence))})};
  for (const statement& s : everyone(7)) nested.push_back(s);
  CHECK(under_stack(make({0}, nested), warps({3})) == none);
}

TEST_CASE("weak fairness does not help who fails again and again") {
  // One lane takes and frees the lock until it sees the flag; the other needs the lock to set it.
  const auto take = [] {
    return after(exchange(0, device, cell(0), constant(1)), equal(local(0), 0));
  };
  const sequence turns{do_while({if_else(take(), {unlock(0)})},
                                after(load(0, device, cell(1)), differs(local(0), 1)))};
  const sequence sets{spin_lock(0), run(store(device, cell(1), constant(1))), unlock(0)};
  const program p = make({0, 0}, {if_else(when(equal(rank(), 0)), turns, sets)});
  expect(p, warps({1, 1}), {livelock, livelock, livelock});
}
