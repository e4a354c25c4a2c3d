// Which memory a machine has.
#include "sim/machine/machine.hpp"
#include "sim/machine/memory/sc_memory.hpp"
#include "sim/machine/weak/weak_memory.hpp"

namespace simt {

std::unique_ptr<machine_memory> make_memory(const machine_setup& setup, const grid_places& places,
                                            interned_bytes& images) {
  const std::size_t size = setup.memory->image_size();
  switch (setup.model.memory) {
    case memory_model::sc: return std::make_unique<sc_memory>(images, size);
    case memory_model::ptx:
      return std::make_unique<weak_memory>(places, *setup.facts, images, size,
                                           setup.model.promises);
  }
  return nullptr;
}

}  // namespace simt
