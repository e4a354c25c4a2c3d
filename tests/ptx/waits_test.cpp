// Waits that become one poll, and branches whose sides nobody can tell apart. Each has near misses.
#include <doctest/doctest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/ptx/parse.hpp"
#include "sim/ptx/translate.hpp"
#include "sim/ptx/unsupported.hpp"
#include "sim/ptx/waits.hpp"
#include "tests/checker/run_source.hpp"
#include "tests/ptx/texts.hpp"
#include "tests/tier.hpp"

namespace {

using simt::ptx::module;

/// The instructions behind the first `bar`, one on each line: its guard, its opcode, and where a
/// branch leads.
std::string joined(const std::string& body, const std::string& before = "") {
  module m = simt::ptx::parse(test::ptx_kernel("  bar.sync 0;\n" + body, before));
  simt::ptx::join_polls(m);
  const auto& k = m.kernels.back();
  std::string text;
  bool is_behind = false;
  for (const auto& i : k.instructions) {
    if (is_behind) {
      if (!i.guard.empty()) text += (i.guard_negated ? "!" : "") + i.guard + " ";
      text += i.opcode + (i.opcode == "bra" ? " " + i.operands[0].name : "") + "; ";
    }
    is_behind = is_behind || i.opcode == "bar";
  }
  return text;
}

/// A poll that leaves for the label where the cell does not hold %r1.
std::string poll(const std::string& label, const std::string& way = "relaxed.gpu") {
  return "  ld." + way +
         ".global.u32 %r2, [%rd2];\n"
         "  setp.ne.s32 %p1, %r2, %r1;\n"
         "  @%p1 bra " +
         label + ";\n";
}
/// A poll that goes back to the label while the cell holds %r1.
std::string poll_again(const std::string& label) {
  return "  ld.relaxed.gpu.global.u32 %r3, [%rd2];\n"
         "  setp.eq.s32 %p2, %r3, %r1;\n"
         "  @%p2 bra " +
         label + ";\n";
}
const std::string back_off =
    "  mov.u64 %rd3, %globaltimer;\n"
    "  sub.s64 %rd4, %rd3, %rd5;\n"
    "  setp.gt.s64 %p3, %rd4, 1000;\n"
    "  @%p3 bra $L_long;\n"
    "  cvt.u32.u64 %r5, %rd4;\n"
    "  nanosleep.u32 %r5;\n"
    "  bra.uni $L_slept;\n"
    "$L_long:\n"
    "  nanosleep.u32 1000;\n"
    "$L_slept:\n";
const std::string end = "$L_out:\n  st.global.u32 [%rd2+4], 1;\n";
/// As libcu++ polls: a few times at once, then with a back-off.
const std::string wait = "$L_1:\n" + poll("$L_out") + poll("$L_out") +
                         "  mov.u64 %rd5, %globaltimer;\n"
                         "$L_2:\n" +
                         poll("$L_3") + "$L_4:\n" + back_off + poll_again("$L_4") + "$L_3:\n" +
                         poll_again("$L_2") + end;
const std::string one_poll = "ld; setp; !%p1 bra $L_1; bra $L_out; st; ret; ";

/// What is assumed of a kernel of that body.
std::string assumed(const std::string& body) {
  const module m = simt::ptx::parse(test::ptx_kernel(body));
  std::string all;
  for (const auto& use : simt::ptx::assumed(m, m.kernels.back())) all += use.reason + ";";
  return all;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

test::source_run run_of(const module& m, std::uint32_t threads,
                        std::vector<std::uint32_t> numbers = {0, 0, 0, 0}) {
  simt::ptx::launch l;
  l.block = {threads, 1, 1};
  l.buffers.push_back({"data", numbers.size(), simt::ptx::type::u32, {}, {}});
  for (const std::uint32_t v : numbers) {
    for (int k = 0; k < 4; ++k) l.buffers[0].bytes.push_back(static_cast<std::uint8_t>(v >> 8 * k));
  }
  l.arguments.resize(2);
  l.arguments[0].pointers.push_back({0, 0, 0});
  test::source_run run(simt::ptx::to_subject(m, m.kernels.back(), l), {1, {threads}});
  run.what.subject = "kernel_subject";
  return run;
}

/// Thread 0 stores a number and changes the cell. The others wait at it in a net of polls, mostly
/// one with a single way out, and then read the number.
class generator {
 public:
  explicit generator(unsigned seed) : random_(seed) {}

  std::string body() {
    std::string text = "  mov.u32 %r10, %tid.x;\n  setp.ne.u32 %p5, %r10, 0;\n  @%p5 bra $L_n0;\n";
    text += "  st.global.u32 [%rd2+4], 7;\n";
    if (below(3) != 0) text += "  fence.acq_rel.gpu;\n";
    for (unsigned changes = 1 + below(2); changes > 0; --changes)
      text += fmt::format("  st.{}global.u32 [%rd2], {};\n", below(5) == 0 ? "" : "relaxed.gpu.",
                          below(3));
    text += "  bra.uni $L_end;\n";
    const unsigned polls = 2 + below(3);
    for (unsigned n = 0; n < polls; ++n) text += node(n, polls);
    text += "$L_out:\n";
    if (below(3) != 0) text += "  fence.acq_rel.gpu;\n";
    text += below(2) == 0 ? "  ld.global.u32 %r4, [%rd2+4];\n  setp.ne.u32 %p4, %r4, 7;\n"
                            "  @%p4 trap;\n"
                          : "  red.relaxed.gpu.global.add.u32 [%rd2], 1;\n";
    return text + "$L_end:\n";
  }

 private:
  std::mt19937 random_;

  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }

  std::string node(unsigned n, unsigned polls) {
    const bool jumps_where_other = below(2) == 0;
    // Where the value is another one, mostly further on; where it is equal, anywhere.
    const auto further = [&] {
      const unsigned to = below(8) == 0 ? below(polls + 1) : n + 1 + below(polls - n);
      return to >= polls ? std::string("$L_out") : fmt::format("$L_n{}", to);
    };
    const auto anywhere = [&] {
      return below(20) == 0 ? std::string("$L_out") : fmt::format("$L_n{}", below(polls));
    };
    std::string text = fmt::format("$L_n{}:\n", n);
    if (below(2) == 0)
      text += "  nanosleep.u32 %r11;\n  add.u32 %r11, %r11, 5;\n  and.b32 %r11, %r11, 15;\n";
    text += fmt::format(
        "  ld.relaxed.gpu.global.u32 %r{0}, [%rd2];\n"
        "  setp.{1}.s32 %p{2}, %r{0}, %r1;\n  @%p{2} bra {3};\n  bra.uni {4};\n",
        20 + n, jumps_where_other ? "ne" : "eq", below(3),
        jumps_where_other ? further() : anywhere(), jumps_where_other ? anywhere() : further());
    return text;
  }
};

}  // namespace

