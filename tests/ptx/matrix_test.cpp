// Matrices between memory and the registers of a warp: which value goes where, against a table of
// its own, and each mistake.
#include <doctest/doctest.h>

#include <string>

#include <fmt/format.h>

#include "sim/ptx/parse.hpp"
#include "sim/ptx/translate.hpp"
#include "sim/ptx/unsupported.hpp"
#include "tests/checker/run_source.hpp"
#include "tests/ptx/arithmetic/matrix_table.hpp"
#include "tests/ptx/texts.hpp"

namespace {

/// A buffer `data` of words, whose address is argument 0.
simt::ptx::launch over_words(std::uint32_t threads, std::uint32_t words,
                             const std::vector<std::uint32_t>& values = {}) {
  simt::ptx::launch l;
  l.block = {threads, 1, 1};
  l.buffers.push_back({"data", words, simt::ptx::type::u32, {}, {}});
  for (const std::uint32_t v : values) {
    for (unsigned at = 0; at < 32; at += 8)
      l.buffers[0].bytes.push_back(static_cast<std::uint8_t>(v >> at));
  }
  l.arguments.resize(2);
  l.arguments[0].pointers.push_back({0, 0, 0});
  return l;
}

std::string outcome(const std::string& body, const simt::ptx::launch& l,
                    simt::memory_model model = simt::memory_model::sc) {
  const auto m = simt::ptx::parse(test::ptx_kernel(body));
  std::vector<std::uint32_t> warps(l.block[0] / 32, 32);
  if (l.block[0] % 32 != 0) warps.push_back(l.block[0] % 32);
  test::source_run run(simt::ptx::to_subject(m, m.kernels.back(), l), {1, warps});
  run.what.subject = "kernel_subject";
  run.how.machine.memory = model;
  return run.found();
}

std::string refusal(const std::string& body) {
  const auto m = simt::ptx::parse(test::ptx_kernel(body));
  const auto uses = simt::ptx::unsupported(m, m.kernels.back());
  return uses.empty() ? "" : uses.front().reason;
}

/// %r2 the lane, %r5 the row of `tile` that has its number, %r9 the row whose address it gives: not
/// in order. %rd4 its word of `data`.
const std::string one_warp =
    "  .shared .align 16 .b8 tile[512];\n"
    "  mov.u32 %r2, %tid.x;\n"
    "  mov.u32 %r4, tile;\n"
    "  shl.b32 %r3, %r2, 4;\n"
    "  add.s32 %r5, %r4, %r3;\n"
    "  mad.lo.s32 %r8, %r2, 5, 3;\n"
    "  and.b32 %r8, %r8, 31;\n"
    "  shl.b32 %r8, %r8, 4;\n"
    "  add.s32 %r9, %r4, %r8;\n"
    "  mul.wide.u32 %rd3, %r2, 4;\n"
    "  add.s64 %rd4, %rd2, %rd3;\n";
unsigned given_by(unsigned lane) { return (lane * 5 + 3) % 32; }

const std::string sync = "  bar.warp.sync -1;\n";
/// Element c of the lane's row is 8 * lane + c.
const std::string write_own_row =
    "  mul.lo.s32 %r10, %r2, 0x80008;\n"
    "  add.s32 %r10, %r10, 0x10000;\n"
    "  add.s32 %r11, %r10, 0x20002;\n"
    "  add.s32 %r12, %r11, 0x20002;\n"
    "  add.s32 %r13, %r12, 0x20002;\n"
    "  st.shared.v4.u32 [%r5], {%r10, %r11, %r12, %r13};\n";
/// Compares registers %r20 on with the lane's words of `data`, which lie 32 apart.
std::string compare(unsigned count) {
  std::string text;
  for (unsigned k = 0; k < count; ++k) {
    text += fmt::format(
        "  ld.global.u32 %r30, [%rd4+{0}];\n  setp.eq.u32 %p1, %r30, %r2{1};\n"
        "  @%p1 bra $L_good{1};\n  trap;\n$L_good{1}:\n",
        128 * k, k);
  }
  return text;
}
std::string registers(unsigned count) {
  std::string text;
  for (unsigned k = 0; k < count; ++k) text += fmt::format("{}%r2{}", k == 0 ? "" : ", ", k);
  return "{" + text + "}";
}
std::string ldmatrix(unsigned count, bool transposed, const std::string& at = "%r9") {
  return fmt::format("  ldmatrix.sync.aligned.m8n8.x{}{}.shared.b16 {}, [{}];\n", count,
                     transposed ? ".trans" : "", registers(count), at);
}
std::string stmatrix(unsigned count, bool transposed, const std::string& at = "%r9") {
  return fmt::format("  stmatrix.sync.aligned.m8n8.x{}{}.shared.b16 [{}], {};\n", count,
                     transposed ? ".trans" : "", at, registers(count));
}

bool is_race(const std::string& what) { return what.find("race") != std::string::npos; }

}  // namespace

