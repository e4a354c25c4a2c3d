// warpcheck-carry-out OBJECT PLAN MEMORY: carries out one launch of a kernel in the memory of the
// program that asked for the launch. `warpcheck exec` starts it. MEMORY is a file descriptor.
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "exec/carry/grid.hpp"
#include "exec/carry/registered.hpp"
#include "exec/wire/wire.hpp"

namespace warpcheck::carry {

registrations& registered() {
  static registrations all;
  return all;
}

namespace {

[[noreturn]] void refuse(const char* what) {
  std::fprintf(stderr, "warpcheck exec: %s\n", what);
  std::_Exit(static_cast<int>(ended::unknown));
}

void run(const char* object, const char* plan_file, int memory) {
  void* const wanted = reinterpret_cast<void*>(wire::memory_begin);
  if (::mmap(wanted, wire::memory_size, PROT_READ | PROT_WRITE,
             MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, memory, 0) != wanted) {
    refuse("the memory of the program cannot be mapped");
  }
  if (::dlopen(object, RTLD_LAZY | RTLD_LOCAL) == nullptr) refuse(::dlerror());
  const simt::detail::subject_entry* const subject = registered().subject;
  if (subject == nullptr) refuse("the object of the kernel has no kernel");
  grid all(read_plan(plan_file), *subject, registered().shared);
  the_grid() = &all;
  const ended how = all.run();
  if (how == ended::stuck) write_waits(waits_beside(plan_file), all.waits());
  std::fflush(stdout);
  // Ends without destructors, because the fibers of a stuck grid never end.
  std::_Exit(static_cast<int>(how));
}

}  // namespace
}  // namespace warpcheck::carry

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: warpcheck-carry-out OBJECT PLAN MEMORY\n");
    return 2;
  }
  try {
    warpcheck::carry::run(argv[1], argv[2], std::atoi(argv[3]));
  } catch (const std::exception& error) {
    warpcheck::carry::refuse(error.what());
  }
}
