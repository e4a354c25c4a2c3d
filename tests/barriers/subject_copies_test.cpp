// Which subjects of a file have agents for asynchronous copies: those that make some.
#include <doctest/doctest.h>

#include <string>

#include "tests/checker/run_source.hpp"

using simt::memory_model;
using test::source_run;

namespace {

// Copies are made by a function that the body calls, under a condition.
const std::string two_subjects =
    "#include <simt/simt.hpp>\n#include <simt/async.hpp>\n"
    "struct line { int value[4]; };\n"
    "SIMT_FN void fetch(int* to, const int* from) {\n"
    "  simt::cp_async<4>(to, from);\n"
    "  simt::cp_async_commit_group();\n"
    "}\n"
    "struct plain {\n"
    "  int x = 0;\n"
    "  SIMT_FN void operator()() { simt::atomicAdd(&x, 1); }\n"
    "  bool check() const { return x == 2; }\n"
    "};\n"
    "SIMT_SUBJECT(plain);\n"
    "struct copies {\n"
    "  alignas(16) int from[4]{7, 7, 7, 7};\n"
    "  SIMT_FN void operator()() {\n"
    "    auto& to = simt::block_shared<line>();\n"
    "    const unsigned lane = simt::lane_index();\n"
    "    if (lane == 1) fetch(&to.value[lane], &from[lane]);\n"
    "    if (lane == 1) simt::check(to.value[lane] == 7, \"copied\");\n"
    "  }\n"
    "};\n"
    "SIMT_SUBJECT(copies);\n";

}  // namespace

TEST_CASE("a subject without copies has no agent, though another one of its file copies") {
  source_run plain(two_subjects, {1, {2}});
  plain.what.subject = "plain";
  const auto found = plain.check();
  CHECK(source_run::names(found) == "ok");
  CHECK(found.states <= 2);
  plain.how.machine.memory = memory_model::ptx;
  CHECK(plain.found() == "ok");
}

TEST_CASE("a subject that copies has its agent, though another one of its file does not copy") {
  source_run copies(two_subjects, {1, {2}});
  copies.what.subject = "copies";
  // The check comes before the copy, which races with the read.
  CHECK(copies.found() == "assertion race");
  copies.how.machine.memory = memory_model::ptx;
  CHECK(copies.error().find("makes asynchronous copies") != std::string::npos);
}
