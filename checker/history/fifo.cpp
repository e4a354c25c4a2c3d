// Decides histories of queues. If every value is put once and all operations are complete, a
// history is linearizable unless
//   - a value is taken that was not put, or twice, or before it is put (collect),
//   - a is put before b is, and b is taken before a is (or a never is),
//   - a take finds nothing although some value is there at each moment of it (place_empties).
// A value that stays is taken after the end. A pending take takes a value that must be gone, if
// there is one: match_pending.
#include <algorithm>
#include <queue>

#include <fmt/format.h>

#include "checker/history/fast_algorithms.hpp"

namespace warpcheck {
namespace {

using carried = std::vector<carried_value>;

std::vector<std::uint32_t> sorted_by(const carried& values, event_time carried_value::*key) {
  std::vector<std::uint32_t> order(values.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::sort(order, {}, [&](std::uint32_t i) { return values[i].*key; });
  return order;
}

/// Returns values a and b, with a put before b, and b taken before a.
std::optional<std::pair<std::uint32_t, std::uint32_t>> overtaken(const carried& values) {
  const auto by_return = sorted_by(values, &carried_value::put_returns);
  const auto by_call = sorted_by(values, &carried_value::put_called);
  std::size_t at = 0;
  std::uint32_t latest = no_operation;  // the value that is taken last, of those put so far
  for (const std::uint32_t b : by_call) {
    for (; at < by_return.size() && values[by_return[at]].put_returns < values[b].put_called;
         ++at) {
      const std::uint32_t a = by_return[at];
      if (latest == no_operation || values[a].take_called > values[latest].take_called) latest = a;
    }
    if (latest != no_operation && values[b].take_returns < values[latest].take_called) {
      return std::pair(latest, b);
    }
  }
  return std::nullopt;
}

/// For each value that stays, returns the time before which it must be gone. It must be gone before
/// a value put after it is taken, and before a take that began after its put finds nothing.
std::vector<event_time> fifo_deadlines(const collection& what, std::span<const timed_step> steps) {
  std::vector<std::pair<event_time, event_time>> proofs;  // begin and end of the interval
  for (const carried_value& v : what.values) {
    if (v.take != no_operation) proofs.emplace_back(v.put_called, v.take_returns);
  }
  for (const std::uint32_t e : what.empties) proofs.emplace_back(steps[e].called, steps[e].returns);
  std::ranges::sort(proofs);
  for (std::size_t i = proofs.size(); i-- > 1;) {
    proofs[i - 1].second = std::min(proofs[i - 1].second, proofs[i].second);
  }
  std::vector<event_time> all(what.values.size(), never);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const carried_value& v = what.values[i];
    if (v.take != no_operation) continue;
    const auto next =
        std::ranges::upper_bound(proofs, v.put_returns, {}, [](const auto& p) { return p.first; });
    if (next != proofs.end()) all[i] = next->second;
  }
  return all;
}

/// Returns an order of the values that agrees with the times of puts and takes. Of the possible
/// values, it puts first the one that is taken first. There is an order, since no value is
/// overtaken.
std::vector<std::uint32_t> value_order(const carried& values,
                                       const std::vector<std::uint32_t>& part) {
  const auto by = [&](event_time carried_value::*key) {
    std::vector<std::uint32_t> order = part;
    std::ranges::sort(order, {}, [&](std::uint32_t i) { return values[i].*key; });
    return order;
  };
  const auto by_call = by(&carried_value::put_called);
  const auto by_put = by(&carried_value::put_returns);
  const auto by_take = by(&carried_value::take_returns);
  using entry = std::pair<event_time, std::uint32_t>;
  std::priority_queue<entry, std::vector<entry>, std::greater<>> ready;  // by the call of the take
  std::vector<bool> done(values.size(), false);
  std::vector<std::uint32_t> order;
  std::size_t next = 0, put = 0, take = 0;
  while (order.size() < part.size()) {
    while (done[by_put[put]]) ++put;
    while (done[by_take[take]]) ++take;
    for (; next < by_call.size() &&
           values[by_call[next]].put_called <= values[by_put[put]].put_returns;
         ++next) {
      ready.emplace(values[by_call[next]].take_called, by_call[next]);
    }
    const std::uint32_t first = ready.top().second;
    ready.pop();
    done[first] = true;
    order.push_back(first);
  }
  return order;
}

std::vector<std::uint32_t> step_order(const collection& what, std::vector<event_time> gaps) {
  // Group values by the part between two used gaps that they belong to.
  std::vector<event_time> used = gaps;
  std::ranges::sort(used);
  used.erase(std::unique(used.begin(), used.end()), used.end());
  std::vector<std::vector<std::uint32_t>> parts(used.size() + 1), empties(used.size() + 1);
  for (std::uint32_t i = 0; i < what.values.size(); ++i) {
    const auto at = std::ranges::upper_bound(used, what.values[i].put_returns);
    parts[static_cast<std::size_t>(at - used.begin())].push_back(i);
  }
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    const auto at = std::ranges::lower_bound(used, gaps[i]);
    empties[static_cast<std::size_t>(at - used.begin())].push_back(what.empties[i]);
  }
  struct point {
    event_time when;
    std::uint32_t value;
    bool is_take;
    std::uint32_t step;
    auto key() const { return std::tuple(when, value, is_take); }
  };
  std::vector<std::uint32_t> order;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    // Place each step as early as its call and the steps before it allow.
    std::vector<point> points;
    event_time put = 0, take = 0;
    const auto values = value_order(what.values, parts[p]);
    for (std::uint32_t i = 0; i < values.size(); ++i) {
      const carried_value& v = what.values[values[i]];
      put = std::max(put, v.put_called);
      points.push_back({put, i, false, v.put});
      if (v.take == no_operation) continue;
      take = std::max({take, put, v.take_called});
      points.push_back({take, i, true, v.take});
    }
    std::ranges::sort(points, {}, &point::key);
    for (const point& one : points) order.push_back(one.step);
    order.insert(order.end(), empties[p].begin(), empties[p].end());
  }
  return order;
}

