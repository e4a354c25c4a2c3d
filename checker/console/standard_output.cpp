// Ignores signals about output, and checks the errors of stdio.
#include "checker/console/standard_output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <string>

namespace warpcheck {

namespace {

std::string words_for(const std::error_code& why) {
  if (why == std::errc::broken_pipe) {
    return "standard output was closed by who reads it before all was written; for less output, "
           "see --quiet, --only and --results";
  }
  if (why == std::errc::bad_file_descriptor) {
    return "standard output is closed; send it to a file, or to /dev/null";
  }
  return fmt::format(
      "standard output cannot be written: {}; what was printed is not whole, so mend that and "
      "run it again",
      why.message());
}

bool is_closed(int number) { return ::fcntl(number, F_GETFD) == -1 && errno == EBADF; }

}  // namespace

output_error::output_error(const std::error_code& why) : std::runtime_error(words_for(why)) {}

void prepare_standard_files() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  const bool nowhere = is_closed(STDOUT_FILENO);
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // This number is the lowest that is free, so open() returns it.
    if (is_closed(number)) (void)::open("/dev/null", O_RDWR);
  }
  if (nowhere) throw output_error({EBADF, std::generic_category()});
}

void flush_output() {
  const bool failed_before = std::ferror(stdout) != 0;
  errno = 0;
  if (std::fflush(stdout) == 0 && !failed_before) return;
  throw output_error({errno == 0 ? EIO : errno, std::generic_category()});
}

}  // namespace warpcheck
