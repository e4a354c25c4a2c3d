#include "checker/commands/open_session.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/commands/read_all.hpp"

namespace warpcheck {

namespace {

std::unique_ptr<session> make_session(const scenario& what, const run_settings& how,
                                      const simt::patience& waiting) {
  try {
    return std::make_unique<session>(what, how, waiting);
  } catch (const simt::memory_error& error) {
    throw usage_error(fmt::format("{}: {}", readable_path(what.file), error.what()));
  }
}

}  // namespace

std::unique_ptr<session> open_session(const scenario& what, const run_settings& how,
                                      const simt::patience& waiting) {
  auto ready = make_session(what, how, waiting);
  const auto& setup = ready->setup();
  const auto calls = simt::calls_not_inlined(*setup.library, *setup.entry);
  if (!calls.empty()) {
    throw usage_error(
        fmt::format("{}: device code of \"{}\" calls {}, which cannot be followed there; mark "
                    "functions of your own "
                    "SIMT_FN, and call no host functions",
                    readable_path(what.file), what.subject, fmt::join(calls, ", ")));
  }
  return ready;
}

}  // namespace warpcheck
