// Packs numbers and bytes of one message between ranks, one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpcheck {

using byte_list = std::vector<std::uint8_t>;

class message_writer {
 public:
  void number(std::uint64_t value) {  // small numbers take few bytes (LEB128)
    for (; value >= 0x80; value >>= 7) all_.push_back(static_cast<std::uint8_t>(value | 0x80));
    all_.push_back(static_cast<std::uint8_t>(value));
  }
  void bytes(std::span<const std::uint8_t> some) {
    number(some.size());
    all_.insert(all_.end(), some.begin(), some.end());
  }
  void text(std::string_view some) {
    bytes({reinterpret_cast<const std::uint8_t*>(some.data()), some.size()});
  }
  /// Appends all that `other` has, and empties it.
  void append(message_writer& other) {
    all_.insert(all_.end(), other.all_.begin(), other.all_.end());
    other.all_.clear();
  }
  [[nodiscard]] std::size_t size() const { return all_.size(); }
  [[nodiscard]] byte_list take() { return std::exchange(all_, {}); }

 private:
  byte_list all_;
};

/// Reads what was packed. Throws std::runtime_error if the message is too short.
class message_reader {
 public:
  explicit message_reader(std::span<const std::uint8_t> all) : all_(all) {}
  [[nodiscard]] bool more() const { return at_ < all_.size(); }
  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      if (!more() || shift > 63) throw std::runtime_error("a message of another rank is cut off");
      const std::uint8_t next = all_[at_++];
      value |= static_cast<std::uint64_t>(next & 0x7f) << shift;
      if ((next & 0x80) == 0) return value;
    }
  }
  std::span<const std::uint8_t> bytes() {
    const std::uint64_t size = number();
    if (size > all_.size() - at_) throw std::runtime_error("a message of another rank is cut off");
    at_ += size;
    return all_.subspan(at_ - size, size);
  }
  std::string text() {
    const auto some = bytes();
    return {some.begin(), some.end()};
  }

 private:
  std::span<const std::uint8_t> all_;
  std::size_t at_ = 0;
};

}  // namespace warpcheck
