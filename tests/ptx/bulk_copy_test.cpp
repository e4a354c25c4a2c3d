// Bulk copies in PTX: what is right, and each mistake in it.
#include <doctest/doctest.h>

#include <string>

#include "sim/ptx/parse.hpp"
#include "sim/ptx/translate.hpp"
#include "sim/ptx/unsupported.hpp"
#include "tests/checker/run_source.hpp"
#include "tests/ptx/texts.hpp"

namespace {

std::string kernel_with(const std::string& body) {
  return test::ptx_kernel(
      "  .shared .align 8 .b8 bar[8];\n"
      "  .shared .align 128 .b8 tile[64];\n"
      "  mov.u32 %r2, %tid.x;\n"
      "  shl.b32 %r3, %r2, 2;\n"
      "  and.b32 %r3, %r3, 60;\n"
      "  mov.u32 %r4, tile;\n"
      "  add.s32 %r5, %r4, %r3;\n"  // the thread's cell of `tile`
      "  cvt.u64.u32 %rd3, %r3;\n"
      "  add.s64 %rd4, %rd2, %rd3;\n"  // and of `data`
      "  add.s64 %rd5, %rd2, 64;\n"    // the other half of `data`
      "  setp.ne.s32 %p2, %r2, 0;\n" +
      body);
}

/// What `threads` threads find, under both memory models alike. `data`, whose address is argument
/// 0, holds 0, 1, 2, …
std::string found_in(const std::string& text, std::uint32_t threads,
                     simt::reconvergence model = simt::reconvergence::its) {
  const auto m = simt::ptx::parse(text);
  simt::ptx::launch l;
  l.block = {threads, 1, 1};
  l.buffers.push_back({"data", 32, simt::ptx::type::u32, {}, {}});
  for (std::uint8_t v = 0; v < 16; ++v)
    l.buffers[0].bytes.insert(l.buffers[0].bytes.end(), {v, 0, 0, 0});
  l.arguments.resize(2);
  l.arguments[0].pointers.push_back({0, 0, 0});
  std::vector<std::uint32_t> warps(threads / 32, 32);
  if (threads % 32 != 0) warps.push_back(threads % 32);
  test::source_run run(simt::ptx::to_subject(m, m.kernels.back(), l), {1, warps}, model);
  run.what.subject = "kernel_subject";
  run.bounds.max_states = 20'000;
  const std::string under_sc = run.found();
  run.how.machine.memory = simt::memory_model::ptx;
  const std::string under_ptx = run.found();
  return under_sc == under_ptx ? under_sc : "sc: " + under_sc + ", ptx: " + under_ptx;
}
std::string found(const std::string& body, std::uint32_t threads) {
  return found_in(kernel_with(body), threads);
}

/// Thread 0 takes these steps.
std::string by_first(const std::string& name, const std::string& steps) {
  return "  @%p2 bra $L_" + name + ";\n" + steps + "$L_" + name + ":\n";
}
/// Each thread sees its number in its cell.
const std::string is_right =
    "  ld.shared.u32 %r8, [%r5];\n"
    "  and.b32 %r9, %r2, 15;\n"
    "  setp.eq.s32 %p1, %r8, %r9;\n"
    "  @%p1 bra $L_good;\n"
    "  trap;\n"
    "$L_good:\n";

const std::string init = "  mbarrier.init.shared::cta.b64 [bar], 1;\n";
const std::string fence_init = "  fence.mbarrier_init.release.cluster;\n";
const std::string barrier = "  bar.sync 0;\n";
std::string expect(int bytes) {
  return "  mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], " + std::to_string(bytes) + ";\n";
}
const std::string load =
    "  cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r4], [%rd2], 64, "
    "[bar];\n";
std::string wait_for(int parity) {
  return "$L_wait:\n  mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], " +
         std::to_string(parity) + ";\n  @!%p1 bra $L_wait;\n";
}
const std::string told = by_first("told", init + fence_init) + barrier;

const std::string write_own = "  st.shared.u32 [%r5], %r2;\n";
const std::string fence_proxy = "  fence.proxy.async.shared::cta;\n";
const std::string store = "  cp.async.bulk.global.shared::cta.bulk_group [%rd5], [%r4], 64;\n";
const std::string commit = "  cp.async.bulk.commit_group;\n";
const std::string wait_read = "  cp.async.bulk.wait_group.read 0;\n";
const std::string wait_all = "  cp.async.bulk.wait_group 0;\n";
const std::string read_other_half = "  ld.global.u32 %r9, [%rd4+64];\n";

bool has_race(const std::string& what) { return what.find("race") != std::string::npos; }

}  // namespace

