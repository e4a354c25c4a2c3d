// Starts, asks and ends the process that runs host code of subjects.
#include "sim/worker/host_worker.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <malloc.h>
#include <stdio_ext.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

namespace simt {
namespace {

enum class answer_kind : std::uint8_t { answer, thrown, denied };

struct answer_head {
  std::uint64_t size = 0;
  answer_kind kind = answer_kind::answer;
};

constexpr int look_milliseconds = 20;  // how often a waiting process looks at the time
constexpr int worker_line = 3;         // the worker's end of the socket
constexpr int left_by_itself = 0;

// --- in the worker ---

bool write_all(int file, const void* from, std::size_t size) {
  const char* at = static_cast<const char*>(from);
  while (size > 0) {
    const ssize_t count = ::write(file, at, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    at += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

bool read_all(int file, void* to, std::size_t size) {
  char* at = static_cast<char*>(to);
  while (size > 0) {
    const ssize_t count = ::read(file, at, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    at += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

void tell(answer_kind kind, std::string_view text) {
  answer_head head;
  head.size = text.size();
  head.kind = kind;
  if (!write_all(worker_line, &head, sizeof head) ||
      !write_all(worker_line, text.data(), text.size())) {
    _exit(left_by_itself);
  }
}

void denied_call_in_worker(int number) {
  tell(answer_kind::denied, {reinterpret_cast<const char*>(&number), sizeof number});
  _exit(left_by_itself);
}

int status_of_exit = 0;
void note_exit(int status, void*) { status_of_exit = status; }
// exit() in host code must not run the exit handlers of the process that was copied.
void leave() { _exit(status_of_exit); }

void close_others(int line) {
  if (line != worker_line) dup2(line, worker_line);
  dup2(STDERR_FILENO, STDOUT_FILENO);  // what host code prints is not the report
  close(STDIN_FILENO);
  if (close_range(worker_line + 1, ~0U, 0) == 0) return;
  for (int file = worker_line + 1; file < 65'536; ++file) close(file);
}

// Ctrl-C is for the process that waits. Host code that sends it to itself is reported.
void asked_to_end(int, siginfo_t* info, void*) {
  if (info->si_pid == getpid()) denied_call_in_worker(SYS_tgkill);
}

void usual_signals() {
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGALRM}) {
    std::signal(signal, SIG_DFL);
  }
  std::signal(SIGPIPE, SIG_IGN);
  struct sigaction action {};
  action.sa_sigaction = asked_to_end;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
}

[[noreturn]] void serve_all(may rights, int line, pid_t parent,
                            const std::function<std::string(std::string_view)>& serve) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(left_by_itself);
  close_others(line);
  usual_signals();
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  __fpurge(stdout);
  setvbuf(stdout, nullptr, _IONBF, 0);
  // Handlers of exit() are called in reverse order.
  std::atexit(leave);
  on_exit(note_exit, nullptr);
  confine(rights, denied_call_in_worker);
  for (std::string request;;) {
    std::uint64_t size = 0;
    if (!read_all(worker_line, &size, sizeof size)) _exit(left_by_itself);
    request.resize(size);
    if (!read_all(worker_line, request.data(), size)) _exit(left_by_itself);
    try {
      const std::string answer = serve(request);
      tell(answer_kind::answer, answer);
    } catch (const std::exception& error) {
      tell(answer_kind::thrown, error.what());
    } catch (...) {
      tell(answer_kind::thrown, "something that is no std::exception");
    }
  }
}

// --- in the process that asks ---

constexpr const char* not_allowed =
    ", which host code may not do; it only computes (docs/trust.md)";

std::string describe_end(int status) {
  if (WIFEXITED(status)) {
    return fmt::format("ends the process, with exit status {}; it must return",
                       WEXITSTATUS(status));
  }
  switch (WTERMSIG(status)) {
    case SIGABRT: return "aborts (abort(), or an assertion that does not hold)";
    case SIGFPE: return "divides by zero";
    case SIGSEGV:
    case SIGBUS:
      return "accesses memory that is not there (a pointer that is null or stray, or a stack that "
             "is full)";
    case SIGILL:
    case SIGTRAP: return "runs into a trap (a function without return, or unreachable code)";
    case SIGSYS:  // where signals are blocked, as while a process is started
      return std::string("starts a thread or a process, or makes another system call") +
             not_allowed;
    case SIGKILL: return "was killed (by somebody, or because there is no more memory)";
    default: return fmt::format("is ended by signal {}", WTERMSIG(status));
  }
}

struct line_closed {};
struct too_late {};

}  // namespace

class host_worker::clock {
 public:
  explicit clock(const patience& waiting) : waiting_(waiting) {}

  /// Whether there is no time left.
  [[nodiscard]] bool is_late() {
    if (waiting_.over) why_ = waiting_.over();
    return !why_.empty() || seconds() > waiting_.seconds;
  }
  /// Why the work is to end, if not for its own limit.
  [[nodiscard]] const std::string& why() const { return why_; }

 private:
  const patience& waiting_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::string why_;

  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }
};

host_worker::host_worker(may rights, std::function<std::string(std::string_view)> serve) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    throw std::runtime_error(fmt::format("cannot make a socket: {}", std::strerror(errno)));
  }
  const pid_t parent = getpid();
  std::fflush(stdout);
  malloc_trim(0);  // pages that nobody uses need not be copied
  process_ = fork();
  if (process_ == 0) serve_all(rights, ends[1], parent, serve);
  const int error = errno;
  close(ends[1]);
  line_ = ends[0];
  if (process_ < 0) {
    close(line_);
    if (error == ENOMEM) throw std::bad_alloc();
    throw std::runtime_error(
        fmt::format("cannot start a process for host code: {}", std::strerror(error)));
  }
  const timeval look{0, look_milliseconds * 1000};
  setsockopt(line_, SOL_SOCKET, SO_RCVTIMEO, &look, sizeof look);
  setsockopt(line_, SOL_SOCKET, SO_SNDTIMEO, &look, sizeof look);
}

host_worker::~host_worker() { end(); }

void host_worker::confine_to(may rights) { confine(rights, denied_call_in_worker); }

// Kills the process if it still runs. Returns how it ended.
int host_worker::end() {
  int status = 0;
  if (process_ > 0) {
    kill(process_, SIGKILL);
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
  }
  if (line_ >= 0) close(line_);
  line_ = -1;
  return status;
}

void host_worker::send(std::string_view bytes, clock& now) {
  while (!bytes.empty()) {
    const ssize_t count = ::send(line_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK) {
      throw line_closed();
    } else if (now.is_late()) {
      throw too_late();
    }
  }
}

void host_worker::receive(char* to, std::size_t size, clock& now) {
  while (size > 0) {
    const ssize_t count = ::recv(line_, to, size, 0);
    if (count > 0) {
      to += count;
      size -= static_cast<std::size_t>(count);
    } else if (count == 0 || (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK)) {
      throw line_closed();
    } else if (now.is_late()) {
      throw too_late();
    }
  }
}

void host_worker::fail(const std::string& who, const std::string& what) {
  end();
  gone_ = fmt::format("{} {}", who, what);
  throw host_code_error(gone_);
}

// The worker has closed its end of the line, so it is ending. Waits a moment to see how.
void host_worker::report_end(const std::string& who) {
  int status = 0;
  for (int tries = 0; tries < 200; ++tries) {
    const pid_t ended = waitpid(process_, &status, WNOHANG);
    if (ended == process_) {
      process_ = -1;
      fail(who, describe_end(status));
    }
    usleep(5000);
  }
  fail(who, "closes files that are not its own");
}

std::string host_worker::ask(const std::string& who, std::string_view request,
                             const patience& waiting) {
  const std::lock_guard lock(asking_);
  if (was_stopped_) throw host_code_stopped(gone_);
  if (!gone_.empty()) throw host_code_error(gone_);
  clock now(waiting);
  answer_head head;
  std::string answer;
  try {
    const std::uint64_t size = request.size();
    send({reinterpret_cast<const char*>(&size), sizeof size}, now);
    send(request, now);
    receive(reinterpret_cast<char*>(&head), sizeof head, now);
    constexpr std::uint64_t most = std::uint64_t{1} << 31;
    if (head.size > most) fail(who, "writes to files that are not its own");
    answer.resize(head.size);
    receive(answer.data(), answer.size(), now);
  } catch (const line_closed&) {
    report_end(who);
  } catch (const too_late&) {
    if (now.why().empty()) {
      fail(who, fmt::format("does not come back within {:.10g} s", waiting.seconds));
    }
    end();
    gone_ = fmt::format("{} was stopped: {}", who, now.why());
    was_stopped_ = true;
    throw host_code_stopped(gone_);
  }
  if (head.kind == answer_kind::thrown) {
    throw host_code_error(fmt::format("{} throws: {}", who, answer));
  }
  if (head.kind == answer_kind::denied) {
    int number = 0;
    std::memcpy(&number, answer.data(), std::min(answer.size(), sizeof number));
    fail(who, describe_call(number) + not_allowed);
  }
  return answer;
}

}  // namespace simt
