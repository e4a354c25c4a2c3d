// What a scenario file may say, and the exact message for each mistake.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "checker/scenario/scenario.hpp"
#include "checker/text/closest_name.hpp"

using namespace warpcheck;

namespace {

scenario parse(const std::string& text) { return parse_scenario(text, "x.toml"); }

std::string error_of(const std::string& text) {
  try {
    parse(text);
  } catch (const usage_error& error) {
    return error.what();
  }
  return "no error";
}

std::string in_top(const std::string& line) {
  return error_of("subject = \"locks/tas\"\n" + line + "\n[[run]]\n");
}
std::string in_grid(const std::string& lines) {
  return error_of("subject = \"locks/tas\"\n[grid]\n" + lines + "\n[[run]]\n");
}
std::string in_run(const std::string& lines) {
  return error_of("subject = \"locks/tas\"\n[[run]]\n" + lines + "\n");
}

}  // namespace

TEST_CASE("a scenario without anything optional has the defaults") {
  const scenario s = parse("subject = \"locks/tas\"\n[[run]]\n");
  CHECK(s.file == "x.toml");
  CHECK(s.title == "x");
  CHECK(s.subject == "locks/tas");
  CHECK_FALSE(s.source);
  CHECK(s.workload.empty());
  CHECK(s.clients == simt::clients::lane);
  CHECK(s.repeat == 1);
  CHECK(s.arrays.empty());
  CHECK(s.grid.threads() == 1);
  REQUIRE(s.runs.size() == 2);  // one for each memory
  const run_settings& run = s.runs[0];
  CHECK(run.machine.reconvergence == simt::reconvergence::its);
  CHECK(run.machine.memory == simt::memory_model::sc);
  CHECK(run.machine.resident == 0);
  CHECK(run.machine.order == simt::block_order::any);
  CHECK(run.progress == simt::progress::fair);
  CHECK(run.check == usual_checks);
  CHECK_FALSE(run.expect);
  CHECK_FALSE(run.expect_violations);
}

TEST_CASE("a scenario says everything that it can say") {
  const scenario s = parse(R"(
title    = "Some title"
subject  = "locks/tas"
workload = "counter"
clients  = "warp"
repeat   = 3
[arrays]
flags = 4
data  = 1024
order = [7, -1, 0x1_0]
[grid]
blocks = 2
warps  = 3
lanes  = [4, 32, 1]
[[run]]
reconvergence = "stack"
memory = "sc"
progress = "unfair"
fairness = "weak"
resident = 1
block_order = "index"
check = ["race", "livelock", "deadlock"]
expect = "deadlock"
expect_violations = ["race", "deadlock"]
[[run]]
memory = "sc"
expect_violations = []
[[run]]
memory = "ptx"
expect = "inconclusive"
)");
  CHECK(s.title == "Some title");
  CHECK(s.workload == "counter");
  CHECK(s.clients == simt::clients::warp);
  CHECK(s.repeat == 3);
  CHECK(s.arrays.at("flags") == simt::array_setup{4, {}});
  CHECK(s.arrays.at("data") == simt::array_setup{1024, {}});
  CHECK(s.arrays.at("order") == simt::array_setup{3, {7, -1, 16}});
  CHECK(s.grid.blocks == 2);
  CHECK(s.grid.lanes == std::vector<std::uint32_t>{4, 32, 1});
  REQUIRE(s.runs.size() == 3);
  const run_settings& run = s.runs[0];
  CHECK(run.machine.reconvergence == simt::reconvergence::stack);
  CHECK(run.machine.resident == 1);
  CHECK(run.machine.order == simt::block_order::index);
  CHECK(run.progress == simt::progress::unfair);
  CHECK(run.check == (bit(verdict::race) | bit(verdict::livelock) | bit(verdict::deadlock)));
  CHECK(run.expect == verdict::deadlock);
  CHECK(run.expect_violations == (bit(verdict::race) | bit(verdict::deadlock)));
  CHECK(s.runs[1].expect == verdict::ok);
  CHECK(s.runs[2].expect == verdict::inconclusive);
}

