// Adds the cycle and the details that the report of a violation needs.
#include "checker/commands/play/played_run.hpp"

#include "checker/explore/lasso.hpp"

namespace warpcheck {

violation violation_of(session& run, const trace& so_far, const std::vector<simt::choice>& made,
                       verdict kind, std::size_t kept) {
  violation found{kind, {made, {}}, {}};
  if ((bit(kind) & deadlocks) != 0 && !so_far.stuck) {
    found.how.cycle = cycle_by_turns(run.machine(), so_far.last, found.how.prefix);
    settle_cycle(run.machine(), found.how, kept);
  }
  if (kind == verdict::assertion && so_far.stuck) {
    found.detail = run.final_check(run.machine().image(so_far.last));
  }
  if (kind == verdict::barrier_divergence) found.detail = so_far.why;
  return found;
}

}  // namespace warpcheck
