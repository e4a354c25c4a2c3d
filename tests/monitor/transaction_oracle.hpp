// Transactions a second time, as simply as possible: small histories of them, and all orders of
// these, one by one.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/naive/random.hpp"

namespace naive_transactions {

using value = std::int64_t;

enum class kind { begin, commit, abort, read, write };
inline const char* const kind_names[] = {"begin", "commit", "abort", "read", "write"};

struct event {
  int client = 0;
  bool is_return = false;
  kind what = kind::begin;
  value word = 0, to = 0;  // of a call
  bool succeeds = true;    // of a return
  value got = 0;           // of a read that succeeds
};

/// What one transaction has done by some moment. `done` has what has returned.
struct summary {
  struct step {
    bool writes;
    value word, what;
  };
  std::vector<step> done;
  int begun = 0, ended = -1;  // numbers of events; -1: not yet
  bool asks_to_commit = false, committed = false;
};

/// The transactions of the first `length` events; nothing: something succeeds outside of any.
inline std::optional<std::vector<summary>> summaries(const std::vector<event>& all, int length) {
  std::vector<summary> made;
  std::map<int, int> open;       // client: its transaction
  std::map<int, int> abandoned;  // client: the one that its pending `begin` abandons
  std::map<int, event> calls;
  for (int i = 0; i < length; ++i) {
    const event& e = all[static_cast<std::size_t>(i)];
    const auto mine = open.find(e.client);
    summary* const t = mine == open.end() ? nullptr : &made[static_cast<std::size_t>(mine->second)];
    if (!e.is_return) {
      calls[e.client] = e;
      if (e.what == kind::begin) {
        if (t != nullptr) abandoned[e.client] = mine->second;
        open[e.client] = static_cast<int>(made.size());
        made.push_back({{}, i, -1, false, false});
      } else if (e.what == kind::commit && t != nullptr) {
        t->asks_to_commit = true;
      }
      continue;
    }
    const event& call = calls[e.client];
    if (call.what == kind::begin) {
      const auto left = abandoned.find(e.client);
      if (left == abandoned.end()) continue;
      made[static_cast<std::size_t>(left->second)].ended = i;
      abandoned.erase(left);
      continue;
    }
    const bool succeeds = call.what != kind::abort && e.succeeds;
    if (t == nullptr) {
      if (succeeds) return std::nullopt;
      continue;
    }
    if (succeeds && call.what == kind::read) t->done.push_back({false, call.word, e.got});
    if (succeeds && call.what == kind::write) t->done.push_back({true, call.word, call.to});
    if (succeeds && call.what != kind::commit) continue;
    t->ended = i;
    t->committed = succeeds;
    open.erase(mine);
  }
  return made;
}

/// Whether some order of these explains them: every permutation, and every way for the commits that
/// have not returned to end.
class all_orders {
 public:
  all_orders(const std::vector<summary>& all, bool opaque) : opaque_(opaque) {
    for (const summary& s : all) {
      if (opaque || s.committed || (s.asks_to_commit && s.ended < 0)) all_.push_back(s);
    }
  }

  bool any() {
    std::vector<int> order(all_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
    do {
      if (!in_time(order)) continue;
      for (unsigned choice = 0; choice < 1U << all_.size(); ++choice) {
        if (fits(choice) && explains(order, choice)) return true;
      }
    } while (std::next_permutation(order.begin(), order.end()));
    return false;
  }

 private:
  std::vector<summary> all_;
  bool opaque_;

  [[nodiscard]] const summary& at(int i) const { return all_[static_cast<std::size_t>(i)]; }

  [[nodiscard]] bool in_time(const std::vector<int>& order) const {
    for (std::size_t i = 0; i < order.size(); ++i) {
      for (std::size_t later = i + 1; later < order.size(); ++later) {
        const summary& second = at(order[later]);
        if (second.ended >= 0 && second.ended < at(order[i]).begun) return false;
      }
    }
    return true;
  }
  /// A bit says that the transaction commits.
  [[nodiscard]] bool fits(unsigned choice) const {
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const bool commits = (choice >> i & 1) != 0;
      if (all_[i].committed && !commits) return false;
      const bool may = all_[i].committed || (all_[i].asks_to_commit && all_[i].ended < 0);
      if (commits && !may) return false;
    }
    return true;
  }
  [[nodiscard]] bool explains(const std::vector<int>& order, unsigned choice) const {
    std::map<value, value> memory;
    for (const int i : order) {
      const bool commits = (choice >> i & 1) != 0;
      if (!opaque_ && !commits) continue;
      std::map<value, value> mine = memory;
      for (const summary::step& s : at(i).done) {
        if (s.writes) mine[s.word] = s.what;
        if (!s.writes && mine[s.word] != s.what) return false;
      }
      if (commits) memory = mine;
    }
    return true;
  }
};

/// Clients over a real memory, which validates carelessly.
class generator {
 public:
  generator(naive::random_source& random, int clients, int transactions)
      : random_(random), left_(transactions), all_(static_cast<std::size_t>(clients)) {}

