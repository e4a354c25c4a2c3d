// Tells which cells the other lanes of a state may still access, without a look at each lane.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "sim/machine/places.hpp"
#include "sim/machine/reduce/footprint.hpp"

namespace simt {

/// Counts, for each cell of the footprints, the lanes of a warp, of a block and of the grid that
/// may read, write or update it. The counts follow one state after another: only lanes that have
/// moved are counted again. Where the footprints do not know a lane's continuation yet, the access
/// at which the lane stands counts.
class others_reach {
 public:
  /// The access of one continuation itself, in bytes.
  struct access {
    std::uint32_t offset = 0, size = 0;
    footprints::use how = footprints::use::read;
  };
  /// `access_of`: is asked once about each continuation that the footprints do not know. Nothing:
  /// the continuation accesses nothing.
  others_reach(const grid_places& places, const footprints& reaches,
               std::function<std::optional<access>(continuation)> access_of)
      : places_(places), reaches_(reaches), access_of_(std::move(access_of)) {}

  /// Moves the counts to a state. `lanes`: the continuations of its lanes.
  void look_at(std::span<const continuation> lanes);

  /// Whether another lane of `lane`'s warp may use one of the cells in one of these ways, up to
  /// this horizon. `lane` must not have ended.
  [[nodiscard]] bool in_warp(std::uint32_t lane, footprints::cell_range cells,
                             footprints::use_set how, footprints::horizon until) const;
  /// Whether a lane of another warp may use one of the cells in one of these ways. The horizon
  /// (`block` or `end`) is for lanes of the same block; lanes of other blocks count up to the end.
  [[nodiscard]] bool beyond_warp(std::uint32_t lane, footprints::cell_range cells,
                                 footprints::use_set how, footprints::horizon until) const;
  /// The number of lanes that may ever use a cell in this way.
  [[nodiscard]] std::uint32_t ever(footprints::use how, std::uint32_t cell) const {
    return ever_[at(how, cell)];
  }

 private:
  using horizon = footprints::horizon;
  /// By use, then by cell: the number of lanes that may use the cell, up to a horizon.
  using tally = std::vector<std::uint32_t>;

  const grid_places& places_;
  const footprints& reaches_;
  std::function<std::optional<access>(continuation)> access_of_;
  std::uint64_t version_ = 0;  // the version of the counted footprints
  std::vector<continuation> at_;
  std::vector<tally> warp_near_;   // by warp, up to the horizon `warp`
  std::vector<tally> warp_far_;    // by warp, up to the horizon `block`
  std::vector<tally> block_far_;   // by block, up to the horizon `block`
  std::vector<tally> warp_ever_;   // by warp, up to the end
  std::vector<tally> block_ever_;  // by block, up to the end
  tally ever_;                     // up to the end, of the grid
  /// The counted accesses of continuations that the footprints do not know.
  boost::unordered_flat_map<continuation, std::optional<access>> unknown_;

  void begin_again();
  void move(std::uint32_t lane, continuation to);
  void count(tally& all, continuation from, continuation to, horizon until) const;
  void count_unknown(tally& all, continuation c, std::uint32_t times) const;
  void look_at_unknown(continuation c);
  /// The cells that the access of `c` itself covers, if the footprints do not know `c`.
  [[nodiscard]] footprints::cell_range cells_of_unknown(continuation c, footprints::use how) const;
  /// Whether a lane at `c` may use the cell in this way, as far as it is counted.
  [[nodiscard]] bool may(continuation c, footprints::use how, std::uint32_t cell,
                         horizon until) const;
  /// Whether more lanes of `all` than of `some` may use one of the cells in one of these ways.
  [[nodiscard]] bool has_more(const tally& all, const tally& some, footprints::cell_range cells,
                              footprints::use_set how) const;
  [[nodiscard]] std::size_t at(footprints::use how, std::uint32_t cell) const {
    return static_cast<std::size_t>(how) * reaches_.cells() + cell;
  }
};

}  // namespace simt
