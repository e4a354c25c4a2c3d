// That something was learnt which makes explored states void.
#pragma once

#include <atomic>
#include <cstdint>

namespace simt {

/// Machines record news of the program while they list steps, and go on; whoever explores looks at
/// machine::has_news() for each state. The count only rises, so no news is lost: a round holds if
/// it is the same at the end. For any thread.
class news {
 public:
  void record() { count_.fetch_add(1, std::memory_order_release); }
  [[nodiscard]] std::uint32_t count() const { return count_.load(std::memory_order_acquire); }

 private:
  std::atomic<std::uint32_t> count_ = 0;
};

}  // namespace simt
