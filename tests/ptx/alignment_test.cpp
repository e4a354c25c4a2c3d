// Addresses of whole accesses in PTX: vectors, copies, local variables, constants.
#include <doctest/doctest.h>

#include <string>

#include <fmt/format.h>

#include "checker/report/report.hpp"
#include "sim/ptx/parse.hpp"
#include "sim/ptx/translate.hpp"
#include "sim/ptx/unsupported.hpp"
#include "tests/checker/run_source.hpp"
#include "tests/ptx/texts.hpp"

namespace {

/// A thread runs. `data`, whose address is %rd2, has 64 numbers; %r1 is `argument`.
test::source_run run_of(const std::string& body, std::uint64_t argument,
                        const std::string& before = "") {
  const auto m =
      simt::ptx::parse(test::ptx_kernel("  .shared .align 16 .b8 tile[64];\n"
                                        "  mov.u32 %r4, tile;\n"
                                        "  add.s32 %r5, %r4, %r1;\n"
                                        "  cvt.u64.u32 %rd3, %r1;\n"
                                        "  add.s64 %rd4, %rd2, %rd3;\n"
                                        "  mov.u32 %r10, 1;\n"
                                        "  mov.u32 %r11, 2;\n" +
                                            body,
                                        before));
  simt::ptx::launch l;
  l.block = {1, 1, 1};
  l.zero_shared = true;
  l.buffers.push_back({"data", 64, simt::ptx::type::u32, {}, {}});
  l.arguments.resize(2);
  l.arguments[0].pointers.push_back({0, 0, 0});
  l.arguments[1].bytes = {static_cast<std::uint8_t>(argument), 0, 0, 0};
  test::source_run run(simt::ptx::to_subject(m, m.kernels.back(), l), {1, {1}});
  run.what.subject = "kernel_subject";
  return run;
}
std::string found(const std::string& body, std::uint64_t argument) {
  return run_of(body, argument).found();
}
std::string why(const std::string& body, std::uint64_t argument, const std::string& before = "") {
  test::source_run run = run_of(body, argument, before);
  warpcheck::session ready(run.what, run.how);
  const warpcheck::run_result result = warpcheck::check(ready, run.bounds);
  REQUIRE(result.violations.size() == 1);
  warpcheck::names named(ready);
  std::string text;
  for (const std::string& s : warpcheck::show(ready, named, result.violations.front()).why)
    text += s + "\n";
  return text;
}

}  // namespace

TEST_CASE("a vector lies at a multiple of its whole size") {
  struct one {
    const char* text;
    unsigned size;
  };
  for (const one& each : {
           one{"  ld.global.v4.u32 {%r6, %r7, %r8, %r9}, [%rd4];\n", 16},
           one{"  st.global.v4.u32 [%rd4], {%r10, %r11, %r10, %r11};\n", 16},
           one{"  ld.global.v2.f32 {%f1, %f2}, [%rd4];\n", 8},
           one{"  st.v2.u64 [%rd4], {%rd1, %rd3};\n", 16},
           one{"  ld.global.v2.u8 {%rs1, %rs2}, [%rd4];\n", 2},
           one{"  ld.global.nc.v4.u32 {%r6, %r7, %r8, %r9}, [%rd4];\n", 16},
           one{"  ld.volatile.global.v4.u32 {%r6, %r7, %r8, %r9}, [%rd4];\n", 16},
           one{"  st.relaxed.gpu.global.v4.u32 [%rd4], {%r10, %r11, %r10, %r11};\n", 16},
           one{"  ld.shared.v4.u32 {%r6, %r7, %r8, %r9}, [%r5];\n", 16},
           one{"  st.shared.v2.u32 [%r5], {%r10, %r11};\n", 8},
       }) {
    CAPTURE(each.text);
    CHECK(found(each.text, each.size) == "ok");
    CHECK(found(each.text, each.size / 2) == "bad-access");
  }
  CHECK(why("  ld.global.v4.u32 {%r6, %r7, %r8, %r9}, [%rd4];\n", 4).find("reads 16 bytes at") !=
        std::string::npos);
}

TEST_CASE("both addresses of cp.async are multiples of its size") {
  const auto copy = [](const std::string& to, const std::string& from, const std::string& size) {
    return "  cp.async.ca.shared.global [" + to + "], [" + from + "], " + size +
           ";\n  cp.async.wait_all;\n";
  };
  CHECK(found(copy("%r5", "%rd4", "16"), 16) == "ok");
  CHECK(found(copy("%r5", "%rd2", "16"), 8) == "bad-access");
  CHECK(found(copy("%r4", "%rd4", "16"), 8) == "bad-access");
  CHECK(found(copy("%r5", "%rd4", "8"), 8) == "ok");
  CHECK(found(copy("%r4", "%rd4", "8"), 4) == "bad-access");
  CHECK(found(copy("%r4", "%rd2", "8, %r1"), 8) == "ok");
  CHECK(found(copy("%r4", "%rd2", "8, %r1"), 9) == "assertion");  // more bytes than the size
}

