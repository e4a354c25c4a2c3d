// A hash index in about 5 bytes for each entry. It finds the row that has given contents. The rows,
// numbered from 0, lie elsewhere. The index knows their numbers and some bits of their hashes.
//
// An entry is one word. It holds the number of the row, in as many bits as numbers need at present.
// Above it are the lowest bits of the row's place (its hash, more or less). The position of the
// entry gives the highest bits. So the index can be laid out anew without a look at the rows.
//
// A cache line holds 15 entries and a word about them. A page is 64 lines. A segment is up to eight
// pages in a row, and holds all places with one prefix. When a segment is 93 % full, it moves to a
// larger row of pages, or splits in two. That takes some 20 µs, whatever the size of the index. The
// next segment of that size uses the pages it leaves. If an entry's line is full, the entry goes
// into the next line with room. That line's word says how far the entry is displaced. Nothing is
// ever removed.
//
// Threads: looking up takes no lock, and waits for no thread. A row that is found is right: the row
// itself is compared, and the segment is seen to be still where it was. If no row is found,
// inserting confirms that under the segment's lock.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#if defined(__SSE2__) && !defined(__SANITIZE_THREAD__)
#define WARPCHECK_VECTOR_PROBES 1
#include <emmintrin.h>
#endif

#include "checker/states/growing_memory.hpp"

namespace warpcheck {

class compact_index {
 public:
  static constexpr std::uint32_t none = 0xffffffff;
  /// Rows have numbers below this.
  static constexpr std::uint32_t most_rows = 0x7ffffffe;

  /// `hash_of` returns the hash of a row. The index needs it now and then, when it grows.
  compact_index(const storage_options& options,
                std::function<std::uint32_t(std::uint32_t)> hash_of);

  /// Where a hash is looked for. Valid for as long as the index is.
  struct spot;
  [[nodiscard]] spot locate(std::uint32_t hash) const;

  /// Look-ups overlap if each is announced: first prefetch() its line, then guess() the row that it
  /// will probably find.
  static void prefetch(const spot& at);
  static void guess(spot& at);

  /// Returns the row with this hash for which `matches(row)` holds, or none. `matches` may be
  /// called with any number, even if there is no such row.
  template <class Matches>
  [[nodiscard]] std::uint32_t find(spot at, Matches matches) const;

  struct interned {
    std::uint32_t row;
    bool is_new;
  };
  /// Finds a row as find() does. If there is none, `append()` makes the row and returns its number,
  /// and the index takes it in. Of several threads that look for equal contents, one appends. If
  /// `append` throws, nothing is changed.
  template <class Matches, class Append>
  interned intern(spot at, Matches matches, Append append);

  /// Bytes in memory for good, bytes in a file, and bytes of both that are in memory now.
  [[nodiscard]] std::size_t memory() const;
  [[nodiscard]] std::size_t on_disk() const { return lines_.is_file() ? lines_.size() : 0; }
  [[nodiscard]] std::size_t resident() const;

 private:
  static constexpr unsigned place_bits = 27;  // the highest bits of a word
  static constexpr unsigned unused_bits = 32 - place_bits;
  static constexpr std::uint32_t line_slots = 15;
  static constexpr std::uint32_t page_lines = 64;
  static constexpr std::uint32_t most_pages = 8;
  static constexpr std::uint32_t half_pages = 5;  // the least size of each part of a split segment
  static constexpr std::uint32_t far = 3;         // displaced by so many lines or more, in two bits

  struct alignas(64) line {
    std::atomic<std::uint32_t> slots[line_slots];  // filled one after the other; 0: empty
    std::atomic<std::uint32_t> displaced;          // two bits for each slot
  };

  /// The present layout of a segment. The directory holds it as one word. No segment returns to a
  /// layout that it had before.
  struct layout {
    std::uint32_t first;    // number of the first page
    std::uint32_t segment;  // number of the segment
    std::uint32_t pages;
    unsigned depth;     // bits of the prefix
    unsigned tag_bits;  // bits of the place in an entry

    static layout unpack(std::uint64_t word) {
      return {static_cast<std::uint32_t>(word >> 40),
              static_cast<std::uint32_t>(word >> 16 & 0xffffff),
              static_cast<std::uint32_t>(word & 15), static_cast<unsigned>(word >> 4 & 31),
              static_cast<unsigned>(word >> 9 & 31)};
    }
    [[nodiscard]] std::uint64_t pack() const {
      return std::uint64_t{first} << 40 | std::uint64_t{segment} << 16 | tag_bits << 9 |
             depth << 4 | pages;
    }
    [[nodiscard]] std::uint32_t lines() const { return pages * page_lines; }
    /// Returns the line where an entry belongs, computed from the bits of its place after the
    /// prefix.
    [[nodiscard]] std::uint32_t home(std::uint32_t place) const {
      return static_cast<std::uint32_t>(std::uint64_t{place << depth} * lines() >> 32);
    }
    [[nodiscard]] std::uint32_t prefix(std::uint32_t place) const {
      return static_cast<std::uint32_t>((std::uint64_t{place} << depth) >> 32);
    }
    [[nodiscard]] std::uint32_t tag_mask() const { return ~0U << (32 - tag_bits); }
    [[nodiscard]] std::uint32_t tag(std::uint32_t place) const {
      return place >> unused_bits << (32 - tag_bits);
    }
  };

