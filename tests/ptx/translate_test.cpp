// Kernels in PTX through the whole way: their subjects compile, run, and show their mistakes.
#include <doctest/doctest.h>

#include <string>

#include "sim/ptx/parse.hpp"
#include "sim/ptx/translate.hpp"
#include "tests/checker/run_source.hpp"
#include "tests/ptx/texts.hpp"

namespace {

using simt::ptx::argument;
using simt::ptx::launch;
using simt::ptx::type;

/// One buffer `data` of numbers of 32 bits as argument 0, `number` as argument 1.
launch launch_of(std::uint32_t blocks, std::uint32_t threads, std::vector<std::uint32_t> values,
                 std::uint32_t number = 0) {
  launch l;
  l.grid = {blocks, 1, 1};
  l.block = {threads, 1, 1};
  simt::ptx::buffer data{"data", values.size(), type::u32, {}, {}};
  for (const std::uint32_t v : values) {
    for (int k = 0; k < 4; ++k) data.bytes.push_back(static_cast<std::uint8_t>(v >> 8 * k));
  }
  l.buffers.push_back(std::move(data));
  argument pointer;
  pointer.pointers.push_back({0, 0, 0});
  argument of_number;
  for (int k = 0; k < 4; ++k) of_number.bytes.push_back(static_cast<std::uint8_t>(number >> 8 * k));
  l.arguments = {pointer, of_number};
  return l;
}

test::source_run run_of(const std::string& text, const launch& l) {
  const auto m = simt::ptx::parse(text);
  std::vector<std::uint32_t> lanes;
  for (std::uint32_t left = l.block[0] * l.block[1] * l.block[2]; left > 0;) {
    lanes.push_back(std::min<std::uint32_t>(left, 32));
    left -= lanes.back();
  }
  test::source_run run(simt::ptx::to_subject(m, m.kernels.back(), l),
                       {l.grid[0] * l.grid[1] * l.grid[2], lanes});
  run.what.subject = "kernel_subject";
  return run;
}

std::string found(const std::string& text, const launch& l) { return run_of(text, l).found(); }

/// Traps where a condition, computed to %p1, does not hold.
std::string trap_unless_p1 = "  @%p1 bra $L_good;\n  trap;\n$L_good:\n";

}  // namespace

TEST_CASE("a lock with fences is right, without them a race") {
  const launch l = launch_of(2, 1, {0, 0});
  test::source_run right = run_of(test::ptx_lock(true), l);
  CHECK(right.found() == "ok");
  right.how.machine.memory = simt::memory_model::ptx;
  CHECK(right.found() == "ok");
  test::source_run wrong = run_of(test::ptx_lock(false), l);
  wrong.how.machine.memory = simt::memory_model::ptx;
  CHECK(wrong.found() == "race");
}

TEST_CASE("reconvergence is that of PTX's blocks") {
  test::source_run run = run_of(test::ptx_lock(true), launch_of(1, 2, {0, 0}));
  CHECK(run.found() == "ok");
  run.how.machine.reconvergence = simt::reconvergence::stack;
  CHECK(run.found() == "simt-deadlock");
}

TEST_CASE("single runs show an access behind a buffer, but no early read alone") {
  const auto shown = [](const std::string& access) {
    test::source_run run = run_of(test::ptx_kernel("  mov.u32 %r2, %tid.x;\n"
                                                   "  add.s32 %r3, %r1, %r2;\n"
                                                   "  mul.wide.u32 %rd3, %r3, 4;\n"
                                                   "  add.s64 %rd4, %rd2, %rd3;\n" +
                                                       access,
                                                   ".shared .align 4 .b8 s[128];\n"),
                                  launch_of(1, 32, std::vector<std::uint32_t>(32), 1));
    run.bounds.first = true;
    const warpcheck::run_result result = run.check();
    CHECK(result.gravest == warpcheck::verdict::bad_access);
    return result.stopped.reason == warpcheck::stop_reason::single_runs;
  };
  CHECK(shown("  st.global.u32 [%rd4], 1;\n"));
  CHECK_FALSE(shown("  ld.shared.u32 %r4, [s];\n  st.global.u32 [%rd2], %r4;\n"));
}

