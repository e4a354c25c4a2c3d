// The memory of a machine under the PTX model: what a state's memory is interned as, what is known
// of the program, and the outcomes of operations in memory.
//
// Models: docs/memory-model.md, "Whole algorithms: the machine". Axioms: those that the steps of
// ptx_memory.cpp realize; each outcome of a step there is one outcome here. Does not model:
// accesses of different sizes that overlap.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <boost/container_hash/hash.hpp>
#include <boost/unordered/unordered_flat_map.hpp>

#include "sim/machine/memory/machine_memory.hpp"
#include "sim/machine/memory/shared_facts.hpp"
#include "sim/machine/places.hpp"
#include "sim/machine/weak/weak_operation.hpp"
#include "sim/memory/ptx_memory.hpp"

namespace simt {

/// A store that a lane would make if it ran alone.
struct lone_store {
  memory_access how;
  std::uint64_t old = 0, value = 0;
  bool overtaken = false;  // the lane may put the store before messages that are there
  // A read-modify-write that would acquire from a promise, so it cannot be carried out now.
  bool waits = false;
};

/// What is interned: the image, which has the last value of each location, followed by the weak
/// state.
class weak_memory final : public machine_memory {
 public:
  weak_memory(const grid_places& places, shared_facts& facts, interned_bytes& images,
              std::size_t image_size, bool promises, sc_fences fences);

  [[nodiscard]] const ptx_memory& rules() const { return rules_; }
  /// Whether stores are promised. Where no lane could read a promise, none is made.
  [[nodiscard]] bool makes_promises() const override {
    return promises_ && rules_.facts().may_buffer;
  }
  /// Whether, by all operations known, no store has to be promised in any state.
  [[nodiscard]] bool is_synchronized() const {
    return !seen_.unsynchronized && !rules_.facts().unsynchronized;
  }
  /// Whether a state is known in which a load may return what comes behind it.
  [[nodiscard]] bool may_buffer() const { return seen_.may_buffer || rules_.facts().may_buffer; }
  /// Learns that there is a state in which a load may return what comes behind it. Returns whether
  /// that is news: then all states so far are void.
  bool learn_buffering();

  /// Whether locations are known to form circles (memory_facts::has_circles).
  [[nodiscard]] bool has_circles() const override {
    return seen_.has_circles || rules_.facts().has_circles;
  }
  /// Learns that they may. Returns whether that is news: then all states so far are void.
  bool learn_circles();

  [[nodiscard]] weak_state read(std::span<const std::uint8_t> interned) const {
    return decode(interned.subspan(image_size_ + size_of_marks_), viewers_);
  }
  /// The state of the memory with this number. The reference is valid until the next call.
  [[nodiscard]] const weak_state& state_of(std::uint32_t memory) const {
    if (last_ != memory) last_state_ = read(images_[memory]);
    last_ = memory;
    return last_state_;
  }
  [[nodiscard]] promise_state promises(std::span<const std::uint8_t> interned) const {
    return promises_in(interned.subspan(image_size_ + size_of_marks_));
  }
  /// The bytes to intern: `state` in its canonical form, with the image of `before`.
  [[nodiscard]] std::span<const std::uint8_t> write(weak_state& state,
                                                    std::span<const std::uint8_t> before);

  /// The image and the marks of copies, with the marks that they have behind this access. They may
  /// lie in a buffer that the next call overwrites.
  [[nodiscard]] std::span<const std::uint8_t> with_marks(const memory_request& asked);

  // machine_memory.
  void begin(std::vector<std::uint8_t>& image) override;
  void begin_launch(std::vector<std::uint8_t>& image) override;
  [[nodiscard]] bool has_part_in(const operation& op) const override;
  void list(const memory_request& asked, std::vector<memory_outcome>& out) override {
    list(asked, nullptr, out);
  }
  /// Lists the outcomes for a lane that runs alone, and the stores that it could make in its next
  /// step.
  void list_alone(const memory_request& asked, std::vector<lone_store>& stores,
                  std::vector<memory_outcome>& out) {
    list(asked, &stores, out);
  }
  std::uint32_t meet(std::uint32_t memory, std::span<const std::uint32_t> lanes) override;
  std::uint32_t arrive(std::uint32_t memory, const barrier_arrival& how) override;
  std::uint32_t arrive_relaxed(std::uint32_t memory, const barrier_arrival& how,
                               std::uint32_t in_block) override;
  std::uint32_t tell_inits(std::uint32_t memory, const barrier_arrival& how,
                           const device_memory& places) override;
  std::uint32_t pass(std::uint32_t memory, std::uint32_t barrier,
                     std::span<const std::uint32_t> lanes) override;
  std::uint32_t after_event(std::uint32_t memory, std::uint32_t lane, const operation& op) override;
  std::uint32_t end(std::uint32_t memory, std::span<const std::uint32_t> lanes) override;

