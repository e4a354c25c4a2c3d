// Lanes run from one operation to the next, each time with two poisons.
#include <doctest/doctest.h>

#include <algorithm>
#include <cfenv>
#include <cstring>

#include "sim/lane/lane_runner.hpp"
#include "tests/machine/lanes_of.hpp"

using simt::lane_image;
using simt::operation_kind;

namespace {

struct ran {
  explicit ran(const std::string& body, bool branch_stops = false)
      : of("simt::atomic<int> x{0}; simt::atomic<int> y{0}; int data[2] = {};", body, {},
           branch_stops ? simt::reconvergence::stack : simt::reconvergence::its),
        runner(of.run.setup().library, of.run.memory(), branch_stops) {}
  lane_image start() { return runner.start_body(of.run.setup().entry->body, 1); }
  /// The message of the error that comes of these answers; empty: none.
  std::string error(const std::vector<std::uint64_t>& answers) {
    try {
      lane_image at = start();
      for (const std::uint64_t a : answers) at = runner.resume(at, a);
    } catch (const simt::lane_error& e) {
      return e.what();
    }
    return {};
  }
  test::lanes_of of;
  simt::lane_runner runner;
};

bool contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

std::uint64_t address_of(const ran& r, std::uint64_t offset) {
  return reinterpret_cast<std::uint64_t>(r.of.run.memory().object()) + offset;
}

}  // namespace

TEST_CASE("a lane stops at each operation and goes on with what it is answered") {
  ran r("y.store(x.load() + 1); data[1] = 5;");
  const lane_image loads = r.start();
  CHECK(loads.next.kind == operation_kind::memory);
  CHECK(loads.next.memory == simt::detail::memory_kind::load);
  CHECK(loads.next.address == address_of(r, 0));
  CHECK(loads.next.size == 4);
  CHECK_FALSE(loads.next.weak);
  const lane_image stores = r.runner.resume(loads, 41);
  CHECK(stores.next.memory == simt::detail::memory_kind::store);
  CHECK(stores.next.address == address_of(r, 4));
  CHECK(stores.next.operand == 42);
  const lane_image writes = r.runner.resume(stores, 0);
  CHECK(writes.next.weak);
  CHECK(writes.next.address == address_of(r, 12));
  CHECK(writes.next.operand == 5);
  const lane_image ended = r.runner.resume(writes, 0);
  CHECK(ended.next.kind == operation_kind::exited);
  CHECK(ended.stack.empty());
  // An image can be gone on from again, with another answer, and by another runner of the same.
  CHECK(r.runner.resume(loads, 6).next.operand == 7);
  simt::lane_runner other = r.runner.another();
  const lane_image same = other.resume(loads, 41);
  CHECK(std::memcmp(&same.next, &stores.next, sizeof same.next) == 0);
  CHECK(same.stack == stores.stack);
  CHECK(same.dead == stores.dead);
  CHECK(r.runner.runs() == 5);
}

TEST_CASE("what nobody gave a lane is dead, whatever lies there") {
  ran r("int one[4]; one[x.load() & 3] = 7; y.store(one[x.load() & 3]);");
  const lane_image first = r.start();
  const lane_image second = r.runner.resume(first, 2);
  REQUIRE(second.dead.size() == second.stack.size());
  CHECK(std::ranges::count(second.dead, 1) >= 12);  // three elements
  for (std::size_t i = 0; i < second.dead.size(); ++i) {
    if (second.dead[i] != 0) CHECK(second.stack[i] == 0);
  }
  CHECK(r.runner.resume(second, 2).next.operand == 7);
  // So is what is made of it.
  ran made(
      "int one[4]; one[x.load() & 3] = 7; one[x.load() & 3] ^= 5; y.store(one[x.load() & 3]);");
  const lane_image third = made.runner.resume(made.runner.resume(made.start(), 2), 1);
  CHECK(std::ranges::count(third.dead, 1) >= 12);
  for (std::size_t i = 0; i < third.dead.size(); ++i) {
    if (third.dead[i] != 0) CHECK(third.stack[i] == 0);
  }
}

TEST_CASE("a lane that uses what nobody gave it is an error, even much later") {
  ran stores("int one[4]; one[x.load() & 3] = 7; x.load(); y.store(one[x.load() & 3]);");
  CHECK(stores.error({2, 0, 2}).empty());
  CHECK(contains(stores.error({2, 0, 1}), "not given"));
  ran decides("int one[4]; one[x.load() & 3] = 7; if (one[x.load() & 3] == 0) { y.store(1); }");
  CHECK(decides.error({2, 2}).empty());
  CHECK(contains(decides.error({2, 1}), "not given"));
  // Room for this one is made by pushing a register.
  ran pushed("int one[2]; one[x.load() & 1] = 7; y.store(one[x.load() & 1]);");
  CHECK(pushed.error({1, 1}).empty());
  CHECK(contains(pushed.error({1, 0}), "not given"));
}

TEST_CASE("what arithmetic has rounded is no state of a lane") {
  ran r("y.store(static_cast<float>(x.load()) / 3.0F > 10.0F); y.store(1);");
  std::feclearexcept(FE_ALL_EXCEPT);  // a lane begins with what this thread has
  const lane_image loads = r.start();
  const lane_image exact = r.runner.resume(r.runner.resume(loads, 3), 0);
  const lane_image rounded = r.runner.resume(r.runner.resume(loads, 1), 0);
  CHECK(exact.next.operand == 1);
  CHECK(exact.stack == rounded.stack);
  CHECK(exact.dead == rounded.dead);
}