TEST_CASE("ldmatrix gives each lane the elements that PTX says") {
  for (const unsigned count : {1U, 2U, 4U}) {
    for (const bool transposed : {false, true}) {
      std::vector<std::uint32_t> expected;
      for (unsigned k = 0; k < count; ++k) {
        for (unsigned lane = 0; lane < 32; ++lane) {
          std::uint32_t word = 0;
          for (unsigned half = 0; half < 2; ++half) {
            const auto [row, column] = matrix_table::element_of(lane, half, transposed);
            const unsigned from = given_by(matrix_table::lane_of_row(k, row));
            word |= (8 * from + column) << 16 * half;
          }
          expected.push_back(word);
        }
      }
      const std::string body =
          one_warp + write_own_row + sync + ldmatrix(count, transposed) + compare(count);
      const simt::ptx::launch l = over_words(32, 128, expected);
      CAPTURE(count);
      CAPTURE(transposed);
      CHECK(outcome(body, l) == "ok");
      if (count == 1) CHECK(outcome(body, l, simt::memory_model::ptx) == "ok");
    }
  }
}

TEST_CASE("stmatrix stores each lane's elements where PTX says") {
  // Element h of matrix k's register of a lane is 64 k + 2 lane + h + 1.
  const std::string zeros =
      "  mov.u32 %r14, 0;\n  st.shared.v4.u32 [%r5], {%r14, %r14, %r14, %r14};\n";
  const std::string values =
      "  mad.lo.s32 %r20, %r2, 0x20002, 0x20001;\n  add.s32 %r21, %r20, 0x400040;\n"
      "  add.s32 %r22, %r21, 0x400040;\n  add.s32 %r23, %r22, 0x400040;\n";
  const std::string read_own = "  ld.shared.v4.u32 {%r20, %r21, %r22, %r23}, [%r5];\n";
  for (const unsigned count : {1U, 2U, 4U}) {
    for (const bool transposed : {false, true}) {
      std::vector<std::uint32_t> expected(128, 0);  // word w of row r: 32 w + r
      for (unsigned k = 0; k < count; ++k) {
        for (unsigned lane = 0; lane < 32; ++lane) {
          for (unsigned half = 0; half < 2; ++half) {
            const auto [row, column] = matrix_table::element_of(lane, half, transposed);
            const unsigned to = given_by(matrix_table::lane_of_row(k, row));
            expected[32 * (column / 2) + to] |= (64 * k + 2 * lane + half + 1) << 16 * (column % 2);
          }
        }
      }
      const std::string body = one_warp + zeros + sync + values + stmatrix(count, transposed) +
                               sync + read_own + compare(4);
      CAPTURE(count);
      CAPTURE(transposed);
      CHECK(outcome(body, over_words(32, 128, expected)) == "ok");
    }
  }
}

TEST_CASE("movmatrix transposes") {
  std::vector<std::uint32_t> expected;
  for (unsigned lane = 0; lane < 32; ++lane) {
    const auto low = matrix_table::element_of(lane, 0, true),
               high = matrix_table::element_of(lane, 1, true);
    expected.push_back((8 * low.row + low.column) | (8 * high.row + high.column) << 16);
  }
  CHECK(outcome(one_warp +
                    "  mad.lo.s32 %r10, %r2, 0x20002, 0x10000;\n"
                    "  movmatrix.sync.aligned.m8n8.trans.b16 %r20, %r10;\n" +
                    compare(1),
                over_words(32, 128, expected)) == "ok");
}

