// Asks the system about the terminal, and the environment about colours.
#include "checker/console/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>

namespace warpcheck {

namespace {

std::string_view environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

// mpirun gives ranks a pseudo-terminal, also if what they print goes on to a file.
bool is_rank() {
  return std::getenv("OMPI_COMM_WORLD_RANK") != nullptr || std::getenv("PMIX_RANK") != nullptr;
}

terminal terminal_at(int descriptor) {
  terminal result;
  result.colour = !environment("CLICOLOR_FORCE").empty();
  if (isatty(descriptor) == 0 || environment("TERM") == "dumb") return result;
  result.interactive = true;
  result.colour = result.colour || (environment("NO_COLOR").empty() && !is_rank());
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) result.columns = size.ws_col;
  return result;
}

}  // namespace

terminal standard_output() { return terminal_at(STDOUT_FILENO); }
terminal standard_error() { return terminal_at(STDERR_FILENO); }

text_style style_for(const terminal& screen) {
  text_style style;
  style.colour = screen.colour;
  style.width = std::clamp<std::size_t>(screen.columns, 60, 160);
  return style;
}

std::size_t width_of_rows() {
  const terminal screen = standard_output();
  return screen.interactive ? std::max(screen.columns, 40U) : std::string::npos;
}

}  // namespace warpcheck
