// What was seen on a GPU, against the model: with counts made up.
#include <doctest/doctest.h>

#include "litmus/gpu/judge.hpp"
#include "litmus/read/parser.hpp"

using namespace litmus;
using litmus::gpu::conclusion;
using litmus::gpu::counted_outcome;
using litmus::gpu::ending;
using litmus::gpu::judge;
using litmus::gpu::judgement;
using litmus::gpu::observation;
using litmus::gpu::read_observation;

namespace {

struct answers {
  program test;
  answer ptx, sc;

  explicit answers(const std::string& file, const candidate_options& options = {})
      : test(read_program(file)), ptx(evaluate(test, options)) {
    sc = evaluate(test, {memory_model::sc, {}});
  }

  [[nodiscard]] judgement of(std::vector<counted_outcome> outcomes,
                             ending end = ending::finished) const {
    observation seen;
    seen.end = end;
    for (const counted_outcome& o : outcomes) seen.instances += o.count;
    seen.outcomes = std::move(outcomes);
    return judge(test, ptx, sc, seen);
  }
};

}  // namespace

TEST_CASE("outcomes that are allowed, seen or not") {
  const answers mp("scenarios/litmus/mp.litmus");
  const judgement all = mp.of({{{0, 0}, 7}, {{1, 1}, 9}});
  CHECK(all.end == conclusion::agrees);
  REQUIRE(all.outcomes.size() == 3);
  CHECK(all.outcomes[0].values == std::vector<value>{0, 0});
  CHECK(all.outcomes[0].seen == 7);
  CHECK(all.outcomes[1].seen == 0);
  CHECK(all.outcomes[1].allowed);
  CHECK(all.outcomes[2].seen == 9);
}

TEST_CASE("one forbidden outcome is a contradiction, be it seen once") {
  const answers mp("scenarios/litmus/mp.litmus");
  const judgement wrong = mp.of({{{0, 0}, 4'000'000}, {{1, 0}, 1}});
  CHECK(wrong.end == conclusion::contradicts);
  REQUIRE(wrong.outcomes.size() == 4);
  CHECK(wrong.outcomes[2].values == std::vector<value>{1, 0});
  CHECK_FALSE(wrong.outcomes[2].allowed);
  CHECK(wrong.outcomes[2].satisfies);
  // One that was never seen is none.
  CHECK(mp.of({{{0, 0}, 1}, {{1, 0}, 0}}).end == conclusion::agrees);
}

TEST_CASE("weak outcomes are those that sequential consistency lacks") {
  const answers lb("scenarios/litmus/lb.litmus");
  const judgement all = lb.of({{{1, 1}, 3}});
  CHECK(all.end == conclusion::agrees);
  REQUIRE(all.outcomes.size() == 4);
  CHECK(all.outcomes[0].sequential == true);
  CHECK(all.outcomes[3].sequential == false);
}

TEST_CASE("an answer that is not complete forbids nothing") {
  candidate_options few;
  few.most_steps = 5;
  const answers lock("scenarios/litmus/lock.litmus", few);
  REQUIRE_FALSE(lock.ptx.covered.all);
  std::vector<value> some(lock.ptx.observed.size(), 77);
  CHECK(lock.of({{some, 1}}).end == conclusion::no_prediction);
}

TEST_CASE("launches that do not end") {
  const answers mp("scenarios/litmus/mp.litmus");
  CHECK(mp.of({{{0, 0}, 1}}, ending::hang).end == conclusion::contradicts);
  const answers never("tests/litmus/clauses/waits_are_not_circular.litmus");
  CHECK(never.of({}, ending::hang).end == conclusion::no_result);
  CHECK(mp.of({}, ending::device_error).end == conclusion::no_result);
  CHECK(mp.of({}, ending::no_result).end == conclusion::no_result);
  CHECK(mp.of({{{1, 0}, 1}}, ending::hang).end == conclusion::contradicts);
}

TEST_CASE("what the runner prints") {
  const observation seen = read_observation(
      R"({"device": "G", "outcome": "finished", "message": "", "launches": 2, "instances": 30,
          "incomplete": 4, "seconds": 0.5, "outcomes": [{"values": [1, -2], "count": 26}]})",
      0);
  CHECK(seen.end == ending::finished);
  CHECK(seen.launches == 2);
  CHECK(seen.instances == 30);
  CHECK(seen.incomplete == 4);
  CHECK(seen.seconds == 0.5);
  REQUIRE(seen.outcomes.size() == 1);
  CHECK(seen.outcomes[0].values == std::vector<value>{1, -2});
  CHECK(seen.outcomes[0].count == 26);
}

TEST_CASE("a runner that fails says nothing about the test") {
  CHECK(read_observation("launch: out of resources\n", 4).message == "launch: out of resources");
  CHECK(read_observation("", 139).message == "the runner ended with status 139 and said nothing");
  CHECK(read_observation(R"({"outcome": "finished"})", 0).end == ending::no_result);
  CHECK(read_observation(R"({"outcome": "elsewhere", "launches": 1})", 0).end == ending::no_result);
  CHECK(read_observation("[1]", 0).end == ending::no_result);
}
