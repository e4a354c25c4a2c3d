// Loads that get the condition of the `selp` that discards their value, and loads that get none.
#include <doctest/doctest.h>

#include <string>

#include "sim/ptx/discarded_loads.hpp"
#include "sim/ptx/parse.hpp"
#include "tests/ptx/texts.hpp"

namespace {

/// The instructions of a kernel of that body behind the first `bar`, one on each line, with guards.
std::string guarded(const std::string& body) {
  auto m = simt::ptx::parse(
      test::ptx_kernel("  .shared .align 4 .b8 s[8];\n  bar.sync 0;\n" + body + "$L_end:\n"));
  simt::ptx::guard_discarded_loads(m);
  std::string text;
  bool is_behind = false;
  for (const auto& i : m.kernels.back().instructions) {
    if (is_behind && i.opcode != "ret") {
      text +=
          (i.guard.empty() ? "" : (i.guard_negated ? "!" : "") + i.guard + " ") + i.opcode + "\n";
    }
    is_behind = is_behind || i.opcode == "bar";
  }
  return text;
}

const std::string load = "  ld.shared.u32 %r3, [s+4];\n";
const std::string compare = "  setp.gt.s32 %p1, %r1, 0;\n";
const std::string select = "  selp.b32 %r4, %r3, 0, %p1;\n";

}  // namespace

TEST_SUITE("discarded loads") {
  TEST_CASE("a load comes behind what computes its condition") {
    CHECK(guarded(load + compare + select) == "setp\n%p1 ld\nselp\n");
    CHECK(guarded(load + compare + "  selp.b32 %r4, 0, %r3, %p1;\n") == "setp\n!%p1 ld\nselp\n");
    CHECK(guarded(load + "  ld.shared.u32 %r5, [s];\n" + compare + select +
                  "  selp.b32 %r6, %r5, 0, %p1;\n") == "setp\n%p1 ld\nselp\n%p1 ld\nselp\n");
    CHECK(guarded(load + "  ld.shared.u32 %r5, [s];\n" + compare +
                  "  selp.b32 %r6, %r5, 0, %p1;\n" + select) ==
          "setp\n%p1 ld\nselp\n%p1 ld\nselp\n");
  }
  TEST_CASE("a condition that is known at the load") {
    const std::string on_one_side = "  @%p1 bra $L_2;\n" + load + "  bra.uni $L_3;\n$L_2:\n" +
                                    "  mov.u32 %r3, 7;\n$L_3:\n  bar.sync 0;\n" + select;
    CHECK(guarded(compare + on_one_side) == "setp\n%p1 bra\n%p1 ld\nbra\nmov\nbar\nselp\n");
    // A loop leads to the load, past what sets the condition.
    CHECK(guarded(compare + "$L_1:\n" + load + "  bar.sync 0;\n" + select +
                  "  setp.eq.s32 %p2, %r4, 0;\n  @%p2 bra $L_1;\n") ==
          "setp\nld\nbar\nselp\nsetp\n%p2 bra\n");
  }
  TEST_CASE("computations between a load and its `selp` come along") {
    const std::string add = "  add.u32 %r5, %r3, %r6;\n  selp.b32 %r4, %r5, 0, %p1;\n";
    CHECK(guarded(load + "  mov.u32 %r6, 2;\n" + compare + add) ==
          "mov\nsetp\n%p1 ld\nadd\nselp\n");
    CHECK(guarded(load + "  ld.shared.u32 %r6, [s];\n  add.u32 %r5, %r3, %r6;\n" + compare +
                  "  selp.b32 %r4, %r5, 0, %p1;\n") == "setp\n%p1 ld\n%p1 ld\nadd\nselp\n");
    // The sum is of the %r6 before.
    CHECK(guarded(load + "  add.u32 %r5, %r3, %r6;\n  mov.u32 %r6, 2;\n" + compare +
                  "  selp.b32 %r4, %r5, %r6, %p1;\n") == "ld\nadd\nmov\nsetp\nselp\n");
  }
  TEST_CASE("a value that is stored on the other side of the branch") {
    CHECK(guarded(compare + "  @%p1 bra $L_2;\n" + "  bra.uni $L_1;\n$L_2:\n  mov.u32 %r3, 7;\n" +
                  "  st.shared.u32 [s], %r3;\n  bra.uni $L_3;\n$L_1:\n" + load + "$L_3:\n" +
                  select) == "setp\n%p1 bra\nbra\nmov\nst\nbra\n%p1 ld\nselp\n");
  }
  TEST_CASE("loads that stay as they are") {
    const auto stays = [](const std::string& body) {
      return guarded(body).find(" ld") == std::string::npos;
    };
    CHECK(stays(load + compare + "  bar.sync 0;\n" + select));
    CHECK(stays(load + compare + "  st.shared.u32 [s], %r1;\n" + select));
    CHECK(stays(load + compare + select + "  add.u32 %r5, %r3, 1;\n"));  // used again
    CHECK(stays(load + compare + "  st.shared.u32 [s], %r3;\n" + select));
    CHECK(stays(load + "  add.u32 %r3, %r3, 1;\n" + compare + select));
    CHECK(stays(load + "  mov.u32 %r3, 1;\n" + compare + select));
    CHECK(stays(load + "$L_1:\n" + compare + select + "  @%p1 bra $L_1;\n"));
    CHECK(stays("  ld.volatile.shared.u32 %r3, [s];\n" + compare + select));
    CHECK(stays("  ld.relaxed.cta.shared.u32 %r3, [s];\n" + compare + select));
    CHECK(stays("  mov.u32 %r5, s;\n  ld.shared.u32 %r3, [%r5];\n" + compare + select));
    CHECK(stays(load + "  selp.b32 %r4, %r3, %r3, %p1;\n"));
    CHECK(
        stays(load + "  add.cc.u32 %r5, %r3, %r6;\n" + compare + "  selp.b32 %r4, %r5, 0, %p1;\n"));
    CHECK(stays(load + "  setp.gt.f32 %p1, %f1, 0f00000000;\n" + select));
    CHECK(stays("$L_1:\n" + compare + "  @%p2 mov.u32 %r3, 7;\n  add.u32 %r5, %r5, %r3;\n" + load +
                select + "  @%p3 bra $L_1;\n"));
    CHECK(stays(compare + load + "  shfl.sync.idx.b32 %r6|%p1, %r5, 0, 31, -1;\n" + select));
  }
}
