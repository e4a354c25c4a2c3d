#include "checker/report/aba.hpp"

#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/report/describe.hpp"

namespace warpcheck {
namespace {

using simt::detail::memory_kind;

bool is_same_place(const simt::operation& a, const simt::operation& b) {
  return a.address == b.address && a.size == b.size;
}

bool is_memory(const lane_action& a) {
  return a.op.kind == simt::operation_kind::memory && a.valid;
}

bool succeeds(const lane_action& a) {
  return is_memory(a) && a.op.memory == memory_kind::compare_exchange &&
         a.old_value == a.op.compare && a.new_value != a.old_value;
}

bool changes(const lane_action& a) { return is_memory(a) && a.new_value != a.old_value; }

std::string place_of(const lane_action& a) {
  return a.at.known() ? fmt::format(" ({}:{})", a.at.file, a.at.line) : std::string();
}

}  // namespace

std::vector<aba_finding> find_aba(const trace& t) {
  std::vector<aba_finding::event> all;
  for (const trace_step& step : t.steps) {
    for (const lane_action& a : step.actions) all.push_back({step.number, a});
  }
  std::vector<aba_finding> found;
  for (std::size_t at = 0; at < all.size(); ++at) {
    const lane_action& exchange = all[at].action;
    if (!succeeds(exchange)) continue;
    // The lane's own last look at the location, in the same operation.
    std::optional<std::size_t> look;
    for (std::size_t i = at; i-- > 0 && !look;) {
      const lane_action& a = all[i].action;
      if (a.lane != exchange.lane) continue;
      if (a.op.kind == simt::operation_kind::called) break;
      if (is_memory(a) && a.op.memory != memory_kind::store && is_same_place(a.op, exchange.op)) {
        look = i;
      }
    }
    if (!look || all[*look].action.new_value != exchange.op.compare) continue;
    aba_finding one{exchange.variable, {all[*look]}};
    for (std::size_t i = *look + 1; i < at; ++i) {
      const lane_action& a = all[i].action;
      if (changes(a) && is_same_place(a.op, exchange.op)) one.biography.push_back(all[i]);
    }
    if (one.biography.size() == 1) continue;  // nobody changed it
    one.biography.push_back(all[at]);
    found.push_back(std::move(one));
  }
  return found;
}

std::string text_of(const aba_finding& found, names& named) {
  const auto& first = found.biography.front();
  const auto& last = found.biography.back();
  std::vector<std::string> changes;
  for (std::size_t i = 1; i + 1 < found.biography.size(); ++i) {
    const auto& [step, a] = found.biography[i];
    changes.push_back(fmt::format("{} made it {} in step {}{}", named.lane(a.lane),
                                  named.value(a.new_value, a.op.size), step, place_of(a)));
  }
  return fmt::format(
      "ABA: {} found `{}` to be {} in step {}{}, and its compare-exchange in step {} succeeds{}, "
      "although it was changed and changed back: {}",
      named.lane(first.action.lane), found.variable,
      named.value(last.action.op.compare, last.action.op.size), first.step, place_of(first.action),
      last.step, place_of(last.action), fmt::join(changes, ", "));
}

}  // namespace warpcheck
