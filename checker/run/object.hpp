// Sets up a scenario's operations for the machine and its monitor.
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
  std::unique_ptr<simt::history_monitor> monitor;         // null: the history is not looked at
  bool has_points = false;  // linearization points are declared, and looked at
};

/// Works out what the scenario's threads do with the subject. Throws usage_error.
object_setup set_up_object(const scenario& what, const run_settings& how,
                           const simt::detail::subject_entry& entry, bool declares_points,
                           const simt::patience& waiting = {});

/// Returns the lanes of the grid that carry out the scenario's threads, in the order of the
/// threads.
std::vector<std::uint32_t> client_lanes(const scenario& what);

/// Returns the specification of a subject's operations. `waiting` limits a subject's own
/// specification, which is host code. Throws usage_error, simt::host_code_error,
/// simt::host_code_stopped.
std::shared_ptr<const simt::spec::specification> spec_of(const scenario& what,
                                                         const simt::detail::subject_entry& entry,
                                                         const simt::patience& waiting = {});
/// Finds an operation of a specification by its name, or by another name that histories use. Null:
/// there is none.
const simt::spec::operation* find_operation(const simt::spec::specification& spec,
                                            std::string_view name);

/// Returns the verdict for a violation of one kind of consistency.
verdict verdict_of(simt::consistency kind);
/// Returns the verdicts for violations of a set of kinds.
verdict_set verdicts_of(simt::consistency_set kinds);

}  // namespace warpcheck
