// Computes the coarsest stable partition of a finite automaton.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace simt {

/// The edges of each state by label. Label i leads from s to `targets[first[s] + i]`, for all i
/// below `first[s + 1] - first[s]`.
struct labelled_edges {
  std::vector<std::size_t> first;  // by state; one more at the end
  std::vector<std::uint32_t> targets;
};

/// Partitions states into classes, numbered by their first members. The result is the coarsest
/// partition that is finer than `colours` and stable: each label leads from members of one class to
/// members of one class. States of one colour must have equally many labels. `look` is called now
/// and then with the number of edges looked at since, and may throw. Takes time of edges times the
/// logarithm of states (Hopcroft 1971).
std::vector<std::uint32_t> coarsest_partition(std::span<const std::uint32_t> colours,
                                              const labelled_edges& edges,
                                              const std::function<void(std::size_t)>& look);

}  // namespace simt
