// Accesses of the source that a compiler would forget, or that no instruction makes.
#include <doctest/doctest.h>

#include "tests/checker/run_source.hpp"

using test::kernel;
using test::source_run;

namespace {

std::string found(const std::string& members, const std::string& body) {
  return source_run(kernel(members, body)).found();
}

}  // namespace

TEST_CASE("a load whose value is dead may race") {
  for (const char* read : {"int r = p; (void)r;", "int r = p; r = 5; x.store(r);",
                           "x.store(p * 0);", "int r[2] = {p, p}; x.store(0 & r[1]);"}) {
    CAPTURE(read);
    CHECK(found("int p = 0; simt::atomic<int> x{0};",
                std::string("if (simt::lane_index() == 0) { ") + read + " } else p = 1;") ==
          "race");
  }
}

TEST_CASE("a dead load of a type that no general register holds may race") {
  for (const char* type : {"_Float16", "float __attribute__((vector_size(8)))", "__int128",
                           "float __attribute__((vector_size(16)))", "double", "bool"}) {
    CAPTURE(type);
    CHECK(found(std::string("using value = ") + type + "; value p{};",
                "if (simt::lane_index() == 0) { value r = p; (void)r; } else p = value{};") ==
          "race");
  }
}

TEST_CASE("a copy of an object whose value is dead may race") {
  for (const char* read :
       {"pair r = p; (void)r;", "pair r = p; x.store(r.b * 0);", "const pair r{p}; (void)r;"}) {
    CAPTURE(read);
    CHECK(found("struct pair { int a; short b; }; pair p{}; simt::atomic<int> x{0};",
                std::string("if (simt::lane_index() == 0) { ") + read + " } else p.b = 1;") ==
          "race");
  }
}

TEST_CASE("a dead load out of bounds") {
  CHECK(found("int q[2] = {};", "int r = q[simt::lane_index() + 100]; (void)r;") == "bad-access");
  CHECK(found("int q[2] = {};", "int* p = q; int r = p[1 << 20]; (void)r;") == "bad-access");
}

TEST_CASE("a load through a variable that is null, whatever becomes of its value") {
  const std::string members =
      "struct pair { int a, b; }; simt::atomic<int> x{0};"
      "SIMT_FN static int at(const int* p) { return *p; }";
  for (const char* read : {"int* n = nullptr; x.store(*n);", "pair* n = nullptr; x.store(n->a);",
                           "pair* n = nullptr; x.store(n->b);", "x.store(at(nullptr));",
                           "int* n = nullptr; int r = *n; (void)r;"}) {
    CAPTURE(read);
    CHECK(found(members, read) == "bad-access");
  }
}

TEST_CASE("an access through null as it is written") {
  for (const char* body :
       {"int r = *(int*)nullptr; (void)r;", "x = *(int*)nullptr;", "*(int*)nullptr = 1;",
        "int r = ((int*)nullptr)[3]; (void)r;", "if (*(int*)nullptr) x = 1;"}) {
    CAPTURE(body);
    CHECK(found("int x = 0;", body) == "bad-access");
  }
}

TEST_CASE("globals whose names are codes of types, or begin as reserved ones do") {
  for (const char* name : {"g", "n", "x", "i", "Pi", "__x", "__lock"}) {
    CAPTURE(name);
    source_run run(std::string("SIMT_GLOBAL int ") + name +
                   " = 0;\nstruct subject { int q = 0; SIMT_FN void operator()() { if "
                   "(simt::lane_index() == 0) " +
                   name + "++; } };\nSIMT_SUBJECT(subject);\n");
    CHECK(run.found() == "ok");
  }
}

TEST_CASE("an arm that is never taken, at the end of a body") {
  // The code generator gives such blocks an address that may be the next function's.
  for (int padding = 0; padding < 16; ++padding) {
    std::string body = "int r = 0; while (x.load() != 0) {}\n";
    for (int i = 0; i < padding; ++i) body += "x.store(" + std::to_string(i) + " * 0);\n";
    body += "if (r != 2) { simt::check(x.load() == 0, \"no\"); } else { while (x.load() != 1) {} }";
    CAPTURE(padding);
    for (const auto how : {simt::reconvergence::its, simt::reconvergence::stack}) {
      CHECK(source_run(kernel("simt::atomic<int> x{0};", body), {}, how).found() == "ok");
    }
  }
}
