// What PTX's instructions order, and what they do not: fences of one side, red, votes, vectors.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/ptx/parse.hpp"
#include "sim/ptx/translate.hpp"
#include "sim/ptx/unsupported.hpp"
#include "tests/checker/run_source.hpp"
#include "tests/ptx/texts.hpp"

namespace {

simt::ptx::module module_of(const std::string& body) {
  return simt::ptx::parse(
      test::ptx_kernel("  .shared .align 16 .b8 tile[32];\n"
                       "  mov.u32 %r2, %tid.x;\n"
                       "  mov.u32 %r3, %ctaid.x;\n"
                       "  setp.ne.s32 %p2, %r3, 0;\n" +
                       body));
}

/// A run under the PTX memory model. `data`, whose address is %rd2, has so many zeros.
test::source_run run_of(const std::string& body, std::uint32_t blocks, std::uint32_t threads,
                        std::uint64_t zeros) {
  const auto m = module_of(body);
  simt::ptx::launch l;
  l.grid = {blocks, 1, 1};
  l.block = {threads, 1, 1};
  l.buffers.push_back({"data", zeros, simt::ptx::type::u32, {}, {}});
  l.arguments.resize(2);
  l.arguments[0].pointers.push_back({0, 0, 0});
  std::vector<std::uint32_t> warps(threads / 32, 32);
  if (threads % 32 != 0) warps.push_back(threads % 32);
  test::source_run run(simt::ptx::to_subject(m, m.kernels.back(), l), {blocks, warps});
  run.what.subject = "kernel_subject";
  run.how.machine.memory = simt::memory_model::ptx;
  return run;
}

/// What is found where `data` has 16 zeros.
std::string found(const std::string& body, std::uint32_t blocks, std::uint32_t threads) {
  return run_of(body, blocks, threads, 16).found();
}

/// Block 0 stores the data and then the flag. Block 1 reads the flag, and if it is set the data.
std::string message(const std::string& release, const std::string& read_flag,
                    const std::string& acquire) {
  return "  @%p2 bra $L_reader;\n"
         "  st.global.u32 [%rd2], 1;\n" +
         release + read_flag.substr(0, read_flag.find('|')) + "  ret;\n$L_reader:\n" +
         read_flag.substr(read_flag.find('|') + 1) + acquire +
         "  setp.eq.s32 %p1, %r4, 0;\n"
         "  @%p1 bra $L_end;\n"
         "  ld.global.u32 %r5, [%rd2];\n"
         "$L_end:\n";
}
const std::string relaxed =
    "  st.relaxed.gpu.global.u32 [%rd2+4], 1;\n|"
    "  ld.relaxed.gpu.global.u32 %r4, [%rd2+4];\n";

std::vector<std::string> assumed(const std::string& body) {
  const auto m = module_of(body);
  std::vector<std::string> all;
  for (const auto& use : simt::ptx::assumed(m, m.kernels.back())) all.push_back(use.reason);
  return all;
}

}  // namespace

TEST_CASE("fence.release releases, and fence.acquire acquires") {
  const std::string both = "  fence.acq_rel.gpu;\n", release = "  fence.release.gpu;\n",
                    acquire = "  fence.acquire.gpu;\n";
  CHECK(found(message(both, relaxed, both), 2, 1) == "ok");
  CHECK(found(message(release, relaxed, acquire), 2, 1) == "ok");
  CHECK(found(message(acquire, relaxed, acquire), 2, 1) == "race");
  CHECK(found(message(release, relaxed, release), 2, 1) == "race");
  CHECK(found(message(acquire, relaxed, release), 2, 1) == "race");
}

TEST_CASE("a cache operator makes no access strong") {
  const std::string fence = "  fence.acq_rel.gpu;\n";
  const auto with = [](const std::string& load) {
    return "  st.volatile.global.u32 [%rd2+4], 1;\n|  " + load + " %r4, [%rd2+4];\n";
  };
  CHECK(found(message(fence, with("ld.volatile.global.u32"), fence), 2, 1) == "ok");
  for (const char* const load : {"ld.global.cv.u32", "ld.global.cg.u32", "ld.global.u32"})
    CHECK(found(message(fence, with(load), fence), 2, 1) == "race");
}

