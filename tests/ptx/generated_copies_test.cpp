// Compares explorations of small kernels with bulk copies: with reductions and without, under both
// memory models.
#include <doctest/doctest.h>

#include <random>
#include <string>

#include "sim/ptx/parse.hpp"
#include "sim/ptx/translate.hpp"
#include "tests/checker/run_source.hpp"
#include "tests/ptx/texts.hpp"
#include "tests/tier.hpp"

namespace {

/// Threads in phases with barriers in between. Thread 0 issues copies. The others touch the tile
/// and `data`, wait at the mbarrier, or pass a flag on.
class random_kernel {
 public:
  random_kernel(unsigned seed, unsigned threads) : random_(seed), threads_(threads) {}

  std::string text() {
    add("  .shared .align 8 .b8 bar[8];\n  .shared .align 128 .b8 tile[16];\n");
    add("  mov.u32 %r2, %tid.x;\n  mov.u32 %r4, tile;\n  add.s64 %rd5, %rd2, 32;\n");
    by_thread(0, "  mbarrier.init.shared::cta.b64 [bar], 1;\n" +
                     std::string(up_to(8) != 0 ? "  fence.proxy.async;\n" : ""));
    add("  bar.sync 0;\n");
    const unsigned phases = 1 + up_to(2);
    for (unsigned phase = 0; phase < phases; ++phase) {
      for (unsigned thread = 0; thread < threads_; ++thread) {
        std::string steps;
        const unsigned count = up_to(3);
        for (unsigned i = 0; i < count; ++i) steps += step(thread);
        if (!steps.empty()) by_thread(thread, steps);
      }
      if (phase + 1 < phases) add("  bar.sync 0;\n");
    }
    return test::ptx_kernel(body_);
  }

 private:
  std::mt19937 random_;
  unsigned threads_;
  std::string body_;
  unsigned labels_ = 0, results_ = 0;
  bool has_load_ = false, has_store_ = false;

  /// 0 to `most`.
  unsigned up_to(unsigned most) { return static_cast<unsigned>(random_() % (most + 1)); }
  void add(const std::string& more) { body_ += more; }
  std::string label() { return "$L_" + std::to_string(labels_++); }
  void by_thread(unsigned thread, const std::string& steps) {
    const std::string behind = label();
    add("  setp.ne.u32 %p2, %r2, " + std::to_string(thread) + ";\n  @%p2 bra " + behind + ";\n" +
        steps + behind + ":\n");
  }
  std::string cell() { return "[tile+" + std::to_string(4 * up_to(3)) + "]"; }
  std::string data() { return "[%rd2+" + std::to_string(4 * up_to(11)) + "]"; }
  /// A place of its own for what was read, so that it counts.
  std::string keep() {
    return "  st.global.u32 [%rd2+" + std::to_string(64 + 4 * results_++) + "], %r8;\n";
  }
  std::string step(unsigned thread) {
    switch (up_to(11)) {
      case 0: return "  st.shared.u32 " + cell() + ", %r2;\n";
      case 1: return "  ld.shared.u32 %r8, " + cell() + ";\n" + keep();
      case 2: return "  st.global.u32 " + data() + ", %r2;\n";
      case 3: return "  ld.global.u32 %r8, " + data() + ";\n" + keep();
      case 4: return "  fence.proxy.async;\n";
      case 5: return "  st.shared.u32 " + cell() + ", 7;\n  fence.proxy.async;\n";
      case 6: {  // a flag behind the copies' part of data
        const std::string order = up_to(1) != 0 ? "release" : "relaxed";
        return "  st." + order + ".gpu.global.u32 [%rd2+60], 1;\n";
      }
      case 7: {
        const std::string order = up_to(1) != 0 ? "acquire" : "relaxed", again = label();
        const std::string test = "  ld." + order + ".gpu.global.u32 %r9, [%rd2+60];\n";
        if (up_to(2) == 0) return test + "  add.u32 %r8, %r9, 0;\n" + keep();
        return again + ":\n" + test + "  setp.ne.u32 %p3, %r9, 1;\n  @%p3 bra " + again + ";\n";
      }
      case 8: {
        const std::string test = "  mbarrier.try_wait.parity.shared::cta.b64 %p3, [bar], 0;\n";
        if (up_to(3) == 0) return test + "  selp.u32 %r8, 1, 0, %p3;\n" + keep();
        const std::string again = label();
        return again + ":\n" + test + "  @!%p3 bra " + again + ";\n";
      }
      default: return thread == 0 ? copy() : "";
    }
  }
  std::string copy() {
    if (!has_load_ && up_to(1) == 0) {
      has_load_ = true;
      return "  mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 16;\n"
             "  cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r4], [%rd2], "
             "16, [bar];\n";
    }
    if (has_store_) return "  cp.async.bulk.wait_group 0;\n";
    has_store_ = true;
    const char* const waits[] = {"", "  cp.async.bulk.wait_group.read 0;\n",
                                 "  cp.async.bulk.wait_group 0;\n"};
    const std::string how = up_to(3) == 0
                                ? "  cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32"
                                : "  cp.async.bulk.global.shared::cta.bulk_group";
    return how + " [%rd5], [%r4], 16;\n  cp.async.bulk.commit_group;\n" + waits[up_to(2)];
  }
};

}  // namespace

TEST_CASE("generated kernels with bulk copies: reductions change no verdict") {
  const auto due = test::due_programs(400, "WARPCHECK_COPIES", "WARPCHECK_COPIES_FIRST");
  for (unsigned number = due.begin; number < due.end; ++number) {
    const unsigned threads = 2 + number % 3;
    const std::string text = random_kernel(number, threads).text();
    INFO("program ", number, ", ", threads, " threads\n", text);
    const auto m = simt::ptx::parse(text);
    simt::ptx::launch l;
    l.block = {threads, 1, 1};
    l.buffers.push_back({"data", 64, simt::ptx::type::u32, {}, {}});
    l.buffers[0].bytes.resize(256);
    l.arguments.resize(2);
    l.arguments[0].pointers.push_back({0, 0, 0});
    test::source_run run(simt::ptx::to_subject(m, m.kernels.back(), l), {1, {threads}});
    run.what.subject = "kernel_subject";
    run.bounds.max_states = 200'000;
    run.bounds.time = 30;
    for (const auto memory : {simt::memory_model::sc, simt::memory_model::ptx}) {
      run.how.machine.memory = memory;
      const auto plain = run.check(warpcheck::reductions::none());
      const auto reduced = run.check();
      if (!plain.stopped.empty() || !reduced.stopped.empty()) continue;  // too large
      CAPTURE(static_cast<int>(memory));
      CHECK(test::source_run::names(reduced) == test::source_run::names(plain));
    }
  }
}
