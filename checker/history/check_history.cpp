// Splits a history into independent parts, and decides each by a fast algorithm or by the search.
#include "checker/history/check_history.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "checker/history/client_order_search.hpp"
#include "checker/history/evidence.hpp"
#include "checker/history/fast_algorithms.hpp"
#include "checker/history/order_search.hpp"
#include "checker/history/transactions.hpp"

namespace warpcheck {
namespace {

using operation_numbers = std::vector<std::uint32_t>;

class checker {
 public:
  checker(const history& of, const simt::spec::specification& spec, const history_options& options)
      : of_(of), spec_(spec), options_(options) {}

  history_result check() {
    operation_numbers all(of_.operations.size());
    std::iota(all.begin(), all.end(), 0U);
    if (options_.wanted == consistency::sequential) {
      by_client_order(all);
      return std::move(result_);
    }
    const std::vector<std::vector<timed_step>> parts = split(steps_of(of_, spec_, all));
    result_.parts = parts.size();
    result_.decided = answer::explained;
    std::vector<std::vector<timed_step>> orders;
    for (const auto& part : parts) {
      operation_numbers order;
      const answer decided = decide(part, order);
      if (decided != answer::explained) {
        // A part without an order is the answer, whatever the other parts are.
        if (decided == answer::impossible || result_.decided == answer::explained) {
          result_.decided = decided;
        }
        if (decided == answer::impossible) break;
        continue;
      }
      std::vector<timed_step> ordered;
      ordered.reserve(order.size());
      for (const std::uint32_t i : order) ordered.push_back(part[i]);
      orders.push_back(std::move(ordered));
    }
    if (result_.decided == answer::explained) merge(orders);
    if (result_.decided != answer::stopped) result_.stopped_by.clear();
    return std::move(result_);
  }

 private:
  const history& of_;
  const simt::spec::specification& spec_;
  const history_options& options_;
  history_result result_;

  // Linearizability and quiescent consistency are local (Herlihy, Wing 1990; Aspnes, Herlihy,
  // Shavit 1994). So independent parts may be decided one by one.
  std::vector<std::vector<timed_step>> split(std::vector<timed_step> steps) const {
    if (options_.wanted == consistency::quiescent) widen_to_quiescence(steps);
    std::vector<std::vector<timed_step>> parts;
    std::map<simt::spec::value, std::size_t> index;
    for (timed_step& s : steps) {
      const auto key = spec_.part(s.what);
      if (!key) {
        parts.assign(1, std::move(steps));
        return parts;
      }
      const auto [at, is_new] = index.try_emplace(*key, parts.size());
      if (is_new) parts.emplace_back();
      if (s.what.step > 0) s.after = static_cast<std::uint32_t>(parts[at->second].size()) - 1;
      parts[at->second].push_back(s);
    }
    if (parts.empty()) parts.emplace_back();
    return parts;
  }

  answer decide(std::span<const timed_step> steps, operation_numbers& order) {
    const auto family = spec_.known_as();
    if (!options_.search_only && family != simt::spec::family::other) {
      const step_words words(of_, spec_, steps);
      fast_answer fast;
      switch (family) {
        case simt::spec::family::fifo: fast = decide_fifo(steps, words); break;
        case simt::spec::family::lifo: fast = decide_lifo(steps, words, options_.limits); break;
        default: fast = decide_read_write(steps, words, spec_.initial().at(0)); break;
      }
      if (fast.decided != answer::stopped) {
        result_.algorithm = spec_.name();
        order = std::move(fast.order);
        if (fast.decided == answer::impossible) explain(steps, fast.violation);
        return fast.decided;
      }
    }
    result_.algorithm = "search";
    order_search search(spec_, steps, {spec_.initial()}, options_.limits);
    const answer decided = search.run();
    result_.configurations += search.configurations();
    order = search.order();
    if (decided == answer::stopped) result_.stopped_by = search.stopped_by();
    if (decided == answer::impossible && options_.evidence) {
      result_.evidence =
          evidence_of(of_, spec_, steps, search, options_.limits.within(evidence_seconds));
    }
    return decided;
  }

