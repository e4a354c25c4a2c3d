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

/// The news that one machine has seen.
class news_watch {
 public:
  explicit news_watch(news& all)
      : all_(all), began_(all.count()), began_cuts_(all.cuts()), heeded_(began_cuts_) {}

  /// Whether there was news since the machine was made, or since begin_again(). Then all states
  /// explored with the machine are void.
  [[nodiscard]] bool has_news() const { return all_.count() != began_; }
  /// Whether news was recorded that cuts lists short. The machine then stops learning and runs no
  /// device code. A lane that runs alone still learns: see ignore_cuts.
  [[nodiscard]] bool is_cut() const { return all_.cuts() != heeded_; }
  /// Records news: all explored states are void.
  void record() { all_.record(); }
  /// Records news, but the present list goes on, since it may teach more.
  void note() { all_.note(); }
  /// From here on, is_cut() ignores the news so far.
  void ignore_cuts() { heeded_ = all_.cuts(); }
  /// is_cut() counts all news since the machine began.
  void heed_cuts() { heeded_ = began_cuts_; }
  /// A new round begins. Cuts that are ignored stay so.
  void begin_again() {
    began_ = all_.count();
    began_cuts_ = heeded_;
  }

 private:
  news& all_;
  std::uint32_t began_;       // the amount of news when the machine began
  std::uint32_t began_cuts_;  // the amount of recorded news when the machine began
  std::uint32_t heeded_;      // the amount of recorded news that is_cut() ignores
};

}  // namespace simt
