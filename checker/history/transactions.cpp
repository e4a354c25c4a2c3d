// Checks a recorded history of transactions event by event, and says what has no order.
#include "checker/history/transactions.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace warpcheck {
namespace {

using simt::transaction;
using simt::transaction_history;
using simt::transaction_operation;
using simt::transaction_rules;
using simt::transaction_stage;

constexpr std::uint32_t begins = 0;  // see simt::spec::family

struct moment {
  event_time when;
  std::uint32_t operation;
  bool is_return;
};

std::vector<moment> moments_of(const history& of) {
  std::vector<moment> all;
  for (std::uint32_t i = 0; i < of.operations.size(); ++i) {
    const recorded_operation& o = of.operations[i];
    all.push_back({o.called, i, false});
    if (o.completed) all.push_back({o.returns, i, true});
  }
  std::ranges::sort(all, {}, &moment::when);
  return all;
}

/// Explains a history without an order, in sentences.
class explanation_of {
 public:
  explanation_of(const history& of, const simt::spec::specification& spec,
                 const transaction_rules& rules, const transaction_history& now, moment last,
                 const history_limits& limits)
      : of_(of), spec_(spec), rules_(rules), all_(now), last_(last), limits_(limits) {}

  history_evidence give(bool opaque, const simt::spec::state& first) {
    history_evidence made;
    const recorded_operation& last = of_.operations[last_.operation];
    if (all_.outside) {
      made.operations = {last_.operation};
      made.why = fmt::format("{} of client {} succeeded, but the client has no transaction open",
                             operation_text(of_, spec_, last), of_.clients[last.what.client]);
      return made;
    }
    keep_what_matters();
    made.why = sentence();
    if (opaque) add_about_opacity(made);
    if (all_.from.size() != 1 || all_.from.front() != first) made.from = all_.from;
    made.operations = operations_to_show();
    return made;
  }

 private:
  const history& of_;
  const simt::spec::specification& spec_;
  const transaction_rules& rules_;
  transaction_history all_;
  moment last_;
  const history_limits& limits_;
  // Tag of the transaction, and operation.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> kept_;

  /// Says whether some order explains `all_`. Nothing: a limit is reached.
  [[nodiscard]] std::optional<bool> has_order(const transaction_rules& rules) const {
    return rules.has_order(all_, [&] { return limits_.exceeded(0) != nullptr; });
  }

  /// Leaves out each operation that only looks, if there is no order without it either. Operations
  /// of the last client are left out last: the return of that client has no explanation. False: a
  /// limit is reached.
  bool leave_out_looks() {
    const std::uint32_t client = of_.operations[last_.operation].what.client;
    for (const bool of_last : {false, true}) {
      for (transaction& t : all_.all) {
        if ((t.client == client) != of_last) continue;
        for (std::size_t i = 0; i < t.operations.size();) {
          const transaction_operation one = t.operations[i];
          const auto at = t.operations.begin() + static_cast<std::ptrdiff_t>(i);
          if (!rules_.only_looks(one)) {
            ++i;
            continue;
          }
          t.operations.erase(at);
          const auto is_explained = has_order(rules_);
          if (!is_explained) return false;
          if (!*is_explained) continue;
          t.operations.insert(t.operations.begin() + static_cast<std::ptrdiff_t>(i), one);
          ++i;
        }
      }
    }
    return true;
  }

  void keep_what_matters() {
    const transaction_history whole = all_;
    if (!leave_out_looks()) all_ = whole;
    for (const transaction& t : all_.all) {
      for (const transaction_operation& o : t.operations) {
        if (rules_.only_looks(o)) kept_.emplace_back(t.tag, o.tag);
      }
    }
  }

  [[nodiscard]] std::string sentence() const {
    std::map<std::uint32_t, std::vector<std::string>> reads;
    for (const auto& [of, operation] : kept_) {
      reads[of].push_back(operation_text(of_, spec_, of_.operations[operation]));
    }
    std::vector<std::string> parts;
    for (const auto& [tag, texts] : reads) {
      const std::uint32_t client = client_of(tag);
      parts.push_back(
          fmt::format("{} of client {}", fmt::join(texts, " and "), of_.clients[client]));
    }
    if (kept_.empty()) return "no order of these transactions explains what they returned";
    if (kept_.size() == 1) {
      return fmt::format("{} fits no order of these transactions", parts.front());
    }
    if (reads.size() == 1) {
      return fmt::format("{} fit no order of these transactions: at no moment did {} hold",
                         parts.front(), kept_.size() == 2 ? "both" : "all of them");
    }
    return fmt::format("no order of these transactions explains both {}",
                       fmt::join(parts, " and "));
  }

