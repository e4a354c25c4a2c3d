// What lanes may still touch: for each continuation, the memory that it and all its known
// successors access.
//
// Memory is counted in cells: the largest pieces that no known access cuts. What other lanes of the
// same warp or block may do before a barrier that needs this lane, too, is kept apart from what
// they may do at all.
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

  /// A state that is a barrier divergence has been met: no step runs ahead to where one may be from
  /// here on. True if it is new.
  bool meet_divergence() { return !meets_divergence_.exchange(true); }
  [[nodiscard]] bool has_met_divergence() const {
    return meets_divergence_.load(std::memory_order_relaxed);
  }
  /// Forgets all continuations: their numbers have changed.
  void clear() {
    cells_.clear();
    sets_.clear();
    races_.clear();
    known_ = words_ = 0;
  }

  /// Bytes that all known accesses treat alike; `end` is the first byte behind them.
  struct cell {
    std::uint32_t begin = 0, end = 0;
    friend bool operator==(const cell&, const cell&) = default;
  };
  /// Cells `first` to before `last`, by their numbers.
  struct cell_range {
    std::uint32_t first = 0, last = 0;
  };

  /// All that is known, to go on with it in another process.
  struct knowledge {
    std::vector<cell> cells;
    std::vector<std::uint64_t> sets, races;
    std::size_t continuations = 0;
    bool meets_divergence = false;
  };
  [[nodiscard]] knowledge known() const {
    return {cells_, sets_, races_, known_, meets_divergence_};
  }
  /// False: it does not fit.
  bool adopt(knowledge all) {
    const std::size_t words = words_for(all.cells.size());
    if (all.sets.size() != all.continuations * 6 * words) return false;
    if (all.races.size() != words) return false;
    cells_ = std::move(all.cells);
    words_ = words;
    sets_ = std::move(all.sets);
    races_ = std::move(all.races);
    known_ = all.continuations;
    meets_divergence_ = all.meets_divergence;
    return true;
  }

  /// The cells of `size` bytes at `offset` that some known access covers.
  [[nodiscard]] cell_range cells_of(std::uint32_t offset, std::uint32_t size) const;
  /// Whether continuation `c` may write one of these cells, as far as is known.
  [[nodiscard]] bool writes(continuation c, cell_range cells, horizon until) const {
    return has(c, until, true, cells);
  }
  /// The same, or read one.
  [[nodiscard]] bool touches(continuation c, cell_range cells, horizon until) const {
    return has(c, until, true, cells) || has(c, until, false, cells);
  }

  /// Whether some access to one of these cells may be part of a race, as far as is known.
  [[nodiscard]] bool may_race(cell_range cells) const {
    for (std::uint32_t i = cells.first; i < cells.last; ++i) {
      if (is_in(races_.data(), i)) return true;
    }
    return false;
  }

  /// What one continuation does itself.
  struct own {
    static constexpr std::uint32_t none = 0xffffffff;
    std::uint32_t offset = 0, size = 0;  // of its access, in bytes
    std::uint32_t node = none;           // the byte that stands for the pool's node it needs in use
    bool retires = false;                // that node
    bool accesses = false, writes = false, may_race = false;
    bool ends_warp = false;   // a collective that needs all lanes of the warp
    bool ends_block = false;  // a syncthreads
  };
  /// Looks at all that is known now; whether that is more than before.
  bool update(const lane_automaton& program, const std::vector<own>& operations);

 private:
  std::vector<cell> cells_;                     // in order; they do not overlap
  std::size_t words_ = 0;                       // 64-bit words of a set of cells
  std::vector<std::uint64_t> sets_;             // by continuation, horizon, read or written
  std::vector<std::uint64_t> races_;            // a set of cells
  std::size_t known_ = 0;                       // continuations
  std::atomic<bool> meets_divergence_ = false;  // several machines may ask, and learn, at once

  static std::size_t words_for(std::size_t cells) { return (cells + 63) / 64; }
  static bool is_in(const std::uint64_t* set, std::uint32_t cell) {
    return (set[cell / 64] >> (cell % 64) & 1U) != 0;
  }
  static void add(std::uint64_t* set, cell_range cells) {
    for (std::uint32_t i = cells.first; i < cells.last; ++i) {
      set[i / 64] |= std::uint64_t{1} << (i % 64);
    }
  }
  [[nodiscard]] std::size_t at(continuation c, horizon until, bool written) const {
    return ((std::size_t{c} * 3 + static_cast<std::size_t>(until)) * 2 + (written ? 1 : 0)) *
           words_;
  }
  [[nodiscard]] bool has(continuation c, horizon until, bool written, cell_range cells) const {
    if (c >= known_) return false;
    const std::uint64_t* const set = sets_.data() + at(c, until, written);
    for (std::uint32_t i = cells.first; i < cells.last; ++i) {
      if (is_in(set, i)) return true;
    }
    return false;
  }
  void divide(const std::vector<own>& operations);
};

}  // namespace simt
