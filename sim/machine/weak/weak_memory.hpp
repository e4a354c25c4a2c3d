// The memory of a machine whose memory is weak: what is interned as a state's memory, and what is
// known of the program.
//
// Axioms: none; what may happen, ptx_memory says.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "sim/machine/places.hpp"
#include "sim/memory/ptx_memory.hpp"

namespace simt {

class buffering_graph;

/// Facts that all machines of a run have learnt of its program. A machine takes them over when it
/// begins; what it learns later makes its states void (machine::has_news).
class shared_facts {
 public:
  /// What lanes may come to, for load_buffering; null: nobody has asked. And memory as lanes find
  /// it. Whoever has machine_stores::lanes_lock may change them.
  std::shared_ptr<const buffering_graph> buffering;
  std::vector<std::uint8_t> first_image;

  [[nodiscard]] memory_facts now() const {
    const std::lock_guard lock(changing_);
    return facts_;
  }
  /// Adds to them.
  void learn(const memory_facts& more) {
    const std::lock_guard lock(changing_);
    facts_.mixed.insert(more.mixed.begin(), more.mixed.end());
    facts_.ordinary.insert(more.ordinary.begin(), more.ordinary.end());
    facts_.shared.insert(more.shared.begin(), more.shared.end());
    facts_.contested.insert(more.contested.begin(), more.contested.end());
    facts_.all_contested = facts_.all_contested || more.all_contested;
    facts_.wavering.insert(more.wavering.begin(), more.wavering.end());
    facts_.narrow = facts_.narrow || more.narrow;
    facts_.unsynchronized = facts_.unsynchronized || more.unsynchronized;
    facts_.may_buffer = facts_.may_buffer || more.may_buffer;
    facts_.telling.insert(more.telling.begin(), more.telling.end());
    facts_.gave_up_bursts = facts_.gave_up_bursts || more.gave_up_bursts;
    for (const auto& [call, answers] : more.votes) {
      vote_answers& known = facts_.votes[call];
      known.values.insert(answers.values.begin(), answers.values.end());
      known.asked = known.asked || answers.asked;
    }
  }
  /// Who accesses a location, and how.
  struct location_use {
    static constexpr std::uint32_t several = 0xffffffff;
    std::uint32_t lane = several;
    bool stores = false;
    bool suspicious = false;  // an access is not strong for everybody
    bool ordinary = false;    // memory_facts::ordinary
    [[nodiscard]] bool is_shared() const { return lane == several && stores; }
    void join(const location_use& other) {
      if (other.lane != lane) lane = several;
      stores = stores || other.stores;
      suspicious = suspicious || other.suspicious;
      ordinary = ordinary || other.ordinary;
    }
    friend auto operator<=>(const location_use&, const location_use&) = default;
  };
  using location_uses = std::map<std::uint32_t, location_use>;  // by location
  [[nodiscard]] location_uses uses() const {
    const std::lock_guard lock(changing_);
    return uses_;
  }
  /// All uses of the location, after `one` more. (Settled facts stay.)
  location_use use(std::uint32_t key, const location_use& one) {
    const std::lock_guard lock(changing_);
    const auto at = uses_.find(key);
    location_use all = one;
    if (at != uses_.end()) all.join(at->second);
    if (!settled_) uses_[key] = all;
    return all;
  }
  /// What the vote has been seen to answer so far. From here on, another answer is news. Nothing:
  /// facts are settled, and it was never asked.
  std::optional<std::set<std::uint64_t>> answers_to(const vote& call) {
    const std::lock_guard lock(changing_);
    if (!settled_) facts_.votes[call].asked = true;
    const auto known = facts_.votes.find(call);
    if (known == facts_.votes.end() || !known->second.asked) return std::nullopt;
    return known->second.values;
  }
  /// It has answered this. Whether that is news. (Settled facts stay.)
  bool answered(const vote& call, std::uint64_t answer) {
    const std::lock_guard lock(changing_);
    const auto known = facts_.votes.find(call);
    const bool is_known = known != facts_.votes.end() && known->second.values.contains(answer);
    if (is_known) return false;
    if (settled_) return known != facts_.votes.end() && known->second.asked;
    vote_answers& all = facts_.votes[call];
    all.values.insert(answer);
    return all.asked;
  }
  /// Adds what holds if accesses can be renamed (a lane or `several`, and a location, each time):
  /// facts and uses are the same of all that `images_of` names for one.
  template <class F>
  void close(F images_of) {
    const std::lock_guard lock(changing_);
    if (settled_) return;
    for (const auto& [key, one] : location_uses(uses_)) {
      for (const auto& [lane, where] : images_of(one.lane, key)) {
        location_use same = one;
        same.lane = lane;
        const auto [at, is_new] = uses_.try_emplace(where, same);
        if (!is_new) at->second.join(same);
      }
    }
    for (auto* const all : {&facts_.mixed, &facts_.ordinary, &facts_.shared, &facts_.contested,
                            &facts_.wavering, &facts_.telling}) {
      for (const std::uint32_t key : std::set(*all)) {
        for (const auto& [lane, where] : images_of(location_use::several, key)) all->insert(where);
      }
    }
  }
  /// Lanes were told apart that had been taken for the same: who accesses what is to be learnt
  /// anew.
  void forget_uses() {
    const std::lock_guard lock(changing_);
    if (settled_) return;
    uses_.clear();
    facts_.mixed.clear();
    facts_.ordinary.clear();
    facts_.shared.clear();
    facts_.contested.clear();
    facts_.wavering.clear();
    facts_.telling.clear();
  }
  /// Settled facts are those that an execution was found with: choices mean the same only with
  /// these. Machines then learn nothing, whatever they come to. (No other thread is left.)
  void settle(bool settled) { settled_ = settled; }
  [[nodiscard]] bool settled() const { return settled_; }

