// The fast algorithms against the search, on histories too long for trying all orders.
//
// WARPCHECK_HISTORIES and WARPCHECK_SEED as for oracle_test; WARPCHECK_FIRST_HISTORY is the number
// of the first that is compared. A tenth of them is due, unless everything is asked for.
#include <doctest/doctest.h>

#include <string>

#include "checker/history/check_history.hpp"
#include "sim/spec/spec_library.hpp"
#include "tests/history/environment.hpp"
#include "tests/history/generate_history.hpp"
#include "tests/tier.hpp"

using namespace naive_history;
using warpcheck::answer;
using warpcheck::consistency;

namespace {

/// The operations shown, as a history of their own, have no order either.
bool evidence_holds(const warpcheck::history& all, const warpcheck::history_evidence& evidence,
                    const simt::spec::specification& spec) {
  warpcheck::history part;
  part.clients = all.clients;
  for (const std::uint32_t i : evidence.operations) part.operations.push_back(all.operations[i]);
  warpcheck::history_options options;
  options.search_only = true;
  return check_history(part, spec, options).decided == answer::impossible;
}

}  // namespace

TEST_CASE("fast algorithms and the search agree") {
  const auto [begin, end] =
      test::due_programs(10'000, "WARPCHECK_HISTORIES", "WARPCHECK_FIRST_HISTORY");
  const std::uint64_t histories = end - begin;
  const std::uint64_t seed = environment("WARPCHECK_SEED", 20'261'122);
  MESSAGE("WARPCHECK_HISTORIES=", histories, " WARPCHECK_SEED=", seed);
  for (const char* kind : {"queue", "stack", "register"}) {
    naive::random_source random(seed);
    const auto spec = simt::make_spec(simt::shipped_specs(), kind);
    std::uint64_t without = 0, undecided = 0, largest = 0, skipped = 0;
    for (std::uint64_t i = 0; i < end; ++i) {
      generator make{*spec, kind, 0, random, 2 + random.below(5), 8 + random.below(17), true};
      const auto made = make.make();
      if (i < begin) continue;
      const std::string text = to_json_lines(made, *spec);
      const warpcheck::history recorded = warpcheck::parse_history(text, "history", *spec);
      for (const consistency wanted : {consistency::linearizable, consistency::quiescent}) {
        warpcheck::history_options options;
        options.wanted = wanted;
        // Some take the search very long: much overlaps, above all where only quiescence counts.
        options.limits.max_memory = 2 << 20;
        const auto fast = check_history(recorded, *spec, options);
        undecided += fast.algorithm == "search" ? 1 : 0;
        options.search_only = true;
        options.evidence = false;
        const auto slow = check_history(recorded, *spec, options);
        INFO(std::string(kind), ", ", std::string(name(wanted)), "\n", text);
        if (slow.decided == answer::stopped) {
          ++skipped;
          continue;
        }
        REQUIRE(fast.decided == slow.decided);
        if (fast.decided != answer::impossible) continue;
        ++without;
        largest = std::max<std::uint64_t>(largest, fast.evidence.operations.size());
        if (wanted != consistency::linearizable) continue;
        INFO(fast.evidence.why);
        REQUIRE(evidence_holds(recorded, fast.evidence, *spec));
      }
    }
    MESSAGE(std::string(kind), ": ", without, " without an order, at most ", largest,
            " operations as evidence; ", undecided, " were left to the search; ", skipped,
            " not compared");
    CHECK(skipped < histories / 4);
    CHECK(without > histories / 20);
    CHECK(undecided < histories / 50);
  }
}
