// Shrinks a history by delta debugging to a part that still has no order, from its beginning or its
// middle.
#include "checker/history/evidence.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace warpcheck {
namespace {

using numbers = std::vector<std::uint32_t>;

/// Returns units that can be left out at once: an observer, or all operations of a group.
std::vector<numbers> removable_units(const history& of, const simt::spec::specification& spec,
                                     const numbers& operations) {
  std::vector<numbers> units;
  std::map<simt::spec::value, numbers> groups;
  std::map<simt::spec::value, bool> group_is_whole;
  for (const std::uint32_t i : operations) {
    const recorded_operation& o = of.operations[i];
    const simt::spec::role role = spec.role_of(o.what, o.returned);
    const bool takes_unknown =
        !o.completed && spec.operations()[o.what.operation].returns != simt::spec::type::nothing;
    if (takes_unknown) continue;  // the group of the operation is not known
    if (role.group) groups[*role.group].push_back(i);
    if (role.observer) units.push_back({i});
  }
  for (auto& [group, members] : groups) units.push_back(std::move(members));
  return units;
}

numbers without(const numbers& from, const std::vector<numbers>& units, std::size_t begin,
                std::size_t end) {
  numbers out;
  for (std::size_t i = begin; i < end; ++i) out.insert(out.end(), units[i].begin(), units[i].end());
  std::ranges::sort(out);
  numbers rest;
  std::ranges::set_difference(from, out, std::back_inserter(rest));
  return rest;
}

/// Returns the steps of a window that begins at `m`. Steps pending there are done, or may be done.
std::vector<timed_step> window(std::span<const timed_step> steps, const order_search::moment& m,
                               event_time end) {
  std::vector<timed_step> part;
  std::vector<std::uint32_t> moved(steps.size(), no_operation);
  for (std::uint32_t i = 0; i < steps.size(); ++i) {
    const timed_step& s = steps[i];
    if (s.returns < m.when || s.called >= end) continue;
    if (std::ranges::binary_search(m.always, i)) continue;
    moved[i] = static_cast<std::uint32_t>(part.size());
    timed_step one = s;
    one.after = s.after == no_operation ? no_operation : moved[s.after];
    one.may_be_done = std::ranges::binary_search(m.sometimes, i);
    if (one.returns > end) one.returns = never;
    part.push_back(one);
  }
  return part;
}

numbers operations_in(std::span<const timed_step> steps) {
  numbers all;
  for (const timed_step& s : steps) all.push_back(s.source);
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

std::string sentence(const history& of, const simt::spec::specification& spec,
                     const recorded_operation& stuck, const order_search& search) {
  const simt::spec::operation& operation = spec.operations()[stuck.what.operation];
  const std::string call = call_text(of, spec, stuck.what);
  const std::string who = of.clients[stuck.what.client];
  if (operation.returns == simt::spec::type::nothing) {
    return fmt::format("{} of client {} has returned, but no order of these operations lets it",
                       call, who);
  }
  std::vector<std::string> possible;
  for (const auto& r : search.possible_results()) {
    possible.push_back(result_text(of, operation, r));
    if (possible.size() == 8) {
      possible.emplace_back("…");
      break;
    }
  }
  std::string text = fmt::format(
      "{} of client {} returned {}, but no order of these operations "
      "lets it",
      call, who, result_text(of, operation, stuck.returned));
  const std::string actual = result_text(of, operation, stuck.returned);
  std::erase(possible, actual);
  if (!possible.empty()) {
    text += fmt::format("; it could have returned {}", fmt::join(possible, " or "));
  }
  return text;
}

}  // namespace

std::vector<timed_step> only(std::span<const timed_step> steps,
                             std::span<const std::uint32_t> operations) {
  std::vector<timed_step> part;
  std::vector<std::uint32_t> moved(steps.size(), no_operation);
  for (std::uint32_t i = 0; i < steps.size(); ++i) {
    if (!std::ranges::binary_search(operations, steps[i].source)) continue;
    moved[i] = static_cast<std::uint32_t>(part.size());
    part.push_back(steps[i]);
    if (part.back().after != no_operation) part.back().after = moved[part.back().after];
  }
  return part;
}

numbers reduce(const history& of, const simt::spec::specification& spec, numbers operations,
               std::optional<std::uint32_t> keep,
               const std::function<bool(std::span<const std::uint32_t>)>& impossible,
               const history_limits& limits) {
  constexpr std::size_t most = 20'000;
  if (operations.size() > most) return operations;
  std::vector<numbers> units = removable_units(of, spec, operations);
  if (keep) {
    std::erase_if(
        units, [&](const numbers& unit) { return std::ranges::find(unit, *keep) != unit.end(); });
  }
  // Leave out halves, quarters, and so on down to single units (delta debugging), each once for
  // each size.
  for (std::size_t size = std::max<std::size_t>(units.size(), 1); size > 0; size /= 2) {
    for (std::size_t begin = 0; begin < units.size();) {
      if (limits.exceeded(0) != nullptr) return operations;
      const std::size_t end = std::min(begin + size, units.size());
      numbers rest = without(operations, units, begin, end);
      if (rest.size() < operations.size() && impossible(rest)) {
        operations = std::move(rest);
        units.erase(units.begin() + static_cast<std::ptrdiff_t>(begin),
                    units.begin() + static_cast<std::ptrdiff_t>(end));
      } else {
        begin = end;
      }
    }
  }
  return operations;
}

history_evidence evidence_of(const history& of, const simt::spec::specification& spec,
                             std::span<const timed_step> steps, const order_search& search,
                             const history_limits& limits) {
  const timed_step& stuck = steps[search.stuck_at()];
  history_evidence made;
  made.stuck = stuck.source;
  made.why = sentence(of, spec, of.operations[stuck.source], search);

  const auto is_impossible = [&](std::span<const timed_step> part,
                                 const std::vector<simt::spec::state>& from) {
    order_search again(spec, part, from, limits);
    return again.run() == answer::impossible;
  };
  const auto reduced = [&](const std::vector<timed_step>& part,
                           const std::vector<simt::spec::state>& from) {
    return reduce(
        of, spec, operations_in(part), stuck.source,
        [&](std::span<const std::uint32_t> some) { return is_impossible(only(part, some), from); },
        limits);
  };

  // From the beginning: all operations called before the return that no order gets past.
  order_search::moment beginning{0, {spec.initial()}, {}, {}};
  const std::vector<timed_step> prefix = window(steps, beginning, stuck.returns);
  constexpr std::size_t few = 12;
  constexpr std::size_t reducible = 2'000;
  made.operations =
      prefix.size() <= reducible ? reduced(prefix, beginning.states) : operations_in(prefix);
  if (made.operations.size() <= few) return made;

  // Begin somewhere in the middle if that is shorter.
  constexpr std::size_t furthest_back = 256;
  constexpr std::size_t most_states = 64;
  const auto moments = search.moments(furthest_back);
  for (std::size_t back = 1; back <= moments.size(); back = back < 16 ? back + 1 : back * 2) {
    const order_search::moment& m = moments[moments.size() - back];
    if (m.states.size() > most_states || limits.exceeded(0) != nullptr) continue;
    const std::vector<timed_step> part = window(steps, m, stuck.returns);
    if (part.size() >= made.operations.size()) break;
    if (!is_impossible(part, m.states)) continue;
    made.operations = reduced(part, m.states);
    made.from = m.states;
    break;
  }
  return made;
}

}  // namespace warpcheck
