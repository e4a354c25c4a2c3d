// Footprints: for each continuation, the memory that its lane may still access, in that step or any
// known later one.
//
// Memory is divided into cells: the largest pieces that no known access cuts. Each continuation has
// separate sets for three horizons: up to a collective of the warp, up to a barrier of the block,
// and up to the end. The near horizons matter because another lane may wait at such a barrier for
// this lane. In lockstep a lane waits for others at each operation, so there the nearest horizon is
// the next step behind this one.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sim/automaton/lane_automaton.hpp"

namespace simt {

class footprints {
 public:
  /// `in_lockstep`: lanes of a warp wait for each other at each operation (`stack`).
  explicit footprints(bool in_lockstep = false) : in_lockstep_(in_lockstep) {}

  /// How far ahead: up to a collective of the whole warp (in lockstep: this step and the next
  /// one), up to a syncthreads, or to the end.
  enum class horizon : std::uint8_t { warp, block, end };

  /// How a cell is used: read, written, or changed by an update, whose result is unused
  /// (unused_results.hpp). All updates of one cell are of one kind, and commute.
  enum class use : std::uint8_t { read, written, updated };
  static constexpr std::array uses{use::read, use::written, use::updated};
  /// A set of uses, as bits.
  using use_set = std::uint8_t;
  static constexpr use_set bit_of(use how) {
    return static_cast<use_set>(1U << static_cast<unsigned>(how));
  }
  static constexpr bool has(use_set set, use how) { return (set & bit_of(how)) != 0; }
  /// The uses that do not commute with this use.
  static constexpr use_set conflicting(use how) {
    const use_set change = bit_of(use::written) | bit_of(use::updated);
    switch (how) {
      case use::read: return change;
      case use::written: return change | bit_of(use::read);
      case use::updated: return bit_of(use::read) | bit_of(use::written);
    }
    return 0;
  }

  /// Call where a state with a barrier divergence was met, or where steps ran ahead in a circle
  /// from one choice of a warp's side to the next. From here on, no step runs ahead to a place
  /// where a divergence or such a choice may be. Returns whether this is new.
  bool meet_divergence() { return !meets_divergence_.exchange(true); }
  [[nodiscard]] bool has_met_divergence() const {
    return meets_divergence_.load(std::memory_order_relaxed);
  }
  /// Forgets all continuations, because their numbers have changed.
  void clear() {
    cells_.clear();
    sets_.clear();
    races_.clear();
    flags_.clear();
    known_ = words_ = 0;
    ++version_;
  }
  /// Changes whenever any answer of this class may change.
  [[nodiscard]] std::uint64_t version() const { return version_; }

  /// Bytes that all known accesses treat alike; `end` is the first byte behind them.
  struct cell {
    std::uint32_t begin = 0, end = 0;
    friend bool operator==(const cell&, const cell&) = default;
  };
  /// Cells `first` to before `last`, by their numbers.
  struct cell_range {
    std::uint32_t first = 0, last = 0;
  };

  /// All knowledge, for an exploration that goes on in another process.
  struct knowledge {
    std::vector<cell> cells;
    std::vector<std::uint64_t> sets, races;
    std::vector<std::uint8_t> flags;  // by continuation: is_updating, is_on_cycle
    std::size_t continuations = 0;
    bool meets_divergence = false;
  };
  [[nodiscard]] knowledge known() const {
    return {cells_, sets_, races_, flags_, known_, meets_divergence_};
  }
  /// Takes over all knowledge. False: `all` has the wrong sizes.
  bool adopt(knowledge all) {
    const std::size_t words = words_for(all.cells.size());
    if (all.sets.size() != all.continuations * sets_of_one * words) return false;
    if (all.races.size() != words || all.flags.size() != all.continuations) return false;
    cells_ = std::move(all.cells);
    words_ = words;
    sets_ = std::move(all.sets);
    races_ = std::move(all.races);
    flags_ = std::move(all.flags);
    known_ = all.continuations;
    meets_divergence_ = all.meets_divergence;
    ++version_;
    return true;
  }

