# Where ccache is installed, it keeps compiled files: another build, of another checkout too, takes a fraction of the
# time. A precompiled header has other bytes in each folder, so ccache would find nothing that was compiled with it.
# Continuous integration builds from nothing, where precompiled headers save more than ccache.
find_program(WARPCHECK_CCACHE ccache)
mark_as_advanced(WARPCHECK_CCACHE)
if(WARPCHECK_CCACHE AND NOT "$ENV{CI}" AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=true
                                  "${WARPCHECK_CCACHE}")
  set(WARPCHECK_PRECOMPILE OFF)
endif()