TEST_CASE("movement of matrices orders no memory, and takes the whole warp") {
  const simt::ptx::launch l = over_words(32, 128);
  const std::string others = "  xor.b32 %r15, %r3, 16;\n  add.s32 %r15, %r4, %r15;\n";
  // Rows that another lane writes; and, under ptx alone, rows that the lane itself has written.
  for (const auto model : {simt::memory_model::sc, simt::memory_model::ptx}) {
    CHECK(
        is_race(outcome(one_warp + others + write_own_row + ldmatrix(4, false, "%r15"), l, model)));
    CHECK(is_race(
        outcome(one_warp + write_own_row + sync + ldmatrix(4, false) + write_own_row, l, model)));
    CHECK(is_race(outcome(
        one_warp + "  mov.u32 %r20, 1;\n" + stmatrix(1, false) + "  ld.shared.u32 %r24, [%r5];\n",
        l, model)));
  }
  CHECK(is_race(
      outcome(one_warp + write_own_row + ldmatrix(4, true, "%r5"), l, simt::memory_model::ptx)));
  // The second warp reads what the first one still writes.
  CHECK(is_race(outcome(one_warp +
                            "  setp.gt.u32 %p2, %r2, 31;\n  @%p2 bra $L_second;\n"
                            "  and.b32 %r3, %r3, 511;\n  mov.u32 %r20, 1;\n" +
                            stmatrix(1, false) + "  bra $L_end;\n$L_second:\n" +
                            ldmatrix(1, false) + "$L_end:\n",
                        over_words(64, 128))));
  const std::string half = "  setp.gt.u32 %p2, %r2, 15;\n  @%p2 bra $L_end;\n";
  CHECK(outcome(one_warp + write_own_row + sync + half + ldmatrix(1, false) + "$L_end:\n", l) ==
        "barrier-divergence");
  CHECK(outcome(one_warp + write_own_row + sync + ldmatrix(1, false, "%r5"), over_words(16, 128)) ==
        "barrier-divergence");
  const std::string parts = "  setp.gt.u32 %p2, %r2, 15;\n  @%p2 bra $L_other;\n" +
                            ldmatrix(1, false) + "  bar.sync 0;\n  bra $L_end;\n$L_other:\n" +
                            "  bar.sync 0;\n" + ldmatrix(1, false) + "$L_end:\n";
  CHECK(outcome(one_warp + write_own_row + sync + parts, l) == "deadlock");
}

TEST_CASE("a bulk store of what stmatrix has written needs a proxy fence") {
  const auto with = [](const std::string& fence) {
    return outcome(one_warp +
                       "  mov.u32 %r20, 1;\n  mov.u32 %r21, 2;\n  mov.u32 %r22, 3;\n"
                       "  mov.u32 %r23, 4;\n" +
                       stmatrix(4, false) + fence +
                       "  bar.sync 0;\n  setp.ne.s32 %p2, %r2, 0;\n  @%p2 bra $L_end;\n"
                       "  cp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r4], 512;\n"
                       "  cp.async.bulk.commit_group;\n  cp.async.bulk.wait_group 0;\n$L_end:\n",
                   over_words(32, 128));
  };
  CHECK(with("  fence.proxy.async.shared::cta;\n") == "ok");
  CHECK(with("") == "assertion");
}

TEST_CASE("a copy that is not waited for is in a race with ldmatrix") {
  const auto with = [](const std::string& wait) {
    return outcome(one_warp +
                       "  mul.wide.u32 %rd5, %r2, 16;\n  add.s64 %rd6, %rd2, %rd5;\n"
                       "  cp.async.cg.shared.global [%r5], [%rd6], 16;\n"
                       "  cp.async.commit_group;\n" +
                       wait + ldmatrix(4, true) + "  cp.async.wait_all;\n",
                   over_words(32, 128));
  };
  CHECK(with("  cp.async.wait_group 0;\n" + sync) == "ok");
  CHECK(with(sync) != "ok");
  CHECK(with("  cp.async.wait_group 0;\n") != "ok");
}

