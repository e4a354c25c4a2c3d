// What PTX has beside loads, stores and memory fences: types, volatile, reductions, barriers with a
// result, barriers of clusters, names through proxies. What they mean, and their mistakes.
#include <doctest/doctest.h>

#include <string>

#include "litmus/answer.hpp"
#include "litmus/gpu/placement.hpp"
#include "litmus/gpu/source.hpp"
#include "litmus/read/parser.hpp"

using namespace litmus;

namespace {

/// One thread's program, and what is declared of memory.
std::string lone(const std::string& rows, const std::string& memory = "x=0;") {
  return "PTX t\n{ " + memory + " }\n P0@cta 0,gpu 0 ;\n" + rows + "\n";
}

program program_of(const std::string& rows, const std::string& memory = "x=0;") {
  return parse(lone(rows, memory) + "exists (0 == 0)\n", "t.litmus");
}

/// Whether all its executions end with that.
bool ends_with(const std::string& rows, const std::string& condition,
               const std::string& memory = "x=0;") {
  return evaluate(parse(lone(rows, memory) + "forall (" + condition + ")\n", "t"), {}).holds ==
         true;
}

bool holds_of(const std::string& text) { return evaluate(parse(text, "t"), {}).holds.value(); }

std::string complaint_about(const std::string& rows, const std::string& memory = "x=0;") {
  try {
    program_of(rows, memory);
  } catch (const syntax_error& error) {
    return error.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("types cut off what does not fit, and fill up with zeros or the sign") {
  CHECK(ends_with("st.weak.u8 x, 257; ld.weak.u8 r0, x;", "P0:r0 == 1"));
  CHECK(ends_with("st.weak.b32 x, -1; ld.weak.u32 r0, x; ld.weak.s32 r1, x;",
                  "P0:r0 == 4294967295 /\\ P0:r1 == -1"));
  CHECK(ends_with("st.relaxed.gpu.s16 x, 32768; ld.acquire.gpu.s16 r0, x;", "P0:r0 == -32768"));
  CHECK(ends_with("ld.weak.b16 r0, x;", "P0:r0 == 65535", "x=-1;"));
  CHECK(ends_with("st.weak.s64 x, -1; ld.weak.u64 r0, x; ld.weak r1, x;",
                  "P0:r0 == -1 /\\ P0:r1 == -1"));
  CHECK(ends_with("atom.relaxed.gpu.add.u32 r0, x, 1;", "P0:r0 == 4294967295 /\\ x == 0",
                  "x=4294967295;"));
  CHECK(ends_with("atom.relaxed.gpu.cas.b32 r0, x, -1, 7;", "x == 7", "x=4294967295;"));
}

TEST_CASE("inc, dec, min and max") {
  CHECK(ends_with("atom.relaxed.gpu.inc.u32 r0, x, 3;", "P0:r0 == 2 /\\ x == 3", "x=2;"));
  CHECK(ends_with("atom.relaxed.gpu.inc r0, x, 3;", "P0:r0 == 3 /\\ x == 0", "x=3;"));
  CHECK(ends_with("red.relaxed.gpu.inc.u32 x, 3;", "x == 0", "x=4;"));
  CHECK(ends_with("red.relaxed.gpu.dec.u32 x, 3;", "x == 3", "x=0;"));
  CHECK(ends_with("red.relaxed.gpu.dec.u32 x, 3;", "x == 2", "x=3;"));
  CHECK(ends_with("red.relaxed.gpu.dec.u32 x, 3;", "x == 3", "x=4;"));
  CHECK(ends_with("red.relaxed.gpu.min.s32 x, -2;", "x == -2", "x=1;"));
  CHECK(ends_with("red.relaxed.gpu.min.u32 x, -2;", "x == 1", "x=1;"));
  CHECK(ends_with("red.relaxed.gpu.max.u32 x, -2;", "x == 4294967294", "x=1;"));
  CHECK(ends_with("red.relaxed.gpu.max.u64 x, -2;", "x == -2", "x=1;"));
  CHECK(ends_with("red.relaxed.gpu.max x, -2;", "x == 1", "x=1;"));
  // Nothing of 32 bits is below 0.
  const auto below_zero = parse(lone("red.relaxed.gpu.inc x, 3;", "x=-1;") + "exists (x==0)", "t");
  CHECK(!evaluate(below_zero, {}).holds.has_value());
}

TEST_CASE("volatile is relaxed, of system scope") {
  const program p = program_of("ld.volatile r0, x; st.volatile x, 1;");
  for (const instruction& one : p.threads[0].instructions) {
    CHECK(one.order == memory_order::relaxed);
    CHECK(one.scope == scope::sys);
  }
  std::string ptx;
  for (const auto& line : gpu::ptx_of(p, gpu::place(p, true), 0)) ptx += line + "\n";
  CHECK(ptx.find("ld.volatile.global.s64 R0, [A0];") != std::string::npos);
  CHECK(ptx.find("st.volatile.global.s64 [A1], 1;") != std::string::npos);
}

TEST_CASE("membar is fence.sc, and one-way fences are read") {
  const program p = program_of(
      "membar.cta; membar.gl; membar.sys; fence.acquire.gpu;"
      "fence.release.cluster;");
  const auto& code = p.threads[0].instructions;
  CHECK(code[0].order == memory_order::sc);
  CHECK(code[0].scope == scope::cta);
  CHECK(code[1].scope == scope::gpu);
  CHECK(code[2].scope == scope::sys);
  CHECK(code[3].order == memory_order::acquire);
  CHECK(code[4].order == memory_order::release);
  const auto buffering = [](const std::string& fence) {
    return holds_of(
        "PTX t {} P0@cta 0,gpu 0 | P1@cta 1,gpu 0; st.relaxed.gpu x, 1 | "
        "st.relaxed.gpu y, 1; " +
        fence + " | " + fence +
        "; ld.relaxed.gpu r0, y | ld.relaxed.gpu r0, x;"
        "exists (P0:r0 == 0 /\\ P1:r0 == 0)");
  };
  CHECK(!buffering("membar.gl"));
  CHECK(buffering("membar.cta"));
  CHECK(buffering("fence.release.gpu"));
}

TEST_CASE("bar.cta.red counts and joins what the threads bring, and orders memory") {
  const auto ends = [](const std::string& what, const std::string& condition) {
    return holds_of(
        "PTX t {} P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | P2@cta 1,gpu 0;"
        "st.weak x, 2 | ld r0, 0 | ;"
        "bar.cta.red." +
        what + " r1, 1, 7 | bar.cta.red." + what +
        " r1, 1, r0 | "
        "bar.cta.red." +
        what +
        " r1, 1, 5; | ld.weak r2, x | ;"
        "forall (" +
        condition + ")");
  };
  CHECK(ends("popc.u32", "P0:r1 == 1 /\\ P1:r1 == 1 /\\ P2:r1 == 1 /\\ P1:r2 == 2"));
  CHECK(ends("and.pred", "P0:r1 == 0 /\\ P1:r1 == 0 /\\ P2:r1 == 1"));
  CHECK(ends("or", "P0:r1 == 1 /\\ P1:r1 == 1 /\\ P2:r1 == 1"));
  // What it brings was loaded behind nothing that it decides.
  CHECK(
      holds_of("PTX t {} P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | P2@cta 1,gpu 0;"
               "ld.relaxed.gpu r0, x | ld r0, 0 | st.relaxed.gpu x, 1;"
               "bar.cta.red.or r1, 1, 3, r0 | bar.cta.red.or r1, 1, 3, r0 | ;"
               "beq r1, 0, LC00 | beq r1, 0, LC00 | ; st.weak y, 1 | st.weak y, 1 | ;"
               "LC00: | LC00: | ; forall (P0:r1 == P1:r1 /\\ (P0:r1 == 1 \\/ y == 0))"));
  CHECK(
      !holds_of("PTX t {} P0@cta 0,gpu 0 | P1@cta 0,gpu 0; ld.relaxed.cta r0, x | ld r0, 0;"
                "bar.cta.red.or r1, 1, r0 | bar.cta.red.or r1, 1, r0;"
                " | st.relaxed.cta x, r1; exists (P1:r1 == 1)"));
}

TEST_CASE("one that not all come to never lets go") {
  const program p = parse(
      "PTX t {} P0@cta 0,gpu 0 | P1@cta 0,gpu 0; bar.cta.red.or r1, 1, 1 | "
      "goto LC00; | bar.cta.red.or r1, 1, 0; | LC00:; exists (0 == 0)",
      "t");
  const answer found = evaluate(p, {});
  CHECK(found.terminates == false);
  CHECK(found.executions == 0);
}

TEST_CASE("barriers of clusters") {
  const auto stale = [](const std::string& first, const std::string& second) {
    return holds_of(
        "PTX t {} P0@cta 0,cluster 0,gpu 0 | P1@cta 1,cluster 0,gpu 0;"
        "st.weak x, 1 | " +
        first + "; barrier.cluster.arrive | " + second + "; | ld.weak r0, x; exists (P1:r0 == 0)");
  };
  CHECK(!stale("barrier.cluster.arrive.release.aligned", "barrier.cluster.wait.acquire.aligned"));
  // Whoever waits need not arrive, where its text does not.
  CHECK(!stale("ld r1, 0", "barrier.cluster.wait"));
  CHECK(stale("ld r1, 0", "barrier.cluster.wait 1"));
  const program missing = parse(
      "PTX t {} P0@cta 0,cluster 0,gpu 0 | P1@cta 1,cluster 0,gpu 0;"
      "barrier.cluster.wait | goto LC00; | barrier.cluster.arrive;"
      " | LC00:; exists (0 == 0)",
      "t");
  CHECK(evaluate(missing, {}).terminates == false);
}

TEST_CASE("mbarriers") {
  // Who waits for the first phase has parity 0; arrivals pass on what the arrivals before them do.
  const auto passes = [](const std::string& arrive, const std::string& wait,
                         const std::string& condition) {
    return holds_of(
        "PTX t { m @ mbarrier expects 2; } P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | "
        "P2@cta 0,gpu 0; st.weak x, 1 | st.weak y, 1 | " +
        wait + "; " + arrive + " | " + arrive + " | ld.weak r1, x; | | ld.weak r2, y; exists (" +
        condition + ")");
  };
  const std::string stale = "P2:r0 == 1 /\\ (P2:r1 == 0 \\/ P2:r2 == 0)";
  CHECK(!passes("mbarrier.arrive m", "mbarrier.test_wait r0, m, 0", stale));
  CHECK(!passes("mbarrier.arrive.release.cluster.b64 m, 1",
                "mbarrier.try_wait.parity.acquire.cluster.b64 r0, m, 0", stale));
  CHECK(passes("mbarrier.arrive.relaxed.cta m", "mbarrier.test_wait r0, m, 0", stale));
  CHECK(passes("mbarrier.arrive m", "mbarrier.test_wait.relaxed.cta r0, m, 0", stale));
  CHECK(passes("mbarrier.arrive m", "mbarrier.test_wait r0, m, 0", "P2:r0 == 0 /\\ P2:r1 == 1"));
  // The phase before the first one counts as over.
  CHECK(passes("mbarrier.arrive m", "mbarrier.test_wait r0, m, 1", stale));
  CHECK(passes("mbarrier.arrive m", "mbarrier.test_wait r0, m, 1", "P2:r0 == 0 /\\ P2:r1 == 1"));
  CHECK(!passes("mbarrier.arrive m", "mbarrier.test_wait r0, m, 1", "P2:r0 == 0 /\\ P2:r1 == 0"));
}

TEST_CASE("phases of mbarriers, and arrivals too many") {
  const std::string one = "m @ mbarrier expects 1;", three = "m @ mbarrier expects 3;";
  CHECK(
      ends_with("mbarrier.arrive m; mbarrier.test_wait r0, m, 0; mbarrier.test_wait r1, m, 1;"
                "mbarrier.arrive m; mbarrier.test_wait r2, m, 0; mbarrier.test_wait r3, m, 1;",
                "P0:r0 == 1 /\\ P0:r1 == 0 /\\ P0:r2 == 0 /\\ P0:r3 == 1", one));
  CHECK(
      ends_with("mbarrier.arrive m, 2; mbarrier.test_wait r0, m, 0; mbarrier.arrive m;"
                "mbarrier.test_wait r1, m, 0;",
                "P0:r0 == 0 /\\ P0:r1 == 1", three));
  const program too_many = program_of("mbarrier.arrive m, 2; mbarrier.arrive m, 2;", three);
  CHECK(!evaluate(too_many, {}).holds.has_value());
  const answer waits = evaluate(program_of("LC00: mbarrier.try_wait r0, m, 0; beq r0, 0, LC00;"
                                           "mbarrier.arrive m;",
                                           one),
                                {});
  CHECK(waits.terminates == false);
}

TEST_CASE("mistakes with mbarriers") {
  const std::string m = "m @ mbarrier expects 1;";
  CHECK(complaint_about("ld.weak r0, m;", m) ==
        "t.litmus:4:1: m is an mbarrier; only mbarrier.arrive, .test_wait and .try_wait access it");
  CHECK(complaint_about("mbarrier.arrive x;", m) ==
        "t.litmus:4:1: x is no mbarrier; declare it, as in x @ mbarrier expects 1");
  CHECK(complaint_about("mbarrier.arrive.gpu m;", m) ==
        "t.litmus:4:1: mbarrier has no order \"gpu\"; it is one of release, relaxed");
  CHECK(complaint_about("mbarrier.arrive.release.gpu m;", m) ==
        "t.litmus:4:1: mbarrier has no scope \"gpu\"; it is one of cta, cluster");
  CHECK(complaint_about("mbarrier.wait r0, m;", m) ==
        "t.litmus:4:1: there is no \"mbarrier.wait\"; write mbarrier.arrive, mbarrier.test_wait or "
        "mbarrier.try_wait");
  CHECK(complaint_about("ld r0, 1;", "m @ mbarrier 2;") ==
        "t.litmus:2:16: expects is missing before \"2\"; write for example m @ mbarrier expects 2");
  CHECK(complaint_about("ld r0, 1;", "m @ mbarrier expects 0;") ==
        "t.litmus:2:24: an mbarrier expects 1 to 1048575 arrivals; write for example m @ mbarrier "
        "expects 2");
  CHECK(complaint_about("ld r0, 1;", m + " m=1;") ==
        "t.litmus:2:27: m is an mbarrier, which begins without arrivals; remove the value");
  CHECK(gpu::why_not_compiled(program_of("mbarrier.arrive m;", m), 90) ==
        "mbarrier.arrive m: it has no form for GPUs yet");
  try {
    parse(lone("mbarrier.arrive m;", m) + "exists (m == 1)", "t.litmus");
    FAIL("m has no value");
  } catch (const syntax_error& error) {
    CHECK(error.what() ==
          std::string("t.litmus:5:9: m is an mbarrier, which has no value; name a register"));
  }
}

// docs/hardware.md has what GPUs do in most of these.
TEST_CASE("asynchronous copies, and the bytes that an mbarrier expects") {
  const auto copy = [](const std::string& before, const std::string& after,
                       const std::string& condition) {
    return evaluate(parse("PTX t { m @ mbarrier expects 1; y=1; } P0@cta 0,gpu 0; " + before +
                              "cp.async.bulk x, y, m; " + after + condition,
                          "t"),
                    {});
  };
  const std::string expect = "mbarrier.arrive.expect_tx m, 8; ",
                    wait = "LC00: mbarrier.try_wait r0, m, 0; beq r0, 0, LC00; ld.weak r1, x; ";
  const answer right = copy(expect, wait, "forall (P0:r1 == 1)");
  CHECK(right.holds == true);
  CHECK(right.terminates == true);
  CHECK(right.races.empty());
  // The copy may come before the bytes are expected.
  CHECK(copy("", expect + wait, "forall (P0:r1 == 1)").holds == true);
  // Without a wait, and with a wait for too few bytes; too many never come.
  CHECK(copy(expect, "ld.weak r1, x;", "exists (P0:r1 == 0)").holds == true);
  CHECK(copy("mbarrier.arrive m; ", wait, "exists (P0:r1 == 0)").holds == true);
  CHECK(copy("mbarrier.arrive.expect_tx m, 16; ", wait, "exists (0 == 0)").terminates == false);
  // The source is stored to behind the copy, and a store to the target comes without a fence.
  CHECK(copy(expect, "st.weak y, 2; " + wait, "exists (P0:r1 == 2)").holds == true);
  CHECK(copy(expect, wait + "st.weak y, 2;", "exists (P0:r1 == 2)").holds == false);
  CHECK(copy("st.weak x, 3; " + expect, wait, "exists (P0:r1 == 3)").holds == true);
  CHECK(copy("st.weak x, 3; fence.proxy.async; " + expect, wait, "exists (P0:r1 == 3)").holds ==
        false);
  // A copy that is not issued does nothing, and is not waited for.
  const answer never =
      copy("ld r2, 1; beq r2, 1, LC01; ", "LC01: ld.weak r1, x;", "forall (P0:r1 == 0)");
  CHECK(never.holds == true);
  CHECK(never.terminates == true);
  // One copy behind another needs no fence.
  const program two = parse(
      "PTX t { m @ mbarrier expects 1; n @ mbarrier expects 1; x=1; } "
      "P0@cta 0,gpu 0; mbarrier.arrive.expect_tx m, 8; cp.async.bulk y, x, m;"
      "LC00: mbarrier.try_wait r0, m, 0; beq r0, 0, LC00;"
      "mbarrier.arrive.expect_tx n, 8; cp.async.bulk z, y, n;"
      "LC01: mbarrier.try_wait r0, n, 0; beq r0, 0, LC01; ld.weak r1, z;"
      "forall (P0:r1 == 1)",
      "t");
  CHECK(evaluate(two, {}).holds == true);
}

TEST_CASE("mistakes with copies") {
  const std::string m = "m @ mbarrier expects 1;";
  CHECK(complaint_about("LC00: cp.async.bulk x, y, m; beq r0, 0, LC00;", m) ==
        "t.litmus:4:7: the copy is in a loop; write one instruction for each copy");
  CHECK(complaint_about("cp.async.bulk x, y, z;", m) ==
        "t.litmus:4:1: z is no mbarrier; declare it, as in z @ mbarrier expects 1");
  CHECK(complaint_about("cp.async.bulk x, m, m;", m) ==
        "t.litmus:4:1: m is an mbarrier; only mbarrier.arrive, .test_wait and .try_wait access it");
  CHECK(complaint_about("cp.async x, y;", m) ==
        "t.litmus:4:1: there is no copy \"cp.async\"; write cp.async.bulk x, y, m");
  CHECK(complaint_about("mbarrier.arrive.expect_tx m, -8;", m) ==
        "t.litmus:4:30: -8 are too many bytes, or too few; write 8 for each copy");
  CHECK(complaint_about("ld.weak.u32 r0, x; cp.async.bulk x, y, m;", m) ==
        "t.litmus:4:20: x is accessed with 64 bits here, and with 32 in line 4; give all of its "
        "accesses one size (64 bits without a type)");
  CHECK(gpu::why_not_compiled(program_of("cp.async.bulk x, y, m;", m), 90) ==
        "cp.async.bulk x, y, m: it has no form for GPUs yet");
}

TEST_CASE("names of memory") {
  const std::string names =
      "x=3; y @ generic aliases x; s @ surface aliases y; c @ constant "
      "aliases s; z @ generic aliases c;";
  const program p = program_of(
      "sust.weak [s], 1; cold.weak r0, c; ld.weak r1, y; ld.weak r2, z;"
      "suld.weak r3, x; suatom.relaxed.gpu.add r4, s, 1; sured.relaxed.gpu."
      "add s, 1; tld.weak r5, c; membar.proxy.alias; fence.proxy.texture;",
      names);
  const auto& code = p.threads[0].instructions;
  CHECK(p.locations.size() == 1);
  for (std::size_t i = 0; i < 8; ++i) CHECK(code[i].location == 0);
  CHECK(code[0].proxy == proxy::surface);
  CHECK(code[0].address == code[2].address);
  CHECK(code[1].address == code[2].address);
  CHECK(code[3].address != code[2].address);
  CHECK(code[4].address == 0);
  CHECK(code[4].proxy == proxy::surface);
  CHECK(code[5].proxy == proxy::surface);
  CHECK(code[7].proxy == proxy::texture);
  CHECK(code[8].proxy == proxy::alias);
  CHECK(code[9].proxy == proxy::texture);
  CHECK(ends_with("ld.weak r0, y; ld.weak r1, z;", "P0:r0 == 3 /\\ P0:r1 == 3 /\\ y == 3", names));
}

TEST_CASE("mistakes with proxies") {
  CHECK(complaint_about("ld.weak r0, x;", "s @ surfase aliases x;") ==
        "t.litmus:2:7: there is no proxy \"surfase\"; did you mean surface?");
  CHECK(complaint_about("ld.weak r0, x;", "s @ async aliases x;") ==
        "t.litmus:2:7: there is no proxy \"async\"; it is one of generic, constant, texture, "
        "surface");
  CHECK(complaint_about("ld.weak r0, x;", "s @ surface x;") ==
        "t.litmus:2:15: aliases is missing before \"x\"; write for example s @ surface aliases x");
  CHECK(complaint_about("ld.weak r0, x;", "x=0; y=1; y @ generic aliases x;") ==
        "t.litmus:2:13: y is the name of memory already; alias it once, before anything else "
        "names it");
  CHECK(complaint_about("ld.weak r0, x;", "y @ generic aliases x; y=1;") ==
        "t.litmus:2:26: y is another name of x; give that the value");
  CHECK(complaint_about("ld.weak r0, x;", "y @ generic aliases y;") ==
        "t.litmus:2:23: y cannot alias itself; name other memory");
  CHECK(complaint_about("fence.proxy.texture;", "x=0; s @ surface aliases x;") ==
        "t.litmus:4:1: nothing goes through the texture proxy, so fence.proxy.texture orders "
        "nothing; declare a name for it, as in y @ texture aliases x, or remove it");
  CHECK(complaint_about("fence.proxy.alias;") ==
        "t.litmus:4:1: no memory has two addresses, so fence.proxy.alias orders nothing; declare "
        "another one, as in y @ generic aliases x, or remove it");
  CHECK(complaint_about("fence.proxy.generic;") ==
        "t.litmus:4:1: a proxy fence orders the generic proxy with another one; write "
        "fence.proxy.alias, .async, .constant, .texture or .surface");
  CHECK(complaint_about("fence.proxy.async;") ==
        "t.litmus:4:1: no copy is asynchronous, so fence.proxy.async orders nothing; add a "
        "cp.async.bulk, or remove it");
  CHECK(complaint_about("fence.proxy.surfce;") ==
        "t.litmus:4:1: fence has no proxy \"surfce\"; did you mean surface?");
  CHECK(complaint_about("suld.volatile r0, x;") ==
        "t.litmus:4:1: suld is never volatile; write suld.weak");
}

TEST_CASE("mistakes with types and barriers") {
  CHECK(complaint_about("ld.weak.f32 r0, x;") ==
        "t.litmus:4:1: ld.weak has no type \"f32\"; leave it out, or write one of .b8, .u8, .s8, "
        ".b16, .u16, .s16, .b32, .u32, .s32, .b64, .u64, .s64");
  CHECK(complaint_about("atom.relaxed.gpu.inc.s32 r0, x, 1;") ==
        "t.litmus:4:1: atom.relaxed.gpu.inc has no type \"s32\"; leave it out, or write one of "
        ".u32");
  CHECK(complaint_about("ld.weak.u32 r0, x;\nst.weak x, 1;") ==
        "t.litmus:5:1: x is accessed with 64 bits here, and with 32 in line 4; give all of its "
        "accesses one size (64 bits without a type)");
  CHECK(complaint_about("membar.gpu;") ==
        "t.litmus:4:1: membar has no level \"gpu\"; it is one of cta, gl, sys");
  CHECK(complaint_about("barrier.sync 0;") ==
        "t.litmus:4:1: there is no barrier \"barrier.sync\"; write barrier.cluster.arrive or "
        "barrier.cluster.wait (of a CTA: bar.cta.sync)");
  CHECK(complaint_about("bar.cta.red.or r0, 1, 1;\nbar.cta.sync 1;") ==
        "t.litmus:4:1: bar.cta.red.or r0, 1, 1 may meet bar.cta.sync 1 in line 5, which is another "
        "kind of barrier; give one of them another instance");
  CHECK(complaint_about("bar.cta.red.or r0, 1, r1, 1;") ==
        "t.litmus:4:1: the resource of bar.cta.red is no register; write an integer");
  CHECK(complaint_about("bar.cta.red.xor r0, 1, 1;") ==
        "t.litmus:4:1: bar has no operation \"xor\"; did you mean or?");
}

TEST_CASE("what has no form for GPUs says so") {
  const auto why = [](const std::string& rows, const std::string& memory = "x=0;") {
    return gpu::why_not_compiled(program_of(rows, memory), 90);
  };
  const std::string names = "x=0; y @ generic aliases x; s @ surface aliases x;";
  CHECK(why("sust.weak s, 1;", names) ==
        "an access through the surface proxy (sust.weak s, 1): it has no form for GPUs yet");
  CHECK(why("st.weak y, 1;", names) ==
        "an access by an alias of x (st.weak y, 1): it has no form for GPUs yet");
  CHECK(why("fence.proxy.surface;", names) == "fence.proxy.surface, which PTX does not have");
  CHECK(why("fence.proxy.alias; st.weak x, 1;", names) == "");
  CHECK(why("st.weak.u32 x, 1;") ==
        "an access of 32 bits (st.weak.u32 x, 1): it has no form for GPUs yet");
  CHECK(why("red.relaxed.gpu.inc x, 1;") ==
        "red.relaxed.gpu.inc x, 1: PTX has it for 32 bits only");
  CHECK(why("red.relaxed.gpu.max.u64 x, 1; membar.gl; fence.acquire.gpu;") == "");
  CHECK(why("bar.cta.red.or r0, 1, 1;") == "bar.cta.red.or r0, 1, 1: it has no form for GPUs yet");
  CHECK(why("barrier.cluster.arrive;") == "barrier.cluster.arrive: it has no form for GPUs yet");
  CHECK(gpu::why_not_compiled(program_of("fence.acquire.gpu;"), 80) ==
        "sm_80 has no fence.acquire.gpu; sm_90 is the first that has");
}
