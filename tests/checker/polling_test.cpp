// A block that polls for all its lanes: one lane looks, the others wait at a barrier.
#include <doctest/doctest.h>

#include <string>

#include "tests/checker/run_source.hpp"

namespace {

using test::kernel;
using test::source_run;

/// Block 0 polls until block 1 has said that it is done, which it does behind a barrier.
std::string polling(const std::string& behind) {
  return kernel("simt::atomic<int> done{0};\nint x = 0;\n",
                "if (simt::block_index() == 1) {\n"
                "  simt::syncthreads();\n"
                "  if (simt::lane_index() == 0) done.store(1);\n" +
                    behind +
                    "  return;\n"
                    "}\n"
                    "for (;;) {\n"
                    "  int& told = simt::block_shared<int>();\n"
                    "  if (simt::lane_index() == 0) told = done.load();\n"
                    "  simt::syncthreads();\n"
                    "  const int is_over = told;\n"
                    "  simt::syncthreads();\n"
                    "  if (is_over != 0) return;\n"
                    "}\n");
}

std::string found(const std::string& text, simt::reconvergence how, const std::string& reduce) {
  source_run run(text, {2, {2}}, how);
  return source_run::names(run.check(warpcheck::reductions_from(reduce)));
}

}  // namespace

// Nobody has seen yet that block 1 changes what block 0 reads. So block 0 runs ahead, from one
// choice of a side to the next.
TEST_CASE("others go on while a block polls ahead of them") {
  using simt::reconvergence;
  for (const auto how : {reconvergence::its, reconvergence::stack}) {
    for (const char* const reduce : {"all", "order", "symmetry,order", "order,dead", "none"}) {
      CAPTURE(reduce);
      CHECK(found(polling(""), how, reduce) == "ok");
      CHECK(found(polling("  x = x + 1;\n"), how, reduce) == "race");
      CHECK(found(polling("  if (simt::lane_index() == 1) simt::check(false, \"x\");\n"), how,
                  reduce) == "assertion");
    }
  }
}
