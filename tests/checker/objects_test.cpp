// Objects with operations: the verdicts of the shipped subjects, their counterexamples, and the
// monitor and the reductions against all histories, each judged as a whole.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "checker/check/check.hpp"
#include "checker/history/check_history.hpp"
#include "checker/report/report.hpp"
#include "checker/search/search.hpp"
#include "tests/checker/run_source.hpp"
#include "tests/naive/random.hpp"
#include "tests/tier.hpp"

namespace {

using warpcheck::verdict;

warpcheck::scenario scenario_of(const std::string& subject,
                                const std::vector<std::vector<std::string>>& threads,
                                const std::vector<std::string>& initial = {}) {
  warpcheck::scenario what;
  what.file = "test.toml";
  what.subject = subject;
  const auto list = [](const std::vector<std::string>& texts) {
    std::vector<warpcheck::written_operation> all;
    for (const std::string& text : texts) all.push_back(*warpcheck::operation_from(text));
    return all;
  };
  for (const auto& thread : threads) what.threads.push_back(list(thread));
  what.initial = list(initial);
  what.grid.lanes = {static_cast<std::uint32_t>(threads.size())};
  return what;
}

/// The violations found, as names. Each of them is replayed.
std::string found(const warpcheck::scenario& what, const warpcheck::run_settings& how,
                  const warpcheck::reductions& reduce = {}) {
  warpcheck::session run(what, how);
  const warpcheck::run_result result = warpcheck::check(run, {}, reduce);
  REQUIRE(result.complete);
  warpcheck::names named(run);
  const auto shown = warpcheck::show_all(run, named, result);
  for (const warpcheck::shown_violation& one : shown) {
    CHECK(!one.why.empty());
    if (one.operations) CHECK(!one.operations->evidence.operations.empty());
  }
  return test::source_run::names(result);
}

warpcheck::run_settings under(simt::reconvergence model,
                              warpcheck::verdict_set check = warpcheck::usual_checks) {
  warpcheck::run_settings how;
  how.machine.reconvergence = model;
  how.check = check;
  return how;
}

constexpr auto its = simt::reconvergence::its;
constexpr auto stack = simt::reconvergence::stack;

/// Whether some run has a history that no order explains, told by listing all of them: states are
/// told apart by everything that has happened.
bool some_history_is_broken(const warpcheck::scenario& what, simt::reconvergence model,
                            warpcheck::consistency wanted) {
  // Only with a monitor does the session know what operations mean; its words say nothing here.
  const bool transactions = wanted == warpcheck::consistency::opaque ||
                            wanted == warpcheck::consistency::strictly_serializable;
  const verdict kind = transactions ? verdict::not_opaque : verdict::not_linearizable;
  warpcheck::session run(what, under(model, warpcheck::bit(kind)));
  const simt::history_monitor& monitor = *run.object().monitor;
  simt::machine& machine = run.machine();
  struct situation {
    simt::state_words words;
    std::vector<std::pair<std::uint32_t, simt::operation>> events;
  };
  const auto key = [&](const situation& s) {
    std::string text(reinterpret_cast<const char*>(s.words.data()), s.words.size() * 4);
    for (const auto& [lane, op] : s.events) {
      text.append(reinterpret_cast<const char*>(&lane), sizeof lane);
      text.append(reinterpret_cast<const char*>(&op), sizeof op);
    }
    return text;
  };
  const auto history_of = [&](const situation& s) {
    warpcheck::history h;
    h.clients.resize(what.grid.threads());
    std::map<std::uint32_t, std::size_t> open;
    warpcheck::event_time now = 0;
    for (const auto& [lane, op] : s.events) {
      ++now;
      if (op.kind == simt::operation_kind::called) {
        open[lane] = h.operations.size();
        warpcheck::recorded_operation o;
        o.what = monitor.call_of(op, lane);
        o.called = now;
        h.operations.push_back(o);
      } else {
        warpcheck::recorded_operation& o = h.operations[open[lane]];
        o.completed = true;
        o.returned = monitor.result_of(op);
        o.returns = now;
      }
    }
    return h;
  };
  warpcheck::history_options options;
  options.wanted = wanted;
  options.evidence = false;
  std::set<std::string> judged;
  const auto is_broken = [&](const situation& s) {
    const warpcheck::history h = history_of(s);
    return check_history(h, *run.object().spec, options).decided == warpcheck::answer::impossible;
  };
  std::vector<situation> open{{machine.initial(), {}}};
  std::set<std::string> seen{key(open.front())};
  simt::successor_list list;
  while (!open.empty()) {
    const situation here = std::move(open.back());
    open.pop_back();
    machine.steps(here.words, list);
    const simt::successor_list all = list;
    const bool at_end = all.transitions.empty() && machine.is_complete(here.words);
    if (at_end && is_broken(here)) return true;
    for (const simt::transition& t : all.transitions) {
      if (t.ends != simt::ending::none) continue;
      situation next{{}, here.events};
      const auto words = all.state(t, machine.words());
      next.words.assign(words.begin(), words.end());
      bool returned = false;
      if (t.by.what == simt::choice::kind::lane) {
        const simt::operation& op = machine.waits_at(here.words, t.by.unit);
        returned = op.kind == simt::operation_kind::returned;
        if (returned || op.kind == simt::operation_kind::called) {
          next.events.emplace_back(t.by.unit, op);
        }
      }
      if (!seen.insert(key(next)).second) continue;
      const bool now = returned && wanted != warpcheck::consistency::sequential &&
                       wanted != warpcheck::consistency::quiescent;
      if (now && is_broken(next)) return true;
      open.push_back(std::move(next));
    }
  }
  return false;
}

void find_under_all_reductions(const warpcheck::scenario& what, simt::reconvergence model,
                               verdict violation, bool expected) {
  warpcheck::session run(what, under(model, warpcheck::bit(violation)));
  for (unsigned some = 0; some < 16; ++some) {
    warpcheck::reductions reduce;
    reduce.merge = (some & 1) != 0;
    reduce.symmetry = (some & 2) != 0;
    reduce.order = (some & 4) != 0;
    reduce.dead = (some & 8) != 0;
    INFO(std::string(name(violation)), ", reductions ", to_text(reduce));
    const auto result = warpcheck::check(run, {}, reduce);
    REQUIRE(result.complete);
    REQUIRE((result.found() != 0) == expected);
  }
}

/// A transaction or two, of one or two reads and writes each.
std::vector<std::string> random_transactions(naive::random_source& random) {
  std::vector<std::string> all{"begin"};
  for (int i = 1 + random.below(2); i > 0; --i) {
    const std::string word = std::to_string(random.below(2));
    all.push_back(random.percent(50) ? "read " + word : "write " + word + " 1");
    if (random.percent(20)) all.emplace_back("begin");
  }
  if (random.percent(80)) all.emplace_back("commit");
  return all;
}

std::vector<std::vector<std::string>> random_threads(naive::random_source& random,
                                                     const std::string& put,
                                                     const std::string& take, int threads,
                                                     int most) {
  std::vector<std::vector<std::string>> all;
  int next = 0;
  for (int t = 0; t < threads; ++t) {
    auto& list = all.emplace_back();
    for (int i = 1 + random.below(most); i > 0; --i) {
      const bool counts = put == "increment";
      list.push_back(random.percent(50) ? take : counts ? put : put + " " + std::to_string(++next));
    }
  }
  return all;
}

}  // namespace

