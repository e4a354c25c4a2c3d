// Files of forward-progress tests: what is read, what is refused and how, and whatever else.
#include <doctest/doctest.h>

#include <random>
#include <sstream>
#include <string>

#include "checker/progress/test_file.hpp"
#include "checker/scenario/scenario.hpp"

using namespace warpcheck;

namespace {

std::vector<progress_test> read(const std::string& text) {
  std::istringstream stream(text);
  return read_progress_tests(stream, "x.jsonl");
}

// The message of the usage_error; empty: it was read.
std::string complaint(const std::string& text) {
  try {
    read(text);
  } catch (const usage_error& error) {
    return error.what();
  }
  return {};
}

// The complaint about one thread of the given instructions, as a JSON list.
std::string thread(const std::string& list) {
  return complaint("{\"id\":\"a\",\"threads\":[[\"store m0 1\"]," + list + "]}");
}

const std::string good =
    R"({"id":"2/0","threads":[["xbranch m0 0 1 0","store m1 1"],["branch m0 1 end"]],)"
    R"("weak":{"HSA":false,"OBE":false,"HSA_OBE":false,"LOBE":false,"FAIR":true},)"
    R"("strong":{"HSA":true},"hw":{"rtx4000_blocks":[0,8,0]}})";

}  // namespace

TEST_CASE("a file is read") {
  const auto tests = read(good + "\r\n\n{\"threads\":[[]],\"id\":\"b\"}\n");
  REQUIRE(tests.size() == 2);
  CHECK(tests[0].id == "2/0");
  CHECK(tests[0].line == 1);
  CHECK(tests[1].line == 3);
  using kind = progress_instruction::kind;
  const auto& threads = tests[0].program.threads;
  CHECK(threads[0] ==
        std::vector<progress_instruction>{{kind::xbranch, 0, 0, 1, 0}, {kind::store, 1, 1, 0, 0}});
  CHECK(threads[1] == std::vector<progress_instruction>{{kind::branch, 0, 0, 1, 1}});
  CHECK(text_of(threads[0][0], 2) == "xbranch m0 0 1 0");
  CHECK(text_of(threads[0][1], 2) == "store m1 1");
  CHECK(text_of(threads[1][0], 1) == "branch m0 1 end");
  CHECK(tests[0].program.words() == 2);
  CHECK(tests[0].label(fairness_notion::weak, progress_model::fair) == true);
  CHECK(tests[0].label(fairness_notion::weak, progress_model::hsa) == false);
  CHECK(tests[0].label(fairness_notion::strong, progress_model::hsa) == true);
  CHECK_FALSE(tests[0].label(fairness_notion::strong, progress_model::fair).has_value());
  CHECK_FALSE(tests[1].label(fairness_notion::weak, progress_model::hsa).has_value());
}

TEST_CASE("mistakes have a line, a place and a remedy") {
  CHECK(complaint("") == "x.jsonl: has no tests; each line is one, as docs/progress.md says");
  CHECK(complaint(good + "\n{\"id\": 3,}") ==
        "x.jsonl:2:10: not JSON; each line is one object, {\"id\": …, \"threads\": [[…], …]}");
  CHECK(complaint("[]") == "x.jsonl:1: is not an object; write {\"id\": …, \"threads\": …}");
  CHECK(complaint(R"({"id":"a","thread":[[]]})") ==
        "x.jsonl:1: unknown key \"thread\"; did you mean \"threads\"?");
  CHECK(complaint(R"({"id":"a","threads":[[]],"nonsense":1})") ==
        "x.jsonl:1: unknown key \"nonsense\"; it can be id, threads, weak, strong, hw");
  CHECK(complaint(R"({"id":"a","id":"b","threads":[[]]})") ==
        "x.jsonl:1: \"id\" is given twice; remove one");
  CHECK(complaint(good + "\n" + good) ==
        "x.jsonl:2: id is that of line 1 too; give each test its own");
  CHECK(complaint(R"({"threads":[[]]})") ==
        "x.jsonl:1: has no \"id\"; give the test a name: \"id\": \"…\"");
  CHECK(complaint(R"({"id":1,"threads":[[]]})") ==
        "x.jsonl:1: id is not a string; write \"id\": \"…\"");
  CHECK(complaint(R"({"id":"","threads":[[]]})") == "x.jsonl:1: id is empty; give the test a name");
  CHECK(complaint(R"({"id":"a"})") ==
        "x.jsonl:1: has no \"threads\"; write for example \"threads\": [[\"store m0 1\"]]");
  CHECK(complaint(R"({"id":"a","threads":[]})") ==
        "x.jsonl:1: threads is a list of 0; give it 1 to 64 threads");
  CHECK(complaint(R"({"id":"a","threads":["store m0 1"]})") ==
        "x.jsonl:1: threads[0] is not an array; write [\"…\", …]");
  CHECK(complaint(R"({"id":"a","threads":[[]],"weak":{"FAR":true}})") ==
        "x.jsonl:1: weak: unknown key \"FAR\"; did you mean \"FAIR\"?");
  CHECK(complaint(R"({"id":"a","threads":[[]],"strong":{"FAIR":1}})") ==
        "x.jsonl:1: strong.FAIR is not true or false; write one of these");
  CHECK(complaint(R"({"id":"a","threads":[[]],"weak":[]})") ==
        "x.jsonl:1: weak is not an object; write {\"FAIR\": true, …}");
  CHECK(complaint(R"({"id":"a","threads":[[]],"hw":1})") ==
        "x.jsonl:1: hw is not an object; write \"hw\": {…}, or leave it out");
  CHECK(complaint("{\"id\":\"a\",\"threads\":" + std::string(5000, '[')) ==
        "x.jsonl:1: is nested too deeply; a test has lists of lists of strings");
  CHECK(complaint("{\"id\":\"" + std::string(2U << 20, 'a')) ==
        "x.jsonl:1: the line is longer than 1 MiB; each line is one test");
}

