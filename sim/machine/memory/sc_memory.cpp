// Accesses of a sequentially consistent memory.
#include "sim/machine/memory/sc_memory.hpp"

#include <cstring>

namespace simt {

void sc_memory::list(const memory_request& asked, std::vector<memory_outcome>& out) {
  const auto image = images_[asked.memory];
  const operation_traits& t = asked.traits;
  std::uint64_t old = 0;
  std::memcpy(&old, image.data() + t.offset, t.size);
  const std::uint64_t value = apply(asked.op, old);
  std::uint32_t after = asked.memory;
  if (std::memcmp(&value, &old, t.size) != 0) {
    bytes_.assign(image.begin(), image.end());
    std::memcpy(bytes_.data() + t.offset, &value, t.size);
    after = images_.intern(bytes_);
  }
  out.push_back({.answer = answer(asked.op, old), .memory = after});
}

std::uint32_t sc_memory::rename(std::uint32_t memory, const memory_names& names) {
  const auto image = images_[memory];
  bytes_.assign(image.begin(), image.end());
  names.rename(image, bytes_);
  return images_.intern(bytes_);
}

memory_reading sc_memory::reading(const memory_request& asked, std::uint32_t /*number*/) const {
  memory_reading result;
  const auto image = images_[asked.memory];
  std::memcpy(&result.value, image.data() + asked.traits.offset, asked.traits.size);
  return result;
}

std::vector<stored_value> sc_memory::stored_at(std::uint32_t memory, std::uint32_t offset,
                                               std::uint8_t size) const {
  std::vector<stored_value> all(1);
  std::memcpy(&all.front().value, images_[memory].data() + offset, size);
  return all;
}

}  // namespace simt