TEST_CASE("shipped objects") {
  using threads = std::vector<std::vector<std::string>>;
  const threads of_queue{{"enqueue 1", "dequeue"}, {"enqueue 2", "dequeue"}, {"enqueue 3"}};
  const threads of_stack{{"push 1", "pop"}, {"push 2", "pop"}, {"push 3"}};
  const threads few{{"enqueue 1"}, {"enqueue 2", "dequeue"}};
  CHECK(found(scenario_of("counters/counter_fetch_add",
                          {{"increment", "read"}, {"increment", "read"}, {"read"}}),
              under(its)) == "ok");
  CHECK(found(scenario_of("counters/counter_two_steps", {{"increment"}, {"increment", "read"}}),
              under(its)) == "not-linearizable");
  CHECK(found(scenario_of("stacks/treiber", of_stack), under(its)) == "ok");
  CHECK(found(scenario_of("stacks/treiber", of_stack), under(stack)) == "ok");
  CHECK(found(scenario_of("stacks/treiber_store", {{"push 1", "pop"}, {"pop"}}), under(its)) ==
        "not-linearizable");
  CHECK(found(scenario_of("queues/michael_scott", of_queue), under(its)) == "ok");
  CHECK(found(scenario_of("queues/herlihy_wing", of_queue), under(its)) == "ok");
  CHECK(found(scenario_of("queues/locked_queue", of_queue), under(its)) == "ok");
  CHECK(found(scenario_of("queues/locked_queue", of_queue), under(stack)) == "simt-deadlock");
  CHECK(found(scenario_of("queues/tail_first", few), under(its)) == "not-linearizable");
  CHECK(found(scenario_of("queues/vyukov", few), under(its)) == "not-linearizable");
  CHECK(found(scenario_of("queues/spsc_ring", {{"enqueue 1", "enqueue 2", "enqueue 3"},
                                               {"dequeue", "dequeue", "dequeue"}}),
              under(its)) == "ok");
}