TEST_CASE("a bulk load is there for those who wait at its mbarrier") {
  CHECK(found(told + by_first("go", expect(64) + load) + wait_for(0) + is_right, 64) == "ok");
}

TEST_CASE("mistakes with bulk loads are found") {
  const auto with = [](const std::string& steps, const std::string& wait) {
    return told + by_first("go", steps) + wait + is_right;
  };
  CHECK(has_race(found(with(expect(64) + load, barrier), 2)));
  CHECK(found(with(expect(80) + load, wait_for(0)), 2) == "deadlock");
  // The mbarrier is initialized by the other proxy.
  CHECK(found(by_first("told", init) + barrier + by_first("go", expect(64) + load) + wait_for(0),
              2) == "assertion");
}

// With four and more lanes, the agent among them, steps are asked what others can do before them.
TEST_CASE("what lanes do that a bulk load has let on counts for steps ahead") {
  const std::string write = "  setp.eq.u32 %p3, %r2, 1;\n  @%p3 st.global.u32 [%rd2+96], %r2;\n";
  const std::string read = "  setp.ne.u32 %p4, %r2, 2;\n  @%p4 bra $L_end;\n" + wait_for(0) +
                           "  ld.global.u32 %r8, [%rd2+96];\n"
                           "  st.global.u32 [%rd2+100], %r8;\n"
                           "$L_end:\n";
  const std::string go = by_first("go", expect(64) + load);
  // What threads have written there before the copy leaves marks, which a fence lets it ignore.
  const std::string marks = write_own + fence_proxy + barrier;
  for (const std::uint32_t threads : {3U, 4U, 10U, 16U}) {
    CAPTURE(threads);
    for (const std::string& before : {std::string(), marks}) {
      CHECK(has_race(found(told + before + go + write + read, threads)));
      CHECK(found(told + before + write + barrier + go + read, threads) == "ok");
    }
  }
}

TEST_CASE("who waits for a copy learns of the copy, and not of the thread that has issued it") {
  const std::string write = "  st.global.u32 [%rd2+96], %r2;\n";
  const std::string rest =
      "  setp.ne.u32 %p4, %r2, 2;\n  @%p4 bra $L_end;\n" + wait_for(0) +
      "  ld.global.u32 %r8, [%rd2+96];\n  st.global.u32 [%rd2+100], %r8;\n$L_end:\n";
  const std::string by_second =
      "  setp.ne.u32 %p5, %r2, 1;\n  @%p5 bra $L_expected;\n" + expect(64) + "$L_expected:\n";
  CHECK(found(told + by_first("go", write + expect(64) + load) + rest, 3) == "ok");
  // (Under sc, nothing but memory orders could let the read come too early.)
  CHECK(found(told + by_second + by_first("go", write + load) + rest, 3) == "sc: ok, ptx: race");
}

TEST_CASE("a copy knows nothing of earlier ones that its thread does not know") {
  const auto fill = [](int first) {
    std::string text;
    for (int at = first; at < first + 16; at += 4)
      text += "  st.shared.u32 [tile+" + std::to_string(at) + "], 1;\n";
    return text + fence_proxy;
  };
  const auto kernel = [&](const std::string& store_order, const std::string& load_order) {
    return by_first("x", fill(0) +
                             "  cp.async.bulk.global.shared::cta.bulk_group [%rd5], [%r4], 16;\n" +
                             commit + wait_all + "  st." + store_order +
                             ".gpu.global.u32 [%rd2+124], 1;\n") +
           "  setp.ne.u32 %p4, %r2, 1;\n  @%p4 bra $L_end;\n$L_spin:\n  ld." + load_order +
           ".gpu.global.u32 %r8, [%rd2+124];\n  setp.ne.u32 %p5, %r8, 1;\n  @%p5 bra $L_spin;\n" +
           fill(32) + "  add.u32 %r11, %r4, 32;\n  add.s64 %rd6, %rd2, 96;\n" +
           "  cp.async.bulk.global.shared::cta.bulk_group [%rd6], [%r11], 16;\n" + commit +
           wait_all + "  ld.global.u32 %r9, [%rd5];\n  st.global.u32 [%rd2+116], %r9;\n$L_end:\n";
  };
  CHECK(found(kernel("release", "acquire"), 2) == "ok");
  CHECK(found(kernel("relaxed", "relaxed"), 2) == "sc: ok, ptx: race");
}

