// Files of histories: what is accepted, the place and remedy of each mistake, and damaged files.
#include <doctest/doctest.h>

#include <random>
#include <string>

#include <fmt/format.h>

#include "checker/history/check_history.hpp"
#include "checker/scenario/scenario.hpp"
#include "sim/spec/spec_library.hpp"
#include "tests/history/environment.hpp"

using namespace warpcheck;

namespace {

std::unique_ptr<simt::spec::specification> spec_of(const char* name) {
  return simt::make_spec(simt::shipped_specs(), name);
}

/// The message of the usage_error; empty: the file was accepted.
std::string complaint(const std::string& text, const char* spec = "queue") {
  try {
    parse_history(text, "h.jsonl", *spec_of(spec));
  } catch (const usage_error& error) {
    return error.what();
  }
  return {};
}

const std::string good =
    R"({"event": "call", "client": 0, "op": "enqueue", "args": [1]}
{"event": "call", "client": "w0.l1", "op": "enq 2"}

{"event": "return", "client": 0}
{"event": "return", "client": "w0.l1", "op": "enqueue", "result": null}
{"event": "call", "client": 0, "op": "dequeue"}
{"event": "return", "client": 0, "result": 2}
{"event": "call", "client": 0, "op": "dequeue", "args": []}
)";

std::string mutated(std::string text, std::mt19937& random) {
  const auto below = [&](std::size_t n) { return random() % n; };
  for (std::size_t edits = 1 + below(4); edits > 0 && !text.empty(); --edits) {
    const std::size_t at = below(text.size());
    switch (below(6)) {
      case 0: text[at] = static_cast<char>(below(256)); break;
      case 1: text.erase(at, 1 + below(20)); break;
      case 2: text.insert(at, text.substr(below(text.size()), below(60))); break;
      case 3: text.resize(at); break;
      case 4: text.insert(at, std::string(1 + below(200), "[{\""[below(3)])); break;
      default: text[at] = "0123456789-\"{}[],:\n"[below(19)]; break;
    }
  }
  return text;
}

}  // namespace

TEST_CASE("what a file may hold") {
  const auto spec = spec_of("queue");
  const history read = parse_history(good, "h.jsonl", *spec);
  REQUIRE(read.operations.size() == 4);
  CHECK(read.clients == std::vector<std::string>{"0", "w0.l1"});
  CHECK(operation_text(read, *spec, read.operations[1]) == "enqueue 2");
  CHECK(operation_text(read, *spec, read.operations[2]) == "dequeue → 2");
  CHECK(operation_text(read, *spec, read.operations[3]) == "dequeue …");
  CHECK(read.operations[2].return_line == 7);
  CHECK(read.operations[3].returns == never);
}

TEST_CASE("times count where they are given") {
  const auto spec = spec_of("register");
  const history read = parse_history(
      R"({"event": "call", "client": 1, "op": "write 1", "time": 5}
{"event": "return", "client": 1, "time": 9}
{"event": "call", "client": 2, "op": "read", "time": 9}
{"event": "return", "client": 2, "result": 0, "time": 10}
)",
      "h.jsonl", *spec);
  // The read begins when the write returns: the two overlap.
  CHECK(read.operations[1].called < read.operations[0].returns);
  CHECK(check_history(read, *spec, {}).decided == answer::explained);
}

TEST_CASE("strings are values") {
  const auto spec = spec_of("register");
  const history read = parse_history(
      R"({"event": "call", "client": 1, "op": "write", "args": "a b"}
{"event": "return", "client": 1}
{"event": "call", "client": 2, "op": "read"}
{"event": "return", "client": 2, "result": "c"}
)",
      "h.jsonl", *spec);
  const history_result found = check_history(read, *spec, {});
  CHECK(found.decided == answer::impossible);
  CHECK(found.evidence.why == "read returned \"c\", which was never written");
}

