// Interned states: vectors of a fixed number of 32-bit words, numbered from 0 in order of
// discovery. A state takes some 16 bytes, however many words it has.
//
// Most parts of a state occur in many other states. So its two halves are stored once each, as
// tuples with numbers (state_tree.hpp), and a state is a pair of numbers. Beside the pair lies one
// word that belongs to the search, the mark of the state. Finding a state brings its mark into the
// cache. Six states share a cache line; compact_index.hpp finds them.
//
// Any number of threads may call all functions at once, unless a function says otherwise. Reading
// takes no lock. A thread may hand a returned number to another thread, by any means that orders
// memory. One thread gives numbers in order of discovery, without gaps. Several threads also leave
// no gaps. A state with a number below size() that was not returned yet may not be read.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "checker/states/compact_index.hpp"
#include "checker/states/growing_memory.hpp"
#include "checker/states/state_tree.hpp"
#include "checker/states/tuple_table.hpp"

namespace warpcheck {

using state_id = std::uint32_t;

class compressed_table {
 public:
  static constexpr state_id none = compact_index::none;
  static constexpr state_id most_states = compact_index::most_rows;

  /// Throws std::bad_alloc or std::system_error (see growing_memory.hpp).
  explicit compressed_table(const state_shape& shape, const storage_options& options = {});
  /// Reads a saved table. Throws std::runtime_error if `saved` is damaged, or is no saved table.
  explicit compressed_table(std::istream& saved, const storage_options& options = {});

  [[nodiscard]] const state_shape& shape() const { return tree_.shape(); }
  [[nodiscard]] std::size_t words() const { return tree_.shape().words; }

  /// A state that has been read, with the numbers of its parts. It speeds up look-ups of states
  /// that differ from it in a few words. Belongs to one thread, and is valid up to the next read()
  /// with it.
  class cursor {
   public:
    [[nodiscard]] std::span<const std::uint32_t> words() const { return words_; }

   private:
    friend compressed_table;
    std::vector<std::uint32_t> words_;
    std::vector<std::uint32_t> numbers_;
    std::uint32_t halves_[2] = {none, none};
    // Scratch space for look-ups.
    std::vector<std::uint32_t> scratch_;
    std::vector<std::uint32_t> changed_[2];
    tuple_table::memo half_memos_[2];
    std::vector<tuple_table::memo> level_memos_;

    void prepare(const state_tree& tree);
  };

  /// The key by which a state is looked up.
  struct key {
    std::uint32_t halves[2];
    compact_index::spot at;
  };

  struct interned {
    state_id id;
    bool is_new;
  };

  // Throw std::length_error, std::bad_alloc or std::system_error if there is no room. Then the
  // table stays as it was.
  interned intern(std::span<const std::uint32_t> state) { return intern(key_of(state)); }
  interned intern(std::span<const std::uint32_t> state, cursor& near) {
    return intern(key_of(state, near));
  }

  // Look-ups of several states overlap if they are made in three passes: first the keys of all,
  // each with prefetch_slot, then prefetch_record for all, then intern for all.
  key key_of(std::span<const std::uint32_t> state);
  key key_of(std::span<const std::uint32_t> state, cursor& near);
  void prefetch_slot(const key& k) const { compact_index::prefetch(k.at); }
  void prefetch_record(key& k) const {
    compact_index::guess(k.at);
    __builtin_prefetch(&line_of(k.at.guess));
  }
  interned intern(const key& k);

  /// Returns the number of a state; none if it is not in the table.
  [[nodiscard]] state_id find(std::span<const std::uint32_t> state) const;
  [[nodiscard]] state_id find(std::span<const std::uint32_t> state, cursor& near) const;

  void read(state_id id, std::span<std::uint32_t> out) const;
  void read(state_id id, cursor& out) const;
  [[nodiscard]] std::vector<std::uint32_t> read(state_id id) const {
    std::vector<std::uint32_t> state(words());
    read(id, state);
    return state;
  }

  /// The mark belongs to the search, and is 0 at first. Threads that share a state use
  /// std::atomic_ref.
  [[nodiscard]] std::uint32_t& mark(state_id id) const {
    return line_of(id).marks[id % line_states];
  }

  /// Reads the mark as another thread has left it.
  [[nodiscard]] std::uint32_t load_mark(state_id id) const {
    return std::atomic_ref(mark(id)).load(std::memory_order_acquire);
  }

  [[nodiscard]] state_id size() const { return size_.load(std::memory_order_acquire); }

  /// Bytes, as allocated.
  struct usage {
    std::size_t states = 0;  // pairs and marks
    std::size_t index = 0;   // for finding states
    std::size_t shared = 0;  // tuples, with their own indices
    std::size_t memory = 0;  // the part of all these that is in memory
    // The part that is in files; the kernel keeps in memory what there is room for.
    std::size_t on_disk = 0;
  };
  [[nodiscard]] usage used() const;
  [[nodiscard]] std::size_t memory() const { return used().memory; }
  [[nodiscard]] std::size_t on_disk() const { return used().on_disk; }
  /// Returns the bytes that are in memory now, also those of files. Takes about 1 ms for each GiB.
  [[nodiscard]] std::size_t resident() const;

  /// Writes all states and marks. No other thread may change the table meanwhile.
  void save(std::ostream& out) const;

