// What device code must not do is an error that names it and the place.
#include <doctest/doctest.h>

#include "tests/checker/run_source.hpp"

using test::kernel;
using test::source_run;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("allocation in device code") {
  const std::string error =
      source_run(kernel("int x = 0;", "int* p = new int(1); x = *p;")).error();
  CAPTURE(error);
  CHECK(contains(error, "must not allocate"));
  CHECK(contains(error, "subject.hpp:5"));
}

TEST_CASE("a pointer to a local variable in device memory") {
  const std::string error =
      source_run(kernel("int* p = nullptr;", "int local[4] = {}; p = &local[simt::lane_index()];"))
          .error();
  CAPTURE(error);
  CHECK(contains(error, "pointer to a local variable"));
  CHECK(contains(error, "subject.hpp:5"));
}

TEST_CASE("the same through an atomic") {
  const std::string error =
      source_run(kernel("simt::atomic<int*> p{nullptr};",
                        "int local[4] = {}; p.store(&local[simt::lane_index()]);"))
          .error();
  CHECK(contains(error, "pointer to a local variable"));
}

TEST_CASE("a variable that each thread of the host has") {
  const char* const use = "static thread_local int own = 3; ++own; a.store(own);";
  const std::string error = source_run(kernel("simt::atomic<int> a{0};", use)).error();
  CAPTURE(error);
  CHECK(contains(error, "thread_local variable `subject::operator()()::own`"));
  CHECK(contains(error, "make it a local variable"));
  CHECK(contains(error, "subject.hpp:5"));
  // Another one than the first, and by an address that was taken.
  const std::string other =
      source_run("thread_local long first, second;\n" +
                 kernel("simt::atomic<int> a{0};", "long* p = &second; a.store(int(*p));"))
          .error();
  CAPTURE(other);
  CHECK(contains(other, "thread_local variable `second`"));
  // One whose initializer runs in each thread.
  const std::string made =
      source_run("inline int four() { return 4; }\nthread_local int made = four();\n" +
                 kernel("simt::atomic<int> a{0};", "a.store(made);"))
          .error();
  CAPTURE(made);
  CHECK(contains(made, "the initializer of the thread_local variable `made`"));
  // Host code may use such variables.
  CHECK(source_run("thread_local int own = 0;\n" +
                   kernel("simt::atomic<int> a{0};", "a.store(1);", "own = 1; return own == 1;"))
            .error()
            .empty());
}

TEST_CASE("an uninitialized variable decides") {
  const std::string error = source_run(kernel("simt::atomic<int> x{0};",
                                              "int a[2]; if (x.load() != 0) { a[0] = a[1] = 1; }\n"
                                              "x.fetch_add(a[simt::lane_index() & 1]);"))
                                .error();
  CAPTURE(error);
  CHECK(contains(error, "not given"));
}

TEST_CASE("an uninitialized variable decides, on a page of the stack that no lane had come to") {
  const std::string error = source_run(kernel("simt::atomic<int> x{0};",
                                              "int a[8192]; volatile int* p = a; x.fetch_add(1);\n"
                                              "if (simt::lane_index() == 1) p[3] = 7;\n"
                                              "if (p[3] == 0) x.store(5);"))
                                .error();
  CAPTURE(error);
  CHECK(contains(error, "not given"));
}

TEST_CASE("local variables that fill most of the lane's stack") {
  CHECK(source_run(kernel("simt::atomic<int> x{0};",
                          "int a[12000]; volatile int* p = a;\n"
                          "for (int i = 0; i < 12000; ++i) p[i] = i + int(simt::lane_index());\n"
                          "x.fetch_add(1);\n"
                          "simt::check(p[0] == int(simt::lane_index()), \"the first\");\n"
                          "simt::check(p[11999] == 11999 + int(simt::lane_index()), \"last\");"))
            .found() == "ok");
}

TEST_CASE("an uninitialized variable decides that compilers make room for by pushing a register") {
  const std::string error =
      source_run(kernel("simt::atomic<int> x{0}, y{0};",
                        "int a[2]; a[x.load() & 1] = 3; x.store(a[1 - (y.load() & 1)]);"))
          .error();
  CAPTURE(error);
  CHECK(contains(error, "not given"));
}

TEST_CASE("a function that is not inlined") {
  const std::string error =
      source_run(
          "struct subject {\nint x = 0;\n__attribute__((noinline)) void slow() { x = 1; }\n"
          "SIMT_FN void operator()() { slow(); }\n};\nSIMT_SUBJECT(subject);\n")
          .error();
  CAPTURE(error);
  CHECK(contains(error, "SIMT_FN"));
}

TEST_CASE("a lane that runs on without a visible operation is stopped and named") {
  for (const auto model : {simt::reconvergence::its, simt::reconvergence::stack}) {
    source_run run(kernel("simt::atomic<int> x{0};",
                          "unsigned i = x.fetch_add(1) | 1;\nwhile (i != 0) { i += 2; }"),
                   {}, model);
    const warpcheck::run_result result = run.check();
    CAPTURE(result.stopped);
    CHECK(result.gravest == warpcheck::verdict::inconclusive);
    CHECK(contains(result.stopped, "without any visible operation"));
    CHECK(contains(result.stopped, "subject.hpp:6"));
  }
}

TEST_CASE("bad accesses") {
  CHECK(source_run(kernel("int a[2] = {};", "a[1000 + simt::lane_index()] = 1;")).found() ==
        "bad-access");
  CHECK(source_run(kernel("int a[2] = {};", "a[0] = a[simt::lane_index() - 100000];")).found() ==
        "bad-access");
  CHECK(source_run(kernel("int* p = nullptr;", "*p = 1;")).found() == "bad-access");
  CHECK(source_run(kernel("int x = 0;", "simt::atomicAdd((int*)8, 1); x = 1;")).found() ==
        "bad-access");
  CHECK(source_run(
            kernel("alignas(8) char a[16] = {};", "*reinterpret_cast<volatile int*>(a + 1) = 1;"))
            .found() == "bad-access");
  CHECK(source_run(
            kernel("alignas(8) char a[16] = {};", "*reinterpret_cast<volatile int*>(a + 4) = 1;"))
            .found() == "ok");
}