TEST_CASE("registers may be called as the variables of these instructions are") {
  const std::string body =
      "  .reg .b32 %given, %row, %at0, %value0, %n, %old0;\n"
      "  mov.u32 %row, %tid.x;\n  mov.u32 %at0, 7;\n" +
      write_own_row + sync +
      "  ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%at0}, [%r5];\n"
      "  mov.u32 %r20, %at0;\n"
      "  stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r5], {%at0};\n"
      "  bar.warp.sync -1;\n"
      "  ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%value0}, [%r5];\n"
      "  setp.eq.u32 %p1, %value0, %at0;\n  setp.eq.and.u32 %p1, %row, %r2, %p1;\n"
      "  @%p1 bra $L_same;\n  trap;\n$L_same:\n";
  CHECK(outcome(one_warp + body, over_words(32, 128)) == "ok");
}

TEST_CASE("rows that are no rows") {
  const simt::ptx::launch l = over_words(32, 128);
  const std::string ready = one_warp + write_own_row + sync;
  CHECK(outcome(ready + ldmatrix(1, false, "%r9+8"), l) == "bad-access");
  CHECK(outcome(ready + "  mov.u32 %r20, 1;\n" + stmatrix(1, false, "%r9+4"), l) == "bad-access");
  CHECK(outcome(ready + ldmatrix(4, false, "%r5+16"), l) == "bad-access");
  // Only the first 8 addresses count.
  CHECK(outcome(ready + ldmatrix(1, false, "%r5+384"), l) == "ok");
  CHECK(outcome(ready + ldmatrix(2, false, "%r5+384"), l) == "bad-access");
  // A row that nobody has written.
  CHECK(outcome(one_warp + ldmatrix(1, false), l) == "bad-access");
  CHECK(outcome(ready + "  ldmatrix.sync.aligned.m8n8.x1.b16 {%r20}, [%rd2];\n", l) == "assertion");
}

TEST_CASE("each cell of a matrix of wmma is accessed, and no other") {
  struct form {
    const char* text;
    unsigned words;
  };
  const std::string zeros = "  mov.u32 %r20, 0;\n";
  const auto eight = std::string("{%r20, %r20, %r20, %r20, %r20, %r20, %r20, %r20}");
  const std::string to = "{%r21, %r22, %r23, %r24, %r25, %r26, %r27, %r28}";
  const auto check = [&](const std::string& text, unsigned words) {
    CAPTURE(text);
    CHECK(outcome(zeros + text, over_words(32, words)) == "ok");
    CHECK(outcome(zeros + text, over_words(32, words - 1)) == "bad-access");
  };
  check("  wmma.load.a.sync.aligned.row.m16n16k16.global.f16 " + to + ", [%rd2];\n", 128);
  check("  wmma.load.b.sync.aligned.col.m16n16k16.global.f16 " + to + ", [%rd2], 24;\n",
        15 * 12 + 8);
  check("  wmma.load.a.sync.aligned.row.m32n8k16.f16 " + to + ", [%rd2], 16;\n", 32 * 8);
  check("  wmma.load.b.sync.aligned.row.m32n8k16.global.f16 " + to + ", [%rd2];\n", 16 * 4);
  check("  wmma.load.a.sync.aligned.row.m8n32k16.global.s8 {%r21}, [%rd2];\n", 32);
  check("  wmma.load.b.sync.aligned.col.m16n16k8.global.tf32 {%r21, %r22, %r23, %r24}, [%rd2];\n",
        128);
  check("  wmma.load.c.sync.aligned.col.m8n32k16.global.f32 " + to + ", [%rd2], 16;\n",
        31 * 16 + 8);
  check("  wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%rd2], " + eight + ", 20;\n",
        15 * 20 + 16);
  check("  wmma.store.d.sync.aligned.row.m16n16k16.global.f16 [%rd2], {%r20, %r20, %r20, %r20};\n",
        128);
  CHECK(refusal("  wmma.load.a.sync.aligned.row.m16n16k16.global.f64 {%rd3}, [%rd2];\n") ==
        "a matrix of that shape and type");
}