TEST_CASE("other kinds of consistency") {
  using warpcheck::bit;
  const auto all = static_cast<warpcheck::verdict_set>(warpcheck::inconsistencies);
  // The client's own enqueue comes before its dequeue, which finds nothing: no order at all.
  CHECK(found(scenario_of("queues/tail_first", {{"enqueue 1"}, {"enqueue 2", "dequeue"}}),
              under(its, all)) == "not-linearizable not-sequentially-consistent");
  // A later client finds nothing: in another order of clients that is right.
  CHECK(found(scenario_of("queues/tail_first", {{"enqueue 1"}, {"enqueue 2"}, {"dequeue"}}),
              under(its, all)) == "not-linearizable");
  CHECK(found(scenario_of("counters/counter_two_steps", {{"increment"}, {"increment"}, {"read"}}),
              under(its, all)) == "not-linearizable not-quiescently-consistent");
}

TEST_CASE("what an object holds at first") {
  CHECK(found(scenario_of("stacks/treiber", {{"pop"}, {"pop"}}, {"push 1", "push 2"}),
              under(its)) == "ok");
  CHECK(found(scenario_of("stacks/treiber_store", {{"pop"}, {"pop"}}, {"push 1", "push 2"}),
              under(its)) == "not-linearizable");
}

TEST_CASE("all histories, judged one by one") {
  naive::random_source random(7);
  int broken = 0;
  int sound = 0;
  const auto compare = [&](const std::string& subject,
                           const std::vector<std::vector<std::string>>& threads) {
    const warpcheck::scenario what = scenario_of(subject, threads);
    std::string text;
    for (const auto& thread : what.threads) {
      for (const auto& one : thread) text += one.text() + ", ";
      text += "; ";
    }
    for (const auto model : {its, stack}) {
      INFO(subject, ": ", text, model == its ? "its" : "stack");
      struct kind {
        warpcheck::consistency wanted;
        verdict violation;
      };
      for (const kind k :
           {kind{warpcheck::consistency::linearizable, verdict::not_linearizable},
            kind{warpcheck::consistency::sequential, verdict::not_sequentially_consistent},
            kind{warpcheck::consistency::quiescent, verdict::not_quiescently_consistent}}) {
        const bool expected = some_history_is_broken(what, model, k.wanted);
        (expected ? broken : sound) += 1;
        find_under_all_reductions(what, model, k.violation, expected);
      }
    }
  };
  for (int i = 0; i < 6; ++i) {
    const int threads = 2 + i % 2;
    const auto generated = [&](const std::string& subject, const std::string& put,
                               const std::string& take, int clients) {
      const auto all = random_threads(random, put, take, clients, 2);
      if (test::is_due(subject + " " + std::to_string(i))) compare(subject, all);
    };
    generated("queues/tail_first", "enqueue", "dequeue", threads);
    generated("stacks/treiber_store", "push", "pop", threads);
    generated("counters/counter_two_steps", "increment", "read", threads);
    generated("queues/vyukov", "enqueue", "dequeue", 2);
  }
  compare("queues/vyukov", {{"enqueue 1"}, {"enqueue 2", "dequeue"}});
  compare("queues/tail_first", {{"enqueue 1"}, {"enqueue 2"}, {"dequeue"}});
  compare("stacks/treiber_store", {{"push 1", "pop"}, {"pop"}});
  compare("stacks/treiber_store", {{"push 1", "pop"}, {"push 2", "pop"}});
  compare("counters/counter_two_steps", {{"increment"}, {"increment", "read"}});
  compare("counters/counter_two_steps", {{"increment", "read"}, {"increment", "read"}});
  compare("stacks/treiber", {{"push 1", "pop"}, {"push 2"}});
  MESSAGE(broken, " with a broken history, ", sound, " without");
  CHECK(broken > 10);
  CHECK(sound > 10);
}

