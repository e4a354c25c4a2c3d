// Names of source lines, members and variables.
#include "sim/subject/location.hpp"

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
    CHECK(names.member(type, 0) == "first");
    CHECK(names.member(type, 8) == "lock.held");
    CHECK(names.member(type, 10) == "lock.held+2");
    CHECK(names.member(type, 12) == "value");
    CHECK(names.member(type, 16) == "nodes[0].next");
    CHECK(names.member(type, 16 + 24 + 16) == "nodes[1].key[1][1]");
    CHECK(names.member(type, 16 + 72) == "unnamed.inner");
    CHECK(names.member(type, 1000) == "+1000");
  }
  CHECK(names.member("tas", 0) == "held");
  CHECK(names.member("as", 0) == "+0");
  CHECK(names.member("unknown", 4) == "+4");
  CHECK(names.member("", 4) == "+4");
}

TEST_CASE("enumerators in template arguments may be written in other ways") {
  const subject_folder folder;
  const debug_info names(folder.load(source)->file);
  CHECK(names.member("sided<right>", 8) == "number");
  CHECK(names.member("sided<(side)1>", 8) == "number");
}

TEST_CASE("an offset into an array that a member points to") {
  const subject_folder folder;
  const debug_info names(folder.load(source)->file);
  CHECK(names.element("sided<right>", 0, 24) == "[1].next");
  CHECK(names.element("sided<right>", 0, 10) == "[0].key[0][1]");
  CHECK(names.element("sided<right>", 8, 10) == "+10");
}

TEST_CASE("an offset into a global") {
  const subject_folder folder;
  const debug_info names(folder.load(source)->file);
  CHECK(names.variable("table", 24) == "table[1].next");
  CHECK(names.variable("table", 34) == "table[1].key[0][1]");
  CHECK(names.variable("unknown", 0) == "unknown");
  CHECK(names.variable("unknown", 8) == "unknown+8");
}

TEST_CASE("a file without debug information") {
  const subject_folder folder;
  const debug_info names(folder.write("text.so", "no shared object"));
  CHECK(names.frames(4096).empty());
  CHECK(names.member("kernel", 4) == "+4");
  CHECK(names.variable("table", 4) == "table+4");
}