 private:
  class writer;
  class reader;
  compressed_table(reader&& in, const storage_options& options);

  static constexpr std::size_t arity = state_tree::arity;
  static constexpr std::uint32_t line_states = 6;
  // Numbers of halves, 24 bits of each. The bits above lie in extra_, which most searches never
  // need.
  struct alignas(64) line {
    std::uint32_t marks[line_states];
    std::atomic<std::uint32_t> low[line_states];
    std::atomic<std::uint16_t> high[line_states];
  };
  static_assert(sizeof(line) == 64);

  state_tree tree_;
  std::size_t cut_ = tree_.side(0).count;  // where a flat tree is cut
  std::vector<std::unique_ptr<tuple_table>> levels_;
  std::unique_ptr<tuple_table> halves_[2];
  growing_memory lines_;
  growing_memory extra_;  // 16 bits for each state from extra_from_ on
  std::atomic<state_id> extra_from_ = none;
  std::atomic<state_id> size_ = 0;
  std::atomic<state_id> room_ = 0;  // states that there is memory for
  std::mutex growing_;
  compact_index index_;

  // A pair of numbers as the record has it.
  struct packed {
    std::uint32_t low;
    std::uint16_t high, extra;
    explicit packed(const key& k)
        : low((k.halves[0] & 0xffffffU) | k.halves[1] << 24),
          high(static_cast<std::uint16_t>(k.halves[1] >> 8)),
          extra(static_cast<std::uint16_t>(k.halves[0] >> 24 | (k.halves[1] >> 24) << 8)) {}
  };

  [[nodiscard]] line& line_of(state_id id) const {
    return reinterpret_cast<line*>(lines_.data())[id / line_states];
  }
  [[nodiscard]] std::uint16_t& extra_of(state_id id) const {
    return reinterpret_cast<std::uint16_t*>(
        extra_.data())[id - extra_from_.load(std::memory_order_relaxed)];
  }
  [[nodiscard]] bool has_extra(state_id id) const {
    return id >= extra_from_.load(std::memory_order_relaxed);
  }
  [[nodiscard]] static std::uint32_t hash(std::uint32_t left, std::uint32_t right) {
    std::uint64_t mixed = (left | std::uint64_t{right} << 32) * 0x9e3779b97f4a7c15;
    mixed = (mixed ^ mixed >> 32) * 0xd6e8feb86659fd93;
    return static_cast<std::uint32_t>(mixed >> 32);
  }
  [[nodiscard]] key located(const std::uint32_t (&halves)[2]) const {
    return {{halves[0], halves[1]}, index_.locate(hash(halves[0], halves[1]))};
  }
  void read_halves(state_id id, std::uint32_t (&halves)[2]) const;
  [[nodiscard]] bool equal(state_id id, const packed& p) const;
  state_id append(const packed& p);
  void make_room(state_id id, bool extra);

  // Compares few words: no call, and no branch for each word.
  static bool same(const std::uint32_t* a, const std::uint32_t* b, std::size_t count) {
    std::uint32_t differences = 0;
    for (std::size_t i = 0; i < count; ++i) differences |= a[i] ^ b[i];
    return differences == 0;
  }
  template <class Number>
  [[nodiscard]] bool number_all(const std::uint32_t* words, std::uint32_t* numbers,
                                std::uint32_t (&halves)[2], Number number) const;
  template <class Number>
  [[nodiscard]] bool number_changed(std::span<const std::uint32_t> state, cursor& near,
                                    std::uint32_t (&halves)[2], Number number) const;
  void number_all_changed(std::span<const std::uint32_t> state, cursor& near,
                          std::uint32_t (&halves)[2]);
  void read(const std::uint32_t (&halves)[2], std::uint32_t* numbers, std::uint32_t* words) const;
};

inline compressed_table::key compressed_table::key_of(std::span<const std::uint32_t> state,
                                                      cursor& near) {
  std::uint32_t halves[2] = {near.halves_[0], near.halves_[1]};
  if (tree_.is_flat()) {
    const std::uint32_t* const left = state.data();
    const std::uint32_t* const right = left + cut_;
    const std::uint32_t* const known = near.words_.data();
    if (!same(left, known, cut_)) halves[0] = halves_[0]->intern(left, near.half_memos_[0]);
    if (!same(right, known + cut_, words() - cut_)) {
      halves[1] = halves_[1]->intern(right, near.half_memos_[1]);
    }
  } else {
    number_all_changed(state, near, halves);
  }
  return located(halves);
}

inline bool compressed_table::equal(state_id id, const packed& p) const {
  if (id >= room_.load(std::memory_order_relaxed)) return false;
  const line& l = line_of(id);
  const std::uint32_t i = id % line_states;
  if (l.low[i].load(std::memory_order_acquire) != p.low ||
      l.high[i].load(std::memory_order_acquire) != p.high) {
    return false;
  }
  if (!has_extra(id)) return p.extra == 0;
  return std::atomic_ref(extra_of(id)).load(std::memory_order_acquire) == p.extra;
}

inline compressed_table::interned compressed_table::intern(const key& k) {
  const packed p(k);
  const auto [row, is_new] = index_.intern(
      k.at, [&](state_id id) { return equal(id, p); }, [&] { return append(p); });
  return {row, is_new};
}

}  // namespace warpcheck
