# Finds the CUDA compiler: WARPCHECK_NVCC is its path, or empty. CUDA is no language of the project. nvcc is called for
# subjects only, by tests and by `warpcheck hardware`.
find_program(WARPCHECK_NVCC nvcc HINTS ENV CUDA_HOME ENV CUDA_PATH PATHS /usr/local/cuda
             PATH_SUFFIXES bin DOC "The CUDA compiler")
if(NOT WARPCHECK_NVCC)
  set(WARPCHECK_NVCC "" CACHE FILEPATH "The CUDA compiler" FORCE)
  if(WARPCHECK_CUDA)
    message(FATAL_ERROR "WARPCHECK_CUDA is ON, but there is no nvcc: install the CUDA Toolkit, or set WARPCHECK_NVCC")
  endif()
  message(STATUS "nvcc not found: what needs it is skipped")
endif()