  /// The cells of `size` bytes at `offset` that some known access covers.
  [[nodiscard]] cell_range cells_of(std::uint32_t offset, std::uint32_t size) const;
  /// The number of cells.
  [[nodiscard]] std::size_t cells() const { return cells_.size(); }
  /// Whether a lane at `c` may use one of these cells in this way, as far as is known.
  [[nodiscard]] bool may(continuation c, use how, cell_range cells, horizon until) const {
    if (c >= known_) return false;
    const std::uint64_t* const set = sets_.data() + at(c, until, how);
    for (std::uint32_t i = cells.first; i < cells.last; ++i) {
      if (is_in(set, i)) return true;
    }
    return false;
  }
  /// Whether a lane at `c` may use one of these cells in one of these ways, as far as is known.
  [[nodiscard]] bool may_any(continuation c, use_set how, cell_range cells, horizon until) const {
    return std::ranges::any_of(uses,
                               [&](use one) { return has(how, one) && may(c, one, cells, until); });
  }
  [[nodiscard]] bool writes(continuation c, cell_range cells, horizon until) const {
    return may(c, use::written, cells, until);
  }
  [[nodiscard]] bool reads(continuation c, cell_range cells, horizon until) const {
    return may(c, use::read, cells, until);
  }
  /// Whether it is known what a lane at `c` may use.
  [[nodiscard]] bool knows(continuation c) const { return c < known_; }
  /// Whether the access of `c` itself is an update. Nothing: it is not known yet.
  [[nodiscard]] std::optional<bool> is_update(continuation c) const {
    return c < known_ ? std::optional((flags_[c] & is_updating) != 0) : std::nullopt;
  }
  /// Whether a lane may come back to `c`, as far as is known.
  [[nodiscard]] bool comes_again(continuation c) const {
    return c < known_ && (flags_[c] & is_on_cycle) != 0;
  }
  /// All cells that a lane at `c` may use in this way: a bit for each cell, 64 to a word. Empty:
  /// nothing is known of `c`.
  [[nodiscard]] std::span<const std::uint64_t> set_of(continuation c, horizon until,
                                                      use how) const {
    if (c >= known_) return {};
    return {sets_.data() + at(c, until, how), words_};
  }

  /// Whether some access to one of these cells may be part of a race, as far as is known.
  [[nodiscard]] bool may_race(cell_range cells) const {
    for (std::uint32_t i = cells.first; i < cells.last; ++i) {
      if (is_in(races_.data(), i)) return true;
    }
    return false;
  }

  /// What the operation of one continuation itself does.
  struct own {
    static constexpr std::uint32_t none = 0xffffffff;
    std::uint32_t offset = 0, size = 0;  // of its access, in bytes
    std::uint32_t node = none;           // the byte for the pool node that the access needs in use
    bool retires = false;                // the operation retires that node
    bool accesses = false, writes = false, may_race = false;
    bool updates = false;        // instead of reading and writing
    bool takes_no_step = false;  // a branch, or a question of a lane about itself
    bool ends_warp = false;      // the operation is a collective that needs all lanes of the warp
    bool ends_block = false;     // the operation is a syncthreads
  };
  /// Takes in all that is known now. Returns whether that is more than before.
  bool update(const lane_automaton& program, const std::vector<own>& operations);

 private:
  bool in_lockstep_;
  std::vector<cell> cells_;           // in order; they do not overlap
  std::size_t words_ = 0;             // 64-bit words of a set of cells
  std::vector<std::uint64_t> sets_;   // by continuation, horizon, use
  std::vector<std::uint64_t> races_;  // the cells that races may involve
  std::vector<std::uint8_t> flags_;   // by continuation
  std::size_t known_ = 0;             // continuations
  std::uint64_t version_ = 1;
  std::atomic<bool> meets_divergence_ = false;  // several machines may read and set it at once

  // Flags of a continuation: its access is an update; its lane may come back to it.
  static constexpr std::uint8_t is_updating = 1, is_on_cycle = 2;

  static constexpr std::size_t sets_of_one = 9;  // sets of cells of one continuation

  static std::size_t words_for(std::size_t cells) { return (cells + 63) / 64; }
  static bool is_in(const std::uint64_t* set, std::uint32_t cell) {
    return (set[cell / 64] >> (cell % 64) & 1U) != 0;
  }
  static void add(std::uint64_t* set, cell_range cells) {
    for (std::uint32_t i = cells.first; i < cells.last; ++i) {
      set[i / 64] |= std::uint64_t{1} << (i % 64);
    }
  }
  [[nodiscard]] std::size_t at(continuation c, horizon until, use how) const {
    const std::size_t set = static_cast<std::size_t>(until) * uses.size();
    return (std::size_t{c} * sets_of_one + set + static_cast<std::size_t>(how)) * words_;
  }
  void divide(const std::vector<own>& operations);
  bool mark_cycles(const lane_automaton& program, const knowledge& before);
  /// Adds the access of an operation itself to the sets of `c` up to this horizon.
  void add_own(continuation c, horizon until, const own& op);
};

}  // namespace simt
