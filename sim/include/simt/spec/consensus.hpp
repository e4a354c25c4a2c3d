// Consensus: all clients that propose a value are told the value that was proposed first.
#pragma once

#include <simt/spec.hpp>

namespace simt::spec {

struct consensus {
  static constexpr const char* name = "consensus";
  enum : std::uint32_t { propose };

  static std::vector<operation> operations() {
    return {{"propose", {{"value", type::number}}, type::number}};
  }
  // The state is the decided value, or empty.
  void apply(const state& before, const call& what, outcomes& out) const {
    const value decided = before.empty() ? what.arguments[0] : before[0];
    out.add(some(decided), {decided});
  }
};

}  // namespace simt::spec
