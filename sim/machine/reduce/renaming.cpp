// Follows the lane automaton in pairs of lanes to find renamings, and renames states by them.
#include "sim/machine/reduce/renaming.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <numeric>

#include <boost/container_hash/hash.hpp>
#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "sim/machine/machine.hpp"

namespace simt {
namespace {

constexpr continuation unmapped = 0xffffffff;
constexpr std::uint32_t unknown = 0xffffffff;
constexpr std::size_t most_units = 64;
// Up to this many tied units are tried in all orders. With more, the order is only improved step by
// step.
constexpr std::size_t most_tied = 5;
constexpr std::size_t most_conflicts = 1'000;
// The most edges to follow for one exploration. A renaming that costs more than it can save is off.
constexpr std::uint64_t most_followed = 200'000'000;
// The number of edges between two checks of the time limit.
constexpr std::uint64_t edges_in_time = 4'096;

/// Where an access goes: offset in the image, and size in bytes.
using spot = std::uint64_t;
spot spot_at(std::uint32_t offset, std::uint8_t size) { return std::uint64_t{offset} << 4 | size; }
spot spot_of(const operation_traits& t) { return spot_at(t.offset, t.size); }
std::uint32_t offset_in(spot s) { return static_cast<std::uint32_t>(s >> 4); }
std::uint8_t size_of(spot s) { return static_cast<std::uint8_t>(s & 15); }

std::uint64_t cut(std::uint64_t value, std::uint8_t size) {
  return size >= 8 ? value : value & ((std::uint64_t{1} << (8 * size)) - 1);
}

std::uint64_t mix(std::uint64_t x) {
  x = (x ^ x >> 31) * 0x9e3779b97f4a7c15U;
  x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9U;
  return x ^ x >> 32;
}

bool same_but_for_values(operation a, operation b) {
  a.address = b.address = a.operand = b.operand = a.compare = b.compare = 0;
  return std::memcmp(&a, &b, sizeof a) == 0;
}

template <class F>
void for_each_bit(std::uint64_t mask, F f) {
  for (; mask != 0; mask &= mask - 1) f(static_cast<std::uint32_t>(std::countr_zero(mask)));
}

}  // namespace

// --- one exchange of two units ---

class renaming::exchange final : public memory_names {
 public:
  exchange(machine& m, std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
    lane_to_.resize(m.places().lanes.size());
    std::iota(lane_to_.begin(), lane_to_.end(), 0U);
    for (std::size_t i = 0; i < a.size(); ++i) {
      lane_to_[a[i]] = b[i];
      lane_to_[b[i]] = a[i];
    }
  }

  [[nodiscard]] std::uint32_t lane(std::uint32_t l) const {
    return l < lane_to_.size() ? lane_to_[l] : l;
  }
  [[nodiscard]] std::span<const std::uint32_t> lanes() const override { return lane_to_; }
  /// The continuation that `c` becomes; `unmapped` if that is not known.
  [[nodiscard]] continuation of(continuation c) const { return c < to_.size() ? to_[c] : unmapped; }
  [[nodiscard]] spot place(spot s) const {
    const auto found = places_.find(s);
    return found == places_.end() ? s : found->second;
  }
  /// place() by offset alone, where overlapping accesses have one size.
  [[nodiscard]] std::uint32_t offset_of(std::uint32_t at) const override {
    const auto found = places_.lower_bound(std::uint64_t{at} << 4);
    const bool is_it = found != places_.end() && offset_in(found->first) == at;
    return is_it ? offset_in(found->second) : at;
  }
  [[nodiscard]] std::uint32_t offset_of(std::uint32_t at, std::uint8_t size) const override {
    return offset_in(place(spot_at(at, size)));
  }
  [[nodiscard]] std::uint64_t value(spot s, std::uint64_t v) const {
    const auto found = values_.find({s, v});
    return found == values_.end() ? v : found->second.to;
  }
  [[nodiscard]] std::uint64_t value_of(std::uint32_t at, std::uint8_t size,
                                       std::uint64_t v) const override {
    return value(spot_at(at, size), v);
  }
  /// The places whose content changes or moves elsewhere.
  [[nodiscard]] const std::vector<spot>& moved_places() const { return moved_; }
  /// Renames a memory image: writes all that changes to `to`, which starts as a copy of `from`.
  void rename(std::span<const std::uint8_t> from, std::span<std::uint8_t> to) const override {
    for (const move& at : moves_) {
      std::uint64_t v = 0;
      std::memcpy(&v, from.data() + at.from, at.size);
      const auto* const end = changes_.data() + at.last_change;
      for (const auto* c = changes_.data() + at.first_change; c != end; ++c) {
        if (c->first == v) {
          v = c->second;
          break;
        }
      }
      std::memcpy(to.data() + at.to, &v, at.size);
      if (at.marks.bits != 0) rename_marks(at.marks, from, at.to_marks, to);
      if (at.mbarrier.bit != 0 && at.to_mbarrier.bit != 0)
        at.to_mbarrier.set_in(to, at.mbarrier.is_in(from));
    }
  }
  /// Cache of renamed memories, by number.
  boost::unordered_flat_map<std::uint32_t, std::uint32_t> memories;

  /// Rises whenever something is learnt.
  [[nodiscard]] std::uint64_t version() const { return version_; }

