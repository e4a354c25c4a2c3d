// Goes back from each successful compare-exchange to the lane's last read; under weak memory, in
// coherence order.
#include "checker/report/aba.hpp"

#include <algorithm>
#include <iterator>
#include <list>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace warpcheck {
namespace {

using simt::detail::memory_kind;

bool is_same_place(const simt::operation& a, const simt::operation& b) {
  return a.address == b.address && a.size == b.size;
}

bool succeeds(const lane_action& a) {
  return a.is_access() && a.op.memory == memory_kind::compare_exchange &&
         a.old_value == a.op.compare && a.new_value != a.old_value;
}

bool changes(const lane_action& a) { return a.is_access() && a.new_value != a.old_value; }

std::string place_of(const lane_action& a) {
  return a.at.known() ? fmt::format(" ({}:{})", a.at.file, a.at.line) : std::string();
}

/// All groups of stores of one location in coherence order, under weak memory.
class coherence_order {
 public:
  struct group {
    std::uint64_t value = 0;
    aba_finding::event made;  // not set for the first group
  };
  using place = std::list<group>::iterator;

  /// Returns the group that the step has read or made.
  place take_in(const simt::coherence_step& step, const aba_finding::event& by) {
    if (all_.empty()) all_.push_back({step.old, {}});
    if (!step.makes) return newest(step.result);
    return all_.insert(std::next(newest(step.behind)), {step.value, by});
  }
  /// Returns a group by its number, counted from the newest.
  place newest(std::size_t number) {
    return std::prev(all_.end(), static_cast<std::ptrdiff_t>(number) + 1);
  }

 private:
  std::list<group> all_;  // the oldest first
};

/// Returns the stores between two groups, and that of the newer one. Empty: no value differs.
std::vector<aba_finding::event> changes_between(coherence_order::place from,
                                                coherence_order::place to) {
  std::vector<aba_finding::event> changes;
  const std::uint64_t value = from->value;
  bool changed = false;
  while (from != to) {
    ++from;
    changed = changed || from->value != value;
    changes.push_back(from->made);
  }
  if (!changed) changes.clear();
  return changes;
}

std::vector<aba_finding> find_weak_aba(const trace& t) {
  struct look {
    coherence_order::place at;
    aba_finding::event event;
  };
  std::map<std::uint32_t, coherence_order> orders;                // by offset
  std::map<std::pair<std::uint32_t, std::uint32_t>, look> looks;  // by lane and offset
  std::vector<aba_finding> found;
  for (const trace_step& step : t.steps) {
    for (const lane_action& a : step.actions) {
      if (a.op.kind != simt::operation_kind::called) continue;
      std::erase_if(looks, [&](const auto& l) { return l.first.first == a.lane; });
    }
    if (!step.coherent) continue;
    coherence_order& order = orders[step.coherent->offset];
    const bool promises = step.promise.has_value();
    const aba_finding::event event{step.number, promises ? *step.promise : step.actions.front()};
    const std::pair key{event.action.lane, step.coherent->offset};
    const auto known = looks.find(key);
    if (!promises && known != looks.end() && succeeds(event.action)) {
      std::vector<aba_finding::event> changes =
          changes_between(known->second.at, order.newest(step.coherent->behind));
      if (!changes.empty() && known->second.at->value == step.coherent->old) {
        aba_finding one{event.action.variable, {known->second.event}};
        one.biography.insert(one.biography.end(), changes.begin(), changes.end());
        one.biography.push_back(event);
        found.push_back(std::move(one));
      }
    }
    const coherence_order::place at = order.take_in(*step.coherent, event);
    const bool keeps = (step.by.mask & simt::choice::keeps) != 0;
    if (!promises && keeps) at->made = event;
    if (promises || event.action.op.memory == memory_kind::store) continue;
    looks.insert_or_assign(key, look{at, event});
  }
  return found;
}

}  // namespace

std::vector<aba_finding> find_aba(const trace& t) {
  const auto is_weak = [](const trace_step& step) { return step.coherent.has_value(); };
  if (std::ranges::any_of(t.steps, is_weak)) return find_weak_aba(t);
  std::vector<aba_finding::event> all;
  for (const trace_step& step : t.steps) {
    for (const lane_action& a : step.actions) all.push_back({step.number, a});
  }
  std::vector<aba_finding> found;
  for (std::size_t at = 0; at < all.size(); ++at) {
    const lane_action& exchange = all[at].action;
    if (!succeeds(exchange)) continue;
    // Find the lane's own last look at the location, in the same operation.
    std::optional<std::size_t> look;
    for (std::size_t i = at; i-- > 0 && !look;) {
      const lane_action& a = all[i].action;
      if (a.lane != exchange.lane) continue;
      if (a.op.kind == simt::operation_kind::called) break;
      if (a.reads() && is_same_place(a.op, exchange.op)) {
        look = i;
      }
    }
    if (!look || all[*look].action.new_value != exchange.op.compare) continue;
    aba_finding one{exchange.variable, {all[*look]}};
    for (std::size_t i = *look + 1; i < at; ++i) {
      const lane_action& a = all[i].action;
      if (changes(a) && is_same_place(a.op, exchange.op)) one.biography.push_back(all[i]);
    }
    if (one.biography.size() == 1) continue;  // no lane changed it
    one.biography.push_back(all[at]);
    found.push_back(std::move(one));
  }
  return found;
}

std::string text_of(const aba_finding& found, names& named) {
  const auto& first = found.biography.front();
  const auto& last = found.biography.back();
  std::vector<std::string> changes;
  for (std::size_t i = 1; i + 1 < found.biography.size(); ++i) {
    const auto& [step, a] = found.biography[i];
    const std::string value = named.value_at(a.op.address, a.new_value, a.op.size);
    changes.push_back(step == 0  // a promise that is not kept yet
                          ? fmt::format("{} is to make it {}, which is visible already{}",
                                        named.lane(a.lane), value, place_of(a))
                          : fmt::format("{} made it {} in step {}{}", named.lane(a.lane), value,
                                        step, place_of(a)));
  }
  return fmt::format(
      "ABA: {} found `{}` to be {} in step {}{}, and its compare-exchange in step {} succeeds{}, "
      "although it was changed and changed back: {}",
      named.lane(first.action.lane), found.variable,
      named.value_at(last.action.op.address, last.action.op.compare, last.action.op.size),
      first.step, place_of(first.action), last.step, place_of(last.action),
      fmt::join(changes, ", "));
}

}  // namespace warpcheck
