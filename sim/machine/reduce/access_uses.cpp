// Tells reads, writes and updates apart, and which accesses commute: docs/reductions.md, "Steps
// that commute".
#include "sim/machine/reduce/access_uses.hpp"

#include <algorithm>

#include "sim/machine/machine.hpp"
#include "sim/machine/reduce/unused_results.hpp"

namespace simt {
namespace {

// Whether the result of the access at `c` may be unused, and the access commutes with others of its
// kind.
bool may_be_update(machine& of, continuation c) {
  // With several launches, the values of the location are unknown. The host may leave other values,
  // and lanes reach the update once in each launch.
  if (of.has_launches()) return false;
  const operation& op = of.program().at(c);
  const operation_traits t = of.lanes().traits(c);
  if (op.kind != operation_kind::memory || t.what != operation_traits::kind::access) return false;
  // Accesses that are not strong for each other race, also where the model of memory reports that.
  if (!unused_results::commutes(op) || t.node != no_node || of.may_race(c) || t.suspicious)
    return false;
  return !of.lanes().orders_memory() && !of.model().is_narrow(op, t);
}

}  // namespace

access_uses::access_uses(machine& of, footprints& reaches)
    : machine_(of), reaches_(reaches), stand_ins_(*of.setup().memory) {}

access_uses::node_range access_uses::nodes_of_take(const operation& op) const {
  if (op.kind != operation_kind::memory || op.memory != detail::memory_kind::pool_take) return {};
  const device_memory& memory = *machine_.setup().memory;
  const pool_node first = memory.node_of_word(op.address, 0);
  const device_pool& pool = memory.pool_of(first);
  if (!pool.guarded) return {};
  return {first, std::min(pool.first + pool.capacity + 1 - first, detail::pool_word_nodes)};
}

bool access_uses::may_not_commute(continuation a, continuation b) {
  const operation_traits one = machine_.lanes().traits(a);
  const operation_traits other = machine_.lanes().traits(b);
  using kind = operation_traits::kind;
  if (one.what != kind::access || other.what != kind::access) return false;
  if (one.node != no_node && one.node == other.node &&
      (retires_node(machine_.program().at(a)) || retires_node(machine_.program().at(b))))
    return true;
  const node_range taken = nodes_of_take(machine_.program().at(a));
  if (other.node >= taken.first && other.node - taken.first < taken.count) return true;
  return one.offset < other.offset + other.size && other.offset < one.offset + one.size &&
         footprints::has(footprints::conflicting(of(a, one)), of(b, other));
}

bool access_uses::concerns_nodes(continuation c) {
  return machine_.lanes().traits(c).node != no_node ||
         nodes_of_take(machine_.program().at(c)).count != 0;
}

footprints::use access_uses::of(continuation c, const operation_traits& t) {
  if (!t.writes) return footprints::use::read;
  const bool updates = reaches_.is_update(c).value_or(may_be_update(machine_, c));
  return updates ? footprints::use::updated : footprints::use::written;
}

std::optional<others_reach::access> access_uses::access_at(continuation c) {
  const operation_traits t = machine_.lanes().traits(c);
  if (t.what != operation_traits::kind::access) return std::nullopt;
  return others_reach::access{t.offset, t.size, of(c, t)};
}

bool access_uses::may_come_to(continuation c, footprints::cell_range cells) const {
  return c != exited && std::ranges::any_of(footprints::uses, [&](footprints::use how) {
           return reaches_.may(c, how, cells, footprints::horizon::end);
         });
}

bool access_uses::leads_as_others(continuation c, const operation_traits& t, continuation next) {
  if (of(c, t) != footprints::use::updated) return true;
  const auto [known, is_new] = after_update_.try_emplace(c, next);
  if (known->second == next) return true;
  machine_.news().record();
  return false;
}

void describe_operations(machine& of, std::vector<footprints::own>& all, bool has_ended) {
  using kind = operation_traits::kind;
  // Sizes of all accesses have to be known first, since they decide which accesses may be in a
  // race.
  of.lanes().catch_up();
  const auto count = static_cast<continuation>(of.program().size());
  all.assign(count, {});
  const stand_in_bytes stand_ins(*of.setup().memory);
  const std::vector<char> reached = of.program().reached_from(of.program_starts());
  // A lane that calls both halves of a cluster's barrier at once does not wait for lanes that have
  // only called the first half.
  bool has_halves = false;
  for (continuation c = 0; c < count; ++c) {
    const operation& op = of.program().at(c);
    has_halves = has_halves ||
                 (reached[c] != 0 && op.kind == operation_kind::barrier && is_half(op.barrier));
  }
  for (continuation c = 0; c < count; ++c) {
    if (reached[c] == 0) continue;
    const operation_traits t = of.lanes().traits(c);
    footprints::own& own = all[c];
    own.takes_no_step = t.what == kind::branch || t.what == kind::local;
    if (t.what == kind::exited &&
        (!of.traits_of_memory().is_image || of.setup().grid.cluster > 1)) {
      own.accesses = true;
      own.offset = stand_ins.of_exit();
      own.size = 1;
      own.retires = of.setup().grid.cluster > 1;
      if (own.retires) own.node = stand_ins.of_ended_blocks();
    }
    if (t.what == kind::access) {
      own.accesses = true;
      own.updates = may_be_update(of, c);
      own.writes = t.writes && !own.updates;
      own.may_race = of.may_race(c);
      own.offset = t.offset;
      own.size = t.size;
      if (t.node != no_node) own.node = stand_ins.of_node(t.node);
      if (of.setup().grid.cluster > 1 && t.block != no_block)
        own.node = stand_ins.of_ended_blocks();
      own.retires = retires_node(of.program().at(c));
    }
    const operation& op = of.program().at(c);
    own.ends_block = op.kind == operation_kind::barrier && is_joint(op.barrier) &&
                     !(has_halves && op.barrier == barrier_part::cluster);
    // Where votes order nothing, stores behind one may be read before it.
    using detail::collective_kind;
    own.ends_warp =
        op.kind == operation_kind::collective && !of.has_stacks() &&
        op.collective != collective_kind::activemask &&
        (of.traits_of_memory().votes_order || op.collective == collective_kind::syncwarp) &&
        of.places().are_covered_by(op.mask);
  }
  unused_results(of).mark(all, has_ended);
}

}  // namespace simt
