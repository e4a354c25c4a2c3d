// Carries out accesses of a sequentially consistent memory.
#include "sim/machine/memory/sc_memory.hpp"

#include <cstring>

#include "sim/machine/memory/copy_marks.hpp"

namespace simt {

void sc_memory::begin(std::vector<std::uint8_t>& image) {
  if (has_copies_) image.resize(image_size_ + size_of_copy_marks(image_size_), 0);
}

// A claim or a post of a copy also stores two more words, behind the word of the copy's state
// (detail/copies.hpp).
void sc_memory::list_with_copies(const memory_request& asked, std::vector<memory_outcome>& out) {
  using enum detail::memory_kind;
  const operation_traits& t = asked.traits;
  const operation& op = asked.op;
  const auto image = images_[asked.memory];
  bytes_.assign(image.begin(), image.end());
  t.change_marks(bytes_);
  std::uint64_t old = 0;
  std::memcpy(&old, bytes_.data() + t.offset, t.size);
  const std::uint64_t value = apply(op, old);
  std::memcpy(bytes_.data() + t.offset, &value, t.size);
  const bool claims = op.memory == copy_claim && value != old;
  if (claims || op.memory == copy_post) {
    const std::size_t at = t.offset + (claims ? 8 : 24);
    std::memcpy(bytes_.data() + at, &op.operand, 8);
    std::memcpy(bytes_.data() + at + 8, &op.compare, 8);
  }
  std::uint64_t told = answer(op, old);
  if (change_copy_marks(std::span(bytes_).subspan(image_size_), op, t)) told |= marked;
  out.push_back({.answer = told, .memory = images_.intern(bytes_)});
}

void sc_memory::list(const memory_request& asked, std::vector<memory_outcome>& out) {
  if (has_copies_) return list_with_copies(asked, out);
  const auto image = images_[asked.memory];
  const operation_traits& t = asked.traits;
  std::uint64_t old = 0;
  std::memcpy(&old, image.data() + t.offset, t.size);
  const std::uint64_t value = apply(asked.op, old);
  std::uint32_t after = asked.memory;
  const bool marks = t.changes_marks(image);
  if (marks || std::memcmp(&value, &old, t.size) != 0) {
    bytes_.assign(image.begin(), image.end());
    if (marks) t.change_marks(bytes_);
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
