// Reserves ranges of addresses, and maps zeroed pages of memory or of an unnamed file there.
#include "checker/states/growing_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>

namespace warpcheck {
namespace {

constexpr std::size_t page = 4096;
// A piece is a sixteenth of the present size, but never so large that zeroing it is noticed. From
// some size on, pieces are whole huge pages.
constexpr std::size_t least_piece = 4 * page;
constexpr std::size_t most_piece = std::size_t{2} << 20;
constexpr std::size_t large = 8 * most_piece;

std::size_t round_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

[[noreturn]] void fail(int error, const std::string& what) {
  throw std::system_error(error, std::generic_category(), what);
}

int unnamed_file(const std::filesystem::path& directory) {
  int file = open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0) return file;
  if (errno == EOPNOTSUPP || errno == EISDIR) {  // not every file system has such files
    std::string name = (directory / "warpcheck-states-XXXXXX").string();
    file = mkostemp(name.data(), O_CLOEXEC);
    if (file >= 0) {
      unlink(name.c_str());
      return file;
    }
  }
  fail(errno, fmt::format("cannot make a file for states in {}", directory.string()));
}

// Ranges of addresses that no two arrays share. They lie far from everything else in the process:
// its program, its heap, and the kernel's mappings. The kernel maps from the top down, or, with an
// unlimited stack, from a third of the whole up. Nothing is mapped in a range until an array grows,
// so no limit counts it. If something else is in the way, an array cannot grow, and reports that.
class address_ranges {
 public:
  std::byte* take(std::size_t size) {
    const std::lock_guard lock(taking_);
    std::uintptr_t at = lowest;
    for (const auto& [begin, end] : taken_) {
      if (begin - at >= size) break;
      at = end;
    }
    if (highest - at < size) throw std::bad_alloc();
    taken_[at] = at + size;
    return reinterpret_cast<std::byte*>(at);
  }
  void give_back(const std::byte* first) {
    const std::lock_guard lock(taking_);
    taken_.erase(reinterpret_cast<std::uintptr_t>(first));
  }

 private:
  static constexpr std::uintptr_t lowest = std::uintptr_t{0x110} << 36;   // 17 TiB
  static constexpr std::uintptr_t highest = std::uintptr_t{0x290} << 36;  // 41 TiB
  std::mutex taking_;
  std::map<std::uintptr_t, std::uintptr_t> taken_;
};

address_ranges& ranges() {
  static address_ranges all;
  return all;
}

}  // namespace

growing_memory::growing_memory(const storage_options& options, std::size_t most)
    : most_(round_up(std::max(most, least_piece), most_piece)),
      directory_(options.spill_directory) {
  if (!directory_.empty()) file_ = unnamed_file(directory_);
  try {
    base_ = ranges().take(most_);
  } catch (...) {
    if (file_ >= 0) close(file_);
    throw;
  }
}

growing_memory::~growing_memory() {
  if (size() != 0) munmap(base_, size());
  ranges().give_back(base_);
  if (file_ >= 0) close(file_);
}

void growing_memory::extend(std::size_t bytes) {
  const std::lock_guard lock(growing_);
  const std::size_t old = size();
  if (bytes <= old) return;
  if (bytes > most_) throw std::bad_alloc();
  std::size_t next = std::max(bytes, old + std::clamp(old / 16, least_piece, most_piece));
  next = std::min(round_up(next, next > large ? most_piece : page), most_);
  std::byte* const piece = base_ + old;
  const std::size_t length = next - old;
  if (file_ >= 0) {
    // Blocks of the disk are taken now: a full disk gives an error here, not a signal at some
    // access.
    if (const int error =
            posix_fallocate(file_, static_cast<off_t>(old), static_cast<off_t>(length))) {
      fail(error, fmt::format("cannot store more than {} MiB of states in {}", old >> 20,
                              directory_.string()));
    }
  }
  const int kind = file_ >= 0 ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void* const got = mmap(piece, length, PROT_READ | PROT_WRITE, kind | MAP_FIXED_NOREPLACE, file_,
                         file_ >= 0 ? static_cast<off_t>(old) : 0);
  if (got != piece) {
    if (got != MAP_FAILED) munmap(got, length);  // kernels before 4.17 take the address for advice
    throw std::bad_alloc();
  }
  if (file_ < 0) madvise(piece, length, MADV_HUGEPAGE);  // only advice: the kernel may ignore it
#ifdef MADV_POPULATE_WRITE
  // Maps all pages now; if that fails, each is mapped when used.
  madvise(piece, length, MADV_POPULATE_WRITE);
#endif
  size_.store(next, std::memory_order_release);
}

std::size_t growing_memory::resident() const {
  const std::size_t pages = size() / page;
  constexpr std::size_t at_once = 65536;
  std::vector<unsigned char> in_memory(std::min(pages, at_once));
  std::size_t count = 0;
  for (std::size_t first = 0; first < pages; first += at_once) {
    const std::size_t some = std::min(pages - first, at_once);
    if (mincore(base_ + first * page, some * page, in_memory.data()) != 0) return size();
    for (std::size_t i = 0; i < some; ++i) count += in_memory[i] & 1U;
  }
  return count * page;
}

}  // namespace warpcheck