  std::vector<event> make() {
    for (int tries = 0; tries < 300; ++tries) {
      const int c = random_.below(static_cast<int>(all_.size()));
      client& me = all_[static_cast<std::size_t>(c)];
      if (me.calls) {
        if (!random_.percent(5)) give(c, me);
      } else if (!me.open) {
        if (left_ == 0 && !random_.percent(3)) continue;
        call(c, me, left_-- > 0 ? kind::begin : random_.one_of({kind::read, kind::commit}));
        if (left_ < 0) left_ = 0;
      } else {
        const int what = random_.weighted({50, 35, me.steps > 1 ? 60 : 10, 3, 1});
        call(c, me,
             random_.one_of({kind::read, kind::write, kind::commit, kind::abort, kind::begin}),
             what);
      }
    }
    return made_;
  }

 private:
  struct client {
    bool open = false, calls = false, careless = false;
    int steps = 0;
    event call;
    std::map<value, value> seen, written, snapshot;
  };
  naive::random_source& random_;
  int left_;
  std::vector<client> all_;
  std::vector<event> made_;
  std::map<value, value> memory_;
  value last_ = 0;

  void call(int c, client& me, kind usual, int choice = -1) {
    constexpr kind kinds[] = {kind::read, kind::write, kind::commit, kind::abort, kind::begin};
    event e;
    e.client = c;
    e.what = choice < 0 ? usual : kinds[choice];
    e.word = random_.below(2);
    e.to = random_.percent(70) ? ++last_ : random_.below(2);
    me.call = e;
    me.calls = true;
    made_.push_back(e);
    if (e.what != kind::begin) return;
    me = {true, true, random_.percent(45), 0, e, {}, {}, memory_};
  }

  void give(int c, client& me) {
    event e;
    e.client = c;
    e.is_return = true;
    e.what = me.call.what;
    me.calls = false;
    ++me.steps;
    const value word = me.call.word;
    switch (e.what) {
      case kind::begin: break;
      case kind::abort: me.open = false; break;
      case kind::read:
        e.succeeds = me.open && !random_.percent(4);
        if (!e.succeeds) me.open = false;
        if (me.written.count(word) != 0 && !random_.percent(2)) {
          e.got = me.written[word];
        } else {
          e.got = me.careless ? memory_[word] : me.snapshot[word];
          me.seen.emplace(word, e.got);
        }
        if (random_.percent(2)) e.got = random_.below(3);
        break;
      case kind::write:
        e.succeeds = me.open && !random_.percent(4);
        if (!e.succeeds) me.open = false;
        me.written[word] = me.call.to;
        break;
      case kind::commit: {
        const bool valid = std::all_of(me.seen.begin(), me.seen.end(), [&](const auto& one) {
          return memory_[one.first] == one.second;
        });
        e.succeeds = me.open && (valid || random_.percent(15)) && !random_.percent(5);
        if (random_.percent(1)) e.succeeds = true;
        if (e.succeeds) {
          for (const auto& [to, what] : me.written) memory_[to] = what;
        }
        me.open = false;
        break;
      }
    }
    made_.push_back(e);
  }
};

}  // namespace naive_transactions
