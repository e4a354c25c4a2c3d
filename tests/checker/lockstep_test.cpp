// Races between lanes of a warp that run in lockstep, under `stack`.
#include <doctest/doctest.h>

#include <string>

#include "tests/checker/run_source.hpp"

TEST_CASE("in lockstep, a race behind several branches in a row") {
  // Lane 1 stores last at the first instruction. Lane 0 passes two branches then, and reads that.
  const std::string members =
      "int cells[8]{};\n"
      "static SIMT_FN bool test(bool x) {\n  asm(\"\" : \"+r\"(x));\n  return x;\n}\n";
  const std::string body =
      "const unsigned l = simt::lane_index();\n"
      "cells[l] = 1;\n"
      "simt::syncthreads();\n"
      "if (test(l < 2)) {\n  const int far = cells[l + 2];\n  cells[l] = far + cells[l];\n}\n"
      "if (test(l < 1)) {\n  const int next = cells[l + 1];\n  cells[l] = next + cells[l];\n}\n";
  test::source_run run(test::kernel(members, body), {1, {2}}, simt::reconvergence::stack);
  CHECK(test::source_run::names(run.check(warpcheck::reductions::none())) == "race");
  CHECK(run.found() == "race");
}
