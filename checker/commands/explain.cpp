// warpcheck explain: what a scenario will explore, before it is explored.
#include <stdexcept>

#include "checker/commands/commands.hpp"
#include "checker/commands/read_all.hpp"

namespace warpcheck {

exit_status explain(const explain_options& options) {
  const std::vector<scenario> scenarios = read_all(options.scenarios);
  throw std::logic_error("explain is not connected yet");
}

}  // namespace warpcheck