TEST_CASE("all histories of transactions, judged one by one") {
  naive::random_source random(8);
  int broken = 0;
  int sound = 0;
  using threads = std::vector<std::vector<std::string>>;
  const auto compare = [&](const std::string& subject, const threads& all) {
    const warpcheck::scenario what = scenario_of(subject, all);
    std::string text;
    for (const auto& thread : what.threads) {
      for (const auto& one : thread) text += one.text() + ", ";
      text += "; ";
    }
    INFO(subject, ": ", text);
    using warpcheck::consistency;
    const bool not_serializable =
        some_history_is_broken(what, its, consistency::strictly_serializable);
    const bool not_opaque = some_history_is_broken(what, its, consistency::opaque);
    find_under_all_reductions(what, its, verdict::not_strictly_serializable, not_serializable);
    find_under_all_reductions(what, its, verdict::not_opaque, not_opaque);
    (not_serializable ? broken : sound) += 1;
    (not_opaque ? broken : sound) += 1;
  };
  for (int i = 0; i < 12; ++i) {
    for (const std::string subject : {"stm/tl2_young_words", "stm/blocking_written"}) {
      const threads all{random_transactions(random), random_transactions(random)};
      if (test::is_due(subject + " " + std::to_string(i))) compare(subject, all);
    }
  }
  compare("stm/tl2_young_words",
          {{"begin", "read 0", "read 1"}, {"begin", "write 0 1", "write 1 1", "commit"}});
  compare("stm/blocking_no_validation",
          {{"begin", "read 0", "write 0 1", "commit"}, {"begin", "read 0", "write 0 1", "commit"}});
  MESSAGE(broken, " with a broken history, ", sound, " without");
  CHECK(broken > 0);
  CHECK(sound > 0);
}

TEST_CASE("whatever is left out, the same violations are found") {
  naive::random_source random(11);
  struct kind {
    const char* subject;
    const char* put;
    const char* take;
  };
  const kind kinds[] = {
      {"queues/locked_queue", "enqueue", "dequeue"}, {"queues/herlihy_wing", "enqueue", "dequeue"},
      {"queues/tail_first", "enqueue", "dequeue"},   {"queues/michael_scott", "enqueue", "dequeue"},
      {"queues/spsc_ring", "enqueue", "dequeue"},    {"stacks/treiber_store", "push", "pop"}};
  std::map<std::string, int> seen;
  for (const kind& k : kinds) {
    for (int i = 0; i < 4; ++i) {
      const auto threads = random_threads(random, k.put, k.take, 2 + i % 2, 2);
      if (i > 0 && !test::is_due(std::string(k.subject) + ", " + std::to_string(i))) continue;
      const warpcheck::scenario what = scenario_of(k.subject, threads);
      for (const auto model : {its, stack}) {
        for (const auto progress : {simt::progress::fair, simt::progress::unfair}) {
          warpcheck::run_settings how = under(model);
          how.progress = progress;
          warpcheck::session plain(what, how);
          const auto expected = warpcheck::check(plain, {}, warpcheck::reductions::none());
          REQUIRE(expected.complete);
          ++seen[test::source_run::names(expected)];
          for (unsigned some = 1; some < 16; ++some) {
            warpcheck::reductions reduce;
            reduce.merge = (some & 1) != 0;
            reduce.symmetry = (some & 2) != 0;
            reduce.order = (some & 4) != 0;
            reduce.dead = (some & 8) != 0;
            warpcheck::session run(what, how);
            const auto result = warpcheck::check(run, {}, reduce);
            INFO(k.subject, ", reductions ", to_text(reduce));
            REQUIRE(result.complete);
            REQUIRE(test::source_run::names(result) == test::source_run::names(expected));
          }
        }
      }
    }
  }
  for (const auto& [names, count] : seen) MESSAGE(names, ": ", count, " times");
  if (test::is_thorough()) CHECK(seen.size() >= 4);  // what a tenth of them shows varies
}

TEST_CASE("single runs at random show broken histories") {
  for (const char* subject : {"queues/tail_first", "queues/vyukov"}) {
    for (const auto kind : {warpcheck::search_kind::random, warpcheck::search_kind::pct,
                            warpcheck::search_kind::swarm}) {
      warpcheck::session run(scenario_of(subject, {{"enqueue 1"}, {"enqueue 2", "dequeue"}}),
                             under(its));
      warpcheck::search_options options;
      options.kind = kind;
      options.runs = 2'000;
      const auto result = warpcheck::search(run, {}, options);
      CHECK(result.gravest == verdict::not_linearizable);
      warpcheck::names named(run);
      CHECK(warpcheck::show_all(run, named, result).size() == result.violations.size());
    }
  }
}

TEST_CASE("several threads explore an object together") {
  warpcheck::session run(
      scenario_of("stacks/treiber", {{"push 1", "pop"}, {"push 2", "pop"}, {"push 3", "pop"}}),
      under(its));
  warpcheck::limits bounds;
  const auto alone = warpcheck::check(run, bounds, warpcheck::reductions::none());
  bounds.threads = 4;
  bounds.share_after = 1'000;
  const auto together = warpcheck::check(run, bounds, warpcheck::reductions::none());
  CHECK(together.gravest == verdict::ok);
  CHECK(together.states == alone.states);
  CHECK(together.transitions == alone.transitions);
}

