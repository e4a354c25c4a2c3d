// Declared linearization points: checked, not trusted.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "checker/report/report.hpp"
#include "checker/search/search.hpp"
#include "tests/checker/run_source.hpp"
#include "tests/tier.hpp"

namespace {

using test::source_run;
using warpcheck::verdict;

std::vector<std::vector<warpcheck::written_operation>> threads_of(
    const std::vector<std::vector<std::string>>& texts) {
  std::vector<std::vector<warpcheck::written_operation>> all;
  for (const auto& thread : texts) {
    auto& list = all.emplace_back();
    for (const std::string& one : thread) list.push_back(*warpcheck::operation_from(one));
  }
  return all;
}

/// An object with an atomic counter; `increment` and `read` are given.
std::string counter(const std::string& increment, const std::string& read) {
  return R"(
struct subject {
  static constexpr const char* spec = "counter";
  simt::atomic<int> value{0};
  simt::atomic<int> other{0};
  SIMT_FN void increment() { )" +
         increment + R"( }
  SIMT_FN int read() { )" +
         read + R"( }
};
SIMT_SUBJECT(subject);
)";
}

/// The violations under all reductions and none; each is replayed.
std::string found(const std::string& code, simt::reconvergence model) {
  source_run run(code, {1, {2}}, model);
  run.what.threads = threads_of({{"increment", "read"}, {"increment"}});
  warpcheck::session ready(run.what, run.how);
  const std::string expected =
      source_run::names(warpcheck::check(ready, {}, warpcheck::reductions::none()));
  for (unsigned some = 1; some < 16; ++some) {
    warpcheck::reductions reduce;
    reduce.merge = (some & 1) != 0;
    reduce.symmetry = (some & 2) != 0;
    reduce.order = (some & 4) != 0;
    reduce.dead = (some & 8) != 0;
    INFO("reductions ", to_text(reduce));
    // In a session that knows what earlier checks have shown, and last in a new one.
    const auto result = some == 15 ? run.check(reduce) : warpcheck::check(ready, {}, reduce);
    REQUIRE(source_run::names(result) == expected);
  }
  const auto result = warpcheck::check(ready, {});
  warpcheck::names named(ready);
  CHECK(warpcheck::show_all(ready, named, result).size() == result.violations.size());
  return expected;
}

/// The first sentence of its report under `its`.
std::string headline(const std::string& code) {
  source_run run(code, {1, {2}});
  run.what.threads = threads_of({{"increment", "read"}, {"increment"}});
  warpcheck::session ready(run.what, run.how);
  const auto result = warpcheck::check(ready, {});
  warpcheck::names named(ready);
  for (const auto& one : warpcheck::show_all(ready, named, result)) {
    if (one.what.kind == verdict::wrong_linearization_point) return one.why.front();
  }
  return {};
}

constexpr auto its = simt::reconvergence::its;
constexpr auto stack = simt::reconvergence::stack;
const std::string add = "value.fetch_add(1); simt::linearization_point();";
const std::string load = "const int v = value.load(); simt::linearization_point(); return v;";

}  // namespace

TEST_CASE("points in the right places") {
  for (const auto model : {its, stack}) {
    CHECK(found(counter(add, load), model) == "ok");
    // Behind a branch, and only if a condition holds.
    CHECK(found(counter("int v = value.load(); bool done = false; while (!done) { done = "
                        "value.compare_exchange_strong(v, v + 1); if (done) "
                        "simt::linearization_point(); }",
                        load),
                model) == "ok");
    CHECK(found(counter("int v = value.load(); bool done = false; while (!done) { done = "
                        "value.compare_exchange_strong(v, v + 1); "
                        "simt::linearization_point(done); }",
                        load),
                model) == "ok");
  }
}

TEST_CASE("points in the wrong places, of operations that are right") {
  for (const auto model : {its, stack}) {
    // None, and none on one way.
    CHECK(found(counter("value.fetch_add(1);", load), model) == "wrong-linearization-point");
    CHECK(found(counter("if (value.fetch_add(1) != 1) simt::linearization_point();", load),
                model) == "wrong-linearization-point");
    // Two.
    CHECK(found(counter(add + "other.load(); simt::linearization_point();", load), model) ==
          "wrong-linearization-point");
  }
  // Too early, and too late. (Under `stack` increments of one warp come before its reads.)
  CHECK(found(counter("other.load(); simt::linearization_point(); value.fetch_add(1);", load),
              its) == "wrong-linearization-point");
  CHECK(found(counter("value.fetch_add(1); other.load(); simt::linearization_point();", load),
              its) == "wrong-linearization-point");
}

TEST_CASE("a history that no order explains has wrong points, too") {
  CHECK(found(counter("const int v = value.load(); value.store(v + 1); "
                      "simt::linearization_point();",
                      load),
              its) == "not-linearizable wrong-linearization-point");
}

TEST_CASE("without points, or without looking at them, nothing is said of them") {
  CHECK(found(counter("value.fetch_add(1);", "return value.load();"), its) == "ok");
  source_run run(counter("value.fetch_add(1);", load));
  run.what.threads = threads_of({{"increment", "read"}, {"increment"}});
  run.how.check = bit(verdict::not_linearizable);
  CHECK(run.found() == "ok");
}