  [[nodiscard]] std::uint32_t client_of(std::uint32_t tag) const {
    return std::ranges::find(all_.all, tag, &transaction::tag)->client;
  }

  /// Adds what is wrong with opacity alone, which has to do with transactions that do not commit.
  void add_about_opacity(history_evidence& made) const {
    if (has_order(transaction_rules(spec_, false)) != true) return;
    std::vector<std::string> zombies;
    for (const transaction& t : all_.all) {
      const bool reads =
          std::ranges::any_of(kept_, [&](const auto& k) { return k.first == t.tag; });
      if (!reads || t.stage == transaction_stage::committed) continue;
      zombies.push_back(of_.clients[t.client]);
    }
    if (zombies.empty()) return;
    made.more.push_back(fmt::format(
        "The transactions that have committed do have an order: this history is strictly "
        "serializable, and only opacity is violated. The transaction of client {} is a zombie: it "
        "has read what belongs to no one moment, and has to abort.",
        fmt::join(zombies, " and that of client ")));
  }

  /// Whether the transaction changes what one of the operations that matter returns.
  [[nodiscard]] bool matters(const transaction& t) const {
    if (std::ranges::any_of(kept_, [&](const auto& k) { return k.first == t.tag; })) return true;
    transaction writes = t;
    std::erase_if(writes.operations, [&](const auto& o) { return rules_.only_looks(o); });
    for (const simt::spec::state& before : all_.from) {
      for (const simt::spec::state& after : rules_.after(writes, before)) {
        for (const auto& [tag, operation] : kept_) {
          const simt::spec::call& read = of_.operations[operation].what;
          if (returned_in(before, read) != returned_in(after, read)) return true;
        }
      }
    }
    return false;
  }
  [[nodiscard]] std::vector<simt::spec::result> returned_in(const simt::spec::state& s,
                                                            const simt::spec::call& what) const {
    simt::spec::outcomes out;
    spec_.apply(s, what, out);
    std::vector<simt::spec::result> all;
    for (const auto& one : out.all()) all.push_back(one.returned);
    return all;
  }

  [[nodiscard]] std::vector<std::uint32_t> operations_to_show() const {
    const std::vector<recorded_transaction> recorded = transactions_of(of_, spec_);
    std::vector<std::uint32_t> shown;
    for (const transaction& t : all_.all) {
      if (!matters(t)) continue;
      for (const std::uint32_t o : recorded[t.tag].operations) {
        if (of_.operations[o].called <= last_.when) shown.push_back(o);
      }
    }
    std::ranges::sort(shown);
    return shown;
  }
};

class transaction_checker {
 public:
  transaction_checker(const history& of, const simt::spec::specification& spec,
                      const history_options& options)
      : of_(of),
        spec_(spec),
        options_(options),
        opaque_(options.wanted == consistency::opaque),
        rules_(spec, opaque_) {}

  history_result check() {
    history_result result;
    result.algorithm = "search";
    const auto stop = [&] {
      ++result.configurations;
      if (result.configurations % 256 == 1) {
        if (const char* why = options_.limits.exceeded(0)) result.stopped_by = why;
      }
      return !result.stopped_by.empty();
    };
    result.decided = decide(result, stop);
    return result;
  }

 private:
  static constexpr std::size_t most_kept = 64;  // with more, those that cannot matter are forgotten

  const history& of_;
  const simt::spec::specification& spec_;
  const history_options& options_;
  bool opaque_;
  transaction_rules rules_;

