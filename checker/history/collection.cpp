// Sorts steps into values and empty takes, and finds gaps and matches that all fast algorithms
// need.
#include "checker/history/collection.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <boost/unordered/unordered_flat_map.hpp>

namespace warpcheck {

std::string step_words::name(std::uint32_t step) const {
  return spec_.operations()[steps_[step].what.operation].name;
}

std::string step_words::call(std::uint32_t step) const {
  return call_text(of_, spec_, steps_[step].what);
}

std::optional<collection> collect(std::span<const timed_step> steps, const step_words& words,
                                  pattern& violation) {
  collection made;
  boost::unordered_flat_map<simt::spec::value, std::uint32_t> index;
  index.reserve(steps.size() / 2);
  for (std::uint32_t i = 0; i < steps.size(); ++i) {
    const timed_step& s = steps[i];
    if (s.what.operation != 0) continue;
    const simt::spec::value what = s.what.arguments[0];
    if (!index.emplace(what, static_cast<std::uint32_t>(made.values.size())).second) {
      return std::nullopt;
    }
    made.values.push_back({what, i, no_operation, s.called, s.returns, never, never});
  }
  const auto complain = [&](std::vector<std::uint32_t> which, std::string why) {
    if (violation.steps.empty()) violation = {std::move(which), std::move(why)};
  };
  for (std::uint32_t i = 0; i < steps.size(); ++i) {
    const timed_step& s = steps[i];
    if (s.what.operation == 0) continue;
    if (!s.has_result) {
      made.pending_takes.push_back(i);
      continue;
    }
    if (!s.returned.is_some) {
      made.empties.push_back(i);
      continue;
    }
    const std::string what = words.value(s.returned.what);
    const auto found = index.find(s.returned.what);
    if (found == index.end()) {
      complain({i}, fmt::format("{} returned {}, which was never there", words.name(i), what));
      continue;
    }
    carried_value& v = made.values[found->second];
    if (v.take != no_operation) {
      complain({v.put, v.take, i}, fmt::format("{} returned {} twice, but there was only one {}",
                                               words.name(i), what, words.call(v.put)));
      continue;
    }
    if (s.returns < v.put_called) {
      complain({v.put, i}, fmt::format("{} returned {} before {} began", words.name(i), what,
                                       words.call(v.put)));
    }
    v.take = i;
    v.take_called = std::max(s.called, v.put_called);
    v.take_returns = s.returns;
    v.put_returns = std::min(v.put_returns, s.returns);
  }
  std::erase_if(made.values, [&](const carried_value& v) {
    return v.take == no_operation && v.put_returns == never;
  });
  std::ranges::sort(made.pending_takes, {}, [&](std::uint32_t i) { return steps[i].called; });
  return made;
}

std::vector<event_time> next_empty_gaps(std::span<const carried_value> values, event_time end) {
  std::vector<std::int32_t> change(std::size_t{end} + 2, 0);
  for (const carried_value& v : values) {
    const event_time last = std::min(v.take_called, end);
    if (v.put_returns >= last) continue;
    ++change[v.put_returns + 1];
    --change[last + 1];
  }
  std::vector<event_time> next(std::size_t{end} + 2);
  std::int32_t present = 0;
  for (event_time g = 0; g <= end; ++g) {
    present += change[g];
    next[g] = present == 0 ? g : never;
  }
  next[end + 1] = end + 1;
  for (event_time g = end + 1; g-- > 0;) {
    if (next[g] == never) next[g] = next[g + 1];
  }
  return next;
}

std::optional<std::vector<event_time>> place_empties(const collection& what,
                                                     std::span<const timed_step> steps,
                                                     event_time end, std::size_t& wrong) {
  if (what.empties.empty()) return std::vector<event_time>{};
  const std::vector<event_time> next = next_empty_gaps(what.values, end);
  std::vector<event_time> gaps;
  for (std::size_t i = 0; i < what.empties.size(); ++i) {
    const timed_step& s = steps[what.empties[i]];
    const event_time gap = next[s.called + 1];
    if (gap > s.returns) {
      wrong = i;
      return std::nullopt;
    }
    gaps.push_back(gap);
  }
  return gaps;
}

pattern cover_of(const collection& what, std::span<const timed_step> steps, std::uint32_t empty,
                 const step_words& words) {
  const timed_step& e = steps[empty];
  std::vector<const carried_value*> by_begin;
  for (const carried_value& v : what.values) {
    if (v.put_returns < e.returns && v.take_called > e.called) by_begin.push_back(&v);
  }
  std::ranges::sort(by_begin, {}, &carried_value::put_returns);
  pattern made;
  std::string who;
  std::size_t at = 0;
  std::size_t count = 0;
  // Of all values that begin before the gap, take the one that ends last.
  for (event_time covered = e.called;;) {
    const carried_value* best = nullptr;
    for (; at < by_begin.size() && by_begin[at]->put_returns <= covered; ++at) {
      if (best == nullptr || by_begin[at]->take_called > best->take_called) best = by_begin[at];
    }
    if (best == nullptr) break;
    made.steps.push_back(best->put);
    if (best->take != no_operation) made.steps.push_back(best->take);
    who += (who.empty() ? "" : ", then ") + words.value(best->what);
    ++count;
    covered = best->take_called;
    if (covered >= e.returns) break;
  }
  made.steps.push_back(empty);
  made.why = fmt::format("{} found nothing, but {} there all the time that it took",
                         words.name(empty), count == 1 ? who + " was" : who + " were");
  return made;
}

std::optional<std::vector<std::pair<std::size_t, std::uint32_t>>> match_pending(
    const collection& what, std::span<const timed_step> steps,
    std::span<const event_time> deadlines) {
  std::vector<std::size_t> urgent;
  for (std::size_t i = 0; i < deadlines.size(); ++i) {
    if (deadlines[i] != never) urgent.push_back(i);
  }
  if (urgent.size() > what.pending_takes.size()) return std::nullopt;
  std::ranges::sort(urgent, {}, [&](std::size_t i) {
    return std::pair(deadlines[i], what.values[i].put_called);
  });
  std::vector<std::pair<std::size_t, std::uint32_t>> pairs;
  for (std::size_t i = 0; i < urgent.size(); ++i) {
    const std::uint32_t take = what.pending_takes[i];
    if (steps[take].called >= deadlines[urgent[i]]) return std::nullopt;
    pairs.emplace_back(urgent[i], take);
  }
  return pairs;
}

}  // namespace warpcheck
