// Programs whose lanes hand values around their warps: one lane draws places by an atomic, a
// shuffle tells the others, and each lane accesses cells that depend on what it was told. Or a vote
// decides which. Most programs have one fault or none.
#include <algorithm>

#include "tests/naive/build.hpp"
#include "tests/naive/fragments.hpp"

namespace naive {

using namespace build;
using kind_of = operation_kind;

namespace {

constexpr int drawn_cell = cell_count;  // places that are drawn so far
constexpr int first_place = cell_count + 1;

class dealing {
 public:
  dealing(context& c, program& to) : r_(c.random), config_(c.config), program_(to) {
    most_ = *std::ranges::max_element(config_.lanes);
    least_ = *std::ranges::min_element(config_.lanes);
    leader_ = r_.below(least_);
    has_fault_ = r_.percent(50);
  }

  void make() {
    const int warps = config_.blocks * static_cast<int>(config_.lanes.size());
    rounds_ = r_.percent(20) ? 2 : 1;
    program_.cells.assign(static_cast<std::size_t>(first_place + (warps * rounds_ + 1) * most_), 0);
    sequence body;
    if (r_.percent(30)) body.push_back(run(load(2, strength::device_scope, constant(flag_cell))));
    sequence deal = draw();
    append(deal, tell());
    append(deal, use());
    if (rounds_ > 1) {
      deal.push_back(assign(1, add(local(1), constant(1))));
      body.push_back(assign(1, constant(0)));
      body.push_back(while_loop(when(less(local(1), rounds_)), std::move(deal)));
    } else {
      append(body, deal);
    }
    if (r_.percent(30)) {
      body.push_back(run(simple(kind_of::syncthreads)));
      body.push_back(run(load(0, strength::weak, place(some_lane()))));
    }
    if (r_.percent(25)) {
      body.push_back(
          if_else(when(equal(rank(), 0)),
                  {run(store(strength::device_scope, constant(flag_cell), constant(1)))}));
    }
    program_.body = std::move(body);
    if (r_.percent(30)) {
      program_.never_final.emplace_back(r_.percent(50) ? drawn_cell : first_place + r_.below(most_),
                                        r_.below(2 * most_));
    }
  }

 private:
  random_source& r_;
  const configuration& config_;
  program& program_;
  int most_ = 1, least_ = 1, leader_ = 0, rounds_ = 1;
  bool has_fault_ = false;

  static void append(sequence& to, const sequence& more) {
    to.insert(to.end(), more.begin(), more.end());
  }
  bool fault(int percent) {
    if (!has_fault_ || !r_.percent(percent)) return false;
    has_fault_ = false;
    return true;
  }
  static expression place(expression lane) {
    return add(constant(first_place), add(local(0), std::move(lane)));
  }
  expression some_lane() {
    return r_.percent(50) ? lane() : modulo(add(lane(), constant(1)), most_);
  }
  expression all() { return r_.percent(70) ? constant(-1) : constant((1 << most_) - 1); }

  /// local 0: the first place, of the leader; of others nothing yet.
  sequence draw() {
    const int taken = fault(25) ? most_ - 1 : most_;
    sequence body{assign(0, constant(0))};
    body.push_back(if_else(
        when(equal(lane(), leader_)),
        {run(fetch_add(0, strength::device_scope, constant(drawn_cell), constant(taken)))}));
    return body;
  }
  /// local 0: the first place, of all lanes of the warp.
  sequence tell() {
    const int from = fault(30) ? (leader_ + 1) % least_ : leader_;
    switch (r_.weighted({6, least_ == most_ ? 2 : 0, 2, least_ > 1 ? 1 : 0})) {
      case 1:  // (Others have 0.)
        return {run(collective(kind_of::reduce_add, 0, all(), local(0)))};
      case 2: {
        // Twice: on the way another lane has it.
        const int other = (leader_ + 1) % least_;
        return {run(collective(kind_of::shfl, 0, all(), local(0), constant(from))),
                run(collective(kind_of::syncwarp, -1, all())),
                run(collective(kind_of::shfl, 0, all(), local(0), constant(other)))};
      }
      case 3: {  // by the lanes that all warps have, and each other lane alone
        const expression mask = constant((1 << least_) - 1);
        return {if_else(when(less(lane(), least_)),
                        {run(collective(kind_of::shfl, 0, mask, local(0), constant(from)))})};
      }
      default: return {run(collective(kind_of::shfl, 0, all(), local(0), constant(from)))};
    }
  }
  sequence use() {
    sequence body;
    const operation mine = store(r_.percent(80) ? strength::weak : strength::device_scope,
                                 place(lane()), add(rank(), constant(1)));
    switch (r_.weighted({4, 3, 2})) {
      case 1: {  // who stores is a matter of a vote, of the flag
        const kind_of vote = r_.percent(50) ? kind_of::any : kind_of::all;
        const expression wants = r_.percent(50) ? equal(local(2), 0) : less(lane(), leader_ + 1);
        body.push_back(run(collective(vote, 2, all(), wants)));
        body.push_back(if_else(when(differs(local(2), 0)), {run(mine)}));
        break;
      }
      case 2: {  // lanes swap what they store
        const expression other = modulo(add(lane(), constant(1)), least_);
        body.push_back(run(collective(kind_of::shfl, 2, all(), rank(), other)));
        body.push_back(run(store(strength::weak, place(lane()), local(2))));
        break;
      }
      default: body.push_back(run(mine)); break;
    }
    if (r_.percent(35)) {
      if (!fault(40)) body.push_back(run(collective(kind_of::syncwarp, -1, all())));
      body.push_back(run(load(2, strength::weak, place(modulo(add(lane(), constant(1)), least_)))));
      if (rounds_ > 1 || r_.percent(20))
        body.push_back(run(collective(kind_of::syncwarp, -1, all())));
    }
    return body;
  }
};

}  // namespace

configuration grid_of_dealing(random_source& r) {
  configuration c;
  switch (r.weighted({4, 4, 3, 3, 2, 2})) {
    case 0: c.lanes = {2, 2}; break;
    case 1: c.blocks = 2, c.lanes = {2}; break;
    case 2: c.lanes = {3}; break;
    case 3: c.lanes = {1, 2}; break;
    case 4: c.lanes = {3, 2}; break;
    default: c.blocks = 3, c.lanes = {2}; break;
  }
  if (c.blocks > 1 && r.percent(15)) c.resident = 1;
  return c;
}

void dealing_body(context& c, program& to) { dealing(c, to).make(); }

}  // namespace naive