TEST_CASE("a failure in a branch does not move where the branch ends") {
  const std::string trap = "  setp.eq.s32 %p1, %r1, 0;\n" + trap_unless_p1;
  const std::string assertion =
      "  setp.eq.s32 %p1, %r1, 0;\n"
      "  @%p1 bra $L_good;\n"
      "  { .param .b64 p0; .param .b64 p1; .param .b32 p2; .param .b64 p3; .param .b64 p4;\n"
      "    call.uni __assertfail, (p0, p1, p2, p3, p4); }\n"
      "$L_good:\n";
  const std::string table =
      "  table: .branchtargets $A, $B;\n"
      "  brx.idx %r1, table;\n"
      "$A: mov.u32 %r3, 1;\n"
      "$B: mov.u32 %r4, 1;\n";
  for (const std::string& may_fail : {trap, assertion, table}) {
    const std::string text = test::ptx_kernel(
        "  mov.u32 %r2, %tid.x;\n"
        "  setp.ne.s32 %p2, %r2, 0;\n"
        "  @%p2 bra $L_meet;\n" +
            may_fail + "  st.global.u32 [%rd2], 1;\n$L_meet:\n  bar.sync 0;\n",
        ".extern .func __assertfail (.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, "
        ".param .b64 e);\n");
    CAPTURE(may_fail);
    for (const auto how : {simt::reconvergence::its, simt::reconvergence::stack}) {
      test::source_run passes = run_of(text, launch_of(1, 3, {0}, 0));
      passes.how.machine.reconvergence = how;
      CHECK(passes.found() == "ok");
      test::source_run fails = run_of(text, launch_of(1, 3, {0}, 2));
      fails.how.machine.reconvergence = how;
      CHECK(fails.found() == "assertion");
    }
  }
}

TEST_CASE("an access behind a buffer is found") {
  const std::string text = test::ptx_kernel(
      "  mul.wide.u32 %rd3, %r1, 4;\n"
      "  add.s64 %rd4, %rd2, %rd3;\n"
      "  st.global.u32 [%rd4], 1;\n");
  CHECK(found(text, launch_of(1, 1, {1, 2}, 1)) == "ok");
  CHECK(found(text, launch_of(1, 1, {1, 2}, 2)) == "bad-access");
}

TEST_CASE("shared memory, barriers, places") {
  // Each thread writes its cell, then reads its neighbour's.
  const auto text = [](const std::string& barrier) {
    return test::ptx_kernel(
        "  .shared .align 4 .b8 tile[256];\n"
        "  mov.u32 %r2, %tid.x;\n"
        "  shl.b32 %r3, %r2, 2;\n"
        "  mov.u32 %r4, tile;\n"
        "  add.s32 %r5, %r4, %r3;\n"
        "  st.shared.u32 [%r5], %r2;\n" +
        barrier +
        "  xor.b32 %r6, %r3, 4;\n"
        "  add.s32 %r7, %r4, %r6;\n"
        "  ld.shared.u32 %r8, [%r7];\n"
        "  xor.b32 %r9, %r8, 1;\n"
        "  setp.eq.s32 %p1, %r9, %r2;\n" +
        trap_unless_p1);
  };
  CHECK(found(text("  bar.sync 0;\n"), launch_of(2, 64, {0})) == "ok");
  CHECK(found(text(""), launch_of(1, 2, {0})).find("race") != std::string::npos);
}

TEST_CASE("places in grids and blocks of several dimensions") {
  // Each thread adds one to the cell of its number, computed from all six coordinates.
  const std::string text = test::ptx_kernel(
      "  mad.lo.s32 %r2, %tid.z, %ntid.y, %tid.y;\n"
      "  mad.lo.s32 %r2, %r2, %ntid.x, %tid.x;\n"
      "  mad.lo.s32 %r3, %ctaid.z, %nctaid.y, %ctaid.y;\n"
      "  mad.lo.s32 %r3, %r3, %nctaid.x, %ctaid.x;\n"
      "  mad.lo.s32 %r4, 12, %r3, %r2;\n"
      "  mul.wide.u32 %rd3, %r4, 4;\n"
      "  add.s64 %rd4, %rd2, %rd3;\n"
      "  atom.global.add.u32 %r5, [%rd4], 1;\n"
      "  setp.eq.s32 %p1, %r5, 0;\n" +
      trap_unless_p1);
  launch l = launch_of(1, 1, std::vector<std::uint32_t>(24));
  l.grid = {1, 2, 1};
  l.block = {3, 2, 2};
  CHECK(found(text, l) == "ok");
  l.grid = {2, 2, 1};
  CHECK(found(text, l) == "bad-access");
}