  std::span<const std::uint32_t> signatures(std::uint32_t memory) override;
  std::uint32_t change_places(std::uint32_t memory,
                              std::span<const std::uint32_t> lane_at) override;
  std::uint32_t rename(std::uint32_t memory, const memory_names& names) override;
  [[nodiscard]] std::vector<std::uint8_t> besides_image(
      std::uint32_t memory, const own_addresses& addresses) const override;

  [[nodiscard]] memory_reading reading(const memory_request& asked,
                                       std::uint32_t number) const override;
  [[nodiscard]] std::vector<stored_value> stored_at(std::uint32_t memory, std::uint32_t offset,
                                                    std::uint8_t size) const override;
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> readers_at(
      std::uint32_t memory, std::uint32_t offset,
      std::span<const std::uint32_t> lanes) const override;
  [[nodiscard]] std::optional<race_partner> race(const memory_request& asked,
                                                 std::uint32_t number) const override;

  bool learn_operation(const learnable_operation& from) override;
  [[nodiscard]] bool orders(const operation& op) const override;
  [[nodiscard]] bool is_narrow(const operation& op, const operation_traits& t) const override {
    // The fence in front of a seq_cst access concerns other locations, too.
    if (t.in_scope && !begins_with_fence(op)) return false;
    return simt::is_narrow(op, widest_);
  }
  [[nodiscard]] bool keeps_phases(const operation& op) const override {
    return simt::keeps_phases(op);
  }
  bool learn_use(std::uint32_t key, const location_use& one, bool as_contested) override;
  [[nodiscard]] bool knows_use(std::uint32_t key, const location_use& one) const override {
    return used_.contains({key, one});
  }
  bool learn_contested(std::uint32_t key) override;
  bool learn_unphased(const memory_request& asked) override;
  bool learn_unphased(std::uint32_t key) override;
  // Settled facts say nothing about wavering locations: only reductions rest on these.
  bool learn_wavering(std::uint32_t key) override;
  [[nodiscard]] bool is_shared(std::uint32_t key) const override {
    const memory_facts& facts = rules_.facts();
    return facts.all_contested || facts.shared.contains(key);
  }
  [[nodiscard]] std::size_t count_shared() const override { return rules_.facts().shared.size(); }
  [[nodiscard]] bool is_in_order(std::uint32_t key) const override { return !is_contested(key); }
  [[nodiscard]] bool is_settled() const override { return shared_.settled(); }
  [[nodiscard]] bool lacks_facts() const override { return lacks_facts_; }

  bool may_go_ahead(const memory_request& asked, bool has_stacks, bool may_waver) override;
  [[nodiscard]] bool arrives_in_phase(const memory_request& asked) const override;
  [[nodiscard]] bool tells_others(const operation& op, std::uint32_t before,
                                  std::uint32_t after) const override;
  [[nodiscard]] bool has_promises(std::uint32_t memory) const override {
    return promises(images_[memory]) != promise_state::none;
  }
  [[nodiscard]] std::size_t remembered() const override {
    return (signatures_.bucket_count() + changed_.bucket_count()) * (40 + 4 * viewers_);
  }

  // Facts of the program, for load buffering. What is learnt is news: all states so far are void.

