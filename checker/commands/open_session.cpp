#include "checker/commands/open_session.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/commands/read_all.hpp"
#include "checker/report/place.hpp"
#include "sim/subject/cuda_names.hpp"

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
    std::vector<std::string> named;
    std::string remedy;
    for (const simt::unfollowed_call& call : calls) {
      named.push_back(call.name + at_place(*ready, call.pc));
      if (const auto other = simt::detail::in_place_of(call.name); !other.empty()) {
        remedy += fmt::format("; in place of {}: {}", call.name, other);
      }
    }
    throw usage_error(fmt::format(
        "{}: device code of \"{}\" calls {}, which cannot be followed there; mark functions of "
        "your own SIMT_FN, and call no host functions (lambdas and constexpr functions are "
        "followed, but not into themselves){}",
        readable_path(what.file), what.subject, fmt::join(named, ", "), remedy));
  }
  return ready;
}

}  // namespace warpcheck
