// Compares images by their first different word, with addresses made relative.
#include "sim/machine/reduce/own_addresses.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "sim/lane/device_memory.hpp"
#include "sim/subject/subject.hpp"

namespace simt {

own_addresses::own_addresses(const device_memory& memory, const subject_library& library) {
  const auto [begin, end] = memory.arena();
  ranges_ = {{{begin, end}, {library.code_begin, library.code_end}}};
}

bool own_addresses::is_less(std::span<const std::uint8_t> a,
                            std::span<const std::uint8_t> b) const {
  const auto differs = static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
  if (differs == a.size()) return false;
  const std::size_t at = differs - differs % 8;
  const std::size_t size = std::min<std::size_t>(8, a.size() - at);
  std::uint64_t v = 0;
  std::uint64_t w = 0;
  std::memcpy(&v, a.data() + at, size);
  std::memcpy(&w, b.data() + at, size);
  return relative(v) < relative(w);
}

}  // namespace simt