TEST_CASE("what the clients of an object do") {
  const auto read = [](const std::string& rest) {
    return parse("subject = \"queues/vyukov\"\n" + rest + "\n[[run]]\n");
  };
  const scenario s = read(
      "threads = [[\"enqueue 1\", \"dequeue\"], [], [\"enqueue -2\"]]\n"
      "initial = [\"enqueue 7\"]\nspec = \"queue\"");
  REQUIRE(s.threads.size() == 3);
  REQUIRE(s.threads[0].size() == 2);
  CHECK(s.threads[0][0].name == "enqueue");
  CHECK(s.threads[0][0].arguments == std::vector<std::int64_t>{1});
  CHECK(s.threads[0][0].where == "x.toml:2:13");
  CHECK(s.threads[1].empty());
  CHECK(s.threads[2][0].text() == "enqueue -2");
  CHECK(s.initial.size() == 1);
  CHECK(s.spec == "queue");
  CHECK(s.grid.blocks == 1);
  CHECK(s.grid.lanes == std::vector<std::uint32_t>{3});
  CHECK(read("threads = [[], []]\nplacement = \"warp\"").grid.lanes ==
        std::vector<std::uint32_t>{1, 1});
  CHECK(read("threads = [[], []]\nplacement = \"block\"").grid.blocks == 2);
  const auto mistake = [&](const std::string& rest) {
    try {
      read(rest);
    } catch (const usage_error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(mistake("spec = \"queue\"") ==
        "x.toml:2:8: \"spec\" cannot stand here: it goes with \"threads\", the operations of each "
        "client; add these");
  CHECK(mistake("threads = []") ==
        "x.toml:2:11: \"threads\" is not a list of lists; write threads = [[\"enqueue 1\"], "
        "[\"dequeue\"]]");
  CHECK(mistake("threads = [\"dequeue\"]") ==
        "x.toml:2:12: a thread is a string, not an array; write [\"enqueue 1\", \"dequeue\"]");
  CHECK(mistake("threads = [[1]]") ==
        "x.toml:2:13: an operation is an integer, not a string; write it as in \"enqueue 1\"");
  CHECK(mistake("threads = [[\"enqueue x\"]]") ==
        "x.toml:2:13: \"enqueue x\" is no operation; write a name and integers, as in \"enqueue "
        "1\"");
  CHECK(mistake("threads = [[]]\nclients = \"lane\"") ==
        "x.toml:3:11: \"clients\" cannot stand here: who the clients are is told by \"placement\"; "
        "use that");
  CHECK(mistake("threads = [[], [], []]\n[grid]\nlanes = 2") ==
        "x.toml:2:11: there are 3 threads, but the grid has places for 2; enlarge it");
  CHECK(mistake("threads = [[]]\nplacement = \"thread\"") ==
        "x.toml:3:13: \"placement\" cannot be \"thread\"; it is one of \"lane\", \"warp\", "
        "\"block\"");
}

TEST_CASE("kinds of consistency are asked for by name") {
  const scenario s = parse(
      "subject = \"a\"\n[[run]]\ncheck = [\"linearizable\", \"quiescently-consistent\"]\n"
      "expect = \"not-linearizable\"\n");
  CHECK(s.runs[0].check ==
        (bit(verdict::not_linearizable) | bit(verdict::not_quiescently_consistent)));
  CHECK(s.runs[0].expect == verdict::not_linearizable);
}

TEST_CASE("the numbers of lanes are given once for all warps, or one for each") {
  const auto lanes = [](const std::string& grid) {
    return parse("subject = \"a\"\n[grid]\n" + grid + "\n[[run]]\n").grid.lanes;
  };
  CHECK(lanes("warps = 2\nlanes = 5") == std::vector<std::uint32_t>{5, 5});
  CHECK(lanes("lanes = [1, 2, 3]") == std::vector<std::uint32_t>{1, 2, 3});
  CHECK(lanes("warps = 3") == std::vector<std::uint32_t>{1, 1, 1});
}

TEST_CASE("a source is relative to the scenario's file") {
  const auto folder = std::filesystem::temp_directory_path() / "warpcheck-scenario-test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "my_lock.hpp") << "\n";
  const std::string text = "subject = \"my_lock\"\nsource = \"my_lock.hpp\"\n[[run]]\n";
  CHECK(parse_scenario(text, folder / "x.toml").source == folder / "my_lock.hpp");
  std::filesystem::remove_all(folder);
}

TEST_CASE("a run without a memory is one under each, the simpler one first") {
  const scenario s = parse(
      "subject = \"a\"\n[[run]]\nreconvergence = \"stack\"\nexpect = \"deadlock\"\n"
      "[[run]]\nmemory = \"ptx\"\n[[run]]\nmemory = \"sc\"\n");
  REQUIRE(s.runs.size() == 4);
  CHECK(s.runs[0].machine.memory == simt::memory_model::sc);
  CHECK(s.runs[1].machine.memory == simt::memory_model::ptx);
  for (const run_settings& run : {s.runs[0], s.runs[1]}) {
    CHECK(run.machine.reconvergence == simt::reconvergence::stack);
    CHECK(run.expect == verdict::deadlock);
    CHECK(run.line == 2);
  }
  CHECK(s.runs[2].machine.memory == simt::memory_model::ptx);
  CHECK(s.runs[3].machine.memory == simt::memory_model::sc);
  // Errors of later runs have their own place.
  CHECK(error_of("subject = \"a\"\n[[run]]\n[[run]]\n[[run]]\nexpect = \"progress-violated\"\n")
            .starts_with("x.toml:4:1: "));
}

TEST_CASE("unknown keys") {
  CHECK(in_top("subjet = 1") == "x.toml:2:1: unknown key \"subjet\"; did you mean \"subject\"?");
  CHECK(in_top("colour = 1") ==
        "x.toml:2:1: unknown key \"colour\"; the keys that can stand here are title, subject, "
        "source, workload, clients, threads, initial, placement, generate, spec, repeat, claims, "
        "step_bound, arrays, grid, run, kernel, launch, buffers, variables");
  CHECK(in_top("lanes = 4") ==
        "x.toml:2:1: unknown key \"lanes\"; lanes belongs below the [grid] line");
  CHECK(in_top("expect = \"ok\"") ==
        "x.toml:2:1: unknown key \"expect\"; expect belongs below a [[run]] line");
  CHECK(in_grid("lane = 4") == "x.toml:3:1: unknown key \"lane\"; did you mean \"lanes\"?");
  CHECK(
      in_grid("  repeat = 4") ==
      "x.toml:3:3: unknown key \"repeat\"; repeat belongs to the top of the file, before the first "
      "[...] line");
  CHECK(in_run("expct = \"ok\"") == "x.toml:3:1: unknown key \"expct\"; did you mean \"expect\"?");
  CHECK(in_run("\"a\\u0000b\\\"\" = 1") ==
        "x.toml:3:1: unknown key \"a\\x00b\\\"\"; the keys that can stand here are reconvergence, "
        "memory, progress, fairness, resident, block_order, check, expect, expect_violations, "
        "deterministic");
  // The first one in the file, not the first one in the alphabet.
  CHECK(in_top("zz = 1\naa = 1").starts_with("x.toml:2:1: unknown key \"zz\";"));
}

TEST_CASE("wrong types") {
  CHECK(error_of("subject = 4\n[[run]]\n") ==
        "x.toml:1:11: \"subject\" is an integer, not a string; write subject = \"...\"");
  CHECK(in_top("title = true") ==
        "x.toml:2:9: \"title\" is true or false, not a string; write title = \"...\"");
  CHECK(in_top("repeat = 1.5") ==
        "x.toml:2:10: \"repeat\" is a number with a fraction, not an integer; give it a value from "
        "1 to "
        "1000000");
  CHECK(in_top("repeat = 2024-01-01") ==
        "x.toml:2:10: \"repeat\" is a date or time, not an integer; give it a value from 1 to "
        "1000000");
  CHECK(in_top("grid = 4") ==
        "x.toml:2:8: \"grid\" is an integer, not a table; write [grid] on a line of its own, and "
        "what "
        "belongs to it below");
  CHECK(in_top("arrays = { x = \"4\" }") ==
        "x.toml:2:16: \"x\" is a string, not an integer; give it a value from 1 to 1048576");
  CHECK(in_top("arrays = { x = [1, 2.5] }") ==
        "x.toml:2:20: \"x\" has a number with a fraction in it; write only integers, as in "
        "x = [1, 0]");
  CHECK(in_grid("lanes = \"4\"") ==
        "x.toml:3:9: \"lanes\" is a string, not an integer; give it a value from 1 to 32");
  CHECK(in_grid("lanes = [4, \"4\"]") ==
        "x.toml:3:13: \"lanes\" is a string, not an integer; give it a value from 1 to 32");
  CHECK(in_run("check = \"race\"") ==
        "x.toml:3:9: \"check\" is a string, not an array; write check = [\"...\"]");
  CHECK(in_run("check = [1]") ==
        "x.toml:3:10: \"check\" has an integer in it; write only strings, as in check = [\"...\"]");
  CHECK(error_of("subject = \"a\"\n[run]\n") ==
        "x.toml:2:1: \"run\" is a table; write [[run]], with two brackets, on a line of its own");
  CHECK(error_of("subject = \"a\"\nrun = [1]\n") ==
        "x.toml:2:7: \"run\" is an array of other things; write [[run]], with two brackets, on a "
        "line "
        "of its own");
}

TEST_CASE("impossible numbers") {
  CHECK(in_grid("lanes = 0") == "x.toml:3:9: \"lanes\" cannot be 0; give it a value from 1 to 32");
  CHECK(in_grid("lanes = 33") ==
        "x.toml:3:9: \"lanes\" cannot be 33; give it a value from 1 to 32");
  CHECK(in_grid("lanes = [1, -1]") ==
        "x.toml:3:13: \"lanes\" cannot be -1; give it a value from 1 to 32");
  CHECK(in_grid("warps = 33") ==
        "x.toml:3:9: \"warps\" cannot be 33; give it a value from 1 to 32");
  CHECK(in_grid("warps = 2\nlanes = [1, 2, 3]") ==
        "x.toml:4:9: \"lanes\" has 3 numbers, but there are 2 warps; give one number for each "
        "warp, or "
        "one for all");
  CHECK(in_grid("lanes = []") ==
        "x.toml:3:9: \"lanes\" has 0 numbers; give one for each warp, 1 to 32");
  CHECK(in_grid("blocks = 0") ==
        "x.toml:3:10: \"blocks\" cannot be 0; give it a value from 1 to 4096");
  CHECK(in_grid("blocks = 4096\nlanes = 2") ==
        "x.toml:2:1: the grid has 8192 threads; make it 4096 at most");
  CHECK(in_run("resident = 0") ==
        "x.toml:3:12: \"resident\" cannot be 0; give it a value from 1 to 4096");
  CHECK(in_top("repeat = 0") ==
        "x.toml:2:10: \"repeat\" cannot be 0; give it a value from 1 to 1000000");
  CHECK(in_top("arrays = { x = 0 }") ==
        "x.toml:2:16: \"x\" cannot be 0; give it a value from 1 to 1048576");
}

TEST_CASE("an array without values") {
  CHECK(in_top("arrays = { x = [] }") == "x.toml:2:16: \"x\" has 0 values; give it 1 to 1048576");
}

TEST_CASE("impossible names") {
  CHECK(in_top("clients = \"lanes\"") ==
        "x.toml:2:11: \"clients\" cannot be \"lanes\"; did you mean \"lane\"?");
  CHECK(in_run("reconvergence = \"volta\"") ==
        "x.toml:3:17: \"reconvergence\" cannot be \"volta\"; it is one of \"its\", \"stack\"");
  CHECK(in_run("expect = \"dedlock\"") ==
        "x.toml:3:10: \"expect\" cannot be \"dedlock\"; did you mean \"deadlock\"?");
  CHECK(in_run("check = [\"ok\"]") ==
        "x.toml:3:10: \"check\" cannot be \"ok\"; it is one of \"bad-access\", "
        "\"barrier-divergence\", "
        "\"simt-deadlock\", \"deadlock\", \"assertion\", \"not-linearizable\", "
        "\"not-sequentially-consistent\", \"not-quiescently-consistent\", "
        "\"not-strictly-serializable\", \"not-opaque\", "
        "\"wrong-linearization-point\", \"race\", "
        "\"livelock\", \"starvation\", \"progress-violated\"");
  CHECK(in_run("check = []") ==
        "x.toml:3:9: \"check\" is empty, so nothing would be checked; leave it out to check "
        "everything");
  CHECK(in_run("check = [\"race\", \"race\"]") ==
        "x.toml:3:18: \"race\" is in \"check\" twice; remove one");
}

TEST_CASE("progress models, weak and strong") {
  const auto one_run = [](const std::string& keys) {
    return parse("subject = \"locks/tas\"\n[[run]]\n" + keys + "\n").runs.front();
  };
  CHECK(one_run("").fairness == simt::fairness::weak);
  CHECK(one_run("progress = \"obe\"").progress == simt::progress::obe);
  CHECK(one_run("progress = \"hsa\"").progress == simt::progress::hsa);
  CHECK(one_run("progress = \"hsa_obe\"").progress == simt::progress::hsa_obe);
  const run_settings lobe = one_run("progress = \"lobe\"\nfairness = \"strong\"");
  CHECK(lobe.progress == simt::progress::lobe);
  CHECK(lobe.fairness == simt::fairness::strong);
  CHECK(one_run("memory = \"ptx\"\nfairness = \"strong\"").fairness == simt::fairness::strong);
  CHECK(in_run("progress = \"obey\"") ==
        "x.toml:3:12: \"progress\" cannot be \"obey\"; did you mean \"obe\"?");
  CHECK(in_run("progress = \"unfair\"\nfairness = \"strong\"") ==
        "x.toml:4:12: fairness = \"strong\" says nothing where progress = \"unfair\", which owes "
        "nobody anything; leave one of them out");
}

TEST_CASE("what is designed and not available yet says so") {
  CHECK(in_run("memory = \"tso\"") ==
        "x.toml:3:10: \"memory\" cannot be \"tso\"; it is one of \"sc\", \"ptx\"");
}

TEST_CASE("expectations that contradict each other") {
  CHECK(in_run("expect = \"livelock\"\nexpect_violations = [\"race\", \"livelock\"]") ==
        "x.toml:3:10: \"expect\" is \"livelock\", but the gravest of \"expect_violations\" is "
        "\"race\"; "
        "make them agree");
  CHECK(in_run("expect = \"ok\"\nexpect_violations = [\"race\"]") ==
        "x.toml:3:10: \"expect\" is \"ok\", but the gravest of \"expect_violations\" is \"race\"; "
        "make "
        "them agree");
  CHECK(in_run("expect = \"race\"\nexpect_violations = []") ==
        "x.toml:3:10: \"expect\" is \"race\", but the gravest of \"expect_violations\" is \"ok\"; "
        "make "
        "them agree");
  CHECK(in_run("check = [\"race\"]\nexpect = \"livelock\"") ==
        "x.toml:4:10: \"livelock\" is expected, but \"check\" does not look for it; add it there");
  CHECK(
      in_run("check = [\"race\"]\nexpect_violations = [\"livelock\"]") ==
      "x.toml:4:21: \"livelock\" is expected, but \"check\" does not look for it; add it there or "
      "remove it here");
}

TEST_CASE("what is missing") {
  const std::string no_subject =
      "x.toml:1:1: there is no \"subject\"; add one, for example subject = \"locks/tas\" "
      "(`warpcheck "
      "list` shows them), or the type in your \"source\"; or a [kernel]";
  CHECK(error_of("") == no_subject);
  CHECK(error_of("[[run]]\n") == no_subject);
  CHECK(error_of("subject = \"\"\n[[run]]\n") ==
        "x.toml:1:11: \"subject\" is empty; name one that `warpcheck list` shows, or the type in "
        "your "
        "\"source\"");
  CHECK(error_of("subject = \"a\"\n") ==
        "x.toml:1:1: there is no [[run]]; add at least one, with the model to check under, for "
        "example "
        "reconvergence = \"its\"");
  CHECK(in_top("source = \"nowhere.hpp\"") ==
        "x.toml:2:10: there is no file \"nowhere.hpp\"; \"source\" is relative to the scenario's "
        "folder");
  CHECK(in_top("source = \"/dev/null\"") ==
        "x.toml:2:10: \"/dev/null\" is a device; \"source\" names a header");
  CHECK(in_top("source = \"/\"") == "x.toml:2:10: \"/\" is a folder; \"source\" names a header");
}

TEST_CASE("what is not TOML") {
  CHECK(in_top("subject = \"b\"") == "x.toml:2:11: \"subject\" is given twice; remove one");
  CHECK(in_top("title =") ==
        "x.toml:2:8: not TOML (Error while parsing key-value pair: expected value, saw '\\n'); "
        "correct "
        "it, see https://toml.io");
}

TEST_CASE("files and folders") {
  CHECK_THROWS_WITH_AS(
      scenario_files({"no/such/thing"}),
      "no/such/thing: no such file or folder; `warpcheck list` shows the scenarios there are",
      usage_error);
  const auto folder = std::filesystem::temp_directory_path() / "warpcheck-scenario-files";
  std::filesystem::create_directories(folder / "b");
  CHECK_THROWS_WITH_AS(
      scenario_files({folder}),
      (folder.string() + ": has no scenarios; name a .toml file, or a folder that has some")
          .c_str(),
      usage_error);
  for (const char* name : {"b/y.toml", "a.toml", "note.txt"}) std::ofstream(folder / name) << "\n";
  CHECK(scenario_files({folder}) ==
        std::vector<std::filesystem::path>{folder / "a.toml", folder / "b/y.toml"});
  CHECK(scenario_files({folder / "b/y.toml", folder}) ==
        std::vector<std::filesystem::path>{folder / "b/y.toml", folder / "a.toml"});
  CHECK_THROWS_AS(read_scenario(folder), usage_error);
  CHECK_THROWS_AS(read_scenario(folder / "gone.toml"), usage_error);
  std::filesystem::remove_all(folder);
}

TEST_CASE("all shipped scenarios can be read") {
  if (!std::filesystem::exists("scenarios")) return;
  for (const auto& file : scenario_files({"scenarios"})) {
    CAPTURE(file.string());
    CHECK_NOTHROW(read_scenario(file));
  }
}

TEST_CASE("edit distance") {
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("lane", "lanes") == 1);
  CHECK(edit_distance("rnu", "run") == 1);
  CHECK(edit_distance("kitten", "sitting") == 3);
}
