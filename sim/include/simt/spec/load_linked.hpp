// A word with load-linked and store-conditional: a store succeeds if no other has since the
// client's last load.
#pragma once

#include <algorithm>

#include <simt/spec.hpp>

namespace simt::spec {

struct load_linked {
  static constexpr const char* name = "load_linked";
  static constexpr bool uses_clients = true;
  enum : std::uint32_t { ll, sc };

  value weak = 0;  // 1: `sc` may fail without a cause

  static std::vector<parameter_of<load_linked>> parameters() {
    return {{"weak", &load_linked::weak, 0}};
  }
  static std::vector<operation> operations() {
    return {{"ll", {}, type::number}, {"sc", {{"value", type::number}}, type::boolean}};
  }
  [[nodiscard]] state initial() const { return {0}; }

  // The state is the value, then the clients whose link holds, in ascending order.
  void apply(const state& before, const call& what, outcomes& out) const {
    state after = before;
    const auto client = static_cast<value>(what.client);
    const auto at = std::lower_bound(after.begin() + 1, after.end(), client);
    const bool is_linked = at != after.end() && *at == client;
    if (what.operation == ll) {
      if (!is_linked) after.insert(at, client);
      return out.add(some(before[0]), after);
    }
    if (is_linked) after.erase(at);
    if (!is_linked || weak != 0) out.add(some(0), after);
    if (is_linked) out.add(some(1), {what.arguments[0]});
  }
};

}  // namespace simt::spec
