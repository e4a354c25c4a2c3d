// The graph of all that the lanes of a kernel may do, for tests that ask it.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <utility>

#include "sim/automaton/lane_program.hpp"
#include "sim/machine/promises/thread_modular.hpp"
#include "tests/machine/explored.hpp"

namespace test {

/// Two lanes in blocks of their own, unless `shape` says otherwise.
struct graph_of {
  explicit graph_of(const std::string& body, test::grid shape = {2, {1}},
                    const std::string& members = "simt::atomic<int> x{0}, y{0};")
      : made(members, body, std::move(shape)),
        lanes(made.run.lanes().another()),
        graph(*made.machine, *lanes, made.machine->image(made.machine->initial())) {}

  test::explored made;
  std::unique_ptr<simt::lane_program> lanes;
  simt::thread_modular graph;

  /// What `lane` may read at those stops at which `is_asked` holds of the operation.
  template <class F>
  [[nodiscard]] std::set<std::uint64_t> read_by(std::uint32_t lane, F is_asked) const {
    std::set<std::uint64_t> all;
    for (simt::thread_modular::number s = 0; s < graph.stops().size(); ++s) {
      if (graph.stops()[s].lane != lane || !is_asked(graph.at(s))) continue;
      for (const simt::thread_modular::edge& e : graph.stops()[s].edges) all.insert(e.read);
    }
    return all;
  }
  [[nodiscard]] std::set<std::uint64_t> loaded_by(std::uint32_t lane) const {
    return read_by(lane, [](const simt::operation& op) {
      return op.kind == simt::operation_kind::memory &&
             op.memory == simt::detail::memory_kind::load;
    });
  }
};

}  // namespace test
