// Judges linearizability with fixed linearization points. The object changes when an operation
// passes its point, and the operation must return what it got there.
//
// Models: an operation of several steps takes one step at each point. If the specification allows
// several outcomes, all that agree with the results so far are kept. Does not model: points that
// depend on what happens later, or that another operation passes.
//
// A mistake (no point, one too many, another result) counts when the operation returns. So a run in
// which the operation never returns is not to blame.
#include <algorithm>
#include <array>
#include <vector>

#include "sim/monitor/observer.hpp"
#include "sim/monitor/words.hpp"

namespace simt {
namespace {

struct counted_call {
  std::uint32_t client, operation;
  std::array<spec::value, spec::max_arguments> arguments;
  std::uint32_t points = 0;  // passed so far; one more than it may have: too many
  friend auto operator<=>(const counted_call&, const counted_call&) = default;
};

struct got {
  bool is_some = false;
  spec::value what = 0;
  friend auto operator<=>(const got&, const got&) = default;
};

struct possibility {
  spec::state state;
  std::vector<got> results;  // by pending call; of those that have passed all of their points
  friend auto operator<=>(const possibility&, const possibility&) = default;
};

struct counted_situation {
  std::vector<counted_call> pending;  // by client
  std::vector<possibility> possible;  // sorted; none: points have not explained a result
  friend auto operator<=>(const counted_situation&, const counted_situation&) = default;
};

class at_points final : public observer {
 public:
  explicit at_points(const spec::specification& spec) : spec_(spec) {}

  word initial(std::span<const spec::state> states) override {
    counted_situation first;
    for (const spec::state& s : states) first.possible.push_back({s, {}});
    return words_.intern(std::move(first));
  }

  word called(word before, const spec::call& what) override {
    if (is_broken(before)) return before;
    counted_situation next = words_[before];
    const auto at = std::ranges::lower_bound(next.pending, what.client, {}, &counted_call::client);
    const auto place = at - next.pending.begin();
    next.pending.insert(at, {what.client, what.operation, std::to_array(what.arguments), 0});
    for (possibility& p : next.possible) p.results.insert(p.results.begin() + place, got{});
    return words_.intern(std::move(next));
  }

  word passed_point(word before, std::uint32_t client) override {
    if (is_broken(before)) return before;
    counted_situation next = words_[before];
    const auto at = find(next, client);
    if (at == next.pending.end()) return before;
    const auto place = static_cast<std::size_t>(at - next.pending.begin());
    const std::uint32_t steps = spec_.operations()[at->operation].steps;
    if (at->points > steps) return before;
    // If the operation is not enabled here, this is no point of it, and the operation never gets
    // one.
    const bool takes_effect = at->points < steps && take_effect(next, *at, place);
    at->points = takes_effect ? at->points + 1 : steps + 1;
    return words_.intern(std::move(next));
  }

  word returned(word before, std::uint32_t client, const spec::result& result) override {
    if (is_broken(before)) return before;
    counted_situation next = words_[before];
    const auto at = find(next, client);
    const auto place = at - next.pending.begin();
    const bool as_many = at->points == spec_.operations()[at->operation].steps;
    std::erase_if(next.possible, [&](const possibility& p) {
      const got& one = p.results[static_cast<std::size_t>(place)];
      return !as_many || one.is_some != result.is_some || one.what != result.what;
    });
    for (possibility& p : next.possible) p.results.erase(p.results.begin() + place);
    next.pending.erase(at);
    if (next.possible.empty()) next.pending.clear();  // one word for all that is broken
    settle(next);
    return words_.intern(std::move(next));
  }

  [[nodiscard]] bool is_broken(word now) const override { return words_[now].possible.empty(); }
  bool is_broken_at_end(word now) override { return is_broken(now); }
  [[nodiscard]] std::size_t memory() const override { return words_.size() * 512; }

 private:
  const spec::specification& spec_;
  words_of<counted_situation> words_;

  static std::vector<counted_call>::iterator find(counted_situation& s, std::uint32_t client) {
    const auto at = std::ranges::lower_bound(s.pending, client, {}, &counted_call::client);
    return at != s.pending.end() && at->client == client ? at : s.pending.end();
  }

  /// Takes the next step of `which`. False: the step is not enabled in any possible state.
  bool take_effect(counted_situation& s, const counted_call& which, std::size_t place) {
    std::vector<possibility> all;
    spec::outcomes out;
    spec::call what{which.operation, which.points, which.client, {}};
    std::ranges::copy(which.arguments, what.arguments);
    for (const possibility& p : s.possible) {
      out.clear();
      spec_.apply(p.state, what, out);
      for (const auto& o : out.all()) {
        all.push_back({o.after, p.results});
        all.back().results[place] = {o.returned.is_some, o.returned.what};
      }
    }
    if (all.empty()) return false;
    s.possible = std::move(all);
    settle(s);
    return true;
  }

  static void settle(counted_situation& s) {
    std::ranges::sort(s.possible);
    s.possible.erase(std::ranges::unique(s.possible).begin(), s.possible.end());
  }
};

}  // namespace

std::unique_ptr<observer> make_at_points(const spec::specification& spec);
std::unique_ptr<observer> make_at_points(const spec::specification& spec) {
  return std::make_unique<at_points>(spec);
}

}  // namespace simt
