// Decides histories of stacks. Three facts decide a history in which every value is pushed once and
// all operations are complete. A value that stays counts as popped after the end.
//   - Cut: suppose that at some moment no value is surely present (pushed, its pop not begun).
//     Then an order exists if and only if one exists for the values pushed before, and one for
//     those after. See place_empties.
//   - Outermost: without such a moment, the first value pushed is popped last in any order. So some
//     value has a push that may be first of all and a pop that may be last of all. Any such value
//     can be moved outside: an order exists if and only if one exists without the value.
//   - A pop that finds nothing needs a moment of the first kind.
// So values are taken off and the history is cut, until nothing is left. Values are kept in the
// order in which their pushes return. Then a cut leaves two intervals of them.
#include <algorithm>
#include <bit>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/history/fast_algorithms.hpp"

namespace warpcheck {
namespace {

using values = std::vector<carried_value>;

/// Counts the values that are surely present in each gap, and finds gaps of a range without any.
class presence {
 public:
  explicit presence(event_time end) : size_(std::bit_ceil(std::uint32_t{end} + 1)) {
    least_.resize(2 * std::size_t{size_}, 0);
    added_.resize(2 * std::size_t{size_}, 0);
  }

  void add(event_time first, event_time last, std::int32_t by) {
    if (first <= last) add(1, 0, size_ - 1, first, last, by);
  }
  /// Returns a gap in [first, last] where no value is present; `never` if there is none.
  [[nodiscard]] event_time find(event_time first, event_time last) const {
    return first > last ? never : find(1, 0, size_ - 1, first, last, 0);
  }

 private:
  std::uint32_t size_;
  std::vector<std::int32_t> least_, added_;

  void add(std::size_t node, event_time begin, event_time end, event_time first, event_time last,
           std::int32_t by) {
    if (first <= begin && end <= last) {
      least_[node] += by;
      added_[node] += by;
      return;
    }
    const event_time middle = begin + (end - begin) / 2;
    if (first <= middle) add(2 * node, begin, middle, first, last, by);
    if (last > middle) add(2 * node + 1, middle + 1, end, first, last, by);
    least_[node] = std::min(least_[2 * node], least_[2 * node + 1]) + added_[node];
  }

  [[nodiscard]] event_time find(std::size_t node, event_time begin, event_time end,
                                event_time first, event_time last, std::int32_t above) const {
    if (last < begin || end < first || least_[node] + above > 0) return never;
    if (begin == end) return begin;
    const event_time middle = begin + (end - begin) / 2;
    above += added_[node];
    const event_time left = find(2 * node, begin, middle, first, last, above);
    return left != never ? left : find(2 * node + 1, middle + 1, end, first, last, above);
  }
};

/// The values that are left, by position. Finds extremes of ranges, and candidates for the
/// outermost.
class remaining {
 public:
  explicit remaining(const values& all) : all_(all), size_(std::bit_ceil(all.size() + 1)) {
    nodes_.resize(2 * size_);
    for (std::size_t i = 0; i < all.size(); ++i) {
      nodes_[size_ + i] = {all[i].put_called, all[i].take_called, all[i].take_returns, true};
    }
    for (std::size_t n = size_; n-- > 1;) join(n);
  }

  void remove(std::size_t position) {
    std::size_t n = size_ + position;
    nodes_[n] = {};
    while ((n /= 2) != 0) join(n);
  }

  /// Returns the first (or last) position left in [first, last]; size() if there is none.
  [[nodiscard]] std::size_t first_in(std::size_t first, std::size_t last) const {
    return search(1, 0, size_ - 1, first, last, false, [](const node&) { return true; });
  }
  [[nodiscard]] std::size_t last_in(std::size_t first, std::size_t last) const {
    return search(1, 0, size_ - 1, first, last, true, [](const node&) { return true; });
  }
  [[nodiscard]] event_time last_call(std::size_t first, std::size_t last) const {
    event_time latest = 0;
    visit(1, 0, size_ - 1, first, last, latest);
    return latest;
  }
  /// Returns a value whose push begins before `push_before` and whose pop returns after
  /// `pop_after`.
  [[nodiscard]] std::size_t outermost(std::size_t first, std::size_t last, event_time push_before,
                                      event_time pop_after) const {
    return search(1, 0, size_ - 1, first, last, false, [&](const node& n) {
      return n.push_called < push_before && n.pop_returns > pop_after;
    });
  }
  [[nodiscard]] std::size_t none() const { return size_; }

