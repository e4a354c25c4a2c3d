// Cuts a state into groups of lanes that a proof may treat alike, and into gates. Some lanes cannot
// pass a gate before others have come there: docs/reductions.md, "Dead states by abstract
// interpretation".
//
// Models: parking at reconvergence blocks (stack), blocks that wait for a place.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "sim/machine/machine.hpp"

namespace warpcheck {

/// How finely lanes are told apart.
enum class fineness : std::uint8_t {
  continuations,  // by what they are about to do; under `stack` the same as `warps`
  warps,          // and by what the other lanes of their warp are about to do
  lanes,          // each by itself
};

/// Lanes that run together from the state on, until they part: the active lanes of a warp, a
/// pending side, or the lanes parked in one frame. Under `its`, all lanes of a unit are one team.
struct lane_team {
  /// The gate that a lane of the team needs before it passes into `block`.
  struct entry {
    std::uint32_t block;
    std::uint32_t gate;
  };
  std::uint32_t unit = 0;
  std::uint32_t level = 0;  // number of frames below it
  std::vector<entry> entries;
  std::optional<std::uint32_t> starts_with;  // of a pending side: the gate in front of it
  bool parked = false;
};

/// Lanes of one team in one continuation. The team may stand for several warps that are alike.
struct lane_group {
  simt::continuation start = simt::exited;
  std::uint32_t unit = 0;
  std::uint32_t team = 0;
  std::uint32_t level = 0;
  std::vector<std::uint32_t> lanes;
};

/// Opens when each lane of some set has come to `block`, or has exited.
struct lane_gate {
  static constexpr std::uint32_t any_team = 0xffffffff;
  std::uint32_t unit = 0;
  std::uint32_t block = 0;
  std::uint32_t level = 0;        // the set: groups of the unit at this level or above,
  std::uint32_t team = any_team;  // or those of this team
};

/// One warp, or several warps that are alike. Under `its` with `continuations`, all lanes.
struct lane_unit {
  std::uint32_t first_group = 0;
  std::uint32_t groups = 0;
  std::vector<std::uint32_t> warps;
  bool resident = true;
  bool is_parted = false;  // whether the warp has frames, so that not all of its lanes are active
};

struct lane_groups {
  std::vector<lane_unit> units;
  std::vector<lane_team> teams;
  std::vector<lane_group> groups;
  std::vector<lane_gate> gates;

  /// Reads a state. False: the stacks are not as this analysis understands them.
  bool read(const simt::machine& machine, simt::state_view state, fineness how);

 private:
  struct standing {  // one lane
    std::uint32_t team;
    simt::continuation at;
    std::uint32_t lane;
  };
  std::vector<standing> standing_;
  std::vector<std::uint32_t> signature_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> unit_of_;

  void read_all(const simt::machine& machine, simt::state_view state);
  bool read_warp(const simt::machine& machine, simt::state_view state, std::uint32_t warp,
                 fineness how);
  void add_groups(std::uint32_t unit, std::uint32_t first_team, fineness how);
  bool add_teams(const simt::machine& machine, simt::state_view state, std::uint32_t warp,
                 std::uint32_t unit);
  std::uint32_t add_gate(const lane_gate& gate);
};

}  // namespace warpcheck
