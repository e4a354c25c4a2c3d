// Two words that are compared and exchanged together (double-word compare-and-swap).
#pragma once

#include <simt/spec.hpp>

namespace simt::spec {

struct dcas {
  static constexpr const char* name = "dcas";
  enum : std::uint32_t { change, read };

  value weak = 0;  // 1: a change may fail although both words are as expected

  static std::vector<parameter_of<dcas>> parameters() { return {{"weak", &dcas::weak, 0}}; }
  /// A pair of words is one number: 16 times the first, plus the second.
  static std::vector<operation> operations() {
    return {{"dcas", {{"expected", type::number}, {"desired", type::number}}, type::boolean},
            {"read", {{"word", type::number, {0, 1}}}, type::number}};
  }
  [[nodiscard]] state initial() const { return {0}; }

  void apply(const state& before, const call& what, outcomes& out) const {
    if (what.operation == read) {
      return out.add(some(what.arguments[0] == 0 ? before[0] >> 4 : before[0] & 15), before);
    }
    const bool fits = before[0] == what.arguments[0];
    if (!fits || weak != 0) out.add(some(0), before);
    if (fits) out.add(some(1), {what.arguments[1]});
  }
};

}  // namespace simt::spec