TEST_CASE("generic addresses of shared memory, and dynamic shared memory") {
  const std::string text = test::ptx_kernel(
      "  .shared .align 4 .u32 one;\n"
      "  mov.u32 %r2, one;\n"
      "  cvt.u64.u32 %rd3, %r2;\n"
      "  cvta.shared.u64 %rd4, %rd3;\n"
      "  st.u32 [%rd4], 5;\n"
      "  isspacep.shared %p2, %rd4;\n"
      "  isspacep.shared %p3, %rd1;\n"
      "  ld.shared.u32 %r3, [one];\n"
      "  st.shared.u32 [more+4], %r3;\n"
      "  ld.shared.u32 %r4, [more+4];\n"
      "  not.pred %p3, %p3;\n"
      "  and.pred %p2, %p2, %p3;\n"
      "  setp.eq.and.s32 %p1, %r4, 5, %p2;\n" +
          trap_unless_p1,
      ".extern .shared .align 16 .b8 more[];\n");
  launch l = launch_of(1, 1, {0});
  l.dynamic_shared = 8;
  CHECK(found(text, l) == "ok");
  l.dynamic_shared = 4;
  CHECK(found(text, l) == "bad-access");
}

TEST_CASE("warps: shuffles with their predicates, votes, reductions") {
  const std::string text = test::ptx_kernel(
      "  mov.u32 %r2, %laneid;\n"
      "  mov.u32 %r3, -1;\n"
      "  mov.b32 %r20, 0x181f;\n"
      "  shfl.sync.down.b32 %r4|%p2, %r2, 1, 31, %r3;\n"   // lane + 1, in range but for 31
      "  shfl.sync.bfly.b32 %r5, %r2, 3, 31, %r3;\n"       // lane ^ 3
      "  shfl.sync.up.b32 %r6|%p3, %r2, 2, 0, %r3;\n"      // lane - 2
      "  shfl.sync.idx.b32 %r7|%p4, %r2, 9, %r20, %r3;\n"  // of 8: lane 1 of the segment
      "  setp.ne.s32 %p5, %r2, 31;\n"
      "  vote.sync.ballot.b32 %r8, %p2, %r3;\n"
      "  vote.sync.ballot.b32 %r9, %p3, %r3;\n"
      "  redux.sync.add.s32 %r10, %r2, %r3;\n"
      "  vote.sync.uni.pred %p6, %p5, %r3;\n"
      "  setp.eq.s32 %p1, %r8, 0x7fffffff;\n"
      "  setp.eq.and.s32 %p1, %r9, 0xfffffffc, %p1;\n"
      "  setp.eq.and.s32 %p1, %r10, 496, %p1;\n"
      "  xor.b32 %r11, %r2, 3;\n"
      "  setp.eq.and.s32 %p1, %r5, %r11, %p1;\n"
      "  and.b32 %r12, %r2, -8;\n"
      "  or.b32 %r12, %r12, 1;\n"
      "  setp.eq.and.s32 %p1, %r7, %r12, %p1;\n"
      "  add.s32 %r13, %r2, 1;\n"
      "  selp.b32 %r13, %r13, %r2, %p2;\n"
      "  setp.eq.and.s32 %p1, %r4, %r13, %p1;\n"
      "  not.pred %p6, %p6;\n"
      "  and.pred %p1, %p1, %p6;\n" +
      trap_unless_p1);
  CHECK(found(text, launch_of(1, 32, {0})) == "ok");
}