TEST_CASE("mistakes have a place and a remedy") {
  const auto starts = [](const std::string& text, const std::string& with) {
    INFO(text);
    CHECK(text.starts_with(with));
  };
  starts(complaint("x"), "h.jsonl:1: column 1: this is no JSON object; write");
  starts(complaint(R"({"event": "call", "client": 0, "op": "enqueu", "args": [1]})"),
         "h.jsonl:1: queue has no operation \"enqueu\"; did you mean \"enqueue\"?");
  starts(complaint(R"({"event": "call", "clent": 0})"),
         "h.jsonl:1: unknown key \"clent\"; did you mean \"client\"?");
  starts(complaint(R"({"event": "call", "client": 0, "op": "enqueue"})"),
         "h.jsonl:1: enqueue takes 1 argument, but here are 0; write");
  starts(complaint("\n"
                   R"({"event": "return", "client": 0})"),
         "h.jsonl:2: client 0 returns, but has called nothing");
  starts(complaint(good + R"({"event": "call", "client": 0, "op": "dequeue"})"),
         "h.jsonl:9: client 0 calls again, but its call of line 8 has not returned");
  starts(complaint(good + R"({"event": "return", "client": 0})"),
         "h.jsonl:9: the result of dequeue is missing; add");
  starts(complaint(good + R"({"event": "return", "client": 0, "result": 1, "time": 3})"),
         "h.jsonl:9: line 9 has a \"time\" and line 1 has none");
  starts(complaint(good + R"({"event": "return", "client": 0, "result": 1.5})"),
         "h.jsonl:9: a number that is no integer of 64 bits cannot stand here");
  starts(complaint(R"({"event": "call", "client": 0, "op": "insert", "args": ["a"]})",
                   "priority_queue"),
         "h.jsonl:1: insert's value must be an integer");
}

TEST_CASE("mutated files are read or refused") {
  const std::uint64_t files = naive_history::environment("WARPCHECK_HISTORIES", 10'000);
  std::mt19937 random(
      static_cast<std::uint32_t>(naive_history::environment("WARPCHECK_SEED", 20'261'123)));
  std::uint64_t refused = 0;
  const auto spec = spec_of("queue");
  for (std::uint64_t i = 0; i < files; ++i) {
    const std::string text = mutated(good, random);
    try {
      const history read = parse_history(text, "h.jsonl", *spec);
      const answer fast = check_history(read, *spec, {}).decided;
      history_options slow;
      slow.search_only = true;
      CHECK(check_history(read, *spec, slow).decided == fast);
    } catch (const usage_error& error) {
      ++refused;
      CHECK(std::string(error.what()).starts_with("h.jsonl:"));
    } catch (const std::exception& other) {
      FAIL_CHECK("file ", i, ": ", other.what(), "\n", text);
    }
  }
  CHECK(refused > files / 3);
}

TEST_CASE("more clients at once than a word has bits") {
  // 80 increments at once, of which 40 stay pending; the count lies between.
  const auto spec = spec_of("counter");
  const auto with_count = [&](int count) {
    std::string text;
    for (int c = 0; c < 80; ++c) {
      text += fmt::format("{{\"event\":\"call\",\"client\":{},\"op\":\"increment\"}}\n", c);
    }
    for (int c = 0; c < 40; ++c) text += fmt::format("{{\"event\":\"return\",\"client\":{}}}\n", c);
    text += "{\"event\":\"call\",\"client\":\"reader\",\"op\":\"read\"}\n";
    text += fmt::format("{{\"event\":\"return\",\"client\":\"reader\",\"result\":{}}}\n", count);
    return check_history(parse_history(text, "h.jsonl", *spec), *spec, {}).decided;
  };
  CHECK(with_count(39) == answer::impossible);
  CHECK(with_count(40) == answer::explained);
  CHECK(with_count(80) == answer::explained);
  CHECK(with_count(81) == answer::impossible);
}

TEST_CASE("limits end in no answer") {
  const auto spec = spec_of("queue");
  std::string text;  // the same values again and again, all at once
  for (int c = 0; c < 24; ++c) {
    text += fmt::format("{{\"event\":\"call\",\"client\":{},\"op\":\"enqueue {}\"}}\n", c, c % 12);
  }
  for (int c = 0; c < 24; ++c) text += fmt::format("{{\"event\":\"return\",\"client\":{}}}\n", c);
  text += R"({"event":"call","client":0,"op":"dequeue"})"
          "\n";
  text += R"({"event":"return","client":0,"result":99})"
          "\n";
  history_options options;
  options.limits.max_memory = 4 << 20;
  const history_result found = check_history(parse_history(text, "h.jsonl", *spec), *spec, options);
  CHECK(found.decided == answer::stopped);
  CHECK(found.stopped_by == "memory limit");
}

TEST_CASE("states as bytes") {
  std::mt19937_64 random(5);
  std::string all;
  std::vector<simt::spec::state> states;
  for (int i = 0; i < 1000; ++i) {
    simt::spec::state s(random() % 5);
    for (auto& v : s) v = static_cast<simt::spec::value>(random() >> random() % 64);
    if (i % 3 == 0 && !s.empty()) s[0] = -s[0];
    simt::spec::append_bytes(s, all);
    states.push_back(std::move(s));
  }
  std::string_view rest = all;
  for (const auto& s : states) REQUIRE(simt::spec::take_bytes(rest) == s);
  CHECK(rest.empty());
  std::string_view cut = std::string_view(all).substr(0, 0);
  CHECK(!simt::spec::take_bytes(cut));
}