TEST_CASE("mistakes in instructions") {
  const std::string at = "x.jsonl:1: threads[1][0]";
  CHECK(thread(R"(["xbranhc m0 1 0 0"])") ==
        at + ": there is no instruction \"xbranhc\"; did you mean \"xbranch\"?");
  CHECK(thread(R"(["jump 0"])") ==
        at + ": there is no instruction \"jump\"; it is one of store, branch, xbranch");
  CHECK(thread(R"(["store m0"])") == at + ": store has 1 operands; write store WORD VALUE");
  CHECK(thread(R"(["branch m0 0 0 0"])") ==
        at + ": branch has 4 operands; write branch WORD COMPARE TARGET");
  CHECK(thread(R"([""])") == at + ": the instruction is empty; write for example \"store m0 1\"");
  CHECK(thread(R"([7])") == at + " is not a string; write for example \"store m0 1\"");
  CHECK(thread(R"(["store x0 1"])") == at + ": \"x0\" is no word of memory; write m0 to m255");
  CHECK(thread(R"(["store m256 1"])") == at + ": \"m256\" is no word of memory; write m0 to m255");
  CHECK(thread(R"(["store m0 -1"])") ==
        at + ": \"-1\" is no value; write a number from 0 to 65535");
  CHECK(thread(R"(["store m0 65536"])") ==
        at + ": \"65536\" is no value; write a number from 0 to 65535");
  CHECK(thread(R"(["branch m0 1 3","store m0 1","store m0 1"])") ==
        at + ": \"3\" is no target; write the number of one of the thread's instructions (0 to 2), "
             "or end");
  CHECK(thread(R"(["branch m0 1 -1"])") ==
        at + ": \"-1\" is no target; write the number of one of the thread's instructions (0), or "
             "end");
  CHECK(thread("[\"" + std::string(81, 'a') + "\"]") ==
        at + ": the instruction has 81 characters; it needs 80 at most");
  CHECK(thread(R"(["store m0 1","brunch m0 0 0"])") ==
        "x.jsonl:1: threads[1][1]: there is no instruction \"brunch\"; did you mean \"branch\"?");
}

namespace {

// Not a distribution of the library's: those differ between libraries.
std::size_t below(std::mt19937& random, std::size_t bound) { return random() % bound; }

std::string mutated(std::mt19937& random, std::string text) {
  constexpr std::string_view structure = "{}[]\":,. \n\\mx-0129ebtrfnu\0\xff\xc3\x7f";
  for (std::size_t n = 1 + below(random, 4); n > 0 && !text.empty(); --n) {
    const std::size_t at = below(random, text.size());
    switch (below(random, 6)) {
      case 0: text[at] = static_cast<char>(text[at] ^ (1 << below(random, 8))); break;
      case 1: text[at] = structure[below(random, structure.size())]; break;
      case 2: text.insert(at, 1, structure[below(random, structure.size())]); break;
      case 3: text.erase(at, 1 + below(random, 20)); break;
      case 4: text.resize(at); break;
      default: text.insert(at, text.substr(below(random, text.size()), 1 + below(random, 40)));
    }
  }
  return text;
}

// Whatever a file holds, it is read or refused with its name; and what is read can be answered.
std::string defect(const std::string& text) {
  try {
    for (const progress_test& test : read(text)) {
      for (const auto& thread : test.program.threads) {
        for (const auto& i : thread) {
          if (parse_instruction(text_of(i, thread.size()), thread.size()) != i) return "text_of";
        }
      }
    }
  } catch (const usage_error& error) {
    const std::string_view message = error.what();
    if (!message.starts_with("x.jsonl:")) return "no place: " + std::string(message);
  } catch (const std::exception& error) {
    return std::string("not a usage_error: ") + error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("thousands of mutated lines, and random bytes, are read or refused") {
  std::mt19937 random(20211);
  for (int i = 0; i < 20000; ++i) {
    const std::string text =
        mutated(random, good + "\n{\"id\":\"b\",\"threads\":[[\"store m0 1\"]]}");
    const std::string wrong = defect(text);
    if (wrong.empty()) continue;
    CAPTURE(text);
    FAIL_CHECK(wrong);
  }
  for (int i = 0; i < 5000; ++i) {
    std::string text(below(random, 200), '\0');
    for (char& c : text) c = static_cast<char>(random());
    const std::string wrong = defect(text);
    if (wrong.empty()) continue;
    CAPTURE(text);
    FAIL_CHECK(wrong);
  }
  for (std::size_t size = 0; size <= good.size(); ++size) CHECK(defect(good.substr(0, size)) == "");
}
