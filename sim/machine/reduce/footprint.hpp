// What lanes may still touch: for each continuation, the memory that it and all its known
// successors access.
//
// Memory is counted in cells of 8 bytes. What other lanes of the same warp or block may do before a
// barrier that needs this lane, too, is kept apart from what they may do at all.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/machine/lane_automaton.hpp"

namespace simt {

class footprints {
 public:
  /// How far ahead: up to a collective of the whole warp, up to a syncthreads, or to the end.
  enum class horizon : std::uint8_t { warp, block, end };

  explicit footprints(std::uint32_t cells) : words_((cells + 63) / 64) {}

  /// Steps must not be taken early after all: for good; true if it is new.
  bool forbid() { return !forbidden_.exchange(true); }
  [[nodiscard]] bool forbidden() const { return forbidden_.load(std::memory_order_relaxed); }
  /// Lanes that wait at collectives, or at barriers, may diverge from each other: likewise for
  /// good.
  bool collectives_clash() { return !collectives_clash_.exchange(true); }
  bool barriers_clash() { return !barriers_clash_.exchange(true); }
  [[nodiscard]] bool may_collectives_clash() const {
    return collectives_clash_.load(std::memory_order_relaxed);
  }
  [[nodiscard]] bool may_barriers_clash() const {
    return barriers_clash_.load(std::memory_order_relaxed);
  }
  /// Forgets all continuations: their numbers have changed.
  void clear() {
    sets_.clear();
    races_.clear();
    known_ = 0;
  }

  /// All that is known, to go on with it in another process.
  struct knowledge {
    std::vector<std::uint64_t> sets, races;
    std::size_t continuations = 0;
    bool forbidden = false, collectives_clash = false, barriers_clash = false;
  };
  [[nodiscard]] knowledge known() const {
    return {sets_, races_, known_, forbidden_, collectives_clash_, barriers_clash_};
  }
  /// False: it does not fit.
  bool adopt(knowledge all) {
    if (all.sets.size() != all.continuations * 6 * words_) return false;
    if (!all.races.empty() && all.races.size() != words_) return false;
    sets_ = std::move(all.sets);
    races_ = std::move(all.races);
    known_ = all.continuations;
    forbidden_ = all.forbidden;
    collectives_clash_ = all.collectives_clash;
    barriers_clash_ = all.barriers_clash;
    return true;
  }

  /// Whether continuation `c` may write `cell`, or read it, as far as is known.
  [[nodiscard]] bool writes(continuation c, std::uint32_t cell, horizon until) const {
    return has(c, until, true, cell);
  }
  [[nodiscard]] bool touches(continuation c, std::uint32_t cell, horizon until) const {
    return has(c, until, true, cell) || has(c, until, false, cell);
  }

  /// Whether some access to `cell` may be part of a race, as far as is known.
  [[nodiscard]] bool may_race(std::uint32_t cell) const {
    return !races_.empty() && (races_[cell / 64] >> (cell % 64) & 1U) != 0;
  }

  /// What one continuation does itself.
  struct own {
    static constexpr std::uint32_t no_cell = 0xffffffff;
    std::uint32_t first_cell = 0, last_cell = 0;
    std::uint32_t node_cell = no_cell;  // of the pool's node that it accesses, or retires
    bool retires = false;
    bool accesses = false, writes = false, may_race = false;
    bool ends_warp = false;   // a collective that needs all lanes of the warp
    bool ends_block = false;  // a syncthreads
  };
  /// Looks at all that is known now; whether that is more than before.
  bool update(const lane_automaton& program, const std::vector<own>& operations);

 private:
  std::size_t words_;                 // 64-bit words of a set of cells
  std::vector<std::uint64_t> sets_;   // by continuation, horizon, read or written
  std::vector<std::uint64_t> races_;  // cells
  std::size_t known_ = 0;             // continuations
  // Several machines may ask, and learn, at once.
  std::atomic<bool> forbidden_ = false;
  std::atomic<bool> collectives_clash_ = false;
  std::atomic<bool> barriers_clash_ = false;

  [[nodiscard]] std::size_t at(continuation c, horizon until, bool written) const {
    return ((std::size_t{c} * 3 + static_cast<std::size_t>(until)) * 2 + (written ? 1 : 0)) *
           words_;
  }
  [[nodiscard]] bool has(continuation c, horizon until, bool written, std::uint32_t cell) const {
    return c < known_ && (sets_[at(c, until, written) + cell / 64] >> (cell % 64) & 1U) != 0;
  }
};

}  // namespace simt