  /// Makes evidence of a fast algorithm's pattern. Pending takes belong to it, as they might have
  /// helped.
  void explain(std::span<const timed_step> steps, const pattern& found) {
    if (!options_.evidence) return;
    history_evidence& e = result_.evidence;
    for (const std::uint32_t i : found.steps) e.operations.push_back(steps[i].source);
    e.why = found.why;
    for (const timed_step& s : steps) {
      if (s.what.operation == 1 && !s.must_happen) e.operations.push_back(s.source);
    }
    std::ranges::sort(e.operations);
    if (e.operations.size() == found.steps.size()) return;
    const history_limits limits = options_.limits.within(evidence_seconds);
    const auto impossible = [&](std::span<const std::uint32_t> some) {
      return is_impossible(only(steps, some), limits);
    };
    if (!impossible(e.operations)) {
      // There are fewer pending takes than values that must be gone.
      e.operations.clear();
      for (const timed_step& s : steps) e.operations.push_back(s.source);
      std::ranges::sort(e.operations);
      e.why += "; what is still pending cannot explain all of it";
    }
    e.operations = reduce(of_, spec_, std::move(e.operations), std::nullopt, impossible, limits);
  }

  /// Whether a part of the steps has no order, with the times that the steps have in the whole.
  [[nodiscard]] bool is_impossible(std::span<const timed_step> steps,
                                   const history_limits& limits) const {
    history_options quick = options_;
    quick.evidence = false;
    quick.limits = limits;
    operation_numbers order;
    return checker(of_, spec_, quick).decide(steps, order) == answer::impossible;
  }

  void by_client_order(const operation_numbers& all) {
    const std::vector<timed_step> steps = steps_of(of_, spec_, all);
    client_order_search search(spec_, steps, options_.limits);
    result_.decided = search.run();
    result_.algorithm = "search";
    result_.configurations = search.configurations();
    result_.stopped_by = search.stopped_by();
    if (result_.decided == answer::explained) {
      for (const std::uint32_t i : search.order()) {
        result_.order.push_back({steps[i].source, steps[i].what.step});
      }
    }
    if (result_.decided != answer::impossible || !options_.evidence) return;
    constexpr std::size_t reducible = 2'000;
    const history_limits limits = options_.limits.within(evidence_seconds);
    result_.evidence.operations = all;
    if (all.size() <= reducible) {
      result_.evidence.operations = reduce(
          of_, spec_, all, std::nullopt,
          [&](std::span<const std::uint32_t> some) {
            const auto part = only(steps, some);
            return client_order_search(spec_, part, limits).run() == answer::impossible;
          },
          limits);
    }
    result_.evidence.why =
        "no order of these operations in which each client's stand as it called them is legal";
  }

  /// Joins orders of independent parts. Each step comes at the earliest moment that its call and
  /// the steps before it allow, which is before its return.
  void merge(const std::vector<std::vector<timed_step>>& orders) {
    struct point {
      event_time when;
      std::uint32_t part;
      ordered_step step;
    };
    std::vector<point> points;
    for (std::uint32_t p = 0; p < orders.size(); ++p) {
      event_time now = 0;
      for (const timed_step& s : orders[p]) {
        now = std::max(now, s.called);
        points.push_back({now, p, {s.source, s.what.step}});
      }
    }
    if (orders.size() > 1) {
      std::ranges::stable_sort(points, [](const point& a, const point& b) {
        return std::pair(a.when, a.part) < std::pair(b.when, b.part);
      });
    }
    for (const point& one : points) result_.order.push_back(one.step);
  }
};

}  // namespace

history_result check_history(const history& of, const simt::spec::specification& spec,
                             const history_options& options) {
  if (is_of_transactions(spec)) return check_transactions(of, spec, options);
  return checker(of, spec, options).check();
}

consistency usual_consistency(const simt::spec::specification& spec) {
  return is_of_transactions(spec) ? consistency::opaque : consistency::linearizable;
}

}  // namespace warpcheck
