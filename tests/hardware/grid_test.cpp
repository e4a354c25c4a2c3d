// Tests the grids for launches on a GPU: their names, how they grow, and which scenarios they suit.
#include "checker/hardware/grid.hpp"

#include <doctest/doctest.h>

using namespace warpcheck;

namespace {

std::string larger_name(const simt::grid_shape& grid, std::uint32_t factor) {
  const auto made = larger(grid, factor);
  return made ? grid_name(*made) : "none";
}

}  // namespace

TEST_CASE("grids by name") {
  CHECK(grid_name({2, {4}}) == "2x1x4");
  CHECK(grid_name({1, {3, 3, 3}}) == "1x3x3");
  CHECK(grid_name({1, {32, 8}}) == "1x(32,8)");
}

TEST_CASE("a larger grid grows where there is more than one") {
  CHECK(larger_name({1, {4}}, 2) == "1x1x8");
  CHECK(larger_name({3, {1}}, 4) == "12x1x1");
  CHECK(larger_name({1, {1, 1, 1, 1}}, 2) == "1x8x1");
  CHECK(larger_name({3, {2}}, 2) == "6x1x4");
  CHECK(larger_name({2, {1, 1}}, 3) == "6x6x1");
  CHECK(larger_name({1, {4, 1}}, 2) == "1x(8,1,8,1)");
}

TEST_CASE("a larger grid has its limits") {
  CHECK(larger_name({1, {4}}, 100) == "1x1x32");
  CHECK(larger_name({1, {2, 2}}, 100) == "1x32x32");
  CHECK(larger_name({2, {32}}, 1000) == "128x1x32");
  CHECK(larger_name({1, {32}}, 2) == "none");
  CHECK(larger_name({1, {1}}, 8) == "none");
}

TEST_CASE("which scenarios have larger grids") {
  scenario what;
  what.grid = {2, {1}};
  CHECK(why_not_larger(what, "counter").empty());
  CHECK(why_not_larger(what, "phases").empty());
  CHECK(why_not_larger(what, "kernel") ==
        "the workload \"kernel\" may be made for this grid: no larger ones");
  what.arrays = {{"nodes", {64, {}}}};
  CHECK(why_not_larger(what, "counter") == "its arrays may be made for this grid: no larger ones");
  what.arrays.clear();
  what.grid = {1, {1}};
  CHECK(why_not_larger(what, "counter") == "it has a single thread: no larger grids");
  what.threads = {{}};
  CHECK(why_not_larger(what, "operations") ==
        "its clients have operations of their own: no larger grids");
}
