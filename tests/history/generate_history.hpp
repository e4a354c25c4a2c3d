// Small recorded histories: of clients that really use an object, and damaged ones.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "checker/history/history.hpp"
#include "tests/history/naive_object.hpp"
#include "tests/naive/random.hpp"

namespace naive_history {

/// An operation with its times; `returns` < 0: pending.
struct naive_operation {
  std::string op;
  std::vector<value> args;
  value client = 0;
  unsigned steps = 1;
  result returned;
  int called = 0, returns = -1;
};

struct generator {
  const simt::spec::specification& spec;
  std::string kind;
  value limit;
  naive::random_source& random;
  int clients, operations;
  bool distinct;  // every argument of a put is new

  /// Clients call, act and return at random; then what they did may be changed.
  std::vector<naive_operation> make() {
    std::vector<naive_operation> all;
    naive_object object = naive_object::make(kind, limit);
    std::vector<int> open(static_cast<std::size_t>(clients), -1);
    std::vector<unsigned> done(static_cast<std::size_t>(clients), 0);
    int now = 0;
    for (int tries = 0; tries < 200; ++tries) {
      const auto c = static_cast<std::size_t>(random.below(clients));
      if (open[c] < 0) {
        if (static_cast<int>(all.size()) == operations) continue;
        open[c] = static_cast<int>(all.size());
        done[c] = 0;
        all.push_back(call(static_cast<value>(c), static_cast<int>(all.size())));
        all.back().called = now++;
        continue;
      }
      naive_operation& o = all[static_cast<std::size_t>(open[c])];
      if (done[c] < o.steps) {
        const auto got = object.apply(o.op, o.args, o.client, done[c]);
        if (!got) continue;
        o.returned = *got;
        ++done[c];
      } else if (!random.percent(8)) {
        o.returns = now++;
        open[c] = -1;
      }
    }
    for (int changes = random.percent(25) ? 0 : 1 + random.below(4); changes > 0; --changes) {
      change(all);
    }
    return all;
  }

 private:
  naive_operation call(value client, int number) {
    const auto& operations_of = spec.operations();
    const auto& what = operations_of[static_cast<std::size_t>(
        random.below(static_cast<int>(operations_of.size())))];
    naive_operation o{what.name, {}, client, what.steps, {}, 0, -1};
    for (std::size_t i = 0; i < what.arguments.size(); ++i) {
      const bool fresh = distinct && i + 1 == what.arguments.size();
      o.args.push_back(fresh ? number + 1 : 1 + random.below(2));
    }
    return o;
  }

  void change(std::vector<naive_operation>& all) {
    if (all.empty()) return;
    const auto pick = [&]() -> naive_operation& {
      return all[static_cast<std::size_t>(random.below(static_cast<int>(all.size())))];
    };
    naive_operation& o = pick();
    naive_operation& other = pick();
    switch (random.below(4)) {
      case 0:
        if (o.op == other.op) std::swap(o.returned, other.returned);
        break;
      case 1:
        if (o.returned.is_some) {
          o.returned.what = boolean(o) ? 1 - o.returned.what : 1 + random.below(operations);
        }
        break;
      case 2:
        // A call later, or a return earlier: exchanged with the event beside it.
        exchange(all, o, random.percent(50));
        break;
      default: exchange(all, o, false); break;
    }
  }

  bool boolean(const naive_operation& o) const {
    for (const auto& what : spec.operations()) {
      if (what.name == o.op) return what.returns == simt::spec::type::boolean;
    }
    return false;
  }

  static void exchange(std::vector<naive_operation>& all, naive_operation& o, bool call) {
    int& mine = call ? o.called : o.returns;
    if (mine < 0) return;
    const int beside = call ? mine + 1 : mine - 1;
    for (naive_operation& other : all) {
      for (int* theirs : {&other.called, &other.returns}) {
        if (*theirs != beside || other.client == o.client) continue;
        std::swap(mine, *theirs);
        return;
      }
    }
  }
};

inline std::string to_json_lines(const std::vector<naive_operation>& all,
                                 const simt::spec::specification& spec) {
  std::vector<std::pair<int, std::string>> lines;
  for (const naive_operation& o : all) {
    nlohmann::json call{{"event", "call"}, {"client", o.client}, {"op", o.op}, {"args", o.args}};
    lines.emplace_back(o.called, call.dump());
    if (o.returns < 0) continue;
    nlohmann::json back{{"event", "return"}, {"client", o.client}};
    for (const auto& what : spec.operations()) {
      if (what.name != o.op || what.returns == simt::spec::type::nothing) continue;
      back["result"] = o.returned.is_some ? nlohmann::json(o.returned.what) : nlohmann::json();
    }
    lines.emplace_back(o.returns, back.dump());
  }
  std::sort(lines.begin(), lines.end());
  std::string text;
  for (const auto& [when, line] : lines) text += line + "\n";
  return text;
}

}  // namespace naive_history
