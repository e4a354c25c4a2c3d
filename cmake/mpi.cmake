# Open MPI, for explorations, searches and sweeps by many processes (docs/cluster.md). Optional.
option(WARPCHECK_MPI "Use Open MPI where it is found" ON)
if(WARPCHECK_MPI)
  pkg_check_modules(ompi IMPORTED_TARGET ompi-c)
endif()