TEST_CASE("functions with parameters in memory and in registers, local arrays, tables of labels") {
  const std::string functions =
      ".func (.param .b32 result) twice(.param .b32 x) {\n"
      "  .reg .b32 %r<3>;\n"
      "  ld.param.u32 %r1, [x];\n  add.s32 %r2, %r1, %r1;\n"
      "  st.param.b32 [result+0], %r2;\n  ret;\n}\n"
      ".func (.reg .b32 sum) plus(.reg .b32 a, .reg .b32 b) { add.s32 sum, a, b; ret; }\n";
  const std::string text = test::ptx_kernel(
      "  .local .align 8 .b8 depot[16];\n"
      "  mov.b64 %rd5, depot;\n"
      "  cvta.local.u64 %rd6, %rd5;\n"
      "  st.local.u32 [%rd5+4], 20;\n"
      "  ld.u32 %r2, [%rd6+4];\n"
      "  { .param .b32 p0; st.param.b32 [p0], %r2; .param .b32 q0;\n"
      "    call.uni (q0), twice, (p0);\n"
      "    ld.param.b32 %r3, [q0]; }\n"
      "  call (%r4), plus, (%r3, 2);\n"
      "  table: .branchtargets $A, $B;\n"
      "  brx.idx %r1, table;\n"
      "$A: mov.u32 %r5, 41; bra $C;\n"
      "$B: mov.u32 %r5, 42;\n"
      "$C: setp.eq.s32 %p1, %r4, %r5;\n" +
          trap_unless_p1,
      functions);
  CHECK(found(text, launch_of(1, 1, {0}, 1)) == "ok");
  CHECK(found(text, launch_of(1, 1, {0}, 0)) == "assertion");
}

TEST_CASE("guards choose without a branch; vectors are whole") {
  const std::string text = test::ptx_kernel(
      "  setp.eq.s32 %p2, %r1, 7;\n"
      "  mov.u32 %r2, 1;\n"
      "  @%p2 mov.u32 %r2, 2;\n"
      "  @!%p2 add.s32 %r2, %r2, 10;\n"
      "  mov.u32 %r3, 3;\n"
      "  @%p2 st.global.v2.u32 [%rd2], {%r2, %r3};\n"
      "  ld.global.v2.u32 {%r4, %r5}, [%rd2];\n"
      "  add.s32 %r6, %r4, %r5;\n"
      "  selp.b32 %r7, 5, 11, %p2;\n"
      "  setp.eq.s32 %p1, %r6, 5;\n" +
      trap_unless_p1);
  CHECK(found(text, launch_of(1, 1, {0, 0}, 7)) == "ok");
  CHECK(found(text, launch_of(1, 1, {0, 0}, 8)) == "assertion");
}

TEST_CASE("sums of floats and counts over barriers") {
  const std::string text = test::ptx_kernel(
      "  mov.b32 %f1, 0f3F000000;\n"
      "  red.global.add.f32 [%rd2], %f1;\n"
      "  mov.u32 %r2, %tid.x;\n"
      "  setp.lt.u32 %p2, %r2, 2;\n"
      "  bar.red.popc.u32 %r3, 0, %p2;\n"
      "  setp.eq.s32 %p1, %r3, 2;\n"
      "  ld.relaxed.gpu.global.f32 %f2, [%rd2];\n"
      "  setp.eq.and.f32 %p1, %f2, 0f3FC00000, %p1;\n" +
      trap_unless_p1);
  CHECK(found(text, launch_of(1, 3, {0})) == "ok");
}

