// Writes and reads plain values one behind the other, as processes exchange them.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace simt {

class byte_writer {
 public:
  template <class T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void put_text(std::string_view text) {
    put(std::uint64_t{text.size()});
    bytes_.append(text);
  }
  /// Appends the bytes without their number.
  void put_bytes(std::span<const std::uint8_t> bytes) {
    bytes_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  [[nodiscard]] std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// Throws std::runtime_error if the bytes end too early: the process that wrote them is not
/// trusted.
class byte_reader {
 public:
  explicit byte_reader(std::string_view bytes) : rest_(bytes) {}

  template <class T>
  T get() {
    static_assert(std::is_trivially_copyable_v<T>);
    T value{};
    std::memcpy(static_cast<void*>(&value), cut(sizeof value).data(), sizeof value);
    return value;
  }
  std::string_view get_text() { return cut(get<std::uint64_t>()); }
  /// The bytes that have not been read.
  [[nodiscard]] std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;

  std::string_view cut(std::uint64_t size) {
    if (size > rest_.size()) throw std::runtime_error("a message of a worker ends too early");
    const std::string_view front = rest_.substr(0, static_cast<std::size_t>(size));
    rest_.remove_prefix(front.size());
    return front;
  }
};

}  // namespace simt