TEST_SUITE("waits") {
  TEST_CASE("a wait with several polls becomes one") {
    CHECK(joined(wait) == one_poll);
    CHECK(joined("$L_1:\n" + poll("$L_out") + poll_again("$L_1") + end) == one_poll);
  }
  TEST_CASE("waits that stay as they are") {
    const auto stays = [](const std::string& body, const std::string& before = "") {
      const module m = simt::ptx::parse(test::ptx_kernel("  bar.sync 0;\n" + body, before));
      module changed = m;
      simt::ptx::join_polls(changed);
      return changed.kernels.back().instructions.size() == m.kernels.back().instructions.size();
    };
    // One poll alone, with or without a sleep.
    CHECK(stays("$L_1:\n  nanosleep.u32 100;\n" + poll_again("$L_1") + end));
    // Another cell, another value, another order, another access in between.
    const std::string two = "$L_1:\n" + poll("$L_out") + poll_again("$L_1") + end;
    CHECK_FALSE(stays(two));
    CHECK(stays(replaced(two, "%r3, [%rd2]", "%r3, [%rd2+4]")));
    CHECK(stays(replaced(two, "%r3, %r1", "%r3, 0")));
    CHECK(stays(replaced(two, "ld.relaxed.gpu.global.u32 %r3", "ld.acquire.gpu.global.u32 %r3")));
    CHECK(stays(replaced(two, "ld.relaxed.gpu.global.u32 %r3", "ld.global.u32 %r3")));
    CHECK(stays("$L_1:\n" + poll("$L_out") + "  st.global.u32 [%rd2+8], 1;\n" + poll_again("$L_1") +
                end));
    CHECK(stays("$L_1:\n" + poll("$L_out") + "  fence.acq_rel.gpu;\n" + poll_again("$L_1") + end));
    CHECK(stays("$L_1:\n" + poll("$L_out") + "  bar.sync 0;\n" + poll_again("$L_1") + end));
    // The wait gives up, or comes out in two places.
    CHECK(stays("$L_1:\n" + poll("$L_out") + poll("$L_out") + end));
    CHECK(stays("$L_1:\n" + poll("$L_out") +
                "  add.s32 %r6, %r6, 1;\n  setp.gt.s32 %p4, %r6, 3;\n" + "  @%p4 bra $L_out;\n" +
                poll_again("$L_1") + end));
    CHECK(stays("$L_1:\n" + poll("$L_out") + poll_again("$L_1") + "  trap;\n" + end));
    // What it counts or reads is told behind.
    CHECK(stays("$L_1:\n" + poll("$L_out") + "  add.s32 %r6, %r6, 1;\n" + poll_again("$L_1") +
                "$L_out:\n  st.global.u32 [%rd2+4], %r6;\n"));
    CHECK(stays("$L_1:\n" + poll("$L_out") + poll_again("$L_1") +
                "$L_out:\n  st.global.u32 [%rd2+4], %r2;\n"));
    // It waits for another value than before, or elsewhere.
    CHECK(
        stays("$L_1:\n" + poll("$L_out") + "  add.s32 %r1, %r1, 1;\n" + poll_again("$L_1") + end));
    CHECK(stays("$L_1:\n" + poll("$L_out") + "  add.s64 %rd2, %rd2, 4;\n" + poll_again("$L_1") +
                end));
    // A lane may go round between polls for ever.
    CHECK(
        stays("$L_1:\n" + poll("$L_out") + "$L_5:\n  @%p4 bra $L_5;\n" + poll_again("$L_1") + end));
  }
  TEST_CASE("a wait that uses what a shuffle has given stays") {
    const std::string shuffle = "  shfl.sync.down.b32 %r7, %r2, 1, 31, 15;\n";
    const std::string between = "  setp.eq.s32 %p5, %r7, 0;\n  @%p5 bra $L_6;\n$L_6:\n";
    const std::string more = "$L_1:\n" + poll("$L_out") + between + poll_again("$L_1") + end;
    CHECK(joined(more) == one_poll);
    CHECK(joined(shuffle + more) != "shfl; " + one_poll);
  }
}