  [[nodiscard]] bool is_wavering(std::uint32_t key) const {
    return rules_.facts().wavering.contains(key);
  }
  /// Learns an answer of a vote.
  bool learn_answer(const vote& call, std::uint64_t answer);
  /// Learns locations that turned out to be telling.
  bool learn_telling(const std::set<std::uint32_t>& locations);
  /// From here on, leaves out promises that rest on other promises. Settled facts stay as they are.
  /// Where an execution is followed nothing is left out: it may have been found before.
  void give_up_bursts();
  [[nodiscard]] bool gave_up_bursts() const {
    return !shared_.follows() && (seen_.gave_up_bursts || rules_.facts().gave_up_bursts);
  }
  /// The answers that the vote is known to give.
  std::set<std::uint64_t> answers_to(const vote& call);
  [[nodiscard]] bool is_contested(std::uint32_t key) const {
    const memory_facts& facts = rules_.facts();
    return facts.all_contested || facts.contested.contains(key);
  }
  /// Whether any location is contested.
  [[nodiscard]] bool has_contested() const {
    const memory_facts& facts = rules_.facts();
    return facts.all_contested || !facts.contested.empty();
  }
  [[nodiscard]] sync_scope scope_of_grid() const { return widest_; }

 private:
  const grid_places& places_;
  // The lanes. With asynchronous copies, further viewers of memory follow: for each block the copy
  // that is being handed over, and most_viewing_copies that are under way. The agents themselves
  // view nothing.
  std::uint32_t viewers_;
  std::size_t size_of_marks_;  // the marks of copies, behind the image
  sync_scope widest_;
  bool promises_;
  sc_fences fences_;
  shared_facts& shared_;
  ptx_memory rules_;
  memory_facts seen_;  // learnt by this machine
  bool lacks_facts_ = false;
  std::set<std::pair<std::uint32_t, location_use>> used_;
  std::set<std::pair<vote, std::uint64_t>> told_;  // learnt answers
  std::vector<std::uint8_t> bytes_, after_, marked_;
  // Cache of state_of().
  mutable std::optional<std::uint32_t> last_;
  mutable weak_state last_state_;
  boost::unordered_flat_map<std::uint32_t, std::vector<std::uint32_t>> signatures_;  // by memory
  // Cache of change_places(). Key: the lane at each place, and the memory.
  boost::unordered_flat_map<std::vector<std::uint32_t>, std::uint32_t,
                            boost::hash<std::vector<std::uint32_t>>>
      changed_;

  void list_tests(const memory_request& asked, const memory_access& how, const weak_state& before,
                  std::uint16_t x, std::vector<memory_outcome>& out);
  [[nodiscard]] static std::vector<std::size_t> read_by_test(const weak_state& s,
                                                             std::uint32_t lane, std::uint16_t x);
  [[nodiscard]] bool tests_phase(const memory_request& asked) const;
  [[nodiscard]] bool knows_phase(const memory_request& asked) const;
  void take_for_unphased(std::uint32_t key);
  void list(const memory_request& asked, std::vector<lone_store>* alone,
            std::vector<memory_outcome>& out);
  void list_access(const memory_request& asked, weak_state& before, std::vector<lone_store>* alone,
                   std::vector<memory_outcome>& out);
  [[nodiscard]] memory_outcome in_order(const memory_request& asked,
                                        std::span<const std::uint8_t> image);
  /// The viewer that makes the access: a lane, or a copy that a lane carries out.
  [[nodiscard]] std::uint32_t viewer_of(const memory_request& asked) const;
  [[nodiscard]] std::uint32_t first_copy_of(std::uint32_t block) const;
  /// The lane itself, or the agent that carries out the copy.
  [[nodiscard]] std::uint32_t lane_of(std::uint32_t viewer) const;
  [[nodiscard]] weak_state initial() const;
  [[nodiscard]] static std::uint32_t free_copy(const weak_state& s, const operation& op,
                                               std::uint32_t posted);
  [[nodiscard]] memory_outcome view_of_copy(const memory_request& asked);
  [[nodiscard]] std::optional<race_partner> race_of_viewers(const memory_request& asked,
                                                            std::uint32_t number) const;
  /// The bit that memory adds to the answer of a copy's access.
  [[nodiscard]] std::uint64_t mark_told(const memory_request& asked) const;
  /// The location's place in a state that is interned with this image.
  static std::uint16_t locate(weak_state& s, std::span<const std::uint8_t> image,
                              const operation_traits& at);
};

}  // namespace simt
