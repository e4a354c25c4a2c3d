// Compiles one subject, as the build does for each shipped one:
//   warpcheck_compile_subject SOURCE OUTPUT.so [--depfile FILE]
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string_view>

#include "sim/compile/compile.hpp"

int main(int argc, char** argv) {
  if (argc != 3 && !(argc == 5 && std::string_view(argv[3]) == "--depfile")) {
    std::fputs("usage: warpcheck_compile_subject SOURCE OUTPUT.so [--depfile FILE]\n", stderr);
    return 2;
  }
  try {
    const std::filesystem::path output = argv[2];
    if (output.has_parent_path()) std::filesystem::create_directories(output.parent_path());
    simt::compile_subject_to(argv[1], output, argc == 5 ? argv[4] : "");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