  /// A digest of all mappings. `hash`: hashes a place with a value.
  template <class Hash>
  [[nodiscard]] std::uint64_t digest(Hash hash) const {
    std::uint64_t sum = 0;
    for (const auto& [from, to] : places_) sum += mix(mix(from + 1) + to);
    for (const auto& [from, r] : values_) {
      if (from.value != r.to)
        sum += mix(hash(from.at, from.value) + 3 * hash(place(from.at), r.to));
    }
    for (continuation c = 0; c < to_.size(); ++c) {
      if (to_[c] != unmapped) sum += mix(std::uint64_t{c} << 32 | to_[c]);
    }
    return sum;
  }

  void forget() {
    to_.clear();
    memories.clear();
  }

  /// Appends what stays valid when the automaton is followed again.
  void tell(std::vector<std::uint64_t>& all, const moved_value& move) const {
    all.push_back(places_.size());
    for (const auto& [from, to] : places_) all.insert(all.end(), {from, to});
    const std::size_t count = all.size();
    all.push_back(0);
    for (const auto& [from, r] : values_) {
      if (!r.certain) continue;
      ++all[count];
      all.insert(all.end(),
                 {from.at, moved(from.at, from.value, move), moved(place(from.at), r.to, move)});
    }
  }
  /// Takes what tell() has appended from the front of `all`.
  void learn(std::span<const std::uint64_t>& all, const moved_value& move) {
    const auto next = [&] {
      const std::uint64_t number = all.front();
      all = all.subspan(1);
      return number;
    };
    places_.clear();
    values_.clear();
    for (std::uint64_t n = next(); n > 0; --n) {
      const spot from = next();
      places_[from] = next();
    }
    for (std::uint64_t n = next(); n > 0; --n) {
      const spot at = next();
      const std::uint64_t value = moved(at, next(), move);
      values_[{at, value}] = {moved(place(at), next(), move), true};
    }
    ++version_;
  }

  /// Follows all known edges. False: there is no such renaming. Sets `asked` if device code had to
  /// run for an edge. Lowers `budget` with each edge.
  bool follow(machine& m, std::uint64_t& budget, bool& asked) {
    for (;;) {
      again_ = false;
      boost::unordered::erase_if(values_, [](const auto& v) { return !v.second.certain; });
      to_.clear();
      holders_.clear();
      conflicts_ = 0;
      const std::uint64_t before = version_;
      const bool fine = walk(m, budget, asked);
      if (m.has_news()) return false;
      if (fine && !again_) return settle(m);
      // What was learnt on the way may resolve the contradiction.
      if (!fine && version_ == before) return false;
    }
  }

 private:
  struct valued {
    spot at;
    std::uint64_t value;
    friend bool operator==(const valued&, const valued&) = default;
    friend std::size_t hash_value(const valued& v) {
      return mix(v.at * 0x9e3779b97f4a7c15U ^ v.value);
    }
  };
  struct couple {
    continuation c, d;  // the continuations of a lane and its partner
    friend bool operator==(const couple&, const couple&) = default;
    friend std::size_t hash_value(const couple& p) { return mix(std::uint64_t{p.c} << 32 | p.d); }
  };
  struct renamed {
    std::uint64_t to;
    bool certain;  // false: assumed to stay the same, since nothing says otherwise
  };

  /// Answers whose renaming was unknown when they were met. Taking one takes no search.
  class answers_to_come {
   public:
    void clear() {
      all_.clear();
      at_.clear();
      place_.clear();
      with_value_.clear();
      known_.clear();
    }
    [[nodiscard]] bool empty() const { return at_.empty(); }
    void add(couple who, const valued& answer) {
      with_value_[answer].push_back(static_cast<std::uint32_t>(all_.size()));
      place_.push_back(at_.size());
      at_.push_back(static_cast<std::uint32_t>(all_.size()));
      all_.emplace_back(who, answer.value);
    }
    /// From now on, `answer` has a known renaming.
    void make_known(const valued& answer) {
      const auto found = with_value_.find(answer);
      if (found == with_value_.end()) return;
      for (const std::uint32_t one : found->second) {
        if (place_[one] != taken) known_.insert(place_[one]);
      }
      with_value_.erase(found);
    }
    /// Takes the first answer with a known renaming; if there is none, the first answer.
    std::pair<couple, std::uint64_t> take() {
      const std::size_t place = known_.empty() ? 0 : *known_.begin();
      const std::uint32_t one = at_[place];
      const std::size_t last = at_.size() - 1;
      known_.erase(place);
      if (known_.erase(last) != 0) known_.insert(place);
      at_[place] = at_[last];
      place_[at_[place]] = place;
      place_[one] = taken;
      at_.pop_back();
      return all_[one];
    }

   private:
    static constexpr std::size_t taken = ~std::size_t{0};
    std::vector<std::pair<couple, std::uint64_t>> all_;  // by number
    std::vector<std::uint32_t> at_;                      // numbers, in turn
    std::vector<std::size_t> place_;                     // by number: place in `at_`, or `taken`
    boost::unordered_flat_map<valued, std::vector<std::uint32_t>, boost::hash<valued>> with_value_;
    std::set<std::size_t> known_;  // places
  };

  // Both marks have one bit for each byte of a place, within one byte of an image.
  static void rename_marks(written_marks at, std::span<const std::uint8_t> from,
                           written_marks to_at, std::span<std::uint8_t> to) {
    const auto set = static_cast<unsigned>(from[at.offset] & at.bits) >> std::countr_zero(at.bits);
    std::uint8_t& byte = to[to_at.offset];
    byte = static_cast<std::uint8_t>((byte & ~to_at.bits) | set << std::countr_zero(to_at.bits));
  }

