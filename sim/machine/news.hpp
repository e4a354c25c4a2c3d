// That something was learnt which makes explored states void.
#pragma once

#include <atomic>
#include <cstdint>

namespace simt {

/// Machines record news of the program while they list steps; whoever explores looks at
/// machine::has_news() for each state. The counts only rise, so no news is lost: a round holds if
/// they are the same at the end. For any thread.
class news {
 public:
  /// What is listed from here on is cut short.
  void record() {
    cuts_.fetch_add(1, std::memory_order_release);
    count_.fetch_add(1, std::memory_order_release);
  }
  /// What was listed is void, but going on with it teaches more of the same kind at once.
  void note() { count_.fetch_add(1, std::memory_order_release); }
  [[nodiscard]] std::uint32_t count() const { return count_.load(std::memory_order_acquire); }
  /// Those that were recorded.
  [[nodiscard]] std::uint32_t cuts() const { return cuts_.load(std::memory_order_acquire); }

 private:
  std::atomic<std::uint32_t> count_ = 0;
  std::atomic<std::uint32_t> cuts_ = 0;
};

}  // namespace simt