TEST_CASE("a fence acquires from what atom has read, and not from what red has read") {
  const auto with = [](const std::string& update) {
    return "  @%p2 bra $L_reader;\n"
           "  st.global.u32 [%rd2], 1;\n"
           "  st.release.gpu.global.u32 [%rd2+4], 1;\n"
           "  ret;\n$L_reader:\n" +
           update +
           "  fence.acq_rel.gpu;\n"
           "  ld.relaxed.gpu.global.u32 %r4, [%rd2+4];\n"
           "  setp.ne.s32 %p1, %r4, 3;\n"
           "  @%p1 bra $L_end;\n"
           "  ld.global.u32 %r5, [%rd2];\n"
           "$L_end:\n";
  };
  // The load may read the reader's own update, which reads the flag.
  const std::string acquires = "  atom.relaxed.gpu.global.add.u32 %r6, [%rd2+4], 2;\n";
  CHECK(found(with(acquires), 2, 1) == "ok");
  CHECK(found(with("  red.relaxed.gpu.global.add.u32 [%rd2+4], 2;\n"), 2, 1) == "race");
  CHECK(found(with("  atom.relaxed.gpu.global.add.u32 _, [%rd2+4], 2;\n"), 2, 1) == "race");
}

TEST_CASE("loads are buffered across fences of one side") {
  const auto with = [](const std::string& fence) {
    return "  @%p2 bra $L_two;\n"
           "  ld.relaxed.gpu.global.u32 %r4, [%rd2];\n" +
           fence +
           "  st.relaxed.gpu.global.u32 [%rd2+4], 1;\n"
           "  st.relaxed.gpu.global.u32 [%rd2+8], %r4;\n"
           "  ret;\n$L_two:\n"
           "  ld.relaxed.gpu.global.u32 %r4, [%rd2+4];\n" +
           fence +
           "  st.relaxed.gpu.global.u32 [%rd2], 1;\n"
           "  setp.eq.s32 %p1, %r4, 0;\n"
           "  @%p1 bra $L_end;\n"
           "  ld.relaxed.gpu.global.u32 %r5, [%rd2+8];\n"
           "  setp.eq.s32 %p1, %r5, 0;\n"
           "  @%p1 bra $L_end;\n"
           "  trap;\n$L_end:\n";
  };
  CHECK(found(with(""), 2, 1) == "assertion");
  CHECK(found(with("  fence.acquire.gpu;\n"), 2, 1) == "assertion");
  CHECK(found(with("  fence.release.gpu;\n"), 2, 1) == "assertion");
  CHECK(found(with("  fence.acq_rel.gpu;\n"), 2, 1) == "ok");
}

TEST_CASE("red reads what a store behind another red's fence has written") {
  const auto with = [](const std::string& update) {
    return "  mul.wide.u32 %rd3, %r3, 4;\n"
           "  add.s64 %rd4, %rd2, %rd3;\n"
           "  xor.b32 %r7, %r3, 1;\n"
           "  mul.wide.u32 %rd5, %r7, 4;\n"
           "  add.s64 %rd6, %rd2, %rd5;\n" +
           update +
           "  fence.acq_rel.gpu;\n"
           "  st.relaxed.gpu.global.u32 [%rd6], 5;\n"
           "  red.release.gpu.global.add.u32 [%rd2+16], 1;\n"
           "  @%p2 bra $L_end;\n$L_wait:\n"
           "  ld.acquire.gpu.global.u32 %r4, [%rd2+16];\n"
           "  setp.ne.s32 %p1, %r4, 2;\n"
           "  @%p1 bra $L_wait;\n"
           "  ld.relaxed.gpu.global.u32 %r4, [%rd2];\n"
           "  ld.relaxed.gpu.global.u32 %r5, [%rd2+4];\n"
           "  add.s32 %r6, %r4, %r5;\n"
           "  setp.ne.s32 %p1, %r6, 12;\n"
           "  @%p1 bra $L_end;\n"
           "  trap;\n$L_end:\n";
  };
  CHECK(found(with("  red.relaxed.gpu.global.add.u32 [%rd4], 1;\n"), 2, 1) == "assertion");
  CHECK(found(with("  atom.relaxed.gpu.global.add.u32 %r8, [%rd4], 1;\n"), 2, 1) == "ok");
}

TEST_CASE("a stale value behind a fence of one side is an assertion that the axioms allow") {
  const auto with = [](const std::string& fence) {
    return "  @%p2 bra $L_reader;\n"
           "  st.relaxed.gpu.global.u32 [%rd2], 1;\n" +
           fence +
           "  st.relaxed.gpu.global.u32 [%rd2+4], 1;\n"
           "  ret;\n$L_reader:\n"
           "  ld.relaxed.gpu.global.u32 %r4, [%rd2+4];\n" +
           fence +
           "  ld.relaxed.gpu.global.u32 %r5, [%rd2];\n"
           "  setp.le.u32 %p1, %r4, %r5;\n"
           "  @%p1 bra $L_end;\n"
           "  trap;\n$L_end:\n";
  };
  CHECK(found(with("  fence.acquire.gpu;\n"), 2, 1) == "assertion");
  CHECK(found(with("  fence.release.gpu;\n"), 2, 1) == "assertion");
  CHECK(found(with("  fence.acq_rel.gpu;\n"), 2, 1) == "ok");
}

