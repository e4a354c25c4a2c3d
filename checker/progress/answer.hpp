// The results for one test: ten columns, and the evidence where a guarantee fails.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "checker/progress/guarantee.hpp"
#include "checker/progress/test_file.hpp"

namespace warpcheck {

/// One of the ten questions: is termination guaranteed under this notion and model?
struct progress_column {
  fairness_notion notion{};
  progress_model model{};
};

/// Returns all ten columns, or those that the sets name. An empty set is no restriction.
std::vector<progress_column> progress_columns(const std::vector<fairness_notion>& notions,
                                              const std::vector<progress_model>& models);

class progress_answer {
 public:
  /// Explores the test's program, up to `max_states` states, and until `stop` comes true. The test
  /// must outlive this object.
  progress_answer(const progress_test& test, std::uint64_t max_states,
                  const std::atomic<bool>* stop = nullptr);

  [[nodiscard]] const progress_test& test() const { return *test_; }
  [[nodiscard]] const progress_graph& graph() const { return *graph_; }
  /// Null if the graph is not complete.
  [[nodiscard]] const progress_guarantees* guarantees() const { return guarantees_.get(); }

  /// Nothing if the graph is not complete.
  [[nodiscard]] std::optional<bool> holds(progress_column column) const;
  /// Whether there are an answer and a label, and they differ.
  [[nodiscard]] bool disagrees(progress_column column) const;

 private:
  const progress_test* test_;
  std::unique_ptr<progress_graph> graph_;
  std::unique_ptr<progress_guarantees> guarantees_;
  std::array<std::array<bool, progress_models.size()>, fairness_notions.size()> holds_{};
};

/// Counts answers and labels of one column that agree.
struct progress_agreement {
  std::uint32_t guaranteed = 0;
  std::uint32_t labels = 0;  // tests that have both a label and an answer
  std::uint32_t agree = 0;
};

progress_agreement agreement(const std::vector<progress_answer>& answers, progress_column column);

}  // namespace warpcheck
