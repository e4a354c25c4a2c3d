// Pools of nodes: what is handed out, accesses to nodes that are not in use, and that reductions
// and single runs say the same of them as a plain exploration does.
#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "checker/report/report.hpp"
#include "checker/search/search.hpp"
#include "tests/checker/run_source.hpp"
#include "tests/naive/random.hpp"
#include "tests/tier.hpp"

namespace {

using test::kernel;
using test::source_run;

/// The sentences of the only violation.
std::string why(source_run& run) {
  warpcheck::session ready(run.what, run.how);
  const auto result = warpcheck::check(ready, {});
  REQUIRE(result.violations.size() == 1);
  warpcheck::names named(ready);
  const auto shown = warpcheck::show_all(ready, named, result);
  std::string text;
  for (const std::string& sentence : shown.front().why) text += sentence + "\n";
  return text;
}

const std::string four = R"(
  struct node { simt::atomic<int> next{0}; int value{0}; };
  simt::pool<node, 4> nodes;
  simt::atomic<int> top{0};
)";

}  // namespace

TEST_CASE("nodes that are in use may be accessed") {
  source_run run(kernel(four, R"(
    node* const n = nodes.allocate();
    n->value = 1;
    n->next.store(2);
    simt::check(nodes.index_of(n) >= 1 && nodes.index_of(n) <= 4, "a number of the pool");
    simt::check(&nodes.at(nodes.index_of(n)) == n, "the same node");
    nodes.retire(n);
  )"));
  CHECK(run.found() == "ok");
}

TEST_CASE("accesses to a node that was retired") {
  for (const char* access : {"n->value = 1;", "const int v = n->value; if (v == 7) top.store(1);",
                             "n->next.store(1);", "n->next.load();", "n->next.fetch_add(1);"}) {
    INFO(access);
    for (const auto model : {simt::reconvergence::its, simt::reconvergence::stack}) {
      source_run run(kernel(four, "node* const n = nodes.allocate(); nodes.retire(n);\n" +
                                      std::string(access)),
                     {1, {1}}, model);
      CHECK(run.found() == "bad-access");
      const std::string text = why(run);
      CHECK(text.find("node 1 of `nodes` is not in use") != std::string::npos);
      CHECK(text.find("w0.l0 retired it in step 2, at subject.hpp:") != std::string::npos);
    }
  }
}

TEST_CASE("an access between a node's retirement and its next use") {
  for (const auto& reduce : {warpcheck::reductions::none(), warpcheck::reductions{}}) {
    INFO(to_text(reduce));
    source_run run(
        kernel("struct node { simt::atomic<int> value{0}; };\nsimt::pool<node, 1> nodes;\n"
               "SIMT_FN void init() { nodes.allocate(); }\n",
               R"(
      if (simt::lane_index() == 0) {
        nodes.retire(&nodes.at(1));
        nodes.allocate();
      } else {
        nodes.at(1).value.load();
      }
    )"));
    CHECK(source_run::names(run.check(reduce)) == "bad-access");
  }
}

TEST_CASE("a node that is retired twice, and other mistakes") {
  source_run twice(kernel(four, R"(
    node* const n = nodes.allocate();
    nodes.retire(n);
    nodes.retire(n);
  )"),
                   {1, {1}});
  CHECK(twice.found() == "bad-access");
  const std::string text = why(twice);
  CHECK(text.find("w0.l0 retires node 1 of `nodes` at subject.hpp:") == 0);
  CHECK(text.find("which is not in use.\nw0.l0 retired it in step 2") != std::string::npos);

  source_run none(kernel(four, "nodes.retire(nullptr);"), {1, {1}});
  CHECK(none.found() == "bad-access");
  CHECK(why(none).find("Number 0 stands for no node.") != std::string::npos);

  source_run zero(kernel(four, "nodes.at(0).value = 1;"), {1, {1}});
  CHECK(zero.found() == "bad-access");

  source_run never(kernel(four, "nodes.at(3).value = 1;"), {1, {1}});
  CHECK(never.found() == "bad-access");
  CHECK(why(never).find("It has never been handed out.") != std::string::npos);

  source_run before(kernel(four + R"(
    SIMT_FN void init() { nodes.retire(nodes.allocate()); }
  )",
                           "nodes.at(1).value = 1;"),
                    {1, {1}});
  CHECK(before.found() == "bad-access");
  CHECK(why(before).find("It was retired before the grid started.") != std::string::npos);
}

TEST_CASE("a pool hands out retired nodes, lowest first, and then fresh ones; in the end none") {
  source_run run(kernel(four, R"(
    node* const a = nodes.allocate();
    node* const b = nodes.allocate();
    simt::check(nodes.index_of(a) == 1 && nodes.index_of(b) == 2, "fresh ones in their order");
    nodes.retire(b);
    nodes.retire(a);
    simt::check(nodes.allocate() == a, "the lowest");
    simt::check(nodes.allocate() == b, "the other one");
    simt::check(nodes.index_of(nodes.allocate()) == 3, "a fresh one");
    simt::check(nodes.index_of(nodes.allocate()) == 4, "the last one");
    simt::check(nodes.allocate() == nullptr, "none is left");
    simt::check(nodes.index_of(nodes.allocate()) == 0, "none has number 0");
  )"),
                 {1, {1}});
  CHECK(run.found() == "ok");
}

TEST_CASE("without reuse a retired node stays away") {
  source_run run(kernel(R"(
    struct node { int value{0}; };
    simt::pool<node, 2, simt::pool_policy::no_reuse> nodes;
  )",
                        R"(
    nodes.retire(nodes.allocate());
    simt::check(nodes.index_of(nodes.allocate()) == 2, "a fresh one");
    simt::check(nodes.allocate() == nullptr, "none is left");
    nodes.at(1).value = 1;
  )"),
                 {1, {1}});
  CHECK(run.found() == "bad-access");
}