TEST_CASE("reports say what is wrong with a point") {
  CHECK(headline(counter("value.fetch_add(1);", load)) ==
        "increment of client w0.l0 returned, but has not passed its linearization point");
  const std::string twice =
      headline(counter(add + "other.load(); simt::linearization_point();", load));
  CHECK(twice.find("but has passed 2 linearization points (step ") != std::string::npos);
  const std::string early =
      headline(counter("other.load(); simt::linearization_point(); value.fetch_add(1);", load));
  CHECK(early.find("read of client w0.l0 returned 1, but at its declared linearization point") ==
        0);
  CHECK(early.find("the result is 2") != std::string::npos);
}

TEST_CASE("single runs find wrong points") {
  source_run run(counter("other.load(); simt::linearization_point(); value.fetch_add(1);", load),
                 {1, {2}});
  run.what.threads = threads_of({{"increment", "read"}, {"increment"}});
  warpcheck::session ready(run.what, run.how);
  warpcheck::search_options options;
  options.runs = 1'000;
  const auto result = warpcheck::search(ready, {}, options);
  CHECK(result.gravest == verdict::wrong_linearization_point);
  warpcheck::names named(ready);
  CHECK(warpcheck::show_all(ready, named, result).size() == result.violations.size());
}

namespace {

/// Whether some run of two clients contradicts its points, told by following each run to its end
/// with a counter beside it.
class all_runs {
 public:
  explicit all_runs(warpcheck::session& run) : run_(run), machine_(run.machine()) {
    follow(machine_.initial(), {});
  }
  [[nodiscard]] bool contradicted() const { return contradicted_; }
  [[nodiscard]] int count() const { return count_; }

 private:
  struct seen {
    int value = 0;
    int points[2] = {0, 0};
    int read[2] = {0, 0};
    bool reads[2] = {false, false};
  };
  warpcheck::session& run_;
  simt::machine& machine_;
  bool contradicted_ = false;
  int count_ = 0;

  // Operation 0 is `read`, as the API lists them.
  [[nodiscard]] bool is_read(const simt::operation& op) const {
    return std::string(run_.setup().entry->operations[op.number].name) == "read";
  }

  void follow(const simt::state_words& state, seen so_far) {
    simt::successor_list list;
    machine_.steps(state, list);
    if (list.transitions.empty()) ++count_;
    for (const simt::transition& t : list.transitions) {
      seen now = so_far;
      if (t.by.what == simt::choice::kind::lane) {
        const std::uint32_t lane = t.by.unit;
        const simt::operation op = machine_.waits_at(state, lane);
        if (op.kind == simt::operation_kind::called) {
          now.points[lane] = 0;
          now.reads[lane] = is_read(op);
        }
        for (std::size_t i = machine_.points_of_step(state, t.by).size(); i > 0; --i) {
          if (now.points[lane]++ > 0) continue;
          if (now.reads[lane]) now.read[lane] = now.value;
          if (!now.reads[lane]) ++now.value;
        }
        if (op.kind == simt::operation_kind::returned) {
          const bool right = now.points[lane] == 1 &&
                             (!now.reads[lane] || static_cast<int>(op.operand) == now.read[lane]);
          if (!right) contradicted_ = true;
        }
      }
      const auto words = list.state(t, machine_.words());
      follow({words.begin(), words.end()}, now);
    }
  }
};

}  // namespace

TEST_CASE("points, followed through all runs one by one") {
  const std::string increments[] = {
      add,
      "simt::linearization_point(); value.fetch_add(1);",
      "other.load(); simt::linearization_point(); value.fetch_add(1);",
      "value.fetch_add(1); other.load(); simt::linearization_point();",
      "const int v = value.fetch_add(1); simt::linearization_point(v == 0);",
      "if (value.fetch_add(1) == 0) simt::linearization_point(); else "
      "simt::linearization_point();"};
  const std::string reads[] = {
      load, "simt::linearization_point(); return value.load();",
      "int v = value.load(); const int w = value.load(); simt::linearization_point(); return w;",
      "int v = value.load(); simt::linearization_point(); v = value.load(); return v;"};
  int right = 0;
  int wrong = 0;
  for (const std::string& increment : increments) {
    for (const std::string& read : reads) {
      const bool is_first = increment == increments[0] && read == reads[0];
      if (!is_first && !test::is_due(increment + "; " + read)) continue;
      for (const auto model : {its, stack}) {
        source_run run(counter(increment, read), {1, {2}}, model);
        run.what.threads = threads_of({{"increment", "read"}, {"increment"}});
        warpcheck::session ready(run.what, run.how);
        const all_runs all(ready);
        INFO(increment, "; ", read, "; ", model == its ? "its" : "stack");
        CHECK(all.count() > 0);
        const auto found = run.check().found();
        CHECK(((found & bit(verdict::wrong_linearization_point)) != 0) == all.contradicted());
        ++(all.contradicted() ? wrong : right);
      }
    }
  }
  MESSAGE(right, " right, ", wrong, " wrong");
  if (!test::is_thorough()) return;  // what a tenth of them shows varies
  CHECK(right > 5);
  CHECK(wrong > 5);
}
