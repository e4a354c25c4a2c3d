// What a report says of the condition that a lane spins on, in compiled code: nothing tells it but
// what the code does.
#include <doctest/doctest.h>

#include <string>

#include <fmt/format.h>

#include "tests/checker/run_source.hpp"
#include "tests/checker/why.hpp"

using test::kernel;
using test::source_run;

namespace {

/// "`n` is 100" of a lane that spins until `leaves` holds of what it has read, `v`; the type is
/// that of `n`, which is 0 and stays so.
std::string until(const std::string& type, const std::string& leaves,
                  const std::string& more = "") {
  const std::string body =
      fmt::format("{}\n{} v = n.load();\nwhile (!({})) v = n.load();", more, type, leaves);
  const source_run run(kernel(fmt::format("simt::atomic<{}> n{{0}};", type), body), {1, {1}});
  const std::string text = test::why(run);
  const std::string mark = " until ";
  const std::size_t begin = text.find(mark);
  if (begin == std::string::npos) return text;
  const std::size_t condition = begin + mark.size();
  return text.substr(condition, text.find(".\n", condition) - condition);
}

}  // namespace

TEST_CASE("constants that the code compares with") {
  CHECK(until("int", "v == 100") == "`n` is 100");
  CHECK(until("int", "v == -54321") == "`n` is -54321");
  CHECK(until("unsigned", "v == 0xcafe") == "`n` is 51966");
  CHECK(until("unsigned short", "v == 54321") == "`n` is 54321");
  CHECK(until("unsigned long long", "v == 0x123456789abcdef") == "`n` is 0x123456789abcdef");
  CHECK(until("unsigned", "v == 5000 || v == 100") == "`n` is 100 or 5000 (of the values tried)");
  CHECK(until("unsigned", "v >> 8 == 0x1234") == "`n` is 0x123400 to 0x1234ff");
}

TEST_CASE("masks and ranges in the code") {
  CHECK(until("unsigned", "(v & 0xf0) == 0x50") == "`n` & 0xf0 is 0x50");
  CHECK(until("unsigned", "(v & 0x300) == 0x100 && (v & 0xf) == 5") == "`n` & 0x30f is 0x105");
  CHECK(until("unsigned", "(v & 6) != 0") == "`n` & 0x6 is not 0");
  CHECK(until("int", "v >= 200 && v <= 210") == "`n` is 200 to 210");
  CHECK(until("unsigned", "v >= 200 && v <= 210") == "`n` is 200 to 210");
  CHECK(until("long long", "v >= 1000000000000") == "`n` is 1000000000000 or more");
}

TEST_CASE("what the lane itself holds") {
  const std::string own = "const unsigned mine = simt::thread_rank() * 1000 + 777;";
  CHECK(until("unsigned", "v == mine", own) == "`n` is 777");
  CHECK(until("unsigned long long", "v == mine * 0x100000001ull", own) == "`n` is 0x30900000309");
  CHECK(until("unsigned", "v > mine", own) == "`n` is 778 or more");
}

TEST_CASE("a loop that reads the location more than once") {
  const auto twice = [](const std::string& condition) {
    const source_run run(
        kernel("simt::atomic<int> n{0};", fmt::format("while (!({})) {{}}", condition)), {1, {1}});
    return test::why(run);
  };
  const std::string bit = twice("(n.load() & 4) || n.load() == 1");
  CHECK_MESSAGE(bit.find("until `n` is 1 or a value whose bit 2 is 1 (of the values tried).") !=
                    std::string::npos,
                bit);
  const std::string range = twice("n.load() >= 10 && n.load() <= 20");
  CHECK_MESSAGE(range.find("until `n` is 10 to 20.") != std::string::npos, range);
}

TEST_CASE("a value that another lane stores there, which it has computed") {
  const source_run run(kernel("simt::atomic<unsigned> n{0};\nsimt::atomic<unsigned> go{0};",
                              "if (simt::thread_rank() == 0) {\n"
                              "while (go.load() == 0) {}\n"
                              "n.store(simt::thread_rank() * 3 + 12345);\n"
                              "} else {\n"
                              "while (n.load() % 12345 != 0 || n.load() == 0) {}\n"
                              "}"),
                       {1, {2}});
  const std::string text = test::why(run);
  CHECK_MESSAGE(text.find("until `n` is 12345, ") != std::string::npos, text);
}
