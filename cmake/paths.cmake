# Generates warpcheck_paths.hpp, which tells the binary where its subjects and headers are.
set(warpcheck_generated_dir "${PROJECT_BINARY_DIR}/generated")
set(warpcheck_subjects_dir "${PROJECT_BINARY_DIR}/subjects")
set(warpcheck_subjects_destination "${CMAKE_INSTALL_LIBDIR}/warpcheck/subjects")
set(warpcheck_exec_dir "${PROJECT_BINARY_DIR}/exec")
set(warpcheck_exec_destination "${CMAKE_INSTALL_LIBDIR}/warpcheck/exec")
set(warpcheck_data_destination "${CMAKE_INSTALL_DATADIR}/warpcheck")
# Where installed files are, seen from the folder of the installed binary.
file(RELATIVE_PATH warpcheck_bin_to_subjects "/${CMAKE_INSTALL_BINDIR}"
     "/${warpcheck_subjects_destination}")
file(RELATIVE_PATH warpcheck_bin_to_exec "/${CMAKE_INSTALL_BINDIR}" "/${warpcheck_exec_destination}")
file(RELATIVE_PATH warpcheck_bin_to_include "/${CMAKE_INSTALL_BINDIR}"
     "/${CMAKE_INSTALL_INCLUDEDIR}")
file(RELATIVE_PATH warpcheck_bin_to_data "/${CMAKE_INSTALL_BINDIR}"
     "/${warpcheck_data_destination}")
configure_file("${PROJECT_SOURCE_DIR}/cmake/warpcheck_paths.hpp.in"
               "${warpcheck_generated_dir}/warpcheck_paths.hpp" @ONLY)
