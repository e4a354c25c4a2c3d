// Parses the command line, and starts a command.
#pragma once

#include "checker/console/exit_status.hpp"

namespace warpcheck {

/// Reads the command line and carries out the command that it names.
exit_status command_line(int argc, char** argv);

}  // namespace warpcheck
