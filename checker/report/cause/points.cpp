// Lets operations take effect at their declared points, and compares the results with what they
// return.
#include "checker/report/cause/points.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace warpcheck {
namespace {

using simt::operation_kind;

/// An operation passes one of its points.
struct passing {
  std::size_t operation;  // of the history
  std::uint32_t step;     // of the execution
  source_place at;
};

/// Applies the specification whenever an operation of the execution passes a point.
class points_followed {
 public:
  points_followed(session& run, const trace& t, const object_history& h) : h_(h) {
    begin();
    for (const trace_step& step : t.steps) {
      for (const lane_action& a : step.actions) {
        const std::string client = simt::lane_name(a.lane, run.setup().grid);
        if (a.op.kind == operation_kind::called) pending_[client] = called_in(step.number, client);
        // The call itself may be the point.
        for (const source_place& at : a.points) pass(client, step.number, at);
        if (a.op.kind == operation_kind::returned) last_ = pending_[client];
      }
    }
  }

  /// Returns the operation that returns last.
  [[nodiscard]] std::size_t last() const { return last_; }
  [[nodiscard]] const std::vector<passing>& all() const { return all_; }
  [[nodiscard]] std::vector<passing> of(std::size_t operation) const {
    std::vector<passing> some;
    std::ranges::copy_if(all_, std::back_inserter(some),
                         [&](const passing& p) { return p.operation == operation; });
    return some;
  }
  /// Returns the results that the last operation may have got at its point, as text.
  [[nodiscard]] std::vector<std::string> outcomes() const {
    std::vector<std::string> texts;
    for (const possibility& p : possible_) {
      const auto got = p.results.find(last_);
      if (got == p.results.end()) continue;
      const auto& what = h_.spec->operations()[h_.of.operations[last_].what.operation];
      std::string text = result_text(h_.of, what, got->second);
      if (std::ranges::find(texts, text) == texts.end()) texts.push_back(std::move(text));
    }
    return texts;
  }

 private:
  struct possibility {
    simt::spec::state state;
    std::map<std::size_t, simt::spec::result> results;  // by operation
  };
  const object_history& h_;
  std::vector<possibility> possible_;
  std::map<std::string, std::size_t> pending_;  // by client
  std::vector<passing> all_;
  std::map<std::size_t, std::uint32_t> passed_;  // by operation
  std::size_t last_ = 0;

  void begin() {
    possible_.push_back({h_.spec->initial(), {}});
    for (std::size_t i = 0; i < h_.of.operations.size(); ++i) {
      if (h_.of.operations[i].call_line == 0) take_effect(i, true);
    }
  }

  [[nodiscard]] std::size_t called_in(std::uint32_t step, const std::string& client) const {
    const auto at = std::ranges::find_if(h_.of.operations, [&](const recorded_operation& o) {
      return o.call_line == step && h_.of.clients[o.what.client] == client;
    });
    return static_cast<std::size_t>(at - h_.of.operations.begin());
  }

  void pass(const std::string& client, std::uint32_t step, const source_place& at) {
    const auto found = pending_.find(client);
    if (found == pending_.end()) return;
    all_.push_back({found->second, step, at});
    take_effect(found->second, false);
  }

  void take_effect(std::size_t operation, bool all_steps) {
    const recorded_operation& o = h_.of.operations[operation];
    const std::uint32_t steps = h_.spec->operations()[o.what.operation].steps;
    do {
      simt::spec::call what = o.what;
      what.step = passed_[operation]++;
      if (what.step >= steps) return;
      std::vector<possibility> next;
      simt::spec::outcomes out;
      for (const possibility& p : possible_) {
        out.clear();
        h_.spec->apply(p.state, what, out);
        for (const auto& one : out.all()) {
          next.push_back({one.after, p.results});
          next.back().results[operation] = one.returned;
        }
      }
      if (next.empty()) return;  // the operation is not enabled in any possible state
      possible_ = std::move(next);
    } while (all_steps);
  }
};

std::string place_text(const passing& p) {
  return p.at.known() ? fmt::format("step {}, {}", p.step, p.at.text())
                      : fmt::format("step {}", p.step);
}

}  // namespace

std::vector<std::string> why_points_are_wrong(session& run, names&, const trace& t,
                                              const object_history& h) {
  const points_followed followed(run, t, h);
  const recorded_operation& last = h.of.operations[followed.last()];
  const simt::spec::operation& what = h.spec->operations()[last.what.operation];
  const std::vector<passing> own = followed.of(followed.last());
  std::string returns = fmt::format("{} of client {} returned", call_text(h.of, *h.spec, last.what),
                                    h.of.clients[last.what.client]);
  if (what.returns != simt::spec::type::nothing) {
    returns += " " + result_text(h.of, what, last.returned);
  }
  std::vector<std::string> places;
  for (const passing& p : own) places.push_back(place_text(p));
  std::vector<std::string> why;
  if (own.size() < what.steps) {
    why.push_back(fmt::format("{}, but has not passed its linearization point", returns));
  } else if (own.size() > what.steps) {
    why.push_back(fmt::format("{}, but has passed {} linearization points ({})", returns,
                              own.size(), fmt::join(places, "; ")));
  } else {
    const auto outcomes = followed.outcomes();
    const std::string at =
        fmt::format("at its declared linearization point ({})", fmt::join(places, "; "));
    why.push_back(outcomes.empty() ? fmt::format("{}, but {} it could not take effect", returns, at)
                                   : fmt::format("{}, but {} the result is {}", returns, at,
                                                 fmt::join(outcomes, " or ")));
  }
  std::vector<std::string> order;
  for (const passing& p : followed.all()) {
    const recorded_operation& o = h.of.operations[p.operation];
    order.push_back(fmt::format("{} ({}, {})", call_text(h.of, *h.spec, o.what),
                                h.of.clients[o.what.client], place_text(p)));
  }
  if (!order.empty()) {
    why.push_back(fmt::format("In the order of their points: {}.", fmt::join(order, ", ")));
  }
  const history_result judged = check_history(h.of, *h.spec, {});
  if (judged.decided == answer::explained) {
    std::vector<std::string> explained;
    for (const ordered_step& s : judged.order) {
      explained.push_back(operation_text(h.of, *h.spec, h.of.operations[s.operation]));
    }
    why.push_back(
        fmt::format("The history is linearizable: it is the declared point that is wrong, not what "
                    "the operations return. An order that explains it: {}.",
                    fmt::join(explained, ", ")));
  } else if (judged.decided == answer::impossible) {
    why.push_back(fmt::format("The history is not linearizable either: {}.", judged.evidence.why));
  }
  return why;
}

}  // namespace warpcheck
