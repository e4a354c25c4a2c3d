// Gathers the accesses of one run, and looks at those that overlap.
#include "checker/pilot/access_units.hpp"

#include <algorithm>
#include <span>
#include <tuple>

#include "checker/pilot/run_by_turns.hpp"
#include "sim/automaton/lane_automaton.hpp"
#include "sim/lane/lane_runner.hpp"
#include "sim/machine/machine.hpp"

namespace warpcheck {
namespace {

// Enough for what kernels do that are small enough to be explored. A kernel that hangs takes all.
constexpr std::uint64_t most_steps_for_units = 1'000'000;

struct access {
  std::uint64_t address = 0;
  std::uint32_t size = 0;  // a power of two, and divides the address
  bool is_plain = false, writes = false;

  [[nodiscard]] std::uint64_t end() const { return address + size; }
  friend bool operator==(const access&, const access&) = default;
};

/// By address. Of those at the same address, the largest comes first. So an access comes behind one
/// that contains it: two that overlap are aligned, and one contains the other.
bool comes_before(const access& a, const access& b) {
  return std::tuple(a.address, b.size, a.is_plain, a.writes) <
         std::tuple(b.address, a.size, b.is_plain, b.writes);
}

/// Accesses of the operations that were met, in that order.
std::vector<access> accesses_in(const simt::lane_automaton& lanes) {
  std::vector<access> all;
  for (std::size_t c = 0; c < lanes.size(); ++c) {
    const simt::operation& op = lanes.at(static_cast<simt::continuation>(c));
    if (op.kind != simt::operation_kind::memory || op.address % op.size != 0) continue;
    if (simt::touches_no_value(op)) continue;
    const bool is_plain = op.weak && op.compare == 0 &&
                          (op.memory == simt::detail::memory_kind::load ||
                           op.memory == simt::detail::memory_kind::store);
    all.push_back({op.address, op.size, is_plain, op.writes()});
  }
  std::ranges::sort(all, comes_before);
  const auto repeated = std::ranges::unique(all);
  all.erase(repeated.begin(), repeated.end());
  return all;
}

/// The unit of accesses of which the first contains the others: the size of the smallest, or, if
/// loads may read more than they need, of the smallest that writes. 0: they need none, or there is
/// none.
std::uint32_t unit_of(std::span<const access> all, bool loads_more) {
  std::uint32_t unit = all.front().size;
  bool differ = false;
  for (const access& a : all) {
    if (a.writes || !loads_more) unit = std::min(unit, a.size);
    differ = differ || a.size != all.front().size;
  }
  const bool is_met =
      std::ranges::all_of(all, [&](const access& a) { return a.is_plain || a.size == unit; });
  return differ && is_met ? unit : 0;
}

}  // namespace

std::vector<simt::device_memory::unit_range> units_of_accesses(const simt::machine_setup& setup,
                                                               simt::lane_program& program) {
  simt::machine_setup under_sc = setup;
  under_sc.model.memory = simt::memory_model::sc;
  under_sc.facts = nullptr;
  under_sc.leaves_masks_out = nullptr;
  simt::lane_automaton lanes(program, false);
  simt::machine_stores stores(lanes);
  const auto machine = simt::make_machine(under_sc, stores);
  for (const turns how : {turns::as_far_as_it_can, turns::step_by_step}) {
    try {
      if (run_by_turns(*machine, how, most_steps_for_units).ends == one_run::end::complete) break;
    } catch (const simt::lane_error&) {  // the exploration comes to it, and reports it
    }
  }
  // Under `sc`, another run may store less than the unit. A load of the whole unit would then be in
  // a race that its bytes have no part in. Under `ptx` such a run is not explored.
  const bool loads_more = setup.model.memory == simt::memory_model::ptx;
  std::vector<simt::device_memory::unit_range> units;
  const std::vector<access> all = accesses_in(lanes);
  for (auto first = all.begin(); first != all.end();) {
    const auto last =
        std::find_if(first, all.end(), [&](const access& a) { return a.address >= first->end(); });
    if (const std::uint32_t unit = unit_of({first, last}, loads_more); unit != 0) {
      if (!units.empty() && units.back().end == first->address && units.back().unit == unit) {
        units.back().end = first->end();
      } else {
        units.push_back({first->address, first->end(), unit});
      }
    }
    first = last;
  }
  return units;
}

}  // namespace warpcheck
