// Generated histories of transactions: the observers and the check of recorded histories agree with
// all orders tried one by one, at every event.
//
// WARPCHECK_HISTORIES=n makes n histories, WARPCHECK_SEED=s others than usual.
#include <doctest/doctest.h>

#include <atomic>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "checker/history/transactions.hpp"
#include "sim/monitor/observer.hpp"
#include "sim/spec/spec_library.hpp"
#include "tests/history/environment.hpp"
#include "tests/monitor/transaction_oracle.hpp"

using naive_transactions::event;
using naive_transactions::kind;
using simt::observer;

namespace {

std::string to_json_lines(const std::vector<event>& all) {
  std::string text;
  std::map<int, kind> calls;
  for (const event& e : all) {
    nlohmann::json line{{"event", e.is_return ? "return" : "call"}, {"client", e.client}};
    if (!e.is_return) {
      calls[e.client] = e.what;
      line["op"] = naive_transactions::kind_names[static_cast<int>(e.what)];
      line["args"] = nlohmann::json::array();
      if (e.what == kind::read) line["args"] = {e.word};
      if (e.what == kind::write) line["args"] = {e.word, e.to};
    } else if (e.what == kind::read) {
      line["result"] = e.succeeds ? nlohmann::json(e.got) : nlohmann::json();
    } else if (e.what == kind::write || e.what == kind::commit) {
      line["result"] = e.succeeds;
    }
    text += line.dump() + "\n";
  }
  return text;
}

observer::word take(observer& watch, observer::word now, const event& e) {
  const auto client = static_cast<std::uint32_t>(e.client);
  if (!e.is_return) {
    simt::spec::call call{static_cast<std::uint32_t>(e.what), 0, client, {}};
    if (e.what == kind::read || e.what == kind::write) call.arguments[0] = e.word;
    if (e.what == kind::write) call.arguments[1] = e.to;
    return watch.called(now, call);
  }
  simt::spec::result result;
  if (e.what == kind::read && e.succeeds) result = simt::spec::some(e.got);
  if (e.what == kind::write || e.what == kind::commit) {
    result = simt::spec::some(e.succeeds ? 1 : 0);
  }
  return watch.returned(now, client, result);
}

bool has_order(const std::vector<event>& all, int length, bool opaque) {
  const auto made = naive_transactions::summaries(all, length);
  return made && naive_transactions::all_orders(*made, opaque).any();
}

bool may_be_abandoned_behind(const warpcheck::recorded_operation& last) {
  constexpr std::uint32_t begin = 0, read = 3, write = 4;
  const bool succeeds =
      last.returned.is_some && (last.what.operation == read || last.returned.what != 0);
  return last.what.operation == begin ||
         (succeeds && (last.what.operation == read || last.what.operation == write));
}

/// The order has every transaction that matters once, in time, and explains it.
void check_order(const warpcheck::history& of, const simt::spec::specification& spec,
                 const warpcheck::history_result& found, bool opaque) {
  const auto all = warpcheck::transactions_of(of, spec);
  std::map<std::uint32_t, std::size_t> whose;
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const std::uint32_t o : all[i].operations) whose[o] = i;
  }
  std::vector<std::size_t> order;
  for (const warpcheck::ordered_step& s : found.order) {
    const std::size_t t = whose.at(s.operation);
    if (order.empty() || order.back() != t) order.push_back(t);
  }
  std::set<std::size_t> once(order.begin(), order.end());
  REQUIRE(once.size() == order.size());
  using simt::transaction_stage;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (opaque || all[i].stage == transaction_stage::committed) REQUIRE(once.count(i) == 1);
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t later = i + 1; later < order.size(); ++later) {
      const auto& second = all[order[later]];
      const auto& last = of.operations[second.operations.back()];
      // One that a `begin` abandons lasts until then, beyond its last operation.
      const bool is_over =
          second.stage == transaction_stage::committed ||
          (second.stage == transaction_stage::aborted && !may_be_abandoned_behind(last));
      const auto& first = of.operations[all[order[i]].operations.front()];
      REQUIRE(!(is_over && last.completed && last.returns < first.called));
    }
  }
}

struct tally {
  std::uint64_t good = 0, bad = 0;
};