  static std::uint64_t moved(spot at, std::uint64_t value, const moved_value& move) {
    return size_of(at) == sizeof value ? move(value) : value;
  }

  std::vector<std::uint32_t> lane_to_;
  std::map<spot, spot> places_;
  boost::unordered_flat_map<valued, renamed, boost::hash<valued>> values_;
  std::vector<spot> moved_;
  // `places_` and `values_` in a form that is fast to apply.
  struct move {
    std::uint32_t from, to, size, first_change, last_change;
    written_marks marks, to_marks;
    mbarrier_mark mbarrier, to_mbarrier;
  };
  std::vector<move> moves_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> changes_;  // values, before and after
  std::uint64_t version_ = 0;
  std::vector<continuation> to_;
  boost::unordered_flat_map<couple, std::uint64_t, boost::hash<couple>>
      holders_;  // lanes, as a mask
  std::vector<couple> work_;
  answers_to_come waiting_;
  std::size_t conflicts_ = 0;
  bool again_ = false;

  bool walk(machine& m, std::uint64_t& budget, bool& asked) {
    work_.clear();
    std::uint64_t clients = 0;
    for (std::uint32_t l = 0; l < lane_to_.size(); ++l) {
      if (m.lanes().is_client(l) != m.lanes().is_client(lane(l))) return false;
      if (m.lanes().is_client(l)) clients |= std::uint64_t{1} << l;
    }
    const continuation start = m.program().start();
    if (!visit(exited, exited, 0) || !visit(start, start, clients)) return false;
    waiting_.clear();
    for (;;) {
      while (!work_.empty()) {
        const couple at = work_.back();
        work_.pop_back();
        if (!step(m, at, budget, asked) || m.has_news()) return false;
      }
      if (waiting_.empty()) return conflicts_ == 0;
      // Takes an answer that has become known meanwhile. If there is none, assumes of one that it
      // stays the same.
      const auto [at, v] = waiting_.take();
      if (!answer(m, at, v, budget, asked) || m.has_news()) return false;
    }
  }

  /// Follows the edge that answer `v` of an access leads along.
  bool answer(machine& m, couple at, std::uint64_t v, std::uint64_t& budget, bool& asked) {
    const operation at_c = m.program().at(at.c);
    const operation at_d = m.program().at(at.d);
    const spot from = spot_of(m.lanes().traits(at.c));
    const spot to = spot_of(m.lanes().traits(at.d));
    const std::uint64_t w = look_up(from, v, to);
    if (at_c.writes() && !bind(from, simt::apply(at_c, v), to, simt::apply(at_d, w))) return false;
    return visit(outcome(m, at.c, v, budget, asked), outcome(m, at.d, w, budget, asked),
                 holders_[at]) &&
           budget > 0 && !m.has_news();
  }

  continuation outcome(machine& m, continuation from, std::uint64_t answer, std::uint64_t& budget,
                       bool& asked) {
    if (m.has_news()) return from;
    if (budget > 0) --budget;
    if (budget % edges_in_time == 0) m.program().give_up_in_time();
    if (!m.program().known(from, answer)) asked = true;
    return m.program().outcome(from, answer);
  }

  std::uint64_t partners(std::uint64_t lanes) const {
    std::uint64_t result = 0;
    for_each_bit(lanes, [&](std::uint32_t l) { result |= std::uint64_t{1} << lane(l); });
    return result;
  }

  bool visit(continuation c, continuation d, std::uint64_t lanes) {
    return pair_up(c, d, lanes) && pair_up(d, c, partners(lanes));
  }

  bool pair_up(continuation c, continuation d, std::uint64_t lanes) {
    if (c >= to_.size()) to_.resize(c + 1, unmapped);
    // A continuation with two names may be two that were not told apart yet. Following both of them
    // shows that (machine::has_news).
    if (to_[c] == unmapped) to_[c] = d;
    if (to_[c] != d && ++conflicts_ > most_conflicts) return false;
    const auto [known, is_new] = holders_.try_emplace(couple{c, d}, 0);
    if (!is_new && (lanes & ~known->second) == 0) return true;
    known->second |= lanes;
    work_.push_back({c, d});
    return true;
  }

