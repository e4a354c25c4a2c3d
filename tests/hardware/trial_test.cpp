// Tests how a trial reads what a runner reports, and how it ends a runner that fails or hangs.
#include "checker/hardware/trial.hpp"

#include "checker/hardware/histories.hpp"
#include "checker/history/open_spec.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <thread>

using namespace warpcheck;
using namespace std::chrono_literals;

namespace {

const std::atomic<bool> nobody{false};
constexpr std::chrono::duration<double> long_enough = 60s;

trial_batch shell(const std::string& script, std::chrono::duration<double> patience = long_enough) {
  return run_batch({"/bin/sh", "-c", script}, patience, nobody);
}

/// A process that had so many launches with this outcome, and could go on.
trial_batch ended(trial_outcome outcome, std::uint64_t count, std::string message = {}) {
  trial_batch some{{}, std::move(message), 0.5, true, false, {}};
  some.counts[outcome] = count;
  return some;
}

/// One whose last launch ended it.
trial_batch lost(trial_outcome outcome, std::uint64_t finished_before = 0) {
  trial_batch some = ended(trial_outcome::finished, finished_before);
  some.counts[outcome] = 1;
  some.usable = false;
  return some;
}

}  // namespace

TEST_CASE("what the runner reports") {
  const trial_batch some = shell(
      R"(echo '{"device": "G", "rounds": {"finished": 7, "check-failed": 2}, "message": "3, not 4", "seconds": 0.25, "usable": true}')");
  CHECK(some.counts[trial_outcome::finished] == 7);
  CHECK(some.counts[trial_outcome::check_failed] == 2);
  CHECK(some.counts.sum() == 9);
  CHECK(some.message == "3, not 4");
  CHECK(some.longest == 0.25);
  CHECK(some.usable);
  CHECK_FALSE(shell(R"(echo '{"rounds": {"hang": 1}, "usable": false}')").usable);
}

TEST_CASE("what threads chose in a launch that goes wrong") {
  const trial_batch some = shell(
      R"(echo '{"rounds": {"check-failed": 1}, "message": "3, not 4", "usable": true, "round": 7, "choices": {"0": [1, 0], "2": [5]}}')");
  CHECK(some.message == "3, not 4 (--seed 7 --trials 1: thread 0 chose 1, 0; thread 2 chose 5)");
  const trial_batch hang = shell(
      R"(echo '{"rounds": {"hang": 1}, "message": "", "usable": false, "round": 9, "choices": {"1": [0]}}')");
  CHECK(hang.message == "--seed 9 --trials 1: thread 1 chose 0");
  const trial_batch object = shell(
      R"(echo '{"rounds": {"finished": 1}, "usable": true, "histories": [{"count": 1, "round": 3, "choices": {"0": [2]}, "events": []}]}')");
  REQUIRE(object.histories.size() == 1);
  CHECK(object.histories[0].choices == "--seed 3 --trials 1: thread 0 chose 2");
}

TEST_CASE("threads are told what they choose in a counterexample") {
  const simt::grid_shape grid{1, {2}};
  named_execution how;
  for (const char* each : {"w0.l0", "w0.l1 chooses 3", "w0.l0 chooses 1"})
    how.prefix.push_back(simt::choice_name_from(each, grid));
  for (const char* each : {"w0.l0 chooses 0", "w0.l1"})
    how.cycle.push_back(simt::choice_name_from(each, grid));
  const told_choices told = choices_of(how);
  CHECK(told == told_choices{{0, {1, 0}}, {1, {3}}});
  scenario what;
  what.subject = "sets/drawn";
  const auto command = runner_command("runner", what, 5, told);
  const auto at = std::ranges::find(command, "--choose");
  REQUIRE(command.end() - at > 4);
  CHECK(at[1] == "0=1,0");
  CHECK(at[2] == "--choose");
  CHECK(at[3] == "1=3");
  CHECK(std::ranges::count(runner_command("runner", what, 5), "--choose") == 0);
}

