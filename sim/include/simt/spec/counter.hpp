// A counter: additions, with and without the value before, and reading.
#pragma once

#include <simt/spec.hpp>

namespace simt::spec {

struct counter {
  static constexpr const char* name = "counter";
  enum : std::uint32_t { increment, decrement, add, fetch_add, read };

  value first = 0;

  static std::vector<parameter_of<counter>> parameters() {
    return {{"first", &counter::first, INT64_MIN}};
  }
  static std::vector<operation> operations() {
    return {{"increment", {}, type::nothing, "none", {"inc"}},
            {"decrement", {}, type::nothing, "none", {"dec"}},
            {"add", {{"amount", type::number}}, type::nothing},
            {"fetch_add", {{"amount", type::number}}, type::number},
            {"read", {}, type::number, "none", {"get", "load"}}};
  }
  [[nodiscard]] state initial() const { return {first}; }

  void apply(const state& before, const call& what, outcomes& out) const {
    switch (what.operation) {
      case increment: return out.add(none, {sum(before[0], 1)});
      case decrement: return out.add(none, {sum(before[0], -1)});
      case add: return out.add(none, {sum(before[0], what.arguments[0])});
      case fetch_add: return out.add(some(before[0]), {sum(before[0], what.arguments[0])});
      default: return out.add(some(before[0]), before);
    }
  }

  [[nodiscard]] role role_of(const call& what, const result&) const {
    return what.operation == read ? role{.observer = true} : role{};
  }

 private:
  // Wraps around, as unsigned arithmetic does.
  static value sum(value a, value b) {
    return static_cast<value>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  }
};

}  // namespace simt::spec
