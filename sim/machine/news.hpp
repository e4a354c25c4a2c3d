// News: the machine has learnt something that makes explored states void.
#pragma once

#include <atomic>
#include <cstdint>

namespace simt {

/// Machines record news of the program while they list steps. An exploration looks at
/// machine::has_news() for each state. The counts only rise, so no news is lost: a round is valid
/// if the counts have not changed at its end. For any thread.
class news {
 public:
  /// News that cuts short all lists from here on.
  void record() {
    cuts_.fetch_add(1, std::memory_order_release);
    count_.fetch_add(1, std::memory_order_release);
  }
  /// News that makes lists void; going on with the present list may teach more of its kind.
  void note() { count_.fetch_add(1, std::memory_order_release); }
  [[nodiscard]] std::uint32_t count() const { return count_.load(std::memory_order_acquire); }
  /// The number of news by record().
  [[nodiscard]] std::uint32_t cuts() const { return cuts_.load(std::memory_order_acquire); }

 private:
  std::atomic<std::uint32_t> count_ = 0;
  std::atomic<std::uint32_t> cuts_ = 0;
};

}  // namespace simt