TEST_CASE("mistakes in operations") {
  const auto message = [](const warpcheck::scenario& what, const warpcheck::run_settings& how) {
    try {
      warpcheck::session run(what, how);
    } catch (const warpcheck::usage_error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto of = [&](const std::string& subject, const std::string& operation,
                      const std::string& spec = "") {
    warpcheck::scenario what = scenario_of(subject, {{operation}});
    what.threads[0][0].where = "test.toml:3:7";
    what.spec = spec;
    return message(what, under(its));
  };
  CHECK(of("queues/vyukov", "enqeue 1") ==
        "test.toml:3:7: subject \"queues/vyukov\" has no operation \"enqeue\"; did you mean "
        "\"enqueue\"?");
  CHECK(of("queues/vyukov", "push 1") ==
        "test.toml:3:7: subject \"queues/vyukov\" has no operation \"push\"; it has enqueue, "
        "dequeue");
  CHECK(of("queues/vyukov", "enqueue") ==
        "test.toml:3:7: enqueue takes 1 argument, not 0; write for example \"enqueue 1\"");
  CHECK(of("queues/vyukov", "dequeue 1") ==
        "test.toml:3:7: dequeue takes 0 arguments, not 1; write \"dequeue\"");
  CHECK(
      of("queues/vyukov", "enqueue 1", "stack") ==
      "test.toml:3:7: the specification \"stack\" has no operation \"enqueue\"; it has push, pop: "
      "choose another \"spec\"");
  CHECK(of("queues/vyukov", "enqueue 1", "queue") ==
        "test.toml:3:7: enqueue returns bool, but nothing in the specification \"queue\"; choose "
        "another \"spec\", or change the subject");
  CHECK(of("queues/vyukov", "enqueue 1", "quue") ==
        "test.toml: spec: there is no specification \"quue\"; did you mean \"queue\"?");
  CHECK(of("locks/tas", "enqueue 1") ==
        "test.toml: subject \"locks/tas\" has no operations for \"threads\"; it fits counter: use "
        "\"workload\"");
  warpcheck::scenario none;
  none.file = "test.toml";
  none.subject = "queues/vyukov";
  CHECK(message(none, under(its)) ==
        "test.toml: subject \"queues/vyukov\" is an object with operations; say what its clients "
        "do, as in threads = [[\"enqueue 1\"]]");
}

TEST_CASE("operations, specification and list of one's own") {
  test::source_run run(R"(
#include <simt/spec.hpp>
SIMT_OPERATION(flip);
struct subject {
  using operations = simt::operation_list<simt_operation_flip>;
  static constexpr const char* spec = "toggle";
  simt::atomic<int> state{0};
  SIMT_FN bool flip() { return state.fetch_xor(1, simt::memory_order_relaxed) != 0; }
  SIMT_FN int& of_block() { return simt::block_shared<int>(); }
};
SIMT_SUBJECT(subject);
struct toggle {
  static constexpr const char* name = "toggle";
  static std::vector<simt::spec::operation> operations() {
    return {{"flip", {}, simt::spec::type::boolean}};
  }
  simt::spec::state initial() const { return {0}; }
  void apply(const simt::spec::state& before, const simt::spec::call&,
             simt::spec::outcomes& out) const {
    out.add(simt::spec::some(before[0]), {1 - before[0]});
  }
};
SIMT_SPEC(toggle);
)",
                       {1, {2}});
  run.what.threads = {{*warpcheck::operation_from("flip")},
                      {*warpcheck::operation_from("flip"), *warpcheck::operation_from("flip")}};
  CHECK(run.found() == "ok");
  run.what.initial = {*warpcheck::operation_from("flip")};
  CHECK(run.found() == "ok");
}

TEST_CASE("clients are lanes, warps or blocks") {
  for (const auto who : {simt::clients::lane, simt::clients::warp, simt::clients::block}) {
    warpcheck::scenario what =
        scenario_of("queues/tail_first", {{"enqueue 1"}, {"enqueue 2", "dequeue"}});
    what.clients = who;
    if (who == simt::clients::warp) what.grid.lanes = {1, 2};
    if (who == simt::clients::block) {
      what.grid.blocks = 2;
      what.grid.lanes = {1};
    }
    CHECK(found(what, under(its)) == "not-linearizable");
  }
}
