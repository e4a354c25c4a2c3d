// Decides histories of registers by zones. The operations on one value are a cluster: its write and
// the reads that return it. Let f be the first return in a cluster and s the last call. If f < s,
// the register has the value from f to s: a forward zone. Otherwise there is a moment between s and
// f at which all of the cluster may happen: a backward zone. A history in which every value is
// written once is linearizable unless
//   - a read returns a value that was never written, or before its write begins,
//   - two forward zones overlap,
//   - a backward zone lies within a forward zone.
#include <algorithm>

#include <fmt/format.h>

#include <boost/unordered/unordered_flat_map.hpp>

#include "checker/history/fast_algorithms.hpp"

namespace warpcheck {
namespace {

struct cluster {
  simt::spec::value value = 0;
  std::uint32_t write = no_operation;  // none: the cluster of the first value
  std::vector<std::uint32_t> reads;
  // Times are moved up by one, since the first value is written at 0.
  event_time first_return = never, last_call = 0;
  std::uint32_t returns_first = no_operation, called_last = no_operation;

  [[nodiscard]] bool is_forward() const { return first_return < last_call; }
};

/// Says why a cluster has its zone: by an early return and a late call.
std::string evidence(const cluster& c, const step_words& words) {
  return c.write == no_operation && c.returns_first == no_operation
             ? fmt::format("the first value, {}, was still read", words.value(c.value))
             : fmt::format("{} was the value from the return of {} to the call of {}",
                           words.value(c.value), words.call(c.returns_first),
                           words.call(c.called_last));
}

void add_steps(const cluster& c, std::vector<std::uint32_t>& to) {
  std::vector<std::uint32_t> all{c.write, c.returns_first, c.called_last};
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  for (const std::uint32_t step : all) {
    if (step != no_operation) to.push_back(step);
  }
}

}  // namespace

fast_answer decide_read_write(std::span<const timed_step> steps, const step_words& words,
                              simt::spec::value first) {
  fast_answer made;
  std::vector<cluster> clusters(1);
  clusters[0].value = first;
  clusters[0].first_return = 0;
  boost::unordered_flat_map<simt::spec::value, std::uint32_t> index{{first, 0}};
  const auto add = [&](cluster& c, std::uint32_t step) {
    const event_time returns = steps[step].returns == never ? never : steps[step].returns + 1;
    if (returns < c.first_return) c.first_return = returns, c.returns_first = step;
    const event_time called = steps[step].called + 1;
    if (called > c.last_call) c.last_call = called, c.called_last = step;
  };
  for (std::uint32_t i = 0; i < steps.size(); ++i) {
    if (steps[i].what.operation != 0) continue;
    const simt::spec::value v = steps[i].what.arguments[0];
    if (!index.emplace(v, static_cast<std::uint32_t>(clusters.size())).second) return made;
    clusters.emplace_back();
    clusters.back().value = v;
    clusters.back().write = i;
    add(clusters.back(), i);
  }
  made.decided = answer::impossible;
  for (std::uint32_t i = 0; i < steps.size(); ++i) {
    if (steps[i].what.operation == 0 || !steps[i].has_result) continue;
    const simt::spec::value v = steps[i].returned.what;
    const auto found = index.find(v);
    if (found == index.end()) {
      made.violation = {
          {i},
          fmt::format("{} returned {}, which was never written", words.name(i), words.value(v))};
      return made;
    }
    cluster& c = clusters[found->second];
    if (c.write != no_operation && steps[i].returns < steps[c.write].called) {
      made.violation = {{c.write, i},
                        fmt::format("{} returned {} before {} began", words.name(i), words.value(v),
                                    words.call(c.write))};
      return made;
    }
    c.reads.push_back(i);
    add(c, i);
  }
  // A write need not happen if it did not return and no read returns its value.
  std::erase_if(clusters, [&](const cluster& c) {
    return c.write != no_operation && c.reads.empty() && steps[c.write].returns == never;
  });

  std::vector<const cluster*> forward, backward;
  for (const cluster& c : clusters) (c.is_forward() ? forward : backward).push_back(&c);
  std::ranges::sort(forward, {}, &cluster::first_return);
  for (std::size_t i = 1; i < forward.size(); ++i) {
    const cluster& a = *forward[i - 1];
    const cluster& b = *forward[i];
    if (a.last_call < b.first_return) continue;
    add_steps(a, made.violation.steps);
    add_steps(b, made.violation.steps);
    made.violation.why =
        fmt::format("{}, and at the same time {}", evidence(a, words), evidence(b, words));
    return made;
  }
  std::vector<std::pair<event_time, const cluster*>> placed;  // by a moment of the cluster
  for (const cluster* f : forward) placed.emplace_back(f->first_return, f);
  for (const cluster* b : backward) {
    event_time when = b->last_call;
    const auto after = std::ranges::upper_bound(forward, when, {}, &cluster::first_return);
    if (after != forward.begin() && (*std::prev(after))->last_call > when) {
      const cluster& around = **std::prev(after);
      if (b->first_return < around.last_call) {
        add_steps(around, made.violation.steps);
        add_steps(*b, made.violation.steps);
        made.violation.why = fmt::format(
            "{}, but all of that time lies around {}", evidence(around, words),
            b->write == no_operation ? "a read of the first value" : words.call(b->write));
        return made;
      }
      when = around.last_call;
    }
    placed.emplace_back(when, b);
  }
  // Within a forward zone, the write comes first, then each read when it begins.
  std::ranges::stable_sort(placed, {}, [](const auto& p) { return p.first; });
  made.decided = answer::explained;
  for (const auto& [when, c] : placed) {
    if (c->write != no_operation) made.order.push_back(c->write);
    std::vector<std::uint32_t> reads = c->reads;
    std::ranges::sort(reads, {}, [&](std::uint32_t r) { return steps[r].called; });
    made.order.insert(made.order.end(), reads.begin(), reads.end());
  }
  return made;
}

}  // namespace warpcheck
