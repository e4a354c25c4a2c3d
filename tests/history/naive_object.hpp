// The specified objects a second time, as simply as possible, by the names of their operations.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <simt/spec.hpp>

namespace naive_history {

using value = std::int64_t;
using simt::spec::none;
using simt::spec::result;
using simt::spec::some;

struct naive_object {
  std::string kind;
  value limit = 0;  // capacity, permits or parties
  std::vector<value> items;
  std::map<value, value> pairs;
  value number = 0;
  std::set<value> here, leaving;  // clients at a barrier

  static naive_object make(const std::string& kind, value limit) {
    naive_object o;
    o.kind = kind;
    o.limit = limit;
    if (kind == "semaphore") o.number = limit;
    return o;
  }

  /// Nothing: it would wait.
  std::optional<result> apply(const std::string& op, const std::vector<value>& args, value client,
                              unsigned step) {
    const auto flag = [](bool b) { return some(b ? 1 : 0); };
    if (kind == "register") {
      if (op == "read") return some(number);
      number = args[0];
      return none;
    }
    if (kind == "counter") {
      const value before = number;
      if (op == "increment") number += 1;
      if (op == "decrement") number -= 1;
      if (op == "add" || op == "fetch_add") number += args[0];
      return op == "read" || op == "fetch_add" ? some(before) : none;
    }
    if (kind == "set" || kind == "map") {
      const bool present = pairs.count(args[0]) != 0;
      if (op == "contains") return flag(present);
      if (op == "get") return present ? some(pairs[args[0]]) : none;
      if (op == "erase") {
        pairs.erase(args[0]);
        return flag(present);
      }
      if (op == "put") {
        pairs[args[0]] = args[1];
        return none;
      }
      if (!present) pairs[args[0]] = args.size() > 1 ? args[1] : 0;
      return flag(!present);
    }
    if (kind == "semaphore") {
      if (op == "release") {
        ++number;
        return none;
      }
      if (number == 0) return op == "acquire" ? std::nullopt : std::optional(some(0));
      --number;
      return op == "acquire" ? none : some(1);
    }
    if (kind == "barrier") {
      if (op == "wait" || step == 1) {
        if (leaving.erase(client) == 0) return std::nullopt;
        return none;
      }
      if (here.count(client) != 0 || leaving.count(client) != 0) return std::nullopt;
      here.insert(client);
      if (static_cast<value>(here.size()) == limit) {
        leaving.insert(here.begin(), here.end());
        here.clear();
      }
      return none;
    }
    if (kind == "dcas") {
      if (op == "read") return some(args[0] == 0 ? number >> 4 : number & 15);
      if (number != args[0]) return some(0);
      number = args[1];
      return some(1);
    }
    if (kind == "containers") return of_two(op, args);
    if (kind == "three_stacks") return of_three(op, args);
    return container(op, args);
  }

 private:
  std::vector<value> others;  // container b; `items` is a, and `limit` says whether that is a queue
  std::vector<value> third;   // container c of three

  std::optional<result> of_two(const std::string& op, const std::vector<value>& args) {
    const auto take = [&](bool from_b) -> result {
      std::vector<value>& from = from_b ? others : items;
      if (from.empty()) return none;
      const auto at = !from_b && limit != 0 ? from.begin() : from.end() - 1;
      const value taken = *at;
      from.erase(at);
      return some(taken);
    };
    const auto put = [&](bool in_b, value v) { (in_b ? others : items).push_back(v); };
    const bool is_b = op == "push_b" || op == "pop_b" || op == "move_ba";
    if (op.starts_with("pop")) return take(is_b);
    if (op.starts_with("push")) {
      put(is_b, args[0]);
      return none;
    }
    const result moved = take(is_b);
    if (moved.is_some) put(op == "move_ab", moved.what);
    return some(moved.is_some ? 1 : 0);
  }

  std::optional<result> of_three(const std::string& op, const std::vector<value>& args) {
    const auto pop = [](std::vector<value>& from) -> result {
      if (from.empty()) return none;
      const value taken = from.back();
      from.pop_back();
      return some(taken);
    };
    if (op == "push_a") {
      items.push_back(args[0]);
      return none;
    }
    if (op == "pop_a") return pop(items);
    if (op == "pop_b") return pop(others);
    if (op == "pop_c") return pop(third);
    const result moved = pop(items);
    if (moved.is_some) {
      others.push_back(moved.what);
      (op == "spread" ? third : others).push_back(moved.what);
    }
    return some(moved.is_some ? 1 : 0);
  }

  std::optional<result> container(const std::string& op, const std::vector<value>& args) {
    if (!args.empty()) {
      if (kind == "bounded_queue") {
        if (static_cast<value>(items.size()) == limit) return some(0);
        items.push_back(args[0]);
        return some(1);
      }
      if (kind == "priority_set") {
        const bool is_new = std::find(items.begin(), items.end(), args[0]) == items.end();
        if (is_new) items.push_back(args[0]);
        return some(is_new ? 1 : 0);
      }
      if (op == "push_front") {
        items.insert(items.begin(), args[0]);
      } else {
        items.push_back(args[0]);
      }
      return none;
    }
    if (items.empty()) return none;
    auto at = items.begin();
    if (kind == "stack" || op == "pop_back") at = items.end() - 1;
    if (kind.starts_with("priority_")) at = std::min_element(items.begin(), items.end());
    const value taken = *at;
    items.erase(at);
    return some(taken);
  }
};

}  // namespace naive_history
