// warpcheck run: checks scenarios, one run after the other.
#include <fmt/format.h>

#include <stdexcept>
#include <string>

#include "checker/commands/commands.hpp"
#include "checker/commands/interrupt.hpp"
#include "checker/commands/outcome.hpp"
#include "checker/commands/progress.hpp"
#include "checker/commands/read_all.hpp"

namespace warpcheck {

namespace {

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    throw usage_error("--counterexamples: " + folder.string() +
                      " cannot be made: " + error.message());
  }
}

// "locks/tas.toml [stack, sc, fair]"
std::string label(const scenario& subject, const run_settings& settings) {
  return fmt::format("{} [{}, sc, {}]", readable_path(subject.file),
                     settings.machine.reconvergence == simt::reconvergence::stack ? "stack" : "its",
                     settings.progress == simt::progress::fair ? "fair" : "unfair");
}

exit_status check_one(const scenario& subject, const run_settings& settings,
                      const run_options& options) {
  progress_line progress(!options.json && !options.quiet, label(subject, settings));
  throw std::logic_error("exploration is not connected yet");
}

}  // namespace

exit_status run(const run_options& options) {
  const std::vector<scenario> scenarios = read_all(options.scenarios);
  if (options.counterexamples) make_folder(*options.counterexamples);
  handle_interrupts();
  exit_status status = exit_status::as_expected;
  for (const scenario& subject : scenarios) {
    for (const run_settings& settings : subject.runs) {
      status = worse(status, check_one(subject, settings, options));
      if (stop_requested) return worse(status, exit_status::inconclusive);
    }
  }
  return status;
}

}  // namespace warpcheck