  bool step(machine& m, couple at, std::uint64_t& budget, bool& asked) {
    const auto [c, d] = at;
    using kind = operation_traits::kind;
    lane_automaton& program = m.program();
    const operation at_c = program.at(c);
    const operation at_d = program.at(d);
    const operation_traits tc = m.lanes().traits(c);
    const operation_traits td = m.lanes().traits(d);
    if (!same_but_for_values(at_c, at_d) || tc.what != td.what) return false;
    const std::uint64_t lanes = holders_[at];
    const auto next = [&](continuation from, std::uint64_t answer) {
      return outcome(m, from, answer, budget, asked);
    };
    if (tc.what == kind::exited || tc.what == kind::bad_access) return budget > 0;
    if (tc.what == kind::local) {
      bool fine = true;
      for_each_bit(lanes, [&](std::uint32_t l) {
        fine = fine && visit(next(c, m.lanes().local_answer(l, at_c)),
                             next(d, m.lanes().local_answer(lane(l), at_d)), std::uint64_t{1} << l);
      });
      return fine && budget > 0;
    }
    if (tc.what != kind::access) {
      if (std::memcmp(&at_c, &at_d, sizeof at_c) != 0) return false;
      if (tc.what == kind::fail) return true;
    }
    std::vector<std::uint64_t> answers;
    program.for_each_known(c, [&](std::uint64_t v, continuation) { answers.push_back(v); });
    if (tc.what != kind::access) {
      for (const std::uint64_t v : answers) {
        if (!visit(next(c, v), next(d, v), lanes)) return false;
      }
      return budget > 0;
    }

    const spot from = spot_of(tc);
    const spot to = spot_of(td);
    if (tc.block != no_block || td.block != no_block) {
      if (tc.block == no_block || td.block == no_block) return false;
      const std::uint32_t first = tc.block * m.places().shape.block_threads();
      if (td.block != m.places().lanes[lane(first)].block) return false;
    }
    if (!bind_place(from, to)) return false;
    using detail::memory_kind;
    const memory_kind what = at_c.memory;
    // Pools and their nodes keep their places, and words of a pool keep their values.
    if ((tc.node != no_node || td.node != no_node) && (tc.node != td.node || from != to))
      return false;
    if (what == memory_kind::pool_take || what == memory_kind::pool_retire) {
      if (from != to || at_c.operand != at_d.operand || at_c.compare != at_d.compare) return false;
      for (const std::uint64_t v : answers) {
        if (!visit(next(c, v), next(d, v), lanes)) return false;
      }
      return budget > 0;
    }
    const bool is_store = what == memory_kind::store;
    // A store that compares with something begins or ends an mbarrier.
    if (is_store && at_c.compare != at_d.compare) return false;
    const bool compares = what == memory_kind::compare_exchange;
    if ((is_store || compares || what == memory_kind::exchange) &&
        !bind(from, at_c.operand, to, at_d.operand)) {
      return false;
    }
    if (compares && !bind(from, at_c.compare, to, at_d.compare)) return false;
    for (const std::uint64_t v : answers) {
      if (is_store) {
        if (!visit(next(c, v), next(d, v), lanes)) return false;
      } else if (values_.contains({from, v})) {
        if (!answer(m, at, v, budget, asked)) return false;
      } else {
        waiting_.add(at, {from, v});
      }
    }
    return budget > 0;
  }

  bool bind_place(spot from, spot to) {
    const auto [a, is_new] = places_.try_emplace(from, to);
    const auto [b, is_new_too] = places_.try_emplace(to, from);
    if (is_new || is_new_too) ++version_;
    return a->second == to && b->second == from;
  }

  bool bind(spot from, std::uint64_t v, spot to, std::uint64_t w) {
    v = cut(v, size_of(from));
    w = cut(w, size_of(to));
    return bind_one(from, v, w) && bind_one(to, w, v);
  }

  bool bind_one(spot from, std::uint64_t v, std::uint64_t w) {
    const auto [at, is_new] = values_.try_emplace(valued{from, v}, renamed{w, true});
    if (is_new) {
      waiting_.make_known({from, v});
      if (v != w) ++version_;
      return true;
    }
    renamed& known = at->second;
    if (known.to != w) {
      if (known.certain) return false;
      again_ = true;
      ++version_;
    }
    known = {w, true};
    return true;
  }

  /// The value that `v` becomes. Where nothing says so, it stays the same.
  std::uint64_t look_up(spot from, std::uint64_t v, spot to) {
    const auto [at, is_new] = values_.try_emplace(valued{from, v}, renamed{v, false});
    const std::uint64_t w = at->second.to;
    if (is_new) {
      waiting_.make_known({from, v});
      const auto [back, news] = values_.try_emplace(valued{to, v}, renamed{v, false});
      if (news) waiting_.make_known({to, v});
      if (!news && back->second.to != v) again_ = again_ || !back->second.certain;
    }
    return w;
  }

