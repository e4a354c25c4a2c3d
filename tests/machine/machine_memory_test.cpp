// Both memory models through the interface that the machine uses: what an access may do, what
// barriers tell, what names change.
#include <doctest/doctest.h>

#include <array>
#include <cstring>
#include <vector>

#include "sim/machine/memory/sc_memory.hpp"
#include "sim/machine/weak/weak_memory.hpp"

namespace {

using simt::detail::memory_kind;

constexpr std::size_t image_size = 16;
constexpr std::uint32_t place = 8;  // of the location that is accessed

simt::memory_request access(std::uint32_t lane, memory_kind what, std::uint64_t operand,
                            std::uint32_t memory) {
  simt::memory_request asked;
  asked.lane = lane;
  asked.memory = memory;
  asked.op.kind = simt::operation_kind::memory;
  asked.op.memory = what;
  asked.op.size = 4;
  asked.op.order = simt::memory_order::relaxed;
  asked.op.scope = simt::thread_scope_device;
  asked.op.operand = operand;
  asked.traits.what = simt::operation_traits::kind::access;
  asked.traits.size = 4;
  asked.traits.writes = what != memory_kind::load;
  asked.traits.offset = place;
  return asked;
}

std::vector<simt::memory_outcome> outcomes(simt::machine_memory& of,
                                           const simt::memory_request& asked) {
  std::vector<simt::memory_outcome> all;
  of.list(asked, all);
  return all;
}

std::uint32_t begin(simt::machine_memory& of, simt::interned_bytes& images) {
  std::vector<std::uint8_t> image(image_size, 0);
  of.begin(image);
  return images.intern(image);
}

std::uint32_t value_in(const simt::machine_memory& of, std::uint32_t memory) {
  std::uint32_t value = 0;
  std::memcpy(&value, of.image(memory).data() + place, sizeof value);
  return value;
}

/// A weak memory of two blocks of one lane each, which all load and store the location.
struct weak_fixture {
  simt::interned_bytes images;
  simt::grid_places places{{2, {1}}};
  simt::shared_facts facts;
  simt::weak_memory memory;
  weak_fixture()
      : memory(places, taught(), images, image_size, false, simt::sc_fences::as_they_are) {}
  simt::shared_facts& taught() {
    simt::memory_facts known;
    known.shared = known.contested = known.ordinary = {place};
    facts.learn(known);
    return facts;
  }
};

TEST_CASE("a sequentially consistent access has one outcome") {
  simt::interned_bytes images;
  simt::sc_memory memory(images, image_size, false);
  const std::uint32_t first = begin(memory, images);
  const auto stored = outcomes(memory, access(0, memory_kind::store, 7, first));
  REQUIRE(stored.size() == 1);
  CHECK(value_in(memory, stored[0].memory) == 7);
  const auto read = outcomes(memory, access(1, memory_kind::load, 0, stored[0].memory));
  REQUIRE(read.size() == 1);
  CHECK(read[0].answer == 7);
  CHECK(read[0].memory == stored[0].memory);
  const auto again = outcomes(memory, access(0, memory_kind::store, 7, stored[0].memory));
  CHECK(again[0].memory == stored[0].memory);
  const auto added = outcomes(memory, access(1, memory_kind::add, 3, stored[0].memory));
  CHECK(added[0].answer == 7);
  CHECK(value_in(memory, added[0].memory) == 10);
  CHECK(memory.reading(access(1, memory_kind::load, 0, first), 0).value == 0);
  CHECK(memory.meet(first, std::array{0U, 1U}) == first);
}

TEST_CASE("a weak load may read what is old, until a barrier tells of what is newer") {
  weak_fixture made;
  const std::uint32_t first = begin(made.memory, made.images);
  const auto stored = outcomes(made.memory, access(0, memory_kind::store, 7, first));
  REQUIRE(stored.size() == 1);
  const auto load = access(1, memory_kind::load, 0, stored[0].memory);
  const auto read = outcomes(made.memory, load);
  REQUIRE(read.size() == 2);
  CHECK(read[0].answer == 7);
  CHECK_FALSE(read[0].is_stale);
  CHECK(read[1].answer == 0);
  CHECK(read[1].is_stale);
  for (const simt::memory_outcome& one : read) {
    CHECK(made.memory.reading(load, one.number).value == one.answer);
  }
  CHECK(made.memory.stored_at(stored[0].memory, place, 4).size() == 2);
  const std::uint32_t met = made.memory.meet(stored[0].memory, std::array{0U, 1U});
  const auto then = outcomes(made.memory, access(1, memory_kind::load, 0, met));
  REQUIRE(then.size() == 1);
  CHECK(then[0].answer == 7);
}

TEST_CASE("what a weak memory says of lanes goes with their names, and ends with them") {
  weak_fixture made;
  const std::uint32_t first = begin(made.memory, made.images);
  const auto by_0 = outcomes(made.memory, access(0, memory_kind::store, 7, first));
  const auto by_1 = outcomes(made.memory, access(1, memory_kind::store, 7, first));
  CHECK(by_0[0].memory != by_1[0].memory);
  CHECK(made.memory.change_places(by_0[0].memory, std::array{1U, 0U}) == by_1[0].memory);
  const auto signs_0 = made.memory.signatures(by_0[0].memory);
  const auto signs_1 = made.memory.signatures(by_1[0].memory);
  CHECK(signs_0[0] == signs_1[1]);
  CHECK(signs_0[1] == signs_1[0]);
  const std::array both{0U, 1U};
  CHECK(made.memory.end(by_0[0].memory, both) == made.memory.end(by_1[0].memory, both));
}

TEST_CASE("a sequentially consistent access of a weak memory is a fence and an access") {
  weak_fixture made;
  auto store = access(0, memory_kind::store, 7, begin(made.memory, made.images));
  store.op.order = simt::memory_order::seq_cst;
  const auto fence = outcomes(made.memory, store);
  REQUIRE(fence.size() == 1);
  CHECK(fence[0].stays);
  CHECK(made.memory.reading(store, 0).is_fence);
  store.memory = fence[0].memory;
  CHECK_FALSE(made.memory.reading(store, 0).is_fence);
  const auto then = outcomes(made.memory, store);
  REQUIRE(then.size() == 1);
  CHECK_FALSE(then[0].stays);
  CHECK(value_in(made.memory, then[0].memory) == 7);
}

}  // namespace
