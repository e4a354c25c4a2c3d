// Writes states as bytes that mean the same on all ranks, and reads and hashes them.
#include "checker/distributed/state_codec.hpp"

#include <cstring>
#include <stdexcept>

#define XXH_INLINE_ALL
#include <xxhash.h>

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

}  // namespace

state_codec::state_codec(simt::machine_stores& stores, const common_addresses& addresses,
                         std::size_t lanes, std::uint32_t ranks)
    : stores_(stores), addresses_(addresses), lanes_(lanes) {
  for (numbers& n : known_) {
    n.sent.resize(ranks);
    n.received.resize(ranks);
  }
}

byte_list state_codec::content(part what, std::uint32_t number) const {
  if (what == status) return bytes_of(stores_.statuses[number]);
  if (what == stack) return bytes_of(stores_.stacks[number]);
  const auto bytes = stores_.images[number];
  byte_list common(bytes.begin(), bytes.end());
  move_addresses(common, [&](std::uint64_t v) { return addresses_.to_common(v); });
  return common;
}

std::uint32_t state_codec::intern(part what, std::span<const std::uint8_t> content) {
  if (what == status) return stores_.statuses.intern(status_in(content));
  if (what == stack) return stores_.stacks.intern(stack_in(content));
  byte_list mine(content.begin(), content.end());
  move_addresses(mine, [&](std::uint64_t v) { return addresses_.from_common(v); });
  return stores_.images.intern(mine);
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
    if (is_new) out.bytes(content(what, number));
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
    if ((said & 1) != 0) received[number] = intern(what, in.bytes());
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