TEST_CASE("block-shared memory belongs to its block") {
  const std::string code =
      "struct tag;\nstruct subject {\nsimt::atomic<int*> p{nullptr};\nSIMT_FN void operator()() {\n"
      "int& mine = simt::block_shared<int, tag>();\n"
      "if (simt::block_index() == 0) { p.store(&mine); }\n"
      "else { int* other = p.load(); if (other != nullptr) { *other = 1; } }\n}\n};\n"
      "SIMT_SUBJECT(subject);\n";
  CHECK(source_run(code, {2, {1}}).found() == "bad-access");
  CHECK(source_run(code, {1, {2}}).found() == "ok");
}

TEST_CASE("constants of the program are not device memory, and may be read") {
  CHECK(source_run(kernel("int x = 0;",
                          "static constexpr int table[4] = {3, 1, 4, 1};\n"
                          "const int* p = table; simt::check(p[simt::lane_index()] != 2, \"\");"))
            .found() == "ok");
}

TEST_CASE("a struct copy is one access for each 8 bytes, and padding is nobody's value") {
  const std::string code =
      "struct node { int key; char tag; long value; };\n" +
      kernel("node a{1, 'x', 2}, b{};", "if (simt::lane_index() == 0) { b = a; }");
  CHECK(source_run(code).found() == "ok");
}

TEST_CASE("lane code that fails an assert ends the run") {
  CHECK(source_run("#include <cassert>\n" +
                   kernel("simt::atomic<int> x{0};", "assert(x.fetch_add(1) == 0);"))
            .found() == "assertion");
}

TEST_CASE("globals of the subject are device memory") {
  CHECK(source_run("SIMT_GLOBAL int hits = 0;\n" + kernel("int x = 0;", "hits = hits + 1;"))
            .found() == "race");
  CHECK(source_run(
            "SIMT_GLOBAL int hits = 0;\n" +
            kernel("int x = 0;",
                   "simt::atomicAdd(&hits, 1); simt::syncwarp(); simt::check(hits == 2, \"\");"))
            .found() == "ok");
}

TEST_CASE("init() runs once, before the lanes") {
  const std::string code =
      kernel("int x = 0;\nSIMT_FN void init() { x = 5; }", "simt::check(x == 5, \"x is 5\");");
  CHECK(source_run(code).found() == "ok");
}

TEST_CASE("local variables that do not fit the lane's stack") {
  const std::string error =
      source_run(kernel("int x = 0;", "volatile int big[100000]; big[simt::lane_index()] = 1;"))
          .error();
  CAPTURE(error);
  CHECK(contains(error, "large arrays"));
}

TEST_CASE("inline assembly that writes behind the simulator's back") {
  const std::string error =
      source_run(
          kernel("int x = 0;\nint y = 0;",
                 "int* p = &y; asm volatile(\"movl $7, (%0)\" : : \"r\"(p) : \"memory\"); x = 1;"))
          .error();
  CAPTURE(error);
  CHECK(contains(error, "behind the simulator's back"));
}

TEST_CASE("comparing memory is loads") {
  CHECK(source_run(kernel("int x = 1;\nint y = 2;",
                          "simt::check(__builtin_memcmp(&x, &y, 4) == 0, \"same\");"))
            .found() == "assertion");
}

TEST_CASE("an access that the passes do not see is an error, not a verdict") {
  const std::string error =
      source_run(kernel("struct { unsigned id : 24; unsigned char s; } x{1, 0}, y{2, 0};",
                        "simt::check(x.id == y.id, \"same\");"))
          .error();
  CAPTURE(error);
  CHECK(contains(error, "an access of type i24 would not be seen"));
}

TEST_CASE("traps and barriers that do not exist") {
  CHECK(contains(source_run(kernel("simt::atomic<int> x{0};", "x.store(8 / x.load());")).error(),
                 "divides by zero"));
  CHECK(contains(source_run(kernel("int x = 0;", "simt::named_barrier_sync(77, 1);")).error(),
                 "numbered barriers"));
}

TEST_CASE("too many lanes at one activemask: inconclusive, at once") {
  source_run run(kernel("int x = 0;", "simt::check(simt::activemask() != 0, \"\");"), {1, {32}});
  const warpcheck::run_result result = run.check();
  CHECK(result.gravest == warpcheck::verdict::inconclusive);
  CHECK(contains(result.stopped, "activemask"));
}

TEST_CASE("accesses of sizes that no pass would see") {
  const auto error_of = [](const std::string& members, const std::string& body) {
    return source_run(kernel(members, body)).error();
  };
  const std::string wide = "typedef int v8 __attribute__((vector_size(32))); v8 p{}, q{};";
  CHECK(contains(error_of(wide, "p = q;"), "<8 x i32>"));
  CHECK(contains(error_of(wide, "\np = q;"), "subject.hpp:6"));
  CHECK(contains(error_of("long double x = 0;", "x = 1;"), "x86_fp80"));
  CHECK(contains(
      error_of("struct bits { unsigned a : 24; unsigned char b; } x{}, y{};", "y.a = x.a;"),
      "i24"));
  CHECK(error_of("struct bits { unsigned a : 24; unsigned b : 8; } x{}, y{};", "y.a = x.a;") == "");
  CHECK(error_of("struct wide { long v[4]; } x{}, y{};", "y = x;") == "");
}
