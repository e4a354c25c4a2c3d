// Progress models: which threads the scheduler of a GPU owes progress (Sorensen, Evrard and
// Donaldson, CONCUR 2018; Sorensen et al., OOPSLA 2021).
//
// Models: fair, HSA, OBE, HSA_OBE and LOBE, with weak and strong fairness; threads that never
// block, so that every unfinished thread is enabled.
// Does not model: barriers, residence, reconvergence. The machine has those (sim/machine).
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

#include "checker/progress/program.hpp"

namespace warpcheck {

enum class progress_model : std::uint8_t { hsa, obe, hsa_obe, lobe, fair };
inline constexpr std::array<progress_model, 5> progress_models{
    progress_model::hsa, progress_model::obe, progress_model::hsa_obe, progress_model::lobe,
    progress_model::fair};
inline constexpr std::array<std::string_view, 5> progress_model_names{"HSA", "OBE", "HSA_OBE",
                                                                      "LOBE", "FAIR"};

enum class fairness_notion : std::uint8_t { weak, strong };
inline constexpr std::array<fairness_notion, 2> fairness_notions{fairness_notion::weak,
                                                                 fairness_notion::strong};
inline constexpr std::array<std::string_view, 2> fairness_notion_names{"weak", "strong"};

constexpr std::string_view name(progress_model model) {
  return progress_model_names[static_cast<std::size_t>(model)];
}
constexpr std::string_view name(fairness_notion notion) {
  return fairness_notion_names[static_cast<std::size_t>(notion)];
}

/// Returns the threads that a model owes progress. `unfinished` are not finished, and `started`
/// have ever carried out an instruction. The set may be empty while threads are unfinished.
constexpr thread_set fair_set(progress_model model, thread_set unfinished, thread_set started) {
  const thread_set lowest = unfinished & (~unfinished + 1);
  switch (model) {
    case progress_model::fair: return unfinished;
    case progress_model::hsa: return lowest;
    case progress_model::obe: return unfinished & started;
    case progress_model::hsa_obe: return (unfinished & started) | lowest;
    case progress_model::lobe: {
      // All threads up to the highest that ever started, whether that one is finished or not.
      const thread_set highest = std::bit_floor(started);
      return started == 0 ? 0 : unfinished & (highest | (highest - 1));
    }
  }
  return 0;
}

}  // namespace warpcheck
