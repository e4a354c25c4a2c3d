// Litmus tests as text: what is read, and that mistakes are told with place and remedy.
#include <doctest/doctest.h>

#include <string>

#include "litmus/answer.hpp"
#include "litmus/read/parser.hpp"

using namespace litmus;

namespace {

/// A test of one thread with these rows.
std::string with_rows(const std::string& rows) {
  return "PTX t\n{ x=0; }\n P0@cta 0,gpu 0 ;\n" + rows + "\nexists (x == 0)\n";
}

std::string mistake(const std::string& text) {
  try {
    parse(text, "t.litmus");
  } catch (const syntax_error& error) {
    return error.what();
  }
  return "none";
}

std::string mistake_in_row(const std::string& row) { return mistake(with_rows(row)); }

bool holds_for(const std::string& condition) {
  const program p = parse(
      "PTX t { x=1; y=-2; P0:r1=3; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n"
      " ld r0, 4 | ld r9, 0 ;\n ld.weak r2, x | ld.weak r2, y ;\n add r3, r1, 0 ;\n" +
          condition,
      "t.litmus");
  return evaluate(p, {}).holds.value();
}

}  // namespace

TEST_CASE("all instructions are read") {
  const program p = parse(with_rows("ld r0, 5; ld r1, r0; ld.weak r2, x; ld.relaxed.cta r2, x;"
                                    "ld.acquire.cluster r2, x; st.weak x, 1; st.relaxed.gpu x, r1;"
                                    "st.release.sys x, -3; atom.acq_rel.gpu.cas r3, x, 1, r2;"
                                    "atom.relaxed.gpu.exch r3, [x], 1; red.release.sys.sub x, 1;"
                                    "red.relaxed.gpu.xor x, 1; fence.acq_rel.gpu; fence.sc.sys;"
                                    "add r0, r1, 2; div r0, 4, 2; LC00: ; beq r0, 1, LC00;"
                                    "goto LC01; bar.cta.sync 1, r0, 2; bar.cta.arrive 1;"
                                    "LC01: st.weak x, 2;"),
                          "t.litmus");
  const auto& code = p.threads.at(0).instructions;
  REQUIRE(code.size() == 21);
  CHECK(code[0].code == opcode::move);
  CHECK(code[4].scope == scope::cluster);
  CHECK(code[7].a.integer == -3);
  CHECK(code[8].operation == operation::compare_and_swap);
  CHECK(code[8].text == "atom.acq_rel.gpu.cas r3, x, 1, r2");
  CHECK(code[16].target == 16);
  CHECK(code[17].target == 20);
  CHECK(code[18].quorum.value().integer == 2);
  CHECK(code[19].code == opcode::arrive);
}

TEST_CASE("titles and comments may hold anything") {
  CHECK(mistake("(* { *) PTX a \"{ ( |\n;\" (* exists *) {(**)x=1(* ; *)}\n"
                "\tP0@cta 0, gpu 0 ;\r\n(* no *) st.weak x, 2 ;\n~ exists [x]=1") == "none");
}

TEST_CASE("rows may be short, and labels belong to their thread") {
  const program p = parse(
      "PTX t {} P0@cta 0,gpu 0 | P1@cta 1,gpu 0; LC00: | LC00: ; | goto LC00; goto LC00 ; forall "
      "0==0",
      "t");
  CHECK(p.threads[0].instructions.at(0).target == 0);
  CHECK(p.threads[1].instructions.at(0).target == 0);
}

TEST_CASE("conditions") {
  CHECK(holds_for("exists (P0:r0 = 4 /\\ 0:r1 == 3)"));
  CHECK(holds_for("forall ([x] == 1 /\\ y < x)"));
  CHECK(holds_for("exists (x == 2 \\/ x == 1 /\\ y >= -2)"));
  CHECK(!holds_for("exists ((x == 2 \\/ x == 1) /\\ y > -2)"));
  CHECK(holds_for("~exists (~(P1:r9 != 5))"));
  CHECK(holds_for("not exists x <= 0"));
}

