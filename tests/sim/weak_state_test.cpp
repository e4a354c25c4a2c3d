// States of a weak memory as bytes, and bytes that are no state.
#include "sim/memory/weak_state.hpp"

#include <doctest/doctest.h>

#include <random>

#include "sim/memory/sound_state.hpp"

using namespace simt;

namespace {

constexpr std::size_t lanes = 2;
constexpr std::size_t memory = 16;  // bytes

view view_of(std::uint16_t position, std::uint16_t records) {
  view v;
  v.at.assign(1, position);
  v.clock.assign(lanes, 0);
  v.clock[0] = records;
  return v;
}

/// Lane 0 has released 7, which lane 1 has seen and not yet acquired; lane 1 has promised 9.
weak_state example() {
  weak_state state;
  state.records = {{{8, true, true, sync_scope::gpu}}, {}};
  memory_location x{8, 4, {message{}, message{}, message{}}};
  x.messages[1].value = 7;
  x.messages[1].strong = true;
  x.messages[1].scope = sync_scope::gpu;
  x.messages[1].records = {{0, 0}};
  x.messages[1].carries = {{0, sync_scope::gpu, view_of(1, 1)}};
  x.messages[2].value = 9;
  x.messages[2].writer = 1;
  x.messages[2].promised = true;
  x.messages[2].open = true;
  x.messages[2].acquired = {{0, sync_scope::gpu, view_of(1, 0)}};
  state.locations = {x};
  state.lanes.resize(lanes);
  state.lanes[0].known = view_of(1, 1);
  state.lanes[0].released = {{0, {0, sync_scope::gpu, view_of(1, 1)}}};
  state.lanes[1].known = view_of(0, 0);
  state.lanes[1].known.observed = {{0, 0}};
  state.lanes[1].seen = {{0, lane_knowledge::no_promise, {0, sync_scope::gpu, view_of(1, 1)}},
                         {0, 2, {}}};
  state.fences = {{0, sync_scope::cta, view_of(1, 1)}};
  state.arrivals = {{3, view_of(0, 0)}};
  return state;
}

std::vector<std::uint8_t> bytes_of(const weak_state& state) {
  std::vector<std::uint8_t> bytes;
  encode(state, bytes);
  return bytes;
}

/// Changes the example, and tells whether what comes of it is a state.
template <class Change>
bool is_state(Change change) {
  weak_state state = example();
  change(state);
  return decode_checked(bytes_of(state), lanes, memory).has_value();
}

}  // namespace

TEST_CASE("a state comes back") {
  const auto bytes = bytes_of(example());
  const auto state = decode_checked(bytes, lanes, memory);
  REQUIRE(state);
  CHECK(bytes_of(*state) == bytes);
  CHECK(bytes_of(decode(bytes, lanes)) == bytes);
}

TEST_CASE("what a state names must be there") {
  CHECK(is_state([](weak_state&) {}));
  CHECK_FALSE(is_state([](weak_state& s) { s.locations[0].messages.clear(); }));
  CHECK_FALSE(is_state([](weak_state& s) { s.locations[0].key = memory - 2; }));
  CHECK_FALSE(is_state([](weak_state& s) { s.locations[0].size = 9; }));
  CHECK_FALSE(is_state([](weak_state& s) { s.locations[0].messages[1].writer = lanes; }));
  CHECK_FALSE(is_state([](weak_state& s) { s.locations[0].messages[1].records[0].index = 1; }));
  CHECK_FALSE(is_state([](weak_state& s) { s.locations[0].messages[2].acquired[0].lane = 9; }));
  CHECK_FALSE(
      is_state([](weak_state& s) { s.locations[0].messages[2].acquired[0].knew.at[0] = 3; }));
  CHECK_FALSE(is_state([](weak_state& s) { s.lanes[0].known.at[0] = 3; }));
  CHECK_FALSE(is_state([](weak_state& s) { s.lanes[0].known.clock[0] = 2; }));
  CHECK_FALSE(is_state([](weak_state& s) { s.lanes[1].known.observed[0].lane = 1; }));
  CHECK_FALSE(is_state([](weak_state& s) { s.lanes[1].seen[1].promise = 3; }));
  CHECK_FALSE(is_state([](weak_state& s) { s.lanes[0].released[0].location = 1; }));
  CHECK_FALSE(is_state([](weak_state& s) { s.fences[0].who = lanes; }));
}

TEST_CASE("bytes from elsewhere are a sound state, or none") {
  const auto whole = bytes_of(example());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    CHECK_FALSE(decode_checked(std::span(whole).first(size), lanes, memory));
  }
  std::mt19937 random(3);
  for (int i = 0; i < 100'000; ++i) {
    auto bytes = whole;
    for (int change = 0; change < 1 + i % 3; ++change) {
      bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
    }
    auto state = decode_checked(bytes, lanes, memory);
    if (state) CHECK(is_sound(*state, memory));
  }
}
