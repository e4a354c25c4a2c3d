// The graph of all that lanes may do: which values they may read, and when nothing is known.
#include <doctest/doctest.h>

#include <set>

#include "tests/machine/graph_of.hpp"

namespace {

using test::graph_of;
using values = std::set<std::uint64_t>;

}  // namespace

TEST_CASE("a lane may read whatever some lane may store there") {
  const graph_of two(
      "if (first) { x.store(7, relaxed); y.store(8, relaxed); }\n"
      "else { x.load(relaxed); }");
  CHECK(two.graph.unknown().empty());
  CHECK(two.loaded_by(0).empty());
  CHECK(two.loaded_by(1) == values{0, 7});
}

TEST_CASE("values do not come out of thin air") {
  const graph_of two(
      "auto& from = first ? x : y; auto& to = first ? y : x;\n"
      "to.store(from.load(relaxed), relaxed);");
  CHECK(two.loaded_by(0) == values{0});
  CHECK(two.loaded_by(1) == values{0});
}

TEST_CASE("a lane that alone stores to a location reads what it has stored last") {
  const graph_of two("if (first) x.store(1, relaxed);\nx.load(relaxed);");
  CHECK(two.loaded_by(0) == values{1});
  CHECK(two.loaded_by(1) == values{0, 1});
}

TEST_CASE("from a location to which lanes only add, a lane reads a sum with its own part") {
  const graph_of two("x.fetch_add(first ? 1 : 10, relaxed);\nx.load(relaxed);");
  CHECK(two.loaded_by(0) == values{1, 11});
  CHECK(two.loaded_by(1) == values{10, 11});
}

TEST_CASE("behind a value there are no more stores than lanes carry out") {
  const graph_of two("x.store(x.load(relaxed) + 1, relaxed);");
  CHECK(two.graph.unknown().empty());
  // The first six values are not counted. Then two lanes make no seventh one.
  CHECK(two.loaded_by(0) == values{0, 1, 2, 3, 4, 5});
}

TEST_CASE("in its second shuffle a lane reads what others show in their second one") {
  const graph_of warp("shfl_xor(full_mask, 1, 1);\nshfl_xor(full_mask, 2, 1);", {1, {2}});
  CHECK(warp.graph.unknown().empty());
  CHECK(warp.read_by(0, [](const simt::operation& op) {
    return op.kind == simt::operation_kind::collective && op.operand == 2;
  }) == values{2});
}

TEST_CASE("nothing is known of a location that is accessed in several sizes") {
  const graph_of two("if (first) { whole.store(1, relaxed); } else { half = 2; }", {2, {1}},
                     "union { simt::atomic<int> whole{0}; short half; };");
  CHECK(two.graph.unknown() == "a location is accessed in several sizes");
}
