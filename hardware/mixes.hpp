// Operations on sets and queues in the mixes of the papers, for sets.cu and queues.cu.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

/// A kind of operation, and its key or value.
struct operation {
  int kind;
  int argument;
};

/// Percentages of each kind of operation, and whether operations of a kind follow each other. The
/// name is as in 20_20_60 or 40_40_20_by_kind. If there is no such mix, `percent` is all 0.
struct mix {
  std::array<unsigned, 3> percent{};
  bool by_kind = false;
};

inline mix mix_named(const std::string& name) {
  if (name == "20_20_60") return {{20, 20, 60}, false};
  if (name == "40_40_20") return {{40, 40, 20}, false};
  if (name == "20_20_60_by_kind") return {{20, 20, 60}, true};
  if (name == "40_40_20_by_kind") return {{40, 40, 20}, true};
  if (name == "80_20") return {{80, 20, 0}, false};
  if (name == "50_50") return {{50, 50, 0}, false};
  if (name == "80_20_by_kind") return {{80, 20, 0}, true};
  if (name == "50_50_by_kind") return {{50, 50, 0}, true};
  return {};
}

/// `count` operations in the order of kinds, or mixed at random. The caller fills in the arguments.
inline std::vector<operation> operations_of(const mix& what, std::size_t count,
                                            std::mt19937& random) {
  std::vector<operation> all;
  for (int kind = 0; kind < 3; ++kind) {
    const std::size_t share = count * what.percent[static_cast<std::size_t>(kind)] / 100;
    all.insert(all.end(), share, {kind, 0});
  }
  all.resize(count, {0, 0});
  if (!what.by_kind) std::shuffle(all.begin(), all.end(), random);
  return all;
}
