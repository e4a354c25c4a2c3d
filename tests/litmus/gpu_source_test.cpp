// Litmus tests as inline PTX.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <list>
#include <string>
#include <vector>

#include "litmus/answer.hpp"
#include "litmus/gpu/source.hpp"
#include "litmus/read/parser.hpp"
#include "tests/suites.hpp"

using namespace litmus;
using litmus::gpu::compiled_test;
using litmus::gpu::cuda_source;
using litmus::gpu::place;
using litmus::gpu::ptx_of;

namespace {

program one_thread(const std::string& rows) {
  return parse("PTX t\n{\nx=0; y=0;\n}\n P0@cta 0,gpu 0 ;\n" + rows + "exists (x == 0)\n", "t");
}

/// The PTX of the one thread, as one text.
std::string ptx(const std::string& rows) {
  const program p = one_thread(rows);
  std::string all;
  for (const std::string& line : ptx_of(p, place(p, true), 0)) all += line + "\n";
  return all;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("instructions with their orders and scopes") {
  const std::string text =
      ptx("ld.weak r0, x ;\n ld.acquire.cta r1, x ;\n st.release.sys y, r1 ;\n fence.sc.cluster ;\n"
          "atom.acq_rel.gpu.add r2, x, 3 ;\n atom.relaxed.gpu.sub r2, x, r1 ;\n"
          "atom.acquire.sys.cas r3, y, 0, r1 ;\n atom.release.cta.exch r3, y, -5 ;\n");
  for (const char* line : {"ld.weak.global.s64 R0, [A0];", "ld.acquire.cta.global.s64 R1, [A1];",
                           "st.release.sys.global.s64 [A2], R1;", "fence.sc.cluster;",
                           "atom.acq_rel.gpu.global.add.u64 R2, [A4], U;", "neg.s64 U, U;",
                           "atom.relaxed.gpu.global.add.u64 R2, [A5], U;",
                           "atom.acquire.sys.global.cas.b64 R3, [A6], U, V;", "mov.s64 U, -5;",
                           "atom.release.cta.global.exch.b64 R3, [A7], U;"}) {
    CHECK_MESSAGE(has(text, line), line);
  }
}

TEST_CASE("red has no acquire in PTX, and needs none") {
  const std::string text =
      ptx("red.acq_rel.sys.add x, 1 ;\n red.acquire.gpu.add x, 1 ;\n red.release.cta.xor x, 1 ;\n");
  CHECK(has(text, "red.release.sys.global.add.u64 [A0], U;"));
  CHECK(has(text, "red.relaxed.gpu.global.add.u64 [A1], U;"));
  CHECK(has(text, "red.release.cta.global.xor.b64 [A2], U;"));
}

TEST_CASE("each access has an address that the compiler knows nothing of") {
  const std::string text = ptx("ld.weak r0, x ;\n ld.weak r1, x ;\n");
  CHECK(has(text, "add.s64 T, T, %0;\n.reg .s64 A0;\nadd.s64 A0, T, %6;\n"));
  CHECK(has(text, "add.s64 T, T, %0;\n.reg .s64 A1;\nadd.s64 A1, T, %6;\n"));
  CHECK_FALSE(has(text, "add.s64 A0, A0"));
}

TEST_CASE("loops give up, and their loads stay inside") {
  const std::string text = ptx("LC00: ;\n ld.weak r0, x ;\n bne r0, 1, LC00 ;\n");
  CHECK(has(text, "I0:\nadd.s64 A0, A0, %0;\nld.weak.global.s64 R0, [A0];\n"));
  CHECK(has(text, "@!P bra I2;\nadd.u32 N, N, 1;\nsetp.gt.u32 Q, N, %1;\n@Q bra LATE;\nbra I0;\n"));
  CHECK(has(text, "bra DONE;\nLATE:\nst.weak.global.u32 [%3], 1;\nDONE:\n"));
}

TEST_CASE("dependencies stay") {
  CHECK(has(ptx("ld.weak r0, x ;\n sub r1, r0, r0 ;\n st.weak y, r1 ;\n"),
            "mov.s64 V, R0;\nadd.s64 V, V, %0;\nsub.s64 R1, U, V;\n"));
  const std::string branch =
      ptx("ld.weak r0, x ;\n bne r0, 1, LC00 ;\n LC00: ;\n st.weak y, 1 ;\n");
  CHECK(has(branch, "@P bra I2;\nst.volatile.global.s64 [%2], %0;\nI2:\n"));
}

TEST_CASE("all registers are kept") {
  CHECK(has(ptx("ld.weak r0, x ;\n ld.weak r7, y ;\n"),
            "st.weak.global.s64 [%2+0], R0;\nst.weak.global.s64 [%2+8], R1;\n"));
}

TEST_CASE("barriers") {
  const auto two = [](const std::string& rows) {
    const program p = parse(
        "PTX t\n{\n}\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n" + rows + "exists (0 == 0)\n", "t");
    std::string all;
    for (const std::string& line : ptx_of(p, place(p, true), 0)) all += line + "\n";
    return all;
  };
  CHECK(
      has(two("bar.cta.sync 0 | bar.cta.sync 0 ;\n"), "add.u32 B, %5, 0;\nbarrier.sync B, 64;\n"));
  CHECK(has(two("bar.cta.arrive 0 | bar.cta.sync 0 ;\n"), "barrier.arrive B, 64;\n"));
  const std::string quorum = two("bar.cta.sync 0, 3, 1 | bar.cta.sync 0, 3, 1 ;\n");
  CHECK_FALSE(has(quorum, "barrier."));
  CHECK(has(quorum, "st.release.cta.global.s64 [%4+0], V;\n"));
  CHECK(has(quorum, "ld.acquire.cta.global.s64 T, [%4+8];\n"));
  // Who may still turn out to have the same resource is waited for.
  const std::string unknown = two("bar.cta.sync 0, 3 | bar.cta.sync 0, r1 ;\n");
  CHECK(has(unknown, "W0_1:\n"));
}

TEST_CASE("every test that there is becomes source, but those with instructions that GPUs lack") {
  std::list<program> programs;
  std::vector<compiled_test> tests;
  std::size_t threads = 0;
  const std::vector<std::filesystem::path> folders{"scenarios/litmus", "tests/litmus/clauses",
                                                   test::suites_folder() / "ptx-litmus"};
  for (const std::filesystem::path& folder : folders) {
    if (!std::filesystem::is_directory(folder)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (entry.path().extension() != ".litmus") continue;
      CAPTURE(entry.path().string());
      const program& p = programs.emplace_back(read_program(entry.path()));
      const std::string why_not = litmus::gpu::why_not_compiled(p, 90);
      if (has(why_not, "no form for GPUs") || has(why_not, "PTX does not have")) continue;
      CHECK(why_not == "");
      const answer found = evaluate(p, {});
      tests.push_back(
          {entry.path().string(), &p, place(p, found.terminates == true), found.observed});
      threads += p.threads.size();
    }
  }
  REQUIRE(tests.size() >= 85);
  const std::string source = cuda_source(tests);
  std::size_t functions = 0;
  for (std::size_t at = source.find("__noinline__"); at != std::string::npos;
       at = source.find("__noinline__", at + 1)) {
    ++functions;
  }
  CHECK(functions == threads);
}
