// Shuffles that read from a lane which takes no part: harmless, unless something visible depends on
// what they give. WARPCHECK_UNDEFINED generated programs are compared with runs in which such
// values are random numbers; WARPCHECK_UNDEFINED_SEED is the number of the first one.
#include <doctest/doctest.h>

#include <array>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/ptx/parse.hpp"
#include "sim/ptx/translate.hpp"
#include "tests/checker/run_source.hpp"
#include "tests/naive/random.hpp"
#include "tests/ptx/texts.hpp"
#include "tests/tier.hpp"

namespace {

simt::ptx::launch launch_of_warp(std::uint32_t threads, std::uint32_t number) {
  simt::ptx::launch l;
  l.block = {threads, 1, 1};
  l.buffers.push_back({"data", 64, simt::ptx::type::u32, {}, {}});
  l.buffers.back().bytes.resize(256);
  simt::ptx::argument pointer, of_number;
  pointer.pointers.push_back({0, 0, 0});
  of_number.bytes = {static_cast<std::uint8_t>(number), 0, 0, 0};
  l.arguments = {pointer, of_number};
  return l;
}

std::string subject_of(const std::string& text, std::uint32_t threads, std::uint32_t number) {
  const auto m = simt::ptx::parse(text);
  return simt::ptx::to_subject(m, m.kernels.back(), launch_of_warp(threads, number));
}

test::source_run run_of_warp(const std::string& text, std::uint32_t number,
                             std::uint32_t threads = 32) {
  std::vector<std::uint32_t> lanes;
  for (std::uint32_t left = threads; left > 0; left -= lanes.back()) {
    lanes.push_back(std::min<std::uint32_t>(left, 32));
  }
  test::source_run run(subject_of(text, threads, number), {1, lanes});
  run.what.subject = "kernel_subject";
  return run;
}

std::string found_in_warp(const std::string& text, std::uint32_t number,
                          std::uint32_t threads = 32) {
  return run_of_warp(text, number, threads).found();
}

/// Lanes below %r1 add up by shuffles down, with a mask of these lanes: %r4 of lane 0 is the sum of
/// all 1 + %tid.x. Lanes from %r1 on have exited, or stand behind $L_out.
std::string sum_of_lanes(const std::string& end, const std::string& mask = "%r3") {
  std::string text =
      "  mov.u32 %r2, %tid.x;\n"
      "  mov.u32 %r3, 1;\n"
      "  shl.b32 %r3, %r3, %r1;\n"
      "  add.s32 %r3, %r3, -1;\n"
      "  mov.u32 %r8, -1;\n"
      "  add.s32 %r4, %r2, 1;\n"
      "  mul.wide.u32 %rd3, %r2, 4;\n"
      "  add.s64 %rd3, %rd2, %rd3;\n"
      "  setp.eq.s32 %p2, %r2, 0;\n"
      "  setp.ge.u32 %p1, %r2, %r1;\n"
      "  @%p1 bra $L_out;\n";
  for (const int distance : {8, 4, 2, 1}) {
    text += fmt::format(
        "  setp.le.u32 %p3, %r1, {0};\n"
        "  @%p3 bra $L_{0};\n"
        "  shfl.sync.down.b32 %r5, %r4, {0}, 31, {1};\n"
        "  add.s32 %r4, %r4, %r5;\n"
        "$L_{0}:\n",
        distance, mask);
  }
  return text + end;
}

const std::string store_by_first =
    "  @%p2 st.global.u32 [%rd2], %r4;\n"
    "  mad.lo.s32 %r6, %r1, %r1, %r1;\n"
    "  shr.u32 %r6, %r6, 1;\n"
    "  @!%p2 bra $L_out;\n"
    "  setp.eq.s32 %p4, %r4, %r6;\n"
    "  @%p4 bra $L_out;\n"
    "  trap;\n"
    "$L_out:\n";

/// A program without branches for the first lanes of a warp, of which a part stores at the end.
struct straight_program {
  static constexpr std::uint32_t registers = 5, predicates = 3;
  struct step {
    enum class kind : std::uint8_t { add, exclusive_or, select, compare, both, shuffle, guarded };
    kind what{};
    std::uint32_t to = 0, a = 0, b = 0, p = 0;  // p: a predicate; of a shuffle: the distance
    bool negated = false;
    bool down = false;  // of a shuffle: down, else by lane_mask
  };
  std::uint32_t lanes = 0, storing = 0;  // the lanes that take part, and the first that store
  std::uint32_t stored = 0;
  std::uint32_t guard = predicates;  // of the store; predicates: none
  bool exits = false;                // the others have exited, and the mask names them all
  std::vector<step> steps;
};

straight_program program_of(std::uint64_t seed) {
  using kind = straight_program::step::kind;
  naive::random_source random(seed * 7919 + 13);
  const auto number = [&](std::uint32_t n) {
    return static_cast<std::uint32_t>(random.below(static_cast<int>(n)));
  };
  straight_program made;
  made.lanes = 2 + number(5);
  made.storing = random.percent(60) ? made.lanes : 1 + number(made.lanes);
  made.exits = random.percent(40);
  const int steps = 4 + random.below(6);
  for (int k = 0; k < steps; ++k) {
    straight_program::step s;
    constexpr std::array kinds{kind::add,  kind::exclusive_or, kind::select, kind::compare,
                               kind::both, kind::shuffle,      kind::guarded};
    s.what = kinds[static_cast<std::size_t>(random.weighted({2, 1, 3, 2, 2, 5, 2}))];
    s.to = number(s.what == kind::compare || s.what == kind::both ? straight_program::predicates
                                                                  : straight_program::registers);
    s.a = number(straight_program::registers);
    s.b = number(straight_program::registers);
    s.p = number(straight_program::predicates);
    if (s.what == kind::both) s.a = number(straight_program::predicates);
    s.negated = random.percent(50);
    s.down = random.percent(60);
    if (s.what == kind::shuffle) s.p = 1 + number(3);
    made.steps.push_back(s);
  }
  made.stored = number(straight_program::registers);
  if (random.percent(40)) made.guard = number(straight_program::predicates);
  return made;
}

std::string text_of(const straight_program& made) {
  using kind = straight_program::step::kind;
  std::string text =
      "  mov.u32 %r2, %tid.x;\n"
      "  mul.wide.u32 %rd3, %r2, 4;\n"
      "  add.s64 %rd3, %rd2, %rd3;\n";
  text += fmt::format("  setp.ge.u32 %p8, %r2, {};\n  @%p8 bra $L_out;\n", made.lanes);
  for (std::uint32_t r = 0; r < straight_program::registers; ++r) {
    text += fmt::format("  mad.lo.s32 %r1{0}, %r2, {1}, {0};\n", r, r + 1);
  }
  for (std::uint32_t p = 0; p < straight_program::predicates; ++p) {
    text += fmt::format("  setp.ge.u32 %p{0}, %r2, {0};\n", p);
  }
  const std::uint32_t mask = made.exits ? 0xffffffff : (1U << made.lanes) - 1;
  for (const auto& s : made.steps) {
    const char* const no = s.negated ? "!" : "";
    switch (s.what) {
      case kind::add:
        text += fmt::format("  add.s32 %r1{}, %r1{}, %r1{};\n", s.to, s.a, s.b);
        break;
      case kind::exclusive_or:
        text += fmt::format("  xor.b32 %r1{}, %r1{}, %r1{};\n", s.to, s.a, s.b);
        break;
      case kind::select:
        text += fmt::format("  selp.b32 %r1{}, %r1{}, %r1{}, %p{};\n", s.to, s.a, s.b, s.p);
        break;
      case kind::compare:
        text += s.negated ? fmt::format("  setp.lt.u32 %p{}, %r1{}, %r1{};\n", s.to, s.a, s.b)
                          : fmt::format("  setp.lt.{}.u32 %p{}, %r1{}, %r1{}, %p{};\n",
                                        s.down ? "and" : "or", s.to, s.a, s.b, s.p);
        break;
      case kind::both:
        text +=
            fmt::format("  {}.pred %p{}, %p{}, %p{};\n", s.negated ? "and" : "or", s.to, s.a, s.p);
        break;
      case kind::shuffle:
        text += fmt::format("  shfl.sync.{}.b32 %r1{}, %r1{}, {}, 31, {:#x};\n",
                            s.down ? "down" : "bfly", s.to, s.a, s.p, mask);
        break;
      case kind::guarded:
        text += fmt::format("  @{}%p{} add.s32 %r1{}, %r1{}, %r1{};\n", no, s.p, s.to, s.a, s.b);
        break;
    }
  }
  text += fmt::format("  setp.ge.u32 %p8, %r2, {};\n  @%p8 bra $L_out;\n", made.storing);
  if (made.guard < straight_program::predicates) text += fmt::format("  @%p{}", made.guard);
  return text + fmt::format("  st.global.u32 [%rd3], %r1{};\n$L_out:\n", made.stored);
}

/// What the lanes store, where values that are not there are random numbers.
std::map<std::uint32_t, std::uint32_t> stores_of(const straight_program& made, std::uint64_t seed) {
  using kind = straight_program::step::kind;
  naive::random_source random(seed);
  struct lane_values {
    std::array<std::uint32_t, straight_program::registers> r{};
    std::array<bool, straight_program::predicates> p{};
  };
  std::vector<lane_values> lanes(made.lanes);
  for (std::uint32_t t = 0; t < made.lanes; ++t) {
    for (std::uint32_t r = 0; r < straight_program::registers; ++r) lanes[t].r[r] = t * (r + 1) + r;
    for (std::uint32_t p = 0; p < straight_program::predicates; ++p) lanes[t].p[p] = t >= p;
  }
  for (const auto& s : made.steps) {
    const std::vector<lane_values> before = lanes;
    for (std::uint32_t t = 0; t < made.lanes; ++t) {
      const lane_values& old = before[t];
      lane_values& now = lanes[t];
      const bool p = s.what != kind::shuffle && old.p[s.p];
      switch (s.what) {
        case kind::add: now.r[s.to] = old.r[s.a] + old.r[s.b]; break;
        case kind::exclusive_or: now.r[s.to] = old.r[s.a] ^ old.r[s.b]; break;
        case kind::select: now.r[s.to] = p ? old.r[s.a] : old.r[s.b]; break;
        case kind::compare: {
          const bool less = old.r[s.a] < old.r[s.b];
          now.p[s.to] = s.negated ? less : s.down ? less && p : less || p;
          break;
        }
        case kind::both: now.p[s.to] = s.negated ? old.p[s.a] && p : old.p[s.a] || p; break;
        case kind::shuffle: {
          const std::uint32_t from = s.down ? t + s.p : t ^ s.p;
          now.r[s.to] =
              from < made.lanes ? before[from].r[s.a] : static_cast<std::uint32_t>(random.next());
          break;
        }
        case kind::guarded:
          if (p != s.negated) now.r[s.to] = old.r[s.a] + old.r[s.b];
          break;
      }
    }
  }
  std::map<std::uint32_t, std::uint32_t> stored;
  for (std::uint32_t t = 0; t < made.storing; ++t) {
    if (made.guard < straight_program::predicates && !lanes[t].p[made.guard]) continue;
    stored[t] = lanes[t].r[made.stored];
  }
  return stored;
}

}  // namespace