void compare(const std::vector<event>& all, bool opaque, tally& count) {
  const auto spec = simt::make_spec(simt::shipped_specs(), "stm");
  const auto watch = simt::make_observer(
      opaque ? simt::consistency::opaque : simt::consistency::strictly_serializable, *spec);
  const std::string text = to_json_lines(all);
  INFO(text);
  const simt::spec::state first = spec->initial();
  observer::word now = watch->initial({&first, 1});
  int broken_at = -1;
  for (int i = 0; i < static_cast<int>(all.size()) && broken_at < 0; ++i) {
    now = take(*watch, now, all[static_cast<std::size_t>(i)]);
    const bool expected = !has_order(all, i + 1, opaque);
    INFO("after event ", i, opaque ? ", opaque" : ", strictly serializable");
    REQUIRE(watch->is_broken(now) == expected);
    if (expected) broken_at = i;
  }
  (broken_at < 0 ? count.good : count.bad) += 1;

  const warpcheck::history recorded = warpcheck::parse_history(text, "history", *spec);
  warpcheck::history_options options;
  options.wanted =
      opaque ? warpcheck::consistency::opaque : warpcheck::consistency::strictly_serializable;
  const warpcheck::history_result found = check_history(recorded, *spec, options);
  REQUIRE((found.decided == warpcheck::answer::impossible) == (broken_at >= 0));
  if (broken_at >= 0) {
    REQUIRE(!found.evidence.why.empty());
    REQUIRE(!found.evidence.operations.empty());
  } else {
    check_order(recorded, *spec, found, opaque);
  }
}

warpcheck::history_result judge(const char* lines, warpcheck::consistency wanted,
                                const warpcheck::history_limits& limits = {}) {
  const auto spec = simt::make_spec(simt::shipped_specs(), "stm");
  // "0 begin" is a call and its return; "0 read 1 = 5" returns 5.
  std::string text;
  std::string_view rest(lines);
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find(';'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const std::size_t result = line.find(" = ");
    const std::string client(line.substr(0, 1));
    text += "{\"event\": \"call\", \"client\": " + client + ", \"op\": \"" +
            std::string(line.substr(2, result - 2)) + "\"}\n";
    text += "{\"event\": \"return\", \"client\": " + client;
    if (result != std::string_view::npos) {
      text += ", \"result\": " + std::string(line.substr(result + 3));
    }
    text += "}\n";
  }
  warpcheck::history_options options;
  options.wanted = wanted;
  options.limits = limits;
  return check_history(warpcheck::parse_history(text, "history", *spec), *spec, options);
}

constexpr auto opaque = warpcheck::consistency::opaque;
constexpr auto strict = warpcheck::consistency::strictly_serializable;
constexpr auto explained = warpcheck::answer::explained;
constexpr auto impossible = warpcheck::answer::impossible;

}  // namespace

