// Chooses the memory of a machine, and whether its lanes may promise stores.
#include "sim/machine/machine.hpp"
#include "sim/machine/memory/sc_memory.hpp"
#include "sim/machine/promises/early_stores.hpp"
#include "sim/machine/weak/weak_memory.hpp"

namespace simt {

std::unique_ptr<machine_memory> make_memory(const machine_setup& setup, const grid_places& places,
                                            interned_bytes& images) {
  const std::size_t size = setup.memory->image_size();
  switch (setup.model.memory) {
    case memory_model::sc: return std::make_unique<sc_memory>(images, size, setup.grid.copies);
    case memory_model::ptx:
      return std::make_unique<weak_memory>(places, *setup.facts, images, size, setup.model.promises,
                                           setup.model.fences);
  }
  return nullptr;
}

std::unique_ptr<early_stores> make_early_stores(machine& of, machine_memory& memory) {
  auto* const weak = dynamic_cast<weak_memory*>(&memory);
  return weak != nullptr ? std::make_unique<early_stores>(of, *weak) : nullptr;
}

}  // namespace simt
