// Counterexamples under memory = "ptx" are judged by the axioms before they are reported.
#include <doctest/doctest.h>

#include <algorithm>

#include "checker/axioms/recorded_events.hpp"
#include "checker/explore/counterexample.hpp"
#include "checker/explore/explorer.hpp"
#include "checker/explore/reduced_machine.hpp"
#include "tests/checker/run_source.hpp"

namespace {

using litmus::event_kind;

/// Lanes in blocks of their own; each has one of the bodies.
std::string lanes(const std::vector<std::string>& bodies) {
  std::string code = "using namespace simt;\n";
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    code += fmt::format("if (block_index() == {}) {{\n{}\n}}\n", i, bodies[i]);
  }
  return test::kernel(
      "simt::atomic<int, simt::thread_scope_device> x{0}, y{0}, a{0}, b{0}; int data = 0;", code,
      "return a.load() == 0 || b.load() == 0;");
}

struct judged_run {
  explicit judged_run(const std::vector<std::string>& bodies)
      : source(lanes(bodies), {static_cast<std::uint32_t>(bodies.size()), {1}}) {
    source.how.machine.memory = simt::memory_model::ptx;
  }
  test::source_run source;

  warpcheck::recorded_events of_assertion() {
    warpcheck::session run(source.what, source.how);
    const auto result = warpcheck::check(run, source.bounds);
    CHECK(result.forbidden_executions == 0);
    REQUIRE(!result.violations.empty());
    CHECK(result.violations.front().kind == warpcheck::verdict::assertion);
    auto recorded = warpcheck::record_events(run.machine(), result.violations.front().how);
    REQUIRE(recorded.has_value());
    return std::move(*recorded);
  }
};

const char* const message_sent =
    "x.store(1, memory_order_relaxed); y.store(1, memory_order_relaxed);";
// What was read: 1 and then 0.
const char* const old_message_seen =
    "const int first = y.load(memory_order_relaxed), second = x.load(memory_order_relaxed);"
    "a.store(first); b.store(1 - second);";

std::vector<litmus::event*> of_lane(warpcheck::recorded_events& recorded, std::uint32_t lane,
                                    event_kind kind) {
  std::vector<litmus::event*> all;
  for (litmus::event& e : recorded.events.events) {
    if (e.thread == lane && e.kind == kind) all.push_back(&e);
  }
  std::ranges::sort(all, {}, &litmus::event::index);
  return all;
}

}  // namespace

TEST_CASE("the axioms allow the executions that the machine makes") {
  const char* const both = "a.fetch_add(1, memory_order_relaxed);";
  const std::vector<std::vector<std::string>> programs{
      {message_sent, old_message_seen},
      // Store buffering, with read-modify-writes between.
      {"x.store(1, memory_order_relaxed); a.store(1 - y.exchange(0, memory_order_relaxed));",
       "y.store(1, memory_order_relaxed); b.store(1 - x.exchange(0, memory_order_relaxed));"},
      // Load buffering: promises.
      {"a.store(x.load(memory_order_relaxed), memory_order_relaxed);"
       "y.store(1, memory_order_relaxed);",
       "b.store(y.load(memory_order_relaxed), memory_order_relaxed);"
       "x.store(1, memory_order_relaxed);"},
      {"a.store(x.load(memory_order_relaxed), memory_order_relaxed);"
       "y.exchange(1, memory_order_relaxed);",
       "b.store(y.load(memory_order_relaxed), memory_order_relaxed);"
       "x.fetch_add(1, memory_order_relaxed);"},
      // Loops, fences, a third lane.
      {"while (x.load(memory_order_acquire) == 0) {} b.store(1);",
       "atomic_thread_fence(memory_order_seq_cst, thread_scope_device); x.store(1);", both},
  };
  for (const auto& bodies : programs) {
    auto recorded = judged_run(bodies).of_assertion();
    CHECK(recorded.whole);
    CHECK(!warpcheck::forbidden_by(recorded));
  }
}

TEST_CASE("an execution that the axioms forbid is found out") {
  judged_run run({message_sent, old_message_seen});
  SUBCASE("release and acquire") {
    auto recorded = run.of_assertion();
    of_lane(recorded, 0, event_kind::store).at(1)->order = litmus::memory_order::release;
    CHECK(!warpcheck::forbidden_by(recorded));
    of_lane(recorded, 1, event_kind::load).at(0)->order = litmus::memory_order::acquire;
    CHECK(warpcheck::forbidden_by(recorded) == litmus::axiom::causality);
  }
  SUBCASE("coherence against program order") {
    judged_run twice({"x.store(1, memory_order_relaxed); x.store(2, memory_order_relaxed);",
                      "a.store(1); b.store(1);"});
    auto recorded = twice.of_assertion();
    CHECK(!warpcheck::forbidden_by(recorded));
    const auto stores = of_lane(recorded, 0, event_kind::store);
    std::swap(stores.at(0)->index, stores.at(1)->index);
    CHECK(warpcheck::forbidden_by(recorded));
  }
}

TEST_CASE("an execution that is longer than the axioms look at is judged as far as they do") {
  judged_run run(
      {"for (int i = 0; i < 80; ++i) { x.store(i, memory_order_relaxed); }"
       "a.store(1);",
       "b.store(1);"});
  auto recorded = run.of_assertion();
  CHECK(!recorded.whole);
  CHECK(recorded.events.size() <= litmus::most_events);
  CHECK(!warpcheck::forbidden_by(recorded));
}

TEST_CASE("a way that may not be shown gives way to another one, and else the kind is missing") {
  judged_run one({"x.store(1, memory_order_relaxed); a.store(1);",
                  "y.store(1, memory_order_relaxed); b.store(1);"});
  warpcheck::session run(one.source.what, one.source.how);
  simt::lane_automaton automaton(run.lanes(), false);
  warpcheck::reduced_machine reduced(run, automaton, warpcheck::reductions::none());
  reduced.renew(run);
  simt::machine& machine = *reduced.machine;
  warpcheck::explore_options options;
  options.check = bit(warpcheck::verdict::assertion);
  options.final_check = [&](std::span<const std::uint8_t> image) { return run.final_check(image); };
  (void)warpcheck::check(run, one.source.bounds);  // all that steps depend on is known then
  for (const int refused : {0, 1, 1'000'000}) {
    warpcheck::explorer search(machine, options, one.source.bounds);
    const simt::state_words root = machine.initial();
    search.run({&root, 1});
    warpcheck::counterexample_request request;
    request.kinds = search.found();
    int asked = 0;
    request.may_be_shown = [&](const warpcheck::execution&) { return asked++ >= refused; };
    std::vector<warpcheck::violation> shown;
    CHECK(counterexamples(search, search.states().find(root), request, shown));
    CHECK(shown.size() == (refused < 2 ? 1U : 0U));
    CHECK(asked <= 1'001);
    CHECK(asked > std::min(refused, 1));
  }
}
