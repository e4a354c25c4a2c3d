// Generated histories, event by event: the observers agree with all orders tried one by one and
// with the search over whole histories, at every event.
//
// WARPCHECK_HISTORIES=n makes n histories for each specification, WARPCHECK_SEED=s others than
// usual.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "checker/history/check_history.hpp"
#include "sim/monitor/observer.hpp"
#include "sim/spec/spec_library.hpp"
#include "tests/history/environment.hpp"
#include "tests/history/oracle.hpp"

using namespace naive_history;
using simt::observer;

namespace {

struct object_kind {
  const char* name;
  const char* parameter;  // null: none
};
constexpr object_kind kinds[] = {
    {"register", nullptr},     {"counter", nullptr},          {"stack", nullptr},
    {"queue", nullptr},        {"bounded_queue", "capacity"}, {"set", nullptr},
    {"map", nullptr},          {"priority_queue", nullptr},   {"deque", nullptr},
    {"priority_set", nullptr}, {"semaphore", "permits"},      {"barrier", "parties"},
    {"dcas", nullptr},         {"containers", "queue_a"},     {"three_stacks", nullptr}};

struct event {
  int when;
  std::size_t operation;
  bool is_return;
};

std::vector<event> events_of(const std::vector<naive_operation>& all) {
  std::vector<event> events;
  for (std::size_t i = 0; i < all.size(); ++i) {
    events.push_back({all[i].called, i, false});
    if (all[i].returns >= 0) events.push_back({all[i].returns, i, true});
  }
  std::sort(events.begin(), events.end(),
            [](const event& a, const event& b) { return a.when < b.when; });
  return events;
}

/// What had happened just after event `last`.
std::vector<naive_operation> prefix(const std::vector<naive_operation>& all, int last) {
  std::vector<naive_operation> part;
  for (naive_operation o : all) {
    if (o.called > last) continue;
    if (o.returns > last) o.returns = -1;
    part.push_back(o);
  }
  return part;
}

simt::spec::call call_of(const simt::spec::specification& spec, const naive_operation& o) {
  simt::spec::call call;
  while (spec.operations()[call.operation].name != o.op) ++call.operation;
  call.client = static_cast<std::uint32_t>(o.client);
  std::copy(o.args.begin(), o.args.end(), call.arguments);
  return call;
}

simt::spec::result result_of(const simt::spec::specification& spec, const naive_operation& o) {
  const bool nothing =
      spec.operations()[call_of(spec, o).operation].returns == simt::spec::type::nothing;
  return nothing || !o.returned.is_some ? simt::spec::none : simt::spec::some(o.returned.what);
}

struct tally {
  std::uint64_t good = 0, bad = 0;
};

struct generated {
  std::unique_ptr<simt::spec::specification> spec;
  naive_object object;
  std::vector<naive_operation> all;
  std::string text;
};

generated make(const object_kind& kind, naive::random_source& random) {
  auto spec = simt::make_spec(simt::shipped_specs(), kind.name);
  const value limit = 1 + random.below(3);
  if (kind.parameter != nullptr) REQUIRE(spec->set(kind.parameter, limit));
  generator make{*spec,
                 kind.name,
                 limit,
                 random,
                 2 + random.below(3),
                 3 + random.below(5),
                 random.percent(70)};
  std::vector<naive_operation> all = make.make();
  std::sort(all.begin(), all.end(),
            [](const auto& a, const auto& b) { return a.called < b.called; });
  std::string text = to_json_lines(all, *spec);
  return {std::move(spec), naive_object::make(kind.name, limit), std::move(all), std::move(text)};
}

/// At every event: the word is broken if and only if what has happened has no order.
void compare_linearizable(const generated& g, tally& count) {
  const auto watch = simt::make_observer(simt::consistency::linearizable, *g.spec);
  const simt::spec::state first = g.spec->initial();
  observer::word now = watch->initial({&first, 1});
  for (const event& e : events_of(g.all)) {
    const naive_operation& o = g.all[e.operation];
    now = e.is_return
              ? watch->returned(now, static_cast<std::uint32_t>(o.client), result_of(*g.spec, o))
              : watch->called(now, call_of(*g.spec, o));
    if (!e.is_return) continue;  // a call breaks nothing
    oracle tried(g.object, prefix(g.all, e.when), warpcheck::consistency::linearizable);
    const bool has_order = tried.has_order();
    INFO(g.text, "after event ", e.when);
    REQUIRE(watch->is_broken(now) == !has_order);
    if (!has_order) break;  // and stays so
  }
  (watch->is_broken(now) ? count.bad : count.good) += 1;
  const warpcheck::history recorded = warpcheck::parse_history(g.text, "history", *g.spec);
  warpcheck::history_options options;
  options.evidence = false;
  const auto offline = check_history(recorded, *g.spec, options).decided;
  INFO(g.text);
  REQUIRE(watch->is_broken(now) == (offline == warpcheck::answer::impossible));
}

/// At the end of complete histories.
void compare_others(const generated& g, simt::consistency kind, warpcheck::consistency wanted,
                    tally& count) {
  std::vector<naive_operation> all;
  for (const naive_operation& o : g.all) {
    if (o.returns >= 0) all.push_back(o);
  }
  const auto watch = simt::make_observer(kind, *g.spec);
  const simt::spec::state first = g.spec->initial();
  observer::word now = watch->initial({&first, 1});
  for (const event& e : events_of(all)) {
    const naive_operation& o = all[e.operation];
    now = e.is_return
              ? watch->returned(now, static_cast<std::uint32_t>(o.client), result_of(*g.spec, o))
              : watch->called(now, call_of(*g.spec, o));
    if (e.is_return && watch->is_broken(now)) break;
  }
  INFO(g.text, std::string(name(wanted)));
  oracle tried(g.object, all, wanted);
  REQUIRE(watch->is_broken_at_end(now) == !tried.has_order());
  (tried.has_order() ? count.good : count.bad) += 1;
}

}  // namespace

