// Facts of a program that machines learn while they explore it, and on which steps of memory
// depend.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <vector>

#include "sim/memory/ptx_memory.hpp"

namespace simt {

class buffering_graph;

/// Which lanes access a location, and how.
struct location_use {
  static constexpr std::uint32_t several = 0xffffffff;
  std::uint32_t lane = several;
  bool stores = false;
  bool suspicious = false;    // some access is not strong for everybody
  bool ordinary = false;      // memory_facts::ordinary
  bool arrives = false;       // some access changes an mbarrier
  bool loses_phases = false;  // memory_facts::unphased, if it is an mbarrier
  [[nodiscard]] bool is_shared() const { return lane == several && stores; }
  void join(const location_use& other) {
    if (other.lane != lane) lane = several;
    stores = stores || other.stores;
    suspicious = suspicious || other.suspicious;
    ordinary = ordinary || other.ordinary;
    arrives = arrives || other.arrives;
    loses_phases = loses_phases || other.loses_phases;
  }
  friend auto operator<=>(const location_use&, const location_use&) = default;
};

/// Facts that all machines of a run have learnt of its program. A machine takes them over when it
/// starts. What it learns later makes its states void (machine::has_news).
class shared_facts {
 public:
  /// For load_buffering: the graph of what lanes may do (null: not built yet), and the memory that
  /// lanes find first. Change these only under machine_stores::lanes_lock.
  std::shared_ptr<const buffering_graph> buffering;
  std::vector<std::uint8_t> first_image;
  /// For tests: load_buffering acts as if the graph had reached its limits.
  bool looks_at_locations_alone = false;

  [[nodiscard]] memory_facts now() const;
  /// Adds facts.
  void learn(const memory_facts& more);
  using location_use = simt::location_use;
  using location_uses = std::map<std::uint32_t, location_use>;  // by location
  [[nodiscard]] location_uses uses() const {
    const std::lock_guard lock(changing_);
    return uses_;
  }
  /// Adds the use `one` of the location, unless facts are settled. Returns all uses of the
  /// location.
  location_use use(std::uint32_t key, const location_use& one);
  /// The answers of the vote so far. From here on, another answer is news. Nothing: facts are
  /// settled, and the vote was never asked.
  std::optional<std::set<std::uint64_t>> answers_to(const vote& call);
  /// Adds an answer of the vote, unless facts are settled. Returns whether that is news.
  bool answered(const vote& call, std::uint64_t answer);
  /// Extends facts and uses to renamed accesses. An access is a lane (or `several`) and a location.
  /// `images_of` lists all accesses that an access can be renamed to.
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
    for (auto* const all :
         {&facts_.mixed, &facts_.ordinary, &facts_.shared, &facts_.contested, &facts_.wavering,
          &facts_.telling, &facts_.mbarriers, &facts_.unphased}) {
      for (const std::uint32_t key : std::set(*all)) {
        for (const auto& [lane, where] : images_of(location_use::several, key)) all->insert(where);
      }
    }
  }
  /// Forgets which lanes access what, after lanes that were taken for alike turned out to differ.
  void forget_uses();
  /// Settled facts are those with which an execution was found: numbers of choices keep their
  /// meaning only with these facts. Machines then learn nothing. Call this while no other thread
  /// runs.
  void settle(bool settled) { settled_ = settled; }
  [[nodiscard]] bool settled() const { return settled_; }
  /// Machines follow an execution by the names of its choices, and learn what its steps show. They
  /// do not ask whether its promises are needed. Call this while no other thread runs.
  void follow(bool follows) { follows_ = follows; }
  [[nodiscard]] bool follows() const { return follows_ || settled_; }

 private:
  mutable std::mutex changing_;
  memory_facts facts_;
  location_uses uses_;
  bool settled_ = false, follows_ = false;
};

/// While an object lives, machines learn. Afterwards facts are settled. One thread makes and ends
/// it while no other runs.
class facts_are_learnt {
 public:
  explicit facts_are_learnt(shared_facts& facts) : facts_(facts) { facts_.settle(false); }
  ~facts_are_learnt() { facts_.settle(true); }
  facts_are_learnt(const facts_are_learnt&) = delete;
  facts_are_learnt& operator=(const facts_are_learnt&) = delete;

 private:
  shared_facts& facts_;
};

}  // namespace simt
