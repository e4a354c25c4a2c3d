// Packs memories into one list of bytes, and unpacks them with addresses moved to this process.
#include "checker/check/saved_memories.hpp"

#include <cstring>
#include <stdexcept>

#include "sim/memory/weak_state.hpp"

namespace warpcheck {
namespace {

constexpr std::size_t address_size = 8;

void move_image(std::span<std::uint8_t> image, const moved_value& move) {
  for (std::size_t at = 0; at + address_size <= image.size(); at += address_size) {
    std::uint64_t value = 0;
    std::memcpy(&value, image.data() + at, sizeof value);
    value = move(value);
    std::memcpy(image.data() + at, &value, sizeof value);
  }
}

}  // namespace

saved_memories pack_memories(const simt::interned_bytes& memories) {
  saved_memories all;
  for (std::uint32_t i = 0; i < memories.size(); ++i) {
    all.sizes.push_back(static_cast<std::uint32_t>(memories[i].size()));
    all.bytes.insert(all.bytes.end(), memories[i].begin(), memories[i].end());
  }
  return all;
}

bool unpack_memories(saved_memories saved, const simt::memory_layout& each, const moved_value& move,
                     simt::interned_bytes& memories) {
  const std::size_t least = each.image + each.marks;
  std::size_t at = 0;
  std::vector<std::uint8_t> memory;
  for (std::uint32_t number = 0; number < saved.sizes.size(); ++number) {
    const std::size_t size = saved.sizes[number];
    if (size < least || size > saved.bytes.size() - at) {
      throw std::runtime_error("memory is cut off");
    }
    const auto one = std::span(saved.bytes).subspan(at, size);
    at += size;
    move_image(one.first(each.image), move);
    memory.assign(one.begin(), one.begin() + static_cast<std::ptrdiff_t>(least));
    if (each.viewers == 0 && size != least) throw std::runtime_error("memory is damaged");
    if (each.viewers != 0) {
      std::optional<simt::weak_state> weak =
          simt::decode_checked(one.subspan(least), each.viewers, each.image);
      if (!weak) throw std::runtime_error("memory is damaged");
      for (simt::memory_location& x : weak->locations) {
        for (simt::message& m : x.messages) {
          if (x.size == address_size) m.value = move(m.value);
        }
      }
      encode(*weak, memory);
    }
    if (memories.intern(memory) != number) return false;
  }
  if (at != saved.bytes.size()) throw std::runtime_error("memory has no owner");
  return true;
}

}  // namespace warpcheck