pattern overtaking(const carried& values, std::uint32_t a, std::uint32_t b,
                   const step_words& words) {
  const carried_value& first = values[a];
  const carried_value& second = values[b];
  pattern made{{first.put, second.put, second.take}, {}};
  if (first.take != no_operation) made.steps.push_back(first.take);
  const std::string what = words.value(first.what);
  made.why = fmt::format("{} returned {} {}, although {} had returned before {} began",
                         words.name(second.take), words.value(second.what),
                         first.take != no_operation ? fmt::format("before the {} of {} began",
                                                                  words.name(first.take), what)
                                                    : fmt::format("and {} was never taken", what),
                         words.call(first.put), words.call(second.put));
  return made;
}

/// Decides with the takes as they are.
fast_answer decide(const collection& what, std::span<const timed_step> steps, event_time end,
                   const step_words& words) {
  fast_answer made;
  made.decided = answer::impossible;
  if (const auto pair = overtaken(what.values)) {
    made.violation = overtaking(what.values, pair->first, pair->second, words);
    return made;
  }
  std::size_t wrong = 0;
  auto gaps = place_empties(what, steps, end, wrong);
  if (!gaps) {
    made.violation = cover_of(what, steps, what.empties[wrong], words);
    return made;
  }
  made.decided = answer::explained;
  made.order = step_order(what, std::move(*gaps));
  return made;
}

}  // namespace

fast_answer decide_fifo(std::span<const timed_step> steps, const step_words& words) {
  fast_answer made;
  std::optional<collection> what = collect(steps, words, made.violation);
  if (!what) return made;
  if (!made.violation.steps.empty()) {
    made.decided = answer::impossible;
    return made;
  }
  const event_time end = end_of(steps);
  made = decide(*what, steps, end, words);
  if (made.decided == answer::explained || what->pending_takes.empty()) return made;

  // Only pending takes can help now.
  const auto deadlines = fifo_deadlines(*what, steps);
  const auto pairs = match_pending(*what, steps, deadlines);
  if (!pairs) return made;
  collection helped = *what;
  for (const auto& [value, take] : *pairs) {
    helped.values[value].take = take;
    helped.values[value].take_called =
        std::max(steps[take].called, helped.values[value].put_called);
  }
  fast_answer second = decide(helped, steps, end, words);
  if (second.decided == answer::explained) return second;
  // Assume a pending take for each value, all as early as the first one. If even that has no order,
  // neither has the history.
  helped = *what;
  for (carried_value& v : helped.values) {
    if (v.take != no_operation) continue;
    v.take = what->pending_takes.front();
    v.take_called = std::max(steps[v.take].called, v.put_called);
  }
  if (decide(helped, steps, end, words).decided == answer::impossible) return made;
  return {};
}

}  // namespace warpcheck
