// simt::printf: what it shows and where, and that nothing is told apart by it.
#include <doctest/doctest.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "checker/report/report.hpp"
#include "sim/lane/lane_context.hpp"
#include "sim/lane/printed_line.hpp"
#include "tests/checker/run_source.hpp"

using simt::reconvergence;
using test::kernel;
using test::source_run;

namespace {

/// As a lane that may read all memory prints it.
simt::printed_line printed(const char* format, std::vector<std::uint64_t> values) {
  simt::lane_context lane;
  lane.stack_begin = 0;
  lane.stack_end = std::numeric_limits<std::uint64_t>::max();
  lane.line = format;
  for (const std::uint64_t value : values) lane.line_values[lane.line_length++] = value;
  return simt::format_line(lane);
}

std::string text(const char* format, std::vector<std::uint64_t> values = {}) {
  return printed(format, std::move(values)).text;
}

template <class T>
std::uint64_t at(const T* pointer) {
  return reinterpret_cast<std::uint64_t>(pointer);
}

/// What is printed on the way to the gravest violation: "0: ..." before all steps, then by step.
std::vector<std::string> lines_of(source_run& run) {
  warpcheck::session session(run.what, run.how);
  const auto result = warpcheck::check(session, run.bounds);
  REQUIRE(!result.violations.empty());
  warpcheck::names named(session);
  const auto shown = warpcheck::show(session, named, result.violations.front());
  std::vector<std::string> lines;
  for (const auto& line : shown.how.printed_at_start) {
    lines.push_back(fmt::format("0: {} {}", named.lane(line.lane), line.text));
  }
  for (const auto& step : shown.how.steps) {
    for (const auto& action : step.actions) {
      for (const auto& line : action.printed) {
        lines.push_back(fmt::format("{}: {} {}", step.number, named.lane(line.lane), line.text));
      }
    }
  }
  return lines;
}

constexpr const char* members = "simt::atomic<int> x{0}; int* p = nullptr; int plain = 0;";

}  // namespace

TEST_CASE("formats") {
  CHECK(text("plain, 100%%") == "plain, 100%");
  CHECK(text("%d %i %u", {~0ULL, 7, 0xffffffff}) == "-1 7 4294967295");
  CHECK(text("%hhd %hd %ld %lld", {0x1ff, 0x18000, ~0ULL, 5}) == "-1 -32768 -1 5");
  CHECK(text("%x %#X %o %08.3f|%-5d|%+d", {255, 255, 8, std::bit_cast<std::uint64_t>(2.5), 3, 4}) ==
        "ff 0XFF 10 0002.500|3    |+4");
  CHECK(text("%*d|%.*f", {5, 42, 1, std::bit_cast<std::uint64_t>(0.25)}) == "   42|0.2");
  CHECK(text("%c%c %s|%5s|%.2s", {'o', 'k', at("text"), at("ab"), at("xyz")}) ==
        "ok text|   ab|xy");
  CHECK(text("two\nlines\n") == "two\\nlines");
  CHECK(text("\x1b[2Jtab\t") == "\\x1b[2Jtab ");
  CHECK(text("%") == "%");
  CHECK(text("%y", {1}) == "%y");
  CHECK(text("%d %d", {1}) == "1 0");
  const auto with_pointer = printed("<%p>", {4096});
  CHECK(with_pointer.text == "<>");
  CHECK(with_pointer.pointers == std::vector<std::pair<std::size_t, std::uint64_t>>{{1, 4096}});
}

TEST_CASE("lines are short") {
  const std::string longest(1000, 'a');
  CHECK(text(longest.c_str()).size() < 500);
  CHECK(text("%s", {at(longest.c_str())}).size() < 500);
  CHECK(text("%999999999d", {1}).size() < 1100);
}

