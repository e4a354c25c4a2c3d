// Encodes states of a weak memory as bytes, and decodes them. Axioms: none; weak_state.hpp says
// what a state means.
#include "sim/memory/weak_state.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "sim/memory/sound_state.hpp"

namespace simt {
namespace {

class writer {
 public:
  explicit writer(std::vector<std::uint8_t>& out) : out_(out) {}

  ~writer() { out_.insert(out_.end(), some_.begin(), some_.begin() + count_); }
  writer(const writer&) = delete;
  writer& operator=(const writer&) = delete;

  // Seven bits a byte, the lowest first. The highest bit says that more bytes follow.
  void number(std::uint64_t n) {
    constexpr std::ptrdiff_t longest = 10;
    if (count_ + longest > static_cast<std::ptrdiff_t>(some_.size())) {
      out_.insert(out_.end(), some_.begin(), some_.begin() + count_);
      count_ = 0;
    }
    for (; n >= 0x80; n >>= 7) put(n | 0x80);
    put(n);
  }
  void counts(const view::counts& all) {
    std::size_t size = all.size();
    while (size > 0 && all[size - 1] == 0) --size;
    number(size);
    for (std::size_t i = 0; i < size; ++i) number(all[i]);
  }
  void refs(const std::vector<record_ref>& all) {
    number(all.size());
    for (const record_ref r : all) {
      number(r.lane);
      number(r.index);
    }
  }
  void known(const view& v) {
    counts(v.at);
    counts(v.clock);
    refs(v.observed);
  }
  void released(const released_view& r) {
    number(r.who);
    number(static_cast<std::uint64_t>(r.scope));
    known(r.known);
  }
  void released(const std::vector<released_view>& all) {
    number(all.size());
    for (const released_view& r : all) released(r);
  }

 private:
  std::vector<std::uint8_t>& out_;
  std::array<std::uint8_t, 512> some_;  // gathers bytes for `out_`
  std::ptrdiff_t count_ = 0;

  void put(std::uint64_t byte) {
    some_[static_cast<std::size_t>(count_++)] = static_cast<std::uint8_t>(byte);
  }
};

// Decodes a state. With `checked`, malformed bytes throw out_of_range.
template <bool checked>
class reader {
 public:
  reader(std::span<const std::uint8_t> bytes, std::size_t lanes) : bytes_(bytes), lanes_(lanes) {}

  std::uint64_t number() {
    std::uint64_t n = 0;
    for (unsigned shift = 0;; shift += 7) {
      if (checked && (at_ == bytes_.size() || shift > 63)) throw std::out_of_range("cut off");
      const std::uint8_t byte = bytes_[at_++];
      n |= std::uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80) return n;
    }
  }
  /// Reads the size of a list. Each of its elements takes at least one byte.
  std::size_t size() {
    const std::uint64_t n = number();
    if (checked && n > bytes_.size() - at_) throw std::out_of_range("too many");
    return n;
  }
  std::uint16_t small() { return static_cast<std::uint16_t>(number()); }
  sync_scope scope() { return static_cast<sync_scope>(number()); }
  void counts(view::counts& all, std::size_t size) {
    all.assign(size, 0);
    const std::size_t given = number();
    if (checked && given > size) throw std::out_of_range("too many");
    for (std::size_t i = 0; i < given; ++i) all[i] = small();
  }
  void refs(std::vector<record_ref>& all) {
    all.resize(size());
    for (record_ref& r : all) {
      r.lane = small();
      r.index = small();
    }
  }
  void known(view& v) {
    counts(v.at, locations);
    counts(v.clock, lanes_);
    refs(v.observed);
  }
  void released(released_view& r) {
    r.who = small();
    r.scope = scope();
    known(r.known);
  }
  void released(std::vector<released_view>& all) {
    all.resize(size());
    for (released_view& r : all) released(r);
  }

  [[nodiscard]] bool is_at_end() const { return at_ == bytes_.size(); }

  std::size_t locations = 0;

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t lanes_;
  std::size_t at_ = 0;
};

// Destroyed states of this thread, whose allocations new states take over.
class spare_states {
 public:
  spare_states() { all_.reserve(most); }
  ~spare_states() { is_over = true; }
  spare_states(const spare_states&) = delete;
  spare_states& operator=(const spare_states&) = delete;

  /// Returns a state with leftover content, for the caller to overwrite.
  static weak_state take() {
    if (is_over || spare.all_.empty()) return {};
    weak_state one = std::move(spare.all_.back());
    spare.all_.pop_back();
    return one;
  }
  static void give(weak_state& one) {
    if (!is_over && one.locations.capacity() > 0 && spare.all_.size() < most)
      spare.all_.push_back(std::move(one));
  }

 private:
  static constexpr std::size_t most = 16;
  static thread_local bool is_over;
  static thread_local spare_states spare;

  std::vector<weak_state> all_;
};
thread_local bool spare_states::is_over = false;
thread_local spare_states spare_states::spare;

}  // namespace

weak_state::weak_state(const weak_state& other) : weak_state(spare_states::take()) {
  *this = other;
}

weak_state::~weak_state() { spare_states::give(*this); }

