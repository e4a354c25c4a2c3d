// The machine of docs/model.md, as an explicit transition system over ordinary structs.
//
// Models: `its` and `stack`, collectives, block barriers, dispatch of blocks, memory `sc`.
// Does not model: anything that generated programs do not contain (narrow types, struct copies).
#pragma once

#include <array>
#include <compare>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "tests/naive/graph.hpp"
#include "tests/naive/program.hpp"

namespace naive {

enum class lane_status : std::uint8_t {
  unstarted,
  waits,        // before a visible operation
  second_half,  // of a barrier_sync whose first half is done
  at_entry,     // of a basic block; only under `stack`: stopped, parked or pending
  exited,
};

struct lane_state {
  lane_status status = lane_status::unstarted;
  int block = 0;        // the basic block
  int index = 0;        // in its code
  int from = no_block;  // at_entry and active: the block just left
  int ahead = 0;        // operations since the last common stop, less those of the hindmost lane
  std::array<int, register_count> registers{};
  auto operator<=>(const lane_state&) const = default;
};

/// Some lanes of a warp, by index in the warp.
using lane_set = std::set<int>;

struct frame {
  int meeting = no_block;  // the reconvergence block; no_block: never
  lane_set arrived;
  std::map<int, lane_set> pending;  // by the block that they go to
  auto operator<=>(const frame&) const = default;
};

struct warp_state {
  lane_set active;            // only under `stack`
  std::vector<frame> frames;  // the last is the top
  auto operator<=>(const warp_state&) const = default;
};

enum class block_status : std::uint8_t { unstarted, resident, finished };

struct numbered_barrier {
  int count = 0;
  int warps = 0;  // that its count began with; 0 while the count is 0
  auto operator<=>(const numbered_barrier&) const = default;
};

struct block_state {
  block_status status = block_status::unstarted;
  std::vector<std::vector<lane_state>> lanes;  // of each warp
  std::vector<warp_state> warps;
  std::vector<int> shared;
  std::map<int, numbered_barrier> barriers;
  auto operator<=>(const block_state&) const = default;
};

enum class ending : std::uint8_t { none, assertion, bad_access, barrier_divergence };

struct state {
  ending ended = ending::none;
  std::vector<int> cells;
  std::vector<block_state> blocks;
  std::set<int> stepped;  // blocks that have taken a step; empty where no model asks
  int launch = 0;
  bool over = false;  // the host launches no more
  auto operator<=>(const state&) const = default;
};

/// A lane of the grid: block, warp, lane of the warp.
struct place {
  int block = 0;
  int warp = 0;
  int lane = 0;
  auto operator<=>(const place&) const = default;
};

/// A memory access that a step carries out.
struct access {
  place by;
  int shared_of = -1;  // the block whose shared memory it is; -1: the object
  int cell = 0;
  bool writes = false;
  strength how = strength::weak;
  bool byte = false;
};

struct transition {
  std::set<place> lanes;  // that take this step together
  std::optional<access> accessed;
  state next;
};

/// True if the two accesses conflict: different lanes, one cell, a write, not morally strong.
bool conflict(const access& a, const access& b);
/// The same, whatever the strength of the accesses.
bool touch(const access& a, const access& b);

class machine {
 public:
  machine(const program& p, const configuration& c);

  [[nodiscard]] std::vector<state> initial() const;
  [[nodiscard]] std::vector<transition> steps(const state& s) const;
  [[nodiscard]] bool complete(const state& s) const;
  [[nodiscard]] bool all_finished(const state& s) const;
  /// The states in which `its` goes on from a state of `stack`.
  [[nodiscard]] std::vector<state> without_stack(const state& s) const;
  /// The blocks whose units are owed progress.
  [[nodiscard]] std::set<int> owed_blocks(const state& s) const;
  [[nodiscard]] const configuration& config() const { return config_; }

 private:
  [[nodiscard]] bool its() const { return config_.reconvergence == reconvergence::its; }
  [[nodiscard]] const instruction& at(const lane_state& l) const;
  [[nodiscard]] const operation& operation_of(const lane_state& l) const { return at(l).op; }
  [[nodiscard]] int evaluate(const expression& e, place p, const lane_state& l) const;
  [[nodiscard]] lane_set mask_of(place p, const lane_state& l) const;

  // Moves that take no step.
  void run(state& s, place p) const;
  void begin_launch(state& s) const;
  void start_block(state& s, int block) const;
  void settle(state& s, std::vector<state>& out) const;
  bool resolve_warp(state& s, int block, int warp, std::vector<state>& choices) const;
  void part(state& s, int block, int warp) const;
  void activate(state& s, int block, int warp, const lane_set& lanes) const;
  void align(state& s, int block, int warp) const;
  [[nodiscard]] bool diverged(const state& s) const;
  [[nodiscard]] bool collectives_diverged(const state& s, int block, int warp) const;
  [[nodiscard]] bool barriers_diverged(const state& s, int block) const;

  // Steps.
  [[nodiscard]] bool enabled(const state& s, place p) const;
  [[nodiscard]] lane_set collective_group(const state& s, place p) const;
  [[nodiscard]] bool syncthreads_ready(const state& s, int block) const;
  [[nodiscard]] bool arrival_ready(const state& s, int block, int warp) const;
  void memory_step(const state& s, place p, std::vector<transition>& out) const;
  void collective_step(const state& s, place p, const lane_set& group,
                       std::vector<transition>& out) const;
  void activemask_steps(const state& s, place p, std::vector<transition>& out) const;
  void barrier_steps(const state& s, int block, std::vector<transition>& out) const;
  void host_step(const state& s, std::vector<transition>& out) const;
  void advance(state& s, place p) const;
  void finish(transition t, std::vector<transition>& out) const;

  const program& program_;
  configuration config_;
  flow_graph graph_;
};

}  // namespace naive
