// Runs init() before the first launch.
//
// Models: one lane that runs alone, and reads what it has written. It must not wait or choose.
#include "sim/machine/launch/first_memory.hpp"

#include <cstring>

#include <fmt/format.h>

#include "sim/machine/lane_steps.hpp"
#include "sim/machine/machine_limits.hpp"

namespace simt {

first_memory run_init(const machine_setup& setup, machine_stores& stores, const lane_steps& lanes) {
  first_memory all{setup.memory->initial_image(), {}};
  std::vector<std::uint8_t>& image = all.image;
  lane_program& program = stores.program.init_program();
  continuation c = program.start_init();
  for (int steps = 0; c != exited; ++steps) {
    stores.program.give_up_in_time();
    const operation op = program.at(c);
    const operation_traits t = lanes.traits_of(op);
    if (t.what == operation_traits::kind::endless) {
      throw lane_error(
          "init() goes round here for ever; it runs once, on one thread, before the grid, so a "
          "loop in it waits for nobody",
          op.pc);
    }
    if (steps > local_limit) {
      throw lane_error(
          fmt::format("init() has not ended after {} operations; it runs once, on one thread, so "
                      "a loop in it waits for nobody; let the constructor do what is long, on the "
                      "host",
                      local_limit),
          op.pc);
    }
    if (t.what == operation_traits::kind::collective || t.what == operation_traits::kind::barrier) {
      throw lane_error(
          "init() waits for other threads, but it runs once, on one thread, before the grid; let "
          "operator() or the operations do that",
          op.pc);
    }
    std::uint64_t answer = 0;
    if (t.what == operation_traits::kind::bad_access) {
      throw lane_error("init() accesses memory that is not there", op.pc);
    }
    if (t.what == operation_traits::kind::fail)
      throw lane_error("an assertion fails in init()", op.pc);
    if (t.what == operation_traits::kind::choose) {
      throw lane_error(
          "init() calls simt::choose, but the grid begins in one state; let operator() or the "
          "operations choose",
          op.pc);
    }
    if (t.what == operation_traits::kind::access) {
      if (t.node != no_node && !setup.memory->is_in_use(t.node, image)) {
        throw lane_error("init() accesses a node of a pool that is not in use", op.pc);
      }
      std::uint64_t old = 0;
      std::memcpy(&old, image.data() + t.offset, t.size);
      const std::uint64_t next = apply(op, old);
      std::memcpy(image.data() + t.offset, &next, t.size);
      answer = simt::answer(op, old);
    } else if (op.kind == operation_kind::assignment) {
      answer = setup.assigned == nullptr ? detail::no_operation
                                         : answer_from(setup.assigned->before, op, false);
    } else if (t.what == operation_traits::kind::local) {
      answer = lanes.local_answer(0, op);
    } else if (t.what == operation_traits::kind::event) {
      all.events.push_back(op);
    }
    c = program.next(c, answer);
  }
  return all;
}

}  // namespace simt