TEST_CASE("observers agree with all orders, tried one by one") {
  const std::uint64_t histories = environment("WARPCHECK_HISTORIES", 10'000);
  const std::uint64_t seed = environment("WARPCHECK_SEED", 20'261'121);
  MESSAGE("WARPCHECK_HISTORIES=", histories, " WARPCHECK_SEED=", seed);
  for (const object_kind& kind : kinds) {
    naive::random_source random(seed);
    tally linearizable, sequential, quiescent;
    for (std::uint64_t i = 0; i < histories; ++i) {
      const generated g = make(kind, random);
      compare_linearizable(g, linearizable);
      compare_others(g, simt::consistency::sequential, warpcheck::consistency::sequential,
                     sequential);
      compare_others(g, simt::consistency::quiescent, warpcheck::consistency::quiescent, quiescent);
    }
    MESSAGE(std::string(kind.name), ": ", linearizable.good, " and ", linearizable.bad, ", ",
            sequential.good, " and ", sequential.bad, ", ", quiescent.good, " and ", quiescent.bad);
    CHECK(linearizable.good > histories / 4);
    CHECK(linearizable.bad > histories / 200);
    if (std::string(kind.name) != "barrier") CHECK(sequential.bad > 0);
    CHECK(quiescent.bad > 0);
  }
}

TEST_CASE("what the future cannot tell apart has one word") {
  const auto spec = simt::make_spec(simt::shipped_specs(), "queue");
  const auto watch = simt::make_observer(simt::consistency::linearizable, *spec);
  const simt::spec::state first = spec->initial();
  const observer::word start = watch->initial({&first, 1});
  const simt::spec::call enqueue{0, 0, 0, {1}};
  const simt::spec::call dequeue{1, 0, 1, {}};
  // Two calls, and two returns, may change places.
  const auto a = watch->called(watch->called(start, enqueue), dequeue);
  const auto b = watch->called(watch->called(start, dequeue), enqueue);
  CHECK(a == b);
  const auto c = watch->returned(watch->returned(a, 0, simt::spec::none), 1, simt::spec::some(1));
  const auto d = watch->returned(watch->returned(a, 1, simt::spec::some(1)), 0, simt::spec::none);
  CHECK(c == d);
  // The queue is empty again.
  CHECK(c == start);
  // A value that was never enqueued.
  const auto wrong = watch->returned(a, 1, simt::spec::some(2));
  CHECK(watch->is_broken(wrong));
  CHECK(watch->returned(wrong, 0, simt::spec::none) == wrong);
}
