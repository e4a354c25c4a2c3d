// Carries launches out: compiles the kernel for one run, and runs it in a process of its own. That
// process shares the program's device memory.
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <stdexcept>

#include <fmt/format.h>

#include "checker/kernel/kernel_subject.hpp"
#include "checker/record/compile_for_one_run.hpp"
#include "checker/record/cuda_errors.hpp"
#include "checker/record/program_session.hpp"
#include "exec/plan/plan.hpp"
#include "sim/compile/compile.hpp"
#include "sim/ptx/translate.hpp"
#include "warpcheck_paths.hpp"

namespace warpcheck {
namespace {

namespace fs = std::filesystem;

std::string text_for_one_run(const launch_request& what) {
  simt::ptx::launch made;
  made.grid = what.grid;
  made.block = what.block;
  made.dynamic_shared = what.shared;
  made.cooperative = what.cooperative;
  made.arguments.resize(what.kernel->parameters.size());
  made.is_for_one_run = true;
  for (const auto& [name, at] : what.variables) made.variables.push_back({name, {}, at});
  if (simt::ptx::cluster_of(*what.kernel, made) > 1) {
    throw std::invalid_argument("kernel " + what.kernel->name +
                                " is for clusters of several blocks, which exec cannot run");
  }
  return simt::ptx::to_subject(what.module->content, *what.kernel, made);
}

carry::plan plan_of(const launch_request& what) {
  carry::plan plan;
  plan.blocks = what.grid[0] * what.grid[1] * what.grid[2];
  plan.threads = what.block[0] * what.block[1] * what.block[2];
  plan.all_at_once = what.cooperative;
  for (const auto& [begin, size] : what.allocated) plan.memory.push_back({begin, size});
  plan.arguments = what.arguments;
  return plan;
}

// Returns the exit status; nothing: the process did not end in time.
std::optional<int> run_in_time(const std::vector<std::string>& words, int memory, bool to_errors,
                               double seconds) {
  constexpr int memory_there = 3;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, memory, memory_there);
  if (to_errors) posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  const std::string there = std::to_string(memory_there);
  argv.push_back(const_cast<char*>(there.c_str()));
  argv.push_back(nullptr);
  pid_t child = 0;
  const int error = ::posix_spawn(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return 127;
  pollfd ended{static_cast<int>(::syscall(SYS_pidfd_open, child, 0)), POLLIN, 0};
  using clock = std::chrono::steady_clock;
  const auto end = clock::now() + std::chrono::duration<double>(seconds);
  bool is_over = false;
  while (!is_over && clock::now() < end) {
    constexpr int a_while = 100;  // milliseconds
    is_over = ::poll(&ended, 1, a_while) > 0;
  }
  ::close(ended.fd);
  if (!is_over) ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!is_over) return std::nullopt;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int judge(std::optional<int> status, double seconds, std::string& why) {
  if (!status) {
    why = fmt::format("did not end within {} seconds; --launch-time gives it more", seconds);
    return cuda_error::launch_timeout;
  }
  switch (static_cast<carry::ended>(*status)) {
    case carry::ended::well: return cuda_error::success;
    case carry::ended::illegal_address: why = "accesses memory that is not allocated"; break;
    case carry::ended::stuck:
      why = "does not end: all threads that are left wait, and nothing changes any more";
      return cuda_error::launch_timeout;
    case carry::ended::assertion: why = "an assertion fails"; return cuda_error::assert_failed;
    case carry::ended::unknown: why = "cannot be carried out"; return cuda_error::unknown;
    default:
      why = *status > 128 ? fmt::format("its process was ended by signal {}", *status - 128)
                          : fmt::format("its process ended with status {}", *status);
  }
  return cuda_error::illegal_address;
}

}  // namespace

int carry_out(const launch_request& what, const seen_memory& memory, const record_options& options,
              std::string& why) {
  try {
    const fs::path object = compile_for_one_run(keep_header("launch", text_for_one_run(what)));
    const fs::path plan = options.folder / "plan";
    carry::write_plan(plan, plan_of(what));
    const fs::path program = warpcheck_paths::exec_dir() / "warpcheck-carry-out";
    const auto status =
        run_in_time({program.string(), object.string(), plan.string()}, memory.file(),
                    options.output_to_errors, options.seconds_for_launch);
    fs::remove(plan);
    return judge(status, options.seconds_for_launch, why);
  } catch (const simt::ptx::launch_error& error) {
    why = error.what();
    return cuda_error::invalid_value;
  } catch (const std::invalid_argument& error) {
    why = error.what();
  } catch (const simt::compile_error& error) {
    why = error.what();
  }
  return cuda_error::not_supported;
}

}  // namespace warpcheck
