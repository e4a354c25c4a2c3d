// Writes results of forward-progress tests, for a person and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "checker/progress/answer.hpp"

namespace warpcheck {

/// Returns the head of the table, or its row for one test. Columns are those asked for.
std::string progress_head(const std::vector<progress_column>& columns, std::size_t id_width);
std::string progress_row(const progress_answer& answer, const std::vector<progress_column>& columns,
                         std::size_t id_width);

/// Returns one line for each answer that contradicts its label.
std::string progress_disagreements(const progress_answer& answer,
                                   const std::vector<progress_column>& columns,
                                   const std::string& file);

/// Returns how many of the tests each column guarantees, and how many agree with their labels.
std::string progress_summary(const std::vector<progress_answer>& answers,
                             const std::vector<progress_column>& columns);

/// Returns one element of "results". `with_evidence` adds why guarantees do not hold.
nlohmann::ordered_json to_json(const progress_answer& answer,
                               const std::vector<progress_column>& columns, bool with_evidence);

/// Returns "agreement" for each column.
nlohmann::ordered_json agreement_json(const std::vector<progress_answer>& answers,
                                      const std::vector<progress_column>& columns);

}  // namespace warpcheck