TEST_CASE("a line stands behind the operation before it") {
  source_run run(kernel(members,
                        "simt::printf(\"hello from %u\\n\", simt::thread_rank());\n"
                        "int mine = x.fetch_add(1);\n"
                        "simt::printf(\"mine is %d\\n\", mine);\n"
                        "plain = 5;\n"
                        "simt::printf(\"%s of %p\\n\", \"address\", &x);\n"
                        "simt::check(mine != 0, \"not the first\");"),
                 {1, {1}});
  CHECK(lines_of(run) == std::vector<std::string>{"0: w0.l0 hello from 0", "1: w0.l0 mine is 0",
                                                  "2: w0.l0 address of &x"});
}

TEST_CASE("behind barriers and collectives, and in loops") {
  source_run run(
      kernel(members,
             "const unsigned sum = simt::reduce_add(~0U, simt::lane_index() + 1);\n"
             "simt::printf(\"sum %u\", sum);\n"
             "simt::syncthreads();\nsimt::printf(\"met\");\n"
             "simt::named_barrier_sync(1, 1);\nsimt::printf(\"met again\");\n"
             "for (int i = 0; i < 2; ++i) { x.fetch_add(1); simt::printf(\"i %d\", i); }\n"
             "simt::check(x.load() != 4, \"four\");"),
      {1, {2}}, reconvergence::stack);
  const auto lines = lines_of(run);
  CAPTURE(fmt::format("{}", fmt::join(lines, "; ")));
  const auto count = [&](const std::string& line) {
    return std::ranges::count_if(lines, [&](const auto& l) { return l.ends_with(line); });
  };
  CHECK(count("l0 sum 3") == 1);
  CHECK(count("l1 sum 3") == 1);
  CHECK(count(" met") == 2);
  CHECK(count(" met again") == 2);
  CHECK(count(" i 0") == 2);
  CHECK(count(" i 1") == 2);
}

TEST_CASE("a value that nobody set") {
  source_run run(kernel(members,
                        "int local[4];\nx.fetch_add(1);\n"
                        "if (x.load() > 7) local[x.load() & 3] = 1;\n"
                        "simt::printf(\"%d\", local[x.load() & 3]);\nsimt::check(false, \"\");"),
                 {1, {1}});
  const auto lines = lines_of(run);
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].find("never set") != std::string::npos);
}

TEST_CASE("states are not told apart by what was printed") {
  const auto body = [](const std::string& print) {
    // (Of a read-modify-write that commutes, a printed result counts as used.)
    return "int seen = x.exchange(1);\n" + print +
           "\nplain = 1;\nx.store(0);\nx.fetch_add(2);\nsimt::check(plain != 2, \"\");";
  };
  for (const auto how : {reconvergence::its, reconvergence::stack}) {
    // (Without `merge`, a printed value that nobody needs any more may tell states apart.)
    for (const auto& reduce :
         {warpcheck::reductions{}, warpcheck::reductions{true, false, false, false}}) {
      source_run silent(kernel(members, body("")), {1, {3}}, how);
      source_run loud(
          kernel(members, body("simt::printf(\"%d %d %d %d %d %d %d %f\", seen, seen + 1, "
                               "seen * 3, seen, 1, 2, 3, 1.5);")),
          {1, {3}}, how);
      const auto without = silent.check(reduce);
      const auto with = loud.check(reduce);
      CHECK(without.gravest == with.gravest);
      CHECK(without.states == with.states);
      CHECK(without.transitions == with.transitions);
    }
  }
}

TEST_CASE("formats are compared with what is printed") {
  const std::string error = source_run(kernel(members, "simt::printf(\"%s\", plain);")).error();
  CAPTURE(error);
  CHECK(error.find("subject.hpp:5:") != std::string::npos);
  CHECK(error.find("format specifies type") != std::string::npos);
  const std::string object =
      source_run("struct pair { int a, b; };\n" + kernel(members, "simt::printf(\"%d\", pair{});"))
          .error();
  CHECK(!object.empty());
}
