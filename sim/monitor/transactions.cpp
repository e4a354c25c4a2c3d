// Keeps the transactions of a history, and searches for an order that explains them.
#include "sim/monitor/transactions.hpp"

#include <algorithm>
#include <optional>
#include <set>

namespace simt {
namespace {

constexpr std::uint32_t begins = 0, commits = 1, aborts = 2;  // see spec::family
constexpr auto not_ended = transaction::not_ended;

using stage = transaction_stage;

bool is_over(const transaction& t) {
  return t.stage == stage::committed || t.stage == stage::aborted;
}

std::vector<transaction>::iterator open_of(transaction_history& h, std::uint32_t client) {
  const auto end = std::ranges::upper_bound(h.all, client, {}, &transaction::client);
  if (end == h.all.begin()) return h.all.end();
  const auto last = end - 1;
  return last->client == client && !is_over(*last) ? last : h.all.end();
}

/// The period of the next event. It is a new one if a transaction begins after another has ended.
std::uint32_t now_of(const transaction_history& h, bool something_begins) {
  std::uint32_t last = 0;
  for (const transaction& t : h.all) last = std::max(last, t.begun);
  const bool ended = std::ranges::any_of(
      h.all, [&](const transaction& t) { return t.ended != not_ended && t.ended >= last; });
  return last + (something_begins && ended ? 1 : 0);
}

void end(transaction_history& h, transaction& t, stage how) {
  t.ended = now_of(h, false);
  t.stage = how;
}

/// Renumbers periods without gaps. The relation "was over before" stays.
void count_periods(transaction_history& h) {
  std::set<std::uint32_t> known;
  for (const transaction& t : h.all) {
    known.insert(t.begun);
    if (t.ended != not_ended) known.insert(t.ended);
  }
  std::vector<transaction> from = h.all;
  std::uint32_t now = 0;
  bool ended = false;
  for (const std::uint32_t period : known) {
    for (std::size_t i = 0; i < from.size(); ++i) {
      if (from[i].begun != period) continue;
      if (ended) ++now;
      ended = false;
      h.all[i].begun = now;
    }
    for (std::size_t i = 0; i < from.size(); ++i) {
      if (from[i].ended != period) continue;
      ended = true;
      h.all[i].ended = now;
    }
  }
}

/// Tries orders, transaction by transaction. A transaction's number is its place by `begun`.
class transaction_search {
 public:
  transaction_search(const transaction_rules& rules, const std::vector<transaction>& all,
                     bool opaque, const std::function<bool()>& stop)
      : rules_(rules), stop_(stop) {
    for (const transaction& t : all) {
      if (!opaque && (t.stage == stage::open || t.stage == stage::aborted)) continue;
      const bool may = t.stage == stage::committed || t.stage == stage::committing;
      const bool changes = may && !std::ranges::all_of(t.operations, [&](const auto& o) {
                             return rules.only_looks(o);
                           });
      // If it only looks, the transaction may as well not have committed yet.
      const bool optional = t.stage == stage::committing && !opaque;
      items_.push_back({&t, may, changes, optional});
    }
    std::ranges::stable_sort(items_, {}, [](const item& i) { return i.what->begun; });
    placed_.resize(items_.size(), false);
  }

  /// True: the search is over. It has found an order, or was stopped.
  bool from(const spec::state& first) { return extend(first); }
  [[nodiscard]] bool was_stopped() const { return was_stopped_; }
  [[nodiscard]] const std::vector<placed_transaction>& order() const { return order_; }

  /// Collects all states in which orders can end, instead of one order.
  void collect(std::set<spec::state>& ends) { ends_ = &ends; }

 private:
  struct item {
    const transaction* what;
    bool may_take_effect;
    bool changes;   // if it takes effect
    bool optional;  // need not stand in the order
  };

  const transaction_rules& rules_;
  const std::function<bool()>& stop_;
  bool was_stopped_ = false;
  std::vector<item> items_;
  std::vector<bool> placed_;
  std::vector<placed_transaction> order_;
  std::set<std::vector<spec::value>> seen_;
  std::set<spec::state>* ends_ = nullptr;
  std::size_t first_open_ = 0;  // all before it are placed

