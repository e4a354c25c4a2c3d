// Joins the names of a run's models and limits.
#include "checker/scenario/model_names.hpp"

#include <fmt/format.h>

namespace warpcheck {

std::string_view reconvergence_name(const run_settings& settings) {
  return settings.machine.reconvergence == simt::reconvergence::stack ? "stack" : "its";
}

std::string_view memory_name(const run_settings& settings) {
  return settings.machine.memory == simt::memory_model::ptx ? "ptx" : "sc";
}

std::string_view progress_name(const run_settings& settings) {
  return progress_names[static_cast<std::size_t>(settings.progress)];
}

std::string_view fairness_name(const run_settings& settings) {
  return fairness_names[static_cast<std::size_t>(settings.fairness)];
}

std::string model_label(const run_settings& settings) {
  std::string text = fmt::format("[{}, {}, {}", reconvergence_name(settings), memory_name(settings),
                                 progress_name(settings));
  if (settings.fairness == simt::fairness::strong) text += ", strong";
  if (settings.machine.resident != 0)
    text += fmt::format(", resident {}", settings.machine.resident);
  if (settings.machine.order == simt::block_order::index) text += ", index order";
  return text + "]";
}

}  // namespace warpcheck