TEST_CASE("loads are buffered across a barrier behind which another lane begins an mbarrier") {
  const auto with = [](const std::string& begins, const std::string& uses) {
    return "  setp.ne.s32 %p3, %r2, 0;\n"
           "  mul.wide.u32 %rd3, %r3, 4;\n"
           "  add.s64 %rd4, %rd2, %rd3;\n"
           "  xor.b32 %r7, %r3, 1;\n"
           "  mul.wide.u32 %rd5, %r7, 4;\n"
           "  add.s64 %rd6, %rd2, %rd5;\n"
           "  mov.u32 %r4, 0;\n"
           "  @%p3 bra $L_one;\n"
           "  ld.relaxed.gpu.global.u32 %r4, [%rd4];\n$L_one:\n"
           "  bar.sync 0;\n"
           "  @!%p3 bra $L_meet;\n" +
           begins + "$L_meet:\n  bar.sync 0;\n  @%p3 bra $L_end;\n" + uses +
           "  st.relaxed.gpu.global.u32 [%rd6], 1;\n"
           "  st.relaxed.gpu.global.u32 [%rd6+8], %r4;\n"
           "  setp.eq.s32 %p1, %r4, 1;\n"
           "  @!%p1 bra $L_end;\n"
           "  ld.relaxed.gpu.global.u32 %r5, [%rd4+8];\n"
           "  setp.eq.s32 %p1, %r5, 1;\n"
           "  @!%p1 bra $L_end;\n"
           "  trap;\n$L_end:\n";
  };
  CHECK(found(with("", ""), 2, 2) == "assertion");
  CHECK(found(with("  mbarrier.init.shared::cta.b64 [tile], 1;\n",
                   "  mbarrier.inval.shared::cta.b64 [tile];\n"),
              2, 2) == "assertion");
  CHECK(found(with("  st.shared.u32 [tile], 1;\n", "  ld.shared.u32 %r9, [tile];\n"), 2, 2) ==
        "assertion");
}

TEST_CASE("a relaxed arrival at a cluster's barrier tells nothing, aligned or not") {
  const auto with = [](const std::string& arrive, const std::string& wait) {
    return "  setp.ne.s32 %p3, %r2, 0;\n"
           "  @%p3 bra $L_arrive;\n"
           "  st.shared.u32 [tile], 1;\n"
           "$L_arrive:\n" +
           arrive + wait + "  ld.shared.u32 %r4, [tile];\n";
  };
  CHECK(found(with("  barrier.cluster.arrive.aligned;\n", "  barrier.cluster.wait.aligned;\n"), 1,
              2) == "ok");
  CHECK(found(with("  barrier.cluster.arrive.relaxed.aligned;\n",
                   "  barrier.cluster.wait.aligned;\n"),
              1, 2) == "race");
  CHECK(found(with("  barrier.cluster.arrive.relaxed;\n", "  barrier.cluster.wait;\n"), 1, 2) ==
        "race");
}

