// Where allocations lie, and what an image holds of them.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>

#include "sim/lane/device_memory.hpp"
#include "tests/checker/run_source.hpp"

using simt::allocation;
using simt::device_memory;

namespace {

struct laid_out {
  explicit laid_out(const std::string& members, const std::string& body = "",
                    simt::array_setups arrays = {}, test::grid shape = {2, {2}})
      : source(members_and(members, body), std::move(shape)) {
    source.what.arrays = std::move(arrays);
    run = std::make_unique<warpcheck::session>(source.what, source.how);
  }
  static std::string members_and(const std::string& members, const std::string& body) {
    return test::kernel(members, "using namespace simt;\n" + body);
  }
  [[nodiscard]] const device_memory& memory() const { return run->memory(); }
  [[nodiscard]] std::vector<const allocation*> all(allocation::kind what) const {
    std::vector<const allocation*> result;
    for (const allocation& a : memory().allocations()) {
      if (a.what == what) result.push_back(&a);
    }
    return result;
  }
  [[nodiscard]] int initially(const allocation& a, std::size_t at) const {
    int value = 0;
    std::memcpy(&value, memory().initial_image().data() + a.offset + 4 * at, 4);
    return value;
  }
  test::source_run source;
  std::unique_ptr<warpcheck::session> run;
};

const char* const arrays = "int first = 3; simt::device_array<int> some{\"some\"}, more{\"more\"};";

}  // namespace

TEST_CASE("the image has all allocations one behind the other, with what the constructor left") {
  laid_out run(arrays, "int& s = block_shared<int>(); s = some[0] + more[0];",
               {{"some", {3, {7, 8, -9}}}});
  const auto object = run.all(allocation::kind::object);
  const auto array = run.all(allocation::kind::array);
  const auto shared = run.all(allocation::kind::shared);
  REQUIRE(object.size() == 1);
  REQUIRE(array.size() == 2);
  REQUIRE(shared.size() == 2);
  CHECK(run.initially(*object[0], 0) == 3);
  CHECK(array[0]->name == "some");
  CHECK(array[0]->size == 12);
  CHECK(run.initially(*array[0], 0) == 7);
  CHECK(run.initially(*array[0], 2) == -9);
  CHECK(array[1]->size == 16);  // one for each thread
  CHECK(run.initially(*array[1], 3) == 0);
  constexpr std::uint32_t own = simt::detail::pack_shared(0, simt::detail::own_block);
  for (std::uint32_t block = 0; block < 2; ++block) {
    CHECK(shared[block]->block == block);
    CHECK(run.memory().shared_address(own, block) == shared[block]->address);
  }
  CHECK(array[0]->block == simt::no_block);
  CHECK(run.memory().array_names() == std::vector<std::string>{"some", "more"});
  std::uint64_t offset = 0;
  const auto [begin, end] = run.memory().arena();
  for (const allocation& a : run.memory().allocations()) {
    CHECK(a.offset == offset);
    offset += (a.size + 7) / 8 * 8;
    CHECK(a.address >= begin);
    CHECK(a.address + a.size <= end);
  }
  // Behind these: a bit for each 8 bytes of block-shared memory, whether an mbarrier is there.
  CHECK(run.memory().image_size() == offset + 8);
  CHECK(run.memory().initial_image().size() == offset + 8);
}

TEST_CASE("an access is of one allocation, from its first byte to its last") {
  laid_out run(arrays, "", {{"some", {3, {}}}});
  for (const allocation& a : run.memory().allocations()) {
    CHECK(run.memory().find(a.address, 1) == &a);
    CHECK(run.memory().find(a.address, a.size) == &a);
    CHECK(run.memory().find(a.address + a.size - 1, 1) == &a);
    CHECK(run.memory().find(a.address + a.size - 1, 2) == nullptr);
    CHECK(run.memory().find(a.address, a.size + 1) == nullptr);
    CHECK(run.memory().find(a.address + a.size, 1) == nullptr);
    CHECK(run.memory().find(a.address - 1, 1) == nullptr);
    CHECK(run.memory().find(a.address + 1, ~std::uint64_t{0}) == nullptr);
  }
  CHECK(run.memory().find(0, 1) == nullptr);
  CHECK(run.memory().find(~std::uint64_t{0}, 8) == nullptr);
}

TEST_CASE("an index that is too large by a little hits nothing") {
  laid_out run(arrays);
  for (const allocation& a : run.memory().allocations()) {
    for (std::uint64_t beyond = a.size; beyond < a.size + 128; beyond += 4) {
      CHECK(run.memory().find(a.address + beyond, 4) == nullptr);
    }
  }
}

