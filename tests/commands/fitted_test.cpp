// Lines that fit a width, and the text about the time that is left.
#include <doctest/doctest.h>

#include <string>

#include "checker/console/lines/tasks_line.hpp"
#include "checker/text/wrapped.hpp"

using warpcheck::fitted;
using warpcheck::tasks_text;

TEST_CASE("lines that fit stay as they are") {
  const std::string text = "a  b\n\n  c   \nno end";
  CHECK(fitted(text, 10) == text);
  CHECK(fitted(text, std::string::npos) == text);
  CHECK(fitted("", 10).empty());
}

TEST_CASE("what follows a break stands below the last column that leaves room") {
  CHECK(fitted("  threads  one two three four five six seven\n", 40) ==
        "  threads  one two three four five six\n           seven\n");
  CHECK(fitted("  name  one two three  four five six seven\n", 40) ==
        "  name  one two three  four five six\n        seven\n");
}

TEST_CASE("where there is little room, further lines are indented") {
  CHECK(fitted("  one two three four five six\n", 20) == "  one two three four\n      five six\n");
  CHECK(fitted("  a_long_name_of_a_file.toml  its title\n", 30) ==
        "  a_long_name_of_a_file.toml\n      its title\n");
}

TEST_CASE("words are not broken, and columns are not bytes") {
  CHECK(fitted("  a_word_that_is_wider_than_all\n", 10) == "  a_word_that_is_wider_than_all\n");
  CHECK(fitted("ääääää öööööö\n", 13) == "ääääää öööööö\n");
  CHECK(fitted("no end of the last", 10) == "no end of\n    the\n    last");
}

TEST_CASE("the time that is left") {
  CHECK(tasks_text(1, 10, "runs", 1.9).empty());
  CHECK(tasks_text(0, 1, "runs", 60).empty());
  CHECK(tasks_text(0, 10, "runs", 3) == "0 of 10 runs");
  CHECK(tasks_text(12, 96, "runs", 6) == "12 of 96 runs, about 0:42 left");
  CHECK(tasks_text(1, 10, "tests", 60) == "1 of 10 tests, about 9:00 left");
  CHECK(tasks_text(1, 3, "tests", 3600) == "1 of 3 tests, about 2:00:00 left");
  CHECK(tasks_text(10, 10, "tests", 60) == "10 of 10 tests");
}