 private:
  struct node {
    event_time push_called = never;  // least
    event_time pop_called = 0;       // greatest
    event_time pop_returns = 0;      // greatest
    bool any = false;
  };
  const values& all_;
  std::size_t size_;
  std::vector<node> nodes_;

  void join(std::size_t n) {
    const node& a = nodes_[2 * n];
    const node& b = nodes_[2 * n + 1];
    nodes_[n] = {std::min(a.push_called, b.push_called), std::max(a.pop_called, b.pop_called),
                 std::max(a.pop_returns, b.pop_returns), a.any || b.any};
  }

  template <class Fits>
  [[nodiscard]] std::size_t search(std::size_t n, std::size_t begin, std::size_t end,
                                   std::size_t first, std::size_t last, bool backward,
                                   const Fits& fits) const {
    if (last < begin || end < first || !nodes_[n].any || !fits(nodes_[n])) return size_;
    if (begin == end) return begin;
    const std::size_t middle = begin + (end - begin) / 2;
    const auto left = [&] { return search(2 * n, begin, middle, first, last, backward, fits); };
    const auto right = [&] {
      return search(2 * n + 1, middle + 1, end, first, last, backward, fits);
    };
    const std::size_t found = backward ? right() : left();
    if (found != size_) return found;
    return backward ? left() : right();
  }

