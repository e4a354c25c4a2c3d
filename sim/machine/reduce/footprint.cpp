#include "sim/machine/reduce/footprint.hpp"

#include <algorithm>

namespace simt {

bool footprints::update(const lane_automaton& program, const std::vector<own>& operations) {
  const std::size_t count = operations.size();
  const std::vector<std::uint64_t> before = std::move(sets_);
  const std::size_t before_count = known_;
  known_ = count;
  bool more_races = false;
  races_.resize(words_, 0);
  for (const own& op : operations) {
    if (!op.accesses || !op.may_race) continue;
    for (std::uint32_t cell = op.first_cell; cell <= op.last_cell; ++cell) {
      more_races = more_races || !may_race(cell);
      races_[cell / 64] |= std::uint64_t{1} << (cell % 64);
    }
  }
  sets_.assign(count * 6 * words_, 0);
  std::vector<std::vector<continuation>> from(count);  // predecessors
  for (continuation c = 0; c < count; ++c) {
    program.for_each_known(c, [&](std::uint64_t, continuation next) {
      if (next < count) from[next].push_back(c);
    });
    const own& op = operations[c];
    if (!op.accesses) continue;
    for (std::uint32_t cell = op.first_cell; cell <= op.last_cell; ++cell) {
      for (const horizon until : {horizon::warp, horizon::block, horizon::end}) {
        sets_[at(c, until, op.writes) + cell / 64] |= std::uint64_t{1} << (cell % 64);
      }
    }
    if (op.node_cell == own::no_cell) continue;
    for (const horizon until : {horizon::warp, horizon::block, horizon::end}) {
      sets_[at(c, until, op.retires) + op.node_cell / 64] |= std::uint64_t{1}
                                                             << (op.node_cell % 64);
    }
  }
  // Backwards until nothing is added.
  std::vector<continuation> open(count);
  for (continuation c = 0; c < count; ++c) open[c] = static_cast<continuation>(count - 1 - c);
  std::vector<char> is_open(count, 1);
  while (!open.empty()) {
    const continuation next = open.back();
    open.pop_back();
    is_open[next] = 0;
    for (const continuation c : from[next]) {
      bool more = false;
      for (const horizon until : {horizon::warp, horizon::block, horizon::end}) {
        if (until == horizon::warp && (operations[c].ends_warp || operations[c].ends_block))
          continue;
        if (until == horizon::block && operations[c].ends_block) continue;
        for (const bool written : {false, true}) {
          std::uint64_t* const to = &sets_[at(c, until, written)];
          const std::uint64_t* const add = &sets_[at(next, until, written)];
          for (std::size_t w = 0; w < words_; ++w) {
            more = more || (add[w] & ~to[w]) != 0;
            to[w] |= add[w];
          }
        }
      }
      if (more && is_open[c] == 0) {
        is_open[c] = 1;
        open.push_back(c);
      }
    }
  }
  // More than before: a continuation that was unknown counted as one that touches nothing.
  const std::size_t stride = 6 * words_;
  for (std::size_t i = 0; i < sets_.size(); ++i) {
    const std::uint64_t old = i < before_count * stride ? before[i] : 0;
    if ((sets_[i] & ~old) != 0) return true;
  }
  return more_races;
}

}  // namespace simt