TEST_CASE("a runner that fails says nothing about the subject") {
  const auto says_nothing = [](const trial_batch& some) {
    return some.counts[trial_outcome::no_result] == 1 && some.counts.sum() == 1;
  };
  const trial_batch failed = shell("echo 'launch: out of resources' >&2; exit 4");
  CHECK(says_nothing(failed));
  CHECK(failed.message == "launch: out of resources");
  // A report counts only from a runner that ended well.
  CHECK(says_nothing(shell(R"(echo '{"rounds": {"finished": 1}}'; exit 1)")));
  CHECK(says_nothing(shell(R"(echo '{"rounds": {"elsewhere": 1}}')")));
  CHECK(says_nothing(shell(R"(echo '{"rounds": {"finished": -1}}')")));
  CHECK(says_nothing(shell(R"(echo '{"rounds": {}}')")));
  CHECK(says_nothing(shell("echo '[1]'")));
  CHECK(shell(":").message == "the runner ended with status 0 and said nothing");
  CHECK(shell("kill -9 $$").message == "the runner ended with status 137 and said nothing");
  CHECK_THROWS_AS(run_batch({"/nonexistent/runner"}, long_enough, nobody), std::runtime_error);
}

TEST_CASE("a runner that is stuck is killed with all that it started") {
  // The inner sleep keeps the pipe open; without a kill of the group this would wait for it.
  const trial_batch stuck = shell("sleep 1000 & sleep 1000", 0.2s);
  CHECK(stuck.counts[trial_outcome::no_result] == 1);
  CHECK(stuck.message.find("was killed") != std::string::npos);
}

TEST_CASE("an interrupt ends a trial") {
  std::atomic<bool> stop{true};
  CHECK(run_batch({"/bin/sh", "-c", "sleep 1000"}, long_enough, stop).interrupted);
}

TEST_CASE("a process goes on where the last one ended; messages are kept once") {
  std::vector<std::uint64_t> first;
  const trials all = run_trials(10, [&](std::uint64_t begin, std::uint64_t count) {
    CHECK(begin + count == 10);
    first.push_back(begin);
    return ended(first.size() % 2 == 1 ? trial_outcome::finished : trial_outcome::check_failed,
                 std::min<std::uint64_t>(count, 3), first.size() % 2 == 1 ? "" : "lost");
  });
  CHECK(first == std::vector<std::uint64_t>{0, 3, 6, 9});
  CHECK(all.counts[trial_outcome::finished] == 6);
  CHECK(all.counts[trial_outcome::check_failed] == 4);
  CHECK(all.messages == std::vector<std::string>{"lost"});
  CHECK(all.longest == 0.5);
}

TEST_CASE("three processes may be lost") {
  const trials hangs = run_trials(20, [](auto, auto) { return lost(trial_outcome::hang); });
  CHECK(hangs.counts[trial_outcome::hang] == 3);
  const trials two = run_trials(2, [](auto, auto) { return lost(trial_outcome::device_error); });
  CHECK(two.counts[trial_outcome::device_error] == 2);
  const trials late = run_trials(1000, [](std::uint64_t first, std::uint64_t count) {
    return first == 0 ? lost(trial_outcome::hang, 499) : ended(trial_outcome::finished, count);
  });
  CHECK(late.counts[trial_outcome::finished] == 999);
  CHECK(late.counts[trial_outcome::hang] == 1);
}

TEST_CASE("a runner that cannot do its work is not asked again; an interrupt ends all") {
  const auto broken = [](auto, auto) { return shell("exit 4"); };
  CHECK(run_trials(20, broken).counts[trial_outcome::no_result] == 1);
  const trials none = run_trials(20, [](auto, auto) {
    trial_batch some;
    some.interrupted = true;
    return some;
  });
  CHECK(none.interrupted);
  CHECK(none.counts.sum() == 0);
}

TEST_CASE("recorded histories, as lines of events") {
  const trial_batch one = shell(
      R"(echo '{"rounds": {"finished": 7}, "histories": [{"count": 7, "events": [{"event": "call", "client": 0, "op": "pop"}, {"event": "return", "client": 0}]}]}')");
  REQUIRE(one.histories.size() == 1);
  CHECK(one.histories[0].count == 7);
  CHECK(one.histories[0].text ==
        "{\"client\":0,\"event\":\"call\",\"op\":\"pop\"}\n{\"client\":0,\"event\":\"return\"}\n");
}