TEST_CASE("warps race on each cell of a matrix of wmma") {
  const std::string second =
      "  mov.u32 %r2, %tid.x;\n  setp.gt.u32 %p2, %r2, 31;\n  mov.u32 %r20, 0;\n"
      "  @%p2 bra $L_second;\n";
  const auto eight = std::string("{%r20, %r20, %r20, %r20, %r20, %r20, %r20, %r20}");
  for (const unsigned cell : {0U, 1U, 37U, 255U}) {
    const std::string write = fmt::format(
        "  bra $L_end;\n$L_second:\n  st.global.u32 [%rd2+{}], %r20;\n$L_end:\n", 4 * cell);
    const std::string load =
        "  wmma.load.c.sync.aligned.row.m16n16k16.global.f32 {%r21, %r22, %r23, %r24, %r25, %r26, "
        "%r27, %r28}, [%rd2];\n";
    const std::string store =
        "  wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%rd2], " + eight + ";\n";
    // (One lane of the second warp alone, so that it does not race with itself.)
    CHECK(is_race(outcome(second + load + write, over_words(33, 256))));
    CHECK(is_race(outcome(second + store + write, over_words(33, 256))));
  }
  // Within a warp: c and d may be one.
  CHECK(outcome("  wmma.load.c.sync.aligned.row.m16n16k16.global.f32 {%r20, %r20, %r20, %r20, "
                "%r20, %r20, %r20, %r20}, [%rd2];\n"
                "  wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%rd2], " +
                    eight + ";\n",
                over_words(32, 256), simt::memory_model::ptx) == "ok");
}

TEST_CASE("matrices of wmma begin at one address, and their lines where they may") {
  const std::string to = "{%r21, %r22, %r23, %r24, %r25, %r26, %r27, %r28}";
  const auto with = [&](const std::string& at, unsigned stride) {
    return outcome(
        "  mov.u32 %r2, %tid.x;\n  mul.wide.u32 %rd3, %r2, 32;\n"
        "  add.s64 %rd4, %rd2, %rd3;\n"
        "  wmma.load.a.sync.aligned.row.m16n16k16.global.f16 " +
            to + ", [" + at + "], " + std::to_string(stride) + ";\n",
        over_words(32, 1024));
  };
  CHECK(with("%rd2+32", 24) == "ok");
  CHECK(with("%rd2+16", 16) == "bad-access");
  CHECK(with("%rd2", 20) == "assertion");
  CHECK(with("%rd4", 16) == "assertion");
}

TEST_CASE("what a matrix of wmma holds is not known") {
  const std::string load =
      "  wmma.load.a.sync.aligned.row.m8n32k16.global.s8 {%r21}, [%rd2];\n"
      "  wmma.store.d.sync.aligned.row.m16n16k16.global.f16 [%rd2], {%r21, %r21, %r21, %r21};\n";
  CHECK(refusal(load).empty());
  CHECK(refusal(load + "  ld.global.u32 %r22, [%rd2+8];\n  bar.warp.sync %r22;\n")
            .find("bar.warp.sync") != std::string::npos);
  const auto m = simt::ptx::parse(test::ptx_kernel(load));
  CHECK(simt::ptx::unknown_in_memory(m, m.kernels.back()).size() == 2);
  // What is in shared memory alone is not what the kernel leaves.
  const auto shared = simt::ptx::parse(
      test::ptx_kernel("  .shared .align 32 .b8 tile[512];\n  mov.u32 %r4, tile;\n"
                       "  mov.u32 %r21, 0;\n"
                       "  wmma.store.d.sync.aligned.row.m16n16k16.shared.f16 [%r4], {%r21, %r21, "
                       "%r21, %r21};\n"));
  CHECK(simt::ptx::unknown_in_memory(shared, shared.kernels.back()).empty());
}

TEST_CASE("instructions on matrices that go on by themselves are refused") {
  CHECK(refusal("  wgmma.fence.sync.aligned;\n").find("by four warps") != std::string::npos);
  CHECK(refusal("  tcgen05.wait::ld.sync.aligned;\n").find("tensor memory") != std::string::npos);
  CHECK(refusal("  ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%r20, %r21}, [%r2];\n") ==
        "matrices of that shape");
}

