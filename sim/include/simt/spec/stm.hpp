// A memory of words for transactions: what each operation does, if no transaction interrupts it.
#pragma once

#include <simt/spec.hpp>

namespace simt::spec {

struct stm {
  static constexpr const char* name = "stm";
  static constexpr family known_as = family::transactions;
  enum : std::uint32_t { begin, commit, abort, read, write };

  value first = 0;  // of each word

  static std::vector<parameter_of<stm>> parameters() { return {{"first", &stm::first, INT64_MIN}}; }
  static std::vector<operation> operations() {
    return {{"begin", {}},
            {"commit", {}, type::boolean},
            {"abort", {}},
            {"read", {{"word", type::value, {0, 1}}}, type::maybe_value, "aborted"},
            {"write", {{"word", type::value, {0, 1}}, {"value", type::value}}, type::boolean}};
  }
  static role role_of(const call& what, const result&) { return {what.operation == read, {}}; }

  // The state is the words that do not have their first value, each with its value, in ascending
  // order.
  void apply(const state& before, const call& what, outcomes& out) const {
    if (what.operation == begin || what.operation == abort) return out.add(none, before);
    if (what.operation == commit) return out.add(some(1), before);
    auto at = before.begin();
    while (at != before.end() && *at < what.arguments[0]) at += 2;
    const bool is_there = at != before.end() && *at == what.arguments[0];
    if (what.operation == read) return out.add(some(is_there ? at[1] : first), before);
    state after(before.begin(), at);
    if (what.arguments[1] != first) {
      after.insert(after.end(), {what.arguments[0], what.arguments[1]});
    }
    after.insert(after.end(), is_there ? at + 2 : at, before.end());
    out.add(some(1), std::move(after));
  }
};

}  // namespace simt::spec
