// Divides memory into cells, and computes backwards what continuations may still access, as a
// fixpoint.
#include "sim/machine/reduce/footprint.hpp"

#include <algorithm>

#include "sim/automaton/components.hpp"

namespace simt {
namespace {

constexpr footprints::horizon horizons[] = {footprints::horizon::warp, footprints::horizon::block,
                                            footprints::horizon::end};

}  // namespace

footprints::cell_range footprints::cells_of(std::uint32_t offset, std::uint32_t size) const {
  const auto first = std::ranges::upper_bound(cells_, offset, {}, &cell::end);
  const auto last = std::ranges::lower_bound(first, cells_.end(), offset + size, {}, &cell::begin);
  return {static_cast<std::uint32_t>(first - cells_.begin()),
          static_cast<std::uint32_t>(last - cells_.begin())};
}

// Cuts memory where accesses begin and end.
void footprints::divide(const std::vector<own>& operations) {
  std::vector<cell> accessed;
  std::vector<std::uint32_t> cuts;
  for (const own& op : operations) {
    if (!op.accesses) continue;
    accessed.push_back({op.offset, op.offset + op.size});
    if (op.node != own::none) accessed.push_back({op.node, op.node + 1});
  }
  for (const cell& one : accessed) {
    cuts.push_back(one.begin);
    cuts.push_back(one.end);
  }
  std::ranges::sort(cuts);
  cuts.erase(std::ranges::unique(cuts).begin(), cuts.end());
  std::ranges::sort(accessed, {}, &cell::begin);
  cells_.clear();
  std::size_t next = 0;
  std::uint32_t covered = 0;  // the furthest end of an access that begins before the cut
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    for (; next < accessed.size() && accessed[next].begin <= cuts[i]; ++next) {
      covered = std::max(covered, accessed[next].end);
    }
    if (covered > cuts[i]) cells_.push_back({cuts[i], cuts[i + 1]});
  }
  words_ = words_for(cells_.size());
}

void footprints::add_own(continuation c, horizon until, const own& op) {
  if (!op.accesses) return;
  const use how = op.updates ? use::updated : op.writes ? use::written : use::read;
  add(sets_.data() + at(c, until, how), cells_of(op.offset, op.size));
  if (op.node == own::none) return;
  const use of_node = op.retires ? use::written : use::read;
  add(sets_.data() + at(c, until, of_node), cells_of(op.node, 1));
}