TEST_CASE("mistakes are told with their place and a remedy") {
  CHECK(mistake("C t {}") ==
        "t.litmus:1:1: a litmus test begins with the word PTX; write PTX and a title");
  CHECK(mistake("PTX t\n\"{}\"") ==
        "t.litmus:2:5: there is no { }; put the initial values between them, or nothing");
  CHECK(mistake("PTX t (* ") ==
        "t.litmus:1:7: a comment begins here and has no end; write *) behind it");
  CHECK(mistake_in_row("ld.aquire.gpu r0, x;") ==
        "t.litmus:4:1: ld has no order \"aquire\"; did you mean acquire?");
  CHECK(mistake_in_row("st.release x, 1;") ==
        "t.litmus:4:1: \"st.release\" has no scope; add one of .cta, .cluster, .gpu, .sys");
  CHECK(mistake_in_row("st.weak.gpu x, 1;") ==
        "t.litmus:4:1: a weak access has no scope; remove \".gpu\"");
  CHECK(mistake_in_row("st.weak r0, 1;") ==
        "t.litmus:4:9: \"r0\" is no location; memory is named by a word: x, y, flag");
  CHECK(mistake_in_row("ld r0, x;") ==
        "t.litmus:4:8: \"x\" is no value; a plain ld moves registers and integers; to load, write "
        "for example ld.weak r0, x");
  CHECK(mistake_in_row("red.relaxed.gpu.exch x, 1;") ==
        "t.litmus:4:1: red has no exch; write atom, with a register for the old value");
  CHECK(mistake_in_row("fense.sc.gpu;") ==
        "t.litmus:4:1: there is no instruction \"fense.sc.gpu\"; did you mean fence?");
  CHECK(mistake_in_row("beq r0, 0, LC01; LC00: ;") ==
        "t.litmus:4:12: P0 has no label LC01; did you mean LC00?");
  CHECK(mistake_in_row("LC00:; LC00:;") == "t.litmus:4:8: P0 has the label LC00 twice; rename one");
  CHECK(mistake_in_row("st.weak x, 1 st.weak x, 2;") ==
        "t.litmus:4:14: \"st.weak\" is too much here; end the instruction with | or ;");
  CHECK(mistake_in_row("st.weak x, 1 | st.weak x, 2;") ==
        "t.litmus:4:16: the row has more cells than there are threads, 1; remove one, or end the "
        "row with ;");
  CHECK(mistake_in_row("bar.sync 0;") ==
        "t.litmus:4:1: there is no barrier \"bar.sync\"; write bar.cta.sync, bar.cta.arrive or "
        "bar.cta.red");
  CHECK(mistake_in_row("st.weak x, 99999999999999999999;") ==
        "t.litmus:4:12: the number has more than 64 bits; write a smaller one");
  CHECK(mistake_in_row("st.weak x, 1") ==
        "t.litmus:5:1: \"exists\" is too much here; end the instruction with | or ;");
  CHECK(mistake("PTX t {x=1; x=2} P0@cta 0,gpu 0; exists (x==1)") ==
        "t.litmus:1:13: x is given twice; remove one");
  CHECK(mistake("PTX t {P3:r0=1} P0@cta 0,gpu 0; exists (x==1)") ==
        "t.litmus:1:8: there is no thread \"P3\"; there are P0 to P0");
  CHECK(mistake("PTX t {} P1@cta 0,gpu 0; exists (x==1)") ==
        "t.litmus:1:10: \"P1\" is not the name of thread 0; the columns are P0, P1, … in this "
        "order");
  CHECK(mistake("PTX t {} P0@gpu 0; exists (x==1)") ==
        "t.litmus:1:18: the thread's cta is missing; write for example cta 0,gpu 0");
  CHECK(mistake("PTX t {} P0@cta 0,gpu 0; st.weak x, 1;") ==
        "t.litmus:1:39: there is no condition; end with exists (…), ~exists (…) or forall (…)");
  CHECK(mistake("PTX t {} P0@cta 0,gpu 0; exists (r0 == 1)") ==
        "t.litmus:1:34: r0 of which thread? write for example P0:r0");
  CHECK(mistake("PTX t {} P0@cta 0,gpu 0; exists (x + 1)") ==
        "t.litmus:1:36: \"+\" has no meaning here; remove it, or put it in a comment, (* … *)");
  CHECK(mistake("PTX t {} P0@cta 0,gpu 0; st.weak x, 1; exists (x == 1) y") ==
        "t.litmus:1:56: \"y\" is too much here; the condition is the end of the file");
}

// A statement about what nothing changes would be true or false for no reason that anybody sees.
TEST_CASE("what the condition names is in some instruction") {
  const auto mistake_in = [](const char* condition) {
    return mistake(std::string("PTX t {z=0; P1:r7=1}\nP0@cta 0,gpu 0 | P1@cta 0,gpu 0;\n"
                               "st.weak flag, 1 | ld.weak r10, flag;\n"
                               "bar.cta.sync 1, r3, r4 | beq r11, 0, LC00;\n | LC00: ;\n") +
                   condition);
  };
  CHECK(mistake_in("~exists (flga == 1)") ==
        "t.litmus:6:10: no instruction has flga; did you mean flag?");
  CHECK(mistake_in("exists (flag == 1 /\\ P1:r12 == 1)") ==
        "t.litmus:6:22: no instruction has P1:r12; did you mean P1:r10?");
  CHECK(mistake_in("exists (P0:r10 == 1)") ==
        "t.litmus:6:9: no instruction has P0:r10; did you mean P0:r3?");
  // An initial value is no use.
  CHECK(mistake_in("forall (P1:r7 == 1)") ==
        "t.litmus:6:9: no instruction has P1:r7; name one that the program uses");
  CHECK(mistake_in("exists ([zz] == flag)") ==
        "t.litmus:6:9: no instruction has zz; name one that the program uses");
  CHECK(mistake_in("exists (P1:r10 == flag /\\ P0:r3 == P0:r4 /\\ P1:r11 == 0)") == "none");
}
