// mbarriers and asynchronous copies in PTX: what is right, and each mistake in it.
#include <doctest/doctest.h>

#include <string>

#include "checker/report/report.hpp"
#include "sim/ptx/parse.hpp"
#include "sim/ptx/translate.hpp"
#include "sim/ptx/unsupported.hpp"
#include "tests/checker/run_source.hpp"
#include "tests/ptx/texts.hpp"

namespace {

/// Numbers `values` in `data`, whose address is argument 0.
simt::ptx::launch with_data(std::uint32_t threads, std::vector<std::uint8_t> values = {}) {
  simt::ptx::launch l;
  l.block = {threads, 1, 1};
  l.buffers.push_back({"data", 16, simt::ptx::type::u32, {}, {}});
  for (const std::uint8_t v : values)
    l.buffers[0].bytes.insert(l.buffers[0].bytes.end(), {v, 0, 0, 0});
  l.arguments.resize(2);
  l.arguments[0].pointers.push_back({0, 0, 0});
  return l;
}

std::string found_in(const std::string& text, const simt::ptx::launch& l,
                     simt::memory_model memory = simt::memory_model::sc) {
  const auto m = simt::ptx::parse(text);
  test::source_run run(simt::ptx::to_subject(m, m.kernels.back(), l), {1, {l.block[0]}});
  run.what.subject = "kernel_subject";
  run.how.machine.memory = memory;
  return run.found();
}

/// %r2 the thread, %r5 its cell of `tile`, %r7 its neighbour's, %rd4 its cell of `data`. Thread 0
/// initializes the mbarrier for two arrivals.
const std::string two_threads =
    "  .shared .align 8 .b8 bar[8];\n"
    "  .shared .align 16 .b8 tile[64];\n"
    "  mov.u32 %r2, %tid.x;\n"
    "  shl.b32 %r3, %r2, 2;\n"
    "  mov.u32 %r4, tile;\n"
    "  add.s32 %r5, %r4, %r3;\n"
    "  xor.b32 %r6, %r3, 4;\n"
    "  add.s32 %r7, %r4, %r6;\n"
    "  mul.wide.u32 %rd3, %r2, 4;\n"
    "  add.s64 %rd4, %rd2, %rd3;\n"
    "  setp.ne.s32 %p2, %r2, 0;\n"
    "  @%p2 bra $L_told;\n"
    "  mbarrier.init.shared::cta.b64 [bar], 2;\n"
    "$L_told:\n"
    "  bar.sync 0;\n";
const std::string wait_for_state =
    "$L_wait:\n"
    "  mbarrier.try_wait.shared::cta.b64 %p1, [bar], %rd5;\n"
    "  @!%p1 bra $L_wait;\n";
const std::string read_neighbour =
    "  ld.shared.u32 %r8, [%r7];\n"
    "  xor.b32 %r9, %r2, 1;\n"
    "  add.s32 %r9, %r9, 5;\n"
    "  setp.eq.s32 %p1, %r8, %r9;\n"
    "  @%p1 bra $L_good;\n"
    "  trap;\n"
    "$L_good:\n";
const std::string write_own = "  add.s32 %r10, %r2, 5;\n  st.shared.u32 [%r5], %r10;\n";
const std::string copy_own = "  cp.async.ca.shared.global [%r5], [%rd4], 4;\n";

std::string kernel_of(const std::string& body) { return test::ptx_kernel(two_threads + body); }

}  // namespace

