// The generator makes all kinds of programs, and the same ones every time.
#include "tests/naive/generate.hpp"

#include <doctest/doctest.h>

#include "tests/naive/emit.hpp"
#include "tests/naive/explore.hpp"

using warpcheck::bit;
using warpcheck::verdict;

TEST_CASE("generated programs have all kinds of violations") {
  constexpr unsigned count = 400;
  warpcheck::verdict_set found[4] = {};
  int fine[4] = {};
  int too_large = 0;
  for (unsigned i = 0; i < count; ++i) {
    const naive::sample s = naive::generate(1, i);
    const std::vector<naive::configuration> models = naive::variants(s.config);
    naive::outcome outcomes[4];
    bool small = true;
    for (std::size_t m = 0; m < 4; ++m) {
      outcomes[m] = naive::explore(s.code, models[m], 5'000);
      small = small && !outcomes[m].too_large;
    }
    if (!small) {
      ++too_large;
      continue;
    }
    for (std::size_t m = 0; m < 4; ++m) {
      found[m] |= outcomes[m].violations;
      if (outcomes[m].violations == 0 && outcomes[m].contended) ++fine[m];
    }
    // Fairness decides about livelocks only, and less of it allows more of them.
    for (std::size_t m = 0; m < 4; m += 2) {
      const warpcheck::verdict_set differ = outcomes[m].violations ^ outcomes[m + 1].violations;
      CHECK((differ & ~bit(verdict::livelock)) == 0);
      CHECK((outcomes[m].violations & ~outcomes[m + 1].violations) == 0);
      CHECK(outcomes[m].states == outcomes[m + 1].states);
    }
    CHECK((outcomes[2].violations & bit(verdict::simt_deadlock)) == 0);
  }
  CHECK(too_large < static_cast<int>(count / 20));
  for (std::size_t m = 0; m < 4; ++m) {
    CHECK(fine[m] >= 20);
    const warpcheck::verdict_set none_under_its = m < 2 ? 0 : bit(verdict::simt_deadlock);
    CHECK((found[m] | none_under_its) == (warpcheck::usual_checks & ~warpcheck::of_histories &
                                          ~warpcheck::bit(warpcheck::verdict::progress_violated)));
  }
}

TEST_CASE("a seed and an index give one program") {
  CHECK(naive::emit_header(7, 10, 5) == naive::emit_header(7, 10, 5));
  CHECK(naive::emit(naive::generate(7, 10).code) != naive::emit(naive::generate(8, 10).code));
}
