// Starts a child, listens to its output, and kills its group at the end.
#include "checker/console/child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace warpcheck {

namespace {

struct child {
  pid_t process = 0;  // the process, and its group
  int output = -1;    // reads its stdout and stderr
};

[[noreturn]] void cannot(const std::string& program, int error) {
  throw std::runtime_error(fmt::format("cannot run {}: {}", program, std::strerror(error)));
}

child start(const std::vector<std::string>& command) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) cannot(command[0], errno);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);

  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  child started;
  const int error =
      ::posix_spawn(&started.process, words[0], &actions, &attributes, words.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  started.output = ends[0];
  if (error != 0) {
    ::close(ends[0]);
    cannot(command[0], error);
  }
  return started;
}

// Reads until the child closes its output, time is up, or `stop` is set.
child_ending listen(int output, std::string& text, std::chrono::duration<double> patience,
                    const std::atomic<bool>& stop) {
  using clock = std::chrono::steady_clock;
  const auto end = clock::now() + std::chrono::duration_cast<clock::duration>(patience);
  while (!stop) {
    if (clock::now() >= end) return child_ending::too_late;
    pollfd readable{output, POLLIN, 0};
    constexpr int step = 50;  // milliseconds until `stop` and the end of patience are seen, at most
    const int ready = ::poll(&readable, 1, step);
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    std::array<char, 4096> part{};
    const ssize_t count = ::read(output, part.data(), part.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return child_ending::by_itself;
    text.append(part.data(), static_cast<std::size_t>(count));
  }
  return child_ending::stopped;
}

}  // namespace

child_result run_child(const std::vector<std::string>& command,
                       std::chrono::duration<double> patience, const std::atomic<bool>& stop) {
  const child started = start(command);
  child_result result;
  result.how = listen(started.output, result.output, patience, stop);
  // Kill the whole group, even if the child ended by itself: it may have left processes behind.
  ::kill(-started.process, SIGKILL);
  ::close(started.output);
  int ended = 0;
  while (::waitpid(started.process, &ended, 0) < 0 && errno == EINTR) {
  }
  result.status = WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended);
  return result;
}

}  // namespace warpcheck