TEST_SUITE("undefined values") {
  TEST_CASE("what lanes get from outside of the mask, and do not use, is no mistake") {
    const std::string text = test::ptx_kernel(sum_of_lanes(store_by_first));
    for (const std::uint32_t lanes : {4U, 8U, 16U}) CHECK(found_in_warp(text, lanes) == "ok");
    test::source_run run = run_of_warp(text, 8);
    CHECK(test::source_run::names(run.check(warpcheck::reductions::none())) == "ok");
    run.how.machine.memory = simt::memory_model::ptx;
    CHECK(run.found() == "ok");
    // In lockstep, the others stand behind the branch.
    run.how.machine.memory = simt::memory_model::sc;
    run.how.machine.reconvergence = simt::reconvergence::stack;
    CHECK(run.found() == "ok");
    // Two warps: the values that lanes get differ.
    CHECK(found_in_warp(text, 16, 64) == "ok");
  }
  TEST_CASE("nor is what they get from lanes that have exited") {
    const std::string text = test::ptx_kernel(sum_of_lanes(store_by_first, "%r8"));
    for (const std::uint32_t lanes : {4U, 16U}) CHECK(found_in_warp(text, lanes) == "ok");
    CHECK(found_in_warp(
              test::ptx_kernel(sum_of_lanes("  st.global.u32 [%rd3], %r4;\n$L_out:\n", "%r8")),
              8) == "barrier-divergence");
    // A block of 20 threads has no lane 20.
    const std::string whole =
        "  mov.u32 %r2, %laneid;\n"
        "  shfl.sync.down.b32 %r4, %r2, 1, 31, -1;\n"
        "  setp.ne.u32 %p1, %r2, 0;\n"
        "  @%p1 bra $L_out;\n"
        "  st.global.u32 [%rd2], %r4;\n$L_out:\n";
    CHECK(found_in_warp(test::ptx_kernel(whole), 0, 20) == "ok");
  }
  TEST_CASE("each use is a barrier-divergence") {
    const std::string out = "$L_out:\n";
    for (const std::string use : {
             "  st.global.u32 [%rd3], %r4;\n",
             "  setp.gt.s32 %p4, %r4, 5;\n  @%p4 bra $L_out;\n",
             "  setp.gt.s32 %p4, %r4, 5;\n  @%p4 st.global.u32 [%rd3], 1;\n",
             "  setp.gt.s32 %p4, %r4, 5;\n  vote.sync.any.pred %p5, %p4, %r3;\n",
             "  setp.gt.s32 %p4, %r4, 5;\n  vote.sync.ballot.b32 %r6, %p4, %r3;\n",
             "  match.any.sync.b32 %r6, %r4, %r3;\n",
             "  redux.sync.add.s32 %r6, %r4, %r3;\n",
             "  atom.global.add.u32 %r6, [%rd2], %r4;\n",
             "  red.global.add.u32 [%rd2], %r4;\n",
             "  and.b32 %r6, %r4, 4;\n  cvt.u64.u32 %rd4, %r6;\n  add.s64 %rd4, %rd4, %rd2;\n"
             "  ld.global.u32 %r7, [%rd4];\n",
             // The value has gone through other registers, a conversion and a predicate.
             "  mul.wide.u32 %rd4, %r4, 3;\n  cvt.u32.u64 %r6, %rd4;\n  st.global.u32 [%rd3], "
             "%r6;\n",
             "  cvt.rn.f32.s32 %f1, %r4;\n  add.f32 %f1, %f1, %f1;\n  st.global.f32 [%rd3], %f1;\n",
             "  setp.gt.s32 %p4, %r4, 5;\n  selp.b32 %r6, 1, 2, %p4;\n  st.global.u32 [%rd3], "
             "%r6;\n",
             "  setp.gt.s32 %p4, %r4, 5;\n  mov.u32 %r6, 7;\n  @%p4 mov.u32 %r6, 8;\n"
             "  st.global.u32 [%rd3], %r6;\n",
             "  add.cc.u32 %r6, %r4, 1;\n  addc.u32 %r7, %r2, 0;\n  st.global.u32 [%rd3], %r7;\n",
             "  mov.b64 %rd4, {%r2, %r4};\n  mov.b64 {%r6, %r7}, %rd4;\n"
             "  st.global.u32 [%rd3], %r7;\n",
             "  mov.b64 %rd4, {%r2, %r4};\n  setp.eq.u32 %p4, %r2, 1;\n"
             "  @%p4 st.global.u64 [%rd2+128], %rd4;\n",
             // It reaches the first lane, which alone stores.
             "  shfl.sync.idx.b32 %r6, %r4, 1, 31, %r3;\n  @%p2 st.global.u32 [%rd2], %r6;\n",
             "  shfl.sync.idx.b32 %r6|%p4, %r4, 3, 31, %r3;\n  add.s32 %r6, %r6, %r2;\n"
             "  shfl.sync.bfly.b32 %r7, %r6, 1, 31, %r3;\n  @%p2 st.global.u32 [%rd2], %r7;\n",
             // As a lane, a distance or a mask of a shuffle.
             "  shfl.sync.idx.b32 %r6, %r2, %r4, 31, %r3;\n",
             "  and.b32 %r6, %r4, 0;\n  or.b32 %r6, %r6, %r3;\n"
             "  shfl.sync.idx.b32 %r7, %r2, 0, 31, %r6;\n",
             "  and.b32 %r6, %r4, 0;\n  nanosleep.u32 %r6;\n",
         }) {
      CAPTURE(use);
      const std::string text = test::ptx_kernel(sum_of_lanes(use + out));
      test::source_run run = run_of_warp(text, 4);
      CHECK(run.found() == "barrier-divergence");
      run.how.machine.reconvergence = simt::reconvergence::stack;
      CHECK(run.found() == "barrier-divergence");
    }
    test::source_run run =
        run_of_warp(test::ptx_kernel(sum_of_lanes("  st.global.u32 [%rd3], %r4;\n$L_out:\n")), 4);
    CHECK(test::source_run::names(run.check(warpcheck::reductions::none())) ==
          "barrier-divergence");
    run.how.machine.memory = simt::memory_model::ptx;
    CHECK(run.found() == "barrier-divergence");
  }
  TEST_CASE("in functions, arguments, results and local memory are uses") {
    const auto with = [](const std::string& body, const std::string& function) {
      return test::ptx_kernel(sum_of_lanes(body + "$L_out:\n"), function);
    };
    const std::string twice =
        ".func (.reg .b32 %out) twice(.reg .b32 %in)\n{\n  add.s32 %out, %in, %in;\n  ret;\n}\n";
    CHECK(found_in_warp(
              with("  call (%r6), twice, (%r2);\n  @%p2 st.global.u32 [%rd2], %r6;\n", twice), 4) ==
          "ok");
    CHECK(found_in_warp(with("  call (%r6), twice, (%r4);\n", twice), 4) == "barrier-divergence");
    const std::string moves =
        ".func (.reg .b32 %out) moves(.reg .b32 %in, .reg .b32 %m)\n{\n"
        "  shfl.sync.down.b32 %out, %in, 2, 31, %m;\n  ret;\n}\n";
    CHECK(found_in_warp(with("  call (%r6), moves, (%r2, %r3);\n", moves), 4) ==
          "barrier-divergence");
    const std::string copies =
        ".func (.reg .b32 %out) copies(.reg .b32 %in, .reg .b32 %m)\n{\n  .reg .b32 %mid;\n"
        "  shfl.sync.down.b32 %mid, %in, 2, 31, %m;\n  mov.b32 %out, %mid;\n  ret;\n}\n";
    CHECK(found_in_warp(with("  call (%r6), copies, (%r2, %r3);\n", copies), 4) ==
          "barrier-divergence");
    CHECK(found_in_warp(test::ptx_kernel("  .local .align 4 .b8 own[4];\n" +
                                         sum_of_lanes("  st.local.u32 [own], %r4;\n$L_out:\n")),
                        4) == "barrier-divergence");
  }
  TEST_CASE("what certainly does not depend on the value is none") {
    const std::string store = "  st.global.u32 [%rd3], %r6;\n$L_out:\n";
    // Lane 0 has the sum, the others choose something else.
    CHECK(found_in_warp(test::ptx_kernel(sum_of_lanes("  selp.b32 %r6, %r4, %r2, %p2;\n" + store)),
                        4) == "ok");
    CHECK(found_in_warp(test::ptx_kernel(sum_of_lanes("  selp.b32 %r6, %r2, %r4, %p2;\n" + store)),
                        4) == "barrier-divergence");
    CHECK(found_in_warp(test::ptx_kernel(sum_of_lanes("  mov.u32 %r6, %r4;\n"
                                                      "  @!%p2 mov.u32 %r6, %r2;\n" +
                                                      store)),
                        4) == "ok");
    // A condition that does not hold, whatever the value is.
    for (const char* const both : {"  setp.gt.s32 %p4, %r4, 5;\n  and.pred %p5, %p4, %p2;\n",
                                   "  setp.gt.and.s32 %p5, %r4, 5, %p2;\n"}) {
      CHECK(found_in_warp(test::ptx_kernel(sum_of_lanes(
                              both + std::string("  @%p5 st.global.u32 [%rd2], %r4;\n$L_out:\n"))),
                          4) == "ok");
    }
    for (const char* const one : {"  setp.gt.s32 %p4, %r4, 5;\n  or.pred %p5, %p4, %p2;\n",
                                  "  setp.gt.or.s32 %p5, %r4, 5, %p2;\n",
                                  "  setp.gt.s32 %p4, %r4, 5;\n  xor.pred %p5, %p4, %p2;\n"}) {
      CHECK(found_in_warp(test::ptx_kernel(sum_of_lanes(
                              one + std::string("  @%p5 st.global.u32 [%rd2], %r2;\n$L_out:\n"))),
                          4) == "barrier-divergence");
    }
    // A register gets another value.
    CHECK(found_in_warp(test::ptx_kernel(sum_of_lanes(
                            "  ld.global.u32 %r4, [%rd2+128];\n  st.global.u32 [%rd3], %r4;\n"
                            "$L_out:\n")),
                        4) == "ok");
  }
  TEST_CASE("what a shuffle finds in other lanes is defined") {
    const std::string all = "  bar.warp.sync -1;\n  st.global.u32 [%rd3], %r4;\n";
    const std::string head =
        "  mov.u32 %r2, %tid.x;\n  mul.wide.u32 %rd3, %r2, 4;\n  add.s64 %rd3, %rd2, %rd3;\n";
    const std::string whole = head + "  shfl.sync.bfly.b32 %r4, %r2, 16, 31, -1;\n" + all;
    CHECK(found_in_warp(test::ptx_kernel(whole), 0) == "ok");
    // Nothing is followed where all lanes certainly come.
    CHECK(subject_of(test::ptx_kernel(whole), 32, 0).find("origin") == std::string::npos);
    CHECK(subject_of(test::ptx_kernel(whole), 20, 0).find("origin") != std::string::npos);
    const std::string by_register = "  shfl.sync.bfly.b32 %r4, %r2, 16, 31, %r3;\n" + all;
    const auto follows = [&](const std::string& before) {
      return subject_of(test::ptx_kernel(head + before + by_register), 32, 0).find("origin") !=
             std::string::npos;
    };
    CHECK(!follows("  mov.b32 %r3, -1;\n"));
    CHECK(follows("  mov.b32 %r3, 7;\n"));
    CHECK(follows("  mov.b32 %r3, 7;\n  mov.b32 %r3, -1;\n"));
    CHECK(follows("  mov.b32 %r3, -1;\n  setp.eq.s32 %p1, %r2, 3;\n  @%p1 ret;\n"));
    // Out of its segment, a lane gets its own value.
    CHECK(found_in_warp(
              test::ptx_kernel(sum_of_lanes("  shfl.sync.down.b32 %r6, %r2, 2, 0x1c1f, %r3;\n"
                                            "  st.global.u32 [%rd3], %r6;\n$L_out:\n")),
              4) == "ok");
  }
  TEST_CASE("a report names the shuffle") {
    test::source_run run =
        run_of_warp(test::ptx_kernel("  mov.u32 %r2, %tid.x;\n  setp.ge.u32 %p1, %r2, 2;\n"
                                     "  @%p1 bra $L_out;\n"
                                     "  shfl.sync.down.b32 %r4, %r2, 1, 31, 3;\n"
                                     "  st.global.u32 [%rd2], %r4;\n$L_out:\n"),
                    0);
    const auto result = run.check();
    REQUIRE(!result.violations.empty());
    CHECK(result.violations.front().detail ==
          "w0.l1 uses an undefined value: the shuffle in line 20 read it from a lane that did "
          "not take part");
  }
  TEST_CASE("generated programs, compared with random numbers in place of undefined values") {
    int used = 0, unused = 0, depending = 0;
    const auto due = test::due_programs(480, "WARPCHECK_UNDEFINED", "WARPCHECK_UNDEFINED_SEED");
    for (unsigned seed = due.begin; seed < due.end; ++seed) {
      const straight_program made = program_of(seed);
      const std::string text = test::ptx_kernel(text_of(made));
      const auto first = stores_of(made, 1);
      bool depends = false;
      for (std::uint64_t other = 2; other < 12; ++other)
        depends = depends || stores_of(made, other) != first;
      CAPTURE(seed);
      CAPTURE(text);
      test::source_run run = run_of_warp(text, 0, made.exits ? 32 : made.lanes + 1);
      const std::string found = run.found();
      CHECK((found == "ok" || found == "barrier-divergence"));
      if (depends) CHECK(found == "barrier-divergence");
      depending += depends ? 1 : 0;
      (found == "ok" ? unused : used) += 1;
      CHECK(test::source_run::names(run.check(warpcheck::reductions::none())) == found);
      run.how.machine.memory = simt::memory_model::ptx;
      CHECK(run.found() == found);
      // In lockstep, lanes that leave early stand behind the branch: no mask may name them.
      if (made.exits) continue;
      run.how.machine.memory = simt::memory_model::sc;
      run.how.machine.reconvergence = simt::reconvergence::stack;
      CHECK(run.found() == found);
    }
    MESSAGE(used << " with a use, on which " << depending << " depend; " << unused << " without");
  }
}