TEST_CASE("an mbarrier orders what its arrivals follow and its waits precede") {
  const auto with = [](const std::string& arrival, const std::string& wait) {
    return kernel_of(write_own + arrival + wait + read_neighbour);
  };
  const std::string arrive = "  mbarrier.arrive.release.cta.shared::cta.b64 %rd5, [bar];\n";
  for (const auto memory : {simt::memory_model::sc, simt::memory_model::ptx}) {
    CHECK(found_in(with(arrive, wait_for_state), with_data(2), memory) == "ok");
    CHECK(found_in(with(arrive, ""), with_data(2), memory).find("race") != std::string::npos);
  }
  const std::string relaxed = "  mbarrier.arrive.relaxed.cta.shared::cta.b64 %rd5, [bar];\n";
  CHECK(found_in(with(relaxed, wait_for_state), with_data(2), simt::memory_model::ptx) == "race");
  const std::string parity =
      "$L_wait:\n  mbarrier.test_wait.parity.shared.b64 %p1, [bar], 0;\n  @!%p1 bra $L_wait;\n";
  CHECK(found_in(with("  mbarrier.arrive.shared.b64 _, [bar], 1;\n", parity), with_data(2)) ==
        "ok");
  // The other parity stands for the phase before the first, which is over.
  const std::string other =
      "$L_wait:\n  mbarrier.test_wait.parity.shared.b64 %p1, [bar], 1;\n  @!%p1 bra $L_wait;\n";
  CHECK(found_in(with(arrive, other), with_data(2)).find("race") != std::string::npos);
}

TEST_CASE("counts of mbarriers: bytes, drops, what is pending") {
  const std::string one =
      "  .shared .align 8 .b8 bar[8];\n"
      "  mbarrier.init.shared.b64 [bar], 3;\n"
      "  mbarrier.arrive.noComplete.release.cta.shared.b64 %rd5, [bar], 2;\n"
      "  mbarrier.pending_count.b64 %r2, %rd5;\n"  // 3
      "  mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [bar], 16;\n"
      "  mbarrier.arrive_drop.expect_tx.shared::cta.b64 %rd6, [bar], 16;\n"
      "  mbarrier.pending_count.b64 %r3, %rd6;\n"            // 1
      "  mbarrier.test_wait.shared.b64 %p2, [bar], %rd6;\n"  // no: 32 bytes
      "  mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [bar], 32;\n"
      "  mbarrier.test_wait.shared.b64 %p3, [bar], %rd6;\n"  // yes
      "  mbarrier.arrive.shared.b64 %rd7, [bar];\n"
      "  mbarrier.pending_count.b64 %r4, %rd7;\n"  // 2: one dropped out
      "  not.pred %p2, %p2;\n"
      "  and.pred %p1, %p2, %p3;\n"
      "  setp.eq.and.s32 %p1, %r2, 3, %p1;\n"
      "  setp.eq.and.s32 %p1, %r3, 1, %p1;\n"
      "  setp.eq.and.s32 %p1, %r4, 2, %p1;\n"
      "  @%p1 bra $L_good;\n  trap;\n$L_good:\n";
  CHECK(found_in(test::ptx_kernel(one), with_data(1)) == "ok");
  CHECK(found_in(test::ptx_kernel(one + "  mbarrier.inval.shared.b64 [bar];\n"
                                        "  mbarrier.arrive.shared.b64 %rd7, [bar];\n"),
                 with_data(1)) == "assertion");
  CHECK(found_in(test::ptx_kernel(one + "  mbarrier.arrive.shared.b64 %rd7, [bar], 2;\n"),
                 with_data(1)) == "assertion");
  CHECK(
      found_in(test::ptx_kernel(one + "  mbarrier.arrive.noComplete.shared.b64 %rd7, [bar], 1;\n"),
               with_data(1)) == "assertion");
}

