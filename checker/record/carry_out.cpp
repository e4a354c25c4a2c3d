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
#include <fmt/ranges.h>

#include "checker/kernel/kernel_subject.hpp"
#include "checker/record/compile_for_one_run.hpp"
#include "checker/record/cuda_errors.hpp"
#include "checker/record/program_session.hpp"
#include "checker/text/plain_text.hpp"
#include "exec/plan/plan.hpp"
#include "sim/compile/compile.hpp"
#include "sim/compile/pipeline.hpp"
#include "sim/ptx/translate.hpp"
#include "sim/subject/location.hpp"
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

/// Returns the line of the kernel's source there: "sum.cu:8"; empty: unknown.
std::string line_at(const simt::debug_info& info, std::uint64_t at) {
  if (at == 0) return {};
  const std::string api = simt::detail::api_include_folder().string();
  for (const simt::source_frame& frame : info.frames(at)) {
    if (frame.file.starts_with(api)) continue;
    return fmt::format("{}:{}", fs::path(frame.file).filename().string(), frame.line);
  }
  return {};
}

/// Returns "97 threads loop at sum.cu:8 (first: block 0, thread 1); 3 threads wait at a barrier at
/// ...".
std::string text_of(const std::vector<carry::waiting_threads>& waits, const fs::path& object) {
  constexpr std::size_t most_told = 4;
  const simt::debug_info info(object);
  std::vector<std::string> told;
  for (const carry::waiting_threads& one : waits) {
    if (told.size() == most_told) {
      told.emplace_back("and others elsewhere");
      break;
    }
    using what = carry::waiting_threads::what;
    const bool loops = one.waits_for == what::memory;
    const std::string line = line_at(info, one.at);
    told.push_back(fmt::format("{} {}{}{}{} (first: block {}, thread {})",
                               counted(one.threads, "thread", "threads"), loops ? "loop" : "wait",
                               one.threads == 1 ? "s" : "",
                               one.waits_for == what::collective ? " for lanes of the warp"
                               : one.waits_for == what::barrier  ? " at a barrier"
                                                                 : "",
                               line.empty() ? "" : " at " + line, one.block, one.thread));
  }
  return fmt::format("{}", fmt::join(told, "; "));
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
    const int error = judge(status, options.seconds_for_launch, why);
    const auto waits = carry::read_waits(carry::waits_beside(plan));
    fs::remove(carry::waits_beside(plan));
    if (!waits.empty()) why += "; " + text_of(waits, object);
    return error;
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