  struct alignas(16) segment {
    std::atomic<std::uint32_t> version;  // odd: locked; grows by two with each change
    // Number of entries; only the holder of the lock uses `count` and `newest`.
    std::uint32_t count;
    std::uint32_t newest;  // row that was inserted last
  };
  class segment_lock;

  struct directory {
    unsigned depth;
    std::unique_ptr<std::atomic<std::uint64_t>[]> layouts;  // by prefix
  };

  static constexpr unsigned bend_bits = 5;
  // Supporting points of place_of(), with straight lines between them.
  std::array<std::uint32_t, (1U << bend_bits) + 1> bend_;
  std::function<std::uint32_t(std::uint32_t)> hash_of_;
  growing_memory lines_;
  growing_memory segments_;
  std::atomic<directory*> directory_ = nullptr;
  // One thread at a time changes the following members.
  mutable std::mutex making_;
  std::vector<std::unique_ptr<directory>> directories_;  // the present one and all earlier ones
  std::uint32_t segment_count_ = 0;
  std::uint32_t page_count_ = 0;
  std::array<std::vector<std::uint32_t>, most_pages + 1> free_;  // unused rows of pages, by length

  /// Returns the logarithm of a hash, between 0 and 1. Large places are twice as dense as small
  /// ones. A segment's share of them is as likely to be 1.1 as 1.9 times a power of two. So
  /// segments are at different stages of their growth at any time. The index grows evenly instead
  /// of all at once ("spiral storage", Martin 1979), and one segment uses the pages that another
  /// leaves.
  [[nodiscard]] std::uint32_t place_of(std::uint32_t hash) const {
    const std::uint32_t i = hash >> (32 - bend_bits);
    const std::uint64_t step = bend_[i + 1] - bend_[i];
    const std::uint32_t rest = hash << bend_bits >> bend_bits;
    const auto within = static_cast<std::uint32_t>(step * rest >> (32 - bend_bits));
    return (bend_[i] + within) & ~0U << unused_bits;
  }
  [[nodiscard]] std::uint64_t layout_at(std::uint32_t place) const {
    const directory& d = *directory_.load(std::memory_order_acquire);
    const std::uint64_t prefix = (std::uint64_t{place} << d.depth) >> 32;
    return d.layouts[prefix].load(std::memory_order_acquire);
  }
  [[nodiscard]] line* lines_of(const layout& how) const {
    return reinterpret_cast<line*>(lines_.data()) + how.first * std::size_t{page_lines};
  }
  [[nodiscard]] segment& segment_of(const layout& how) const {
    return reinterpret_cast<segment*>(segments_.data())[how.segment];
  }
  void locate_again(spot& at) const;
  /// Returns the slots of a line whose tags are `tag`, as bits. May include some empty slots.
  static std::uint32_t candidates(const line& l, std::uint32_t tag, std::uint32_t mask);
  /// Where a search ended without a result: the line that has an empty slot.
  struct gap {
    const line* in = nullptr;
    std::uint32_t displaced = 0;
  };
  template <class Matches>
  std::uint32_t probe(const spot& at, Matches matches, gap& end) const;
  static void wait(unsigned& turns);

  // The following functions need the segment's lock.
  [[nodiscard]] static bool has_room(const segment& s, const layout& how) {
    return s.count < most_count(how.pages);
  }
  void insert(segment& s, const spot& at, const gap& where, std::uint32_t row);
  void grow(segment& s, std::uint32_t place);
  void split(segment& s, std::uint32_t place, const layout& old);
  void lay_out(segment& s, std::uint32_t place, const layout& old, std::uint32_t pages);
  template <class F>
  void for_each_entry(const layout& how, std::uint32_t within, F f) const;
  template <bool TagsTell, class F>
  void for_each_entry(const layout& how, const std::uint32_t* least, F f) const;
  void fill(const layout& how, std::uint32_t place, const layout& old, std::uint32_t old_place);
  static void note_displaced(line& l, std::uint32_t slot, std::uint32_t by);