TEST_SUITE("waits, explored") {
  TEST_CASE("a wait as libcu++ has it: its states, and its mistakes") {
    const auto text = [](const std::string& fence, const std::string& way_out) {
      return "  mov.u32 %r10, %tid.x;\n  setp.eq.u32 %p5, %r10, 0;\n  @%p5 bra $L_first;\n" +
             replaced(wait, end, "$L_out:\n" + fence) + "  ld.global.u32 %r4, [%rd2+4];\n" +
             "  bra.uni $L_end;\n$L_first:\n  st.global.u32 [%rd2+4], 7;\n" + fence + way_out +
             "$L_end:\n";
    };
    const std::string fence = "  fence.acq_rel.gpu;\n";
    const std::string go = "  st.relaxed.gpu.global.u32 [%rd2], 1;\n";
    const auto verdicts = [](const std::string& body, bool joins) {
      module m = simt::ptx::parse(test::ptx_kernel(body));
      if (joins) simt::ptx::join_polls(m);
      auto run = run_of(m, 3);
      const std::string under_sc = run.found();
      run.how.machine.memory = simt::memory_model::ptx;
      return under_sc + ", " + run.found();
    };
    for (const bool joins : {true, false}) {
      CHECK(verdicts(text(fence, go), joins) == "ok, ok");
      CHECK(verdicts(text("", go), joins) == "ok, race");
      CHECK(verdicts(text(fence, ""), joins) == "deadlock, deadlock");
      CHECK(verdicts(text(fence, "  st.relaxed.cta.global.u32 [%rd2], 1;\n"), joins) == "ok, ok");
    }
    module m = simt::ptx::parse(test::ptx_kernel(text(fence, go)));
    const auto before = run_of(m, 4).check().states;
    simt::ptx::join_polls(m);
    const auto after = run_of(m, 4).check().states;
    CHECK(before == 41);
    CHECK(after == 3);
  }
  TEST_CASE("generated waits have the verdicts of plain searches as they are written") {
    const auto due = test::due_programs(400, "WARPCHECK_WAITS", "WARPCHECK_WAITS_FIRST");
    unsigned changed = 0, unfinished = 0;
    std::map<std::string, unsigned> kinds;
    for (unsigned seed = due.begin; seed < due.end; ++seed) {
      CAPTURE(seed);
      const std::string body = generator(seed).body();
      CAPTURE(body);
      const module written = simt::ptx::parse(test::ptx_kernel(body));
      module m = written;
      simt::ptx::join_polls(m);
      if (m.kernels.back().instructions.size() == written.kernels.back().instructions.size())
        continue;
      ++changed;
      auto plain = run_of(written, 3), joins = run_of(m, 3);
      for (const auto reconvergence : {simt::reconvergence::its, simt::reconvergence::stack}) {
        for (const auto memory : {simt::memory_model::sc, simt::memory_model::ptx}) {
          std::string found[2];
          for (auto* run : {&plain, &joins}) {
            run->how.machine.reconvergence = reconvergence;
            run->how.machine.memory = memory;
            run->bounds.time = 20;
            const bool is_plain = run == &plain;
            found[is_plain ? 0 : 1] = test::source_run::names(
                run->check(is_plain ? warpcheck::reductions::none() : warpcheck::reductions{}));
          }
          CAPTURE(static_cast<int>(reconvergence));
          CAPTURE(static_cast<int>(memory));
          if (found[0] == "inconclusive" || found[1] == "inconclusive") {
            ++unfinished;
          } else {
            CHECK(found[0] == found[1]);
            ++kinds[found[0]];
          }
        }
      }
    }
    std::string all;
    for (const auto& [kind, count] : kinds) all += fmt::format(", {} {}", count, kind);
    MESSAGE(fmt::format("{} programs, {} changed, {} runs not finished{}", due.end - due.begin,
                        changed, unfinished, all));
  }
}