  void visit(std::size_t n, std::size_t begin, std::size_t end, std::size_t first, std::size_t last,
             event_time& latest) const {
    if (last < begin || end < first || nodes_[n].pop_called <= latest) return;
    if (first <= begin && end <= last) {
      latest = nodes_[n].pop_called;
      return;
    }
    const std::size_t middle = begin + (end - begin) / 2;
    visit(2 * n, begin, middle, first, last, latest);
    visit(2 * n + 1, middle + 1, end, first, last, latest);
  }
};

/// Appends pushes and pops of `all` (sorted by the returns of pushes) to `order`, in an order that
/// explains them. False: there is none, and `stuck` gets values that have none among themselves.
bool take_apart(const values& all, event_time end, std::vector<std::uint32_t>& order,
                std::vector<std::uint32_t>& stuck) {
  if (all.empty()) return true;
  presence present(end + 1);
  const auto count = [&](const carried_value& v, std::int32_t by) {
    present.add(v.put_returns + 1, std::min(v.take_called, end), by);
  };
  for (const carried_value& v : all) count(v, 1);
  remaining left(all);
  struct task {
    std::size_t first, last;
    std::uint32_t pop = no_operation;  // then only this pop is meant
  };
  std::vector<task> tasks{{0, all.size() - 1}};
  while (!tasks.empty()) {
    const task now = tasks.back();
    tasks.pop_back();
    if (now.pop != no_operation) {
      order.push_back(now.pop);
      continue;
    }
    const std::size_t first = left.first_in(now.first, now.last);
    if (first == left.none()) continue;
    const std::size_t last = left.last_in(now.first, now.last);
    const event_time gap = present.find(all[first].put_returns + 1, all[last].put_returns);
    if (gap != never) {
      const auto at = std::ranges::lower_bound(all.begin() + static_cast<std::ptrdiff_t>(first),
                                               all.begin() + static_cast<std::ptrdiff_t>(last), gap,
                                               {}, &carried_value::put_returns);
      const auto middle = static_cast<std::size_t>(at - all.begin());
      tasks.push_back({middle, last});
      tasks.push_back({first, middle - 1});
      continue;
    }
    const std::size_t outer =
        left.outermost(first, last, all[first].put_returns, left.last_call(first, last));
    if (outer == left.none()) {
      for (std::size_t i = first; i <= last; i = left.first_in(i + 1, last)) {
        stuck.push_back(static_cast<std::uint32_t>(i));
        if (i == last) break;
      }
      return false;
    }
    order.push_back(all[outer].put);
    if (all[outer].take != no_operation) tasks.push_back({0, 0, all[outer].take});
    tasks.push_back({first, last});
    count(all[outer], -1);
    left.remove(outer);
  }
  return true;
}

bool has_order(values some, event_time end) {
  std::ranges::sort(some, {}, &carried_value::put_returns);
  std::vector<std::uint32_t> order, stuck;
  return take_apart(some, end, order, stuck);
}

/// Turns the times of the values into small numbers, so that checking few values is quick.
event_time compress(values& some) {
  std::vector<event_time> times;
  for (const carried_value& v : some) {
    for (const event_time t : {v.put_called, v.put_returns, v.take_called, v.take_returns}) {
      times.push_back(t);
    }
  }
  std::ranges::sort(times);
  times.erase(std::unique(times.begin(), times.end()), times.end());
  for (carried_value& v : some) {
    for (event_time* t : {&v.put_called, &v.put_returns, &v.take_called, &v.take_returns}) {
      *t = static_cast<event_time>(std::ranges::lower_bound(times, *t) - times.begin());
    }
  }
  return static_cast<event_time>(times.size());
}

bool some_have_order(const values& needed, const values& others, std::size_t count) {
  values some = needed;
  some.insert(some.end(), others.begin(), others.begin() + static_cast<std::ptrdiff_t>(count));
  const event_time end = compress(some);
  return has_order(std::move(some), end);
}

/// Returns fewer values that still have no order; none of them can be left out. Leaving values out
/// never removes an order. So the shortest beginning without an order ends with a value that is
/// needed.
values shrink(values stuck, const history_limits& limits) {
  std::ranges::sort(stuck, {}, &carried_value::take_returns);
  values needed;
  while (some_have_order(needed, stuck, 0)) {
    std::size_t enough = 1;  // so many values have no order
    while (enough < stuck.size() && some_have_order(needed, stuck, enough)) enough *= 2;
    std::size_t few = enough / 2;  // so many values have an order
    enough = std::min(enough, stuck.size());
    while (few + 1 < enough) {
      if (limits.exceeded(0) != nullptr) return {};
      const std::size_t middle = (few + enough) / 2;
      (some_have_order(needed, stuck, middle) ? few : enough) = middle;
    }
    needed.push_back(stuck[enough - 1]);
    stuck.resize(enough - 1);
  }
  return needed;
}

/// Returns a sentence for the commonest case, two values. Otherwise only says what is shown.
std::string why_none(const values& some, const step_words& words) {
  if (some.size() == 2) {
    for (const auto& [a, b] : {std::pair(some[0], some[1]), std::pair(some[1], some[0])}) {
      const bool stacked = a.put_returns < b.put_called && b.put_returns < a.take_called;
      if (a.take == no_operation || !stacked || a.take_returns >= b.take_called) continue;
      return fmt::format("{} returned {} while {}, pushed after it, was still there",
                         words.name(a.take), words.value(a.what), words.value(b.what));
    }
  }
  std::vector<std::string> names;
  for (const carried_value& v : some) names.push_back(words.value(v.what));
  std::ranges::sort(names);
  return fmt::format("no order of the operations on {} is last in, first out",
                     fmt::join(names, ", "));
}

fast_answer decide(const collection& what, std::span<const timed_step> steps, event_time end,
                   const step_words& words, const history_limits& limits, bool explain) {
  fast_answer made;
  made.decided = answer::impossible;
  std::size_t wrong = 0;
  const auto gaps = place_empties(what, steps, end, wrong);
  if (!gaps) {
    if (explain) made.violation = cover_of(what, steps, what.empties[wrong], words);
    return made;
  }
  values all = what.values;
  for (carried_value& v : all) {
    if (v.take == no_operation) v.take_called = never - 1;  // the pop returns after the end
  }
  std::ranges::sort(all, {}, &carried_value::put_returns);
  // Order the parts between the used gaps, each by itself.
  std::vector<std::pair<event_time, std::uint32_t>> used;
  for (std::size_t i = 0; i < gaps->size(); ++i) used.emplace_back((*gaps)[i], what.empties[i]);
  std::ranges::sort(used);
  std::size_t begin = 0;
  for (std::size_t u = 0; u <= used.size(); ++u) {
    if (u > 0) made.order.push_back(used[u - 1].second);
    if (u > 0 && u < used.size() && used[u].first == used[u - 1].first) continue;
    const event_time until = u < used.size() ? used[u].first : never;
    std::size_t last = begin;
    while (last < all.size() && (until == never || all[last].put_returns < until)) ++last;
    values part(all.begin() + static_cast<std::ptrdiff_t>(begin),
                all.begin() + static_cast<std::ptrdiff_t>(last));
    begin = last;
    const values original = part;
    const event_time part_end = compress(part);
    std::vector<std::uint32_t> stuck;
    if (take_apart(part, part_end, made.order, stuck)) continue;
    made.order.clear();
    if (!explain) return made;
    values few;
    for (const std::uint32_t i : stuck) few.push_back(original[i]);
    few = shrink(std::move(few), limits);
    if (few.empty()) {
      made.decided = answer::stopped;
      return made;
    }
    for (const carried_value& v : few) {
      made.violation.steps.push_back(v.put);
      if (v.take != no_operation) made.violation.steps.push_back(v.take);
    }
    made.violation.why = why_none(few, words);
    return made;
  }
  made.decided = answer::explained;
  return made;
}

/// For each value that stays, returns the time before which it must be gone. It must be gone before
/// a value under it is popped, and before a pop that began after its push finds nothing.
std::vector<event_time> lifo_deadlines(const collection& what, std::span<const timed_step> steps) {
  struct proof {
    event_time put_returns, begins, gone_by;
  };
  std::vector<proof> proofs;
  for (const carried_value& v : what.values) {
    if (v.take != no_operation) proofs.push_back({v.put_returns, v.take_called, v.take_returns});
  }
  for (const std::uint32_t e : what.empties)
    proofs.push_back({0, steps[e].called, steps[e].returns});
  std::ranges::sort(proofs, {}, &proof::put_returns);
  std::vector<std::size_t> stays;
  for (std::size_t i = 0; i < what.values.size(); ++i) {
    if (what.values[i].take == no_operation) stays.push_back(i);
  }
  std::ranges::sort(stays, {}, [&](std::size_t i) { return what.values[i].put_called; });
  // A Fenwick tree of the least `gone_by` among the proofs so far that begin at or after a time.
  std::vector<event_time> begins;
  for (const proof& p : proofs) begins.push_back(p.begins);
  std::ranges::sort(begins, std::greater<>());
  std::vector<event_time> tree(begins.size() + 1, never);
  const auto rank = [&](event_time t) {  // number of proofs that begin at or after t
    return static_cast<std::size_t>(std::ranges::upper_bound(begins, t, std::greater<>()) -
                                    begins.begin());
  };
  std::vector<event_time> all(what.values.size(), never);
  std::size_t next = 0;
  for (const std::size_t i : stays) {
    const carried_value& v = what.values[i];
    for (; next < proofs.size() && proofs[next].put_returns <= v.put_called; ++next) {
      for (std::size_t at = rank(proofs[next].begins); at < tree.size(); at += at & (~at + 1)) {
        tree[at] = std::min(tree[at], proofs[next].gone_by);
      }
    }
    for (std::size_t at = rank(v.put_returns); at > 0; at -= at & (~at + 1)) {
      all[i] = std::min(all[i], tree[at]);
    }
  }
  return all;
}

}  // namespace

fast_answer decide_lifo(std::span<const timed_step> steps, const step_words& words,
                        const history_limits& limits) {
  fast_answer made;
  std::optional<collection> what = collect(steps, words, made.violation);
  if (!what) return made;
  if (!made.violation.steps.empty()) {
    made.decided = answer::impossible;
    return made;
  }
  const event_time end = end_of(steps);
  const bool helpless = what->pending_takes.empty();
  made = decide(*what, steps, end, words, limits, helpless);
  if (made.decided == answer::explained || helpless) return made;
  const auto impossible = [&] { return decide(*what, steps, end, words, limits, true); };

  // Only pending pops can help now.
  const auto deadlines = lifo_deadlines(*what, steps);
  const auto pairs = match_pending(*what, steps, deadlines);
  if (!pairs) return impossible();
  collection helped = *what;
  for (const auto& [value, take] : *pairs) {
    helped.values[value].take = take;
    helped.values[value].take_called =
        std::max(steps[take].called, helped.values[value].put_called);
  }
  fast_answer second = decide(helped, steps, end, words, limits, false);
  if (second.decided == answer::explained) return second;
  // Assume a pending pop for each value, all as early as the first one. If even that has no order,
  // neither has the history.
  helped = *what;
  for (carried_value& v : helped.values) {
    if (v.take != no_operation) continue;
    v.take = what->pending_takes.front();
    v.take_called = std::max(steps[v.take].called, v.put_called);
  }
  if (decide(helped, steps, end, words, limits, false).decided == answer::impossible) {
    return impossible();
  }
  return {};
}

}  // namespace warpcheck
