// Reading PTX text: what modules hold, where mistakes are, and that no text does harm.
#include <doctest/doctest.h>

#include <random>
#include <string>

#include "sim/ptx/parse.hpp"
#include "sim/ptx/unsupported.hpp"
#include "tests/ptx/texts.hpp"
#include "tests/tier.hpp"

namespace {

using simt::ptx::operand;
using simt::ptx::space;
using simt::ptx::type;

/// "2:7: what", of a text that is no PTX.
std::string mistake(const std::string& text) {
  try {
    (void)simt::ptx::parse(text);
  } catch (const simt::ptx::ptx_error& e) {
    return std::to_string(e.line) + ":" + std::to_string(e.column) + ": " + e.what();
  }
  return {};
}

/// With most of the syntax there is.
const char* const large_text = R"(//
// Comment
.version 7.8
.target sm_90a, debug
.address_size 64
/* more
   of it */
.extern .func (.param .b32 func_retval0) vprintf (.param .b64 a, .param .b64 b);
.weak .func (.reg .b32 sum) plus (.reg .b32 a, .reg .b32 b) { add.s32 sum, a, b; ret; }
.global .align 4 .u32 counter = 7;
.global .align 1 .b8 text[6] = {104, 105, 33, 10};
.const .align 8 .b8 table[16] = {1, 2, 3, 4, 5, 6, 7, 8, 0xFF};
.global .align 8 .u64 pointers[2] = {counter, generic(text)+2};
.global .f32 number = 0f3F800000;
.global .f64 other = 1.5;
.extern .shared .align 16 .b8 dynamic[];
.global .attribute(.managed) .align 4 .u32 managed;
.global .align 4 .u32 grid[2][3] = {{1, 2, 3}, {4, 5, 6}};

.visible .entry k(
  .param .u64 .ptr .global .align 16 k_param_0,
  .param .align 8 .b8 k_param_1[24]
)
.maxntid 128, 1, 1
.minnctapersm 2
{
  .reg .pred %p<3>;
  .reg .b32 %r<6>, single;
  .reg .b64 %rd<4>;
  .local .align 8 .b8 __local_depot0[32];
  .shared .align 4 .b8 tile[128];
  .loc 1 10 3
  .pragma "nounroll";
  ld.param.u64 %rd1, [k_param_0];
  .loc 2 20 5, function_name $L__info_string0, inlined_at 1 10 3
  @!%p1 ld.global.v2.u32 {%r1, _}, [%rd1+-8];
  { .reg .b32 %r1; .reg .pred %p1;
    mov.u32 %r1, -3;
    again: setp.ne.and.s32 %p1|%p2, %r1, single, !%p2;
    @%p1 bra again;
  }
  { .reg .pred %p1; again: @%p1 bra.uni again; }
  ts: .branchtargets $L1, $L2;
  brx.idx %r1, ts;
$L1:
  cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1], %r2, [%r3];
  call.uni (single), plus, (%r1, 4);
$L2: $L3:
  mov.u32 %r2, %tid.x;
  ret;
}
.file 1 "kernel.cu"
.file 2 "header.h", 1700000000, 42
.section .debug_str {
$L__info_string0:
.b8 102,111
.b8 111,0
}
)";

}  // namespace

