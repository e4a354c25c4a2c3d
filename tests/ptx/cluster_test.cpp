// Clusters of several blocks in PTX: who is who, addresses, barriers, remote mbarriers, copies.
#include <doctest/doctest.h>

#include <string>

#include "sim/ptx/parse.hpp"
#include "sim/ptx/translate.hpp"
#include "sim/ptx/unsupported.hpp"
#include "tests/checker/run_source.hpp"
#include "tests/ptx/texts.hpp"

namespace {

using simt::memory_model;
using simt::reconvergence;

struct shape {
  std::uint32_t blocks = 2, threads = 1, cluster = 2;
};

simt::ptx::launch launch_of(const shape& s) {
  simt::ptx::launch l;
  l.grid = {s.blocks, 1, 1};
  l.block = {s.threads, 1, 1};
  l.cluster = s.cluster;
  l.buffers.push_back({"data", 16, simt::ptx::type::u32, {}, {}});
  l.arguments.resize(2);
  l.arguments[0].pointers.push_back({0, 0, 0});
  return l;
}

std::string found_in(const std::string& body, memory_model memory, const shape& s = {},
                     reconvergence model = reconvergence::its) {
  const auto m = simt::ptx::parse(test::ptx_kernel(body));
  test::source_run run(simt::ptx::to_subject(m, m.kernels.back(), launch_of(s)),
                       {s.blocks, {s.threads}}, model);
  run.what.subject = "kernel_subject";
  run.what.grid.cluster = s.cluster;
  run.how.machine.memory = memory;
  run.bounds.time = 60;
  return run.found();
}

/// What both memory models and both ways of scheduling find.
std::string found(const std::string& body, const shape& s = {}) {
  std::string all;
  for (const memory_model memory : {memory_model::sc, memory_model::ptx}) {
    for (const reconvergence model : {reconvergence::its, reconvergence::stack}) {
      const std::string one = found_in(body, memory, s, model);
      if (all.empty()) all = one;
      CHECK(one == all);
    }
  }
  return all;
}

/// Traps unless the predicate holds.
std::string must_be(const std::string& name, const std::string& set) {
  return set + "  @%p1 bra $L_" + name + ";\n  trap;\n$L_" + name + ":\n";
}

const std::string variables =
    "  .shared .align 8 .b8 bar[8];\n"
    "  .shared .align 16 .b8 cell[16];\n"
    "  mov.u32 %r2, %cluster_ctarank;\n"
    "  xor.b32 %r3, %r2, 1;\n"  // the other block
    "  mov.u32 %r4, cell;\n"
    "  mapa.shared::cluster.u32 %r5, %r4, %r3;\n"  // its cell
    "  setp.ne.s32 %p2, %r2, 0;\n";
const std::string meet = "  barrier.cluster.arrive;\n  barrier.cluster.wait;\n";
const std::string write_own = "  add.u32 %r6, %r2, 5;\n  st.shared.u32 [%r4], %r6;\n";
/// The value that the other block writes is in %r8.
const std::string is_of_other =
    must_be("other", "  add.u32 %r9, %r3, 5;\n  setp.eq.u32 %p1, %r8, %r9;\n");

}  // namespace

TEST_CASE("special registers of a cluster") {
  CHECK(found(must_be("rank",
                      "  mov.u32 %r2, %ctaid.x;\n  and.b32 %r3, %r2, 1;\n  shr.u32 %r4, %r2, 1;\n"
                      "  mov.u32 %r5, %cluster_ctarank;\n  mov.u32 %r6, %cluster_ctaid.x;\n"
                      "  mov.u32 %r7, %clusterid.x;\n  mov.u32 %r8, %nclusterid.x;\n"
                      "  mov.u32 %r9, %cluster_nctaid.x;\n  mov.u32 %r10, %cluster_nctarank;\n"
                      "  setp.eq.u32 %p1, %r3, %r5;\n  setp.eq.and.u32 %p1, %r3, %r6, %p1;\n"
                      "  setp.eq.and.u32 %p1, %r4, %r7, %p1;\n  setp.eq.and.u32 %p1, %r8, 2, %p1;\n"
                      "  setp.eq.and.u32 %p1, %r9, 2, %p1;\n"
                      "  setp.eq.and.u32 %p1, %r10, 2, %p1;\n"),
              {4, 1, 2}) == "ok");
}