  answer decide(history_result& result, const std::function<bool()>& stop) {
    transaction_history now = beginning();
    std::uint32_t begun = 0;
    for (const moment& m : moments_of(of_)) {
      if (!take(now, m, begun)) continue;
      const auto is_explained = rules_.has_order(now, stop);
      if (!is_explained) return answer::stopped;
      if (!*is_explained) {
        if (options_.evidence) {
          const history_limits limits = options_.limits.within(evidence_seconds);
          result.evidence =
              explanation_of(of_, spec_, rules_, now, m, limits).give(opaque_, spec_.initial());
        }
        return answer::impossible;
      }
      if (now.all.size() > most_kept && !rules_.forget(now, stop)) return answer::stopped;
    }
    auto order = order_of_all(stop);
    if (!order) return answer::stopped;
    result.order = std::move(*order);
    return answer::explained;
  }

  [[nodiscard]] transaction_history beginning() const { return {{spec_.initial()}, {}, {}, false}; }

  /// Takes in a call or a return. True: it may have broken the history.
  [[nodiscard]] bool take(transaction_history& now, const moment& m, std::uint32_t& begun) const {
    const recorded_operation& o = of_.operations[m.operation];
    if (m.is_return) return rules_.returned(now, o.what.client, o.returned);
    const bool is_begin = o.what.operation == begins;
    rules_.called(now, o.what, is_begin ? begun++ : m.operation);
    return false;
  }

  /// Returns an order of the whole history, of which every prefix has one. Nothing: a limit is
  /// reached.
  [[nodiscard]] std::optional<std::vector<ordered_step>> order_of_all(
      const std::function<bool()>& stop) const {
    transaction_history whole = beginning();
    std::uint32_t begun = 0;
    for (const moment& m : moments_of(of_)) (void)take(whole, m, begun);
    std::vector<simt::placed_transaction> placed;
    if (!rules_.has_order(whole, stop, &placed).has_value()) return std::nullopt;
    const std::vector<recorded_transaction> all = transactions_of(of_, spec_);
    std::vector<ordered_step> steps;
    for (const simt::placed_transaction& one : placed) {
      for (const std::uint32_t o : all[one.tag].operations) steps.push_back({o, 0});
    }
    return steps;
  }
};

}  // namespace

std::vector<recorded_transaction> transactions_of(const history& of,
                                                  const simt::spec::specification& spec) {
  const transaction_rules rules(spec, true);
  transaction_history now{{spec.initial()}, {}, {}, false};
  std::vector<recorded_transaction> all;
  std::map<std::uint32_t, std::uint32_t> open;  // by client
  for (const moment& m : moments_of(of)) {
    const recorded_operation& o = of.operations[m.operation];
    if (m.is_return) {
      (void)rules.returned(now, o.what.client, o.returned);
    } else {
      const bool is_begin = o.what.operation == begins;
      const auto tag = static_cast<std::uint32_t>(all.size());
      rules.called(now, o.what, is_begin ? tag : m.operation);
      if (is_begin) {
        open[o.what.client] = tag;
        all.push_back({o.what.client, {}, transaction_stage::open});
      }
      const auto mine = open.find(o.what.client);
      if (mine != open.end()) all[mine->second].operations.push_back(m.operation);
    }
    for (const transaction& t : now.all) all[t.tag].stage = t.stage;
    std::erase_if(open, [&](const auto& one) {
      const transaction_stage stage = all[one.second].stage;
      return stage == transaction_stage::committed || stage == transaction_stage::aborted;
    });
  }
  return all;
}

std::string transaction_text(const history& of, const simt::spec::specification& spec,
                             const recorded_transaction& what) {
  std::string text;
  for (const std::uint32_t i : what.operations) {
    const recorded_operation& o = of.operations[i];
    if (o.what.operation <= 2) continue;  // begin, commit, abort: see simt::spec::family
    const bool looks = spec.role_of(o.what, o.returned).observer;
    text += (text.empty() ? "" : ", ") +
            (looks || !o.completed ? operation_text(of, spec, o) : call_text(of, spec, o.what));
  }
  constexpr std::array<std::string_view, 4> ends{"open", "committing", "committed", "aborted"};
  return text + (text.empty() ? "" : ", ") +
         std::string(ends[static_cast<std::size_t>(what.stage)]);
}

history_result check_transactions(const history& of, const simt::spec::specification& spec,
                                  const history_options& options) {
  return transaction_checker(of, spec, options).check();
}

}  // namespace warpcheck