TEST_CASE("an access to a local variable lies at a multiple of its size") {
  // By an address that is known here, and by one that the argument determines.
  const std::string variable = "  .local .align 16 .b8 own[64];\n  mov.u64 %rd5, own;\n";
  const std::string index = "  add.s64 %rd6, %rd5, %rd3;\n";
  const std::string vector = "  ld.local.v4.u32 {%r6, %r7, %r8, %r9}, ";
  const std::string fill = "  st.local.v4.u32 [%rd5], {%r10, %r11, %r10, %r11};\n";
  CHECK(found(variable + fill + vector + "[%rd5];\n", 0) == "ok");
  CHECK(found(variable + fill + vector + "[%rd5+4];\n", 0) == "bad-access");
  CHECK(found(variable + fill + "  ld.local.u32 %r6, [%rd5+2];\n", 0) == "bad-access");
  const std::string more = "  st.local.v4.u32 [%rd5+16], {%r10, %r11, %r10, %r11};\n";
  CHECK(found(variable + fill + more + index + vector + "[%rd6];\n", 16) == "ok");
  CHECK(found(variable + fill + more + index + vector + "[%rd6];\n", 4) == "bad-access");
  CHECK(found(variable + fill + index + "  ld.local.u32 %r6, [%rd6];\n", 4) == "ok");
  CHECK(found(variable + fill + index + "  ld.local.u32 %r6, [%rd6];\n", 2) == "bad-access");
  CHECK(found(variable + fill + index + "  st.local.u64 [%rd6], %rd1;\n", 4) == "bad-access");
}

TEST_CASE("a parameter that is loaded as a whole lies at a multiple of the size") {
  const auto listed = [](const std::string& text) {
    const auto m = simt::ptx::parse(std::string(test::ptx_head) +
                                    ".entry k(.param .u64 a, .param .align 8 .b8 b[16]) {\n"
                                    "  .reg .b32 %r<3>;\n" +
                                    text + "  ret;\n}\n");
    const auto uses = simt::ptx::unsupported(m, m.kernels.back());
    return uses.empty() ? std::string() : uses.front().reason;
  };
  CHECK(listed("  ld.param.v2.u32 {%r1, %r2}, [b+8];\n").empty());
  CHECK(listed("  ld.param.v2.u32 {%r1, %r2}, [b+4];\n") ==
        "an access to a parameter at no multiple of its size");
}

TEST_CASE("a store to a constant is an access to read-only memory, by name") {
  const std::string constant = ".const .align 4 .b8 limits[16];\n";
  const std::string address =
      "  mov.u64 %rd5, limits;\n  cvta.const.u64 %rd5, %rd5;\n  add.s64 %rd5, %rd5, %rd3;\n";
  for (const char* const write : {"  st.u32 [%rd5], %r10;\n", "  atom.add.u32 %r6, [%rd5], 1;\n"}) {
    const std::string text = why(address + write, 4, constant);
    CAPTURE(text);
    CHECK(text.find("in read-only memory") != std::string::npos);
    CHECK(text.find("`limits`") != std::string::npos);
  }
  CHECK(run_of(address + "  ld.u32 %r6, [%rd5];\n", 4, constant).found() == "ok");
  CHECK(run_of(address + "  ld.u32 %r6, [%rd5];\n", 2, constant).found() == "bad-access");
}

TEST_CASE("a constant ends where it ends, whatever lies behind it") {
  for (const char* const more : {"", ".const .align 4 .b8 others[256] = {1, 2, 3};\n"}) {
    const std::string constants =
        ".const .align 4 .b8 limits[256] = {1, 2, 3};\n" + std::string(more);
    const auto loads = [&](const std::string& at) {
      std::string text = "  mov.u64 %rd5, limits;\n  ld.const.u32 %r6, [%rd5" + at + "];\n" +
                         "  st.global.u32 [%rd2], %r6;\n";
      if (more[0] != 0) text += "  ld.const.u32 %r7, [others];\n  st.global.u32 [%rd2+4], %r7;\n";
      return run_of(text, 1, constants).found();
    };
    CHECK(loads("+0") == "ok");
    CHECK(loads("+252") == "ok");
    CHECK(loads("+256") == "bad-access");
    CHECK(loads("+400") == "bad-access");
    CHECK(loads("+-4") == "bad-access");
  }
}

TEST_CASE("an address of another space becomes none of shared memory") {
  const std::string store = "  st.global.u32 [%rd2], %r6;\n";
  const auto loads = [&](const std::string& generic) {
    return generic + "  cvta.to.shared.u64 %rd6, %rd5;\n  ld.shared.u32 %r6, [%rd6];\n" + store;
  };
  const std::string of_shared = "  cvt.u64.u32 %rd5, %r4;\n  cvta.shared.u64 %rd5, %rd5;\n";
  CHECK(found(loads(of_shared), 0) == "ok");
  CHECK(found(loads("  mov.u64 %rd5, %rd1;\n"), 0) == "bad-access");
  CHECK(found("  cvta.to.shared.u64 %rd6, %rd1;\n  cvt.u32.u64 %r7, %rd6;\n"
              "  ld.shared.u32 %r6, [%r7];\n" +
                  store,
              0) == "bad-access");
}
