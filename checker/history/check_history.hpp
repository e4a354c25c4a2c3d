// Checks whether a recorded history agrees with a specification, and gives evidence for the answer.
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

/// The last two kinds are for transactions, the others for all other operations.
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

/// Returns the kind of consistency that is checked by default for such an object.
consistency usual_consistency(const simt::spec::specification& spec);

struct history_options {
  consistency wanted = consistency::linearizable;
  bool search_only = false;  // use no algorithm but the search
  bool evidence = true;      // make evidence of a violation, which costs time
  history_limits limits;
};

/// Seconds that shrinking the evidence may take, besides the given limits.
inline constexpr double evidence_seconds = 10;

/// One step of an operation in an order. Most operations only have step 0.
struct ordered_step {
  std::uint32_t operation;
  std::uint32_t step;
};

/// The smallest part found that no order explains.
struct history_evidence {
  std::vector<std::uint32_t> operations;  // in the order of their calls
  std::string why;                        // one sentence
  std::vector<std::string> more;          // sentences that say what follows from it
  /// If the part begins in the middle of the history: the states that are possible there.
  /// Operations pending there may have taken effect before.
  std::vector<simt::spec::state> from;
  std::optional<std::uint32_t> stuck;  // the operation that no order gets past
};

struct history_result {
  answer decided = answer::stopped;
  std::string stopped_by;
  std::string algorithm;  // "search", "queue", "stack", "register"
  std::size_t parts = 1;  // number of parts that were decided independently
  std::uint64_t configurations = 0;
  std::vector<ordered_step> order;  // if explained
  history_evidence evidence;        // if impossible
};

/// `options.wanted` must be a kind of consistency that fits the specification.
history_result check_history(const history& of, const simt::spec::specification& spec,
                             const history_options& options);

}  // namespace warpcheck
