// The machine of a kernel given as source text, without reductions and promises.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "checker/run/session.hpp"
#include "sim/machine/machine.hpp"
#include "tests/checker/run_source.hpp"

namespace test {

class explored {
 public:
  /// `body` sees `first`: whether the lane is in the first block.
  explored(const std::string& members, const std::string& body, grid shape,
           simt::memory_model memory = simt::memory_model::ptx,
           simt::reconvergence reconvergence = simt::reconvergence::its)
      : source(with(memory,
                    source_run(kernel(members, begin() + body), std::move(shape), reconvergence))),
        run(source.what, source.how),
        machine(simt::make_machine(run.setup(), run.stores())) {}

  source_run source;
  warpcheck::session run;
  std::unique_ptr<simt::machine> machine;
  std::set<simt::state_words> states;

  /// Lists all states, in rounds, until a round learns nothing new of the program.
  explored& all() {
    do {
      machine = simt::make_machine(run.setup(), run.stores());
      list_states();
    } while (machine->has_news());
    return *this;
  }

  [[nodiscard]] simt::successor_list steps(const simt::state_words& state) const {
    simt::successor_list list;
    machine->steps(state, list);
    return list;
  }
  [[nodiscard]] simt::state_words after(const simt::transition& t,
                                        const simt::successor_list& of) const {
    const auto words = of.state(t, machine->words());
    return {words.begin(), words.end()};
  }
  /// The state after the first step that `lane` may take by itself. Empty if there is none.
  [[nodiscard]] simt::state_words after(std::uint32_t lane, const simt::state_words& state) const {
    const simt::successor_list list = steps(state);
    for (const simt::transition& t : list.transitions) {
      if (t.by.what == simt::choice::kind::lane && t.by.unit == lane) return after(t, list);
    }
    return {};
  }
  /// The lanes that may carry out an access in `state`.
  [[nodiscard]] std::vector<std::uint32_t> at_accesses(const simt::state_words& state) const {
    std::vector<std::uint32_t> lanes;
    machine->accesses(state, lanes);
    return lanes;
  }

 private:
  static std::string begin() {
    return "using namespace simt;\nconst auto relaxed = memory_order_relaxed;\n(void)relaxed;\n"
           "const bool first = block_index() == 0;\n(void)first;\n";
  }
  static source_run with(simt::memory_model memory, source_run run) {
    run.how.machine.memory = memory;
    run.how.machine.promises = false;
    return run;
  }
  void list_states() {
    std::vector<simt::state_words> open{machine->initial()};
    states = {open.front()};
    while (!open.empty() && !machine->has_news()) {
      const simt::state_words state = std::move(open.back());
      open.pop_back();
      const simt::successor_list list = steps(state);
      for (const simt::transition& t : list.transitions) {
        if (t.next == simt::transition::no_state) continue;
        simt::state_words next = after(t, list);
        if (states.insert(next).second) open.push_back(std::move(next));
      }
    }
  }
};

}  // namespace test
