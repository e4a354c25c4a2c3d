# Everything that the host side links, all from Debian 12 (tools/setup installs it).
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(Boost 1.81 REQUIRED COMPONENTS context)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(CLI11 REQUIRED)
find_package(pugixml REQUIRED)
pkg_check_modules(libdw REQUIRED IMPORTED_TARGET libdw libelf)
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)
if(WARPCHECK_TESTS)
  find_package(doctest REQUIRED)
endif()

# The compiler of subjects: used at build time for the shipped ones, at run time for the user's.
find_program(WARPCHECK_CLANG clang++-19 REQUIRED)
find_program(WARPCHECK_OPT opt-19 PATHS /usr/lib/llvm-19/bin REQUIRED)
