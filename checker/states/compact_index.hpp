// A hash index in about 5 bytes for each entry: which row has these contents? The rows themselves,
// numbered from 0, lie elsewhere; the index knows their numbers and some bits of their hashes.
//
// An entry is one word: the number of the row, in as many bits as numbers have by now, and above it
// the lowest bits of the row's place (its hash, more or less). Where the entry lies tells the
// highest bits. So the index can be laid out anew without a look at the rows.
//
// 15 entries and a word about them are a line of the cache, 64 lines are a page, and up to eight
// pages in a row are a segment, which holds all places with one prefix. A segment is filled up to
// 93 %; then it moves to a larger row of pages, or splits in two. That takes some 20 µs, whatever
// the size of the index, and the pages it leaves are used by the next segment of that size. An
// entry whose line is full goes into the next line that is not; the word of that line says how far
// that is. Nothing is ever removed.
//
// Threads: looking up takes no lock, and waits for nobody. What is found is right, because the row
// itself is compared, and because the segment is seen to be still where it was. What is not found
// is confirmed by taking the segment's lock, as inserting needs anyway.
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
  /// Rows are numbered below this.
  static constexpr std::uint32_t most_rows = 0x7ffffffe;

  /// `hash_of` tells the hash of a row: needed now and then, when the index grows.
  compact_index(const storage_options& options,
                std::function<std::uint32_t(std::uint32_t)> hash_of);

  /// Where a hash is looked for. Valid for as long as the index is.
  struct spot;
  [[nodiscard]] spot locate(std::uint32_t hash) const;

  /// Look-ups overlap if each is announced: first its line; then the row that it will probably
  /// find, which `guess` tells; none.
  static void prefetch(const spot& at);
  static void guess(spot& at);

  /// The row with this hash for which `matches(row)` holds; none. `matches` may be asked about any
  /// number, even of rows that there are not.
  template <class Matches>
  [[nodiscard]] std::uint32_t find(spot at, Matches matches) const;

  struct interned {
    std::uint32_t row;
    bool is_new;
  };
  /// The same; if there is none, `append()` makes the row and returns its number, and the index is
  /// given that. Of several threads that look for the same, one appends. What `append` throws goes
  /// through, and nothing is changed.
  template <class Matches, class Append>
  interned intern(spot at, Matches matches, Append append);

  /// Bytes that are in memory for good, in a file, and of all these in memory now.
  [[nodiscard]] std::size_t memory() const;
  [[nodiscard]] std::size_t on_disk() const { return lines_.is_file() ? lines_.size() : 0; }
  [[nodiscard]] std::size_t resident() const;

 private:
  static constexpr unsigned place_bits = 27;  // in a word, the highest ones
  static constexpr unsigned unused_bits = 32 - place_bits;
  static constexpr std::uint32_t line_slots = 15;
  static constexpr std::uint32_t page_lines = 64;
  static constexpr std::uint32_t most_pages = 8;
  static constexpr std::uint32_t half_pages = 5;  // of the two parts of a full segment
  static constexpr std::uint32_t far = 3;         // in two bits: displaced by so many lines or more

  struct alignas(64) line {
    std::atomic<std::uint32_t> slots[line_slots];  // filled one after the other; 0: empty
    std::atomic<std::uint32_t> displaced;          // two bits for each slot
  };

  /// How a segment is laid out at present. As one word, this is what the directory holds. No
  /// segment comes back to a layout that it has had.
  struct layout {
    std::uint32_t first;    // page
    std::uint32_t segment;  // its number
    std::uint32_t pages;
    unsigned depth;     // bits of the prefix
    unsigned tag_bits;  // of the place, in an entry

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
    /// The line where an entry belongs, by what is behind the prefix of its place.
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
    std::uint32_t count;                 // of entries; this and the next are for who holds the lock
    std::uint32_t newest;                // row
  };
  class segment_lock;

  struct directory {
    unsigned depth;
    std::unique_ptr<std::atomic<std::uint64_t>[]> layouts;  // by prefix
  };

  static constexpr unsigned bend_bits = 5;
  std::array<std::uint32_t, (1U << bend_bits) + 1> bend_;  // straight between these
  std::function<std::uint32_t(std::uint32_t)> hash_of_;
  growing_memory lines_;
  growing_memory segments_;
  std::atomic<directory*> directory_ = nullptr;
  // The rest is changed by one thread at a time.
  mutable std::mutex making_;
  std::vector<std::unique_ptr<directory>> directories_;  // the present one and all before it
  std::uint32_t segment_count_ = 0;
  std::uint32_t page_count_ = 0;
  std::array<std::vector<std::uint32_t>, most_pages + 1> free_;  // rows of so many pages

  /// The logarithm of a hash, between 0 and 1: large places are twice as dense as small ones, and a
  /// segment's share of them is as likely to be 1.1 as 1.9 times a power of two. So segments are at
  /// different stages of their growth at any time. The index grows evenly instead of all at once
  /// ("spiral storage", Martin 1979), and what one segment leaves, another one needs.
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
  /// The slots of a line whose tags are `tag`, as bits; perhaps also some that are empty.
  static std::uint32_t candidates(const line& l, std::uint32_t tag, std::uint32_t mask);
  /// Where a search ended that found nothing: the line that has an empty slot.
  struct gap {
    const line* in = nullptr;
    std::uint32_t displaced = 0;
  };
  template <class Matches>
  std::uint32_t probe(const spot& at, Matches matches, gap& end) const;
  static void wait(unsigned& turns);

  // With the segment's lock held:
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
    // With an eighth to spare: by the time that numbers have more bits, the segment has probably
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
  // Plain loads of what others may be writing: each word is read whole (it is aligned), and what
  // looks right is loaded again as an atomic.
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
      const std::uint32_t number = slot & ~mask;  // of the row, plus one
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
  /// Takes the lock if nobody has it, and nobody has had it since the version was read.
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
