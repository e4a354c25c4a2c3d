// An array that grows and never moves: it has a range of addresses to itself, and memory is put
// there piece by piece. So growth copies nothing, what was handed out stays valid, and whoever
// reads need not know that somebody else makes it grow. Addresses that nothing is at cost nothing,
// and no limit of the process's address space (ulimit -v) counts them.
//
// The memory is the process's own, or a file that has no name any more, so that the kernel can
// write pages out and take them back where main memory is short.
#pragma once

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <mutex>

namespace warpcheck {

struct storage_options {
  /// Where the arrays lie in unnamed files; empty: in memory.
  std::filesystem::path spill_directory;
};

class growing_memory {
 public:
  /// For up to `most` bytes. Nothing is taken of the process's address space yet.
  /// Throws std::bad_alloc; std::system_error where no file can be made in the spill directory.
  growing_memory(const storage_options& options, std::size_t most);
  ~growing_memory();
  growing_memory(const growing_memory&) = delete;
  growing_memory& operator=(const growing_memory&) = delete;

  [[nodiscard]] std::byte* data() const { return base_; }
  /// Bytes that can be used. They are zero at first.
  [[nodiscard]] std::size_t size() const { return size_.load(std::memory_order_acquire); }

  /// Makes at least `bytes` usable; what is usable stays as it is. For any thread.
  /// Throws std::bad_alloc, also where a limit of the process is reached; std::system_error where
  /// the disk is full.
  void grow(std::size_t bytes) {
    if (bytes > size()) extend(bytes);
  }

  [[nodiscard]] bool is_file() const { return file_ >= 0; }
  /// Bytes that are in main memory now. Asks the kernel about each page: about 1 ms for each GiB.
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
