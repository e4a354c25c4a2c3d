// Implements warpcheck litmus: shows what a memory model answers to litmus tests.
#include <fmt/format.h>
#include <malloc.h>

#include <chrono>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "checker/commands/commands.hpp"
#include "checker/console/interrupt.hpp"
#include "checker/console/lines/say.hpp"
#include "checker/console/lines/tasks_line.hpp"
#include "checker/console/read_litmus.hpp"
#include "checker/console/write_whole.hpp"
#include "checker/hardware/hardware.hpp"
#include "checker/report/formats/json_report.hpp"
#include "checker/report/html/page.hpp"
#include "checker/text/json_text.hpp"
#include "checker/text/plain_text.hpp"
#include "litmus/report/report.hpp"

namespace warpcheck {

namespace {

void print(const litmus::answered& one, const litmus_options& options, bool first) {
  if (options.dot) {
    fmt::print("{}", litmus::dot(one));
  } else if (!options.quiet) {
    say("{}{}", first ? "" : "\n", litmus::render(one, options.explain));
  } else if (one.as_expected() != true) {
    say("{}", litmus::headline(one));
  }
}

/// Returns the bytes that are allocated and not free.
std::uint64_t used_memory() {
  const struct mallinfo2 all = ::mallinfo2();
  return all.uordblks + all.hblkhd;
}

/// Stops a test that takes too long, needs too much memory, or is interrupted.
class test_limits {
 public:
  explicit test_limits(const litmus_options& options) : options_(options) {}

  [[nodiscard]] bool over() {
    if (!why_.empty()) return true;
    if (stop_requested) {
      why_ = "interrupted";
    } else if (options_.time && clock::now() - begin_ >= seconds(*options_.time)) {
      why_ = "time is up; --time TIME gives it more";
    } else if (options_.max_memory && calls_++ % calls_of_a_look == 0 &&
               used_memory() > *options_.max_memory) {
      why_ = "it needs more memory; --max-memory SIZE gives it more";
    }
    return !why_.empty();
  }
  [[nodiscard]] const std::string& why() const { return why_; }

 private:
  using clock = std::chrono::steady_clock;
  using seconds = std::chrono::duration<double>;
  static constexpr std::uint64_t calls_of_a_look = 256;  // a look takes longer than a call

  const litmus_options& options_;
  clock::time_point begin_ = clock::now();
  std::uint64_t calls_ = 0;
  std::string why_;
};

std::string summary(std::size_t tests, std::size_t wrong, std::size_t unknown, std::size_t refused,
                    bool with_key) {
  std::string text = counted(tests, "test", "tests") + ":";
  const std::size_t right = tests - wrong - unknown;
  if (with_key) {
    text += fmt::format(" {} as in the key", right);
    if (wrong != 0) text += fmt::format(", {} not", wrong);
  } else {
    text += fmt::format(" {} {}", right, right == 1 ? "holds" : "hold");
    if (wrong != 0) text += fmt::format(", {} {} not", wrong, wrong == 1 ? "does" : "do");
  }
  if (unknown != 0) text += fmt::format(", {} inconclusive", unknown);
  if (refused != 0) {
    text += fmt::format("; {} could not be read", counted(refused, "file", "files"));
  }
  return text + "\n";
}

/// Returns a test for a page: its JSON, its source, and what the terminal shows.
nlohmann::ordered_json document_of(const litmus::answered& one) {
  nlohmann::ordered_json document = litmus::to_json(one, true);
  std::ifstream in(one.file, std::ios::binary);
  document["source"] = std::string(std::istreambuf_iterator<char>(in), {});
  document["text"] = litmus::render(one, true);
  return document;
}

void write_page(const litmus_options& options, nlohmann::ordered_json tests,
                const std::string& summary) {
  const std::string title = tests.size() == 1
                                ? tests.front().at("file").get<std::string>()
                                : counted(tests.size(), "litmus test", "litmus tests");
  write_whole(*options.html,
              html_page({{"kind", "litmus"},
                         {"title", title},
                         {"tests", std::move(tests)},
                         {"summary", summary}}),
              "--html");
}

}  // namespace

exit_status litmus_tests(const litmus_options& options) {
  if (options.on_hardware) return litmus_on_hardware(options);
  litmus_read given = read_each_litmus_test(options);
  for (const refusal& one : given.refused) fmt::print(stderr, "{}\n", one.message);
  std::vector<litmus::answered>& tests = given.tests;
  nlohmann::ordered_json results = nlohmann::ordered_json::array();
  nlohmann::ordered_json shown = nlohmann::ordered_json::array();  // for --html
  std::size_t wrong = 0, unknown = 0, asked = 0;
  handle_interrupts();
  tasks_line line(!options.json, tests.size(), "tests");
  for (litmus::answered& one : tests) {
    if (stop_requested) break;
    line.show(asked);
    ++asked;
    test_limits bounds(options);
    one.options.stop = [&bounds] { return bounds.over(); };
    one.answer = litmus::evaluate(one.program, one.options);
    one.stopped = bounds.why();
    line.clear();
    const auto as_expected = one.as_expected();
    if (!as_expected) ++unknown;
    if (as_expected == false) ++wrong;
    if (options.html) shown.push_back(document_of(one));
    if (options.json) {
      results.push_back(litmus::to_json(one, options.explain));
    } else {
      print(one, options, &one == &tests.front());
    }
    one.options.stop = {};  // an explanation has the same limits, and ends here
    one.answer = {};        // the executions of an answer are large
  }
  const std::string tally =
      summary(asked, wrong, unknown, given.refused.size(), options.key.has_value());
  if (options.html) write_page(options, std::move(shown), tally);
  if (options.json) {
    nlohmann::ordered_json refused = nlohmann::ordered_json::array();
    for (const refusal& one : given.refused) {
      refused.push_back({{"file", readable_path(one.file)}, {"message", one.message}});
    }
    fmt::print("{}\n", json_text({{"version", json_version},
                                  {"results", std::move(results)},
                                  {"refused", std::move(refused)},
                                  {"interrupted", stop_requested.load()}}));
  } else if (!options.dot && !tests.empty() && (tests.size() > 1 || options.quiet)) {
    say("{}{}", options.quiet ? "" : "\n", tally);
  }
  if (asked < tests.size() && !options.json) {
    fmt::print(stderr, "interrupted; {} not asked\n",
               counted(tests.size() - asked, "test was", "tests were"));
  }
  if (!given.refused.empty()) return exit_status::wrong_use;
  if (wrong != 0) return exit_status::not_expected;
  return unknown != 0 || stop_requested ? exit_status::inconclusive : exit_status::as_expected;
}

}  // namespace warpcheck