  // Checks the remaining conditions: the initial memory stays the same, and places that move or
  // change do not overlap others.
  bool settle(machine& m) {
    moved_.clear();
    std::vector<spot> changed;
    for (const auto& [v, r] : values_) {
      if (r.to != v.value) changed.push_back(v.at);
    }
    std::ranges::sort(changed);
    std::uint32_t end = 0;
    bool last_moves = false;
    for (const auto& [from, to] : places_) {
      const bool moves = from != to || std::ranges::binary_search(changed, from);
      if (offset_in(from) < end && (moves || last_moves)) return false;
      last_moves = offset_in(from) < end ? last_moves || moves : moves;
      end = std::max<std::uint32_t>(end, offset_in(from) + size_of(from));
      if (moves) moved_.push_back(from);
    }
    for (const auto& [from, r] : values_) {
      const auto back = values_.find({place(from.at), r.to});
      const std::uint64_t returns = back == values_.end() ? r.to : back->second.to;
      if (returns != from.value) return false;
    }
    moves_.clear();
    changes_.clear();
    const device_memory& memory = *m.setup().memory;
    for (const spot from : moved_) {
      const spot to = place(from);
      move at{.from = offset_in(from),
              .to = offset_in(to),
              .size = size_of(from),
              .first_change = static_cast<std::uint32_t>(changes_.size()),
              .last_change = 0,
              .marks = memory.marks_at(offset_in(from), size_of(from)),
              .to_marks = memory.marks_at(offset_in(to), size_of(to)),
              .mbarrier = {},
              .to_mbarrier = {}};
      if (at.size == 8) {  // an mbarrier begins and ends by accesses of 8 bytes
        at.mbarrier = memory.mbarrier_mark_at(at.from);
        at.to_mbarrier = memory.mbarrier_mark_at(at.to);
      }
      for (const auto& [v, r] : values_) {
        if (v.at == from && r.to != v.value) changes_.emplace_back(v.value, r.to);
      }
      at.last_change = static_cast<std::uint32_t>(changes_.size());
      moves_.push_back(at);
    }
    const state_words initial = m.initial();
    const auto image = m.image(initial);
    for (const spot from : moved_) {
      std::uint64_t v = 0;
      std::uint64_t w = 0;
      std::memcpy(&v, image.data() + offset_in(from), size_of(from));
      std::memcpy(&w, image.data() + offset_in(place(from)), size_of(from));
      if (value(from, v) != w) return false;
    }
    return true;
  }
};

// --- all of them ---

renaming::renaming(const symmetry& moves) : moves_(moves), budget_(most_followed) {}

renaming::~renaming() = default;

void renaming::arrange() {
  exchanges_.clear();
  runs_.clear();
  std::vector<std::vector<std::uint32_t>> lists;  // units that may be neighbours
  std::vector<std::vector<std::uint32_t>> units;
  const grid_places& places = machine_->places();
  if (moves_.on() && places.lanes.size() <= most_units) moves_.list_units(units, lists);
  if (units != unit_lanes_) {
    unit_lanes_ = units;
    unit_of_.assign(places.lanes.size(), unknown);
    for (std::uint32_t u = 0; u < units.size(); ++u) {
      for (const std::uint32_t l : units[u]) unit_of_[l] = u;
    }
    known_.clear();
    refused_.clear();
  }
  const auto roles_of = [&](std::uint32_t unit) {
    std::vector<std::uint32_t> roles;
    for (const std::uint32_t l : unit_lanes_[unit]) roles.push_back(moves_.roles()[l]);
    return roles;
  };
  for (const auto& list : lists) {
    const bool alike = std::ranges::all_of(
        list, [&](std::uint32_t u) { return roles_of(u) == roles_of(list.front()); });
    if (alike) continue;
    bool goes_on = false;
    for (std::size_t i = 0; i + 1 < list.size(); ++i) {
      const pair key{list[i], list[i + 1]};
      auto& known = known_[key];
      if (known == nullptr) {
        known =
            std::make_unique<exchange>(*machine_, unit_lanes_[key.first], unit_lanes_[key.second]);
      }
      known->forget();
      const bool follows = !refused_.contains(key) && follow(*known);
      if (machine_->has_news()) return runs_.clear();
      if (!follows) {
        refused_.insert(key);
        goes_on = false;
        continue;
      }
      if (!goes_on) runs_.emplace_back();
      goes_on = true;
      runs_.back().push_back({key, known.get()});
    }
  }
  // Units of one role simply trade places (symmetry.hpp).
  std::erase_if(runs_, [&](const std::vector<neighbours>& run) {
    const auto role = roles_of(run.front().units.first);
    return std::ranges::all_of(
        run, [&](const neighbours& n) { return roles_of(n.units.second) == role; });
  });
  for (const auto& run : runs_) {
    for (const neighbours& n : run) exchanges_.push_back(n.swap);
  }
}

bool renaming::follow(exchange& e) {
  bool asked = false;
  const bool fine = e.follow(*machine_, budget_, asked);
  asked_ = asked_ || asked;
  return fine && budget_ > 0;
}

void renaming::renew(machine& m) {
  machine_ = &m;
  do {
    asked_ = false;
    arrange();
  } while (asked_ && on() && !m.has_news());
  forget_objects();
}

// The digest must not depend on the order of learning, nor on the process.
std::uint64_t renaming::digest() const {
  std::uint64_t all = 0;
  for (const auto& run : runs_) {
    for (const neighbours& n : run) {
      const std::uint64_t mapped =
          n.swap->digest([&](std::uint64_t at, std::uint64_t v) { return hash_of(at, v); });
      all = mix(all + mapped + (std::uint64_t{n.units.first} << 32 | n.units.second));
    }
  }
  return all;
}

std::uint64_t renaming::hash_of(std::uint64_t at, std::uint64_t value) const {
  const std::uint64_t v = size_of(at) == 8 ? machine_->addresses().relative(value) : value;
  return mix(mix(v + 2) + at) & ~std::uint64_t{1};
}

std::vector<std::uint64_t> renaming::learnt(const moved_value& move) const {
  std::vector<std::uint64_t> all{budget_, refused_.size()};
  for (const pair& units : refused_) all.insert(all.end(), {units.first, units.second});
  all.push_back(known_.size());
  for (const auto& [units, known] : known_) {
    all.insert(all.end(), {units.first, units.second});
    known->tell(all, move);
  }
  return all;
}

void renaming::learn(std::span<const std::uint64_t> all, const moved_value& move) {
  const auto next = [&] {
    const std::uint64_t number = all.front();
    all = all.subspan(1);
    return number;
  };
  const auto next_pair = [&] {
    const auto first = static_cast<std::uint32_t>(next());
    return pair{first, static_cast<std::uint32_t>(next())};
  };
  budget_ = next();
  refused_.clear();
  for (std::uint64_t n = next(); n > 0; --n) refused_.insert(next_pair());
  runs_.clear();
  exchanges_.clear();
  known_.clear();
  for (std::uint64_t n = next(); n > 0; --n) {
    const pair units = next_pair();
    auto& known = known_[units];
    known = std::make_unique<exchange>(*machine_, unit_lanes_.at(units.first),
                                       unit_lanes_.at(units.second));
    known->learn(all, move);
  }
}

// An edge that had to be asked for is new to the other exchanges, so these are followed again.
bool renaming::verify() {
  bool same = true;
  do {
    asked_ = false;
    for (const auto& run : runs_) {
      for (const neighbours& n : run) {
        const std::uint64_t version = n.swap->version();
        const bool follows = follow(*n.swap);
        if (machine_->has_news()) return false;
        if (!follows) {
          refused_.insert(n.units);
          same = false;
        }
        same = same && version == n.swap->version();
      }
    }
  } while (asked_ && same);
  return same;
}

void renaming::forget_objects() {
  classes_.clear();
  spots_.clear();
  for (exchange* e : exchanges_) {
    spots_.insert(spots_.end(), e->moved_places().begin(), e->moved_places().end());
  }
  std::ranges::sort(spots_);
  spots_.erase(std::unique(spots_.begin(), spots_.end()), spots_.end());
  objects_.clear();
  class_orbits_.clear();
  place_orbits_.clear();
}

// --- states ---

continuation renaming::renamed(exchange& e, continuation c) {
  continuation to = e.of(c);
  if (to != unmapped) return to;
  if (machine_->has_news()) return c;
  const bool same = verify();
  to = e.of(c);
  if (same && to != unmapped) return to;
  for (const auto& run : runs_) {  // `c` was reached in a way that is not followed
    for (const neighbours& n : run) {
      if (same) refused_.insert(n.units);
    }
  }
  machine_->news().record();
  return c;
}

// Starts to rename a state. Its memory is kept apart, and its memory word is only updated at the
// end.
void renaming::begin(std::span<const std::uint32_t> words, renamed_state& s,
                     const std::vector<std::uint32_t>* moved) {
  s.words.assign(words.begin(), words.end());
  const std::uint32_t memory = words[machine_->memory_word()];
  s.memory = memory;
  if (machine_->traits_of_memory().is_image) {
    const auto image = machine_->stores().images[memory];
    s.image.assign(image.begin(), image.end());
  }
  if (moved != nullptr) s.moved = *moved;
}

void renaming::apply(exchange& e, renamed_state& s) {
  const std::size_t lanes = unit_of_.size();
  before_.words = s.words;
  for (std::uint32_t l = 0; l < lanes; ++l) s.words[e.lane(l)] = renamed(e, before_.words[l]);
  if (machine_->traits_of_memory().is_image) {
    before_.image = s.image;
    e.rename(before_.image, s.image);
  } else {
    s.memory = renamed_memory(e, s.memory);
  }
  if (!s.moved.empty()) {
    before_.moved = s.moved;
    for (std::uint32_t l = 0; l < lanes; ++l) s.moved[e.lane(l)] = before_.moved[l];
  }
  if (!machine_->has_stacks()) return;
  const grid_places& places = machine_->places();
  for (std::uint32_t w = 0; w < places.warps.size(); ++w) {
    const std::uint32_t first = places.warps[w].first;
    const std::uint32_t to = places.lanes[e.lane(first)].warp;
    const std::uint32_t number = before_.words[machine_->stack_word(w)];
    if (to != w) {
      s.words[machine_->stack_word(to)] = number;
      continue;
    }
    const auto move = [&](std::uint32_t mask) {
      std::uint32_t result = 0;
      for_each_bit(mask,
                   [&](std::uint32_t i) { result |= 1U << places.lanes[e.lane(first + i)].index; });
      return result;
    };
    warp_stack stack = machine_->stores().stacks[number];
    stack.active = move(stack.active);
    for (warp_frame& f : stack.frames) {
      f.arrived = move(f.arrived);
      for (std::uint32_t& side : f.pending) side = move(side);
      std::ranges::sort(f.pending);
    }
    s.words[machine_->stack_word(w)] = machine_->stores().stacks.intern(stack);
  }
}

std::uint32_t renaming::renamed_memory(exchange& e, std::uint32_t memory) {
  if (const auto known = e.memories.find(memory); known != e.memories.end()) return known->second;
  machine_->look_at_time_for_memory();
  const std::uint32_t to = machine_->model().rename(memory, e);
  e.memories.emplace(memory, to);
  return to;
}

// Compares by the image, then by older messages.
bool renaming::is_less_memory(std::uint32_t a, std::uint32_t b) const {
  if (a == b) return false;
  const machine_memory& memory = machine_->model();
  const auto newest_a = memory.image(a);
  const auto newest_b = memory.image(b);
  const own_addresses& addresses = machine_->addresses();
  if (!std::ranges::equal(newest_a, newest_b)) return addresses.is_less(newest_a, newest_b);
  return memory.besides_image(a, addresses) < memory.besides_image(b, addresses);
}

// Whether a comes before b: compares words, then memory.
bool renaming::is_less(const renamed_state& a, const renamed_state& b) const {
  if (a.words != b.words) return a.words < b.words;
  if (machine_->traits_of_memory().is_image) {
    return machine_->addresses().is_less(a.image, b.image);
  }
  return is_less_memory(a.memory, b.memory);
}

// The orbit of `start`: all that exchanges can rename it to, one after another. Also the units that
// it names: those whose exchange with any other unit changes it.
template <class Key, class Apply, class Hash>
renaming::object renaming::describe(const Key& start, std::map<Key, std::uint64_t>& orbits,
                                    Apply apply, Hash hash) {
  object result;
  if (const auto found = orbits.find(start); found != orbits.end()) {
    result.orbit = found->second;
  } else {
    std::vector<Key> all{start};
    boost::unordered_flat_set<Key, boost::hash<Key>> seen{start};
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (exchange* e : exchanges_) {
        Key next = apply(*e, Key(all[i]));
        if (seen.insert(next).second) all.push_back(std::move(next));
      }
    }
    // The orbit's number must not depend on which member was met first, nor on the process.
    result.orbit = ~std::uint64_t{0};
    for (const Key& x : all) result.orbit = std::min(result.orbit, hash(x));
    for (const Key& x : all) orbits.emplace(x, result.orbit);
  }
  for (const auto& run : runs_) {
    const std::size_t units = run.size() + 1;
    std::vector<std::size_t> changes(units, 0);  // by unit: the exchanges that change `start`
    for (std::size_t j = 0; j < units; ++j) {
      for (std::size_t k = j + 1; k < units; ++k) {
        Key x = start;
        for (std::size_t i = j; i < k; ++i) x = apply(*run[i].swap, std::move(x));
        for (std::size_t i = k - 1; i-- > j;) x = apply(*run[i].swap, std::move(x));
        if (x == start) continue;
        ++changes[j];
        ++changes[k];
      }
    }
    for (std::size_t j = 0; j < units; ++j) {
      const std::uint32_t unit = j == 0 ? run.front().units.first : run[j - 1].units.second;
      if (changes[j] == units - 1) result.named |= std::uint64_t{1} << unit;
    }
  }
  return result;
}

