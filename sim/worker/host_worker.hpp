// A process in which host code of a subject runs: its constructor, its check(), its specification.
// Whatever such code does to its process (exit, a crash, a loop without end) does not harm this
// one, and becomes a message that says where it happened.
//
// The process is a copy of this one, made by fork. So all that has been loaded here is there, at
// the same addresses. It serves one request after the other, with the rights that computing needs
// (confine.hpp).
#pragma once

#include <sys/types.h>

#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>

#include "sim/worker/confine.hpp"

namespace simt {

/// Host code ended its process, crashed, threw, or never came back. what() names the part of the
/// subject.
class host_code_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Host code was stopped because the whole run is to end. what() says why.
class host_code_stopped : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// How long host code may take.
struct patience {
  double seconds = 10;  // of one request
  /// Called now and then while host code runs. Returns why to stop it. Empty: go on.
  std::function<std::string()> over{};
};

class host_worker {
 public:
  /// `serve` answers requests in the worker process. What it throws becomes a host_code_error.
  host_worker(may rights, std::function<std::string(std::string_view)> serve);
  ~host_worker();
  host_worker(const host_worker&) = delete;
  host_worker& operator=(const host_worker&) = delete;

  /// The answer to a request. `who` names the host code in messages, such as `check() of subject
  /// "lock"`. For any thread. Throws host_code_error or host_code_stopped. Once the process is
  /// gone, every call throws.
  std::string ask(const std::string& who, std::string_view request, const patience& waiting);

  /// Takes further rights from the process. To be called within `serve`.
  static void confine_to(may rights);

 private:
  std::mutex asking_;
  pid_t process_ = -1;
  int line_ = -1;     // a socket
  std::string gone_;  // why there is no process any more
  bool was_stopped_ = false;

  class clock;
  void send(std::string_view bytes, clock& now);
  void receive(char* to, std::size_t size, clock& now);
  [[noreturn]] void fail(const std::string& who, const std::string& what);
  [[noreturn]] void report_end(const std::string& who);
  int end();
};

}  // namespace simt
