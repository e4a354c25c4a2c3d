// Chooses the machine for the reconvergence model of a setup.
#include "sim/machine/its_machine.hpp"
#include "sim/machine/stack_machine.hpp"

namespace simt {

std::unique_ptr<machine> make_machine(const machine_setup& setup, machine_stores& stores,
                                      machine_reductions reduce) {
  if (setup.model.reconvergence == reconvergence::stack) {
    return std::make_unique<stack_machine>(setup, stores, reduce);
  }
  return std::make_unique<its_machine>(setup, stores, reduce);
}

}  // namespace simt
