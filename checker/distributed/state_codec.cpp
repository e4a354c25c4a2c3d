// Writes states as bytes that mean the same on all ranks, and reads and hashes them.
#include "checker/distributed/state_codec.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "sim/memory/weak_state.hpp"

namespace warpcheck {
namespace {

constexpr std::size_t address_bytes = 8;  // aligned in images

template <class Move>
void move_addresses(std::span<std::uint8_t> bytes, Move move) {
  for (std::size_t at = 0; at + address_bytes <= bytes.size(); at += address_bytes) {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    value = move(value);
    std::memcpy(bytes.data() + at, &value, sizeof value);
  }
}

byte_list bytes_of(const simt::grid_status& status) {
  message_writer out;
  out.bytes(status.started);
  out.bytes(status.stepped);
  out.bytes(status.halves);
  out.number(status.history);
  out.number(status.launch);
  out.number(status.is_over ? 1 : 0);
  for (const auto& b : status.barriers) {
    for (const std::uint32_t number : {b.block, b.id, b.expected, b.arrived, b.reduces})
      out.number(number);
  }
  return out.take();
}

simt::grid_status status_in(std::span<const std::uint8_t> bytes) {
  message_reader in(bytes);
  simt::grid_status status;
  const auto started = in.bytes();
  status.started.assign(started.begin(), started.end());
  const auto stepped = in.bytes();
  status.stepped.assign(stepped.begin(), stepped.end());
  const auto halves = in.bytes();
  status.halves.assign(halves.begin(), halves.end());
  status.history = static_cast<std::uint32_t>(in.number());
  status.launch = static_cast<std::uint32_t>(in.number());
  status.is_over = in.number() != 0;
  while (in.more()) {
    auto& b = status.barriers.emplace_back();
    for (std::uint32_t* number : {&b.block, &b.id, &b.expected, &b.arrived, &b.reduces})
      *number = static_cast<std::uint32_t>(in.number());
  }
  return status;
}

byte_list bytes_of(const simt::warp_stack& stack) {
  message_writer out;
  out.number(stack.active);
  for (const simt::warp_frame& f : stack.frames) {
    out.number(f.block);
    out.number(f.arrived);
    out.number(f.pending.size());
    for (const std::uint32_t side : f.pending) out.number(side);
  }
  return out.take();
}

simt::warp_stack stack_in(std::span<const std::uint8_t> bytes) {
  message_reader in(bytes);
  simt::warp_stack stack;
  stack.active = static_cast<std::uint32_t>(in.number());
  while (in.more()) {
    simt::warp_frame& f = stack.frames.emplace_back();
    f.block = static_cast<std::uint32_t>(in.number());
    f.arrived = static_cast<std::uint32_t>(in.number());
    for (std::uint64_t sides = in.number(); sides > 0; --sides)
      f.pending.push_back(static_cast<std::uint32_t>(in.number()));
  }
  return stack;
}

/// Writes what differs: the sizes of the equal parts in front and at the end, and what is between.
void write_difference(std::span<const std::uint8_t> now, std::span<const std::uint8_t> before,
                      message_writer& out) {
  const auto front = static_cast<std::size_t>(std::ranges::mismatch(now, before).in1 - now.begin());
  const auto rest = now.subspan(front);
  const auto rest_before = before.subspan(front);
  std::size_t end = 0;
  while (end < std::min(rest.size(), rest_before.size()) &&
         rest[rest.size() - 1 - end] == rest_before[rest_before.size() - 1 - end])
    ++end;
  out.number(front);
  out.number(end);
  out.bytes(rest.first(rest.size() - end));
}

void read_difference(message_reader& in, std::span<const std::uint8_t> before, byte_list& now) {
  const std::uint64_t front = in.number();
  const std::uint64_t end = in.number();
  const auto between = in.bytes();
  if (front > before.size() || end > before.size() - front)
    throw std::runtime_error("a memory of another rank is cut off");
  now.insert(now.end(), before.begin(), before.begin() + static_cast<std::ptrdiff_t>(front));
  now.insert(now.end(), between.begin(), between.end());
  now.insert(now.end(), before.end() - static_cast<std::ptrdiff_t>(end), before.end());
}

}  // namespace

state_codec::state_codec(simt::machine_stores& stores, const common_addresses& addresses,
                         std::size_t lanes, const simt::memory_layout& memory, std::uint32_t ranks)
    : stores_(stores),
      addresses_(addresses),
      lanes_(lanes),
      layout_(memory),
      last_sent_(ranks, byte_list(memory.image)),
      last_received_(ranks, byte_list(memory.image)) {
  for (numbers& n : known_) {
    n.sent.resize(ranks);
    n.received.resize(ranks);
  }
}

/// A memory with other addresses. The canonical form of a weak memory compares values, and depends
/// on nothing else of them, so it stays canonical.
template <class Move>
byte_list state_codec::moved(std::span<const std::uint8_t> memory, Move move) const {
  byte_list all(memory.begin(), memory.end());
  if (all.size() < layout_.image) throw std::runtime_error("a memory of another rank is cut off");
  move_addresses(std::span(all).first(layout_.image), move);
  if (layout_.viewers == 0) return all;
  bool is_changed = false;
  const std::size_t first = layout_.image + layout_.marks;
  simt::weak_state weak = simt::decode(memory.subspan(first), layout_.viewers);
  for (simt::memory_location& x : weak.locations) {
    for (simt::message& m : x.messages) {
      const std::uint64_t value = x.size == address_bytes ? move(m.value) : m.value;
      is_changed = is_changed || value != m.value;
      m.value = value;
    }
  }
  if (!is_changed) return all;
  all.resize(first);
  encode(weak, all);
  return all;
}

byte_list state_codec::content(part what, std::uint32_t number) {
  if (what == status) return bytes_of(stores_.statuses[number]);
  if (what == stack) return bytes_of(stores_.stacks[number]);
  if (packed_number_ != number) {
    packed_ = moved(stores_.images[number], [&](auto v) { return addresses_.to_common(v); });
    packed_number_ = number;
  }
  return packed_;
}

void state_codec::write_memory(byte_list content, std::uint32_t to, message_writer& out) {
  const auto now = std::span<const std::uint8_t>(content);
  const auto before = std::span<const std::uint8_t>(last_sent_[to]);
  write_difference(now.first(layout_.image), before.first(layout_.image), out);
  write_difference(now.subspan(layout_.image), before.subspan(layout_.image), out);
  last_sent_[to] = std::move(content);
}

const byte_list& state_codec::read_memory(message_reader& in, std::uint32_t from) {
  byte_list now;
  const auto before = std::span<const std::uint8_t>(last_received_[from]);
  read_difference(in, before.first(layout_.image), now);
  if (now.size() != layout_.image) throw std::runtime_error("a memory of another rank is cut off");
  read_difference(in, before.subspan(layout_.image), now);
  return last_received_[from] = std::move(now);
}

std::uint32_t state_codec::intern(part what, std::span<const std::uint8_t> content) {
  if (what == status) return stores_.statuses.intern(status_in(content));
  if (what == stack) return stores_.stacks.intern(stack_in(content));
  return stores_.images.intern(moved(content, [&](auto v) { return addresses_.from_common(v); }));
}

std::uint64_t state_codec::hash_of(part what, std::uint32_t number) {
  std::vector<std::uint64_t>& hashes = known_[what].hashes;
  if (number >= hashes.size()) hashes.resize(2 * number + 16, 0);
  if (hashes[number] == 0) {
    const byte_list bytes = content(what, number);
    hashes[number] = XXH3_64bits_withSeed(bytes.data(), bytes.size(), what) | 1;
  }
  return hashes[number];
}

std::uint64_t state_codec::hash(simt::state_view state) {
  mixed_.assign(state.size(), 0);
  for (std::size_t w = 0; w < lanes_; ++w) mixed_[w] = state[w];
  for (std::size_t w = lanes_; w < state.size(); ++w)
    mixed_[w] = hash_of(part_of(w - lanes_), state[w]);
  return XXH3_64bits(mixed_.data(), mixed_.size() * sizeof(std::uint64_t));
}

void state_codec::write(simt::state_view state, std::uint32_t to, message_writer& out) {
  for (std::size_t w = 0; w < lanes_; ++w) out.number(state[w]);
  for (std::size_t w = lanes_; w < state.size(); ++w) {
    const part what = part_of(w - lanes_);
    const std::uint32_t number = state[w];
    std::vector<char>& sent = known_[what].sent[to];
    if (number >= sent.size()) sent.resize(2 * number + 16, 0);
    const bool is_new = sent[number] == 0;
    sent[number] = 1;
    out.number(std::uint64_t{number} << 1 | (is_new ? 1 : 0));
    if (is_new && what == memory_of_state) write_memory(content(what, number), to, out);
    if (is_new && what != memory_of_state) out.bytes(content(what, number));
  }
}

void state_codec::read(message_reader& in, std::uint32_t from, std::span<std::uint32_t> words) {
  constexpr std::uint32_t unknown = 0xffffffff;
  for (std::size_t w = 0; w < lanes_; ++w) words[w] = static_cast<std::uint32_t>(in.number());
  for (std::size_t w = lanes_; w < words.size(); ++w) {
    const part what = part_of(w - lanes_);
    const std::uint64_t said = in.number();
    const std::size_t number = said >> 1;
    std::vector<std::uint32_t>& received = known_[what].received[from];
    if (number >= received.size()) received.resize(2 * number + 16, unknown);
    if ((said & 1) != 0) {
      received[number] =
          what == memory_of_state ? intern(what, read_memory(in, from)) : intern(what, in.bytes());
    }
    words[w] = received[number];
    if (words[w] == unknown) throw std::runtime_error("a state of another rank has unknown parts");
  }
}

std::size_t state_codec::memory() const {
  std::size_t bytes = 0;
  for (const numbers& n : known_) {
    bytes += n.hashes.capacity() * sizeof(std::uint64_t);
    for (const auto& sent : n.sent) bytes += sent.capacity();
    for (const auto& received : n.received) bytes += received.capacity() * sizeof(std::uint32_t);
  }
  return bytes;
}

}  // namespace warpcheck
