// Reports a lack of memory for the subject as a mistake of use.
#include "checker/console/open_session.hpp"

#include <fmt/format.h>

#include "checker/console/read_all.hpp"

namespace warpcheck {

std::unique_ptr<session> open_session(const scenario& what, const run_settings& how,
                                      const simt::patience& waiting) {
  try {
    return std::make_unique<session>(what, how, waiting);
  } catch (const simt::memory_error& error) {
    throw usage_error(fmt::format("{}: {}", readable_path(what.file), error.what()));
  }
}

}  // namespace warpcheck
