#include "checker/commands/hardware_trial.hpp"

#include "checker/commands/hardware_histories.hpp"
#include "checker/history/open_spec.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>
#include <thread>

using namespace warpcheck;
using namespace std::chrono_literals;

namespace {

const std::atomic<bool> nobody{false};
constexpr std::chrono::duration<double> long_enough = 60s;

trial shell(const std::string& script, std::chrono::duration<double> patience = long_enough) {
  return run_trial({"/bin/sh", "-c", script}, patience, nobody);
}

trial ended(trial_outcome outcome, std::string message = {}) {
  return {outcome, std::move(message), 0.5, false, {}};
}

}  // namespace

TEST_CASE("what the runner reports") {
  const trial one = shell(
      R"(echo '{"device": "G", "outcome": "check-failed", "message": "3, not 4", "seconds": 0.25}')");
  CHECK(one.outcome == trial_outcome::check_failed);
  CHECK(one.message == "3, not 4");
  CHECK(one.seconds == 0.25);
  CHECK(shell(R"(echo '{"outcome": "finished"}')").outcome == trial_outcome::finished);
}

TEST_CASE("a runner that fails says nothing about the subject") {
  const trial failed = shell("echo 'launch: out of resources' >&2; exit 4");
  CHECK(failed.outcome == trial_outcome::no_result);
  CHECK(failed.message == "launch: out of resources");
  // A report counts only from a runner that ended well.
  CHECK(shell(R"(echo '{"outcome": "finished"}'; exit 1)").outcome == trial_outcome::no_result);
  CHECK(shell(R"(echo '{"outcome": "elsewhere"}')").outcome == trial_outcome::no_result);
  CHECK(shell("echo '[1]'").outcome == trial_outcome::no_result);
  CHECK(shell(":").message == "the runner ended with status 0 and said nothing");
  CHECK(shell("kill -9 $$").message == "the runner ended with status 137 and said nothing");
  CHECK_THROWS_AS(run_trial({"/nonexistent/runner"}, long_enough, nobody), std::runtime_error);
}

TEST_CASE("a runner that is stuck is killed with all that it started") {
  // The inner sleep keeps the pipe open; without a kill of the group this would wait for it.
  const trial stuck = shell("sleep 1000 & sleep 1000", 0.2s);
  CHECK(stuck.outcome == trial_outcome::no_result);
  CHECK(stuck.message.find("was killed") != std::string::npos);
}

TEST_CASE("an interrupt ends a trial") {
  std::atomic<bool> stop{true};
  CHECK(run_trial({"/bin/sh", "-c", "sleep 1000"}, long_enough, stop).interrupted);
}

TEST_CASE("trials are counted, messages kept once") {
  unsigned number = 0;
  const trials all = run_trials(4, [&] {
    return ++number % 2 == 1 ? ended(trial_outcome::finished)
                             : ended(trial_outcome::check_failed, "lost");
  });
  CHECK(all.counts[trial_outcome::finished] == 2);
  CHECK(all.counts[trial_outcome::check_failed] == 2);
  CHECK(all.messages == std::vector<std::string>{"lost"});
  CHECK(all.longest == 0.5);
}

TEST_CASE("after the first hang, at most two more trials") {
  CHECK(run_trials(20, [] { return ended(trial_outcome::hang); }).counts[trial_outcome::hang] == 3);
  CHECK(run_trials(2, [] { return ended(trial_outcome::hang); }).counts[trial_outcome::hang] == 2);
  unsigned number = 0;
  const trials late = run_trials(
      20, [&] { return ended(++number == 5 ? trial_outcome::hang : trial_outcome::finished); });
  CHECK(late.counts[trial_outcome::finished] == 6);
  CHECK(late.counts[trial_outcome::hang] == 1);
}

TEST_CASE("a runner that cannot do its work is not asked again; an interrupt ends all") {
  CHECK(run_trials(20, [] { return trial{}; }).counts[trial_outcome::no_result] == 1);
  const trials none = run_trials(20, [] { return trial{trial_outcome::no_result, "", 0, true}; });
  CHECK(none.interrupted);
  CHECK(none.counts[trial_outcome::no_result] == 0);
}

TEST_CASE("recorded histories, as lines of events") {
  const trial one = shell(
      R"(echo '{"outcome": "finished", "histories": [{"count": 7, "events": [{"event": "call", "client": 0, "op": "pop"}, {"event": "return", "client": 0}]}]}')");
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
  trial right = ended(trial_outcome::finished);
  right.histories = {{early + empty + enqueued, 3}, {early + dequeued + enqueued, 1}};
  judge.judge(right);
  CHECK(right.outcome == trial_outcome::finished);

  trial wrong = ended(trial_outcome::finished);
  wrong.histories = {right.histories[0], {late, 1}};
  judge.judge(wrong);
  CHECK(wrong.outcome == trial_outcome::wrong_history);
  CHECK(wrong.message.starts_with("dequeue found nothing, but 1 was there all the time"));

  // What went wrong otherwise comes first.
  trial failed = ended(trial_outcome::hang);
  failed.histories = wrong.histories;
  judge.judge(failed);
  CHECK(failed.outcome == trial_outcome::hang);

  CHECK(run_trials(2, [&] { return wrong; }).histories == 8);
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
                                                                  "--rounds",
                                                                  "500",
                                                                  "--deadline",
                                                                  "5"});
}

TEST_CASE("a scenario as the runner's command line") {
  scenario what;
  what.subject = "locks/tas";
  CHECK(runner_command("/r", what, 5) ==
        std::vector<std::string>{"/r", "--subject", "tas", "--clients", "lane", "--blocks", "1",
                                 "--lanes", "1", "--repeat", "1", "--deadline", "5"});
  what.workload = "counter";
  what.clients = simt::clients::warp;
  what.grid = {3, {32, 4}};
  what.repeat = 7;
  what.arrays = {{"nodes", {64, {}}}, {"order", {3, {7, -1, 0}}}};
  CHECK(
      runner_command("/r", what, 0.5) ==
      std::vector<std::string>{
          "/r",       "--subject", "tas",     "--workload", "counter",      "--clients",  "warp",
          "--blocks", "3",         "--lanes", "32,4",       "--repeat",     "7",          "--array",
          "nodes=64", "--array",   "order=3", "--values",   "order=7,-1,0", "--deadline", "0.5"});
}
