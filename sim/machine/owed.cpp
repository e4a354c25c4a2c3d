// Decides which units are owed progress in a state, and what states must record for that.
//
// Models: fair, unfair, obe, hsa, hsa_obe, lobe and cuda as in docs/model.md ("Whom a scheduler
// owes progress"), for whole blocks: all lanes of a block are owed progress, or none. Does not
// model: preemption. A block that waits for a place is owed nothing.
#include "sim/machine/machine.hpp"

namespace simt {
namespace {

/// The block whose lanes carry out a step.
std::uint32_t block_of(const choice& c, const grid_places& places) {
  switch (c.what) {
    case choice::kind::lane: return places.lanes[c.unit].block;
    case choice::kind::group: return places.warps[c.unit].block;
    default: return c.unit;
  }
}

}  // namespace

void machine::list_owed(state_view state, std::vector<char>& owed) const {
  owed.assign(units(), 0);
  if (owes() == progress::unfair) return;
  const grid_status& status = this->status(state);
  const bool lowest_counts = owes() == progress::hsa || owes() == progress::hsa_obe;
  bool lowest_is_known = false;
  std::uint32_t lowest = 0;  // the lowest block with an unfinished unit
  for (std::uint32_t unit = 0; unit < owed.size(); ++unit) {
    if (is_finished(state, unit)) continue;
    const std::uint32_t block = block_of_unit(unit);
    if (!lowest_is_known) lowest = block;  // units come in the order of their blocks
    lowest_is_known = true;
    const bool chosen = owes() == progress::fair || (lowest_counts && block == lowest) ||
                        (remembers_steps_ && status.stepped[block] != 0);
    owed[unit] = chosen && status.started[block] != 0;
  }
}

// Records, after each step, that its block has taken a step.
void machine::remember_steps(successor_list& out) {
  if (out.is_choice) return;
  for (transition& t : out.transitions) {
    if (t.ends != ending::none || t.by.what == choice::kind::launch) continue;
    const std::uint32_t before = out.state(t, words_)[status_word()];
    std::uint32_t after = status_with_step(before, block_of(t.by, places_));
    for (std::uint32_t b = 1; t.by.what == choice::kind::block && b < t.by.mask; ++b) {
      after = status_with_step(after, t.by.unit + b);
    }
    if (after == before) continue;
    const auto words = t.stays ? out.part(t, words_) : out.state(t, words_);
    words[status_word()] = after;
  }
}

// lobe owes progress to all blocks up to the highest block that ever took a step. cuda owes
// progress to all blocks of a cluster, or of a cooperative grid, once one of them has taken a step.
std::uint32_t machine::status_with_step(std::uint32_t status, std::uint32_t block) {
  if (stores_.statuses[status].stepped[block] != 0) return status;
  const auto [known, is_new] = stepped_cache_.try_emplace(std::uint64_t{status} << 32 | block, 0);
  if (!is_new) return known->second;
  grid_status next = stores_.statuses[status];
  std::uint32_t first = block, end = block + 1;
  if (owes() == progress::lobe) first = 0;
  if (owes() == progress::cuda) {
    const grid_shape& grid = setup_.grid;
    first = grid.cooperative ? 0 : block / grid.cluster * grid.cluster;
    end = grid.cooperative ? grid.blocks : first + grid.cluster;
  }
  for (std::uint32_t b = first; b < end; ++b) next.stepped[b] = 1;
  return known->second = stores_.statuses.intern(next);
}

}  // namespace simt
