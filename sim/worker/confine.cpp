// Installs the filter of system calls, and names the calls that it denies.
#include "sim/worker/confine.hpp"

#include <csignal>
#include <cstddef>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <fmt/format.h>

#if defined(__linux__) && defined(__x86_64__)
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#define WARPCHECK_SECCOMP 1
#endif

namespace simt {
namespace {

void (*on_denied)(int number) = nullptr;

void denied_call(int, siginfo_t* info, void*) { on_denied(info->si_syscall); }

#ifdef WARPCHECK_SECCOMP

// Calls for memory, clocks, the process itself, and files that are already open.
constexpr int always[] = {SYS_read,
                          SYS_write,
                          SYS_writev,
                          SYS_close,
                          SYS_lseek,
                          SYS_fstat,
                          SYS_brk,
                          SYS_mmap,
                          SYS_munmap,
                          SYS_mremap,
                          SYS_mprotect,
                          SYS_madvise,
                          SYS_futex,
                          SYS_sched_yield,
                          SYS_nanosleep,
                          SYS_clock_nanosleep,
                          SYS_clock_gettime,
                          SYS_clock_getres,
                          SYS_gettimeofday,
                          SYS_time,
                          SYS_times,
                          SYS_getrusage,
                          SYS_getrandom,
                          SYS_getpid,
                          SYS_gettid,
                          SYS_getppid,
                          SYS_getuid,
                          SYS_geteuid,
                          SYS_getgid,
                          SYS_getegid,
                          SYS_uname,
                          SYS_sysinfo,
                          SYS_sched_getaffinity,
                          SYS_getcpu,
                          SYS_rt_sigaction,
                          SYS_rt_sigprocmask,
                          SYS_rt_sigreturn,
                          SYS_sigaltstack,
                          SYS_restart_syscall,
                          SYS_rseq,
                          SYS_set_robust_list,
                          SYS_membarrier,
                          SYS_exit,
                          SYS_exit_group};
constexpr int for_reading[] = {SYS_pread64,  SYS_newfstatat, SYS_stat,  SYS_access,
                               SYS_readlink, SYS_prctl,      SYS_fcntl, SYS_seccomp};
// printf asks terminals such questions. Refusing them is an answer.
constexpr int refused_quietly[] = {SYS_ioctl};

class filter {
 public:
  explicit filter(may what) {
    add(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch));
    unless(AUDIT_ARCH_X86_64, SECCOMP_RET_KILL_PROCESS);
    add(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr));
    for (const int number : always) when(number, SECCOMP_RET_ALLOW);
    for (const int number : refused_quietly) when(number, SECCOMP_RET_ERRNO | ENOTTY);
    // abort() sends a signal to its own process. No other process may get one.
    when_argument(SYS_tgkill, 0, 0xffffffff, static_cast<unsigned>(getpid()));
    if (what == may::read_files) {
      for (const int number : for_reading) when(number, SECCOMP_RET_ALLOW);
      constexpr unsigned writes = O_ACCMODE | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY);
      when_argument(SYS_open, 1, writes, O_RDONLY);
      when_argument(SYS_openat, 2, writes, O_RDONLY);
    }
    add(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
  }

  /// Installs the filter. False: the kernel has no such filters.
  bool install() {
    const sock_fprog program{static_cast<unsigned short>(code_.size()), code_.data()};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
  }

 private:
  std::vector<sock_filter> code_;

  void add(unsigned code, unsigned k, unsigned char yes = 0, unsigned char no = 0) {
    code_.push_back({static_cast<unsigned short>(code), yes, no, k});
  }
  void unless(unsigned value, unsigned action) {
    add(BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0);
    add(BPF_RET | BPF_K, action);
  }
  void when(int number, unsigned action) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(number), 0, 1);
    add(BPF_RET | BPF_K, action);
  }
  /// Allows the call if the bits `mask` of that argument are `value`.
  void when_argument(int number, unsigned argument, unsigned mask, unsigned value) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(number), 0, 5);
    add(BPF_LD | BPF_W | BPF_ABS,
        static_cast<unsigned>(offsetof(seccomp_data, args)) + 8 * argument);
    add(BPF_ALU | BPF_AND | BPF_K, mask);
    add(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
    add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    add(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
  }
};

#endif

}  // namespace

void confine(may what, void (*denied)(int number)) {
  on_denied = denied;
  struct sigaction action {};
  action.sa_sigaction = denied_call;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSYS, &action, nullptr);
#ifdef WARPCHECK_SECCOMP
  filter(what).install();
#else
  (void)what;
#endif
}

std::string describe_call(int number) {
  switch (number) {
#ifdef WARPCHECK_SECCOMP
    case SYS_open:
    case SYS_openat:
    case SYS_openat2:
    case SYS_creat: return "opens a file";
    case SYS_unlink:
    case SYS_unlinkat:
    case SYS_rename:
    case SYS_renameat:
    case SYS_renameat2:
    case SYS_mkdir:
    case SYS_mkdirat:
    case SYS_rmdir:
    case SYS_chmod:
    case SYS_fchmodat:
    case SYS_truncate:
    case SYS_ftruncate: return "changes files";
    case SYS_socket:
    case SYS_connect: return "uses the network";
    case SYS_clone:
    case SYS_clone3:
    case SYS_fork:
    case SYS_vfork:
    case SYS_execve:
    case SYS_execveat: return "starts a thread or a process";
    case SYS_kill:
    case SYS_tkill: return "sends a signal";
#endif
    case SYS_tgkill: return "sends a signal";
    default: return fmt::format("makes system call number {}", number);
  }
}

}  // namespace simt