// PTX ISA, barrier.cluster: "use memory fence prior to arrive for relaxed barrier".
TEST_CASE("a fence in front of a relaxed arrival at a cluster's barrier tells what is before it") {
  // Block 0 stores, and both blocks come to what `around` has at and behind the arrival.
  const auto found_with = [](const std::string& before, const std::string& behind,
                             std::uint32_t threads = 1, const std::string& read = "0") {
    const auto m = module_of(
        "  mov.u32 %r2, %tid.x;\n"
        "  mov.u32 %r3, %cluster_ctarank;\n"
        "  mov.u32 %r5, tile;\n"
        "  mapa.shared::cluster.u32 %r6, %r5, " +
        read +
        ";\n"
        "  setp.ne.s32 %p3, %r2, 0;\n"
        "  @%p3 bra $L_arrive;\n"
        "  st.shared.u32 [tile], 1;\n"
        "$L_arrive:\n" +
        before + "  barrier.cluster.arrive.relaxed;\n" + behind +
        "  barrier.cluster.wait;\n"
        "  ld.shared::cluster.u32 %r4, [%r6];\n"
        "  barrier.cluster.arrive;\n  barrier.cluster.wait;\n");
    simt::ptx::launch l;
    l.grid = {2, 1, 1};
    l.block = {threads, 1, 1};
    l.cluster = 2;
    l.arguments.resize(2);
    test::source_run run(simt::ptx::to_subject(m, m.kernels.back(), l), {2, {threads}});
    run.what.subject = "kernel_subject";
    run.what.grid.cluster = 2;
    run.how.machine.memory = simt::memory_model::ptx;
    return run.found();
  };
  CHECK(found_with("", "") == "race");
  for (const char* const fence : {"fence.acq_rel.cluster", "fence.acq_rel.gpu", "fence.sc.cluster",
                                  "fence.sc.sys", "membar.gl"}) {
    CAPTURE(fence);
    const std::string text = std::string("  ") + fence + ";\n";
    CHECK(found_with(text, "") == "ok");
    CHECK(found_with("", text) == "race");  // a fence behind the arrival comes too late
  }
  CHECK(found_with("  fence.acq_rel.cta;\n", "") == "race");
  CHECK(found_with("  fence.acquire.cluster;\n", "") == "race");
  // The fence of the block is for the block's own threads: each block reads its own cell.
  CHECK(found_with("", "", 2, "%r3") == "race");
  CHECK(found_with("  fence.acq_rel.cta;\n", "", 2, "%r3") == "ok");
  // What is stored between the fence and the arrival is not told.
  CHECK(found_with("  fence.acq_rel.cluster;\n  st.shared.u32 [tile], 2;\n", "") == "race");
}

TEST_CASE("fence.mbarrier_init and a relaxed arrival tell of mbarriers alone") {
  // Two blocks of a cluster arrive at each other's mbarrier, as libraries begin.
  struct parts {
    std::string init = "  mbarrier.init.shared::cta.b64 [tile], 1;\n";
    std::string fence = "  fence.mbarrier_init.release.cluster;\n";
    std::string before_arrival, behind;
  };
  const auto found_with = [](const parts& p) {
    const auto m = module_of(
        "  xor.b32 %r7, %r3, 1;\n"
        "  mov.u32 %r5, tile;\n"
        "  mapa.shared::cluster.u32 %r6, %r5, %r7;\n"
        "  st.shared.u32 [tile+16], %r3;\n" +
        p.init + p.fence + p.before_arrival +
        "  barrier.cluster.arrive.relaxed;\n"
        "  barrier.cluster.wait.acquire;\n" +
        p.behind +
        "  mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r6];\n"
        "$L_wait:\n"
        "  mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p1, [tile], 0;\n"
        "  @!%p1 bra $L_wait;\n"
        "  barrier.cluster.arrive;\n  barrier.cluster.wait;\n");
    simt::ptx::launch l;
    l.grid = {2, 1, 1};
    l.block = {1, 1, 1};
    l.cluster = 2;
    l.arguments.resize(2);
    test::source_run run(simt::ptx::to_subject(m, m.kernels.back(), l), {2, {1}});
    run.what.subject = "kernel_subject";
    run.what.grid.cluster = 2;
    run.how.machine.memory = simt::memory_model::ptx;
    return run.found();
  };
  const auto has_race = [](const std::string& what) { return what.find("race") != what.npos; };
  parts p;
  CHECK(found_with(p) == "ok");
  const std::string fence = p.fence, init = p.init;
  p.fence = "";
  CHECK(has_race(found_with(p)));
  // The fence comes too early: it covers what is initialized before it.
  p.fence = init;
  p.init = fence;
  CHECK(has_race(found_with(p)));
  // Another mbarrier, which is initialized behind the fence: then nothing is told.
  p = {};
  p.before_arrival = "  mbarrier.init.shared::cta.b64 [tile+8], 1;\n";
  CHECK(has_race(found_with(p)));
  // Other data stays untold.
  p = {};
  p.behind = "  ld.shared::cluster.u32 %r8, [%r6+16];\n";
  CHECK(has_race(found_with(p)));
  // A place that is no mbarrier any more is other data, too.
  p = {};
  p.init =
      "  mbarrier.init.shared::cta.b64 [tile+24], 1;\n"
      "  mbarrier.inval.shared::cta.b64 [tile+24];\n"
      "  mov.b64 %rd6, 0x4000000000100001;\n"
      "  st.shared.u64 [tile+24], %rd6;\n" +
      init;
  p.behind = "  ld.shared::cluster.u64 %rd7, [%r6+24];\n";
  CHECK(has_race(found_with(p)));
}

