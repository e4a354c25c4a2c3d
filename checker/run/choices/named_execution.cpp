// Follows executions, to name their choices or to find the choices that are named.
#include "checker/run/choices/named_execution.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "sim/lane/lane_runner.hpp"
#include "sim/machine/walk/replay.hpp"

namespace warpcheck {
namespace {

/// Calls f with each choice of the prefix and of the cycle, and with the list that it is to be
/// added to, until f returns false.
template <class From, class To, class F>
void for_each_choice(const From& from, To& to, F f) {
  for (const auto& one : from.prefix) {
    if (!f(one, to.prefix)) return;
  }
  for (const auto& one : from.cycle) {
    if (!f(one, to.cycle)) return;
  }
}

bool is_promise(const simt::choice_name& one) { return one.by.what == simt::choice::kind::promise; }

named_execution names_on(session& in, const execution& how) {
  simt::machine& machine = in.machine();
  named_execution named;
  do {  // repeat with what was learnt, if facts are not settled
    machine.begin_again();
    named = {};
    simt::replay run(machine);
    bool goes_on = true;
    for_each_choice(how, named, [&](const simt::choice& by, auto& to) {
      to.push_back(goes_on ? name_of(machine, run.state(), by) : simt::choice_name{by, {}, {}, {}});
      goes_on = goes_on && run.follow(by);
      return true;
    });
  } while (machine.has_news());
  if (std::ranges::any_of(named.prefix, is_promise) ||
      std::ranges::any_of(named.cycle, is_promise)) {
    named.votes = in.facts().now().votes;
    std::erase_if(named.votes, [](const auto& vote) { return !vote.second.asked; });
  }
  return named;
}

/// Returns what a machine must know to list the promises of the execution. The steps that could
/// tell come later. So each location counts as contested, which tells most states apart.
simt::memory_facts facts_for_promises(const session& run, const named_execution& named) {
  simt::memory_facts facts;
  for (const auto* const list : {&named.prefix, &named.cycle}) {
    for (const simt::choice_name& one : *list) {
      if (!is_promise(one)) continue;
      facts.votes = named.votes;
      facts.may_buffer = facts.unsynchronized = facts.all_contested = true;
      const auto place = place_of_store(run.memory(), one);
      if (place && one.store.find(" by a weak ") != std::string::npos) facts.telling.insert(*place);
    }
  }
  return facts;
}

/// Finds the choices once. That counts if the machine has no news afterwards.
found_execution find_once(session& run, const named_execution& named, const later_questions& ask) {
  simt::machine& machine = run.machine();
  found_execution found;
  simt::replay so_far(machine);
  std::vector<simt::state_words> states{so_far.state()};
  bool has_ended = false;
  std::size_t number = 0;
  for_each_choice(named, found.how, [&](const simt::choice_name& name, auto& to) {
    machine.program().give_up_in_time();
    ++number;
    const simt::transition* const t = has_ended ? nullptr : so_far.find(name);
    if (machine.has_news()) return false;
    if (t == nullptr) {
      found.lost = fmt::format("choice {}, \"{}\": {}", number, to_text(name, run.subject().grid),
                               has_ended ? "the run has already ended" : "this cannot happen here");
      return false;
    }
    to.push_back(t->by);
    has_ended = t->ends != simt::ending::none;
    if (has_ended) return true;
    so_far.take(*t);
    if (ask) states.push_back(so_far.state());
    return true;
  });
  if (has_ended || !found.lost.empty() || machine.has_news()) return found;
  simt::successor_list list;  // what could happen next may be news, too
  machine.successors(so_far.state(), list);
  if (ask && !machine.has_news()) ask(states);
  return found;
}

}  // namespace

named_execution names_of_choices(session& run, const execution& how) {
  try {
    return names_on(run, how);
  } catch (const simt::lane_runaway&) {
    // Early stores of lanes may have no end. The execution was found without such stores.
    if (!run.settings().machine.promises || !run.traits_of_memory().learns_facts) throw;
  }
  run_settings settings = run.settings();
  settings.machine.promises = false;
  session other(run.subject(), settings, run.waiting());
  other.facts().learn(run.facts().now());
  other.facts().settle(true);
  return names_on(other, how);
}

found_execution find_choices(session& run, const named_execution& named,
                             const later_questions& ask) {
  run.facts().learn(facts_for_promises(run, named));
  run.facts().follow(true);
  found_execution found;
  do {  // repeat with what was learnt
    run.machine().begin_again();
    found = find_once(run, named, ask);
  } while (run.machine().has_news());
  run.facts().follow(false);
  run.facts().settle(true);
  return found;
}

}  // namespace warpcheck
