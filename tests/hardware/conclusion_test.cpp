// Tests what `warpcheck hardware` concludes from the model's verdict and the outcomes of trials on
// a GPU.
#include "checker/hardware/conclusion.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace warpcheck;

namespace {

constexpr verdict_set deadlock = bit(verdict::deadlock);
constexpr verdict_set livelock = bit(verdict::livelock);
constexpr verdict_set simt_deadlock = bit(verdict::simt_deadlock);
constexpr verdict_set failed_check = bit(verdict::assertion);
constexpr verdict_set race = bit(verdict::race);
constexpr verdict_set bad_access = bit(verdict::bad_access);
constexpr verdict_set divergence = bit(verdict::barrier_divergence);

trial_counts seen(std::initializer_list<trial_outcome> outcomes) {
  trial_counts counts;
  for (const trial_outcome o : outcomes) ++counts[o];
  return counts;
}

struct expected {
  trial_outcome seen;
  conclusion end;
};

// What each kind of outcome, beside launches that finished, must lead to.
void check_all(prediction model, const std::vector<expected>& table) {
  for (const expected& line : table) {
    INFO("violations " << model.violations << ", complete " << model.complete << ", seen "
                       << std::string(name(line.seen)));
    CHECK(conclude(model, seen({trial_outcome::finished, line.seen})) == line.end);
  }
}

}  // namespace

using enum trial_outcome;

TEST_CASE("the model says ok") {
  check_all({0, true}, {{finished, conclusion::agrees},
                        {hang, conclusion::contradicts},
                        {check_failed, conclusion::contradicts},
                        {assertion, conclusion::contradicts},
                        {device_error, conclusion::contradicts},
                        {wrong_history, conclusion::contradicts},
                        {no_result, conclusion::agrees}});
  check_all({bit(verdict::not_linearizable), true}, {{finished, conclusion::not_seen},
                                                     {wrong_history, conclusion::confirmed},
                                                     {hang, conclusion::contradicts}});
}

TEST_CASE("the model does not end: what it has not found says nothing") {
  check_all({0, false}, {{finished, conclusion::no_prediction},
                         {hang, conclusion::no_prediction},
                         {check_failed, conclusion::no_prediction},
                         {assertion, conclusion::no_prediction},
                         {device_error, conclusion::no_prediction}});
  check_all({deadlock, false}, {{finished, conclusion::not_seen},
                                {hang, conclusion::confirmed},
                                {check_failed, conclusion::no_prediction}});
  check_all({race, false}, {{finished, conclusion::allowed}, {hang, conclusion::allowed}});
}

TEST_CASE("a hang is a deadlock or a livelock") {
  for (const verdict_set kind : {deadlock, livelock, simt_deadlock}) {
    check_all({kind, true}, {{finished, conclusion::not_seen},
                             {hang, conclusion::confirmed},
                             {check_failed, conclusion::contradicts},
                             {assertion, conclusion::contradicts},
                             {device_error, conclusion::contradicts}});
  }
}

TEST_CASE("a failed check is an assertion, in device code or behind it") {
  check_all({failed_check, true}, {{finished, conclusion::not_seen},
                                   {hang, conclusion::contradicts},
                                   {check_failed, conclusion::confirmed},
                                   {assertion, conclusion::confirmed},
                                   {device_error, conclusion::contradicts}});
}

TEST_CASE("what is undefined excuses everything") {
  for (const verdict_set kind : {race, bad_access, divergence}) {
    check_all({kind, true}, {{finished, conclusion::allowed},
                             {hang, conclusion::allowed},
                             {check_failed, conclusion::allowed},
                             {assertion, conclusion::allowed}});
  }
  check_all({bad_access, true}, {{device_error, conclusion::confirmed}});
  check_all({race, true}, {{device_error, conclusion::allowed}});
}

TEST_CASE("what the model predicts by name is confirmed, undefined or not") {
  check_all({deadlock | race, true}, {{finished, conclusion::allowed},
                                      {hang, conclusion::confirmed},
                                      {check_failed, conclusion::allowed}});
  check_all({failed_check | race, true},
            {{check_failed, conclusion::confirmed}, {hang, conclusion::allowed}});
}

TEST_CASE("one outcome that is not predicted outweighs those that are") {
  CHECK(conclude({deadlock, true}, seen({hang, check_failed})) == conclusion::contradicts);
  CHECK(conclude({deadlock | failed_check, true}, seen({hang, check_failed})) ==
        conclusion::confirmed);
  CHECK(conclude({deadlock | race, true}, seen({hang, check_failed})) == conclusion::allowed);
}

TEST_CASE("nothing seen") {
  CHECK(conclude({0, true}, seen({})) == conclusion::no_result);
  CHECK(conclude({deadlock, true}, seen({no_result})) == conclusion::no_result);
  CHECK(conclude({race, true}, seen({no_result, no_result})) == conclusion::no_result);
}

TEST_CASE("exit statuses") {
  CHECK(status_of(conclusion::contradicts) == exit_status::not_expected);
  CHECK(status_of(conclusion::no_prediction) == exit_status::inconclusive);
  CHECK(status_of(conclusion::no_result) == exit_status::inconclusive);
  for (const conclusion c :
       {conclusion::agrees, conclusion::confirmed, conclusion::not_seen, conclusion::allowed}) {
    CHECK(status_of(c) == exit_status::as_expected);
  }
}

TEST_CASE("the runner's names of outcomes") {
  CHECK(trial_outcome_named("check-failed") == check_failed);
  CHECK(trial_outcome_named("device-error") == device_error);
  CHECK_FALSE(trial_outcome_named("done"));
}

TEST_CASE("a larger grid than the scenario's") {
  const prediction ok{0, true};
  const prediction stopped{0, false};
  const prediction hangs{deadlock, true};
  const trial_counts finished = seen({trial_outcome::finished});
  const trial_counts hung = seen({trial_outcome::hang});

  // Explored to the end, its own verdict counts.
  CHECK(conclude(larger_prediction(ok, hangs), hung) == conclusion::contradicts);
  CHECK(conclude(larger_prediction(hangs, ok), hung) == conclusion::confirmed);
  CHECK(conclude(larger_prediction(ok, hangs), finished) == conclusion::agrees);

  // Else what is wrong in the small grid is predicted for the large one, too.
  CHECK(conclude(larger_prediction(stopped, hangs), hung) == conclusion::confirmed);
  CHECK(conclude(larger_prediction(stopped, hangs), finished) == conclusion::not_seen);
  CHECK(conclude(larger_prediction(stopped, ok), finished) == conclusion::as_smaller);
  CHECK(conclude(larger_prediction(stopped, ok), hung) == conclusion::no_prediction);
  CHECK(conclude(larger_prediction(stopped, stopped), finished) == conclusion::no_prediction);
}
