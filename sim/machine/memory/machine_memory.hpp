// The memory of a machine: all that depends on the memory model, behind one interface.
//
// A memory is the number of an interned byte string. This begins with the image, which has the last
// value of each location, and ends with the model's own part. The machine has lanes, reconvergence,
// barriers and residence. It asks the memory what an access may do, and reports barriers and ended
// lanes to it.
//
// Implemented by sc_memory (memory = "sc") and weak_memory (memory = "ptx"). docs/architecture.md
// explains how to add one.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sim/automaton/intern.hpp"
#include "sim/lane/operation.hpp"
#include "sim/machine/memory/operation_traits.hpp"
#include "sim/machine/memory/shared_facts.hpp"
#include "sim/machine/places.hpp"
#include "sim/memory/ptx_memory.hpp"

namespace simt {

class machine;
class own_addresses;
struct successor_list;

/// Properties of a memory model that hold in every state.
struct memory_traits {
  /// A memory is its image and nothing else. An access acts on the image for all lanes at once. So
  /// it has one outcome, which the operation and the image determine.
  bool is_image = true;
  /// Memory holds what each lane knows, so lanes that wait at one operation may differ. Memory
  /// changes when lanes change names, and forgets lanes that have ended.
  bool names_lanes = false;
  /// An access may race with an earlier one: then its step ends the run (ending::race). Otherwise,
  /// two accesses race if lanes wait at both in one state (machine::conflict).
  bool ends_at_races = false;
  /// An access may read an old value. A run in which a lane reads old values for ever is not fair.
  bool has_stale_steps = false;
  /// Steps depend on facts of the program that are learnt while states are explored.
  bool learns_facts = false;
  /// A client that calls an operation of an object knows all stores before the return of any
  /// earlier operation.
  bool orders_events = false;
  /// A collective with an answer makes stores of its lanes known to each other. A syncwarp always
  /// does.
  bool votes_order = true;
  /// The time of one step of memory, in words of states.
  std::size_t work_of_step = 0;
};

/// An operation of one lane, as memory sees it.
struct memory_request {
  std::uint32_t lane = 0;
  operation op;
  operation_traits traits;
  std::uint32_t memory = 0;
  /// Of a syncwarp under `stack`: the lanes that take part.
  std::span<const std::uint32_t> together;
  /// Of a load: whether the lane, if it gets this answer, only asks the location again and again.
  /// Null: that is not known.
  const std::function<bool(std::uint64_t)>* repeats = nullptr;
};

/// One possible outcome of the operation.
struct memory_outcome {
  static constexpr std::uint32_t no_location = 0xffffffff;
  std::uint64_t answer = 0;   // the answer for the lane
  std::uint32_t memory = 0;   // memory after the step
  std::uint32_t number = 0;   // the number of this outcome, for choice::mask
  bool stays = false;         // only a part of the operation: the lane stays there
  bool races = false;         // the access is in a race, which ends the run
  bool is_own_phase = false;  // a test of an mbarrier finds the phase in which its lane has arrived
  bool is_stale = false;      // as transition::is_stale, for `location`
  std::uint32_t location = no_location;
};

/// An operation that lanes may reach.
struct learnable_operation {
  const operation& op;
  const operation_traits& traits;
  bool in_lockstep = false;   // lanes run in lockstep
  bool mixed_sizes = false;   // some accesses overlap without covering the same bytes
  bool joins_phases = false;  // messages of one phase of an mbarrier may be merged
};

/// An arrival of lanes of a warp at a named barrier.
struct barrier_arrival {
  std::span<const std::uint32_t> lanes;
  std::uint32_t barrier = 0;
  bool completes = false;                 // all lanes have arrived
  std::span<const std::uint32_t> behind;  // then: the lanes that go on
};

/// A mapping of lanes, locations and values to other names.
class memory_names {
 public:
  memory_names() = default;
  memory_names(const memory_names&) = delete;
  memory_names& operator=(const memory_names&) = delete;
  virtual ~memory_names() = default;
  /// By lane: its other name.
  [[nodiscard]] virtual std::span<const std::uint32_t> lanes() const = 0;
  [[nodiscard]] virtual std::uint32_t offset_of(std::uint32_t offset) const = 0;
  [[nodiscard]] virtual std::uint32_t offset_of(std::uint32_t offset, std::uint8_t size) const = 0;
  [[nodiscard]] virtual std::uint64_t value_of(std::uint32_t offset, std::uint8_t size,
                                               std::uint64_t value) const = 0;
  /// Renames an image. `to` starts as a copy of `from`.
  virtual void rename(std::span<const std::uint8_t> from, std::span<std::uint8_t> to) const = 0;
};

/// What an access reads in one outcome.
struct memory_reading {
  bool is_fence = false;  // only the fence before the access is carried out: it reads nothing yet
  std::uint64_t value = 0;
  std::uint32_t newer = 0;   // messages of the location behind the one read
  bool is_of_phase = false;  // all messages of the mbarrier's phase have the same answer
};

/// A stored value that some lane may still read. `chained`: stored by a read-modify-write that has
/// read the value before.
struct stored_value {
  std::uint64_t value = 0;
  bool chained = false;
  bool promised = false;
  std::uint16_t writer = 0;
  friend bool operator==(const stored_value&, const stored_value&) = default;
};

class machine_memory {
 public:
  machine_memory(const memory_traits& model, interned_bytes& images, std::size_t image_size)
      : images_(images), image_size_(image_size), traits_(model) {}
  machine_memory(const machine_memory&) = delete;
  machine_memory& operator=(const machine_memory&) = delete;
  virtual ~machine_memory() = default;