TEST_CASE("a vector is read element by element behind a barrier") {
  // Each of two threads has stored two elements.
  CHECK(found("  shl.b32 %r4, %r2, 3;\n"
              "  mov.u32 %r5, tile;\n"
              "  add.s32 %r5, %r5, %r4;\n"
              "  st.shared.u32 [%r5], %r2;\n"
              "  st.shared.u32 [%r5+4], %r2;\n"
              "  bar.sync 0;\n"
              "  ld.shared.v4.u32 {%r6, %r7, %r8, %r9}, [tile];\n"
              "  add.s32 %r10, %r6, %r9;\n"
              "  setp.eq.s32 %p1, %r10, 1;\n"
              "  @%p1 bra $L_good;\n  trap;\n$L_good:\n",
              1, 2) == "ok");
}

TEST_CASE("ld.global.nc of what was written in the launch is an assertion") {
  const std::string own = "  mul.wide.u32 %rd3, %r2, 4;\n  add.s64 %rd4, %rd2, %rd3;\n";
  const std::string store = "  mov.u32 %r8, 7;\n  st.global.u32 [%rd4], %r8;\n";
  const std::string read = "  ld.global.nc.v2.u32 {%r4, %r5}, [%rd2];\n";
  const std::string barrier = "  bar.sync 0;\n";
  CHECK(found(own + read + barrier + store, 1, 2) == "ok");
  CHECK(found(own + store + barrier + read, 1, 2) == "assertion");
  CHECK(found(own + store + read, 1, 2).find("race") != std::string::npos);
}

TEST_CASE("what vectors, elections and waits for grids are taken for is told") {
  CHECK(assumed("  ld.global.v2.u32 {%r4, %r5}, [%rd2];\n").empty());
  CHECK(assumed("  ld.volatile.global.u32 %r4, [%rd2];\n").empty());
  CHECK(assumed("  ld.volatile.global.v2.u32 {%r4, %r5}, [%rd2];\n").size() == 1);
  CHECK(assumed("  st.relaxed.gpu.global.v2.u32 [%rd2], {%r4, %r5};\n").size() == 1);
  CHECK(assumed("  ld.global.nc.u32 %r4, [%rd2];\n").empty());
  CHECK(assumed("  elect.sync %r4|%p1, -1;\n").size() == 1);
  CHECK(assumed("  griddepcontrol.wait;\n").size() == 1);
  CHECK(assumed("  griddepcontrol.launch_dependents;\n").empty());
}

// The grid barrier of cooperative groups waits for a bit that flips. In its second round, the
// values of the first one would let a block pass at once, but nobody can read them any more.
TEST_CASE("blocks that meet twice at a flipping bit are explored in one order") {
  const auto meet = [](int round) {
    return fmt::format(
        "  bar.sync 0;\n"
        "  setp.ne.u32 %p1, %r2, 0;\n"
        "  @%p1 bra $L_met_{0};\n"
        "  selp.b32 %r6, 1, 0x7fffffff, %p2;\n"
        "  atom.acq_rel.gpu.global.add.u32 %r7, [%rd2], %r6;\n"
        "$L_wait_{0}:\n"
        "  ld.acquire.gpu.global.u32 %r8, [%rd2];\n"
        "  xor.b32 %r8, %r8, %r7;\n"
        "  setp.ge.s32 %p3, %r8, 0;\n"
        "  @%p3 bra $L_wait_{0};\n"
        "$L_met_{0}:\n"
        "  bar.sync 0;\n",
        round);
  };
  // %rd5: the thread's own cell; %rd6: that of the other block's thread.
  const auto twice = [&](const std::string& second) {
    return "  shl.b32 %r4, %r3, 3;\n"
           "  add.u32 %r4, %r4, %r2;\n"
           "  mul.wide.u32 %rd4, %r4, 4;\n"
           "  add.s64 %rd5, %rd2, %rd4;\n"
           "  xor.b32 %r5, %r4, 8;\n"
           "  mul.wide.u32 %rd4, %r5, 4;\n"
           "  add.s64 %rd6, %rd2, %rd4;\n"
           "  st.global.u32 [%rd5+4], 1;\n" +
           meet(1) + "  ld.global.u32 %r9, [%rd6+4];\n" + second +
           "  st.global.u32 [%rd5+4], %r9;\n";
  };
  const warpcheck::run_result both = run_of(twice(meet(2)), 2, 8, 17).check();
  CHECK(test::source_run::names(both) == "ok");
  CHECK(both.stopped == "");
  CHECK(both.states <= 40);  // without: a state for each subset of the threads that wait to load
  CHECK(run_of(twice(""), 2, 8, 17).found().find("race") != std::string::npos);
}
