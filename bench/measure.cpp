// Runs a command and measures it. The kernel counts as a process's peak memory also what its parent
// had at the fork. So the parent must be small: this program, not a script.
//
// usage: measure DESCRIPTOR SECONDS BYTES COMMAND…
//
// Kills the command after SECONDS, and lets it allocate BYTES of address space at most (0: any).
// Writes to the file DESCRIPTOR: wait status, 1 if killed for time, wall seconds, CPU seconds, peak
// KiB.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

namespace {

volatile sig_atomic_t late = 0;
pid_t child = 0;

void stop_child(int) {
  late = 1;
  kill(child, SIGKILL);
}

double now() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

double seconds(const timeval& t) {
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) return 2;
  const int out = atoi(argv[1]);
  const double limit = atof(argv[2]);
  const rlim_t bytes = strtoull(argv[3], nullptr, 10);
  const double begin = now();
  child = fork();
  if (child < 0) return 2;
  if (child == 0) {
    close(out);
    const rlimit most{bytes, bytes};
    if (bytes != 0) setrlimit(RLIMIT_AS, &most);
    execv(argv[4], argv + 4);
    _exit(127);
  }
  signal(SIGALRM, stop_child);
  itimerval alarm{};
  alarm.it_value.tv_sec = static_cast<time_t>(limit);
  alarm.it_value.tv_usec =
      static_cast<suseconds_t>((limit - static_cast<double>(alarm.it_value.tv_sec)) * 1e6) + 1;
  setitimer(ITIMER_REAL, &alarm, nullptr);
  int status = 0;
  rusage usage{};
  while (wait4(child, &status, 0, &usage) != child) {
  }
  dprintf(out, "%d %d %.6f %.6f %ld\n", status, static_cast<int>(late), now() - begin,
          seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_maxrss);
  return 0;
}
