// Steps that commute with all that others may do are taken at once, and no others.
#include <doctest/doctest.h>

#include "tests/machine/reduced.hpp"

namespace {

using who = std::vector<std::uint32_t>;

constexpr warpcheck::reductions order{false, false, true, false};

const char* const cells =
    "alignas(8) simt::atomic<int> x{0}; alignas(8) simt::atomic<int> y{0};"
    "struct slot { alignas(8) simt::atomic<int> value{0}; }; slot own[2]; alignas(8) int data = 0;"
    "struct plain { alignas(8) int value = 0; }; plain mine[2];";

/// Two lanes in blocks of their own.
struct two_blocks : test::reduced {
  explicit two_blocks(const std::string& body)
      : reduced(cells, "const unsigned me = thread_rank();\n" + body, {2, {1}}, order) {}
};

}  // namespace

TEST_CASE("what only one lane touches concerns nobody") {
  two_blocks run("own[me].value.store(1); x.exchange(1);");
  CHECK(run.ahead(run.machine().initial()) == who{0, 1});
  // The other's is somebody else's.
  two_blocks crossed("own[me].value.store(1); own[1 - me].value.load();");
  CHECK(crossed.ahead(crossed.machine().initial()).empty());
}

TEST_CASE("what another lane may still read, or write, is not taken") {
  two_blocks run("x.exchange(1);");
  CHECK(run.ahead(run.machine().initial()).empty());
  // When nobody else is left, all is.
  CHECK(run.ahead(run.after({0})) == who{1});
}

TEST_CASE("reading what nobody writes any more") {
  two_blocks run("x.load(); y.store(1);");
  CHECK(run.ahead(run.machine().initial()) == who{0, 1});
  two_blocks writes("if (me == 0) { x.store(1); } else { x.load(); }\ny.exchange(1);");
  CHECK(writes.ahead(writes.machine().initial()).empty());
  // Once it has been written, it may be read at once.
  CHECK(writes.ahead(writes.after({0})) == who{1});
}

TEST_CASE("a store that others read is not taken before them") {
  two_blocks run("if (me == 0) { x.store(1); } else { x.load(); y.store(1); }");
  CHECK(run.ahead(run.machine().initial()).empty());
  // Whoever has read it does not mind any more.
  CHECK(run.ahead(run.after({1})) == who{0, 1});
}

TEST_CASE("fences and pauses concern nobody") {
  two_blocks run("nanosleep(1); atomic_thread_fence(memory_order_acq_rel); x.exchange(1);");
  CHECK(run.ahead(run.machine().initial()) == who{0, 0, 1, 1});
}

TEST_CASE("lanes of one block: what comes behind a barrier does not count before it") {
  const std::string body =
      "if (thread_rank() == 0) { x.store(1); }\nsyncthreads();\nif (thread_rank() == 1) { "
      "x.load(); "
      "}\ny.exchange(1);";
  test::reduced one_block(cells, body, {1, {1, 1}}, order);
  // The store, the barrier of block 0, and the load.
  CHECK(one_block.ahead(one_block.machine().initial()) == who{0, 0, 1});
  // Without the barrier it does.
  test::reduced without(
      cells, "if (thread_rank() == 0) { x.store(1); } else { x.load(); }\ny.exchange(1);",
      {1, {1, 1}}, order);
  CHECK(without.ahead(without.machine().initial()).empty());
}

TEST_CASE("lanes of other blocks do not wait at the barrier") {
  const std::string body =
      "if (block_index() == 0) { x.store(1); }\nsyncthreads();\nif (block_index() == 1) { "
      "x.load(); "
      "}\ny.exchange(1);";
  test::reduced run(cells, body, {2, {1}}, order);
  // Block 1 passes its barrier, and waits with its load for the store.
  CHECK(run.ahead(run.machine().initial()) == who{1});
}

TEST_CASE("an access that may race stays where others see it") {
  two_blocks run("data = 1; x.exchange(1);");
  CHECK(run.ahead(run.machine().initial()).empty());
  two_blocks alone("mine[me].value = 1; x.exchange(1);");
  CHECK(alone.ahead(alone.machine().initial()) == who{0, 1});
}

TEST_CASE("whoever goes round in such steps stays, and what is explored has an end") {
  two_blocks run("if (me == 0) { while (own[0].value.load() == 0) {\n} }\nx.store(1);");
  // (Nobody has seen lane 0 come to x.)
  CHECK(run.ahead(run.machine().initial()) == who{1});
  CHECK(run.states.size() == 1);
}

TEST_CASE("an access that cannot be carried out is not taken") {
  two_blocks run("int* p = &mine[0].value; if (me == 0) { p[100000] = 1; }\nx.exchange(1);");
  CHECK(run.ahead(run.machine().initial()) == who{1});
}

TEST_CASE("fewer states are explored, with the same ends") {
  const std::string body =
      "const unsigned me = thread_rank(); own[me].value.store(1); own[me].value.load();";
  test::reduced ahead(cells, body, {2, {1}}, order);
  test::reduced plain(cells, body, {2, {1}}, warpcheck::reductions::none());
  CHECK(ahead.ahead(ahead.machine().initial()) == who{0, 0, 1, 1});
  CHECK(ahead.states.size() == 1);
  CHECK(plain.states.size() == 9);
}
