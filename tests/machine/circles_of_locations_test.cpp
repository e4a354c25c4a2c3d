// Which programs have a circle of locations: a lane reads each of them, and may store to the next.
#include <doctest/doctest.h>

#include <string>

#include "sim/machine/promises/circles_of_locations.hpp"
#include "tests/machine/explored.hpp"

namespace {

bool has_circle(const std::string& body, test::grid shape = {2, {1}},
                simt::reconvergence reconvergence = simt::reconvergence::its) {
  test::explored made("simt::atomic<int> x{0}, y{0}, z{0};", body, std::move(shape),
                      simt::memory_model::ptx, reconvergence);
  simt::machine& machine = *made.all().machine;
  return simt::circles_of_locations(machine,
                                    dynamic_cast<const simt::weak_memory&>(machine.model()))
      .may_be();
}

}  // namespace

TEST_CASE("two lanes that each read what the other one stores later") {
  CHECK(
      has_circle("auto& mine = first ? x : y; auto& other = first ? y : x;\n"
                 "mine.load(relaxed); other.store(1, relaxed);"));
  // One of them stores before it reads.
  CHECK_FALSE(
      has_circle("if (first) { x.load(relaxed); y.store(1, relaxed); }\n"
                 "else { x.store(1, relaxed); y.load(relaxed); }"));
}

TEST_CASE("a circle at one location alone is none") {
  CHECK_FALSE(has_circle("x.exchange(1, relaxed); x.exchange(2, relaxed);"));
}

TEST_CASE("a circle at one location, where lanes do not learn of each other's loads") {
  const auto with = [](const std::string& between, const std::string& before = "") {
    return has_circle(before + "if (first && lane_index() == 0) x.load(relaxed);\n" + between +
                          "if (first && lane_index() == 1) x.store(1, relaxed);\n",
                      {1, {2, 2}});
  };
  const std::string votes = "ballot(full_mask, true);\n";
  CHECK(with(votes));
  CHECK(with("shfl(full_mask, 0, 0);\n"));
  CHECK(with("ballot(3, true);\n" + votes));
  CHECK(with(votes + "__threadfence();\n"));
  CHECK_FALSE(with("syncwarp();\n"));
  CHECK_FALSE(with("syncthreads();\n"));
  CHECK_FALSE(with("__threadfence();\n"));
  // The barrier tells of the load, unless the lane exits before.
  CHECK_FALSE(with(votes + "syncthreads();\n"));
  CHECK(with(votes + "if (first && lane_index() == 0) return;\nsyncthreads();\n"));
  // All votes come before the load.
  CHECK_FALSE(with("syncwarp();\n", votes + votes));
}

TEST_CASE("behind a barrier come the stores of all lanes that wait there") {
  const auto with = [](const std::string& barrier) {
    return has_circle(
        "const unsigned me = lane_index();\n"
        "if (first && me == 0) x.load(relaxed);\n" +
            barrier +
            "if (first && me == 1) y.store(1, relaxed);\n"
            "if (!first) { y.load(relaxed); x.store(1, relaxed); }",
        {2, {2}});
  };
  CHECK(with("syncthreads();\n"));
  CHECK_FALSE(with(""));
}

TEST_CASE("in lockstep a lane that waits holds up the stores of its warp") {
  const std::string body =
      "if (lane_index() == 0) { x.load(relaxed); } else { x.store(1, relaxed); }";
  CHECK_FALSE(has_circle(body, {1, {2}}));
  CHECK(has_circle(body, {1, {2}}, simt::reconvergence::stack));
}