TEST_CASE("where an mbarrier is, only its operations may be") {
  // Thread 0 has initialized it, and both know. Thread 1 skips this.
  const auto then = [](const std::string& steps, simt::memory_model memory) {
    return found_in(kernel_of("  @%p2 bra $L_end;\n" + steps + "$L_end:\n"), with_data(2), memory);
  };
  const std::string init = "  mbarrier.init.shared.b64 [bar], 2;\n",
                    inval = "  mbarrier.inval.shared.b64 [bar];\n";
  for (const auto memory : {simt::memory_model::sc, simt::memory_model::ptx}) {
    CHECK(then(init, memory) == "assertion");
    CHECK(then(inval + init, memory) == "ok");
    CHECK(then(inval + inval, memory) == "assertion");
    CHECK(then("  st.shared.u64 [bar], 0;\n", memory) == "assertion");
    CHECK(then(inval + "  st.shared.u64 [bar], 0;\n", memory) == "ok");
    CHECK(then("  ld.shared.u64 %rd6, [bar];\n  st.global.u64 [%rd2], %rd6;\n", memory) ==
          "assertion");
    CHECK(then("  atom.shared.add.u64 %rd6, [bar], 1;\n", memory) == "assertion");
    // Shared memory that is used for something else before.
    const std::string zeros = "  .shared .align 8 .b8 bar[8];\n  st.shared.u64 [bar], 0;\n",
                      twos =
                          "  .shared .align 8 .b8 bar[8];\n"
                          "  mov.b64 %rd6, 0x4000000000000000;\n  st.shared.u64 [bar], %rd6;\n";
    for (const std::string& before : {zeros, twos})
      CHECK(found_in(test::ptx_kernel(before + init), with_data(1), memory) == "ok");
  }
  // A part of it. Under ptx, accesses of several sizes are not explored.
  const auto sc = simt::memory_model::sc;
  CHECK(then("  st.shared.u32 [bar+4], 0;\n", sc) == "assertion");
  CHECK(then("  ld.shared.u8 %r8, [bar+7];\n  st.global.u32 [%rd2], %r8;\n", sc) == "assertion");
  CHECK(then(inval + "  st.shared.u32 [bar+4], 0;\n", sc) == "ok");
}

TEST_CASE("reports of kernels tell the phase of an mbarrier") {
  const auto m =
      simt::ptx::parse(kernel_of("  @%p2 bra $L_end;\n"
                                 "  mbarrier.arrive.expect_tx.shared::cta.b64 %rd5, [bar], 64;\n"
                                 "$L_wait:\n"
                                 "  mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], 0;\n"
                                 "  @!%p1 bra $L_wait;\n$L_end:\n"));
  test::source_run run(simt::ptx::to_subject(m, m.kernels.back(), with_data(2)), {1, {2}});
  run.what.subject = "kernel_subject";
  run.how.machine.memory = simt::memory_model::sc;
  warpcheck::session ready(run.what, run.how);
  const warpcheck::run_result result = warpcheck::check(ready, run.bounds);
  REQUIRE(result.violations.size() == 1);
  warpcheck::names named(ready);
  const auto shown = warpcheck::show(ready, named, result.violations.front());
  std::string text;
  for (const std::string& sentence : shown.why) text += sentence + "\n";
  for (const auto& row : shown.table.rows) {
    for (const std::string& change : row.memory) text += change + "\n";
  }
  CAPTURE(text);
  CHECK(text.find("is in a phase of parity 1") != std::string::npos);
  CHECK(text.find("1 of 2 arrived, 64 bytes outstanding") != std::string::npos);
}

TEST_CASE("a copy is there for others behind its wait and a barrier") {
  const auto with = [](const std::string& wait) {
    return kernel_of(copy_own + wait + read_neighbour);
  };
  const std::string group = "  cp.async.commit_group;\n  cp.async.wait_group 0;\n";
  const simt::ptx::launch l = with_data(2, {5, 6});
  for (const auto memory : {simt::memory_model::sc, simt::memory_model::ptx}) {
    CHECK(found_in(with(group + "  bar.sync 0;\n"), l, memory) == "ok");
    CHECK(found_in(with("  cp.async.wait_all;\n  bar.sync 0;\n"), l, memory) == "ok");
    // Without a barrier, with the barrier first, without the end of the group, one group too few.
    CHECK(found_in(with(group), l, memory).find("race") != std::string::npos);
    CHECK(found_in(with("  cp.async.commit_group;\n  bar.sync 0;\n"), l, memory).find("race") !=
          std::string::npos);
    CHECK(found_in(with("  cp.async.wait_group 0;\n  bar.sync 0;\n"), l, memory).find("race") !=
          std::string::npos);
    CHECK(found_in(with("  cp.async.commit_group;\n  cp.async.wait_group 1;\n  bar.sync 0;\n"), l,
                   memory)
              .find("race") != std::string::npos);
  }
  // A read between two barriers, while the copy goes on.
  CHECK(found_in(kernel_of(copy_own + "  bar.sync 0;\n  ld.shared.u32 %r8, [%r7];\n  bar.sync 0;\n"
                                      "  cp.async.wait_all;\n"),
                 l)
            .find("race") != std::string::npos);
}

