// Keeps the connection to warpcheck, and hands out device memory.
#include "exec/driver/state.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace warpcheck::driver {
namespace {

constexpr std::uint64_t alignment = 512;
constexpr std::uint64_t gap = 512;
constexpr std::uint64_t page = 4096;

std::uint64_t rounded_up(std::uint64_t value, std::uint64_t to) {
  return (value + to - 1) / to * to;
}

int connect_to(const char* path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (std::strlen(path) >= sizeof address.sun_path) return -1;
  std::strcpy(address.sun_path, path);
  const int made = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (made < 0) return -1;
  if (::connect(made, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
    return made;
  ::close(made);
  return -1;
}

}  // namespace

int device_memory::open() {
  file_ = ::memfd_create("warpcheck device memory", MFD_CLOEXEC);
  if (file_ < 0 || ::ftruncate(file_, static_cast<off_t>(wire::memory_size)) != 0) return -1;
  void* const wanted = reinterpret_cast<void*>(wire::memory_begin);
  void* const got = ::mmap(wanted, wire::memory_size, PROT_READ | PROT_WRITE,
                           MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, file_, 0);
  return got == wanted ? file_ : -1;
}

device_pointer device_memory::allocate(std::uint64_t size) {
  constexpr device_pointer end = wire::memory_begin + wire::memory_size;
  if (size == 0 || size > wire::memory_size) return 0;
  device_pointer at = wire::memory_begin + alignment;
  for (const auto& [begin, length] : live_) {
    if (at + size + gap <= begin) break;
    at = rounded_up(begin + length + gap, alignment);
  }
  if (at > end || end - at < size + gap) return 0;
  live_[at] = size;
  used_ += size;
  return at;
}

bool device_memory::release(device_pointer begin) {
  const auto found = live_.find(begin);
  if (found == live_.end()) return false;
  // Allocations start as zeros, so released bytes are cleared. Whole pages go back to the system.
  const std::uint64_t size = found->second;
  const device_pointer first = rounded_up(begin, page);
  const device_pointer last = (begin + size) / page * page;
  if (first < last) {
    ::fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                static_cast<off_t>(first - wire::memory_begin), static_cast<off_t>(last - first));
    std::memset(reinterpret_cast<void*>(begin), 0, first - begin);
    std::memset(reinterpret_cast<void*>(last), 0, begin + size - last);
  } else {
    std::memset(reinterpret_cast<void*>(begin), 0, size);
  }
  used_ -= size;
  live_.erase(found);
  return true;
}

std::optional<device_memory::range> device_memory::find(device_pointer at) const {
  auto next = live_.upper_bound(at);
  if (next == live_.begin()) return std::nullopt;
  --next;
  if (at >= next->first + next->second) return std::nullopt;
  return range{next->first, next->second};
}

bool device_memory::has(device_pointer at, std::uint64_t size) const {
  const auto found = find(at);
  return found && size <= found->begin + found->size - at;
}

state& the() {
  static state* const one = new state;  // programs call the driver until their very end
  return *one;
}

error state::open() {
  const std::lock_guard guard(lock);
  if (is_open) return success;
  const char* const path = std::getenv(wire::socket_variable);
  if (path == nullptr) {
    tell("this libcuda.so.1 is a stand-in without a GPU; start the program with `warpcheck exec`");
    return no_device;
  }
  socket = connect_to(path);
  if (socket < 0) {
    tell("the warpcheck that started this program is gone");
    return no_device;
  }
  const int file = memory.open();
  if (file < 0) {
    tell(
        "cannot reserve the addresses of the device memory; run without AddressSanitizer and "
        "without a limit on virtual memory (ulimit -v)");
    return out_of_memory;
  }
  wire::writer hello;
  hello.put(wire::request::hello);
  if (!wire::send(socket, hello.bytes(), file)) return no_device;
  is_open = true;
  return success;
}

std::optional<std::vector<std::uint8_t>> state::ask(const wire::writer& request, error& code) {
  if (!wire::send(socket, request.bytes())) return std::nullopt;
  auto reply = wire::receive(socket);
  if (!reply || reply->bytes.size() < sizeof(int)) return std::nullopt;
  int number = 0;
  std::memcpy(&number, reply->bytes.data(), sizeof number);
  code = static_cast<error>(number);
  reply->bytes.erase(reply->bytes.begin(), reply->bytes.begin() + sizeof number);
  return std::move(reply->bytes);
}

void tell(const std::string& text) { std::fprintf(stderr, "warpcheck exec: %s\n", text.c_str()); }

error refuse_call(const char* name, const char* remedy) {
  static std::map<std::string, bool, std::less<>>* const told =
      new std::map<std::string, bool, std::less<>>;
  const std::lock_guard guard(the().lock);
  if (told->try_emplace(name, true).second) {
    tell(std::string(name) + " is not supported: it returns CUDA_ERROR_NOT_SUPPORTED" +
         (remedy != nullptr ? std::string("; ") + remedy : ""));
    if (the().is_open) {
      wire::writer request;
      request.put(wire::request::refused).text(name);
      error ignored{};
      (void)the().ask(request, ignored);
    }
  }
  return not_supported;
}

void* only_context() {
  static char context[64];
  return context;
}

bool& has_context() {
  thread_local bool has = false;
  return has;
}

}  // namespace warpcheck::driver