TEST_CASE("device memory is read and written only by operations") {
  ran reads(
      "int r; int* p = data; asm volatile(\"movl (%1), %0\" : \"=r\"(r) : \"r\"(p));"
      "x.store(r);");
  CHECK(contains(reads.error({0}), "not given"));
  ran writes("int* p = data; asm volatile(\"movl $7, (%0)\" : : \"r\"(p) : \"memory\"); x.load();");
  CHECK(contains(writes.error({0}), "behind the simulator's back"));
  // Afterwards all is as before.
  ran fine("x.load();");
  CHECK(fine.error({0}).empty());
}

TEST_CASE("faults are errors of the lane, and the next run is not concerned") {
  ran divides("y.store(8 / x.load());");
  CHECK(contains(divides.error({0}), "divides by zero"));
  CHECK(divides.error({2, 0}).empty());
  ran wild(
      "int r; long p = x.load(); asm volatile(\"movl (%1), %0\" : \"=r\"(r) : \"r\"(p));"
      "y.store(r);");
  CHECK(contains(wild.error({16}), "0x10, which is not device memory"));
  ran deep("volatile int big[100000]; big[x.load()] = 1;");
  CHECK(contains(deep.error({0}), "64 KiB"));
}

TEST_CASE("a lane that comes back to where it was without an operation goes round for ever") {
  const std::string body = "int i = x.load(); while (i != 5) { i = (i * 7 + 2) & 3; }\ny.store(i);";
  for (const bool branch_stops : {false, true}) {
    ran r(body, branch_stops);
    const lane_image loads = r.start();
    const lane_image one = r.runner.resume(loads, 1);  // 1, 1, 1
    const std::size_t way = r.runner.way().size();
    CHECK(one.next.kind == operation_kind::endless);
    CHECK(one.next.pc != 0);
    CHECK(one.stack.empty());
    for (const std::uint64_t i : {0, 2, 3}) {  // 0, 2, 0, 2; 2, 0, 2, 0; 3, 3, 3
      const lane_image other = r.runner.resume(loads, i);
      CHECK(std::memcmp(&other.next, &one.next, sizeof one.next) == 0);
      CHECK(r.runner.way().size() == way);  // in lockstep they stop together
    }
    CHECK((way > 0) == branch_stops);
    CHECK(r.runner.resume(loads, 5).next.memory == simt::detail::memory_kind::store);
    CHECK(r.error({5, 0}).empty());
  }
  // A store before it is visible first.
  ran stores("data[0] = 7; while (data != nullptr) {}");
  const lane_image writes = stores.start();
  REQUIRE(writes.next.kind == operation_kind::memory);
  CHECK(writes.next.operand == 7);
  CHECK(stores.runner.resume(writes, 0).next.kind == operation_kind::endless);
}

TEST_CASE("a long loop goes round for ever only if it comes back to where it was") {
  const auto comes_to = [](const std::string& loop) {
    ran r("int n = x.load();\n" + loop + "\ny.store(n);");
    return r.runner.resume(r.start(), 1).next.kind;
  };
  CHECK(comes_to("for (int i = 0; i < 1'000; ++i) { n ^= i; }") == operation_kind::memory);
  CHECK(comes_to("for (int i = 0; i < 300'000; ++i) { n ^= i; }") == operation_kind::memory);
  // All but the outer counter comes again.
  CHECK(
      comes_to("for (int i = 0; i < 1'000; ++i) { for (int k = n; k < 90; ++k) { n = k & 1; } }") ==
      operation_kind::memory);
  CHECK(comes_to("volatile int a[1000] = {}; while (a[999] != 70'000) { a[999] = a[999] + 1; }") ==
        operation_kind::memory);
  // Counters that wrap, after 32,768 rounds.
  CHECK(comes_to("do { n = (n + 2) & 0xffff; } while (n != 0);") == operation_kind::endless);
  CHECK(comes_to("volatile int a[1000] = {}; while (a[999] != 5) { a[999] = (a[999] + 1) & 3; }") ==
        operation_kind::endless);
  CHECK(comes_to("for (;;) { n += simt::lane_index() == 0 ? 0 : 0; }") == operation_kind::index);
  CHECK_THROWS_AS(comes_to("for (unsigned i = 1; i != 0; i += 2) {}"), simt::lane_runaway);
}

TEST_CASE("a lane that decides by what nobody gave it is an error in a loop without end, too") {
  ran decides(
      "int one[4]; one[x.load() & 3] = 7; const int k = x.load() & 3;\n"
      "for (int i = 0; one[k] == 0; i = (i + 1) & 7) {}\ny.store(1);");
  CHECK(decides.error({2, 2}).empty());
  CHECK(contains(decides.error({2, 1}), "not given"));
}

TEST_CASE("branches on the way are noted only for who asks") {
  const std::string body = "if (x.load() == 1) { y.store(1); }\ny.store(2);";
  ran counts(body, true);
  counts.runner.resume(counts.start(), 1);
  const auto taken = counts.runner.way();
  CHECK_FALSE(taken.empty());
  counts.runner.resume(counts.start(), 0);
  CHECK(counts.runner.way() != taken);
  ran plain(body);
  plain.runner.resume(plain.start(), 1);
  CHECK(plain.runner.way().empty());
}
