// Whatever ends a run as inconclusive, its user is told what to do.
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "checker/report/cause/growth.hpp"
#include "checker/report/formats/json_report.hpp"
#include "checker/report/formats/remedy_text.hpp"
#include "checker/report/formats/terminal_report.hpp"
#include "checker/run/stop_cause.hpp"
#include "tests/checker/run_source.hpp"

using warpcheck::stop_reason;
using warpcheck::verdict;

namespace {

std::string text_of_file(const std::filesystem::path& file) {
  std::ifstream in(file);
  REQUIRE(in);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool is_there(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("each reason to stop has one remedy, and its section in docs/reports.md") {
  const std::filesystem::path root = std::filesystem::current_path();  // where ctest runs it
  const std::string page = text_of_file(root / "docs/reports.md");
  const std::string chapter = page.substr(page.find("## Inconclusive: what now?"));
  std::set<stop_reason> seen;
  std::set<std::string> sections{std::string(warpcheck::way_on_from_search().section),
                                 std::string(warpcheck::way_on_from_growth().section)};
  for (const warpcheck::way_on& way : warpcheck::ways_on()) {
    CAPTURE(way.remedy);
    CHECK(seen.insert(way.reason).second);
    CHECK(way.remedy.size() > 10);
    CHECK(way.remedy.back() != '.');
    // Words of the engine that no page for users explains.
    for (const char* word : {"burst", "promise ", "promised", "continuation", "class of"}) {
      CHECK_FALSE(is_there(std::string(way.remedy), word));
    }
    sections.insert(std::string(way.section));
  }
  for (const std::string& section : sections) {
    CAPTURE(section);
    CHECK(is_there(chapter, "\n### " + section + "\n"));
  }
  // All of them: `defect` is the last.
  CHECK(seen.size() == static_cast<std::size_t>(stop_reason::defect));
  for (auto r = 1U; r <= static_cast<unsigned>(stop_reason::defect); ++r) {
    CHECK(warpcheck::way_on_from(static_cast<stop_reason>(r)).reason ==
          static_cast<stop_reason>(r));
  }
}

TEST_CASE("options that remedies name are there") {
  const std::filesystem::path root = std::filesystem::current_path();  // where ctest runs it
  const std::string commands = text_of_file(root / "checker/options/exploration_options.cpp");
  const auto check = [&](std::string_view remedy) {
    for (std::size_t at = remedy.find("--"); at != std::string_view::npos;
         at = remedy.find("--", at + 2)) {
      const std::string option(remedy.substr(at, remedy.find_first_of(" ,;:)", at) - at));
      CAPTURE(option);
      CHECK(is_there(commands, option));
    }
  };
  for (const warpcheck::way_on& way : warpcheck::ways_on()) check(way.remedy);
  check(warpcheck::way_on_from_search().remedy);
  check(warpcheck::way_on_from_growth().remedy);
}

TEST_CASE("where a kernel is checked by options, remedies name options and no keys") {
  using warpcheck::asked_by;
  const std::filesystem::path root = std::filesystem::current_path();  // where ctest runs it
  const std::string kernels = text_of_file(root / "checker/options/kernel_options.cpp");
  const auto check = [&](std::string_view remedy) {
    const std::string text = warpcheck::in_words_of(asked_by::check, remedy);
    CAPTURE(text);
    for (const char* key : {"\"", " = ", "fewer lanes", "repeat", "scenario"}) {
      CHECK_FALSE(is_there(text, key));
    }
    for (const char* option : {"--grid", "--block", "--memory", "--reconvergence"}) {
      CHECK((!is_there(text, option) || is_there(kernels, option)));
    }
    CHECK_FALSE(is_there(warpcheck::in_words_of(asked_by::kernel_table, remedy), "repeat"));
    CHECK(warpcheck::in_words_of(asked_by::scenario, remedy) == remedy);
  };
  for (const warpcheck::way_on& way : warpcheck::ways_on()) {
    // A kernel has no clients, and is asked for no progress of theirs.
    const bool is_of_clients = way.reason == stop_reason::clients_end ||
                               way.reason == stop_reason::strong_fairness ||
                               way.reason == stop_reason::larger_clients;
    if (!is_of_clients) check(way.remedy);
  }
  check(warpcheck::way_on_from_search().remedy);
  check(warpcheck::way_on_from_growth().remedy);

  warpcheck::scenario kernel;
  kernel.kernel.emplace();
  kernel.file = "spin.cu";
  CHECK(warpcheck::asked_by_user(kernel) == asked_by::check);
  kernel.file = "spin.toml";
  CHECK(warpcheck::asked_by_user(kernel) == asked_by::kernel_table);
  kernel.kernel.reset();
  CHECK(warpcheck::asked_by_user(kernel) == asked_by::scenario);
}

TEST_CASE("reports of inconclusive runs have the remedy, others have none") {
  warpcheck::run_report report;
  report.result.stopped = warpcheck::limits::reached_states(10);
  report.result.settle_verdict();
  const std::string remedy(warpcheck::way_on_from(stop_reason::states).remedy);
  CHECK(warpcheck::to_json(report)["remedy"] == remedy);
  warpcheck::text_style wide;
  wide.width = 1000;
  CHECK(is_there(headline(report, wide),
                 "Remedy: " + remedy + " (docs/reports.md, \"Too many states\")."));

  report.result.grows.push_back({16, 0, 1, 9, 8});
  CHECK(is_there(headline(report, wide), remedy + " (docs/reports.md, \"A value that grows\")."));
  report.result.grows.clear();

  report.result.search.emplace();
  CHECK(warpcheck::to_json(report)["remedy"] == warpcheck::way_on_from_search().remedy);
  report.result.search.reset();

  report.result.violations.push_back({verdict::race, {}, {}});
  report.result.settle_verdict();
  CHECK_FALSE(warpcheck::to_json(report).contains("remedy"));
  report.result.violations.clear();
  report.result.stopped = {};
  report.result.settle_verdict();
  CHECK_FALSE(warpcheck::to_json(report).contains("remedy"));
  CHECK_FALSE(is_there(headline(report, wide), "Remedy"));
}

TEST_CASE("what a lane does without end is told apart") {
  const auto reason_of_run = [](const std::string& members, const std::string& body,
                                std::vector<std::uint32_t> lanes) {
    test::source_run run(test::kernel(members, body), {1, std::move(lanes)});
    return run.check().stopped.reason;
  };
  CHECK(reason_of_run("simt::atomic<int> x{0};",
                      "unsigned i = x.fetch_add(1) | 1;\nwhile (i != 0) { i += 2; }",
                      {2}) == stop_reason::silent_loop);
  CHECK(reason_of_run("int x = 0;", "simt::check(simt::activemask() != 0, \"\");", {32}) ==
        stop_reason::many_at_activemask);
  // What the masks of all lanes and of the first one show is found; a run that waits for a step is
  // no deadlock, since some are missing.
  test::source_run two(
      test::kernel("int x = 0;", "simt::check(simt::popc(simt::activemask()) != 1, \"\");"),
      {1, {32}});
  CHECK(two.found() == "assertion");
  CHECK(two.check().stopped.reason == stop_reason::many_at_activemask);
  test::source_run pair(test::kernel("simt::atomic<int> x{0};",
                                     "if (simt::popc(simt::activemask()) == 2) x.store(1);\n"
                                     "while (simt::lane_index() == 0 && x.load() == 0) {}"),
                        {1, {32}});
  pair.bounds.max_states = 2'000;
  CHECK(pair.check().violations.empty());
}

TEST_CASE("a counter that grows without bound is named, a bounded one is not") {
  const std::string members = "simt::atomic<unsigned> n{0};\nsimt::atomic<int> go{0}, sum{0};";
  const auto names_of = [&](const std::string& loop, std::uint64_t most_states) {
    test::source_run run(test::kernel(members, "if (simt::lane_index() == 0) {\nint i = 0;\n" +
                                                   loop +
                                                   "\nsum.store(i);\n} else {\ngo.store(1);\n}"));
    run.bounds.max_states = most_states;
    warpcheck::session ready(run.what, run.how);
    const warpcheck::run_result result =
        warpcheck::check(ready, run.bounds, warpcheck::reductions::none());
    warpcheck::names named(ready);
    std::string text;
    for (const warpcheck::shown_growth& one : show_growth(named, result)) {
      text += (one.variable.empty() ? one.at.text() : one.variable) + " ";
    }
    CHECK(result.grows.empty() == (text.empty()));
    const bool is_of_growth = warpcheck::remedy_of(result, warpcheck::asked_by::scenario)
                                  .starts_with(warpcheck::way_on_from_growth().remedy);
    CHECK(is_of_growth == !result.grows.empty());
    return text;
  };
  CHECK(names_of("while (go.load() == 0) n.fetch_add(1);", 1000) == "n ");
  CHECK(is_there(names_of("while (go.load() == 0) ++i;", 1000), "subject.hpp:"));
  CHECK_FALSE(is_there(names_of("while (go.load() == 0) ++i;", 1000), "n "));
  CHECK(names_of("while (go.load() == 0) n.store((n.load() + 1) & 15);", 60) == "");
  CHECK(names_of("for (i = 0; i < 100 && go.load() == 0; ++i) n.fetch_add(1);", 100'000) == "");
}
