// The coarsest stable partition, against Moore's over generated automata.
#include <doctest/doctest.h>

#include <map>
#include <random>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "sim/automaton/partition.hpp"

namespace {

struct automaton {
  std::vector<std::uint32_t> colours;
  simt::labelled_edges edges;
};

/// States of some colours: of each of these, some labels, that lead to a state nearby or to any.
automaton generate(std::mt19937& random) {
  const auto below = [&](std::size_t n) { return random() % n; };
  automaton made;
  const std::size_t states = 1 + below(60);
  std::vector<std::size_t> labels(1 + below(5));
  for (std::size_t& each : labels) each = below(4);
  const bool leads_far = below(2) == 0;
  for (std::size_t s = 0; s < states; ++s) {
    const std::size_t colour = below(8) == 0 ? below(labels.size()) : 0;
    made.colours.push_back(static_cast<std::uint32_t>(colour));
    made.edges.first.push_back(made.edges.targets.size());
    for (std::size_t i = 0; i < labels[colour]; ++i) {
      const std::size_t to = leads_far ? below(states) : (s + 1 + below(2)) % states;
      made.edges.targets.push_back(static_cast<std::uint32_t>(to));
    }
  }
  made.edges.first.push_back(made.edges.targets.size());
  return made;
}

/// Moore 1956: states are told apart by the classes that their labels lead to, until nothing
/// changes.
std::vector<std::uint32_t> by_rounds(const automaton& of) {
  std::vector<std::uint32_t> classes = of.colours;
  for (std::size_t before = 0;;) {
    std::map<std::vector<std::uint32_t>, std::uint32_t> numbers;
    std::vector<std::uint32_t> next;
    for (std::size_t s = 0; s < classes.size(); ++s) {
      std::vector<std::uint32_t> key{classes[s]};
      for (std::size_t e = of.edges.first[s]; e < of.edges.first[s + 1]; ++e) {
        key.push_back(classes[of.edges.targets[e]]);
      }
      next.push_back(
          numbers.try_emplace(key, static_cast<std::uint32_t>(numbers.size())).first->second);
    }
    classes = std::move(next);
    if (numbers.size() == before) return classes;
    before = numbers.size();
  }
}

const auto never_minds = [](std::size_t) {};

}  // namespace

TEST_CASE("classes are those that rounds over all states come to, with the same numbers") {
  std::mt19937 random(11);
  unsigned apart = 0, together = 0, by_labels = 0;
  for (unsigned i = 0; i < 3'000; ++i) {
    CAPTURE(i);
    const automaton of = generate(random);
    const auto classes = simt::coarsest_partition(of.colours, of.edges, never_minds);
    CHECK(classes == by_rounds(of));
    const std::set<std::uint32_t> used(classes.begin(), classes.end());
    const std::set<std::uint32_t> colours(of.colours.begin(), of.colours.end());
    apart += used.size() == classes.size() ? 1 : 0;
    together += used.size() < classes.size() ? 1 : 0;
    by_labels += used.size() > colours.size() && used.size() < classes.size() ? 1 : 0;
  }
  // They are not all of one kind.
  CHECK(apart > 100);
  CHECK(together > 100);
  CHECK(by_labels > 100);
}

TEST_CASE("a long chain takes edges times the logarithm of states") {
  constexpr std::uint32_t states = 100'000;
  automaton chain;
  for (std::uint32_t s = 0; s < states; ++s) {
    chain.colours.push_back(s + 1 == states ? 1 : 0);
    chain.edges.first.push_back(chain.edges.targets.size());
    if (s + 1 < states) chain.edges.targets.push_back(s + 1);
  }
  chain.edges.first.push_back(chain.edges.targets.size());
  std::size_t looked_at = 0;
  const auto classes = simt::coarsest_partition(chain.colours, chain.edges,
                                                [&](std::size_t edges) { looked_at += edges; });
  CHECK(classes.back() == states - 1);
  CHECK(looked_at < 20 * states);
}

TEST_CASE("whoever is told how far it is may end it") {
  automaton loop;
  constexpr std::uint32_t states = 10'000;
  for (std::uint32_t s = 0; s < states; ++s) {
    loop.colours.push_back(s % 2);
    loop.edges.first.push_back(s);
    loop.edges.targets.push_back((s + 1) % states);
  }
  loop.edges.first.push_back(states);
  const auto enough = [](std::size_t) { throw 1; };
  CHECK_THROWS_AS(simt::coarsest_partition(loop.colours, loop.edges, enough), int);
}
