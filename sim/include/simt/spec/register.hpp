// A register: `read` returns what was written last.
#pragma once

#include <simt/spec.hpp>

namespace simt::spec {

struct read_write_register {
  static constexpr const char* name = "register";
  static constexpr family known_as = family::read_write;
  enum : std::uint32_t { write, read };

  value first = 0;

  static std::vector<parameter_of<read_write_register>> parameters() {
    return {{"first", &read_write_register::first, INT64_MIN}};
  }
  static std::vector<operation> operations() {
    return {{"write", {{"value", type::value}}, type::nothing, "none", {"store"}},
            {"read", {}, type::value, "none", {"load"}}};
  }
  [[nodiscard]] state initial() const { return {first}; }

  void apply(const state& before, const call& what, outcomes& out) const {
    if (what.operation == write) {
      out.add(none, {what.arguments[0]});
    } else {
      out.add(some(before[0]), before);
    }
  }

  // A read sees the write before it, and no write of another value lies between the two.
  [[nodiscard]] role role_of(const call& what, const result& returned) const {
    return what.operation == read ? role::of(returned.what, true) : role::of(what.arguments[0]);
  }
};

}  // namespace simt::spec