TEST_CASE("what is not waited for goes on until the thread ends, with a return or without") {
  const std::string steps =
      "  @%p2 bra $L_other;\n  cp.async.ca.shared.global [%r5], [%rd2], 4;\n  bra $L_end;\n"
      "$L_other:\n  st.global.u32 [%rd2], 1;\n$L_end:\n";
  std::string text = kernel_of(steps);
  CHECK(found_in(text, with_data(2)) == "race");
  text.replace(text.rfind("  ret;\n}"), 8, "}");
  CHECK(found_in(text, with_data(2)) == "race");
}

TEST_CASE("a thread must not touch what it copies") {
  const simt::ptx::launch l = with_data(2, {5, 6});
  const auto with = [](const std::string& access) {
    return kernel_of(copy_own + access + "  cp.async.wait_all;\n");
  };
  CHECK(found_in(with(""), l) == "ok");
  CHECK(found_in(with("  ld.shared.u32 %r8, [%r5];\n"), l) == "assertion");
  CHECK(found_in(with("  st.shared.u32 [%r5], 1;\n"), l) == "assertion");
  CHECK(found_in(with("  st.global.u32 [%rd4], 1;\n"), l) == "assertion");
  CHECK(found_in(with(copy_own), l) == "assertion");
  CHECK(found_in(with("  ld.global.u32 %r8, [%rd4];\n"), l) == "ok");
}

TEST_CASE("a copy of fewer bytes than its size, and of none, fills up with zeros") {
  const std::string text = test::ptx_kernel(
      "  .shared .align 16 .b8 tile[32];\n"
      "  st.shared.u32 [tile+8], 9;\n"
      "  mov.u32 %r4, tile;\n"
      "  setp.eq.s32 %p2, %r1, 0;\n"
      "  cp.async.cg.shared.global [%r4], [%rd2], 16, 5;\n"
      "  cp.async.ca.shared.global [%r4+16], [%rd2], 4, %p2;\n"
      "  @!%p2 cp.async.ca.shared.global [%r4+20], [%rd2], 4;\n"
      "  cp.async.wait_all;\n"
      "  ld.shared.u32 %r5, [tile];\n"
      "  ld.shared.u32 %r6, [tile+4];\n"
      "  ld.shared.u32 %r7, [tile+8];\n"
      "  ld.shared.u32 %r8, [tile+16];\n"
      "  setp.eq.s32 %p1, %r5, 0x101;\n"
      "  setp.eq.and.s32 %p1, %r6, 2, %p1;\n"
      "  setp.eq.and.s32 %p1, %r7, 0, %p1;\n"
      "  setp.eq.and.s32 %p1, %r8, 0, %p1;\n"
      "  @%p1 bra $L_good;\n  trap;\n$L_good:\n");
  simt::ptx::launch l = with_data(1);
  l.buffers[0].bytes = {1, 1, 0, 0, 2, 3, 4, 5};
  CHECK(found_in(text, l) == "ok");
}

TEST_CASE("the end of a copy arrives at an mbarrier") {
  const simt::ptx::launch l = with_data(2, {5, 6});
  // (Each thread waits for the first phase, in which two arrivals come.)
  const std::string parity =
      "$L_wait:\n  mbarrier.test_wait.parity.shared.b64 %p1, [bar], 0;\n  @!%p1 bra $L_wait;\n";
  const std::string arrive = "  mbarrier.arrive.shared.b64 %rd5, [bar];\n";
  const std::string bound = "  cp.async.mbarrier.arrive.shared.b64 [bar];\n";
  CHECK(found_in(kernel_of(copy_own + "  cp.async.mbarrier.arrive.noinc.shared.b64 [bar];\n" +
                           parity + read_neighbour),
                 l) == "ok");
  CHECK(found_in(kernel_of(copy_own + bound + arrive + parity + read_neighbour), l) == "ok");
  CHECK(found_in(kernel_of(copy_own + arrive + parity + read_neighbour), l).find("race") !=
        std::string::npos);
  CHECK(found_in(kernel_of(copy_own + bound + "  bar.sync 0;\n" + read_neighbour + arrive), l)
            .find("race") != std::string::npos);
}
