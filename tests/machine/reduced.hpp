// The machine of a kernel given as source text, with reductions, after all has been learnt.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "checker/explore/reduced_machine.hpp"
#include "tests/machine/lanes_of.hpp"

namespace test {

/// Explores in rounds, as check() does, until a round contradicts nothing that was assumed.
class reduced {
 public:
  reduced(const std::string& members, const std::string& body, grid shape,
          const warpcheck::reductions& reduce,
          simt::reconvergence reconvergence = simt::reconvergence::its)
      : of(members, body, std::move(shape), reconvergence),
        lanes(of.run.lanes(), reduce.merge),
        all(of.run, lanes, reduce) {
    warpcheck::knowledge known;
    while (!is_round(all, known, states)) {
      known = all.known(of.run);
      ++contradicted;
    }
  }

  lanes_of of;
  simt::lane_automaton lanes;
  warpcheck::reduced_machine all;
  std::set<simt::state_words> states;  // of the last round
  unsigned contradicted = 0;           // rounds before it

  /// One round, with a machine that assumes what is known. False: something contradicts that.
  bool is_round(warpcheck::reduced_machine& with, const warpcheck::knowledge& known,
                std::set<simt::state_words>& met) {
    met.clear();
    lanes.refine();
    with.renew(of.run, known);
    simt::machine& m = *with.machine;
    simt::state_words root = m.initial();
    m.reduce(root);
    std::vector<simt::state_words> open{root};
    met.insert(root);
    simt::successor_list next;
    while (!open.empty()) {
      const simt::state_words state = open.back();
      open.pop_back();
      next.clear();
      m.successors(state, next);
      if (m.has_news()) return false;
      for (const simt::transition& t : next.transitions) {
        if (t.next == simt::transition::no_state) continue;
        const auto words = next.state(t, m.words());
        simt::state_words then(words.begin(), words.end());
        if (met.insert(then).second) open.push_back(std::move(then));
      }
    }
    const bool has_learnt = with.has_learnt(true) || !m.renames_still_hold();
    return !has_learnt && !m.has_news();
  }

  [[nodiscard]] simt::machine& machine() const { return *all.machine; }
  /// The state after steps of these lanes, one by one. Not reduced.
  [[nodiscard]] simt::state_words after(const std::vector<std::uint32_t>& who) const {
    return after(who, machine().initial());
  }
  [[nodiscard]] simt::state_words after(const std::vector<std::uint32_t>& who,
                                        simt::state_words state) const {
    simt::successor_list next;
    for (const std::uint32_t lane : who) {
      next.clear();
      machine().steps(state, next);
      bool steps = false;
      for (const simt::transition& t : next.transitions) {
        if (t.by.what != simt::choice::kind::lane || t.by.unit != lane) continue;
        const auto words = next.state(t, machine().words());
        state.assign(words.begin(), words.end());
        steps = true;
        break;
      }
      if (!steps) return {};
    }
    return state;
  }
  /// The state after all steps that lanes can only take together.
  [[nodiscard]] simt::state_words all_together(simt::state_words state) const {
    simt::successor_list next;
    for (bool more = true; more;) {
      next.clear();
      machine().steps(state, next);
      more = false;
      for (const simt::transition& t : next.transitions) {
        if (t.by.what == simt::choice::kind::lane || t.next == simt::transition::no_state) continue;
        const auto words = next.state(t, machine().words());
        state.assign(words.begin(), words.end());
        more = true;
        break;
      }
    }
    return state;
  }
  /// The lanes that run ahead from there, in their order.
  [[nodiscard]] std::vector<std::uint32_t> ahead(simt::state_words state) const {
    std::vector<simt::choice> made;
    machine().run_ahead(state, &made);
    std::vector<std::uint32_t> who;
    for (const simt::choice& c : made) who.push_back(c.unit);
    return who;
  }
  [[nodiscard]] simt::state_words canonical(simt::state_words state) const {
    machine().change_places(state);
    return state;
  }
};

}  // namespace test
