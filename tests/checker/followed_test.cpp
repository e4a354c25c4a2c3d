// Lambdas and constexpr functions in device code: followed where they can be, an error where not.
#include <doctest/doctest.h>

#include "tests/checker/run_source.hpp"

using test::source_run;

namespace {

constexpr const char* headers =
    "#include <algorithm>\n#include <array>\n#include <bit>\n#include <cstdio>\n"
    "#include <cstdlib>\n#include <utility>\n";

/// `before` stands at line 8 of the file.
std::string with(const std::string& before, const std::string& members, const std::string& body) {
  return headers + before + "\n" + test::kernel(members, body);
}

std::string found(const std::string& before, const std::string& members, const std::string& body) {
  source_run run(with(before, members, body), {1, {1}});
  const std::string error = run.error();
  return error.empty() ? run.found() : error;
}

}  // namespace

TEST_CASE("lambdas") {
  CHECK(found("", "int x = 1;", "[&] { x = x + 1; }(); simt::check(x == 2, \"\");") == "ok");
  CHECK(found("template <class F> SIMT_FN void twice(F f) { f(); f(); }", "int x = 1;",
              "twice([&] { x = x + 1; }); simt::check(x == 3, \"\");") == "ok");
  CHECK(found("", "int x = 1;",
              "auto add = [&](auto y) { x = x + y; };\nadd(2); add(3L);\n"
              "auto both = [&] { add(1); add(1); };\nboth(); simt::check(x == 8, \"\");") == "ok");
}

TEST_CASE("what a lambda accesses is seen") {
  source_run run(with("template <class F> SIMT_FN void once(F f) { f(); }", "int x = 0;",
                      "once([&] { x = x + 1; });"));
  CHECK(run.found() == "race");
  source_run wrong(with("", "int x[2] = {};", "auto set = [&](int i) { x[i] = 1; }; set(200);"),
                   {1, {1}});
  CHECK(wrong.found() == "bad-access");
}

TEST_CASE("constexpr functions, and defaulted members") {
  CHECK(found("constexpr int half(int a) { return a / 2; }", "int x = 8;",
              "x = half(half(x)); simt::check(x == 2, \"\");") == "ok");
  CHECK(found("constexpr void bump(int& a) { a = a + 1; }", "int x = 8;",
              "bump(x); simt::check(x == 9, \"\");") == "ok");
  CHECK(found("template <class T>\nconstexpr T\n  largest(T a, T b) { return a < b ? b : a; }",
              "int x = 8;", "simt::check(largest(x, 9) == 9, \"\");") == "ok");
  CHECK(found("struct point { int a = 1, b = 2; point() = default; };", "int x = 0;",
              "point p; x = p.a + p.b; simt::check(x == 3, \"\");") == "ok");
  source_run run(with("constexpr void bump(int& a) { a = a + 1; }", "int x = 8;", "bump(x);"));
  CHECK(run.found() == "race");
}

TEST_CASE("the standard library's") {
  CHECK(found("", "int x = 8, y = 3;",
              "x = std::min(x, y); simt::check(x == 3 && std::max(x, 9) == 9, \"\");") == "ok");
  CHECK(found("", "int x = 8, y = 3;", "std::swap(x, y); simt::check(x == 3 && y == 8, \"\");") ==
        "ok");
  CHECK(found("", "int x = 8;", "simt::check(std::clamp(x, 1, 5) == 5, \"\");") == "ok");
  CHECK(found("", "std::array<int, 3> a{};",
              "for (int& each : a) each = each + 2; a[1] = 7;\n"
              "simt::check(a[0] == 2 && a[1] == 7 && a.size() == 3, \"\");") == "ok");
  CHECK(found("", "float x = 1; unsigned y = 40;",
              "simt::check(std::bit_cast<unsigned>(x) == 0x3f800000U, \"\");\n"
              "simt::check(std::popcount(y) == 2 && std::countr_zero(y) == 3, \"\");") == "ok");
}

TEST_CASE("under stack, too") {
  source_run run(
      with("constexpr int sign(int a) { return a < 0 ? -1 : 1; }", "simt::atomic<int> x{0};",
           "const auto side = [&] { return sign(int(simt::lane_index()) * 2 - 1); };\n"
           "x.fetch_add(side()); simt::syncwarp(); simt::check(x == 0, \"\");"),
      {1, {2}}, simt::reconvergence::stack);
  CHECK(run.found() == "ok");
}
