// Plain accesses of different sizes that overlap: carried out in units, kernels have the verdicts
// that they have as they are written.
#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/ptx/parse.hpp"
#include "sim/ptx/translate.hpp"
#include "tests/checker/run_source.hpp"
#include "tests/ptx/texts.hpp"
#include "tests/tier.hpp"

namespace {

/// A run of a kernel of one block, whose only buffer has 4 words: 0x03020100, 0x07060504, ...
test::source_run run_of(const std::string& body, std::uint32_t threads) {
  const auto m = simt::ptx::parse(test::ptx_kernel(body));
  simt::ptx::launch l;
  l.block = {threads, 1, 1};
  l.buffers.push_back({"data", 4, simt::ptx::type::u32, {}, {}});
  for (std::uint8_t v = 0; v < 16; ++v) l.buffers[0].bytes.push_back(v);
  l.arguments.resize(2);
  l.arguments[0].pointers.push_back({0, 0, 0});
  test::source_run run(simt::ptx::to_subject(m, m.kernels.back(), l), {1, {threads}});
  run.what.subject = "kernel_subject";
  return run;
}

std::string found_with_units(test::source_run& run, simt::memory_model memory) {
  run.what.kernel.emplace();  // units are for kernels, which this source is
  run.how.machine.memory = memory;
  return run.found();
}

constexpr auto sc = simt::memory_model::sc;
constexpr auto ptx = simt::memory_model::ptx;

const std::string lane =
    "  mov.u32 %r2, %tid.x;\n"
    "  mul.wide.u32 %rd3, %r2, 4;\n"
    "  add.s64 %rd4, %rd2, %rd3;\n";
const std::string sync = "  bar.sync 0;\n";
/// Traps unless %r3 has that value.
std::string must_be(const std::string& value) {
  return "  setp.ne.u32 %p1, %r3, " + value + ";\n  @%p1 trap;\n";
}

/// A random kernel: threads access the first 8 bytes of the buffer between barriers. A thread that
/// loads an unlikely value traps, which shows values that only a torn access has.
class generator {
 public:
  explicit generator(unsigned seed) : random_(seed) {}

  std::string body() {
    std::string text = "  mov.u32 %r2, %tid.x;\n";
    const unsigned phases = 1 + below(3);
    for (unsigned phase = 0; phase < phases; ++phase) {
      const unsigned accesses = 1 + below(2);
      for (unsigned n = 0; n < accesses; ++n) text += access();
      if (below(4) != 0) text += sync;
    }
    return text;
  }

 private:
  std::mt19937 random_;
  unsigned label_ = 0;

  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }

  // One access, by one of the threads or by all of them.
  std::string access() {
    const std::string end = fmt::format("$L_{}", label_++);
    const unsigned who = below(4);
    std::string text;
    if (who < 3) {
      text += fmt::format("  setp.ne.u32 %p2, %r2, {};\n  @%p2 bra {};\n", who, end);
    }
    const unsigned size = 1U << below(4);
    const unsigned at = below(8 / size) * size;
    const unsigned bits = 8 * size;
    const std::string target = size == 8 ? "%rd5" : size < 4 ? "%rs1" : "%r4";
    if (size == 4 && below(5) == 0) {
      text += fmt::format("  red.global.add.u32 [%rd2+{}], {};\n", at, 1 + below(300));
    } else if (below(2) == 0) {
      const unsigned value = 1 + below(200);
      if (size == 8) {
        text += fmt::format("  mov.u64 %rd5, {};\n", value * 0x0101010101ULL);
      } else {
        text += fmt::format("  mov.u32 %r4, {};\n", value * 0x01010101U);
        if (size < 4) text += "  cvt.u16.u32 %rs1, %r4;\n";
      }
      text += fmt::format("  st.global.u{} [%rd2+{}], {};\n", bits, at, target);
    } else {
      text += fmt::format("  ld.global.u{} {}, [%rd2+{}];\n", bits, target, at);
      if (size == 8) text += "  cvt.u32.u64 %r4, %rd5;\n";
      if (size < 4) text += "  cvt.u32.u16 %r4, %rs1;\n";
      text += "  and.b32 %r4, %r4, 7;\n";
      text += fmt::format("  setp.eq.u32 %p1, %r4, {};\n  @%p1 trap;\n", below(8));
    }
    return text + end + ":\n";
  }
};

}  // namespace

