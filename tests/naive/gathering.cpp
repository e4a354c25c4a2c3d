// Programs whose lanes gather: they change few cells by read-modify-writes, or arrive at an
// mbarrier. What they get decides nothing, or a little: a bit, whether they were early, whether
// they were the last one. Some write data before, and read that of others behind. Most programs
// have one fault or none.
#include <algorithm>
#include <string>

#include "tests/naive/build.hpp"
#include "tests/naive/fragments.hpp"

namespace naive {

using namespace build;
using kind_of = operation_kind;

namespace {

constexpr int count_cell = cell_count;      // where lanes count themselves
constexpr int other_cell = cell_count + 1;  // where they do something else
constexpr int told_cell = cell_count + 2;   // what the last one sets
constexpr int data_cell = cell_count + 3;   // one for each lane

class gathering {
 public:
  gathering(context& c, program& to)
      : r_(c.random), config_(c.config), program_(to), uses_shared_(c.uses_shared) {
    for (const int lanes : config_.lanes) block_lanes_ += lanes;
    lanes_ = config_.blocks * block_lanes_;
    has_fault_ = r_.percent(50);
  }

  void make() {
    program_.cells.assign(static_cast<std::size_t>(data_cell + 2 * lanes_), 0);
    rounds_ = r_.percent(25) ? 2 : 1;
    const bool by_mbarrier = config_.blocks == 1 && r_.percent(45);
    sequence one;
    if (r_.percent(20)) append(one, add_again());
    if (r_.percent(60)) one.push_back(run(store(strength::weak, own(), round_value())));
    if (r_.percent(25)) {
      append(one, change());
    } else {
      append(one, by_mbarrier ? arrive() : count());
    }
    if (r_.percent(60)) {
      const int next = 1 + r_.below(lanes_);
      one.push_back(run(load(0, strength::weak, data_of(next))));
      if (r_.percent(30)) one.push_back(check(differs(local(0), r_.below(2))));
    }
    if (r_.percent(40)) append(one, change());
    if (rounds_ > 1) {
      if (r_.percent(80)) one.push_back(run(simple(kind_of::syncthreads)));
      one.push_back(assign(2, add(local(2), constant(1))));
      program_.body = {while_loop(when(less(local(2), rounds_)), std::move(one))};
    } else {
      program_.body = std::move(one);
    }
    if (r_.percent(changes_ ? 60 : 20)) {
      program_.never_final.emplace_back(changes_ ? other_cell : count_cell,
                                        r_.below(lanes_ * rounds_ + 1));
    }
  }

 private:
  random_source& r_;
  const configuration& config_;
  program& program_;
  bool& uses_shared_;
  int lanes_ = 0, block_lanes_ = 0, rounds_ = 1;
  bool has_fault_ = false, changes_ = false;

  static void append(sequence& to, const sequence& more) {
    to.insert(to.end(), more.begin(), more.end());
  }
  bool fault(int percent) {
    if (!has_fault_ || !r_.percent(percent)) return false;
    has_fault_ = false;
    return true;
  }
  static expression own() { return add(constant(data_cell), rank()); }
  expression data_of(int next) const {
    return add(constant(data_cell), modulo(add(rank(), constant(next)), lanes_));
  }
  expression round_value() const { return rounds_ > 1 ? add(local(2), constant(1)) : constant(1); }
  strength how() { return r_.percent(92) ? strength::device_scope : strength::block_scope; }

