// Compares values without the addresses of this process: those of its device memory and device
// code.
//
// Of several states that stand for one, all processes must choose the same state. Otherwise a
// process could not go on with a search that another one saved.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace simt {

class device_memory;
struct subject_library;

class own_addresses {
 public:
  struct range {
    std::uint64_t begin = 0, end = 0;
  };

  own_addresses(const device_memory& memory, const subject_library& library);

  /// Device memory, then device code.
  [[nodiscard]] const std::array<range, 2>& ranges() const { return ranges_; }

  /// Converts an address to its distance from the start of its range. Leaves any other value as it
  /// is.
  [[nodiscard]] std::uint64_t relative(std::uint64_t value) const {
    for (std::uint64_t i = 0; i < ranges_.size(); ++i) {
      const range& r = ranges_[i];
      if (value - r.begin < r.end - r.begin) return (i + 1) << 60 | (value - r.begin);
    }
    return value;
  }

  /// Whether image `a` comes before image `b` of the same size. Addresses in images are aligned.
  [[nodiscard]] bool is_less(std::span<const std::uint8_t> a,
                             std::span<const std::uint8_t> b) const;

 private:
  std::array<range, 2> ranges_;
};

}  // namespace simt