TEST_CASE("histories that were recorded are judged") {
  const auto event = [](const char* kind, const char* rest) {
    return std::string("{\"event\":\"") + kind + "\"," + rest + "}\n";
  };
  const std::string early = event("call", R"("client":0,"op":"enqueue","args":[1])") +
                            event("call", R"("client":1,"op":"dequeue","args":[])");
  const std::string empty = event("return", R"("client":1,"result":null)");
  const std::string enqueued = event("return", R"("client":0)");
  const std::string dequeued = event("return", R"("client":1,"result":1)");
  const std::string late = event("call", R"("client":0,"op":"enqueue","args":[1])") + enqueued +
                           event("call", R"("client":1,"op":"dequeue","args":[])") + empty;

  history_judge judge(open_spec("queue", std::nullopt, "test"));
  trial_batch right = ended(trial_outcome::finished, 4);
  right.histories = {{early + empty + enqueued, 3}, {early + dequeued + enqueued, 1}};
  judge.judge(right);
  CHECK(right.counts[trial_outcome::finished] == 4);

  trial_batch wrong = ended(trial_outcome::finished, 6);
  wrong.histories = {right.histories[0], {late, 2}, {early + dequeued + enqueued, 1}};
  judge.judge(wrong);
  CHECK(wrong.counts[trial_outcome::finished] == 4);
  CHECK(wrong.counts[trial_outcome::wrong_history] == 2);
  CHECK(wrong.message.starts_with("dequeue found nothing, but 1 was there all the time"));

  CHECK(run_trials(12, [&](auto, auto) { return wrong; }).histories == 12);
}

TEST_CASE("an object's operations on the runner's command line") {
  scenario what;
  what.subject = "queues/michael_scott";
  what.clients = simt::clients::warp;
  what.grid = {1, {2, 2}};
  what.threads = {{{"enqueue", {1}, ""}, {"dequeue", {}, ""}}, {{"put", {-3, 4}, ""}}};
  what.initial = {{"enqueue", {9}, ""}};
  CHECK(runner_command("/r", what, 5) == std::vector<std::string>{"/r",
                                                                  "--subject",
                                                                  "michael_scott",
                                                                  "--workload",
                                                                  "operations",
                                                                  "--clients",
                                                                  "warp",
                                                                  "--blocks",
                                                                  "1",
                                                                  "--lanes",
                                                                  "2,2",
                                                                  "--repeat",
                                                                  "1",
                                                                  "--operations",
                                                                  "0=enqueue:1,dequeue",
                                                                  "--operations",
                                                                  "2=put:-3:4",
                                                                  "--initial",
                                                                  "enqueue:9",
                                                                  "--deadline",
                                                                  "5",
                                                                  "--delays",
                                                                  "1",
                                                                  "--budget",
                                                                  "10"});
}

TEST_CASE("a scenario as the runner's command line") {
  scenario what;
  what.subject = "locks/tas";
  CHECK(runner_command("/r", what, 5) ==
        std::vector<std::string>{"/r", "--subject", "tas", "--clients", "lane", "--blocks", "1",
                                 "--lanes", "1", "--repeat", "1", "--deadline", "5", "--delays",
                                 "1", "--budget", "10"});
  what.workload = "counter";
  what.clients = simt::clients::warp;
  what.grid = {3, {32, 4}};
  what.repeat = 7;
  what.arrays = {{"nodes", {64, {}}}, {"order", {3, {7, -1, 0}}}};
  CHECK(runner_command("/r", what, 0.5) == std::vector<std::string>{"/r",
                                                                    "--subject",
                                                                    "tas",
                                                                    "--workload",
                                                                    "counter",
                                                                    "--clients",
                                                                    "warp",
                                                                    "--blocks",
                                                                    "3",
                                                                    "--lanes",
                                                                    "32,4",
                                                                    "--repeat",
                                                                    "7",
                                                                    "--array",
                                                                    "nodes=64",
                                                                    "--array",
                                                                    "order=3",
                                                                    "--values",
                                                                    "order=7,-1,0",
                                                                    "--deadline",
                                                                    "0.5",
                                                                    "--delays",
                                                                    "1",
                                                                    "--budget",
                                                                    "10"});
}