TEST_CASE("a module's head and variables") {
  const auto m = simt::ptx::parse(large_text);
  CHECK(m.version_major == 7);
  CHECK(m.version_minor == 8);
  CHECK(m.target == "sm_90a");
  CHECK(m.sm == 90);
  CHECK(m.address_size == 64);
  REQUIRE(m.files.size() == 2);
  CHECK(m.files[1].name == "header.h");

  const auto* counter = m.find_variable("counter");
  REQUIRE(counter != nullptr);
  CHECK(counter->where == space::global);
  CHECK(counter->element == type::u32);
  CHECK(counter->bytes == std::vector<std::uint8_t>{7, 0, 0, 0});
  const auto* text = m.find_variable("text");
  REQUIRE(text != nullptr);
  CHECK(text->size == 6);
  CHECK(text->bytes.size() == 4);
  CHECK(m.find_variable("table")->where == space::constant);
  const auto* pointers = m.find_variable("pointers");
  REQUIRE(pointers->addresses.size() == 2);
  CHECK(pointers->addresses[0].symbol == "counter");
  CHECK(pointers->addresses[1].at == 8);
  CHECK(pointers->addresses[1].offset == 2);
  CHECK(pointers->addresses[1].generic);
  CHECK(m.find_variable("number")->bytes == std::vector<std::uint8_t>{0, 0, 0x80, 0x3f});
  CHECK(m.find_variable("other")->bytes == std::vector<std::uint8_t>{0, 0, 0, 0, 0, 0, 0xf8, 0x3f});
  CHECK_FALSE(m.find_variable("dynamic")->size.has_value());
  CHECK(m.find_variable("dynamic")->is_extern);
  CHECK(m.find_variable("grid")->size == 24);
  CHECK(m.find_variable("grid")->bytes[20] == 6);
}

TEST_CASE("a kernel's parameters, registers and instructions") {
  const auto m = simt::ptx::parse(large_text);
  const auto* k = m.find_kernel("k");
  REQUIRE(k != nullptr);
  REQUIRE(k->parameters.size() == 2);
  CHECK(k->parameters[0].is_pointer);
  CHECK(k->parameters[0].size == 8);
  CHECK(k->parameters[1].size == 24);
  CHECK(k->parameters[1].align == 8);
  CHECK(k->max_threads[0] == 128U);
  REQUIRE(k->variables.size() == 2);
  CHECK(k->variables[0].where == space::local);
  CHECK(k->variables[1].name == "tile");

  const auto& load = k->instructions.at(1);
  CHECK(load.opcode == "ld");
  CHECK(load.modifiers == std::vector<std::string>{"global", "v2", "u32"});
  CHECK(load.guard == "%p1");
  CHECK(load.guard_negated);
  CHECK(load.operands[0].what == operand::kind::vector);
  CHECK(load.operands[0].parts[1].what == operand::kind::sink);
  CHECK(load.operands[1].what == operand::kind::address);
  CHECK(load.operands[1].name == "%rd1");
  CHECK(load.operands[1].offset == -8);
  CHECK(load.text == "@!%p1 ld.global.v2.u32 {%r1, _}, [%rd1+-8];");
  CHECK(load.line == 36);
}

TEST_CASE("names of inner scopes are names of their own") {
  const auto m = simt::ptx::parse(large_text);
  const auto* k = m.find_kernel("k");
  REQUIRE(k != nullptr);
  const auto& outer = k->instructions.at(1);
  const auto& inner = k->instructions.at(2);
  CHECK(inner.operands[0].name != outer.operands[0].parts[0].name);
  CHECK(inner.operands[1].bits == 0xfffffffffffffffdU);
  // Two labels of one name, each meant by the branch of its scope.
  const auto& first = k->instructions.at(4);
  const auto& second = k->instructions.at(5);
  CHECK(first.opcode == "bra");
  CHECK(second.opcode == "bra");
  CHECK(first.operands[0].name != second.operands[0].name);
  std::size_t found = 0;
  for (const auto& l : k->labels) {
    found += l.name == first.operands[0].name && l.at == 3 ? 1 : 0;
    found += l.name == second.operands[0].name && l.at == 5 ? 1 : 0;
  }
  CHECK(found == 2);
  REQUIRE(k->targets.size() == 1);
  CHECK(k->targets[0].labels == std::vector<std::string>{"$L1", "$L2"});
  CHECK(k->instructions.at(7).modifiers.at(2) == "shared::cluster");
  CHECK(k->labels.back().at == 9);
}

TEST_CASE("places in the source") {
  const auto m = simt::ptx::parse(large_text);
  const auto& first = m.kernels.at(0).instructions.at(0);
  const auto& second = m.kernels.at(0).instructions.at(1);
  CHECK(m.file_of(first) == "kernel.cu");
  CHECK(m.line_of(first) == 10);
  CHECK(m.file_of(second) == "header.h");
  CHECK(m.line_of(second) == 20);
  const auto& place = m.places.at(*second.place);
  CHECK(place.function == "foo");
  REQUIRE(place.inlined_at.has_value());
  CHECK(m.places.at(*place.inlined_at).line == 10);
}