TEST_SUITE("branches on a clock") {
  const std::string clock = "  mov.u64 %rd3, %globaltimer;\n  setp.gt.s64 %p3, %rd3, 1000;\n";
  TEST_CASE("a back-off depends on nothing") {
    CHECK(assumed("  mov.u64 %rd5, %globaltimer;\n$L_4:\n" + back_off +
                  "  ld.relaxed.gpu.global.u32 %r3, [%rd2];\n  setp.eq.s32 %p2, %r3, 0;\n"
                  "  @%p2 bra $L_4;\n")
              .empty());
    CHECK(assumed(clock + "  @%p3 bra $L;\n  nanosleep.u32 100;\n$L:\n").empty());
    CHECK(assumed(clock + "  @%p3 nanosleep.u32 100;\n").empty());
    // A branch in a side need not be like that by itself.
    CHECK(assumed(clock + "  setp.gt.s64 %p4, %rd3, 10;\n  @%p3 bra $L;\n  mov.u32 %r5, 7;\n"
                          "  @%p4 bra $L_1;\n  mov.u32 %r5, 9;\n$L_1:\n  nanosleep.u32 %r5;\n$L:\n")
              .empty());
  }
  TEST_CASE("branches that may be seen") {
    const auto stands = [&](const std::string& body) {
      return assumed(clock + body).starts_with("time stands still");
    };
    CHECK(stands("  @%p3 bra $L;\n  st.global.u32 [%rd2], 1;\n$L:\n"));
    CHECK(stands("  @%p3 bra $L;\n  ld.relaxed.gpu.global.u32 %r5, [%rd2];\n$L:\n"));
    CHECK(stands("  @%p3 bra $L;\n  fence.acq_rel.gpu;\n$L:\n"));
    CHECK(stands("  @%p3 bra $L;\n  bar.warp.sync 1;\n$L:\n"));
    CHECK(stands("  @%p3 bra $L;\n  activemask.b32 %r5;\n$L:\n"));
    CHECK(stands("  @%p3 bra $L;\n  trap;\n$L:\n"));
    CHECK(stands("  @%p3 bra $L;\n  ret;\n$L:\n  st.global.u32 [%rd2], 1;\n"));
    // A register that is read behind.
    CHECK(
        stands("  mov.u32 %r5, 1;\n  @%p3 bra $L;\n  mov.u32 %r5, 2;\n$L:\n"
               "  st.global.u32 [%rd2], %r5;\n"));
    CHECK(
        stands("$L_1:\n  @%p3 bra $L;\n  add.u32 %r5, %r5, 1;\n$L:\n"
               "  ld.relaxed.gpu.global.u32 %r6, [%rd2];\n  setp.ne.s32 %p1, %r6, %r5;\n"
               "  @%p1 bra $L_1;\n"));
    CHECK(
        stands("  mov.u32 %r5, 1;\n  @%p3 bra $L;\n  @%p4 mov.u32 %r5, 2;\n$L:\n"
               "  @%p5 mov.u32 %r5, 3;\n  st.global.u32 [%rd2], %r5;\n"));
    // A time-out ends the wait.
    CHECK(
        stands("$L_1:\n  mov.u64 %rd3, %globaltimer;\n  setp.gt.s64 %p3, %rd3, 1000;\n"
               "  @%p3 bra $L;\n" +
               poll_again("$L_1") + "$L:\n  st.global.u32 [%rd2+4], 1;\n"));
    // A loop that only the clock ends.
    CHECK(
        stands("$L_1:\n  mov.u64 %rd3, %globaltimer;\n  setp.lt.s64 %p3, %rd3, 1000;\n"
               "  @%p3 bra $L_1;\n"));
    // An undefined value that one side uses.
    CHECK(
        stands("  shfl.sync.down.b32 %r7, %r1, 1, 31, 15;\n  setp.eq.s32 %p5, %r7, 0;\n"
               "  @%p3 bra $L;\n  @%p5 bra $L;\n  nanosleep.u32 1;\n$L:\n"));
  }
  TEST_CASE("an approximation needs no choice there") {
    const std::string sine =
        "  mov.b32 %f1, %r1;\n  sin.approx.f32 %f2, %f1;\n  setp.gt.f32 %p3, %f2, %f1;\n";
    CHECK(assumed(sine + "  @%p3 bra $L;\n  nanosleep.u32 100;\n$L:\n").empty());
    CHECK_FALSE(assumed(sine + "  @%p3 bra $L;\n  st.global.u32 [%rd2], 1;\n$L:\n").empty());
  }
}