  static constexpr std::uint32_t most_count(std::uint32_t pages) {
    return pages * page_lines * (line_slots - 1);
  }
  static unsigned tag_bits_for(std::uint32_t newest) {
    // Leaves an eighth to spare: by the time that numbers need more bits, the segment has probably
    // grown.
    const std::uint32_t soon = std::min(newest + newest / 8 + 1, most_rows);
    return 32U - static_cast<unsigned>(std::bit_width(soon));
  }
  [[nodiscard]] std::size_t beside_lines() const;
  std::uint32_t new_pages(std::uint32_t count);
  void free_pages(const layout& how);
  std::uint32_t new_segment();
  void deepen(unsigned depth);
  [[nodiscard]] bool may_be_so_deep(unsigned depth) const;
  void publish(const layout& how, std::uint32_t place);
};

struct compact_index::spot {
  std::uint64_t packed = 0;  // the layout when the line was looked up
  std::uint32_t place = 0;
  std::uint32_t guess = none;
  const line* home = nullptr;
};

inline compact_index::spot compact_index::locate(std::uint32_t hash) const {
  spot at;
  at.place = place_of(hash);
  locate_again(at);
  return at;
}

inline void compact_index::locate_again(spot& at) const {
  at.packed = layout_at(at.place);
  const layout how = layout::unpack(at.packed);
  at.home = lines_of(how) + how.home(at.place);
}

inline void compact_index::prefetch(const spot& at) { __builtin_prefetch(at.home); }

inline void compact_index::guess(spot& at) {
  const layout how = layout::unpack(at.packed);
  const std::uint32_t some = candidates(*at.home, how.tag(at.place), how.tag_mask());
  if (some == 0) return;
  const std::uint32_t slot = at.home->slots[std::countr_zero(some)].load(std::memory_order_acquire);
  at.guess = (slot & ~how.tag_mask()) - 1;
}

inline std::uint32_t compact_index::candidates(const line& l, std::uint32_t tag,
                                               std::uint32_t mask) {
#ifdef WARPCHECK_VECTOR_PROBES
  // Plain loads of words that other threads may be writing. Each word is aligned, so it is read
  // whole. A slot that looks right is loaded again as an atomic.
  const auto* const words = reinterpret_cast<const __m128i*>(&l);
  const __m128i masks = _mm_set1_epi32(static_cast<int>(mask));
  const __m128i tags = _mm_set1_epi32(static_cast<int>(tag));
  const auto equal = [&](int i) {
    return _mm_cmpeq_epi32(_mm_and_si128(_mm_load_si128(words + i), masks), tags);
  };
  const __m128i all =
      _mm_packs_epi16(_mm_packs_epi32(equal(0), equal(1)), _mm_packs_epi32(equal(2), equal(3)));
  return static_cast<std::uint32_t>(_mm_movemask_epi8(all)) & ((1U << line_slots) - 1);
#else
  std::uint32_t found = 0;
  for (std::uint32_t i = 0; i < line_slots; ++i) {
    if ((l.slots[i].load(std::memory_order_relaxed) & mask) == tag) found |= 1U << i;
  }
  return found;
#endif
}

template <class Matches>
std::uint32_t compact_index::probe(const spot& at, Matches matches, gap& end) const {
  const layout how = layout::unpack(at.packed);
  const std::uint32_t mask = how.tag_mask();
  const std::uint32_t tag = how.tag(at.place);
  const line* l = at.home;
  for (std::uint32_t displaced = 0; displaced < how.lines(); ++displaced) {
    for (std::uint32_t some = candidates(*l, tag, mask); some != 0; some &= some - 1) {
      const std::uint32_t slot = l->slots[std::countr_zero(some)].load(std::memory_order_acquire);
      const std::uint32_t number = slot & ~mask;  // the number of the row, plus one
      if (number != 0 && matches(number - 1)) return number - 1;
    }
    if (l->slots[line_slots - 1].load(std::memory_order_acquire) == 0) {
      end = {l, displaced};
      break;
    }
    const line* const first = lines_of(how);
    if (++l == first + how.lines()) l = first;
  }
  return none;
}

template <class Matches>
std::uint32_t compact_index::find(spot at, Matches matches) const {
  for (;; locate_again(at)) {
    gap end;
    const std::uint32_t row = probe(at, matches, end);
    if (layout_at(at.place) == at.packed) return row;
  }
}

class compact_index::segment_lock {
 public:
  /// Takes the lock if no thread has it, and none has had it since `version` was read.
  segment_lock(segment& s, std::uint32_t version)
      : segment_(s),
        version_(version),
        held_(version % 2 == 0 &&
              s.version.compare_exchange_strong(version, version + 1, std::memory_order_acquire)) {}
  ~segment_lock() {
    if (held_) segment_.version.store(version_ + 2, std::memory_order_release);
  }
  segment_lock(const segment_lock&) = delete;
  segment_lock& operator=(const segment_lock&) = delete;
  explicit operator bool() const { return held_; }

 private:
  segment& segment_;
  std::uint32_t version_;
  bool held_;
};

template <class Matches, class Append>
compact_index::interned compact_index::intern(spot at, Matches matches, Append append) {
  if (at.guess != none && matches(at.guess) && layout_at(at.place) == at.packed) {
    return {at.guess, false};
  }
  for (unsigned turns = 0;; locate_again(at)) {
    const layout how = layout::unpack(at.packed);
    segment& s = segment_of(how);
    const std::uint32_t version = s.version.load(std::memory_order_acquire);
    gap end;
    const std::uint32_t row = probe(at, matches, end);
    if (layout_at(at.place) != at.packed) continue;
    if (row != none) return {row, false};
    const segment_lock lock(s, version);
    if (!lock) {
      wait(turns);
    } else if (layout_at(at.place) != at.packed) {
      continue;
    } else if (!has_room(s, how)) {
      grow(s, at.place);
    } else {
      const std::uint32_t added = append();
      insert(s, at, end, added);
      return {added, true};
    }
  }
}

}  // namespace warpcheck