TEST_CASE("a copy may miss what another copy of its block has written") {
  // Thread 0 stores a part of `data` by a copy, thread 1 loads it by another one.
  const auto kernel = [](const std::string& store_order, const std::string& load_order) {
    return told +
           by_first("x", "  st.shared.v4.u32 [tile], {1, 1, 1, 1};\n" + fence_proxy +
                             "  cp.async.bulk.global.shared::cta.bulk_group [%rd5], [%r4], 16;\n" +
                             commit + wait_all + "  st." + store_order +
                             ".gpu.global.u32 [%rd2+124], 1;\n") +
           "  setp.ne.u32 %p4, %r2, 1;\n  @%p4 bra $L_end;\n$L_spin:\n  ld." + load_order +
           ".gpu.global.u32 %r8, [%rd2+124];\n  setp.ne.u32 %p5, %r8, 1;\n  @%p5 bra $L_spin;\n" +
           expect(16) + "  add.u32 %r11, %r4, 32;\n" +
           "  cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r11], [%rd5], "
           "16, [bar];\n" +
           wait_for(0) + "$L_end:\n";
  };
  CHECK(found(kernel("release", "acquire"), 2) == "ok");
  CHECK(found(kernel("relaxed", "relaxed"), 2) == "sc: ok, ptx: race");
}

TEST_CASE("two lanes of a warp that issue copies wait for each other under stack as well") {
  const std::string body = "  st.shared.u32 [%r5], 1;\n" + fence_proxy + barrier +
                           "  cp.async.bulk.global.shared::cta.bulk_group [%rd5], [%r4], 16;\n" +
                           commit + wait_all;
  for (const std::uint32_t threads : {4U, 6U}) {
    CHECK(found_in(kernel_with(body), threads, simt::reconvergence::stack).find("deadlock") ==
          std::string::npos);
  }
}

TEST_CASE("a reduction by a copy need not have changed anything when it has read") {
  const auto kernel = [](const std::string& wait) {
    return "  st.shared.v4.u32 [tile], {1, 1, 1, 1};\n" + fence_proxy +
           "  cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd5], [%r4], 16;\n" +
           commit + wait +
           "  atom.global.add.u32 %r9, [%rd5], 0;\n  setp.ne.u32 %p6, %r9, 0;\n"
           "  @%p6 bra $L_good;\n  trap;\n$L_good:\n" +
           wait_all;
  };
  CHECK(found(kernel(wait_all), 1) == "ok");
  CHECK(found(kernel(wait_read), 1) == "assertion");
}

TEST_CASE("a bulk store reads what was fenced, and is complete for those who wait") {
  const auto with = [](const std::string& fence, const std::string& steps) {
    return write_own + fence + barrier + by_first("go", steps) + barrier + read_other_half;
  };
  const std::string all = store + commit + wait_all;
  CHECK(found(with(fence_proxy, all), 16) == "ok");
  CHECK(found(with("", all), 2) == "assertion");
  // It has read, but not written.
  CHECK(has_race(found(with(fence_proxy, store + commit + wait_read), 16)));
}

TEST_CASE("a proxy fence covers what a thread knew before it, not what it learns behind it") {
  const std::string all = store + commit + wait_all;
  const std::string sync = "  bar.warp.sync -1;\n";
  for (const std::string& meet : {sync, barrier}) {
    CHECK(found(write_own + meet + by_first("go", fence_proxy + all), 16) == "ok");
    CHECK(found(write_own + fence_proxy + meet + by_first("go", all), 16) == "ok");
    CHECK(found(write_own + by_first("early", fence_proxy) + meet + by_first("go", all), 2) ==
          "assertion");
  }
}