TEST_CASE("type-stable nodes may be accessed at any time, but retired only once") {
  const std::string members = R"(
    struct node { int value{0}; };
    simt::pool<node, 2, simt::pool_policy::type_stable> nodes;
  )";
  source_run accesses(kernel(members,
                             "node* const n = nodes.allocate(); nodes.retire(n); "
                             "n->value = 1;"),
                      {1, {1}});
  CHECK(accesses.found() == "ok");
  source_run twice(kernel(members,
                          "node* const n = nodes.allocate(); nodes.retire(n); "
                          "nodes.retire(n);"),
                   {1, {1}});
  CHECK(twice.found() == "bad-access");
}

TEST_CASE("a pool of more nodes than a word has") {
  source_run run(kernel(R"(
    struct node { int value{0}; };
    simt::pool<node, 120> nodes;
  )",
                        R"(
    for (int i = 1; i <= 120; ++i) {
      node* const n = nodes.allocate();
      simt::check(nodes.index_of(n) == i, "in their order");
      n->value = i;
    }
    simt::check(nodes.allocate() == nullptr, "none is left");
    nodes.retire(&nodes.at(100));
    simt::check(nodes.index_of(nodes.allocate()) == 100, "in the second word");
    nodes.retire(&nodes.at(120));
    nodes.at(119).value = 0;
    nodes.at(120).value = 0;
  )"),
                 {1, {1}});
  CHECK(run.found() == "bad-access");
  CHECK(why(run).find("node 120 of `nodes` is not in use") != std::string::npos);
}

TEST_CASE("two pools in one object") {
  source_run run(kernel(R"(
    struct node { int value{0}; };
    simt::pool<node, 2> few;
    simt::pool<node, 70> many;
  )",
                        R"(
    node* const n = many.allocate();
    n->value = 1;
    few.retire(few.allocate());
    n->value = 2;
    many.retire(n);
    few.allocate()->value = 3;
    n->value = 4;
  )"),
                 {1, {1}});
  CHECK(run.found() == "bad-access");
  CHECK(why(run).find("node 1 of `many` is not in use") != std::string::npos);
}

TEST_CASE("whatever is left out, the same is found of programs with pools") {
  naive::random_source random(5);
  const char* const pieces[] = {
      "a = nodes.index_of(nodes.allocate());\n",
      "if (a != 0) nodes.at(a).value = a;\n",
      "a = shared[0].exchange(a);\n",
      "a = shared[1].exchange(a);\n",
      "b = shared[0].load();\n",
      "b = shared[1].load();\n",
      "if (b != 0) nodes.at(b).next.fetch_add(1);\n",
      "if (a != 0) { nodes.retire(&nodes.at(a)); a = 0; }\n",
      "if (b != 0) { nodes.retire(&nodes.at(b)); b = 0; }\n",
      "if (b != 0 && nodes.at(b).value == 1) b = 0;\n",
  };
  std::map<std::string, int> seen;
  for (int program = 0; program < 14; ++program) {
    std::string body = "int a = 0; int b = 0;\n" + std::string(pieces[0]) + pieces[2];
    for (int i = 6 + random.below(4); i > 0; --i) body += pieces[random.below(10)];
    const std::string policy = random.percent(25) ? ", simt::pool_policy::no_reuse" : "";
    const bool blocks = random.percent(30);
    if (!test::is_due("program " + std::to_string(program))) continue;
    source_run run(kernel("struct node { simt::atomic<int> next{0}; int value{0}; };\n"
                          "simt::pool<node, 3" +
                              policy + "> nodes;\nsimt::atomic<int> shared[2]{};\n",
                          body),
                   blocks ? test::grid{2, {1}} : test::grid{1, {2}});
    for (const auto model : {simt::reconvergence::its, simt::reconvergence::stack}) {
      run.how.machine.reconvergence = model;
      warpcheck::session ready(run.what, run.how);
      const std::string expected =
          source_run::names(warpcheck::check(ready, {}, warpcheck::reductions::none()));
      ++seen[expected];
      for (unsigned some = 1; some < 16; ++some) {
        warpcheck::reductions reduce;
        reduce.merge = (some & 1) != 0;
        reduce.symmetry = (some & 2) != 0;
        reduce.order = (some & 4) != 0;
        reduce.dead = (some & 8) != 0;
        reduce.asks_in_small_grids = reduce.order && program % 2 == 0;
        INFO(body, "reductions ", to_text(reduce));
        // In a session that knows what earlier checks have shown, and last in a new one.
        const auto result = some == 15 ? run.check(reduce) : warpcheck::check(ready, {}, reduce);
        REQUIRE(source_run::names(result) == expected);
      }
      // What single runs find is there.
      warpcheck::search_options options;
      options.runs = 300;
      const auto found = warpcheck::search(ready, {}, options);
      warpcheck::names named(ready);
      CHECK(warpcheck::show_all(ready, named, found).size() == found.violations.size());
      for (const auto& v : found.violations) {
        CHECK(expected.find(name(v.kind)) != std::string::npos);
      }
    }
  }
  for (const auto& [names, count] : seen) MESSAGE(names, ": ", count, " times");
  if (test::is_thorough()) CHECK(seen.size() >= 3);  // what a tenth of them shows varies
}
