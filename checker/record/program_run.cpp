// Starts the program with the stand-ins, and serves its processes until it ends.
#include "checker/record/program_run.hpp"

#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>

#include <fmt/format.h>

#include "checker/record/program_session.hpp"
#include "checker/text/usage_error.hpp"
#include "sim/files/scratch_folder.hpp"
#include "warpcheck_paths.hpp"

namespace warpcheck {
namespace {

namespace fs = std::filesystem;

struct descriptor {
  int number = -1;
  explicit descriptor(int n) : number(n) {}
  ~descriptor() {
    if (number >= 0) ::close(number);
  }
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
};

int listen_at(const fs::path& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string text = path.string();
  if (text.size() >= sizeof address.sun_path) return -1;
  std::memcpy(address.sun_path, text.c_str(), text.size() + 1);
  const int made = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  constexpr int waiting = 16;
  if (made >= 0 && ::bind(made, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
      ::listen(made, waiting) == 0) {
    return made;
  }
  if (made >= 0) ::close(made);
  return -1;
}

// Returns the environment with the stand-ins first among libraries.
std::vector<std::string> environment(const fs::path& socket) {
  const std::string libraries = "LD_LIBRARY_PATH=";
  const char* const before = std::getenv("LD_LIBRARY_PATH");
  std::vector<std::string> all;
  for (char** at = environ; *at != nullptr; ++at) {
    const std::string one = *at;
    if (!one.starts_with(libraries)) all.push_back(one);
  }
  all.push_back(libraries + warpcheck_paths::exec_dir().string() +
                (before != nullptr && *before != '\0' ? ":" + std::string(before) : ""));
  all.push_back(fmt::format("{}={}", wire::socket_variable, socket.string()));
  return all;
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

pid_t start(const record_options& options, const fs::path& socket) {
  std::vector<std::string> words = options.command;
  std::vector<std::string> variables = environment(socket);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (options.output_to_errors)
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, words[0].c_str(), &actions, nullptr,
                                   pointers_to(words).data(), pointers_to(variables).data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    throw usage_error(fmt::format("{} cannot be started: {}; name a program, as in ./program",
                                  options.command[0], std::strerror(error)));
  }
  return child;
}

}  // namespace

program_run run_program(const record_options& options) {
  const simt::detail::temporary_folder rooms(fs::temp_directory_path());
  const fs::path path = rooms.path() / "socket";
  const descriptor listening(listen_at(path));
  if (listening.number < 0) {
    throw usage_error(path.string() +
                      ": no socket can be made there; set TMPDIR to a folder with a short path");
  }
  program_record all{options, {}, {}, {}};
  const pid_t child = start(options, path);
  const descriptor ended(static_cast<int>(::syscall(SYS_pidfd_open, child, 0)));

  std::vector<std::unique_ptr<program_session>> sessions;
  for (bool running = true; running;) {
    std::vector<pollfd> waiting{{ended.number, POLLIN, 0}, {listening.number, POLLIN, 0}};
    for (const auto& one : sessions) waiting.push_back({one->socket(), POLLIN, 0});
    if (::poll(waiting.data(), waiting.size(), -1) < 0 && errno != EINTR) break;
    for (std::size_t i = waiting.size(); i-- > 2;) {
      if (waiting[i].revents != 0 && !sessions[i - 2]->serve())
        sessions.erase(sessions.begin() + static_cast<std::ptrdiff_t>(i - 2));
    }
    if (waiting[1].revents != 0) {
      const int made = ::accept4(listening.number, nullptr, nullptr, SOCK_CLOEXEC);
      if (made >= 0) sessions.push_back(std::make_unique<program_session>(made, all));
    }
    running = waiting[0].revents == 0;
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  all.result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return std::move(all.result);
}

}  // namespace warpcheck
