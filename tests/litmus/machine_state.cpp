// Brings a state of the litmus machine to its canonical form, and writes that as a key.
#include "tests/litmus/machine_state.hpp"

#include <algorithm>

namespace naive {
namespace {

using litmus::value;

class key_writer {
 public:
  std::string take() && { return {bytes_.begin(), bytes_.end()}; }

  template <class Integer>
  void number(Integer n) {
    for (std::size_t i = 0; i < sizeof n; ++i) {
      bytes_.push_back(static_cast<std::uint8_t>(n >> (8 * i)));
    }
  }
  void flag(bool b) { bytes_.push_back(b ? 1 : 0); }
  void optional(const std::optional<value>& v) {
    flag(v.has_value());
    number(v.value_or(0));
  }
  void thread(const thread_state& t) {
    number(t.at);
    flag(t.waits);
    number(t.control);
    for (const value v : t.registers) number(v);
    for (const std::uint32_t r : t.ranks) number(r);
  }
  void arrivals(const std::vector<arrival>& all) {
    number(all.size());
    for (const arrival& a : all) {
      number(a.thread);
      number(a.instruction);
      optional(a.resource);
    }
  }
  void choices(const std::vector<quorum_choice>& all) {
    number(all.size());
    for (const quorum_choice& c : all) {
      number(c.group.of_cluster ? 1 : 0);
      number(c.group.first);
      number(c.group.instance);
      optional(c.group.resource);
      optional(c.group.quorum);
      arrivals(c.sources);
    }
  }
  void memory(const simt::weak_state& s) { encode(s, bytes_); }

 private:
  std::vector<std::uint8_t> bytes_;
};

}  // namespace

machine_state initial_state(const litmus::program& p, const simt::ptx_memory& memory) {
  machine_state s;
  for (const litmus::thread& t : p.threads) {
    s.threads.push_back({0, false, 0, t.initial, std::vector<std::uint32_t>(t.registers.size())});
  }
  for (const value v : p.initial) s.last.push_back({v, 0});
  s.memory = memory.initial();
  return s;
}

last_message newest(const machine_state& s, std::uint32_t location) {
  for (const simt::memory_location& x : s.memory.locations) {
    if (x.key != location) continue;
    return {static_cast<value>(x.messages.back().value), x.messages.back().rank};
  }
  return s.last[location];
}

std::uint16_t locate(machine_state& s, std::uint32_t location) {
  const last_message last = newest(s, location);
  const std::uint16_t x =
      simt::ptx_memory::locate(s.memory, location, 8, static_cast<std::uint64_t>(last.stored));
  s.memory.locations[x].messages.back().rank = last.rank;
  return x;
}

void canonicalize(machine_state& s, const simt::ptx_memory& memory) {
  for (const simt::memory_location& x : s.memory.locations) s.last[x.key] = newest(s, x.key);
  memory.canonicalize(s.memory);
}

void renumber(machine_state& s) {
  std::vector<std::uint32_t> open;
  for (const simt::memory_location& x : s.memory.locations) {
    for (const simt::message& m : x.messages) {
      if (m.promised) open.push_back(m.rank);
    }
  }
  std::ranges::sort(open);
  const auto shorten = [&](std::uint32_t& rank) {
    rank = static_cast<std::uint32_t>(std::ranges::upper_bound(open, rank) - open.begin());
  };
  for (simt::memory_location& x : s.memory.locations) {
    for (simt::message& m : x.messages) shorten(m.rank);
  }
  for (last_message& m : s.last) shorten(m.rank);
  for (thread_state& t : s.threads) {
    shorten(t.control);
    for (std::uint32_t& rank : t.ranks) shorten(rank);
  }
  s.next_rank = static_cast<std::uint32_t>(open.size()) + 1;
}

std::string key_of(const machine_state& s) {
  key_writer key;
  for (const thread_state& t : s.threads) key.thread(t);
  for (const last_message& m : s.last) {
    key.number(m.stored);
    key.number(m.rank);
  }
  key.arrivals(s.arrivals);
  key.choices(s.choices);
  key.flag(s.crossed);
  key.memory(s.memory);
  return std::move(key).take();
}

void mark_read(machine_state& s) {
  for (simt::memory_location& x : s.memory.locations) {
    for (simt::message& m : x.messages) m.unread = false;
  }
}

const simt::message* unread_in(const machine_state& s) {
  for (const simt::memory_location& x : s.memory.locations) {
    for (const simt::message& m : x.messages) {
      if (m.unread) return &m;
    }
  }
  return nullptr;
}

}  // namespace naive