TEST_CASE("blocks of a cluster read each other's shared memory") {
  const std::string read = "  ld.shared::cluster.u32 %r8, [%r5];\n" + is_of_other;
  CHECK(found(variables + write_own + meet + read + meet) == "ok");
  CHECK(found(variables + write_own +
              "  barrier.cluster.arrive.release.aligned;\n"
              "  barrier.cluster.wait.acquire.aligned;\n" +
              read + meet) == "ok");
  CHECK(found(variables + write_own + meet + read) == "bad-access");
  for (const memory_model memory : {memory_model::sc, memory_model::ptx}) {
    const std::string early = found_in(variables + write_own + read + meet, memory);
    CHECK(early.find("race") != std::string::npos);
  }
  // An arrival that orders nothing.
  CHECK(found_in(variables + write_own +
                     "  barrier.cluster.arrive.relaxed;\n  barrier.cluster.wait;\n" + read + meet,
                 memory_model::ptx) == "race");
}

TEST_CASE("generic addresses of another block") {
  const std::string map =
      "  cvt.u64.u32 %rd3, %r4;\n  cvta.shared.u64 %rd4, %rd3;\n  mapa.u64 %rd5, %rd4, %r3;\n";
  const std::string read = map + "  ld.u32 %r8, [%rd5];\n" + is_of_other;
  CHECK(found(variables + write_own + meet + read + meet) == "ok");
  // There and back.
  CHECK(found(variables + write_own + meet + map +
              "  cvta.to.shared.u64 %rd6, %rd5;\n  cvt.u32.u64 %r10, %rd6;\n" +
              must_be("same", "  setp.eq.u32 %p1, %r10, %r5;\n") +
              "  ld.shared::cluster.u32 %r8, [%r10];\n" + is_of_other + meet) == "ok");
  CHECK(found(variables + map +
              "  getctarank.u64 %r10, %rd5;\n  getctarank.shared::cluster.u32 %r11, %r5;\n"
              "  getctarank.shared::cluster.u32 %r12, %r4;\n" +
              must_be("ranks",
                      "  setp.eq.u32 %p1, %r10, %r3;\n  setp.eq.and.u32 %p1, %r11, %r3, %p1;\n"
                      "  setp.eq.and.u32 %p1, %r12, %r2, %p1;\n") +
              "  isspacep.shared::cluster %p3, %rd5;\n  isspacep.shared::cta %p4, %rd5;\n"
              "  isspacep.shared::cta %p5, %rd4;\n  isspacep.global %p6, %rd5;\n"
              "  isspacep.global %p7, %rd2;\n  not.pred %p4, %p4;\n  not.pred %p6, %p6;\n" +
              must_be("spaces",
                      "  and.pred %p1, %p3, %p4;\n  and.pred %p1, %p1, %p5;\n"
                      "  and.pred %p1, %p1, %p6;\n  and.pred %p1, %p1, %p7;\n")) == "ok");
  // An address of the own block is one of the cluster.
  CHECK(found(variables + write_own + "  ld.shared::cluster.u32 %r8, [%r4];\n" +
              must_be("own", "  setp.eq.u32 %p1, %r8, %r6;\n")) == "ok");
  // No such block.
  CHECK(found(variables + "  mapa.shared::cluster.u32 %r5, %r4, 2;\n"
                          "  st.shared::cluster.u32 [%r5], 1;\n") == "bad-access");
}

TEST_CASE("atomics on the shared memory of another block") {
  const auto count = [](const std::string& scope) {
    return variables + "  @%p2 bra $L_zero;\n  st.shared.u32 [%r4], 0;\n$L_zero:\n" + meet +
           "  mapa.shared::cluster.u32 %r5, %r4, 0;\n"
           "  atom.relaxed." +
           scope + ".shared::cluster.add.u32 %r8, [%r5], 1;\n" + meet +
           "  @%p2 bra $L_end;\n  ld.shared.u32 %r8, [%r4];\n" +
           must_be("two", "  setp.eq.u32 %p1, %r8, 2;\n") + "$L_end:\n";
  };
  CHECK(found(count("cluster")) == "ok");
  CHECK(found(count("gpu")) == "ok");
  CHECK(found_in(count("cta"), memory_model::sc).find("race") != std::string::npos);
  CHECK(found_in(count("cta"), memory_model::ptx).find("race") != std::string::npos);
}

