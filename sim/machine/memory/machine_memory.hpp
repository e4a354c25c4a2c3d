// The memory of a machine: all that depends on the memory model, behind one interface.
//
// A memory is the number of an interned byte string: first the image, with the last value of each
// location, then the model's own part. The machine has lanes, reconvergence, barriers and
// residence. It asks the memory what an access may do, and tells it of barriers and of lanes that
// have ended.
//
// Realized by sc_memory (memory = "sc") and weak_memory (memory = "ptx"). docs/architecture.md has
// a page on how to add one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sim/lane/operation.hpp"
#include "sim/machine/intern.hpp"
#include "sim/machine/memory/operation_traits.hpp"
#include "sim/machine/memory/shared_facts.hpp"
#include "sim/machine/places.hpp"
#include "sim/memory/ptx_memory.hpp"

namespace simt {

class machine;
class own_addresses;
struct successor_list;

/// What holds of a memory model in every state.
struct memory_traits {
  /// A memory is its image and nothing else. An access acts on it for all lanes at once, so it has
  /// one outcome, which the operation and the image determine.
  bool is_image = true;
  /// Memory holds what each lane knows. Then lanes that wait at one operation may differ. Memory
  /// changes when lanes change names, and forgets lanes that have ended.
  bool names_lanes = false;
  /// An access may be in a race with an earlier one: its step then ends the run (ending::race).
  /// Otherwise two accesses are in a race if lanes wait at both in one state (machine::conflict).
  bool ends_at_races = false;
  /// An access may read an old value. A run in which a lane reads old values for ever is not fair.
  bool has_stale_steps = false;
  /// Steps depend on facts of the program that are learnt while states are explored.
  bool learns_facts = false;
  /// A client that calls an operation of an object knows all stores before the return of any
  /// earlier operation.
  bool orders_events = false;
  /// A collective with an answer makes stores of its lanes known to each other. (A syncwarp always
  /// does.)
  bool votes_order = true;
  /// The time of one step of memory, as a number of words of a state.
  std::size_t work_of_step = 0;
};

/// An operation of one lane, as memory sees it.
struct memory_request {
  std::uint32_t lane = 0;
  operation op;
  operation_traits traits;
  std::uint32_t memory = 0;
  /// Of a syncwarp under `stack`: the lanes that are at it together.
  std::span<const std::uint32_t> together;
};

/// One possible outcome of the operation.
struct memory_outcome {
  static constexpr std::uint32_t no_location = 0xffffffff;
  std::uint64_t answer = 0;   // what the lane gets
  std::uint32_t memory = 0;   // afterwards
  std::uint32_t number = 0;   // the number of this outcome: choice::mask
  bool stays = false;         // only a part: the lane is still at the operation
  bool races = false;         // the run ends with it
  bool is_own_phase = false;  // a test of an mbarrier finds the phase in which its lane has arrived
  bool is_stale = false;      // transition::is_stale, at
  std::uint32_t location = no_location;
};

/// An operation that lanes may come to, whether or not some lane does.
struct learnable_operation {
  const operation& op;
  const operation_traits& traits;
  bool in_lockstep = false;   // lanes go on together
  bool mixed_sizes = false;   // accesses overlap that do not cover the same bytes
  bool joins_phases = false;  // messages of one phase of an mbarrier may be taken for one
};

/// Lanes of a warp arrive at a named barrier.
struct barrier_arrival {
  std::span<const std::uint32_t> lanes;
  std::uint32_t barrier = 0;
  bool completes = false;                 // all have arrived
  std::span<const std::uint32_t> behind;  // then: who goes on
};

/// Other names for lanes, locations and what is stored there.
class memory_names {
 public:
  memory_names() = default;
  memory_names(const memory_names&) = delete;
  memory_names& operator=(const memory_names&) = delete;
  virtual ~memory_names() = default;
  /// By lane, its other name.
  [[nodiscard]] virtual std::span<const std::uint32_t> lanes() const = 0;
  [[nodiscard]] virtual std::uint32_t offset_of(std::uint32_t offset) const = 0;
  [[nodiscard]] virtual std::uint32_t offset_of(std::uint32_t offset, std::uint8_t size) const = 0;
  [[nodiscard]] virtual std::uint64_t value_of(std::uint32_t offset, std::uint8_t size,
                                               std::uint64_t value) const = 0;
  /// Renames an image; `to` holds the same to begin with.
  virtual void rename(std::span<const std::uint8_t> from, std::span<std::uint8_t> to) const = 0;
};

/// What an access reads in one outcome.
struct memory_reading {
  bool is_fence = false;  // only the fence before the access is carried out: it reads nothing yet
  std::uint64_t value = 0;
  std::uint32_t newer = 0;   // messages of the location behind the one that is read
  bool is_of_phase = false;  // what it tells, all messages of a phase of the mbarrier tell
};

/// A stored value that some lane may still read. `chained`: stored by a read-modify-write that has
/// read the value before it.
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
  /// Likewise for the image that the host leaves before a further launch. All lanes know all
  /// earlier stores.
  virtual void begin_launch(std::vector<std::uint8_t>& /*image*/) {}
  /// Whether memory takes part in an operation of one lane: then list() has its outcomes.
  [[nodiscard]] virtual bool has_part_in(const operation& op) const {
    return op.kind == operation_kind::memory;
  }
  /// Appends all outcomes of the operation.
  virtual void list(const memory_request& asked, std::vector<memory_outcome>& out) = 0;
  /// `lanes` have passed a barrier or a syncwarp together: their knowledge is joined.
  virtual std::uint32_t meet(std::uint32_t memory, std::span<const std::uint32_t> /*lanes*/) {
    return memory;
  }
  virtual std::uint32_t arrive(std::uint32_t memory, const barrier_arrival& /*how*/) {
    return memory;
  }
  /// `lanes` go on behind all who have arrived at a barrier, which others may still pass.
  virtual std::uint32_t pass(std::uint32_t memory, std::uint32_t /*barrier*/,
                             std::span<const std::uint32_t> /*lanes*/) {
    return memory;
  }
  /// `lane` has called an operation of an object, or has returned from one.
  virtual std::uint32_t after_event(std::uint32_t memory, std::uint32_t /*lane*/,
                                    const operation& /*op*/) {
    return memory;
  }
  /// These lanes have ended. Some of them may have ended before.
  virtual std::uint32_t end(std::uint32_t memory, std::span<const std::uint32_t> /*lanes*/) {
    return memory;
  }

