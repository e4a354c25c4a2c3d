// What a search has learnt of a program is a value: it is joined, it comes back from JSON, and a
// round that begins with it contradicts nothing.
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <set>
#include <string>

#include "checker/run/knowledge.hpp"
#include "tests/machine/reduced.hpp"

using warpcheck::kept_places;
using warpcheck::knowledge;
using warpcheck::reductions;

namespace {

const std::string members =
    "alignas(8) simt::atomic<int> x{0}; alignas(8) simt::atomic<int> y{0};"
    "simt::atomic<int> slot[4];";
// Lanes turn out to differ, warps to matter, and who is last to store what others read.
const std::string body =
    "const unsigned me = thread_rank();\n"
    "if (me == 2) y.store(1);\n"
    "slot[me].store(1);\n"
    "syncwarp();\n"
    "if (x.fetch_add(1) == 3 && y.load() == 1) slot[0].store(2);";

knowledge some() {
  knowledge all;
  all.off.names = true;
  all.moves = {true, false, false, {0, 1, 1, 0}};
  all.its_moves = {false, false, true, {0, 0, 0, 0}};
  all.weak.emplace();
  all.weak->facts.contested = {8};
  all.weak->facts.wavering = {8};
  all.weak->uses[8] = {1, true, false, false};
  return all;
}

knowledge others() {
  knowledge all;
  all.off.proofs = true;
  all.moves = {false, true, false, {0, 0, 1, 1}};
  all.its_moves.roles = {0, 0, 0, 1};
  all.meets_divergence = true;
  all.weak.emplace();
  all.weak->facts.contested = {16};
  all.weak->uses[8] = {2, false, true, false};
  return all;
}

}  // namespace

TEST_CASE("knowledge that is joined has what either has") {
  knowledge both = some();
  both.join(others());
  CHECK(both.off == warpcheck::without{false, true, false, true});
  CHECK(both.moves == kept_places{true, true, false, {0, 1, 2, 3}});
  CHECK(both.its_moves == kept_places{false, false, true, {0, 0, 0, 1}});
  CHECK(both.meets_divergence);
  CHECK(both.weak->facts.contested == std::set<std::uint32_t>{8, 16});
  CHECK(both.weak->facts.wavering == std::set<std::uint32_t>{8});
  using use = simt::shared_facts::location_use;
  CHECK(both.weak->uses.at(8) == use{use::several, true, true, false});

  knowledge other_way = others();
  other_way.join(some());
  CHECK(other_way.digest() == both.digest());
  const std::uint64_t before = both.digest();
  both.join(some());
  both.join({});
  CHECK(both.digest() == before);
  knowledge from_nothing;
  from_nothing.join(both);
  CHECK(from_nothing.digest() == before);
}

TEST_CASE("each thing that is known makes another digest") {
  std::set<std::uint64_t> digests{knowledge{}.digest()};
  unsigned all = 1;
  const auto add = [&](auto change) {
    knowledge one;
    change(one);
    digests.insert(one.digest());
    CHECK(digests.size() == ++all);
  };
  add([](knowledge& k) { k.off.lockstep = true; });
  add([](knowledge& k) { k.off.names = true; });
  add([](knowledge& k) { k.off.moves = true; });
  add([](knowledge& k) { k.off.proofs = true; });
  add([](knowledge& k) { k.moves.lanes = true; });
  add([](knowledge& k) { k.moves.roles = {0, 1}; });
  add([](knowledge& k) { k.its_moves.blocks = true; });
  add([](knowledge& k) { k.meets_divergence = true; });
  add([](knowledge& k) { k.weak.emplace(); });
  add([](knowledge& k) { k.weak.emplace().facts.telling = {4}; });
  add([](knowledge& k) { k.weak.emplace().facts.wavering = {4}; });
  add([](knowledge& k) { k.lanes.emplace().renamings = 1; });
}

TEST_CASE("all that is known of uses of locations is written") {
  knowledge known;
  auto& uses = known.weak.emplace().uses;
  uses[4] = {.lane = 1, .stores = true, .arrives = true};
  uses[8] = {.suspicious = true, .loses_phases = true};
  uses[12] = {.lane = 0, .ordinary = true};
  const knowledge read = knowledge::from_json(known.to_json());
  REQUIRE(read.weak);
  CHECK(read.weak->uses == uses);
}

TEST_CASE("roles of other numbers of lanes are those of another program") {
  kept_places two{false, false, false, {0, 1}};
  CHECK_THROWS_AS(two.join({false, false, false, {0, 1, 2}}), std::runtime_error);
}

TEST_CASE("a round that begins with what is known contradicts nothing") {
  for (const reductions reduce :
       {reductions{true, true, true, false}, reductions{true, true, false, false},
        reductions{true, false, true, false}}) {
    INFO(to_text(reduce));
    test::reduced run(members, body, {1, {2, 2}}, reduce);
    CHECK(run.contradicted > 0);
    const knowledge known = run.all.known_of_round(run.of.run);

    const nlohmann::json text = known.to_json();
    const knowledge read =
        knowledge::from_json(nlohmann::json::from_cbor(nlohmann::json::to_cbor(text)));
    CHECK(read.to_json() == text);
    CHECK(read.digest() == known.digest());

    warpcheck::reduced_machine another(run.of.run, run.lanes, reduce);
    std::set<simt::state_words> states;
    CHECK(run.is_round(another, read, states));
    CHECK(states.size() == run.states.size());
    CHECK(another.known_of_round(run.of.run).digest() == known.digest());

    // (Symmetry is learnt while states are listed.)
    warpcheck::reduced_machine ignorant(run.of.run, run.lanes, reduce);
    if (reduce.symmetry) CHECK_FALSE(run.is_round(ignorant, {}, states));
  }
}
