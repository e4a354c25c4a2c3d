// Explores a test's program, and compares its guarantees with the labels of the file.
#include "checker/progress/answer.hpp"

#include <algorithm>

namespace warpcheck {

std::vector<progress_column> progress_columns(const std::vector<fairness_notion>& notions,
                                              const std::vector<progress_model>& models) {
  const auto chosen = [](const auto& among, auto one) {
    return among.empty() || std::ranges::find(among, one) != among.end();
  };
  std::vector<progress_column> columns;
  for (const fairness_notion notion : fairness_notions) {
    for (const progress_model model : progress_models) {
      if (chosen(notions, notion) && chosen(models, model)) columns.push_back({notion, model});
    }
  }
  return columns;
}

progress_answer::progress_answer(const progress_test& test, std::uint64_t max_states,
                                 const std::atomic<bool>* stop)
    : test_(&test), graph_(std::make_unique<progress_graph>(test.program, max_states, stop)) {
  if (!graph_->complete()) return;
  guarantees_ = std::make_unique<progress_guarantees>(*graph_);
  for (const auto& [notion, model] : progress_columns({}, {})) {
    holds_[static_cast<std::size_t>(notion)][static_cast<std::size_t>(model)] =
        guarantees_->holds(notion, model);
  }
}

std::optional<bool> progress_answer::holds(progress_column column) const {
  if (guarantees_ == nullptr) return std::nullopt;
  return holds_[static_cast<std::size_t>(column.notion)][static_cast<std::size_t>(column.model)];
}

bool progress_answer::disagrees(progress_column column) const {
  const auto label = test_->label(column.notion, column.model);
  const auto answer = holds(column);
  return label && answer && *label != *answer;
}

progress_agreement agreement(const std::vector<progress_answer>& answers, progress_column column) {
  progress_agreement result;
  for (const progress_answer& one : answers) {
    const auto answer = one.holds(column);
    if (!answer) continue;
    if (*answer) ++result.guaranteed;
    if (!one.test().label(column.notion, column.model)) continue;
    ++result.labels;
    if (!one.disagrees(column)) ++result.agree;
  }
  return result;
}

}  // namespace warpcheck
