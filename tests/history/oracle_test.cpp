// Generated histories: the fast algorithms, the searches and all orders tried one by one agree, and
// what they give as evidence is right.
//
// WARPCHECK_HISTORIES=n makes n histories for each specification, WARPCHECK_SEED=s others than
// usual.
#include <doctest/doctest.h>

#include <string>

#include "checker/history/check_history.hpp"
#include "sim/spec/spec_library.hpp"
#include "tests/history/environment.hpp"
#include "tests/history/oracle.hpp"

using namespace naive_history;
using warpcheck::answer;
using warpcheck::consistency;

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

/// Empty, or what is wrong with the order.
std::string wrong_order(const std::vector<warpcheck::ordered_step>& order,
                        const std::vector<naive_operation>& all, naive_object object,
                        const oracle& rules) {
  std::vector<unsigned> done(all.size(), 0);
  for (std::size_t at = 0; at < order.size(); ++at) {
    const naive_operation& o = all[order[at].operation];
    if (order[at].step != done[order[at].operation]++) return "steps out of order";
    const auto got = object.apply(o.op, o.args, o.client, order[at].step);
    if (!got) return o.op + " is not enabled";
    if (o.returns >= 0 && order[at].step + 1 == o.steps && *got != o.returned) {
      return o.op + " returns something else";
    }
    for (std::size_t later = at + 1; later < order.size(); ++later) {
      if (order[later].operation == order[at].operation) continue;
      if (rules.precedes(all[order[later].operation], o)) return o.op + " is too early";
    }
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].returns >= 0 && done[i] != all[i].steps) return all[i].op + " is missing";
  }
  return {};
}

/// Whether the operations shown have no order. Leaving operations out may make more moments
/// quiescent, so that it cannot be told of quiescent consistency in this way.
bool evidence_holds(const warpcheck::history_evidence& evidence,
                    const std::vector<naive_operation>& all, const naive_object& object,
                    consistency wanted) {
  std::vector<naive_operation> part;
  for (const std::uint32_t i : evidence.operations) part.push_back(all[i]);
  return !oracle(object, part, wanted).has_order();
}

struct tally {
  std::uint64_t with_order = 0, without = 0, fast = 0, searched = 0;
};

void compare(const simt::spec::specification& spec, const object_kind& kind, value limit,
             naive::random_source& random, tally& count) {
  generator make{
      spec, kind.name, limit, random, 2 + random.below(3), 3 + random.below(5), random.percent(70)};
  std::vector<naive_operation> all = make.make();
  std::sort(all.begin(), all.end(),
            [](const auto& a, const auto& b) { return a.called < b.called; });
  const std::string text = to_json_lines(all, spec);
  const warpcheck::history recorded = warpcheck::parse_history(text, "history", spec);
  // The file numbers clients as they come.
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].client = recorded.operations[i].what.client;
  }
  const naive_object object = naive_object::make(kind.name, limit);
  for (const consistency wanted :
       {consistency::linearizable, consistency::sequential, consistency::quiescent}) {
    oracle tried(object, all, wanted);
    const answer expected = tried.has_order() ? answer::explained : answer::impossible;
    (expected == answer::explained ? count.with_order : count.without) += 1;
    for (const bool search_only : {false, true}) {
      warpcheck::history_options options;
      options.wanted = wanted;
      options.search_only = search_only;
      const warpcheck::history_result found = check_history(recorded, spec, options);
      if (!search_only) (found.algorithm == "search" ? count.searched : count.fast) += 1;
      INFO(std::string(kind.name), ", limit ", limit, ", ", std::string(name(wanted)), ", ",
           found.algorithm, "\n", text);
      REQUIRE(found.decided == expected);
      if (expected == answer::explained) {
        REQUIRE(wrong_order(found.order, all, object, tried) == "");
      } else {
        REQUIRE(!found.evidence.why.empty());
        REQUIRE(!found.evidence.operations.empty());
        if (wanted != consistency::quiescent && found.evidence.from.empty()) {
          INFO(found.evidence.why, " ", found.evidence.operations.size());
          REQUIRE(evidence_holds(found.evidence, all, object, wanted));
        }
      }
    }
  }
}

}  // namespace

TEST_CASE("all orders, tried one by one") {
  const std::uint64_t histories = environment("WARPCHECK_HISTORIES", 10'000);
  const std::uint64_t seed = environment("WARPCHECK_SEED", 20'261'121);
  MESSAGE("WARPCHECK_HISTORIES=", histories, " WARPCHECK_SEED=", seed);
  for (const object_kind& kind : kinds) {
    naive::random_source random(seed);
    tally count;
    for (std::uint64_t i = 0; i < histories; ++i) {
      auto spec = simt::make_spec(simt::shipped_specs(), kind.name);
      const value limit = 1 + random.below(3);
      if (kind.parameter != nullptr) REQUIRE(spec->set(kind.parameter, limit));
      compare(*spec, kind, limit, random, count);
    }
    MESSAGE(std::string(kind.name), ": ", count.with_order, " with an order, ", count.without,
            " without; ", count.fast, " by an algorithm of their own, ", count.searched,
            " by search");
    CHECK(count.with_order > histories / 4);
    CHECK(count.without > histories / 200);
  }
}
