// Barriers of a block and of a cluster in PTX: with numbers of threads, reductions, two halves.
#include <doctest/doctest.h>

#include <string>

#include "sim/ptx/parse.hpp"
#include "sim/ptx/translate.hpp"
#include "tests/checker/run_source.hpp"
#include "tests/checker/why.hpp"
#include "tests/ptx/texts.hpp"

namespace {

/// Two warps. %r2 is the thread, %r3 its warp, and %p2 says that it is not the first one.
test::source_run run_of(const std::string& body) {
  const auto m =
      simt::ptx::parse(test::ptx_kernel("  mov.u32 %r2, %tid.x;\n"
                                        "  shr.u32 %r3, %r2, 5;\n"
                                        "  setp.ne.s32 %p2, %r3, 0;\n" +
                                        body));
  simt::ptx::launch l;
  l.block = {64, 1, 1};
  l.buffers.push_back({"data", 16, simt::ptx::type::u32, {}, {}});
  l.arguments.resize(2);
  l.arguments[0].pointers.push_back({0, 0, 0});
  test::source_run run(simt::ptx::to_subject(m, m.kernels.back(), l), {1, {32, 32}});
  run.what.subject = "kernel_subject";
  return run;
}

std::string found(const std::string& body) { return run_of(body).found(); }

std::string unless_first_warp(const std::string& body) {
  return "  @%p2 bra $L_end;\n" + body + "$L_end:\n";
}
const std::string is_right =
    "  @%p1 bra $L_good;\n"
    "  trap;\n"
    "$L_good:\n";

}  // namespace

TEST_CASE("a barrier for a number of threads waits for warps that have exited") {
  CHECK(found("  bar.sync 1, 64;\n") == "ok");
  CHECK(found(unless_first_warp("  bar.sync 1, 64;\n")) == "deadlock");
  CHECK(found(unless_first_warp("  bar.sync 0, 64;\n")) == "deadlock");
  CHECK(found(unless_first_warp("  bar.sync 0;\n")) == "ok");
  CHECK(found(unless_first_warp("  bar.sync 1;\n")) == "ok");
  CHECK(found(unless_first_warp("  bar.arrive 1, 64;\n")) == "ok");
  CHECK(found("  mov.u32 %r4, 33;\n  bar.sync 1, %r4;\n") == "assertion");
}

TEST_CASE("a number that no barrier has is found where it is used") {
  const auto with = [](int number, const std::string& use) {
    return "  mov.u32 %r4, " + std::to_string(number) + ";\n  mov.u32 %r5, 64;\n" + use;
  };
  CHECK(found(with(15, "  bar.sync %r4;\n")) == "ok");
  CHECK(found(with(16, "  bar.sync %r4;\n")) == "assertion");
  CHECK(found(with(16, "  barrier.sync %r4, 64;\n")) == "assertion");
  CHECK(found(with(16, "  bar.red.popc.u32 %r6, %r4, %p2;\n")) == "assertion");
  CHECK(found(with(15, "  bar.arrive %r4, %r5;\n")) == "ok");
  CHECK(found(with(0, "  bar.arrive 1, %r4;\n")) == "assertion");
}

TEST_CASE("a barrier of the block is used with a reduction by all warps, or by none") {
  const auto arms = [](const std::string& one, const std::string& other) {
    return "  @%p2 bra $L_other;\n" + one + "  bra $L_both;\n$L_other:\n" + other + "$L_both:\n";
  };
  const std::string sync = "  bar.sync 0;\n", votes = "  bar.red.popc.u32 %r4, 0, %p2;\n",
                    aligned = "  barrier.red.popc.aligned.u32 %r4, 0, %p2;\n";
  CHECK(found(arms(sync, sync)) == "ok");
  CHECK(found(arms(votes, aligned)) == "ok");
  CHECK(found(arms(sync, votes)) == "barrier-divergence");
  CHECK(found(arms(votes, sync)) == "barrier-divergence");
}

TEST_CASE("a report calls a reduction at a barrier so") {
  test::source_run run = run_of(
      "  @%p2 bra $L_other;\n  bar.red.or.pred %p3, 1, 96, %p2;\n  bra $L_both;\n"
      "$L_other:\n  bar.red.or.pred %p3, 1, 96, %p2;\n$L_both:\n");
  const std::string text = test::why(run);
  CAPTURE(text);
  CHECK(text.find("wait at bar_red_or, ") != std::string::npos);
}

TEST_CASE("lanes of a warp stand at different places of a barrier without .aligned") {
  const auto arms = [](const std::string& barrier) {
    return "  and.b32 %r4, %r2, 1;\n"
           "  setp.ne.s32 %p1, %r4, 0;\n"
           "  @%p1 bra $L_odd;\n" +
           barrier + "  bra $L_both;\n$L_odd:\n" + barrier + "$L_both:\n";
  };
  CHECK(found(arms("  barrier.sync 1, 64;\n")) == "ok");
  CHECK(found(arms("  barrier.sync.aligned 1, 64;\n")) == "barrier-divergence");
  CHECK(found(arms("  bar.sync 1, 64;\n")) == "barrier-divergence");
}

TEST_CASE("a reduction over a part of a block") {
  const std::string odd = "  and.b32 %r4, %r2, 1;\n  setp.ne.s32 %p1, %r4, 0;\n";
  CHECK(found(odd + "  bar.red.popc.u32 %r5, 1, 64, %p1;\n  setp.eq.s32 %p1, %r5, 32;\n" +
              is_right) == "ok");
  CHECK(found(odd + "  bar.red.or.pred %p1, 1, 64, %p1;\n" + is_right) == "ok");
  CHECK(found(odd + "  bar.red.and.pred %p1, 2, %p1;\n  not.pred %p1, %p1;\n" + is_right) == "ok");
  CHECK(found(unless_first_warp(odd +
                                "  bar.red.popc.u32 %r5, 1, 32, %p1;\n"
                                "  setp.eq.s32 %p1, %r5, 16;\n" +
                                is_right)) == "ok");
}

TEST_CASE("the halves of a cluster's barrier") {
  const std::string arrive = "  barrier.cluster.arrive.release.aligned;\n";
  const std::string wait = "  barrier.cluster.wait.acquire.aligned;\n";
  CHECK(found(arrive + wait) == "ok");
  CHECK(found(arrive + arrive + wait) == "barrier-divergence");
  CHECK(found(wait) == "barrier-divergence");
  // A branch has parted the lanes of the first warp.
  CHECK(found("  setp.eq.s32 %p1, %r2, 0;\n  @!%p1 bra $L_met;\n  membar.cta;\n$L_met:\n" + arrive +
              wait) == "ok");
  CHECK(found(unless_first_warp("  barrier.cluster.arrive.relaxed;\n  barrier.cluster.wait;\n")) ==
        "ok");
}
