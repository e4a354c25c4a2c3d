// A scenario's operations, as the machine and its monitor know them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <simt/detail/hooks.hpp>

#include "checker/scenario/scenario.hpp"
#include "sim/monitor/history_monitor.hpp"
#include "sim/worker/host_worker.hpp"

namespace warpcheck {

struct object_setup {
  simt::assignments assigned;
  std::shared_ptr<const simt::spec::specification> spec;  // null: the history is not looked at
  std::unique_ptr<simt::history_monitor> monitor;         // likewise
  bool has_points = false;  // linearization points are declared, and looked at
};

/// What the scenario's threads do with the subject. Throws usage_error.
object_setup set_up_object(const scenario& what, const run_settings& how,
                           const simt::detail::subject_entry& entry, bool declares_points,
                           const simt::patience& waiting = {});

/// The lanes of the grid that carry out its threads, in their order.
std::vector<std::uint32_t> client_lanes(const scenario& what);

/// What the operations of a subject should do. `waiting`: for a specification of its own, which is
/// host code. Throws usage_error, simt::host_code_error, simt::host_code_stopped.
std::shared_ptr<const simt::spec::specification> spec_of(const scenario& what,
                                                         const simt::detail::subject_entry& entry,
                                                         const simt::patience& waiting = {});
/// One of a specification, by its name or another one that histories use; null: there is none.
const simt::spec::operation* find_operation(const simt::spec::specification& spec,
                                            std::string_view name);

/// The violation of a kind of consistency.
verdict verdict_of(simt::consistency kind);
/// The same of a set.
verdict_set verdicts_of(simt::consistency_set kinds);

}  // namespace warpcheck