const renaming::object& renaming::class_object(continuation c) {
  if (c >= classes_.size()) classes_.resize(c + 1);
  if (classes_[c].orbit == 0) {
    const object found = describe<std::uint64_t>(
        c, class_orbits_,
        [&](exchange& e, std::uint64_t x) {
          return std::uint64_t{renamed(e, static_cast<continuation>(x))};
        },
        [](std::uint64_t x) { return mix(x + 1) | 1; });
    if (c >= classes_.size()) classes_.resize(c + 1);
    classes_[c] = found;
  }
  return classes_[c];
}

void renaming::find_objects(std::uint32_t memory) {
  const auto image = machine_->stores().images[memory];
  in_memory_.clear();
  for (const spot at : spots_) {
    std::uint64_t v = 0;
    std::memcpy(&v, image.data() + offset_in(at), size_of(at));
    const placed key{at, v};
    auto found = objects_.find(key);
    if (found == objects_.end()) {
      const object o = describe<placed>(
          key, place_orbits_,
          [](exchange& e, placed x) {
            return placed{e.place(x.first), e.value(x.first, x.second)};
          },
          [&](placed x) { return hash_of(x.first, x.second); });
      found = objects_.emplace(key, o).first;
    }
    if (found->second.named != 0) in_memory_.push_back(found->second);
  }
}