TEST_CASE("mistakes have a place") {
  CHECK(mistake("hello") == "1:1: PTX begins with .version");
  CHECK(mistake(".version 8.0\n.target sm_80\n  what") ==
        "3:3: expected a directive, such as .entry, not `what`");
  CHECK(mistake(test::ptx_kernel("  add.s32 %r2, %r3 %r4;")) ==
        "17:20: expected ; behind an instruction, not `%r4`");
  CHECK(mistake(test::ptx_kernel("  @%p99 bra x;")) == "17:4: `%p99` is no register of this scope");
  CHECK(mistake(test::ptx_kernel("  mov.u32 %r2, 0f12;")) == "17:16: `0f12` is no number");
  CHECK(mistake(test::ptx_kernel("  .reg .b32 a, a;")) ==
        "17:17: `a` is declared twice in one scope");
  CHECK(mistake(test::ptx_kernel("  /* no end")) == "17:3: a comment has no end: */ is missing");
  CHECK(mistake(std::string(test::ptx_head) + ".entry k { ret;") ==
        "4:16: a body has no end: } is missing");
}

TEST_CASE("nothing is nested without end") {
  const std::string braces(100'000, '{'), brackets(100'000, '['), minus(100'000, '-');
  CHECK(mistake(test::ptx_kernel(braces)).find("nested too deeply") != std::string::npos);
  CHECK(mistake(test::ptx_kernel("mov.u32 %r2, " + braces)).find("nested too deeply") !=
        std::string::npos);
  CHECK(mistake(test::ptx_kernel("mov.u32 %r2, " + brackets)).find("nested too deeply") !=
        std::string::npos);
  CHECK(mistake(test::ptx_kernel("mov.u32 %r2, " + minus)).find("nested too deeply") !=
        std::string::npos);
  CHECK(mistake(std::string(test::ptx_head) + ".global .u32 a[] = " + braces) != "");
  CHECK(mistake(test::ptx_kernel(".reg .b32 many<4000000000>;")) != "");
}

TEST_CASE("no text makes the parser fail in another way") {
  const std::string words[] = {".reg",        ".b32",       "%r1",    "{",
                               "}",           "(",          ")",      "[",
                               "]",           ";",          ",",      "@",
                               "|",           ":",          "-",      "+",
                               ".loc",        "0x",         "0f",     "\"",
                               "/*",          "//",         "<9>",    ".entry",
                               ".func",       "_",          "$L1:",   ".file",
                               ".v2",         "inlined_at", "= {",    "18446744073709551615",
                               "bra",         "call",       ".param", ".shared",
                               ".align 4096", "brx.idx",    "\n",     "\0"};
  const unsigned count = test::is_thorough() ? 1'000'000 : 20'000;
  std::mt19937 random(31);
  const std::string texts[] = {large_text, test::ptx_lock(true)};
  unsigned read = 0;
  for (unsigned n = 0; n < count; ++n) {
    std::string text = texts[n % 2];
    for (unsigned change = 0; change <= random() % 4; ++change) {
      const std::size_t at = random() % text.size();
      switch (random() % 5) {
        case 0: text[at] = static_cast<char>(random() % 128); break;
        case 1: text.erase(at, 1 + random() % 40); break;
        case 2: text.insert(at, text.substr(random() % text.size(), random() % 60)); break;
        case 3: text.insert(at, words[random() % std::size(words)]); break;
        default: text.resize(at); break;
      }
      if (text.empty()) text = ".version 8.0";
    }
    try {
      const auto m = simt::ptx::parse(text);
      ++read;
      // What was read can be looked at, whatever it says.
      for (const auto& k : m.kernels) (void)simt::ptx::unsupported(m, k);
    } catch (const simt::ptx::ptx_error& e) {
      REQUIRE(e.line >= 1);
      REQUIRE(e.column >= 1);
    }
  }
  CHECK(read > count / 20);
}