TEST_SUITE("units of plain accesses") {
  // 32 words are stored, and their bytes loaded by other threads: too much for accesses as they
  // are, under sc; and ptx does not have them.
  TEST_CASE("bytes of words behind a barrier") {
    for (const bool has_barrier : {true, false}) {
      const std::string body = "  .shared .align 4 .b8 tile[128];\n" + lane +
                               "  mov.u32 %r5, tile;\n"
                               "  shl.b32 %r6, %r2, 2;\n"
                               "  add.s32 %r7, %r5, %r6;\n"
                               "  mul.lo.s32 %r8, %r2, 0x01010101;\n"
                               "  st.shared.u32 [%r7], %r8;\n" +
                               (has_barrier ? sync : "") +
                               "  mad.lo.s32 %r9, %r2, 5, 3;\n"
                               "  and.b32 %r9, %r9, 127;\n"
                               "  add.s32 %r10, %r5, %r9;\n"
                               "  ld.shared.u8 %r3, [%r10];\n"
                               "  shr.u32 %r11, %r9, 2;\n" +
                               (has_barrier ? must_be("%r11") : "");
      CAPTURE(has_barrier);
      auto run = run_of(body, 32);
      run.bounds.time = 30;
      for (const auto memory : {sc, ptx}) {
        const std::string found = found_with_units(run, memory);
        if (has_barrier) {
          CHECK(found == "ok");
        } else {
          CHECK(found != "ok");  // what is read may be without a value
        }
      }
    }
  }
  TEST_CASE("a word of which bytes were stored, and a double word of words") {
    auto run = run_of(lane +
                          "  add.s64 %rd6, %rd2, %rd5;\n"
                          "  cvt.u64.u32 %rd5, %r2;\n"
                          "  add.s64 %rd6, %rd2, %rd5;\n"
                          "  st.global.u8 [%rd6], 9;\n" +
                          sync + "  ld.global.u64 %rd7, [%rd2];\n  cvt.u32.u64 %r3, %rd7;\n" +
                          must_be("0x09090909"),
                      4);
    CHECK(found_with_units(run, sc) == "ok");
    CHECK(found_with_units(run, ptx) == "ok");
  }
  // No unit is given to a word that an atomic operation writes. Bytes that are only loaded are
  // parts of it.
  TEST_CASE("bytes of a word that counts") {
    const std::string counts = "  mov.u32 %r2, %tid.x;\n  red.global.add.u32 [%rd2], 256;\n";
    const std::string loads = "  ld.global.u8 %r3, [%rd2+1];\n";
    auto right = run_of(counts + sync + loads + must_be("3"), 2);
    CHECK(found_with_units(right, sc) == "ok");
    CHECK(found_with_units(right, ptx) == "ok");
    auto wrong = run_of(counts + loads, 2);
    CHECK(found_with_units(wrong, sc) == "race");
    CHECK(found_with_units(wrong, ptx) == "race");
    auto stores = run_of(
        counts + sync + "  setp.eq.u32 %p1, %r2, 0;\n" + "  @%p1 st.global.u8 [%rd2], 1;\n", 2);
    CHECK(found_with_units(stores, sc) == "ok");
    CHECK(found_with_units(stores, ptx) == "inconclusive");
  }
  TEST_CASE("an access at no multiple of its size is no access, in units as well") {
    auto run = run_of(lane + "  st.global.u8 [%rd2], 9;\n" + sync +
                          "  ld.global.u32 %r3, [%rd2];\n" + "  ld.global.u32 %r3, [%rd2+2];\n",
                      1);
    CHECK(found_with_units(run, sc) == "bad-access");
    CHECK(found_with_units(run, ptx) == "bad-access");
  }
  TEST_CASE("generated kernels have the verdicts of plain searches without units") {
    const auto due = test::due_programs(400, "WARPCHECK_UNITS", "WARPCHECK_UNITS_FIRST");
    unsigned races = 0, without = 0;
    for (unsigned seed = due.begin; seed < due.end; ++seed) {
      CAPTURE(seed);
      const std::string body = generator(seed).body();
      CAPTURE(body);
      auto run = run_of(body, 3);
      const std::string plain = test::source_run::names(run.check(warpcheck::reductions::none()));
      const std::string under_sc = found_with_units(run, sc);
      const bool is_race = plain.find("race") != std::string::npos;
      CHECK(is_race == (under_sc.find("race") != std::string::npos));
      if (!is_race) CHECK(plain == under_sc);
      const std::string under_ptx = found_with_units(run, ptx);
      if (under_ptx != "inconclusive") {
        CHECK(is_race == (under_ptx.find("race") != std::string::npos));
        if (!is_race) CHECK(plain == under_ptx);
      }
      races += static_cast<unsigned>(is_race);
      without += static_cast<unsigned>(under_ptx == "inconclusive");
    }
    MESSAGE(fmt::format("{} programs, {} with a race, {} not explored under ptx",
                        due.end - due.begin, races, without));
  }
}