TEST_CASE("observers of transactions agree with all orders, tried one by one") {
  const std::uint64_t histories = naive_history::environment("WARPCHECK_HISTORIES", 10'000);
  const std::uint64_t seed = naive_history::environment("WARPCHECK_SEED", 20'261'127);
  MESSAGE("WARPCHECK_HISTORIES=", histories, " WARPCHECK_SEED=", seed);
  naive::random_source random(seed);
  tally serializable, is_opaque;
  for (std::uint64_t i = 0; i < histories; ++i) {
    const std::vector<event> all =
        naive_transactions::generator(random, 2 + random.below(2), 2 + random.below(4)).make();
    compare(all, false, serializable);
    compare(all, true, is_opaque);
  }
  MESSAGE(serializable.good, " and ", serializable.bad, "; ", is_opaque.good, " and ",
          is_opaque.bad);
  CHECK(is_opaque.good > histories / 4);
  CHECK(serializable.bad > histories / 50);
  CHECK(is_opaque.bad > serializable.bad + histories / 50);
}

TEST_CASE("a zombie is a matter of opacity alone") {
  const char* zombie =
      "0 begin;0 read 0 = 0;1 begin;1 write 0 1 = true;1 write 1 1 = true;1 commit = true;"
      "0 read 1 = 1;0 commit = false";
  CHECK(judge(zombie, strict).decided == explained);
  const warpcheck::history_result found = judge(zombie, opaque);
  CHECK(found.decided == impossible);
  CHECK(found.evidence.why ==
        "read 0 → 0 and read 1 → 1 of client 0 fit no order of these transactions: at no moment "
        "did both hold");
  REQUIRE(found.evidence.more.size() == 1);
  CHECK(found.evidence.more.front().find("client 0 is a zombie") != std::string::npos);
}

TEST_CASE("write skew is not strictly serializable") {
  const char* skew =
      "0 begin;1 begin;0 read 0 = 0;0 read 1 = 0;1 read 0 = 0;1 read 1 = 0;0 write 0 1 = true;"
      "1 write 1 1 = true;0 commit = true;1 commit = true";
  const warpcheck::history_result found = judge(skew, strict);
  CHECK(found.decided == impossible);
  CHECK(found.evidence.why ==
        "no order of these transactions explains both read 1 → 0 of client 0 and read 0 → 0 of "
        "client 1");
  CHECK(judge(skew, opaque).evidence.more.empty());
}

TEST_CASE("what overlaps may be in either order, what does not may not") {
  const char* late = "0 begin;0 write 0 1 = true;0 commit = true;1 begin;1 read 0 = 0";
  CHECK(judge(late, opaque).decided == impossible);
  CHECK(judge(late, strict).decided == explained);
  // The reader has begun before: it may come first, though it writes and commits last.
  const char* early =
      "1 begin;1 read 0 = 0;0 begin;0 write 0 1 = true;0 commit = true;1 write 1 1 = true;"
      "1 commit = true";
  CHECK(judge(early, opaque).decided == explained);
}

TEST_CASE("what has not committed is not read, whatever becomes of it") {
  const char* dirty = "0 begin;0 write 0 1 = true;1 begin;1 read 0 = 1;0 commit = true";
  CHECK(judge(dirty, opaque).decided == impossible);
  CHECK(judge("0 begin;0 write 0 1 = true;0 read 0 = 1;0 read 1 = 0", opaque).decided == explained);
  CHECK(judge("0 begin;0 write 0 1 = true;0 read 0 = 0", opaque).decided == impossible);
}

TEST_CASE("an operation succeeds in a transaction alone") {
  CHECK(judge("0 read 0 = 0", opaque).decided == impossible);
  CHECK(judge("0 read 0 = null;0 commit = false;0 abort", opaque).decided == explained);
  CHECK(judge("0 begin;0 abort;0 commit = true", strict).decided == impossible);
}

TEST_CASE("a limit ends in no answer") {
  const std::atomic<bool> is_interrupted = true;
  warpcheck::history_limits limits;
  limits.stop = &is_interrupted;
  for (const char* lines : {"0 begin;0 read 0 = 0;0 commit = true", "0 begin;0 read 0 = 1"}) {
    const warpcheck::history_result found = judge(lines, opaque, limits);
    CHECK(found.decided == warpcheck::answer::stopped);
    CHECK(found.stopped_by == "interrupted");
    CHECK(found.evidence.why.empty());
  }
}

TEST_CASE("a search for an order may be stopped at every step") {
  const auto spec = simt::make_spec(simt::shipped_specs(), "stm");
  const simt::transaction_rules rules(*spec, true);
  simt::transaction_history h{{spec->initial()}, {}, {}, false};
  constexpr std::uint32_t begin = 0, commit = 1, write = 4;
  for (std::uint32_t client = 0; client < 3; ++client) rules.called(h, {begin, 0, client, {}});
  for (std::uint32_t client = 0; client < 3; ++client) {
    CHECK_FALSE(rules.returned(h, client, {}));
    rules.called(h, {write, 0, client, {0, client}});
    (void)rules.returned(h, client, simt::spec::some(1));
    rules.called(h, {commit, 0, client, {}});
    CHECK(rules.returned(h, client, simt::spec::some(1)));
  }
  int steps = 0;
  CHECK(rules.has_order(h, [&] { return ++steps < 0; }) == true);
  REQUIRE(steps > 1);
  for (int most = 0; most < steps; ++most) {
    int taken = 0;
    CHECK_FALSE(rules.has_order(h, [&] { return ++taken > most; }).has_value());
    CHECK(taken == most + 1);
  }
  simt::transaction_history kept = h;
  CHECK_FALSE(rules.forget(kept, [] { return true; }));
  CHECK(kept == h);
  CHECK(rules.forget(kept, [] { return false; }));
  CHECK(kept.all.empty());
}