  // Names.

  /// By lane, a number that tells lanes apart by what memory holds of them, independent of names:
  /// if lanes change names, the numbers move with the lanes. Only if memory names lanes.
  virtual std::span<const std::uint32_t> signatures(std::uint32_t /*memory*/) { return {}; }
  /// The memory with another lane at each place: `lane_at` has the lanes by place.
  virtual std::uint32_t change_places(std::uint32_t memory,
                                      std::span<const std::uint32_t> /*lane_at*/) {
    return memory;
  }
  virtual std::uint32_t rename(std::uint32_t memory, const memory_names& names) = 0;
  /// The model's own part, as bytes that order memories equally in each process.
  [[nodiscard]] virtual std::vector<std::uint8_t> besides_image(
      std::uint32_t /*memory*/, const own_addresses& /*addresses*/) const {
    return {};
  }

  // Reports. `asked` is the operation that the lane of a step waits at, `number` its outcome's.

  [[nodiscard]] virtual memory_reading reading(const memory_request& asked,
                                               std::uint32_t number) const = 0;
  /// All stored values at one location, in coherence order.
  [[nodiscard]] virtual std::vector<stored_value> stored_at(std::uint32_t memory,
                                                            std::uint32_t offset,
                                                            std::uint8_t size) const = 0;
  /// For each of these values, those of `lanes` to which a load may return it.
  [[nodiscard]] virtual std::vector<std::vector<std::uint32_t>> readers_at(
      std::uint32_t /*memory*/, std::uint32_t /*offset*/,
      std::span<const std::uint32_t> lanes) const {
    return {{lanes.begin(), lanes.end()}};
  }
  /// The earlier access with which an access races, if its outcome is a race.
  [[nodiscard]] virtual std::optional<race_partner> race(const memory_request& /*asked*/,
                                                         std::uint32_t /*number*/) const {
    return std::nullopt;
  }