  [[nodiscard]] const memory_traits& traits() const { return traits_; }
  [[nodiscard]] interned_bytes::bytes image(std::uint32_t memory) const {
    return images_[memory].first(image_size_);
  }

  // Steps.

  /// Appends the model's own part to the image that init() leaves. From here on, facts learnt of
  /// the program count.
  virtual void begin(std::vector<std::uint8_t>& /*image*/) {}
  /// Appends the model's own part to the image that the host leaves before a further launch. All
  /// lanes know all earlier stores.
  virtual void begin_launch(std::vector<std::uint8_t>& /*image*/) {}
  /// Whether memory takes part in an operation of one lane. Then list() has its outcomes.
  [[nodiscard]] virtual bool has_part_in(const operation& op) const {
    return op.kind == operation_kind::memory;
  }
  /// Appends all outcomes of the operation.
  virtual void list(const memory_request& asked, std::vector<memory_outcome>& out) = 0;
  /// Joins the knowledge of `lanes`, which have passed a barrier or a syncwarp together.
  virtual std::uint32_t meet(std::uint32_t memory, std::span<const std::uint32_t> /*lanes*/) {
    return memory;
  }
  /// Records an arrival at a named barrier.
  virtual std::uint32_t arrive(std::uint32_t memory, const barrier_arrival& /*how*/) {
    return memory;
  }
  /// Records a relaxed arrival of lanes at the barrier of their cluster. Fences in front of it tell
  /// all lanes of the cluster through `how.barrier`, or only the lanes of their block through
  /// `in_block`, as their scopes say.
  virtual std::uint32_t arrive_relaxed(std::uint32_t memory, const barrier_arrival& /*how*/,
                                       std::uint32_t /*in_block*/) {
    return memory;
  }
  /// Records a relaxed arrival of lanes that tell of the mbarriers that they have initialized, and
  /// of nothing else.
  virtual std::uint32_t tell_inits(std::uint32_t memory, const barrier_arrival& /*how*/,
                                   const device_memory& /*places*/) {
    return memory;
  }
  /// `lanes` go on behind all arrivals at a barrier, which other lanes may still pass.
  virtual std::uint32_t pass(std::uint32_t memory, std::uint32_t /*barrier*/,
                             std::span<const std::uint32_t> /*lanes*/) {
    return memory;
  }
  /// `lane` has called an operation of an object, or has returned from one.
  virtual std::uint32_t after_event(std::uint32_t memory, std::uint32_t /*lane*/,
                                    const operation& /*op*/) {
    return memory;
  }
  /// Records that these lanes have ended. Some of them may have ended before.
  virtual std::uint32_t end(std::uint32_t memory, std::span<const std::uint32_t> /*lanes*/) {
    return memory;
  }

  // Names.

  /// By lane: a number that tells lanes apart by what memory holds of them, independent of names.
  /// If lanes change names, the numbers move with the lanes. Only for memory that names lanes.
  virtual std::span<const std::uint32_t> signatures(std::uint32_t /*memory*/) { return {}; }
  /// The memory with other lanes at the places. `lane_at`: by place, the lane that comes there.
  virtual std::uint32_t change_places(std::uint32_t memory,
                                      std::span<const std::uint32_t> /*lane_at*/) {
    return memory;
  }
  virtual std::uint32_t rename(std::uint32_t memory, const memory_names& names) = 0;
  /// The model's own part as bytes, which order memories in the same way in each process.
  [[nodiscard]] virtual std::vector<std::uint8_t> besides_image(
      std::uint32_t /*memory*/, const own_addresses& /*addresses*/) const {
    return {};
  }

  // Reports. `asked` is the operation at which the lane of a step waits, `number` the number of an
  // outcome.

  [[nodiscard]] virtual memory_reading reading(const memory_request& asked,
                                               std::uint32_t number) const = 0;
  /// All stored values at a location, in coherence order.
  [[nodiscard]] virtual std::vector<stored_value> stored_at(std::uint32_t memory,
                                                            std::uint32_t offset,
                                                            std::uint8_t size) const = 0;
  /// For each value of stored_at(): those of `lanes` whose loads may return it.
  [[nodiscard]] virtual std::vector<std::vector<std::uint32_t>> readers_at(
      std::uint32_t /*memory*/, std::uint32_t /*offset*/,
      std::span<const std::uint32_t> lanes) const {
    return {{lanes.begin(), lanes.end()}};
  }
  /// The earlier access that an access races with, if this outcome is a race.
  [[nodiscard]] virtual std::optional<race_partner> race(const memory_request& /*asked*/,
                                                         std::uint32_t /*number*/) const {
    return std::nullopt;
  }