// Colours units in a way that any renaming of the state preserves. Colours come from continuations,
// from the objects that name the unit, and from the colours of units named together with it. Ends
// when no more units are told apart.
void renaming::colour(std::span<const std::uint32_t> words) {
  const std::size_t units = unit_lanes_.size();
  colours_.assign(units, 0);
  for (std::uint32_t l = 0; l < unit_of_.size(); ++l) {
    if (unit_of_[l] == unknown) continue;
    std::uint64_t& c = colours_[unit_of_[l]];
    c = mix(c + class_object(words[l]).orbit);
  }
  find_objects(words[machine_->memory_word()]);
  const auto count = [&] {
    sorted_ = colours_;
    std::ranges::sort(sorted_);
    return std::unique(sorted_.begin(), sorted_.end()) - sorted_.begin();
  };
  auto distinct = count();
  for (std::size_t round = 0; round < units && static_cast<std::size_t>(distinct) < units;
       ++round) {
    next_colours_ = colours_;
    const auto others = [&](std::uint64_t mask) {
      std::uint64_t sum = 0;
      for_each_bit(mask, [&](std::uint32_t u) { sum += mix(colours_[u]); });
      return sum;
    };
    for (std::uint32_t l = 0; l < unit_of_.size(); ++l) {
      const std::uint32_t unit = unit_of_[l];
      if (unit == unknown) continue;
      const object& o = class_object(words[l]);
      const std::uint64_t named = o.named & ~(std::uint64_t{1} << unit);
      next_colours_[unit] += mix(o.orbit + 3 * others(named));
      for_each_bit(named, [&](std::uint32_t u) {
        next_colours_[u] += mix(o.orbit + 5 * mix(colours_[unit]));
      });
    }
    for (const object& o : in_memory_) {
      const std::uint64_t sum = others(o.named);
      for_each_bit(o.named, [&](std::uint32_t u) {
        next_colours_[u] += mix(o.orbit + 7 * (sum - mix(colours_[u])));
      });
    }
    for (std::uint64_t& c : next_colours_) c = mix(c);
    colours_.swap(next_colours_);
    const auto more = count();
    if (more <= distinct) break;
    distinct = more;
  }
}

