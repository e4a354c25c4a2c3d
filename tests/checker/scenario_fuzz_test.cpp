// Mutated scenarios: whatever a file holds, reading it gives a scenario or a usage_error.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <exception>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "checker/scenario/scenario.hpp"

using namespace warpcheck;

namespace {

constexpr std::array<std::string_view, 2> originals{
    R"(title    = "A lock — 32 lanes"
subject  = "locks/tas"
workload = "counter"
clients  = "lane"
repeat   = 2
[arrays]
flags = 4
[grid]
blocks = 2
warps  = 2
lanes  = [4, 32]
[[run]]
reconvergence = "stack"
memory = "sc"
resident = 1
block_order = "index"
check = ["race", "simt-deadlock"]
expect = "simt-deadlock"
expect_violations = ["simt-deadlock", "race"]
[[run]]
reconvergence = "its"
progress = "unfair"
fairness = "weak"
expect = "livelock"
)",
    R"(subject = 'a'
grid = { blocks = 0x10, warps = 1, lanes = 1_6 }
arrays.x = 3
arrays."y z" = 4
run = [ { expect = "ok", expect_violations = [] }, { expect = """race""" } ]
)"};

class mutator {
 public:
  explicit mutator(std::uint32_t seed) : random_(seed) {}

  std::string operator()(std::string text) {
    for (std::size_t i = 1 + below(4); i > 0 && !text.empty(); --i) mutate(text);
    return text;
  }

 private:
  // Not a distribution of the library's: those differ between libraries.
  std::size_t below(std::size_t bound) { return random_() % bound; }

  void mutate(std::string& text) {
    constexpr std::string_view structure = "[]{}\"'=#.,\n\r\\-+_09eExnitruf\0\xff\x7f";
    const std::size_t at = below(text.size());
    switch (below(8)) {
      case 0: text[at] = static_cast<char>(text[at] ^ (1 << below(8))); break;
      case 1: text[at] = structure[below(structure.size())]; break;
      case 2: text.insert(at, 1, structure[below(structure.size())]); break;
      case 3: text.erase(at, 1 + below(20)); break;
      case 4: text.resize(at); break;
      case 5: move_line(text, true); break;
      case 6: move_line(text, false); break;
      default:
        text.insert(at, std::string(1 + below(300), structure[below(structure.size())]));
        break;
    }
  }

  // Repeats a line elsewhere, or takes it there.
  void move_line(std::string& text, bool keep) {
    const std::size_t at = below(text.size());
    const std::size_t newline = text.rfind('\n', at);
    const std::size_t begin = newline == std::string::npos ? 0 : newline + 1;
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    if (begin >= end) return;
    const std::string line = text.substr(begin, end - begin);
    if (!keep) text.erase(begin, end - begin);
    text.insert(below(text.size() + 1), line);
  }

  std::mt19937 random_;
};

// Empty: a scenario, or a usage_error that starts with a place.
std::string complaint(const std::string& text) {
  try {
    parse_scenario(text, "x.toml");
  } catch (const usage_error& error) {
    const std::string_view message = error.what();
    if (!message.starts_with("x.toml:")) return "no place: " + std::string(message);
  } catch (const std::exception& error) {
    return std::string("not a usage_error: ") + error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("thousands of mutated scenarios are read or refused") {
  mutator mutate(20240607);
  for (int i = 0; i < 20000; ++i) {
    const std::string text = mutate(std::string(originals[static_cast<std::size_t>(i) % 2]));
    const std::string wrong = complaint(text);
    if (wrong.empty()) continue;
    CAPTURE(text);
    FAIL_CHECK(wrong);
  }
}

TEST_CASE("every prefix of a scenario is read or refused") {
  for (const std::string_view original : originals) {
    for (std::size_t size = 0; size <= original.size(); ++size) {
      CHECK(complaint(std::string(original.substr(0, size))) == "");
    }
  }
}

TEST_CASE("deep nesting is refused") {
  for (const std::size_t depth : {30U, 33U, 100U, 1000U, 100000U}) {
    CHECK(complaint("subject = \"a\"\nx = " + std::string(depth, '[')) == "");
    std::string tables = "x = ";
    for (std::size_t i = 0; i < depth; ++i) tables += "{a=";
    CHECK(complaint(tables) == "");
    std::string dotted = "a";
    for (std::size_t i = 0; i < depth; ++i) dotted += ".a";
    CHECK(complaint(dotted + " = 1") == "");
  }
}
