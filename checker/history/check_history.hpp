// Does a recorded history agree with a specification? The answer, with evidence for it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "checker/history/history.hpp"
#include "checker/history/task.hpp"

namespace warpcheck {

/// The last two are of transactions, the others of all other operations.
enum class consistency : std::uint8_t {
  linearizable,
  sequential,
  quiescent,
  strictly_serializable,
  opaque
};

inline constexpr std::array<std::string_view, 5> consistency_names{
    "linearizable", "sequential", "quiescent", "strictly-serializable", "opaque"};
constexpr std::string_view name(consistency c) {
  return consistency_names[static_cast<std::size_t>(c)];
}

/// What is asked of such an object unless somebody asks for something else.
consistency usual_consistency(const simt::spec::specification& spec);

struct history_options {
  consistency wanted = consistency::linearizable;
  bool search_only = false;  // no algorithm but the search
  bool evidence = true;      // of a violation; costs time
  history_limits limits;
};

/// How long making the evidence smaller may take, beside the limits that are given.
inline constexpr double evidence_seconds = 10;

/// One step of an operation in an order. Most operations have only step 0.
struct ordered_step {
  std::uint32_t operation;
  std::uint32_t step;
};

/// The smallest part found that no order explains.
struct history_evidence {
  std::vector<std::uint32_t> operations;  // by their calls
  std::string why;                        // one sentence
  std::vector<std::string> more;          // sentences that say what follows from it
  /// Where the part begins in the middle of the history: the states that are possible there. What
  /// is pending there may have taken effect before.
  std::vector<simt::spec::state> from;
  std::optional<std::uint32_t> stuck;  // the operation that no order gets past
};

struct history_result {
  answer decided = answer::stopped;
  std::string stopped_by;
  std::string algorithm;  // "search", "queue", "stack", "register"
  std::size_t parts = 1;  // that were decided independently
  std::uint64_t configurations = 0;
  std::vector<ordered_step> order;  // if explained
  history_evidence evidence;        // if impossible
};

/// `options.wanted` is a kind of consistency that fits the specification.
history_result check_history(const history& of, const simt::spec::specification& spec,
                             const history_options& options);

}  // namespace warpcheck