  [[nodiscard]] bool looks_right(const transaction& t, const spec::state& now) const {
    return !rules_.after(t, now).empty();
  }

  /// The transactions that may come next: none that is still to come was over before they began.
  [[nodiscard]] std::vector<std::size_t> candidates() const {
    std::uint32_t first_end = not_ended;
    std::vector<std::size_t> all;
    for (std::size_t i = first_open_; i < items_.size(); ++i) {
      if (items_[i].what->begun > first_end) break;
      if (placed_[i]) continue;
      first_end = std::min(first_end, items_[i].what->ended);
      all.push_back(i);
    }
    std::erase_if(all, [&](std::size_t i) { return items_[i].what->begun > first_end; });
    return all;
  }

  void place(std::size_t i, bool takes_effect) {
    placed_[i] = true;
    order_.push_back({items_[i].what->tag, takes_effect});
    while (first_open_ < items_.size() && placed_[first_open_]) ++first_open_;
  }
  void take_back(std::size_t count, std::vector<std::size_t>& which) {
    for (; which.size() > count; which.pop_back()) {
      placed_[which.back()] = false;
      first_open_ = std::min(first_open_, which.back());
      order_.pop_back();
    }
  }

  [[nodiscard]] bool is_new(const spec::state& now) {
    std::vector<spec::value> key{static_cast<spec::value>(first_open_)};
    for (std::size_t i = first_open_; i < placed_.size(); ++i) {
      if (placed_[i]) key.push_back(static_cast<spec::value>(i));
    }
    key.push_back(-1);
    key.insert(key.end(), now.begin(), now.end());
    return seen_.insert(std::move(key)).second;
  }

  [[nodiscard]] bool is_complete() const {
    for (std::size_t i = first_open_; i < items_.size(); ++i) {
      if (!placed_[i] && !items_[i].optional) return false;
    }
    return true;
  }

  bool extend(const spec::state& now) {
    was_stopped_ = stop_();
    if (was_stopped_) return true;
    std::vector<std::size_t> mine;
    // A transaction that changes nothing is placed as soon as it fits. That excludes only orders in
    // which it comes later, and the other transactions do not notice it.
    for (bool again = true; again;) {
      again = false;
      for (const std::size_t i : candidates()) {
        const item& one = items_[i];
        if (one.changes || one.optional || !looks_right(*one.what, now)) continue;
        place(i, one.may_take_effect);
        mine.push_back(i);
        again = true;
      }
    }
    bool is_over = false;
    if (is_new(now)) {
      if (is_complete()) {
        is_over = ends_ == nullptr;
        if (ends_ != nullptr) ends_->insert(now);
      }
      if (!is_over) is_over = branch(now, mine);
    }
    if (!is_over) take_back(0, mine);
    return is_over;
  }

