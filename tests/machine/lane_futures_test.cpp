// What a lane may still do from a stop on, and which stores can be the next of a location.
#include <doctest/doctest.h>

#include <array>
#include <set>
#include <string>
#include <utility>

#include "sim/machine/promises/lane_futures.hpp"
#include "tests/machine/graph_of.hpp"

namespace {

using simt::awaited;
using simt::lane_futures;
using stop = lane_futures::number;
using stores = std::set<std::pair<std::uint64_t, bool>>;  // values, and whether they release

/// The futures of two lanes, each in a block of its own.
struct futures_of {
  explicit futures_of(const std::string& body)
      : two(body, {2, {1}}, "simt::atomic<int> x{0}, y{0}; int data = 0;"),
        futures(*two.made.machine, two.graph) {}

  test::graph_of two;
  lane_futures futures;

  /// The first stop of lane 0 at such an access.
  [[nodiscard]] stop first_stop(simt::detail::memory_kind kind) const {
    for (stop s = 0; s < two.graph.stops().size(); ++s) {
      const simt::operation& op = two.graph.at(s);
      if (two.graph.stops()[s].lane == 0 && op.kind == simt::operation_kind::memory &&
          op.memory == kind) {
        return s;
      }
    }
    FAIL("lane 0 has no such access");
    return 0;
  }
  [[nodiscard]] std::uint32_t offset_at(stop s) const { return two.graph.traits(s).offset; }
  [[nodiscard]] stores stores_in(const lane_futures::deeds& all) const {
    stores found;
    for (const std::uint32_t one : all) {
      const simt::deed& d = futures.at(one);
      if (d.as.what == awaited::kind::store) found.insert({d.value, d.releases});
    }
    return found;
  }
};

using simt::detail::memory_kind;

}  // namespace

TEST_CASE("what comes behind a fence is told apart") {
  const futures_of lanes(
      "if (first) {\n"
      "  x.load(relaxed);\n  y.store(1, relaxed);\n  y.store(2, memory_order_release);\n"
      "  y.store(3, relaxed);\n}");
  const stop begin = lanes.first_stop(memory_kind::load);
  CHECK(lanes.stores_in(lanes.futures.all(begin)) == stores{{1, false}, {2, true}, {3, false}});
  const futures_of fenced(
      "if (first) {\n"
      "  x.load(relaxed);\n  y.store(1, relaxed);\n  atomic_thread_fence(memory_order_acq_rel);\n"
      "  y.store(3, relaxed);\n}");
  const stop before = fenced.first_stop(memory_kind::load);
  CHECK(fenced.stores_in(fenced.futures.all(before)) == stores{{1, false}, {3, false}});
  CHECK(fenced.stores_in(fenced.futures.unfenced(before)) == stores{{1, false}});
}

TEST_CASE("a plain access makes a location mixed, and a store ends its chain") {
  const futures_of lanes(
      "if (first) {\n  x.exchange(1, relaxed);\n  y.load(relaxed);\n} else {\n"
      "  x.fetch_add(1, relaxed);\n  y.store(1, relaxed);\n}");
  const std::uint32_t x = lanes.offset_at(lanes.first_stop(memory_kind::exchange));
  const std::uint32_t y = lanes.offset_at(lanes.first_stop(memory_kind::load));
  CHECK(lanes.futures.is_chain(x));
  CHECK_FALSE(lanes.futures.is_chain(y));
  CHECK_FALSE(lanes.futures.is_mixed(y));
  const futures_of plain("if (first) data = 1;");
  CHECK(plain.futures.is_mixed(plain.offset_at(plain.first_stop(memory_kind::store))));
}

TEST_CASE("a round of a spin loop that changes nothing is no store") {
  const futures_of lanes(
      "if (first) { while (x.fetch_or(0, relaxed) == 0) {} }\nelse { x.fetch_or(1, relaxed); }");
  const stop spins = lanes.first_stop(memory_kind::bit_or);
  for (const simt::thread_modular::edge& e : lanes.two.graph.stops()[spins].edges) {
    CHECK(lanes.futures.is_round(spins, e) == (e.read == 0));
    CHECK(lanes.futures.of_edge(spins, e).has_value() == (e.read != 0));
  }
}

TEST_CASE("only the first link of a lane may be the next one, with what it reads") {
  const futures_of lanes(
      "if (first) {\n  int none = 0, two = 2;\n"
      "  x.compare_exchange_strong(none, 1, relaxed);\n"
      "  if (none == 0) x.compare_exchange_strong(two, 3, relaxed);\n"
      "} else {\n  x.exchange(2, relaxed);\n}");
  const std::array begin{lanes.first_stop(memory_kind::compare_exchange)};
  const std::uint32_t x = lanes.offset_at(begin[0]);
  CHECK(lanes.futures.may_be_next(begin, x, 0));
  CHECK_FALSE(lanes.futures.may_be_next(begin, x, 2));
  CHECK_FALSE(lanes.futures.may_be_next(begin, x, 1));
}
