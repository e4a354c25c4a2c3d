// Messages between warpcheck and the stand-in for CUDA's driver, which runs in the program.
// Requests and replies go over a local socket; each is a number and bytes.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace warpcheck::wire {

/// The environment variable that names the path of the socket.
inline constexpr const char* socket_variable = "WARPCHECK_EXEC_SOCKET";

/// The program's device memory begins here in each process that maps it, so a pointer is the same
/// in all of them. Systems place nothing else here.
inline constexpr std::uint64_t memory_begin = 0x2000'0000'0000;
inline constexpr std::uint64_t memory_size = std::uint64_t{16} << 30;

/// The first word of a message from the program. Replies begin with an error code of CUDA.
enum class request : std::uint32_t {
  hello,    // with the file descriptor of the device memory
  module,   // PTX text → kernels and variables
  launch,   // one launch → how it was carried out
  refused,  // the name of a call that is not supported
};

/// A message ended too early: the other side is another version of warpcheck.
class wire_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class writer {
 public:
  template <class T>
  requires std::is_trivially_copyable_v<T> writer& put(const T& value) {
    const auto* const at = reinterpret_cast<const std::uint8_t*>(&value);
    bytes_.insert(bytes_.end(), at, at + sizeof value);
    return *this;
  }
  writer& text(const std::string& value) {
    return blob({reinterpret_cast<const std::uint8_t*>(value.data()), value.size()});
  }
  writer& blob(std::span<const std::uint8_t> value) {
    put(std::uint64_t{value.size()});
    bytes_.insert(bytes_.end(), value.begin(), value.end());
    return *this;
  }
  [[nodiscard]] const std::vector<std::uint8_t>& bytes() const { return bytes_; }

 private:
  std::vector<std::uint8_t> bytes_;
};

/// Takes the parts of a message in the order in which they were put. Throws wire_error.
class reader {
 public:
  explicit reader(std::span<const std::uint8_t> bytes) : left_(bytes) {}

  template <class T>
  requires std::is_trivially_copyable_v<T> T take() {
    T value;
    std::memcpy(&value, some(sizeof value).data(), sizeof value);
    return value;
  }
  std::span<const std::uint8_t> blob() { return some(take<std::uint64_t>()); }
  std::string text() {
    const auto bytes = blob();
    return {bytes.begin(), bytes.end()};
  }

 private:
  std::span<const std::uint8_t> left_;

  std::span<const std::uint8_t> some(std::uint64_t count) {
    if (count > left_.size()) throw wire_error("a message of the stand-in for CUDA is cut off");
    const auto taken = left_.first(count);
    left_ = left_.subspan(count);
    return taken;
  }
};

struct message {
  std::vector<std::uint8_t> bytes;
  int file = -1;  // a file descriptor that came with it; the receiver closes it
};

/// send() returns false, and receive() nothing, if the other side is gone.
bool send(int socket, std::span<const std::uint8_t> bytes, int file = -1);
std::optional<message> receive(int socket);

}  // namespace warpcheck::wire
