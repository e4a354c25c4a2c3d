// Names of source lines, members and variables.
#include "sim/subject/location.hpp"

#include <algorithm>

#include <doctest/doctest.h>

#include "tests/sim/subject_fixture.hpp"

using namespace simt;
using namespace simt::test;

namespace {
std::uint64_t return_address = 0;
}

extern "C" {
void mark_0();
void mark_0() { return_address = reinterpret_cast<std::uint64_t>(__builtin_return_address(0)); }
}

namespace {

// Line numbers are asserted below: they count from the `#line`.
const std::string source = preamble + R"(#line 100 "locks.hpp"
namespace simt {
template <typename T> struct atomic_storage { T raw{}; };
template <typename T> struct atomic { atomic_storage<T> inner; };
}
namespace locks {
struct tas {
  simt::atomic<int> held;
  DEVICE void lock() {
    while (!try_lock(&held)) {}
    mark_0();
  }
};
}
struct empty {};
struct base { long first = 0; };
struct node { simt::atomic<node*> next; short key[2][3] = {}; };
namespace {
template <typename Lock> struct counter : empty, base {
  Lock lock;
  const unsigned value = 1;
  node nodes[3];
  struct { int inner = 0; } unnamed;
  DEVICE void operator()(unsigned repeat) {
    for (unsigned i = 0; i < repeat; ++i) {
      lock.lock();
    }
  }
};
}
enum side : int { left, right };
template <side which> struct sided { node* nodes; int number; };
sided<right> one_side;
template <typename T> struct workload { T subject; };
template <unsigned> struct by_unsigned { unsigned first, second; };
template <side> struct by_side { unsigned first, second; };
template <typename T, unsigned long> struct by_both { T first, second; };
template <typename Workload> struct runner {
  static inline Workload object;
  [[gnu::noinline]] static void body() { object.subject.second = 1; }
};
[[gnu::used]] void (*runners[])() = {
    runner<workload<by_unsigned<3>>>::body, runner<workload<by_side<right>>>::body,
    runner<workload<by_both<int, 2>>>::body};
struct values {
  unsigned long many; side which; float part; simt::atomic<unsigned> word; char letter;
  volatile bool yes; node* other;
};
values all_values;
using counted = counter<locks::tas>;
node table[4];
)" + registered("counted");

}  // namespace

TEST_CASE("a return address becomes the chain of inlined calls") {
  const subject_folder folder;
  const auto library = folder.load(source);
  alignas(16) unsigned char object[512];
  REQUIRE(library->entries[0]->size <= sizeof object);
  library->entries[0]->construct(object);
  library->entries[0]->body(object, 1);

  const debug_info names(library->file);
  const std::vector<source_frame> frames = names.frames(return_address);
  REQUIRE(frames.size() == 3);
  CHECK(frames[0].function == "locks::tas::lock");
  CHECK(frames[0].line == 109);
  CHECK(frames[0].file.substr(frames[0].file.size() - 10) == "/locks.hpp");
  CHECK(frames[0].file.front() == '/');
  CHECK(frames[0].column == 5);
  CHECK(frames[1].function == "counter<locks::tas>::operator()");
  CHECK(frames[1].line == 124);
  CHECK(frames[1].column == 12);
  CHECK(frames[2].function == "body");

  CHECK(names.frames(0).empty());
  CHECK(names.frames(reinterpret_cast<std::uint64_t>(&mark_0)).empty());
}

TEST_CASE("an offset becomes the path to a member") {
  const subject_folder folder;
  const debug_info names(folder.load(source)->file);
  for (const char* type :
       {"counter<locks::tas>", "(anonymous namespace)::counter<locks::tas>", "counted"}) {
    CAPTURE(type);
    CHECK(names.member(type, 0).name == "first");
    CHECK(names.member(type, 8).name == "lock.held");
    CHECK(names.member(type, 10).name == "lock.held+2");
    CHECK(names.member(type, 12).name == "value");
    CHECK(names.member(type, 16).name == "nodes[0].next");
    CHECK(names.member(type, 16 + 24 + 16).name == "nodes[1].key[1][1]");
    CHECK(names.member(type, 16 + 72).name == "unnamed.inner");
    CHECK(names.member(type, 1000).name == "+1000");
  }
  CHECK(names.member("tas", 0).name == "held");
  CHECK(names.member("as", 0).name == "+0");
  CHECK(names.member("unknown", 4).name == "+4");
  CHECK(names.member("", 4).name == "+4");
}

TEST_CASE("enumerators in template arguments may be written in other ways") {
  const subject_folder folder;
  const debug_info names(folder.load(source)->file);
  CHECK(names.member("sided<right>", 8).name == "number");
  CHECK(names.member("sided<(side)1>", 8).name == "number");
}

TEST_CASE("a type is found through a function of its class, however its name is written") {
  const subject_folder folder;
  const auto library = folder.load(source);
  const debug_info names(library->file);
  const auto global = std::ranges::find(library->globals, "runners", &device_global::name);
  REQUIRE(global != library->globals.end());
  const auto* const runners = reinterpret_cast<const std::uint64_t*>(global->address);
  for (int i = 0; i < 3; ++i) {
    CAPTURE(i);
    CHECK(names.member({"no such name", runners[i]}, 4).name == "subject.second");
  }
  CHECK(names.member({"sided<right>", 1}, 8).name == "number");
}

TEST_CASE("values are written as their types have it") {
  const subject_folder folder;
  const debug_info names(folder.load(source)->file);
  using kind = value_type::kind;
  const auto type_at = [&](std::uint64_t offset) { return names.member("values", offset).type; };
  CHECK(type_at(0).what == kind::unsigned_integer);
  CHECK(type_at(4).what == kind::signed_integer);  // the middle of a number is no number
  CHECK(type_at(8).what == kind::signed_integer);
  CHECK(type_at(8).enumerators == std::map<std::int64_t, std::string>{{0, "left"}, {1, "right"}});
  CHECK(type_at(12).what == kind::real);
  CHECK(type_at(16).what == kind::unsigned_integer);  // within an atomic
  CHECK(type_at(20).what == kind::signed_integer);
  CHECK(type_at(21).what == kind::boolean);
  CHECK(type_at(24).what == kind::signed_integer);
  CHECK(names.variable("all_values", 0).type.what == kind::unsigned_integer);
  CHECK(names.element("sided<right>", 0, 24 + 8).type.what == kind::signed_integer);
}

TEST_CASE("an offset into an array that a member points to") {
  const subject_folder folder;
  const debug_info names(folder.load(source)->file);
  CHECK(names.element("sided<right>", 0, 24).name == "[1].next");
  CHECK(names.element("sided<right>", 0, 10).name == "[0].key[0][1]");
  CHECK(names.element("sided<right>", 8, 10).name == "+10");
}

TEST_CASE("an offset into a global") {
  const subject_folder folder;
  const debug_info names(folder.load(source)->file);
  CHECK(names.variable("table", 24).name == "table[1].next");
  CHECK(names.variable("table", 34).name == "table[1].key[0][1]");
  CHECK(names.variable("unknown", 0).name == "unknown");
  CHECK(names.variable("unknown", 8).name == "unknown+8");
}

TEST_CASE("a file without debug information") {
  const subject_folder folder;
  const debug_info names(folder.write("text.so", "no shared object"));
  CHECK(names.frames(4096).empty());
  CHECK(names.member("kernel", 4).name == "+4");
  CHECK(names.variable("table", 4).name == "table+4");
}