 private:
  mutable std::mutex changing_;
  memory_facts facts_;
  location_uses uses_;
  bool settled_ = false;
};

/// What an operation tells of the program.
struct learnt_operation {
  bool narrow = false;          // memory_facts::narrow
  bool unsynchronized = false;  // memory_facts::unsynchronized
};

/// Interned are: the image (of each location the last value), and behind it the weak state.
class weak_memory {
 public:
  weak_memory(const grid_places& places, shared_facts& facts, std::size_t image_size,
              bool promises);

  [[nodiscard]] const ptx_memory& rules() const { return rules_; }
  /// Whether stores are promised: where nobody could read a promise, none is made.
  [[nodiscard]] bool makes_promises() const { return promises_ && rules_.facts().may_buffer; }
  /// Whether stores may have to be promised in some state, as far as operations tell.
  [[nodiscard]] bool is_synchronized() const {
    return !seen_.unsynchronized && !rules_.facts().unsynchronized;
  }
  /// The same as far as is known of states.
  [[nodiscard]] bool may_buffer() const { return seen_.may_buffer || rules_.facts().may_buffer; }
  /// There is a state in which a load may return what comes behind it. Whether that is news: states
  /// so far are void.
  bool learn_buffering();

  /// Appends the initial state to an image. From here on, what all machines have learnt counts.
  void begin(std::vector<std::uint8_t>& image);
  [[nodiscard]] weak_state read(std::span<const std::uint8_t> interned) const {
    return decode(interned.subspan(image_size_), lanes_);
  }
  /// Of each location the last value.
  [[nodiscard]] std::span<const std::uint8_t> image(std::span<const std::uint8_t> interned) const {
    return interned.first(image_size_);
  }
  [[nodiscard]] promise_state promises(std::span<const std::uint8_t> interned) const {
    return promises_in(interned.subspan(image_size_));
  }
  /// What is to be interned: `state` in its canonical form, with the image that had `before`.
  [[nodiscard]] std::span<const std::uint8_t> write(weak_state& state,
                                                    std::span<const std::uint8_t> before);

  /// Whether that is news: states so far are void.
  bool learn(const learnt_operation& one);
  /// Whether this machine has met such an access of the location.
  [[nodiscard]] bool knows_use(std::uint32_t key, const shared_facts::location_use& one) const {
    return used_.contains({key, one});
  }
  /// The same of an access of the location. `as_contested`: nobody asks what keeps the accesses of
  /// shared locations apart.
  bool learn_use(std::uint32_t key, const shared_facts::location_use& one, bool as_contested);
  /// The same of a shared location whose accesses nothing keeps apart. (Settled facts stay.)
  bool learn_contested(std::uint32_t key);
  /// The same of a location that turns out to be wavering. (Settled facts stay, and say nothing of
  /// it: only reductions rest on it.)
  bool learn_wavering(std::uint32_t key);
  [[nodiscard]] bool is_wavering(std::uint32_t key) const {
    return rules_.facts().wavering.contains(key);
  }
  /// The same of what a vote has answered.
  bool learn_answer(const vote& call, std::uint64_t answer);
  /// The same of locations that turn out to be telling.
  bool learn_telling(const std::set<std::uint32_t>& locations);
  /// Promises that rest on others are left out from here on. (Settled facts stay; with these, none
  /// is left out: what is replayed may have been found before.)
  void give_up_bursts();
  [[nodiscard]] bool gave_up_bursts() const {
    return !shared_.settled() && (seen_.gave_up_bursts || rules_.facts().gave_up_bursts);
  }
  /// What the vote is known to answer.
  std::set<std::uint64_t> answers_to(const vote& call);
  [[nodiscard]] bool is_shared(std::uint32_t key) const {
    const memory_facts& facts = rules_.facts();
    return facts.all_contested || facts.shared.contains(key);
  }
  [[nodiscard]] bool is_contested(std::uint32_t key) const {
    const memory_facts& facts = rules_.facts();
    return facts.all_contested || facts.contested.contains(key);
  }
  /// Whether any location is.
  [[nodiscard]] bool has_contested() const {
    const memory_facts& facts = rules_.facts();
    return facts.all_contested || !facts.contested.empty();
  }
  /// The facts are settled, and there would have been news.
  [[nodiscard]] bool lacks_facts() const { return lacks_facts_; }
  [[nodiscard]] sync_scope scope_of_grid() const { return widest_; }

 private:
  std::uint32_t lanes_;
  std::size_t image_size_;
  sync_scope widest_;
  bool promises_;
  shared_facts& shared_;
  ptx_memory rules_;
  memory_facts seen_;  // by this machine
  bool lacks_facts_ = false;
  std::set<std::pair<std::uint32_t, shared_facts::location_use>> used_;
  std::set<std::pair<vote, std::uint64_t>> told_;  // answers that are learnt
  std::vector<std::uint8_t> bytes_;
};

}  // namespace simt
