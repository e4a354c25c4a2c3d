// Sends and receives whole messages over a stream socket.
#include "exec/wire/wire.hpp"

#include <sys/socket.h>
#include <unistd.h>
#include <cerrno>

namespace warpcheck::wire {
namespace {

bool send_all(int socket, const std::uint8_t* at, std::size_t left) {
  while (left > 0) {
    const ssize_t sent = ::send(socket, at, left, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    at += sent;
    left -= static_cast<std::size_t>(sent);
  }
  return true;
}

bool receive_all(int socket, std::uint8_t* at, std::size_t left) {
  while (left > 0) {
    const ssize_t got = ::recv(socket, at, left, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    left -= static_cast<std::size_t>(got);
  }
  return true;
}

// A file descriptor travels with the bytes of the length.
union control_buffer {
  cmsghdr header;
  char bytes[CMSG_SPACE(sizeof(int))];
};

}  // namespace

bool send(int socket, std::span<const std::uint8_t> bytes, int file) {
  std::uint64_t length = bytes.size();
  iovec part{&length, sizeof length};
  msghdr head{};
  head.msg_iov = &part;
  head.msg_iovlen = 1;
  control_buffer control{};
  if (file >= 0) {
    head.msg_control = control.bytes;
    head.msg_controllen = sizeof control.bytes;
    cmsghdr* const attached = CMSG_FIRSTHDR(&head);
    attached->cmsg_level = SOL_SOCKET;
    attached->cmsg_type = SCM_RIGHTS;
    attached->cmsg_len = CMSG_LEN(sizeof file);
    std::memcpy(CMSG_DATA(attached), &file, sizeof file);
  }
  ssize_t sent = 0;
  do {
    sent = ::sendmsg(socket, &head, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  if (sent <= 0) return false;
  const auto done = static_cast<std::size_t>(sent);
  return send_all(socket, reinterpret_cast<const std::uint8_t*>(&length) + done,
                  sizeof length - done) &&
         send_all(socket, bytes.data(), bytes.size());
}

std::optional<message> receive(int socket) {
  constexpr std::uint64_t longest = std::uint64_t{1} << 32;
  std::uint64_t length = 0;
  iovec part{&length, sizeof length};
  msghdr head{};
  head.msg_iov = &part;
  head.msg_iovlen = 1;
  control_buffer control{};
  head.msg_control = control.bytes;
  head.msg_controllen = sizeof control.bytes;
  ssize_t got = 0;
  do {
    got = ::recvmsg(socket, &head, MSG_CMSG_CLOEXEC);
  } while (got < 0 && errno == EINTR);
  if (got <= 0) return std::nullopt;
  message result;
  for (cmsghdr* one = CMSG_FIRSTHDR(&head); one != nullptr; one = CMSG_NXTHDR(&head, one)) {
    if (one->cmsg_level != SOL_SOCKET || one->cmsg_type != SCM_RIGHTS) continue;
    std::memcpy(&result.file, CMSG_DATA(one), sizeof result.file);
  }
  const auto done = static_cast<std::size_t>(got);
  const bool is_whole =
      receive_all(socket, reinterpret_cast<std::uint8_t*>(&length) + done, sizeof length - done) &&
      length <= longest;
  if (is_whole) {
    result.bytes.resize(length);
    if (receive_all(socket, result.bytes.data(), result.bytes.size())) return result;
  }
  if (result.file >= 0) ::close(result.file);
  return std::nullopt;
}

}  // namespace warpcheck::wire
