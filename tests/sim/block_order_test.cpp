// Tests the order in which compiled subjects have their basic blocks: arms of branches, loops,
// switches.
#include "sim/compile/llvm/block_order.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

using simt::detail::with_arms_swapped;

namespace {

// Blocks by name; behind the colon, where each leads to.
std::string function(const std::string& body) {
  return "declare void @f()\n\ndefine void @k() {\n" + body + "}\n\n!0 = !{}\n";
}

const std::string start = "bb:\n  br i1 %c, label %then, label %else\n\n";
const std::string then =
    "then:                 ; preds = %bb\n  call void @f()\n  br label %end\n\n";
const std::string otherwise = "else:\n  br label %end\n\n";
const std::string end = "end:\n  ret void\n";

}  // namespace

TEST_CASE("the arms of a branch change places; where they meet does not") {
  const std::string written = function(start + then + otherwise + end);
  const std::string swapped = function(start + otherwise + then + end);
  CHECK(with_arms_swapped(written) == swapped);
  CHECK(with_arms_swapped(swapped) == written);
}

TEST_CASE("an arm of its own stays before the meeting point") {
  const std::string alone = "bb:\n  br i1 %c, label %then, label %end\n\n";
  CHECK(with_arms_swapped(function(alone + then + end)) == function(alone + then + end));
}

TEST_CASE("behind a loop's test comes its end") {
  const std::string enter = "bb:\n  br label %loop\n\n";
  const std::string loop = "loop:\n  br i1 %c, label %body, label %\"end of it\"\n\n";
  const std::string body = "body:\n  br label %loop\n\n";
  const std::string out = "\"end of it\":\n  ret void\n\n";
  CHECK(with_arms_swapped(function(enter + loop + body + out)) ==
        function(enter + loop + out + body));
}

TEST_CASE("all arms of a switch, and what nothing leads to") {
  const std::string choose =
      "bb:\n  switch i32 %x, label %a [\n    i32 1, label %b\n    i32 2, label %c\n  ]\n\n";
  const std::string a = "a:\n  ret void\n\n";
  const std::string b = "b:\n  ret void\n\n";
  const std::string c = "c:\n  ret void\n\n";
  const std::string d = "d:\n  unreachable\n\n";
  CHECK(with_arms_swapped(function(choose + a + d + b + c)) == function(choose + c + b + a + d));
}

TEST_CASE("modules that are not as they must be") {
  CHECK_THROWS_AS(with_arms_swapped(function("bb:\n  br label %gone\n")), std::runtime_error);
  CHECK_THROWS_AS(with_arms_swapped(function("  ret void\n")), std::runtime_error);
}