TEST_CASE("a thread ends only after its bulk stores have read shared memory") {
  const auto with = [](const std::string& steps) {
    return found(write_own + fence_proxy + barrier + by_first("go", steps), 16);
  };
  CHECK(with(store + commit + wait_read) == "ok");
  CHECK(with(store + commit + wait_all) == "ok");
  CHECK(with(store + commit) == "assertion");
  // The waits are for groups, and the copy is in none.
  CHECK(with(store + wait_read) == "assertion");
  CHECK(with(store + wait_all) == "assertion");
}

TEST_CASE("a kernel whose text ends without a return ends as one that returns") {
  const std::string steps = write_own + fence_proxy + barrier;
  for (const std::string& end : {std::string("  ret;\n}"), std::string("}")}) {
    const auto with = [&](const std::string& wait) {
      std::string text = kernel_with(steps + by_first("go", store + commit + wait));
      text.replace(text.rfind("  ret;\n}"), 8, end);
      return found_in(text, 16);
    };
    CHECK(with(wait_read) == "ok");
    CHECK(with("") == "assertion");
  }
}

TEST_CASE("a proxy fence covers what cp.async has written before it") {
  const auto with = [](const std::string& before, const std::string& behind) {
    return "  cp.async.ca.shared.global [%r5], [%rd4], 4;\n" + before + "  cp.async.wait_all;\n" +
           behind + barrier + by_first("go", store + commit + wait_all);
  };
  CHECK(found(with("", fence_proxy), 16) == "ok");
  CHECK(found(with("", ""), 16) == "assertion");
  CHECK(found(with(fence_proxy, ""), 16) == "assertion");
  CHECK(found(with("  cp.async.commit_group;\n  cp.async.wait_group 0;\n", fence_proxy), 16) ==
        "ok");
}

TEST_CASE("a reduction by a copy changes elements") {
  const std::string reduce =
      "  cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd2], [%r4], 64;\n";
  const std::string body =
      "  mov.u32 %r10, 5;\n  st.shared.u32 [%r5], %r10;\n" + fence_proxy + barrier +
      by_first("go", reduce + commit + wait_all) + barrier +
      "  ld.global.u32 %r8, [%rd4];\n  add.s32 %r9, %r2, 5;\n  setp.eq.s32 %p1, %r8, %r9;\n"
      "  @%p1 bra $L_good;\n  trap;\n$L_good:\n";
  CHECK(found(body, 16) == "ok");
}

TEST_CASE("a prefetch in bulk is nothing") {
  const auto m =
      simt::ptx::parse(test::ptx_kernel("  cp.async.bulk.prefetch.L2.global [%rd2], 16;\n"));
  simt::ptx::launch l;
  l.block = {2, 1, 1};
  l.arguments.resize(2);
  test::source_run run(simt::ptx::to_subject(m, m.kernels.back(), l), {1, {2}});
  run.what.subject = "kernel_subject";
  run.how.machine.memory = simt::memory_model::ptx;
  const warpcheck::session ready(run.what, run.how);
  CHECK(!ready.setup().grid.copies);
}

TEST_CASE("clusters that extend in y are listed") {
  const auto m =
      simt::ptx::parse(std::string(test::ptx_head) +
                       ".entry k() .explicitcluster .reqnctapercluster 1, 2, 1 { ret; }\n");
  const auto uses = simt::ptx::unsupported(m, m.kernels.back());
  REQUIRE(uses.size() == 1);
  CHECK(uses[0].reason == "clusters that extend in y or z");
}

TEST_CASE("bulk copies that are not modelled are listed") {
  const auto listed = [](const std::string& text) {
    const auto m = simt::ptx::parse(test::ptx_kernel(text));
    const auto uses = simt::ptx::unsupported(m, m.kernels.back());
    return uses.empty() ? std::string() : uses.front().reason;
  };
  CHECK(listed("  cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
               "[%r1], [%rd1, {%r2}], [%r3];\n") == "a copy by a tensor map");
  CHECK(listed("  cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
               ".multicast::cluster [%r1], [%rd2], 64, [%r2], %rs1;\n") ==
        "a copy to several blocks of a cluster");
  CHECK(
      listed("  cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%rd2], [%r1], 64;\n") ==
      "this reduction by a copy");
  CHECK(
      listed("  cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%rd2], [%r1], 64, %rs1;\n") ==
      "the modifier .cp_mask");
  CHECK(listed("  cp.async.bulk.prefetch.L2.global [%rd2], 64;\n").empty());
  CHECK(listed("  fence.proxy.alias;\n") == "a fence of proxies");
}