  /// What a lane does with the answer in local 0.
  sequence decide(int most) {
    const sequence then{run(store(r_.percent(50) ? strength::weak : strength::device_scope,
                                  constant(other_cell), add(rank(), constant(1))))};
    switch (r_.weighted({5, 2, 2, 2, 1, 4})) {
      case 1: return {if_else(when(equal(modulo(local(0), 2), 0)), then)};
      case 2: return {if_else(when(less(local(0), 1 + r_.below(most))), then)};
      case 3: return {if_else(when(equal(local(0), r_.below(most + 1))), then)};
      case 4: return {check(differs(local(0), r_.below(most + 2)))};
      case 5:
        return {if_else(when(equal(rank(), r_.below(lanes_))),
                        {check(differs(local(0), r_.below(most)))})};
      default: return {};
    }
  }
  operation some_change() {
    const expression cell = constant(other_cell);
    switch (r_.weighted({3, 3, 2, 1})) {
      case 1: return exchange(0, how(), cell, r_.percent(50) ? constant(1) : rank());
      case 2: return compare_exchange(0, how(), cell, constant(r_.below(2)), constant(1));
      case 3: return fetch_add(0, how(), cell, add(rank(), constant(1)));
      default: return fetch_add(0, how(), cell, constant(r_.percent(70) ? 1 : 2));
    }
  }
  /// Some additions, one after the other, to a cell of the lane's own or to one of all lanes, whose
  /// results nobody uses.
  sequence add_again() {
    const int first = data_cell + lanes_;
    const expression cell = r_.percent(50) ? constant(first) : add(constant(first), rank());
    const int times = 2 + r_.below(2);
    sequence all;
    for (int i = 0; i < times; ++i) {
      all.push_back(run(fetch_add(-1, strength::device_scope, cell, constant(1))));
    }
    return all;
  }
  /// Changes of another cell: all lanes make the same, or some another one.
  sequence change() {
    changes_ = true;
    // The last one wins, and nobody asks who was the first.
    if (r_.percent(25)) {
      return {run(exchange(-1, how(), constant(other_cell), modulo(rank(), 1 + r_.below(lanes_))))};
    }
    sequence body{run(some_change())};
    if (r_.percent(40)) {
      body = {if_else(when(less(rank(), 1 + r_.below(lanes_))), body, {run(some_change())})};
    } else if (r_.percent(30)) {
      body = {if_else(when(less(rank(), 1 + r_.below(lanes_))), body)};
    }
    append(body, decide(lanes_));
    return body;
  }
  /// Lanes count themselves, and wait until all have come; or the last one tells the others.
  sequence count() {
    const strength scope = how();
    const int step = r_.percent(80) ? 1 : 2;
    const int all = lanes_ * step - (fault(20) ? 1 : 0);
    sequence body{run(fetch_add(0, scope, constant(count_cell), constant(step)))};
    const expression wanted =
        rounds_ > 1 ? add(local(1), constant(all)) : expression(constant(all));
    if (r_.percent(35)) {
      body.push_back(if_else(
          when(equal(local(0), all - step)), {run(store(scope, constant(told_cell), constant(1)))},
          {while_loop(after(load(0, scope, constant(told_cell)), equal(local(0), 0)), {})}));
      return body;
    }
    append(body, decide(all));
    if (fault(20)) return body;
    if (config_.lanes.size() == 1 && r_.percent(30)) {
      body.push_back(poll(scope, wanted));
    } else {
      body.push_back(while_loop(
          after(load(0, scope, constant(count_cell)), binary(k::less, local(0), wanted)), {}));
    }
    if (rounds_ > 1) body.push_back(assign(1, add(local(1), constant(all))));
    return body;
  }
  /// One lane of each block looks at the count, and tells the others behind a barrier.
  statement poll(strength scope, const expression& wanted) {
    uses_shared_ = true;
    const sequence look{run(load(0, scope, constant(count_cell))),
                        run(in_shared(store(strength::weak, constant(1), local(0))))};
    return do_while(
        {if_else(when(equal(lane(), 0)), look), run(simple(kind_of::syncthreads)),
         run(in_shared(load(0, strength::weak, constant(1)))), run(simple(kind_of::syncthreads))},
        when(binary(k::less, local(0), wanted)));
  }
  /// All lanes of the block arrive at an mbarrier, and most wait for its phase.
  sequence arrive() {
    program_.has_text = true;
    const int expected = block_lanes_ + (fault(15) ? (r_.percent(50) ? 1 : -1) : 0);
    program_.members = "  simt::mbarrier bar;\n  SIMT_FN void init() { simt::mbarrier_init(bar, " +
                       std::to_string(std::max(1, expected)) + "); }\n";
    const bool moves_bytes = r_.percent(25);
    const std::string wait =
        r_.percent(50) ? "while (!simt::mbarrier_test_wait(bar, token)) {}"
                       : "while (!simt::mbarrier_try_wait_parity(bar, unsigned(l2) & 1)) {}";
    sequence body;
    if (moves_bytes && !fault(30)) {
      // (Before any arrival that could end the phase: lane 0 has not arrived.)
      body.push_back(if_else(when(equal(rank(), 0)), {text("simt::mbarrier_expect_tx(bar, 8);")}));
      body.push_back(if_else(when(equal(rank(), r_.percent(60) ? 0 : lanes_ - 1)),
                             {text("simt::mbarrier_complete_tx(bar, 8);")}));
    }
    body.push_back(text(moves_bytes && r_.percent(30)
                            ? "{ auto token = simt::mbarrier_arrive_expect_tx(bar, 0);"
                            : "{ auto token = simt::mbarrier_arrive(bar);"));
    body.push_back(text("(void)token;"));
    if (fault(15)) body.push_back(text("simt::mbarrier_arrive(bar);"));
    if (r_.percent(85)) {
      const statement waits = text(wait);
      body.push_back(r_.percent(80) ? waits : if_else(when(less(rank(), lanes_ - 1)), {waits}));
    }
    body.push_back(text("}"));
    return body;
  }
};

}  // namespace

configuration grid_of_gathering(random_source& r) {
  configuration c;
  switch (r.weighted({3, 4, 4, 3, 3, 3, 2})) {
    case 0: c.lanes = {2}; break;
    case 1: c.lanes = {3}; break;
    case 2: c.lanes = {2, 1}; break;
    case 3: c.lanes = {4}; break;
    case 4: c.lanes = {2, 2}; break;
    case 5: c.blocks = 2, c.lanes = {2}; break;
    default: c.blocks = 3; break;
  }
  return c;
}

void gathering_body(context& c, program& to) { gathering(c, to).make(); }

}  // namespace naive