  bool branch(const spec::state& now, std::vector<std::size_t>& mine) {
    for (const std::size_t i : candidates()) {
      const item& one = items_[i];
      if (!one.changes && !one.optional) continue;
      const std::size_t before = mine.size();
      place(i, true);
      mine.push_back(i);
      const std::vector<spec::state> ends = rules_.after(*one.what, now);
      for (const spec::state& end : ends) {
        if (extend(end)) return true;
      }
      // A transaction whose commit has not returned may be aborted. Then it must only have seen
      // this state.
      if (one.what->stage == stage::committing && !one.optional && !ends.empty()) {
        order_.back().takes_effect = false;
        if (extend(now)) return true;
      }
      take_back(before, mine);
    }
    return false;
  }
};

}  // namespace

void transaction_rules::called(transaction_history& h, const spec::call& what,
                               std::uint32_t tag) const {
  transaction_call call{what.client, what.operation, std::to_array(what.arguments), tag};
  const auto place = std::ranges::lower_bound(h.calls, what.client, {}, &transaction_call::client);
  h.calls.insert(place, call);
  const auto open = open_of(h, what.client);
  if (what.operation == begins) {
    if (open != h.all.end()) open->stage = stage::aborted;  // it ends when `begin` returns
    transaction made{what.client, now_of(h, true), not_ended, stage::open, {}, tag};
    h.all.insert(std::ranges::upper_bound(h.all, what.client, {}, &transaction::client),
                 std::move(made));
  } else if (what.operation == commits && open != h.all.end()) {
    open->stage = stage::committing;
  }
}

bool transaction_rules::returned(transaction_history& h, std::uint32_t client,
                                 const spec::result& result) const {
  const auto at = std::ranges::lower_bound(h.calls, client, {}, &transaction_call::client);
  const transaction_call call = *at;
  h.calls.erase(at);
  if (call.operation == begins) {
    for (transaction& t : h.all) {
      if (t.client == client && is_over(t) && t.ended == not_ended) end(h, t, stage::aborted);
    }
    return false;
  }
  const auto open = open_of(h, client);
  const spec::operation& what = spec_.operations()[call.operation];
  const bool fails = call.operation == aborts ||
                     (what.returns == spec::type::boolean && result.what == 0) ||
                     (what.returns == spec::type::maybe_value && !result.is_some);
  if (open == h.all.end()) {
    h.outside = h.outside || !fails;
    return !fails;
  }
  if (fails) {
    const bool was_committing = open->stage == stage::committing;
    end(h, *open, stage::aborted);
    return was_committing;
  }
  if (call.operation == commits) {
    end(h, *open, stage::committed);
    return true;
  }
  open->operations.push_back(
      {call.operation, call.arguments, result.is_some, result.what, call.tag});
  return opaque_;
}

std::optional<bool> transaction_rules::has_order(const transaction_history& h,
                                                 const std::function<bool()>& stop,
                                                 std::vector<placed_transaction>* order) const {
  if (h.outside) return false;
  transaction_search search(*this, h.all, opaque_, stop);
  const bool found =
      std::ranges::any_of(h.from, [&](const spec::state& s) { return search.from(s); });
  if (search.was_stopped()) return std::nullopt;
  if (found && order != nullptr) *order = search.order();
  return found;
}

bool transaction_rules::forget(transaction_history& h, const std::function<bool()>& stop) const {
  // The last period before which all transactions that began earlier had ended.
  std::uint32_t cut = 0;
  std::set<std::uint32_t> periods{not_ended};
  for (const transaction& t : h.all) periods.insert(t.begun);
  for (const std::uint32_t p : periods) {
    const bool clean = std::ranges::all_of(
        h.all, [&](const transaction& t) { return t.begun >= p || (is_over(t) && t.ended < p); });
    if (clean) cut = p;
  }
  std::vector<transaction> past;
  for (const transaction& t : h.all) {
    if (t.begun < cut) past.push_back(t);
  }
  if (!past.empty()) {
    std::set<spec::state> ends;
    transaction_search search(*this, past, opaque_, stop);
    search.collect(ends);
    for (const spec::state& s : h.from) {
      if (search.from(s)) return false;
    }
    h.from.assign(ends.begin(), ends.end());
    std::erase_if(h.all, [&](const transaction& t) { return t.begun < cut; });
  }
  // The last operations of aborted transactions, which no other transaction saw.
  for (transaction& t : h.all) {
    if (t.stage != stage::aborted) continue;
    while (!t.operations.empty() && (!opaque_ || !only_looks(t.operations.back()))) {
      t.operations.pop_back();
    }
  }
  std::erase_if(h.all, [](const transaction& t) { return is_over(t) && t.operations.empty(); });
  count_periods(h);
  return true;
}

bool transaction_rules::only_looks(const transaction_operation& what) const {
  spec::call call{what.operation, 0, 0, {}};
  std::ranges::copy(what.arguments, call.arguments);
  return spec_.role_of(call, {what.is_some, what.what}).observer;
}

std::vector<spec::state> transaction_rules::after(const transaction& what,
                                                  const spec::state& before) const {
  std::set<spec::state> now{before};
  spec::outcomes out;
  for (const transaction_operation& o : what.operations) {
    spec::call call{o.operation, 0, 0, {}};
    std::ranges::copy(o.arguments, call.arguments);
    std::set<spec::state> next;
    for (const spec::state& s : now) {
      out.clear();
      spec_.apply(s, call, out);
      for (const auto& one : out.all()) {
        if (one.returned == spec::result{o.is_some, o.what}) next.insert(one.after);
      }
    }
    now = std::move(next);
  }
  return {now.begin(), now.end()};
}

}  // namespace simt