TEST_CASE("values that an array cannot hold") {
  const auto error = [](const std::string& members, simt::array_setups setups) -> std::string {
    try {
      laid_out run(members, "", std::move(setups));
    } catch (const simt::memory_error& e) {
      return e.what();
    }
    return {};
  };
  const std::string bytes = "simt::device_array<unsigned char> some{\"some\"};";
  CHECK(error(bytes, {{"some", {2, {0, 255}}}}).empty());
  CHECK(error(bytes, {{"some", {2, {0, 256}}}}).find("some[1] the value 256") != std::string::npos);
  CHECK(error(bytes, {{"some", {1, {-1}}}}).find("unsigned integers of 8 bits") !=
        std::string::npos);
  CHECK(error("simt::device_array<float> some{\"some\"};", {{"some", {1, {1}}}})
            .find("has no integers") != std::string::npos);
  CHECK(error("simt::device_array<int> some{\"some\"};", {{"some", {1U << 30, {}}}})
            .find("memory is full") != std::string::npos);
}

TEST_CASE("what is there that nobody announced is seen, byte by byte") {
  laid_out run(arrays);
  const device_memory& memory = run.memory();
  const auto at = reinterpret_cast<std::uint8_t*>(run.all(allocation::kind::array)[0]->address);
  const auto address = reinterpret_cast<std::uint64_t>(at);
  for (const std::uint8_t poison : {std::uint8_t{0}, std::uint8_t{0xa5}}) {
    memory.fill(poison);
    CHECK(memory.first_change(poison, {}) == 0);
    at[5] = static_cast<std::uint8_t>(at[5] ^ 0x10);
    CHECK(memory.first_change(poison, {}) == address + 5);
    const device_memory::range announced[]{{address + 4, address + 6}};
    CHECK(memory.first_change(poison, announced) == 0);
    const device_memory::range before[]{{address + 4, address + 5}};
    CHECK(memory.first_change(poison, before) == address + 5);
    const device_memory::range behind[]{{address + 6, address + 9}};
    CHECK(memory.first_change(poison, behind) == address + 5);
  }
  memory.restore(memory.initial_image());
  CHECK(*static_cast<const int*>(memory.object()) == 3);
}

TEST_CASE("the poisons differ in each byte, and one of them from place to place") {
  std::size_t same = 0;
  for (std::uint64_t a = 0x1000; a < 0x2000; ++a) {
    CHECK(simt::poison_at(0, a) == 0);
    CHECK(simt::poison_at(0xa5, a) != 0);
    same += simt::poison_at(0xa5, a) == simt::poison_at(0xa5, a + 4) ? 1 : 0;
  }
  CHECK(same < 0x100);
}

TEST_CASE("nodes of pools") {
  laid_out run(
      "struct node { int value = 0; int next = 0; };\nsimt::pool<node, 3> one;\n"
      "simt::pool<node, 70> two;");
  const device_memory& memory = run.memory();
  REQUIRE(memory.pools().size() == 2);
  const simt::device_pool &one = memory.pools()[0], &two = memory.pools()[1];
  CHECK(memory.pool_nodes() == one.capacity + 1 + two.capacity + 1);
  CHECK(two.first == one.capacity + 1);
  for (const simt::device_pool* p : {&one, &two}) {
    CHECK(memory.node_at(p->nodes) == p->first);
    CHECK(memory.node_at(p->nodes + p->stride - 1) == p->first);
    CHECK(memory.node_at(p->nodes + p->stride) == p->first + 1);
    CHECK(memory.node_at(p->nodes + (p->capacity + 1) * p->stride - 1) == p->first + p->capacity);
    CHECK(memory.node_at(p->nodes - 1) == simt::no_node);
    CHECK(memory.node_at(p->nodes + (p->capacity + 1) * p->stride) == simt::no_node);
    CHECK(&memory.pool_of(p->first) == p);
    CHECK(&memory.pool_of(p->first + p->capacity) == p);
    CHECK(memory.node_of_word(p->words, 2) == p->first + 2);
  }
  CHECK(memory.node_of_word(one.words, 4) == simt::no_node);
  CHECK(memory.node_of_word(two.words + 8, 3) == two.first + 59);
  CHECK(memory.node_of_word(two.words, 56) == simt::no_node);
  // In use: handed out and not retired; never number 0.
  auto image = memory.initial_image();
  const auto set = [&](std::uint64_t word) {
    std::memcpy(image.data() + two.words_offset + 8, &word, 8);
  };
  set(std::uint64_t{3} << 56);
  CHECK(memory.is_in_use(two.first + 56, image));
  CHECK(memory.is_in_use(two.first + 58, image));
  CHECK_FALSE(memory.is_in_use(two.first + 59, image));
  set(std::uint64_t{3} << 56 | 0b010);
  CHECK_FALSE(memory.is_in_use(two.first + 57, image));
  CHECK(memory.is_in_use(two.first + 58, image));
  CHECK_FALSE(memory.is_in_use(two.first, image));
}
