// Grows, splits and lays out the segments of the index, and keeps the directory that leads to them.
#include "checker/states/compact_index.hpp"

#include <cmath>
#include <stdexcept>
#include <thread>

namespace warpcheck {
namespace {

// Address space of the lines: enough for the most rows, in segments that have just grown.
constexpr std::size_t most_line_bytes = std::size_t{16} << 30;
constexpr std::size_t most_segment_bytes = std::size_t{16} << 20;

}  // namespace

compact_index::compact_index(const storage_options& options,
                             std::function<std::uint32_t(std::uint32_t)> hash_of)
    : hash_of_(std::move(hash_of)),
      lines_(options, most_line_bytes),
      segments_({}, most_segment_bytes) {
  for (std::size_t i = 0; i < bend_.size(); ++i) {
    const double hash = static_cast<double>(i) / static_cast<double>(bend_.size() - 1);
    bend_[i] = static_cast<std::uint32_t>(std::log2(1 + hash) * 0xffffffff);
  }
  deepen(0);
  publish({new_pages(1), new_segment(), 1, 0, tag_bits_for(0)}, 0);
}

std::size_t compact_index::memory() const {
  return (lines_.is_file() ? 0 : lines_.size()) + beside_lines();
}

std::size_t compact_index::resident() const { return lines_.resident() + beside_lines(); }

std::size_t compact_index::beside_lines() const {
  const std::lock_guard lock(making_);
  std::size_t bytes = segments_.size();
  for (const auto& d : directories_) bytes += sizeof(std::uint64_t) << d->depth;
  return bytes;
}

void compact_index::insert(segment& s, const spot& at, const gap& where, std::uint32_t row) {
  layout how = layout::unpack(at.packed);
  s.newest = row;
  gap to = where;
  if (((row + 1) & how.tag_mask()) != 0) {
    lay_out(s, at.place, how, how.pages);
    spot again = at;
    locate_again(again);
    how = layout::unpack(again.packed);
    probe(
        again, [](std::uint32_t) { return false; }, to);
  }
  line& l = const_cast<line&>(*to.in);  // the line belongs to this index
  const auto slot = static_cast<std::uint32_t>(std::countr_zero(candidates(l, 0, ~0U)));
  if (to.displaced != 0) note_displaced(l, slot, to.displaced);
  l.slots[slot].store(how.tag(at.place) | (row + 1), std::memory_order_release);
  ++s.count;
}

void compact_index::note_displaced(line& l, std::uint32_t slot, std::uint32_t by) {
  l.displaced.store(l.displaced.load(std::memory_order_relaxed) | std::min(by, far) << 2 * slot,
                    std::memory_order_relaxed);
}

void compact_index::grow(segment& s, std::uint32_t place) {
  const layout how = layout::unpack(layout_at(place));
  if (how.pages == most_pages) {
    split(s, place, how);
  } else {
    lay_out(s, place, how, how.pages + 1);
  }
}

void compact_index::lay_out(segment& s, std::uint32_t place, const layout& old,
                            std::uint32_t pages) {
  const layout how{new_pages(pages), old.segment, pages, old.depth, tag_bits_for(s.newest)};
  fill(how, place, old, place);
  publish(how, place);
  free_pages(old);
}

void compact_index::split(segment& s, std::uint32_t place, const layout& old) {
  const unsigned depth = old.depth + 1;
  if (!may_be_so_deep(depth)) throw std::length_error("too many states have the same hash");
  const std::uint32_t bit = 1U << (32 - depth);
  std::uint32_t counts[2] = {};
  for_each_entry(old, place, [&](std::uint32_t p, std::uint32_t) { ++counts[(p & bit) != 0]; });

  // All that can fail comes first.
  const auto half = [&](int i, std::uint32_t segment) {
    const std::uint32_t pages = std::clamp(counts[i] / most_count(1) + 1, half_pages, most_pages);
    return layout{new_pages(pages), segment, pages, depth, tag_bits_for(s.newest)};
  };
  deepen(depth);
  const layout lower = half(0, old.segment);
  const layout upper = half(1, new_segment());
  segment& other = segment_of(upper);
  other.newest = s.newest;
  other.count = counts[1];
  s.count = counts[0];
  fill(lower, place & ~bit, old, place);
  fill(upper, place | bit, old, place);
  publish(upper, place | bit);
  publish(lower, place & ~bit);
  free_pages(old);
}

// Calls f(place, row) for all entries of the segment where `within` belongs.
template <class F>
void compact_index::for_each_entry(const layout& how, std::uint32_t within, F f) const {
  // Computes the least place of each line, without the unused bits. Tags tell apart the places of
  // one line if they have enough bits.
  const std::uint32_t lines = how.lines();
  std::array<std::uint32_t, most_pages * page_lines> least;
  const unsigned rest_bits = place_bits - how.depth;
  const std::uint64_t places = std::uint64_t{1} << rest_bits;
  for (std::uint32_t i = 0; i < lines; ++i) {
    least[i] = static_cast<std::uint32_t>((std::uint64_t{how.prefix(within)} << rest_bits) +
                                          (i * places + lines - 1) / lines);
  }
  if ((places + lines - 1) / lines <= std::uint64_t{1} << how.tag_bits) {
    for_each_entry<true>(how, least.data(), f);
  } else {
    for_each_entry<false>(how, least.data(), f);
  }
}

template <bool TagsTell, class F>
void compact_index::for_each_entry(const layout& how, const std::uint32_t* least, F f) const {
  const std::uint32_t lines = how.lines();
  const std::uint32_t mask = how.tag_mask();
  const unsigned tag_shift = 32 - how.tag_bits;
  const std::uint32_t tag_values = (1U << how.tag_bits) - 1;
  const line* const all = lines_of(how);
  for (std::uint32_t at = 0; at < lines; ++at) {
    const std::uint32_t displaced = all[at].displaced.load(std::memory_order_relaxed);
    const std::uint32_t from_here = least[at];
    for (std::uint32_t i = 0; i < line_slots; ++i) {
      const std::uint32_t slot = all[at].slots[i].load(std::memory_order_relaxed);
      if (slot == 0) break;
      const std::uint32_t row = (slot & ~mask) - 1;
      std::uint32_t from = from_here;
      if (displaced >> 2 * i != 0) {  // the entry of slot i or of a later slot is displaced
        const std::uint32_t distance = displaced >> 2 * i & 3U;
        if (TagsTell && distance == far) {
          f(place_of(hash_of_(row)), row);
          continue;
        }
        from = least[at >= distance ? at - distance : at + lines - distance];
      }
      if (TagsTell) {
        f((from + (((slot >> tag_shift) - from) & tag_values)) << unused_bits, row);
      } else {
        f(place_of(hash_of_(row)), row);
      }
    }
  }
}

// Copies the entries that belong to the segment of `place` from the segment of `old_place`.
void compact_index::fill(const layout& how, std::uint32_t place, const layout& old,
                         std::uint32_t old_place) {
  const std::uint32_t lines = how.lines();
  line* const all = lines_of(how);
  // The pages may have belonged to another segment, and threads may still look at them.
  for (std::uint32_t at = 0; at < lines; ++at) {
    for (auto& slot : all[at].slots) slot.store(0, std::memory_order_relaxed);
    all[at].displaced.store(0, std::memory_order_relaxed);
  }
  std::array<std::uint8_t, most_pages * page_lines> used{};
  for_each_entry(old, old_place,
                 [=, &used, prefix = how.prefix(place)](std::uint32_t p, std::uint32_t row) {
                   if (how.prefix(p) != prefix) return;
                   std::uint32_t at = how.home(p);
                   std::uint32_t displaced = 0;
                   for (; used[at] == line_slots; ++displaced) {
                     if (++at == lines) at = 0;
                   }
                   const std::uint32_t i = used[at]++;
                   if (displaced != 0) note_displaced(all[at], i, displaced);
                   all[at].slots[i].store(how.tag(p) | (row + 1), std::memory_order_release);
                 });
}

std::uint32_t compact_index::new_pages(std::uint32_t count) {
  const std::lock_guard lock(making_);
  std::vector<std::uint32_t>& unused = free_[count];
  // Reserve room for all pages that may come back, so that free_pages() cannot fail.
  if (unused.capacity() <= segment_count_) unused.reserve(2 * (segment_count_ + 1));
  if (!unused.empty()) {
    const std::uint32_t first = unused.back();
    unused.pop_back();
    return first;
  }
  lines_.grow((page_count_ + std::size_t{count}) * page_lines * sizeof(line));
  page_count_ += count;
  return page_count_ - count;
}

void compact_index::free_pages(const layout& how) {
  const std::lock_guard lock(making_);
  free_[how.pages].push_back(how.first);
}

std::uint32_t compact_index::new_segment() {
  const std::lock_guard lock(making_);
  segments_.grow((segment_count_ + std::size_t{1}) * sizeof(segment));
  return segment_count_++;
}

// Evenly spread hashes make segments of about one depth. With uneven hashes, the directory would
// become larger than all segments.
bool compact_index::may_be_so_deep(unsigned depth) const {
  constexpr unsigned slack = 6;
  const std::lock_guard lock(making_);
  return depth <=
         std::min(place_bits, static_cast<unsigned>(std::bit_width(segment_count_)) + slack);
}

// Makes the directory tell prefixes of `depth` bits apart.
void compact_index::deepen(unsigned depth) {
  const std::lock_guard lock(making_);
  const directory* const old = directories_.empty() ? nullptr : directories_.back().get();
  if (old != nullptr && old->depth >= depth) return;
  auto next = std::make_unique<directory>();
  next->depth = depth;
  next->layouts = std::make_unique<std::atomic<std::uint64_t>[]>(std::size_t{1} << depth);
  for (std::size_t i = 0; old != nullptr && i < std::size_t{1} << depth; ++i) {
    next->layouts[i].store(old->layouts[i / 2].load(std::memory_order_relaxed),
                           std::memory_order_relaxed);
  }
  directories_.push_back(std::move(next));
  directory_.store(directories_.back().get(), std::memory_order_release);
}

// Enters the layout of the segment where `place` belongs into the directory.
void compact_index::publish(const layout& how, std::uint32_t place) {
  const std::lock_guard lock(making_);
  const directory& present = *directories_.back();
  const unsigned rest = present.depth - how.depth;
  const std::size_t first = std::size_t{how.prefix(place)} << rest;
  for (std::size_t i = 0; i < std::size_t{1} << rest; ++i) {
    present.layouts[first + i].store(how.pack(), std::memory_order_release);
  }
}

void compact_index::wait(unsigned& turns) {
  // Most waits are for an insertion, some for a segment that grows.
  constexpr unsigned busy_turns = 64;
  if (++turns < busy_turns) {
#ifdef __SSE2__
    __builtin_ia32_pause();
#endif
  } else {
    std::this_thread::yield();
  }
}

}  // namespace warpcheck
