// The graph of all that lanes may do, whatever others do: it has too much rather than too little.
//
// Models: each lane runs alone. A read returns any value that any lane may ever store there in this
// graph, in any order (thread-modular: Flanagan and Qadeer, SPIN 2003). So in each execution, with
// load buffering or without, each lane follows a path: docs/memory-model.md, "Where promises are
// not needed". The graph keeps these facts of coherence. A lane that alone stores to a location
// reads what it has stored last. From a location to which lanes only add, it reads all that it has
// added itself and what each other lane may have added. Behind a value there are no more stores to
// its location than lanes can carry out.
// Axioms: SC-per-location and Atomicity, of these facts; none of the others.
// Does not model: locations that are accessed in several sizes, and votes of more than eight lanes.
// In these cases, and beyond its limits, nothing is known.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <boost/container_hash/hash.hpp>
#include <boost/unordered/unordered_flat_map.hpp>

#include "sim/automaton/lane_program.hpp"
#include "sim/machine/machine.hpp"

namespace simt {

class thread_modular {
 public:
  /// A stop of a lane: where it waits, and what it knows of its own stores.
  using number = std::uint32_t;
  static constexpr number none = 0xffffffff;

  /// `lanes` is for this graph alone. `image`: memory as the launch finds it.
  thread_modular(const machine& of, lane_program& lanes, std::span<const std::uint8_t> image);

  /// Why nothing is known. Empty: the graph is complete.
  [[nodiscard]] std::string_view unknown() const { return unknown_; }

  /// One way to the next stop, by the value that is read there.
  struct edge {
    std::uint64_t read = 0;    // the value read; of operations that read nothing, the answer
    std::uint64_t stored = 0;  // the value stored, if `stores`
    number to = none;          // none: the lane ends there
    bool stores = false;
    bool changes = false;  // stores another value than it has read
    bool in_loop = false;  // the lane may come back to this edge, as far as is known
  };
  struct stop {
    continuation at = exited;  // in the lane program
    std::uint32_t lane = 0;
    std::uint32_t own = 0;   // the number of what the lane has stored itself
    bool is_open = false;    // waits to be looked at, for the first time or again
    bool is_listed = false;  // is in a list of readers
    std::vector<edge> edges;
  };
  [[nodiscard]] const std::vector<stop>& stops() const { return stops_; }
  [[nodiscard]] const operation& at(number s) const { return lanes_.at(stops_[s].at); }
  [[nodiscard]] const operation_traits& traits(number s) const { return traits_[stops_[s].at]; }
  /// The stops of `lane` at continuation `c`.
  [[nodiscard]] std::span<const number> stops_at(std::uint32_t lane, continuation c) const {
    const auto found = stops_at_.find({lane, c});
    return found == stops_at_.end() ? std::span<const number>() : found->second;
  }
  /// Whether a lane does the same from both stops, whatever it reads and however long it sleeps.
  /// Dead values on its stack may differ.
  [[nodiscard]] bool are_alike(number a, number b) const {
    return a == b || (!alike_.empty() && alike_[a] == alike_[b]);
  }
  [[nodiscard]] lane_program& lanes() const { return lanes_; }
  [[nodiscard]] std::size_t memory() const;

 private:
  // For each value: the least number of stores to each location, one after another, that can have
  // led to it. Only stores count that change the location and are in no loop, so a lane makes each
  // at most once. Locations with higher numbers are not counted.
  static constexpr std::size_t counted_locations = 40;
  using depths = std::array<std::uint8_t, counted_locations>;
  static constexpr std::uint32_t unbounded = 0xff;

  static constexpr std::size_t most_stops = 400'000;
  static constexpr std::size_t most_values = 64;  // of a location
  static constexpr std::size_t most_edges = 600'000;
  static constexpr std::size_t few_values = 6;  // the first values, which are admitted uncounted
  static constexpr std::size_t stops_at_first = 3'000;
  static constexpr int most_voters = 8;
  static constexpr std::uint32_t most_counted = 64;  // lanes, by a barrier
  // A pseudo-location in what a lane knows of its own stores: how many collectives of the whole
  // warp it has carried out. All lanes take part in each, so what one lane shows in its third call,
  // others read in their third call. From `most_calls` on, calls are not told apart.
  static constexpr std::uint32_t calls = 0xfffffffe;
  static constexpr std::uint32_t most_calls = 64;
  static constexpr std::uint32_t of_some_lanes = 0xffffffff;  // in place of a number

