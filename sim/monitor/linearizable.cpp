// Judges linearizability, event by event. A word is a set of explanations of the run so far. Each
// is a state of the object together with what pending operations have done.
//
// Models: pending operations may have taken effect at any moment after their call, with any result
// that the specification allows, or not yet (Herlihy and Wing 1990). Operations of several steps
// take them in order, at moments of their own. Does not model: fixed linearization points; none are
// needed (at_points.cpp has them).
//
// Every set is closed under steps of pending operations. So the set depends on the history only
// through what can come next, and equal futures have equal words as far as that is known.
#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>

#include "sim/monitor/observer.hpp"
#include "sim/monitor/words.hpp"

namespace simt {
namespace {

constexpr std::size_t most_explanations = 1'000'000;  // of one history

struct pending_call {
  std::uint32_t client, operation;
  std::array<spec::value, spec::max_arguments> arguments;
  friend auto operator<=>(const pending_call&, const pending_call&) = default;
};

/// The steps that a pending operation has taken, and its result.
struct progress_made {
  std::uint32_t steps = 0;
  bool is_some = false;  // its result, once it has taken all of them
  spec::value what = 0;
  friend auto operator<=>(const progress_made&, const progress_made&) = default;
};

struct explanation {
  spec::state state;
  std::vector<progress_made> made;  // by pending call
  friend auto operator<=>(const explanation&, const explanation&) = default;
};

struct situation {
  std::vector<pending_call> pending;   // by client
  std::vector<explanation> explained;  // sorted; none: no order explains the history
  friend auto operator<=>(const situation&, const situation&) = default;
};

class linearizable final : public observer {
 public:
  explicit linearizable(const spec::specification& spec) : spec_(spec) {}

  word initial(std::span<const spec::state> states) override {
    situation first;
    for (const spec::state& s : states) first.explained.push_back({s, {}});
    return words_.intern(std::move(first));
  }

  word called(word before, const spec::call& what) override {
    if (is_broken(before)) return before;
    situation next = words_[before];
    const auto at = std::ranges::lower_bound(next.pending, what.client, {}, &pending_call::client);
    const auto place = at - next.pending.begin();
    next.pending.insert(at, {what.client, what.operation, std::to_array(what.arguments)});
    for (explanation& e : next.explained) e.made.insert(e.made.begin() + place, progress_made{});
    close(next);
    return words_.intern(std::move(next));
  }

  word returned(word before, std::uint32_t client, const spec::result& result) override {
    if (is_broken(before)) return before;
    situation next = words_[before];
    const auto at = std::ranges::lower_bound(next.pending, client, {}, &pending_call::client);
    const auto place = at - next.pending.begin();
    const std::uint32_t steps = spec_.operations()[at->operation].steps;
    std::erase_if(next.explained, [&](const explanation& e) {
      const progress_made& made = e.made[static_cast<std::size_t>(place)];
      return made.steps != steps || made.is_some != result.is_some || made.what != result.what;
    });
    for (explanation& e : next.explained) e.made.erase(e.made.begin() + place);
    next.pending.erase(at);
    if (next.explained.empty()) next.pending.clear();  // one word for all that is broken
    std::ranges::sort(next.explained);
    return words_.intern(std::move(next));
  }

  [[nodiscard]] bool is_broken(word now) const override { return words_[now].explained.empty(); }
  bool is_broken_at_end(word now) override { return is_broken(now); }
  [[nodiscard]] std::size_t memory() const override { return words_.size() * 64 + bytes_; }

 private:
  const spec::specification& spec_;
  words_of<situation> words_;
  std::size_t bytes_ = 0;

  // Adds all explanations to which steps of pending operations lead.
  void close(situation& s) {
    std::set<explanation> seen(s.explained.begin(), s.explained.end());
    std::vector<const explanation*> open;
    for (const explanation& e : seen) open.push_back(&e);
    spec::outcomes out;
    while (!open.empty()) {
      const explanation& from = *open.back();
      open.pop_back();
      for (std::size_t i = 0; i < s.pending.size(); ++i) {
        const pending_call& p = s.pending[i];
        const std::uint32_t steps = spec_.operations()[p.operation].steps;
        if (from.made[i].steps == steps) continue;
        spec::call what{p.operation, from.made[i].steps, p.client, {}};
        std::ranges::copy(p.arguments, what.arguments);
        out.clear();
        spec_.apply(from.state, what, out);
        for (const auto& o : out.all()) {
          explanation next{o.after, from.made};
          next.made[i].steps += 1;
          if (next.made[i].steps == steps) {
            next.made[i].is_some = o.returned.is_some;
            next.made[i].what = o.returned.what;
          }
          const auto [at, is_new] = seen.insert(std::move(next));
          if (is_new) open.push_back(&*at);
        }
      }
      if (seen.size() > most_explanations) {
        throw std::length_error("a history has too many explanations to keep");
      }
    }
    s.explained.assign(seen.begin(), seen.end());
    for (const explanation& e : s.explained) {
      bytes_ +=
          sizeof e + e.state.size() * sizeof(spec::value) + e.made.size() * sizeof(progress_made);
    }
  }
};

}  // namespace

std::unique_ptr<observer> make_linearizable(const spec::specification& spec);
std::unique_ptr<observer> make_linearizable(const spec::specification& spec) {
  return std::make_unique<linearizable>(spec);
}

}  // namespace simt