  // Facts of the program. Learning one returns whether states so far are void.

  /// Throws lane_runaway if the model does not support the operation.
  virtual bool learn_operation(const learnable_operation& /*from*/) { return false; }
  /// Whether `op` orders memory: it makes stores of its lane known to other lanes, or the reverse.
  /// (Barriers aside.)
  [[nodiscard]] virtual bool orders(const operation& /*op*/) const { return false; }
  /// Whether `op` is a strong access or a fence that is not meant for all lanes of the grid.
  [[nodiscard]] virtual bool is_narrow(const operation& /*op*/) const { return false; }
  /// Whether `op` is one of the accesses of an mbarrier that tell lanes its phase alone.
  [[nodiscard]] virtual bool keeps_phases(const operation& /*op*/) const { return false; }
  /// Learns from an access. `as_contested`: no barrier keeps the accesses of a shared location
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
  /// Learns that messages of one phase of an mbarrier must not be joined: a lane arrives in a phase
  /// of which it knows nothing, or an mbarrier is initialized again.
  virtual bool learn_unphased(const memory_request& /*asked*/) { return false; }
  /// The same, because a lane goes on that finds the phase in which it has arrived.
  virtual bool learn_unphased(std::uint32_t /*location*/) { return false; }
  /// Learns that an access of the location has several outcomes.
  virtual bool learn_wavering(std::uint32_t /*location*/) { return false; }
  /// Shared locations: several lanes access them, and some lane stores to them. Whether this is
  /// one, and how many are known.
  [[nodiscard]] virtual bool is_shared(std::uint32_t /*location*/) const { return true; }
  [[nodiscard]] virtual std::size_t count_shared() const { return 0; }
  /// Whether accesses of the location act on the image alone, one after the other.
  [[nodiscard]] virtual bool is_in_order(std::uint32_t /*location*/) const { return true; }
  /// Whether facts are settled: they are those with which an execution was found, and do not
  /// change.
  [[nodiscard]] virtual bool is_settled() const { return true; }
  /// Whether facts are settled and something new would have been learnt.
  [[nodiscard]] virtual bool lacks_facts() const { return false; }

  // Reductions.

  /// Whether the operation may be carried out at once, as far as memory goes: nobody else minds
  /// when. It still may have several outcomes. `may_waver`: it may be an access of a location that
  /// has been seen to waver. Asked only where a memory is more than its image.
  virtual bool may_go_ahead(const memory_request& /*asked*/, bool /*has_stacks*/,
                            bool /*may_waver*/) {
    return false;
  }
  /// Whether the access is an arrival at an mbarrier that commutes with all that others may do.
  [[nodiscard]] virtual bool arrives_in_phase(const memory_request& /*asked*/) const {
    return false;
  }
  /// Whether others learn something by a fence that has been carried out so.
  [[nodiscard]] virtual bool tells_others(const operation& /*op*/, std::uint32_t /*before*/,
                                          std::uint32_t /*after*/) const {
    return false;
  }

  // Promised stores: other lanes see them before their lane carries them out (load buffering).

  /// Whether there may be such stores in some state.
  [[nodiscard]] virtual bool makes_promises() const { return false; }
  /// Whether some lane has promised a store and not carried it out.
  [[nodiscard]] virtual bool has_promises(std::uint32_t /*memory*/) const { return false; }

  /// Bytes of all that is remembered.
  [[nodiscard]] virtual std::size_t remembered() const { return 0; }

 protected:
  interned_bytes& images_;
  std::size_t image_size_;

 private:
  memory_traits traits_;
};

struct machine_setup;
class early_stores;
/// The memory of the setup's memory model.
std::unique_ptr<machine_memory> make_memory(const machine_setup& setup, const grid_places& places,
                                            interned_bytes& images);
/// The early stores of this memory model. Null: it has none.
std::unique_ptr<early_stores> make_early_stores(machine& of, machine_memory& memory);

}  // namespace simt