  // Facts of the program. Each learning function returns whether all states so far are void.

  /// Learns from an operation. Throws lane_runaway if the model does not support it.
  virtual bool learn_operation(const learnable_operation& /*from*/) { return false; }
  /// Whether `op`, which is no barrier, orders memory: it makes stores of its lane known to other
  /// lanes, or the reverse.
  [[nodiscard]] virtual bool orders(const operation& /*op*/) const { return false; }
  /// Whether `op` is a strong access or a fence that is not for all lanes of the grid, unless all
  /// lanes that can make the access are in its scope.
  [[nodiscard]] virtual bool is_narrow(const operation& /*op*/,
                                       const operation_traits& /*traits*/) const {
    return false;
  }
  /// Whether `op` is an access of an mbarrier that tells its lane only the phase.
  [[nodiscard]] virtual bool keeps_phases(const operation& /*op*/) const { return false; }
  /// Learns from an access to a shared location. `as_contested`: no barrier keeps its accesses
  /// apart.
  virtual bool learn_use(std::uint32_t /*location*/, const location_use& /*one*/,
                         bool /*as_contested*/) {
    return false;
  }
  /// Whether this machine has learnt from such an access.
  [[nodiscard]] virtual bool knows_use(std::uint32_t /*location*/,
                                       const location_use& /*one*/) const {
    return true;
  }
  /// Learns that no barrier keeps the accesses of a shared location apart.
  virtual bool learn_contested(std::uint32_t /*location*/) { return false; }
  /// Learns that messages of one phase of an mbarrier must not be merged: a lane arrives in a phase
  /// of which it knows nothing, or an mbarrier is initialized again.
  virtual bool learn_unphased(const memory_request& /*asked*/) { return false; }
  /// Learns that messages must not be merged, because a lane goes on although it finds the phase in
  /// which it has arrived.
  virtual bool learn_unphased(std::uint32_t /*location*/) { return false; }
  /// Learns that an access of the location has several outcomes.
  virtual bool learn_wavering(std::uint32_t /*location*/) { return false; }
  /// Whether a location is shared: several lanes access it, and some lane stores to it.
  [[nodiscard]] virtual bool is_shared(std::uint32_t /*location*/) const { return true; }
  /// The number of known shared locations.
  [[nodiscard]] virtual std::size_t count_shared() const { return 0; }
  /// Whether accesses to the location act on the image alone, one after another.
  [[nodiscard]] virtual bool is_in_order(std::uint32_t /*location*/) const { return true; }
  /// Whether facts are settled. Settled facts are those with which an execution was found, and they
  /// do not change.
  [[nodiscard]] virtual bool is_settled() const { return true; }
  /// Whether facts are settled, and something new would have been learnt.
  [[nodiscard]] virtual bool lacks_facts() const { return false; }

  // Reductions.

  /// Whether the operation may be carried out at once, since memory makes its time irrelevant to
  /// other lanes. It may still have several outcomes. `may_waver`: it may access a location that
  /// has been seen to waver. Only asked where a memory is more than its image.
  virtual bool may_go_ahead(const memory_request& /*asked*/, bool /*has_stacks*/,
                            bool /*may_waver*/) {
    return false;
  }
  /// Whether the access is an arrival at an mbarrier that commutes with all that other lanes may
  /// do.
  [[nodiscard]] virtual bool arrives_in_phase(const memory_request& /*asked*/) const {
    return false;
  }
  /// Whether other lanes learn something from a fence that led from `before` to `after`.
  [[nodiscard]] virtual bool tells_others(const operation& /*op*/, std::uint32_t /*before*/,
                                          std::uint32_t /*after*/) const {
    return false;
  }

  // Promised stores: other lanes see them before their lane carries them out (load buffering).

  /// Whether stores may be promised in some state.
  [[nodiscard]] virtual bool makes_promises() const { return false; }
  /// Whether lanes may wait for each other in a circle, by what one reads and another one stores.
  [[nodiscard]] virtual bool has_circles() const { return false; }
  /// Whether some lane has promised a store and not carried it out.
  [[nodiscard]] virtual bool has_promises(std::uint32_t /*memory*/) const { return false; }

  /// The number of bytes of all caches.
  [[nodiscard]] virtual std::size_t remembered() const { return 0; }

 protected:
  interned_bytes& images_;
  std::size_t image_size_;

 private:
  memory_traits traits_;
};

struct machine_setup;
class early_stores;
/// Makes the memory for the setup's memory model.
std::unique_ptr<machine_memory> make_memory(const machine_setup& setup, const grid_places& places,
                                            interned_bytes& images);
/// Makes the early stores of this memory model. Null: it has none.
std::unique_ptr<early_stores> make_early_stores(machine& of, machine_memory& memory);

}  // namespace simt
