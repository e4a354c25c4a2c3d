// What cannot be translated is named before anything runs.
#include <doctest/doctest.h>

#include <string>

#include "sim/ptx/parse.hpp"
#include "sim/ptx/translate.hpp"
#include "sim/ptx/unsupported.hpp"
#include "tests/ptx/texts.hpp"

namespace {

/// "16: reason" of each use, one behind the other.
std::string listed(const std::string& text) {
  const auto m = simt::ptx::parse(text);
  std::string all;
  for (const auto& use : simt::ptx::unsupported(m, m.kernels.back())) {
    all += (all.empty() ? "" : "; ") + std::to_string(use.line) + ": " + use.reason;
  }
  return all;
}

}  // namespace

TEST_CASE("a kernel that can be translated has nothing in the list") {
  CHECK(listed(test::ptx_lock(true)).empty());
}

TEST_CASE("all is listed, with its place") {
  const std::string text = test::ptx_kernel(
      "  .loc 1 7 3\n"
      "  frobnicate.b64 [%r2], 1;\n"
      "  mov.u32 %r3, %r2;\n"
      "  frobnicate.u32 %r2, %r3;\n");
  auto m = simt::ptx::parse(text + ".file 1 \"x.cu\"\n");
  const auto uses = simt::ptx::unsupported(m, m.kernels[0]);
  REQUIRE(uses.size() == 2);
  CHECK(uses[0].what == "frobnicate.b64 [%r2], 1;");
  CHECK(uses[0].line == 18);
  CHECK(uses[0].file == "x.cu");
  CHECK(uses[0].source_line == 7);
  CHECK(uses[1].what == "frobnicate.u32 %r2, %r3;");
  simt::ptx::launch l;
  l.arguments.resize(2);
  CHECK_THROWS_AS((void)simt::ptx::to_subject(m, m.kernels[0], l), std::invalid_argument);
}

TEST_CASE("what a called function has is listed as well") {
  CHECK(listed(test::ptx_kernel("  call.uni f, ();\n", ".func f() { frobnicate.b32; ret; }\n")) ==
        "4: an instruction that is not known");
  CHECK(listed(test::ptx_kernel("  ret;\n", ".func f() { frobnicate.b32; ret; }\n")).empty());
  CHECK(listed(test::ptx_kernel("  call.uni f, ();\n", ".func f() { call.uni f, (); ret; }\n"))
            .find("a function that calls itself") != std::string::npos);
  CHECK(listed(test::ptx_kernel("  call.uni g, ();\n", ".extern .func g();\n"))
            .find("whose body is not in the text") != std::string::npos);
}

TEST_CASE("an approximation does no harm where nothing depends on it") {
  const std::string sine =
      "  mov.b32 %f1, %r1;\n"
      "  sin.approx.f32 %f2, %f1;\n";
  CHECK(listed(test::ptx_kernel(sine + "  st.global.f32 [%rd2], %f2;\n")).empty());
  // Through memory, whatever is loaded from there may be it.
  CHECK_FALSE(listed(test::ptx_kernel(sine + "  st.global.f32 [%rd2], %f2;\n"
                                             "  ld.global.u32 %r2, [%rd2+8];\n"
                                             "  bar.warp.sync %r2;\n"))
                  .empty());
  CHECK_FALSE(listed(test::ptx_kernel(sine + "  st.f32 [%rd1], %f2;\n"
                                             "  ld.shared.u32 %r2, [%r3];\n"
                                             "  bar.warp.sync %r2;\n"))
                  .empty());
  // As an address, and as a mask.
  CHECK_FALSE(listed(test::ptx_kernel(sine + "  mov.b32 %r2, %f2;\n  cvt.u64.u32 %rd3, %r2;\n"
                                             "  st.global.u32 [%rd3], %r1;\n"))
                  .empty());
  CHECK_FALSE(listed(test::ptx_kernel(sine + "  mov.b32 %r2, %f2;\n"
                                             "  vote.sync.ballot.b32 %r3, 1, %r2;\n"))
                  .empty());
}

namespace {

/// "16: reason" of each assumption.
std::string assumptions(const std::string& text) {
  const auto m = simt::ptx::parse(text);
  std::string all;
  for (const auto& use : simt::ptx::assumed(m, m.kernels.back())) {
    all += (all.empty() ? "" : "; ") + std::to_string(use.line) + ": " + use.reason;
  }
  return all;
}

}  // namespace

TEST_CASE("a comparison of an approximation has either result, where a branch depends on it") {
  const std::string sine =
      "  mov.b32 %f1, %r1;\n"
      "  sin.approx.f32 %f2, %f1;\n";
  const std::string branch =
      sine + "  mov.b32 %r2, %f2;\n  setp.eq.s32 %p1, %r2, 0;\n  @%p1 bra $L;\n  trap;\n$L:\n";
  CHECK(listed(test::ptx_kernel(branch)).empty());
  CHECK(assumptions(test::ptx_kernel(branch)) ==
        "20: both results of a comparison are explored, since one of its numbers is not known");
  // The value itself is not known where it selects nothing but values.
  const std::string selection = sine + "  setp.gt.f32 %p1, %f2, %f1;\n  selp.b32 %r2, 1, 2, %p1;\n";
  CHECK(assumptions(test::ptx_kernel(selection + "  st.global.u32 [%rd2], %r2;\n")).empty());
  // As an address it is compared first, or not at all.
  CHECK(listed(test::ptx_kernel(selection + "  cvt.u64.u32 %rd3, %r2;\n"
                                            "  st.global.u32 [%rd3], %r1;\n"))
            .empty());
  CHECK(listed(test::ptx_kernel(branch + "  cvt.u64.u32 %rd3, %r2;\n"
                                         "  st.global.u32 [%rd3], %r1;\n")) ==
        "18: an approximation, and `st.global.u32 [%rd3], %r1;` in line 25 depends on it");
  // Registers are followed into functions.
  const char* const function =
      ".func f(.reg .f32 x) { .reg .pred p; setp.gt.f32 p, x, 0f00000000; "
      "@p bra L; trap; L: ret; }\n";
  CHECK_FALSE(assumptions(test::ptx_kernel(sine + "  call f, (%f2);\n", function)).empty());
  CHECK(assumptions(
            test::ptx_kernel(sine + "  call f, (%f1);\n  st.global.f32 [%rd2], %f2;\n", function))
            .empty());
}

TEST_CASE("a clock that something depends on is an assumption") {
  const auto m =
      simt::ptx::parse(test::ptx_kernel("  mov.u64 %rd3, %globaltimer;\n"
                                        "  setp.gt.u64 %p1, %rd3, 100;\n"
                                        "  @%p1 bra $L;\n  trap;\n$L:\n"));
  CHECK(simt::ptx::unsupported(m, m.kernels[0]).empty());
  const auto assumed = simt::ptx::assumed(m, m.kernels[0]);
  REQUIRE(assumed.size() == 1);
  CHECK(assumed[0].reason.starts_with("time stands still"));
}