void renaming::canonicalize(std::span<std::uint32_t> words, std::vector<std::uint32_t>* moved) {
  if (!on()) return;
  colour(words);
  bool any = false;
  const auto swap = [&](exchange& e) {
    if (!any) begin(words, state_, moved);
    any = true;
    apply(e, state_);
  };
  for (const auto& run : runs_) {
    const auto unit = [&](std::size_t i) {
      return i == 0 ? run.front().units.first : run[i - 1].units.second;
    };
    for (std::size_t i = 1; i <= run.size(); ++i) {
      for (std::size_t at = i; at > 0 && colours_[unit(at - 1)] > colours_[unit(at)]; --at) {
        swap(*run[at - 1].swap);
        std::swap(colours_[unit(at - 1)], colours_[unit(at)]);
      }
    }
    for (std::size_t begin_of_tie = 0; begin_of_tie <= run.size();) {
      std::size_t end = begin_of_tie + 1;
      while (end <= run.size() && colours_[unit(end)] == colours_[unit(begin_of_tie)]) ++end;
      if (end - begin_of_tie > 1) {
        if (!any) begin(words, state_, moved);
        any = true;
        settle_ties(run, begin_of_tie, end);
      }
      begin_of_tie = end;
    }
  }
  if (!any) return;
  std::ranges::copy(state_.words, words.begin());
  words[machine_->memory_word()] = machine_->traits_of_memory().is_image
                                       ? machine_->stores().images.intern(state_.image)
                                       : state_.memory;
  if (moved != nullptr) *moved = state_.moved;
}

// Of all orders of the tied units [begin, end) of a run, finds the one with the least state. Most
// often they do not differ.
void renaming::settle_ties(const std::vector<neighbours>& run, std::size_t begin, std::size_t end) {
  const std::size_t tied = end - begin;
  bool differ = false;
  for (std::size_t i = begin; i + 1 < end && !differ; ++i) {
    tried_ = state_;
    apply(*run[i].swap, tried_);
    differ = tried_.words != state_.words || tried_.image != state_.image ||
             tried_.memory != state_.memory;
  }
  if (!differ) return;
  if (tied > most_tied) {
    for (bool better = true; better && !machine_->has_news();) {
      better = false;
      for (std::size_t i = begin; i + 1 < end; ++i) {
        tried_ = state_;
        apply(*run[i].swap, tried_);
        if (!is_less(tried_, state_)) continue;
        state_ = tried_;
        better = true;
      }
    }
    return;
  }
  // Steinhaus, Johnson and Trotter: each order comes from the one before by an exchange of
  // neighbours.
  tried_ = state_;
  std::array<std::size_t, most_tied> order{};
  std::array<int, most_tied> direction{};
  std::iota(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(tied), 0U);
  direction.fill(-1);
  for (;;) {
    std::size_t mobile = tied;  // the position of the largest element that points to a smaller one
    for (std::size_t i = 0; i < tied; ++i) {
      const auto to = static_cast<std::ptrdiff_t>(i) + direction[order[i]];
      if (to < 0 || to >= static_cast<std::ptrdiff_t>(tied)) continue;
      if (order[static_cast<std::size_t>(to)] > order[i]) continue;
      if (mobile == tied || order[i] > order[mobile]) mobile = i;
    }
    if (mobile == tied) return;
    const std::size_t value = order[mobile];
    const std::size_t left = direction[value] < 0 ? mobile - 1 : mobile;
    std::swap(order[left], order[left + 1]);
    for (std::size_t larger = value + 1; larger < tied; ++larger) {
      direction[larger] = -direction[larger];
    }
    apply(*run[begin + left].swap, tried_);
    if (is_less(tried_, state_)) state_ = tried_;
  }
}

std::vector<renaming::access> renaming::images_of(const access& one) const {
  std::vector<access> all{one};
  std::set<access> seen{one};
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const exchange* e : exchanges_) {
      const access next{e->lane(all[i].first), e->offset_of(all[i].second)};
      if (seen.insert(next).second) all.push_back(next);
    }
  }
  return all;
}

renaming::moved_offsets renaming::offsets(std::span<const std::uint32_t> locations) const {
  moved_offsets all;
  for (const auto& run : runs_) {
    for (const neighbours& n : run) {
      for (const std::uint32_t one : locations) all[n.units][one] = n.swap->offset_of(one);
    }
  }
  return all;
}

// Exchanges neighbours until each lane is at its place again. The choice of exchanges makes no
// difference: a renaming is determined by which lanes trade names.
std::optional<std::uint32_t> renaming::offset_before(std::span<const std::uint32_t> lane_at,
                                                     std::uint32_t offset) const {
  for (const auto& run : runs_) {
    std::vector<std::uint32_t> units{run.front().units.first};
    for (const neighbours& n : run) units.push_back(n.units.second);
    std::vector<std::uint32_t> now;
    for (const std::uint32_t unit : units) {
      now.push_back(unit_of_[lane_at[unit_lanes_[unit].front()]]);
    }
    if (!std::ranges::is_permutation(now, units)) return std::nullopt;
    for (std::size_t sorted = 0; sorted < now.size(); ++sorted) {
      for (std::size_t i = now.size() - 1; i > sorted; --i) {
        if (now[i - 1] < now[i]) continue;
        std::swap(now[i - 1], now[i]);
        offset = run[i - 1].swap->offset_of(offset);
      }
    }
  }
  return offset;
}

bool renaming::images_of(std::uint32_t memory, std::size_t most, std::vector<std::uint32_t>& all) {
  all.assign(1, memory);
  boost::unordered_flat_set<std::uint32_t> seen{memory};
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (exchange* e : exchanges_) {
      const std::uint32_t next = machine_->model().rename(all[i], *e);
      if (!seen.insert(next).second) continue;
      if (all.size() == most) return false;
      all.push_back(next);
    }
  }
  return true;
}

}  // namespace simt
