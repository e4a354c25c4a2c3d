// Tests how command lines give sizes, times and counts, and which texts are rejected.
#include "checker/console/quantities.hpp"

#include <doctest/doctest.h>

using namespace warpcheck;

TEST_CASE("sizes") {
  CHECK(parse_size("--max-memory", "4096") == 4096);
  CHECK(parse_size("--max-memory", "500M") == 500U << 20);
  CHECK(parse_size("--max-memory", "4G") == 4ULL << 30);
  CHECK(parse_size("--max-memory", "1.5KiB") == 1536);
  CHECK(parse_size("--max-memory", "2TB") == 2ULL << 40);
  for (const char* wrong :
       {"", "M", "-1", "0", "4X", "4GG", "4 G", "1e3", "nan", "inf", "99999999T"}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS(parse_size("--max-memory", wrong), usage_error);
  }
  CHECK_THROWS_WITH(parse_size("--max-memory", "4X"),
                    "--max-memory: \"4X\" is not a size; write for example 500M or 4G");
}

TEST_CASE("times") {
  CHECK(parse_seconds("--time", "90") == 90);
  CHECK(parse_seconds("--time", "1.5s") == 1.5);
  CHECK(parse_seconds("--time", "2m") == 120);
  CHECK(parse_seconds("--time", "1h") == 3600);
  for (const char* wrong : {"", "m", "-1", "0", "2x", "2 m", "9999999h"}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS(parse_seconds("--time", wrong), usage_error);
  }
  CHECK_THROWS_WITH(parse_seconds("--time", "soon"),
                    "--time: \"soon\" is not a time; write for example 90 (seconds) or 2m");
}

TEST_CASE("counts") {
  CHECK(parse_count("--max-states", "1000000") == 1'000'000);
  CHECK(parse_count("--max-states", "2M") == 2'000'000);
  for (const char* wrong :
       {"", "0", "-1", "1.5", "2X", "99999999999999999999", "99999999999999G"}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS(parse_count("--max-states", wrong), usage_error);
  }
}
