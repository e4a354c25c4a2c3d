// Judges sequential and quiescent consistency, event by event.
//
// Models: sequential consistency (Lamport 1979) of complete histories: some order of all operations
// that keeps each client's order. A later operation may explain an earlier one, so a history is
// judged at the end of a run. Quiescent consistency (Aspnes, Herlihy, Shavit 1994): operations
// between two moments at which nothing is pending, in any order, judged at each such moment. Does
// not model: operations that stay pending for ever. Runs that do not end are not judged; for
// quiescent consistency, not after their last quiescent moment.
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "sim/monitor/observer.hpp"
#include "sim/monitor/words.hpp"

namespace simt {
namespace {

/// An operation, complete or pending.
struct operation_made {
  std::uint32_t client, operation;
  std::array<spec::value, spec::max_arguments> arguments;
  bool complete = false;
  bool is_some = false;
  spec::value what = 0;
  friend auto operator<=>(const operation_made&, const operation_made&) = default;
};

/// All that clients did since a moment at which the object was in one of the states `from`.
struct stretch {
  std::vector<spec::state> from;     // sorted; none: no order explains the history
  std::vector<operation_made> made;  // by client, each client's in its order
  friend auto operator<=>(const stretch&, const stretch&) = default;
};

operation_made operation_of(const spec::call& what) {
  return {what.client, what.operation, std::to_array(what.arguments)};
}

/// The states in which the object can be behind any order of all operations of a stretch.
class orders {
 public:
  /// `by_client`: only orders that keep each client's order.
  orders(const spec::specification& spec, const stretch& of, bool by_client)
      : spec_(spec), of_(of), by_client_(by_client), steps_(of.made.size(), 0) {
    for (const spec::state& s : of.from) extend(s);
  }
  [[nodiscard]] const std::set<spec::state>& ends() const { return ends_; }

 private:
  const spec::specification& spec_;
  const stretch& of_;
  bool by_client_;
  std::vector<std::uint32_t> steps_;  // taken, by operation
  std::set<std::pair<spec::state, std::vector<std::uint32_t>>> seen_;
  std::set<spec::state> ends_;

  [[nodiscard]] std::uint32_t steps_of(std::size_t i) const {
    return spec_.operations()[of_.made[i].operation].steps;
  }

  void extend(const spec::state& now) {
    if (!seen_.emplace(now, steps_).second) return;
    bool all = true;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const operation_made& o = of_.made[i];
      if (steps_[i] == steps_of(i)) continue;
      all = false;
      if (by_client_ && i > 0 && of_.made[i - 1].client == o.client &&
          steps_[i - 1] != steps_of(i - 1)) {
        continue;
      }
      spec::call what{o.operation, steps_[i], o.client, {}};
      std::ranges::copy(o.arguments, what.arguments);
      spec::outcomes out;
      spec_.apply(now, what, out);
      ++steps_[i];
      for (const auto& outcome : out.all()) {
        const bool last = steps_[i] == steps_of(i);
        if (last && outcome.returned != spec::result{o.is_some, o.what}) continue;
        extend(outcome.after);
      }
      --steps_[i];
    }
    if (all) ends_.insert(now);
  }
};

/// The common part of both observers: collects what clients do.
class collecting : public observer {
 public:
  explicit collecting(const spec::specification& spec) : spec_(spec) {}

  word initial(std::span<const spec::state> states) override {
    return words_.intern({{states.begin(), states.end()}, {}});
  }

  word called(word before, const spec::call& what) override {
    if (is_broken(before)) return before;
    stretch next = words_[before];
    const auto behind =
        std::ranges::upper_bound(next.made, what.client, {}, &operation_made::client);
    next.made.insert(behind, operation_of(what));
    return words_.intern(std::move(next));
  }

  word returned(word before, std::uint32_t client, const spec::result& result) override {
    if (is_broken(before)) return before;
    stretch next = words_[before];
    const auto last = std::ranges::upper_bound(next.made, client, {}, &operation_made::client) - 1;
    last->complete = true;
    last->is_some = result.is_some;
    last->what = result.what;
    settle(next);
    return words_.intern(std::move(next));
  }

  [[nodiscard]] bool is_broken(word now) const override { return words_[now].from.empty(); }
  [[nodiscard]] std::size_t memory() const override { return words_.size() * 512; }

 protected:
  const spec::specification& spec_;
  words_of<stretch> words_;

  virtual void settle(stretch& now) = 0;
};

class sequential final : public collecting {
 public:
  using collecting::collecting;

  bool is_broken_at_end(word now) override {
    if (now >= answers_.size()) answers_.resize(now + 1);
    if (!answers_[now]) answers_[now] = orders(spec_, words_[now], true).ends().empty();
    return *answers_[now];
  }

 private:
  std::vector<std::optional<bool>> answers_;

  void settle(stretch&) override {}
};

class quiescent final : public collecting {
 public:
  using collecting::collecting;

  bool is_broken_at_end(word now) override { return is_broken(now); }

 private:
  void settle(stretch& now) override {
    if (!std::ranges::all_of(now.made, &operation_made::complete)) return;
    const orders all(spec_, now, false);
    now.from.assign(all.ends().begin(), all.ends().end());
    now.made.clear();
  }
};

}  // namespace

std::unique_ptr<observer> make_linearizable(const spec::specification& spec);
std::unique_ptr<observer> make_at_points(const spec::specification& spec);
std::unique_ptr<observer> make_transactional(const spec::specification& spec, bool opaque);

std::unique_ptr<observer> make_observer(consistency wanted, const spec::specification& spec) {
  switch (wanted) {
    case consistency::linearizable: return make_linearizable(spec);
    case consistency::sequential: return std::make_unique<sequential>(spec);
    case consistency::points: return make_at_points(spec);
    case consistency::strictly_serializable: return make_transactional(spec, false);
    case consistency::opaque: return make_transactional(spec, true);
    case consistency::quiescent: break;
  }
  return std::make_unique<quiescent>(spec);
}

}  // namespace simt
