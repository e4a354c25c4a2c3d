// What lanes print (simt::printf). Printed text is not part of a state. It follows from the lane's
// continuation and the answer to its operation, so reports produce it again.
#include <array>

#include "sim/machine/machine.hpp"
#include "sim/machine/machine_limits.hpp"

namespace simt {

void machine::add_printed(std::uint32_t lane, continuation from, std::uint64_t answer,
                          std::vector<printed_line>& lines) {
  using kind = operation_traits::kind;
  lane_program& lanes = stores_.program.init_program();
  round_watch<continuation> rounds;
  for (int i = 0; i < local_limit && !rounds.comes_again(from); ++i) {
    for (printed_line& line : lanes.printed(from, answer)) lines.push_back(std::move(line));
    from = lanes.next(from, answer);
    while (lanes.at(from).kind == operation_kind::branch) from = lanes.behind(from);
    if (from == exited || lanes_.traits(from).what != kind::local) return;
    answer = lanes_.local_answer(lane, lanes.at(from));
  }
}

std::vector<printed_line> machine::printed_at_start(std::uint32_t lane, std::uint32_t launch) {
  if (!lanes_.is_client(lane)) return {};
  const std::lock_guard lock(stores_.lanes_lock);
  lane_program& lanes = stores_.program.init_program();
  std::vector<printed_line> lines = lanes.printed_at_start(launch);
  continuation first = lanes.start(launch);
  while (lanes.at(first).kind == operation_kind::branch) first = lanes.behind(first);
  if (first != exited && lanes_.traits(first).what == operation_traits::kind::local) {
    add_printed(lane, first, lanes_.local_answer(lane, lanes.at(first)), lines);
  }
  return lines;
}

std::vector<printed_line> machine::printed(state_view state, const choice& by, std::uint32_t lane) {
  const continuation from = state[lane];
  const operation op = waits_at(state, lane);
  std::uint64_t answer = 0;
  switch (op.kind) {
    case operation_kind::memory: {
      const memory_reading reading = memory_->reading(request_of(state, lane), by.mask);
      if (reading.is_fence) return {};
      answer = simt::answer(op, reading.value);
      break;
    }
    case operation_kind::collective: {
      const place& at = places_.lanes[lane];
      std::array<std::uint64_t, 32> answers{};
      std::string why;
      const std::uint32_t lanes =
          by.what == choice::kind::group ? by.mask : std::uint32_t{1} << at.index;
      if (!collectives_.collect_answers(state, at.warp, lanes, answers, why)) return {};
      answer = answers[at.index];
      break;
    }
    case operation_kind::choose: answer = by.chosen(); break;
    case operation_kind::barrier:
      answer = grid_barriers::answer(op, barriers_.votes_at(state, op, by));
      break;
    default: break;
  }
  std::vector<printed_line> lines;
  const std::lock_guard lock(stores_.lanes_lock);
  add_printed(lane, from, answer, lines);
  return lines;
}

}  // namespace simt