  /// How much is known about the values that a lane reads at a location.
  enum class kind : std::uint8_t { any, own, sum };
  struct value {
    std::uint64_t is = 0;
    depths depth{};
  };
  struct location {
    std::uint32_t offset = 0;
    std::uint8_t size = 0;
    kind what = kind::any;
    bool only_adds = true;           // all stores so far are strong additions for everybody
    bool is_read_by_writer = false;  // by the first writer; there may be others
    bool has_several_writers = false;
    std::uint32_t writer = none;
    std::uint32_t most = 0;  // counted stores of all lanes together, on one walk each
    std::uint64_t initial = 0;
    std::vector<value> values;
    std::vector<value> waiting;                  // values not yet within `most`
    std::vector<std::set<std::uint64_t>> added;  // by lane, for `sum`
    std::vector<number> readers;
  };
  struct own_value {
    std::uint32_t location = 0;
    std::uint64_t value = 0;
    friend auto operator<=>(const own_value&, const own_value&) = default;
    friend std::size_t hash_value(const own_value& v) {
      std::size_t seed = v.location;
      boost::hash_combine(seed, v.value);
      return seed;
    }
  };
  using own_values = std::vector<own_value>;           // by location
  using key = std::pair<std::uint32_t, continuation>;  // a lane, and where it waits
  struct stop_key {
    continuation at;
    std::uint32_t lane, own;
    friend bool operator==(const stop_key&, const stop_key&) = default;
    friend std::size_t hash_value(const stop_key& k) {
      std::size_t seed = k.at;
      boost::hash_combine(seed, std::uint64_t{k.lane} << 32 | k.own);
      return seed;
    }
  };
  const machine& machine_;
  lane_program& lanes_;
  std::vector<std::uint8_t> image_;
  std::string_view unknown_;
  std::size_t limit_ = most_stops;
  std::map<std::uint32_t, kind> kinds_;  // by offset: what is assumed about locations
  bool is_mistaken_ = false;             // a store contradicts an assumption

  std::vector<stop> stops_;
  std::vector<number> first_stops_;
  std::vector<std::uint32_t> alike_;  // classes of stops; empty: not known
  std::vector<depths> depths_;        // of stops
  boost::unordered_flat_map<stop_key, number> numbers_;
  std::unordered_map<key, std::vector<number>, boost::hash<key>> stops_at_;
  std::vector<operation_traits> traits_;  // by continuation
  std::vector<location> locations_;
  boost::unordered_flat_map<std::uint32_t, std::uint32_t> location_numbers_;  // by offset
  std::vector<own_values> owns_;
  std::unordered_map<own_values, std::uint32_t, boost::hash<own_values>> own_numbers_;
  // The values that lanes show to others of their warp, and the shuffles that read them. By lane,
  // and by the number of whole-warp collectives that the lane has carried out before.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::set<std::uint64_t>> shown_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<number>> shuffles_;
  std::vector<number> todo_;
  std::size_t edges_ = 0;

  void begin();
  void run();
  void learn_kinds();
  void close();
  bool admit_waiting();
  void measure_depths();
  void count_stores();
  void learn_alike();
  void step(number here);
  void access(number here);
  void store(number here);
  void read(number here, std::uint32_t x, const value& v);
  void vote(number here);
  void go(number here, const edge& made, std::uint64_t answer, const depths& depth,
          std::uint32_t own);
  void list(number here, std::vector<number>& readers);
  void learn_store(location& x, std::uint32_t lane, const operation& op, const operation_traits& t);
  [[nodiscard]] static bool is_known_to(const location& x, std::uint32_t lane);
  [[nodiscard]] std::vector<value> values_for(number here, std::uint32_t x) const;
  [[nodiscard]] bool is_in_loop(number here, std::uint64_t read) const;
  void add_value(std::uint32_t x, std::uint64_t is, depths depth, bool counts);
  static void count_one(depths& all, std::uint32_t x);
  void add_sum(std::uint32_t x, std::uint32_t lane, std::uint64_t sum);
  [[nodiscard]] std::uint64_t own_value_of(std::uint32_t own, std::uint32_t x,
                                           std::uint64_t without) const;
  std::uint32_t with_own_value(std::uint32_t own, std::uint32_t x, std::uint64_t is);
  continuation settle(std::uint32_t lane, continuation c);
  number stop_at(std::uint32_t lane, continuation c, std::uint32_t own, const depths& depth);
  std::uint32_t location_of(const operation_traits& t);
  const operation_traits& learn_traits(continuation c);
  void open(number s) {
    if (stops_[s].is_open) return;
    stops_[s].is_open = true;
    todo_.push_back(s);
  }
  void open_all(const std::vector<number>& all) {
    for (const number s : all) open(s);
  }
};

}  // namespace simt
