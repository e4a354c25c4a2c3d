// Reductions over the lanes of a warp: what they give, and what does not fit together.
#include <doctest/doctest.h>

#include "tests/checker/run_source.hpp"

using simt::reconvergence;
using test::kernel;
using test::source_run;

namespace {

std::string run_on(std::vector<std::uint32_t> lanes, const std::string& body,
                   reconvergence how = reconvergence::its) {
  return source_run(kernel("", body), {1, std::move(lanes)}, how).found();
}

const auto both = {reconvergence::its, reconvergence::stack};

}  // namespace

TEST_CASE("each lane gets what its mask makes of all values") {
  for (const auto how : both) {
    // Values -1, 4, 9 and 14 of lanes 0 to 3; a mask of full_mask, then one of lanes 0 and 2.
    CHECK(run_on({4}, R"(
      const int v = int(simt::lane_index()) * 5 - 1;
      const auto u = unsigned(v);
      simt::check(simt::reduce_add(simt::full_mask, v) == 26, "sum");
      simt::check(simt::reduce_add(simt::full_mask, u) == 26U, "sum of unsigned");
      simt::check(simt::reduce_min(simt::full_mask, v) == -1, "least");
      simt::check(simt::reduce_max(simt::full_mask, v) == 14, "greatest");
      simt::check(simt::reduce_min(simt::full_mask, u) == 4U, "least of unsigned");
      simt::check(simt::reduce_max(simt::full_mask, u) == ~0U, "greatest of unsigned");
      simt::check(simt::reduce_and(simt::full_mask, u) == 0U, "and");
      simt::check(simt::reduce_or(simt::full_mask, u) == ~0U, "or");
      simt::check(simt::reduce_xor(simt::full_mask, u) == (~0U ^ 4U ^ 9U ^ 14U), "xor");
      if ((simt::lane_index() & 1) == 0) {
        simt::check(simt::reduce_add(5, v) == 8, "sum of two");
        simt::check(simt::reduce_and(5, u) == 9U, "and of two");
      })",
                 how) == "ok");
    CHECK(run_on({4}, "simt::check(simt::reduce_add(~0U, 1) == 5, \"sum\");", how) == "assertion");
  }
}

TEST_CASE("sums are modulo 2^32") {
  CHECK(run_on({3}, "simt::check(simt::reduce_add(~0U, 0x80000000U) == 0x80000000U, \"\");") ==
        "ok");
}

TEST_CASE("lanes that have exited do not count") {
  for (const auto how : both) {
    // (Under `stack` they may be on the other side of a branch, and have not exited yet.)
    CHECK(run_on({3},
                 "if (simt::lane_index() == 1) return;\n"
                 "simt::check(simt::reduce_add(~0U, 1) == 2, \"two\");",
                 how) == (how == reconvergence::its ? "ok" : "barrier-divergence"));
    CHECK(run_on({3},
                 "if (simt::lane_index() == 1) return;\n"
                 "simt::check(simt::reduce_add(5, 1) == 2, \"two\");",
                 how) == "ok");
  }
}

TEST_CASE("masks that do not fit together") {
  for (const auto how : both) {
    // A mask without the caller.
    CHECK(run_on({2}, "simt::reduce_add(2, 1);", how) == "barrier-divergence");
    // Masks that overlap and differ: under `its` lane 0 waits until lanes 1 and 2 are done.
    CHECK(run_on({3}, "simt::nanosleep(1);\nsimt::reduce_max(simt::lane_index() == 0 ? 3 : 6, 1);",
                 how) == (how == reconvergence::its ? "ok" : "barrier-divergence"));
    // Each waits for the next one, whose mask is another.
    CHECK(run_on({3},
                 "const unsigned me = simt::lane_index();\n"
                 "simt::reduce_max(me == 0 ? 3 : me == 1 ? 6 : 5, 1);",
                 how) == "barrier-divergence");
    // Groups with masks of their own.
    CHECK(run_on({4},
                 "const unsigned me = simt::lane_index();\n"
                 "simt::check(simt::reduce_add(me < 2 ? 3 : 12, 1) == 2, \"sum of two\");",
                 how) == "ok");
    // A full mask in one arm of a branch, and another reduction in the other one.
    CHECK(run_on({2},
                 "if (simt::lane_index() == 0) simt::reduce_add(~0U, 1);\n"
                 "else simt::reduce_or(~0U, 1);",
                 how) == "barrier-divergence");
  }
}

TEST_CASE("a lane of the mask that never comes") {
  CHECK(run_on({2},
               "if (simt::lane_index() == 0) simt::reduce_add(~0U, 1);\n"
               "else while (simt::activemask() != 0) {}") == "deadlock");
}

TEST_CASE("reductions order no accesses") {
  const std::string body =
      "x[simt::lane_index()] = 1;\n"
      "simt::reduce_add(~0U, 1);\n"
      "if (simt::lane_index() == 1) y = x[0];";
  source_run run(kernel("int x[2] = {};\nint y = 0;", body));
  run.how.machine.memory = simt::memory_model::ptx;
  CHECK(run.found() == "race");
  source_run synced(kernel("int x[2] = {};\nint y = 0;",
                           "x[simt::lane_index()] = 1;\nsimt::reduce_add(~0U, 1);\n"
                           "simt::syncwarp();\nif (simt::lane_index() == 1) y = x[0];"));
  synced.how.machine.memory = simt::memory_model::ptx;
  CHECK(synced.found() == "ok");
}

TEST_CASE("lanes that only reduce alike are exchanged") {
  source_run run(kernel("simt::atomic<int> x{0};",
                        "const int mine = x.fetch_add(1);\n"
                        "simt::check(simt::reduce_add(~0U, mine) == 6, \"0 + 1 + 2 + 3\");"),
                 {1, {4}});
  const auto reduced = run.check();
  CHECK(reduced.gravest == warpcheck::verdict::ok);
  const auto plain = run.check(warpcheck::reductions::none());
  CHECK(plain.gravest == warpcheck::verdict::ok);
  CHECK(reduced.states < plain.states);
}
