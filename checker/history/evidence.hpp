// Finds small parts of a history that no order explains.
#pragma once

#include <functional>

#include "checker/history/check_history.hpp"
#include "checker/history/order_search.hpp"

namespace warpcheck {

/// Returns evidence for a part in which the search got stuck. `steps` are the steps that it was
/// given.
history_evidence evidence_of(const history& of, const simt::spec::specification& spec,
                             std::span<const timed_step> steps, const order_search& search,
                             const history_limits& limits);

/// Returns the steps of the given operations (ascending).
std::vector<timed_step> only(std::span<const timed_step> steps,
                             std::span<const std::uint32_t> operations);

/// Leaves out what the specification allows to leave out (its roles), for as long as `impossible`
/// holds for the rest. `keep` stays.
std::vector<std::uint32_t> reduce(
    const history& of, const simt::spec::specification& spec, std::vector<std::uint32_t> operations,
    std::optional<std::uint32_t> keep,
    const std::function<bool(std::span<const std::uint32_t>)>& impossible,
    const history_limits& limits);

}  // namespace warpcheck