bool footprints::update(const lane_automaton& program, const std::vector<own>& operations) {
  const std::size_t count = operations.size();
  const knowledge before{std::move(cells_), std::move(sets_), std::move(races_),
                         std::move(flags_), known_,           false};
  const std::size_t words_before = words_;
  known_ = count;
  ++version_;
  divide(operations);
  races_.assign(words_, 0);
  sets_.assign(count * sets_of_one * words_, 0);
  flags_.assign(count, 0);
  struct edge {
    continuation from, to;
  };
  std::vector<edge> edges;
  for (continuation c = 0; c < count; ++c) {
    program.for_each_given(c, [&](std::uint64_t, continuation next) {
      if (next < count) edges.push_back({c, next});
    });
    const own& op = operations[c];
    if (!op.accesses) continue;
    const cell_range cells = cells_of(op.offset, op.size);
    if (op.may_race) add(races_.data(), cells);
    flags_[c] = op.updates ? is_updating : std::uint8_t{0};
    for (const horizon until : horizons) add_own(c, until, op);
  }
  const bool is_news = mark_cycles(program, before);
  if (in_lockstep_) {
    // What lanes at `e.to` do next may follow, with nothing in between. Branches lead on to what
    // follows them, however many there are in a row.
    for (const edge& e : edges) {
      if (!operations[e.to].takes_no_step) add_own(e.from, horizon::warp, operations[e.to]);
    }
    const auto add_behind_branch = [&](const edge& e) {
      if (!operations[e.to].takes_no_step) return false;
      bool more = false;
      for (const use how : uses) {
        std::uint64_t* const to = sets_.data() + at(e.from, horizon::warp, how);
        const std::uint64_t* const from_next = sets_.data() + at(e.to, horizon::warp, how);
        for (std::size_t w = 0; w < words_; ++w) {
          more = more || (from_next[w] & ~to[w]) != 0;
          to[w] |= from_next[w];
        }
      }
      return more;
    };
    for (bool more = true; more;) {
      more = false;
      for (const edge& e : edges) {
        if (operations[e.from].takes_no_step) more = add_behind_branch(e) || more;
      }
    }
    for (const edge& e : edges) {
      if (!operations[e.from].takes_no_step) add_behind_branch(e);
    }
  }
  std::vector<std::size_t> first(count + 1, 0);  // by continuation: where its predecessors begin
  for (const edge& e : edges) ++first[e.to + 1];
  for (std::size_t c = 0; c < count; ++c) first[c + 1] += first[c];
  std::vector<continuation> from(edges.size());
  std::vector<std::size_t> next_place(first.begin(), first.end() - 1);
  for (const edge& e : edges) from[next_place[e.to]++] = e.from;
  // Goes backwards until nothing is added. The last continuations come first: later steps were
  // mostly met later.
  std::vector<continuation> open(count);
  for (continuation c = 0; c < count; ++c) open[c] = c;
  std::vector<char> is_open(count, 1);
  while (!open.empty()) {
    const continuation next = open.back();
    open.pop_back();
    is_open[next] = 0;
    for (std::size_t i = first[next]; i < first[next + 1]; ++i) {
      const continuation c = from[i];
      bool more = false;
      for (const horizon until : horizons) {
        if (until == horizon::warp &&
            (in_lockstep_ || operations[c].ends_warp || operations[c].ends_block))
          continue;
        if (until == horizon::block && operations[c].ends_block) continue;
        for (const use how : uses) {
          std::uint64_t* const to = sets_.data() + at(c, until, how);
          const std::uint64_t* const from_next = sets_.data() + at(next, until, how);
          for (std::size_t w = 0; w < words_; ++w) {
            more = more || (from_next[w] & ~to[w]) != 0;
            to[w] |= from_next[w];
          }
        }
      }
      if (more && is_open[c] == 0) {
        is_open[c] = 1;
        open.push_back(c);
      }
    }
  }
  // Compares with the earlier footprints. There, unknown continuations counted as accessing
  // nothing, and so did memory that no known access covered. `cell_before`: the earlier cell that
  // contains each cell.
  std::vector<std::uint32_t> cell_before(cells_.size(), own::none);
  std::size_t old = 0;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    while (old < before.cells.size() && before.cells[old].end <= cells_[i].begin) ++old;
    if (old < before.cells.size() && before.cells[old].begin <= cells_[i].begin) {
      cell_before[i] = static_cast<std::uint32_t>(old);
    }
  }
  const bool are_same = cells_ == before.cells;
  const auto has_more = [&](const std::uint64_t* now, const std::uint64_t* earlier) {
    for (std::size_t w = 0; w < words_; ++w) {
      if (are_same && earlier != nullptr) {
        if ((now[w] & ~earlier[w]) != 0) return true;
        continue;
      }
      if (now[w] == 0) continue;
      for (auto i = static_cast<std::uint32_t>(w * 64); i < std::min(cells_.size(), w * 64 + 64);
           ++i) {
        if (!is_in(now, i)) continue;
        const std::uint32_t whole = cell_before[i];
        if (earlier == nullptr || whole == own::none || !is_in(earlier, whole)) return true;
      }
    }
    return false;
  };
  for (std::size_t set = 0; set < count * sets_of_one; ++set) {
    const bool was_known = set < before.continuations * sets_of_one;
    if (has_more(sets_.data() + set * words_,
                 was_known ? before.sets.data() + set * words_before : nullptr)) {
      return true;
    }
  }
  return is_news || has_more(races_.data(), before.races.empty() ? nullptr : before.races.data());
}

// Marks the continuations to which a lane may come back. Returns whether one of them was taken for
// one that comes once.
bool footprints::mark_cycles(const lane_automaton& program, const knowledge& before) {
  const std::vector<char> on_cycle = nodes_on_cycles(known_, [&](std::uint32_t c, auto f) {
    program.for_each_given(c, [&](std::uint64_t, continuation to) {
      if (to < known_) f(to);
    });
  });
  bool is_news = false;
  for (continuation c = 0; c < known_; ++c) {
    if (on_cycle[c] == 0) continue;
    flags_[c] |= is_on_cycle;
    is_news = is_news || c >= before.flags.size() || (before.flags[c] & is_on_cycle) == 0;
  }
  return is_news;
}

}  // namespace simt