TEST_CASE("blocks arrive at the mbarrier of another one") {
  // Block 1 writes into the cell of block 0, and arrives there.
  const auto arrives = [](const std::string& arrival, const std::string& wait) {
    return variables +
           "  @%p2 bra $L_begun;\n  mbarrier.init.shared::cta.b64 [bar], 1;\n"
           "  fence.mbarrier_init.release.cluster;\n$L_begun:\n" +
           meet +
           "  @!%p2 bra $L_waits;\n  mov.u32 %r10, bar;\n"
           "  mapa.shared::cluster.u32 %r11, %r10, 0;\n"
           "  st.shared::cluster.u32 [%r5], 6;\n"
           "  mbarrier.arrive" +
           arrival +
           ".shared::cluster.b64 _, [%r11];\n"
           "  bra $L_end;\n"
           "$L_waits:\n"
           "  mbarrier.try_wait.parity" +
           wait +
           ".shared::cta.b64 %p1, [bar], 0;\n"
           "  @!%p1 bra $L_waits;\n  ld.shared.u32 %r8, [%r4];\n" +
           is_of_other + "$L_end:\n" + meet;
  };
  CHECK(found(arrives(".release.cluster", ".acquire.cluster")) == "ok");
  CHECK(found(arrives("", "")) == "ok");  // as libraries write it
  CHECK(found_in(arrives(".relaxed.cluster", ".acquire.cluster"), memory_model::ptx) == "race");
  for (const memory_model memory : {memory_model::sc, memory_model::ptx}) {
    CHECK(found_in(arrives(".release.cta", ".acquire.cluster"), memory).find("race") !=
          std::string::npos);
    CHECK(found_in(arrives(".release.cluster", ".acquire.cta"), memory).find("race") !=
          std::string::npos);
  }
}

TEST_CASE("bulk copies into the shared memory of another block") {
  // Block 0 copies its cell into that of block 1, which waits.
  const auto copies = [](const std::string& wait) {
    return variables +
           "  @!%p2 bra $L_fill;\n  mbarrier.init.shared::cta.b64 [bar], 1;\n"
           "  fence.mbarrier_init.release.cluster;\n  bra $L_begun;\n"
           "$L_fill:\n  st.shared.u32 [%r4], 5;\n  st.shared.u32 [%r4+4], 0;\n"
           "  st.shared.u32 [%r4+8], 0;\n  st.shared.u32 [%r4+12], 0;\n  fence.proxy.async;\n"
           "$L_begun:\n" +
           meet +
           "  @%p2 bra $L_waits;\n  mov.u32 %r10, bar;\n"
           "  mapa.shared::cluster.u32 %r11, %r10, 1;\n"
           "  cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes "
           "[%r5], [%r4], 16, [%r11];\n"
           "  bra $L_end;\n"
           "$L_waits:\n"
           "  mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 16;\n" +
           wait + "  ld.shared.u32 %r8, [%r4];\n" + is_of_other + "$L_end:\n" + meet;
  };
  const std::string wait =
      "$L_wait:\n  mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], 0;\n"
      "  @!%p1 bra $L_wait;\n";
  for (const reconvergence model : {reconvergence::its, reconvergence::stack}) {
    for (const memory_model memory : {memory_model::sc, memory_model::ptx}) {
      CHECK(found_in(copies(wait), memory, {}, model) == "ok");
      const std::string early = found_in(copies(""), memory, {}, model);
      CHECK(early.find("race") != std::string::npos);
    }
  }
}

TEST_CASE("what a launch in clusters must fulfil") {
  const auto refusal = [](const std::string& directives, const shape& s) -> std::string {
    std::string text = test::ptx_kernel("");
    text.insert(text.find("\n{\n") + 1, directives);
    const auto m = simt::ptx::parse(text);
    try {
      (void)simt::ptx::to_subject(m, m.kernels.back(), launch_of(s));
    } catch (const simt::ptx::launch_error& e) {
      return e.what();
    }
    return "";
  };
  CHECK(refusal("", {2, 1, 2}) == "");
  CHECK(refusal("", {3, 1, 2}).find("no whole number of clusters of 2") != std::string::npos);
  CHECK(refusal(".reqnctapercluster 2\n", {2, 1, 0}) == "");
  CHECK(refusal(".explicitcluster\n.reqnctapercluster 2, 1, 1\n", {2, 1, 0}) == "");
  CHECK(refusal(".reqnctapercluster 2\n", {4, 1, 4}).find("clusters of 2 blocks, not of 4") !=
        std::string::npos);
  CHECK(refusal(".explicitcluster\n", {2, 1, 0}).find(".explicitcluster") != std::string::npos);
  CHECK(refusal(".explicitcluster\n", {2, 1, 1}) == "");
  std::string flat = test::ptx_kernel("");
  flat.insert(flat.find("\n{\n") + 1, ".reqnctapercluster 1, 2, 1\n");
  const auto m = simt::ptx::parse(flat);
  CHECK(simt::ptx::unsupported(m, m.kernels.back()).size() == 1);
}
