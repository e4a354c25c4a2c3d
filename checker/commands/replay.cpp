// warpcheck replay: carries out the choices of a counterexample again.
#include <stdexcept>

#include "checker/commands/commands.hpp"
#include "checker/scenario/scenario.hpp"

namespace warpcheck {

exit_status replay(const replay_options& options) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(options.counterexample, error)) {
    throw usage_error(
        options.counterexample.string() +
        ": no such file; `warpcheck run FILE --counterexamples DIR` writes counterexamples");
  }
  throw std::logic_error("replay is not connected yet");
}

}  // namespace warpcheck