void encode(const weak_state& state, std::vector<std::uint8_t>& out) {
  writer to(out);
  promise_state promises = promise_state::none;
  for (const memory_location& x : state.locations) {
    for (const message& m : x.messages) {
      if (m.promised) {
        promises = std::max(promises, m.unread ? promise_state::unread : promise_state::read);
      }
    }
  }
  to.number(static_cast<std::uint64_t>(promises));
  to.number(state.locations.size());
  for (const memory_location& x : state.locations) {
    to.number(x.key);
    to.number(x.size);
    to.number(x.messages.size());
    for (const message& m : x.messages) {
      to.number(m.value);
      to.number(static_cast<std::uint64_t>(m.scope) << 7 | (m.open ? 64U : 0U) |
                (m.unread ? 32U : 0U) | (m.linked ? 16U : 0U) | (m.releases ? 8U : 0U) |
                (m.promised ? 4U : 0U) | (m.chained ? 2U : 0U) | (m.strong ? 1U : 0U));
      to.number(m.writer);
      to.number(m.rank);
      if (m.promised) {
        to.number(m.acquired.size());
        for (const message::acquirer& a : m.acquired) {
          to.number(a.lane);
          const bool noted = !a.knew.at.empty();
          to.number(static_cast<std::uint64_t>(a.scope) << 1 | (noted ? 1U : 0U));
          if (noted) to.known(a.knew);
        }
      }
      to.refs(m.records);
      to.released(m.carries);
    }
  }
  for (const lane_knowledge& l : state.lanes) {
    to.number((l.fenced ? 2U : 0U) | (l.live ? 1U : 0U));
    to.number(l.released.size());
    for (const auto& r : l.released) {
      to.number(r.location);
      to.released(r.what);
    }
    if (!l.live) continue;
    to.known(l.known);
    to.number(l.seen.size());
    for (const auto& s : l.seen) {
      to.number(s.location);
      to.number(s.promise);
      if (s.promise == lane_knowledge::no_promise) to.released(s.what);
    }
  }
  for (const auto& records : state.records) {
    to.number(records.size());
    for (const access_record& r : records) {
      to.number(r.key);
      to.number(static_cast<std::uint64_t>(r.scope) << 2 | (r.writes ? 2U : 0U) |
                (r.strong ? 1U : 0U));
    }
  }
  to.released(state.fences);
  to.number(state.arrivals.size());
  for (const barrier_arrivals& a : state.arrivals) {
    to.number(a.barrier);
    to.known(a.known);
  }
}

namespace {

template <bool checked>
weak_state decode_from(reader<checked> from, std::size_t lanes) {
  weak_state state = spare_states::take();
  from.number();
  state.locations.resize(from.size());
  from.locations = state.locations.size();
  for (memory_location& x : state.locations) {
    x.key = static_cast<std::uint32_t>(from.number());
    x.size = static_cast<std::uint8_t>(from.number());
    x.messages.resize(from.size());
    for (message& m : x.messages) {
      m.value = from.number();
      const std::uint64_t flags = from.number();
      m.strong = (flags & 1) != 0;
      m.chained = (flags & 2) != 0;
      m.promised = (flags & 4) != 0;
      m.releases = (flags & 8) != 0;
      m.linked = (flags & 16) != 0;
      m.unread = (flags & 32) != 0;
      m.open = (flags & 64) != 0;
      m.scope = static_cast<sync_scope>(flags >> 7);
      m.writer = from.small();
      m.rank = static_cast<std::uint32_t>(from.number());
      m.acquired.resize(m.promised ? from.size() : 0);
      for (message::acquirer& a : m.acquired) {
        a.lane = from.small();
        const std::uint64_t noted = from.number();
        a.scope = static_cast<sync_scope>(noted >> 1);
        a.knew = {};
        if ((noted & 1) != 0) from.known(a.knew);
      }
      from.refs(m.records);
      from.released(m.carries);
    }
  }
  state.lanes.resize(lanes);
  for (lane_knowledge& l : state.lanes) {
    const std::uint64_t flags = from.number();
    l.live = (flags & 1) != 0;
    l.fenced = (flags & 2) != 0;
    l.released.resize(from.size());
    for (auto& r : l.released) {
      r.location = from.small();
      from.released(r.what);
    }
    if (!l.live) {
      l.known.at.assign(from.locations, 0);
      l.known.clock.assign(lanes, 0);
      l.known.observed.clear();
      l.seen.clear();
      continue;
    }
    from.known(l.known);
    l.seen.resize(from.size());
    for (auto& s : l.seen) {
      s.location = from.small();
      s.promise = from.small();
      s.what = {};
      if (s.promise == lane_knowledge::no_promise) from.released(s.what);
    }
  }
  state.records.resize(lanes);
  for (auto& records : state.records) {
    records.resize(from.size());
    for (access_record& r : records) {
      r.key = static_cast<std::uint32_t>(from.number());
      const std::uint64_t flags = from.number();
      r.strong = (flags & 1) != 0;
      r.writes = (flags & 2) != 0;
      r.scope = static_cast<sync_scope>(flags >> 2);
    }
  }
  from.released(state.fences);
  state.arrivals.resize(from.size());
  for (barrier_arrivals& a : state.arrivals) {
    a.barrier = static_cast<std::uint32_t>(from.number());
    from.known(a.known);
  }
  if (checked && !from.is_at_end()) throw std::out_of_range("too long");
  return state;
}

}  // namespace

weak_state decode(std::span<const std::uint8_t> bytes, std::size_t lanes) {
  return decode_from(reader<false>(bytes, lanes), lanes);
}

std::optional<weak_state> decode_checked(std::span<const std::uint8_t> bytes, std::size_t lanes,
                                         std::size_t memory) {
  try {
    weak_state state = decode_from(reader<true>(bytes, lanes), lanes);
    if (is_sound(state, memory)) return state;
  } catch (const std::out_of_range&) {
  }
  return std::nullopt;
}

}  // namespace simt
