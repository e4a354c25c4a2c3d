// Starts child processes by fork, with their output in files in memory.
#include "checker/commands/run/child_jobs.hpp"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <system_error>

#include "checker/console/interrupt.hpp"
#include "checker/console/standard_output.hpp"

namespace warpcheck {

namespace {

int file_in_memory(const char* name) {
  const int file = ::memfd_create(name, MFD_CLOEXEC);
  if (file < 0) throw std::system_error(errno, std::generic_category(), "memfd_create");
  return file;
}

std::string content_of(int file) {
  std::string text;
  std::array<char, 1U << 16> part{};
  off_t at = 0;
  for (;;) {
    const ssize_t count = ::pread(file, part.data(), part.size(), at);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(part.data(), static_cast<std::size_t>(count));
    at += count;
  }
}

}  // namespace

child_jobs::~child_jobs() {
  for (const child& one : children_) {
    if (!one.is_over) ::kill(one.process, SIGKILL);
    if (!one.is_over) ::waitpid(one.process, nullptr, 0);
    for (const int file : {one.output, one.errors, one.told}) ::close(file);
  }
}

bool child_jobs::start() {
  child one;
  one.output = file_in_memory("output");
  one.errors = file_in_memory("errors");
  one.told = file_in_memory("told");
  flush_output();
  one.process = ::fork();
  if (one.process < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (one.process == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::setpgid(0, 0);  // Ctrl-C reaches only the parent, which passes it on
    ::dup2(one.output, STDOUT_FILENO);
    ::dup2(one.errors, STDERR_FILENO);
    told_ = one.told;
    children_.clear();  // these are children of the parent
    return true;
  }
  ::setpgid(one.process, one.process);
  children_.push_back(one);
  ++running_;
  return false;
}

void child_jobs::tell(const std::string& text) const {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = ::write(told_, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw std::system_error(errno, std::generic_category(), "write");
    done += static_cast<std::size_t>(count);
  }
}

void child_jobs::wait() {
  while (running_ != 0) {
    int status = 0;
    const pid_t process = ::waitpid(-1, &status, WNOHANG);
    for (child& one : children_) {
      if (one.process != process || process == 0) continue;
      one.is_over = true;
      one.status = status;
      --running_;
      return;
    }
    if (stop_requested && !passed_on_) {
      passed_on_ = true;
      for (const child& one : children_) {
        if (!one.is_over) ::kill(one.process, SIGINT);
      }
    }
    constexpr useconds_t step = 5000;  // microseconds until an end or an interrupt is seen, at most
    ::usleep(step);
  }
}

std::optional<child_jobs::ended> child_jobs::take() {
  if (children_.empty() || !children_.front().is_over) return std::nullopt;
  const child& first = children_.front();
  ended result{content_of(first.output), content_of(first.errors), content_of(first.told),
               WIFSIGNALED(first.status) ? WTERMSIG(first.status) : 0};
  for (const int file : {first.output, first.errors, first.told}) ::close(file);
  children_.pop_front();
  return result;
}

}  // namespace warpcheck