namespace {

std::string after_atomic(const std::string& instructions, std::uint32_t before,
                         std::uint32_t expected) {
  return outcome(
      instructions + fmt::format("  ld.global.u32 %r30, [%rd2];\n  setp.eq.u32 %p1, %r30, {};\n"
                                 "  @%p1 bra $L_good;\n  trap;\n$L_good:\n",
                                 expected),
      over_words(1, 8, {before}));
}

}  // namespace

TEST_CASE("atomic sums of numbers of 16 bits are rounded once, and keep small numbers") {
  const auto one = [](const char* type, unsigned a, unsigned b, unsigned sum) {
    CAPTURE(a);
    CAPTURE(b);
    // The upper half is another number.
    const std::uint32_t other = 0x3c550000;
    CHECK(after_atomic(fmt::format("  mov.b16 %rs1, {};\n"
                                   "  atom.global.add.noftz.{} %rs2, [%rd2], %rs1;\n"
                                   "  setp.eq.u16 %p2, %rs2, {};\n  @%p2 bra $L_old;\n  trap;\n"
                                   "$L_old:\n",
                                   b, type, a),
                       other | a, other | sum) == "ok");
    CHECK(after_atomic(fmt::format("  mov.b32 %r20, {};\n  red.global.add.noftz.{}x2 [%rd2], "
                                   "%r20;\n",
                                   b << 16 | a, type),
                       a << 16 | b, sum << 16 | sum) == "ok");
  };
  one("f16", 0x3c00, 0x4000, 0x4200);  // 1 + 2
  one("f16", 0x6800, 0x3c00, 0x6800);  // 2048 + 1: to even
  one("f16", 0x6801, 0x3c00, 0x6802);  // 2050 + 1: to even, upwards
  one("f16", 0x0001, 0x0001, 0x0002);  // the least numbers
  one("f16", 0x7bff, 0x7bff, 0x7c00);  // too large
  one("bf16", 0x3f80, 0x4000, 0x4040);
  one("bf16", 0x4380, 0x3f80, 0x4380);  // 256 + 1: to even
  one("bf16", 0x0001, 0x0001, 0x0002);
}

TEST_CASE("vectors of atomic sums change each element") {
  CHECK(after_atomic("  mov.f32 %f1, 0f3F800000;\n  mov.f32 %f2, 0f40000000;\n"
                     "  atom.global.add.v2.f32 {%f3, %f4}, [%rd2], {%f2, %f1};\n"
                     "  red.global.add.v4.f32 [%rd2], {%f1, %f1, %f1, %f1};\n",
                     0, 0x40400000) == "ok");
  CHECK(after_atomic("  mov.b32 %r20, 0x3f803f80;\n"
                     "  red.global.add.noftz.v2.bf16x2 [%rd2], {%r20, %r20};\n",
                     0, 0x3f803f80) == "ok");
  CHECK(after_atomic("  mov.f32 %f1, 0f3F800000;\n"
                     "  red.global.add.v2.f32 [%rd2+4], {%f1, %f1};\n",
                     0, 0) == "bad-access");
}

TEST_CASE("pairs of numbers of 16 bits") {
  const auto made = [](const std::string& text, std::uint32_t expected) {
    CAPTURE(text);
    CHECK(after_atomic("  mov.f32 %f1, 0f3F800000;\n  mov.f32 %f2, 0f40000000;\n"
                       "  mov.b32 %r20, 0x3c004000;\n  mov.b32 %r21, 0x3c003c00;\n" +
                           text + "  st.global.u32 [%rd2], %r22;\n",
                       0, expected) == "ok");
  };
  made("  cvt.rn.f16x2.f32 %r22, %f1, %f2;\n", 0x3c004000);
  made("  cvt.rn.bf16x2.f32 %r22, %f1, %f2;\n", 0x3f804000);
  made("  add.f16x2 %r22, %r20, %r21;\n", 0x40004200);
  made("  sub.rn.f16x2 %r22, %r20, %r21;\n", 0x00003c00);
  made("  mul.f16x2 %r22, %r20, %r20;\n", 0x3c004400);
}
