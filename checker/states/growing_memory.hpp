// An array that grows and never moves. It has a range of addresses to itself, and memory is put
// there piece by piece. So growth copies nothing, pointers stay valid, and readers do not notice
// that another thread makes it grow. Addresses without memory cost nothing, and no limit of the
// process's address space (ulimit -v) counts them.
//
// The memory is the process's own, or a file that has no name any more. The kernel can write pages
// of such a file out, and read them back, when main memory is short.
#pragma once

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <mutex>

namespace warpcheck {

struct storage_options {
  /// The directory of the unnamed files that hold the arrays. Empty: arrays are in memory.
  std::filesystem::path spill_directory;
};

class growing_memory {
 public:
  /// Makes an array of up to `most` bytes. It takes none of the process's address space yet. Throws
  /// std::bad_alloc, or std::system_error if no file can be made in the spill directory.
  growing_memory(const storage_options& options, std::size_t most);
  ~growing_memory();
  growing_memory(const growing_memory&) = delete;
  growing_memory& operator=(const growing_memory&) = delete;

  [[nodiscard]] std::byte* data() const { return base_; }
  /// Returns the number of usable bytes. They are zero at first.
  [[nodiscard]] std::size_t size() const { return size_.load(std::memory_order_acquire); }

  /// Makes at least `bytes` usable. Usable bytes keep their contents. Any thread may call it.
  /// Throws std::bad_alloc, also if a limit of the process is reached, and std::system_error if the
  /// disk is full.
  void grow(std::size_t bytes) {
    if (bytes > size()) extend(bytes);
  }

  [[nodiscard]] bool is_file() const { return file_ >= 0; }
  /// Returns the bytes that are in main memory now. Asks the kernel about each page: about 1 ms for
  /// each GiB.
  [[nodiscard]] std::size_t resident() const;

 private:
  std::byte* base_ = nullptr;
  std::size_t most_ = 0;
  std::atomic<std::size_t> size_ = 0;
  int file_ = -1;
  std::filesystem::path directory_;
  std::mutex growing_;

  void extend(std::size_t bytes);
};

}  // namespace warpcheck
