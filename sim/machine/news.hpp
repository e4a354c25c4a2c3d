// News: facts learnt by a machine that make explored states void.
#pragma once

#include <atomic>
#include <cstdint>

namespace simt {

/// Counts news. Machines record news about the program while they list steps, and an exploration
/// checks machine::has_news() for each state. The counts only rise, so no news is lost: a round is
/// valid if they have not changed at its end. For any thread.
class news {
 public:
  /// Records news that cuts short all lists from here on.
  void record() {
    cuts_.fetch_add(1, std::memory_order_release);
    count_.fetch_add(1, std::memory_order_release);
  }
  /// Records news that makes lists void, though the present list may still teach more of the same
  /// kind.
  void note() { count_.fetch_add(1, std::memory_order_release); }
  [[nodiscard]] std::uint32_t count() const { return count_.load(std::memory_order_acquire); }
  /// The number of calls of record().
  [[nodiscard]] std::uint32_t cuts() const { return cuts_.load(std::memory_order_acquire); }

 private:
  std::atomic<std::uint32_t> count_ = 0;
  std::atomic<std::uint32_t> cuts_ = 0;
};

}  // namespace simt