TEST_CASE("reserved shared memory, as cooperative groups use it") {
  // Each thread sets its bit, and the block comes together by it.
  const auto text = [](const std::string& order, const std::string& at) {
    return test::ptx_kernel(
        "  .shared .align 4 .b8 own[8];\n"
        "  mov.u32 %r2, %reserved_smem_offset_1;\n"
        "  cvt.u64.u32 %rd3, %r2;\n"
        "  cvta.shared.u64 %rd4, %rd3;\n"
        "  mov.u32 %r3, %tid.x;\n"
        "  shl.b32 %r4, %r3, 2;\n"
        "  mov.u32 %r5, own;\n"
        "  add.s32 %r5, %r5, %r4;\n"
        "  st.shared.u32 [%r5], 7;\n"
        "  mov.u32 %r6, 1;\n"
        "  shl.b32 %r6, %r6, %r3;\n"
        "  atom.or." +
        order + ".cta.b32 %r7, [%rd4+" + at +
        "], %r6;\n"
        "$L_wait:\n"
        "  ld." +
        (order == "relaxed" ? "relaxed" : "acquire") + ".cta.u32 %r7, [%rd4+" + at +
        "];\n"
        "  setp.ne.u32 %p2, %r7, 3;\n"
        "  @%p2 bra $L_wait;\n"
        "  xor.b32 %r4, %r4, 4;\n"
        "  mov.u32 %r5, own;\n"
        "  add.s32 %r5, %r5, %r4;\n"
        "  ld.shared.u32 %r8, [%r5];\n"
        "  setp.eq.u32 %p1, %r8, 7;\n" +
        trap_unless_p1);
  };
  const auto under_ptx = [&](const std::string& order, const std::string& at) {
    test::source_run run = run_of(text(order, at), launch_of(2, 2, {0}));
    run.how.machine.memory = simt::memory_model::ptx;
    return run.found();
  };
  CHECK(found(text("acq_rel", "0"), launch_of(2, 2, {0})) == "ok");
  CHECK(under_ptx("acq_rel", "0") == "ok");
  CHECK(under_ptx("acq_rel", "284") == "ok");
  CHECK(under_ptx("relaxed", "0") == "race");
  CHECK(found(text("acq_rel", "288"), launch_of(1, 2, {0})) == "bad-access");
  // Without shared memory of the kernel's own.
  CHECK(found(test::ptx_kernel("  mov.u32 %r2, %reserved_smem_offset_1;\n"
                               "  atom.shared.add.u32 %r3, [%r2], 1;\n"
                               "  setp.lt.u32 %p1, %r3, 2;\n" +
                               trap_unless_p1),
              launch_of(2, 2, {0})) == "ok");
}

TEST_CASE("both results of a comparison whose value is not known are explored") {
  const std::string text = test::ptx_kernel(
      "  mov.b32 %f1, 0f3F800000;\n"
      "  ex2.approx.f32 %f2, %f1;\n"
      "  setp.gt.f32 %p2|%p3, %f2, %f1;\n"
      "  @%p2 bra $L_greater;\n"
      "  st.global.u32 [%rd2], 1;\n"
      "$L_greater:\n"
      "  not.pred %p3, %p3;\n"
      "  ld.global.u32 %r2, [%rd2];\n"
      "  setp.eq.s32 %p1, %r2, 1;\n");
  CHECK(found(text, launch_of(1, 1, {0})) == "ok");
  // Either of them, and both predicates of one comparison alike.
  const auto with = [&](const std::string& condition) {
    return text.substr(0, text.rfind("  ret;")) + condition + trap_unless_p1 + "  ret;\n}\n";
  };
  CHECK(found(with(""), launch_of(1, 1, {0})) == "assertion");
  CHECK(found(with("  not.pred %p1, %p1;\n"), launch_of(1, 1, {0})) == "assertion");
  CHECK(found(with("  xor.pred %p1, %p1, %p3;\n"), launch_of(1, 1, {0})) == "ok");
}

TEST_CASE("a launch that does not fit says so") {
  const auto m = simt::ptx::parse(test::ptx_lock(true));
  const auto message = [&](const launch& l) {
    try {
      (void)simt::ptx::to_subject(m, m.kernels[0], l);
    } catch (const simt::ptx::launch_error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  launch l = launch_of(1, 1, {0, 0});
  CHECK(message(l).empty());
  l.block = {2000, 1, 1};
  CHECK(message(l) == "kernel k: a block has 2000 threads: give 1 to 1024");
  l.block = {1, 1, 1};
  l.arguments.pop_back();
  CHECK(message(l) == "kernel k: it has 2 parameters, but the launch gives 1 arguments");
}

TEST_CASE("buffers have names of their own") {
  simt::ptx::launch l;
  for (const char* name : {"in", "in", "int", "a b", "2x"})
    l.buffers.push_back({name, 1, type::u32, {}, {}});
  CHECK(simt::ptx::buffer_names({}, l) ==
        std::vector<std::string>{"in", "in_2", "int_", "a_b", "n2x"});
}
