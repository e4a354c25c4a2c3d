# cmake -DNVCC=... -DPROJECT=... -DOUTPUT=... -DWARPCHECK=... -P subjects_with_nvcc.cmake
# Compiles every shipped subject, with the GPU runner, for every architecture that is supported. One
# program holds them all: nvcc then starts once. Then once more as they are measured, for one of the
# architectures, and the programs that measure other things. Unless everything is asked for: locks/tas,
# a tenth of the others, and the programs that are due, for one architecture each.
if(NOT NVCC)
  message("skipped: nvcc was not found when the project was configured")
  return()
endif()

file(GLOB headers "${PROJECT}/algorithms/*/*.hpp" "${PROJECT}/algorithms/*/*/*.hpp")
if(NOT headers)
  message(FATAL_ERROR "no subjects in ${PROJECT}/algorithms")
endif()
set(includes "#include \"${PROJECT}/tests/api/every_operation.hpp\"\n")
include("${CMAKE_CURRENT_LIST_DIR}/../scenarios/due.cmake")
set(all "${headers}")
set(headers "")
foreach(header IN LISTS all)
  cmake_path(RELATIVE_PATH header BASE_DIRECTORY "${PROJECT}" OUTPUT_VARIABLE name)
  is_due("${name}" due)
  if(due OR header MATCHES "/locks/tas\\.hpp$")
    list(APPEND headers "${header}")
  endif()
endforeach()
foreach(header IN LISTS headers)
  string(APPEND includes "#include \"${header}\"\n")
endforeach()
file(WRITE "${OUTPUT}.hpp" "${includes}")

function(compile)
  execute_process(
    COMMAND "${NVCC}" -std=c++20 --Werror all-warnings -Xcompiler -Wall,-Wextra,-Werror ${ARGN}
    RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "nvcc failed: ${status}")
  endif()
endfunction()

set(targets "")
set(architectures 75)  # the first tier; the oldest one has no instructions for reductions
if(DEFINED ENV{WARPCHECK_THOROUGH})
  set(architectures 75 80 86 89 90)
endif()
foreach(architecture IN LISTS architectures)
  list(APPEND targets -gencode "arch=compute_${architecture},code=sm_${architecture}")
endforeach()
set(runner "-I${PROJECT}/sim/include" -include "${OUTPUT}.hpp" "${PROJECT}/hardware/runner.cu")
compile(${targets} ${runner} -o "${OUTPUT}")
is_due("hardware/runner.cu, measured" due)
if(due)
  compile(-arch=sm_90 -DSIMT_MEASURED ${runner} -o "${OUTPUT}_measured")
endif()
compile(-arch=sm_90 "${PROJECT}/hardware/accesses.cu" -o "${OUTPUT}_accesses")
foreach(program IN ITEMS table list sorting sets queues graphs octree stm deques move sums priority_queues work_items
        sorting_parameters branch_order)
  is_due("hardware/${program}.cu" due)
  if(due OR program STREQUAL table)
    file(GLOB on_cpu "${PROJECT}/hardware/${program}_cpu.cpp")
    compile(-arch=sm_90 -DSIMT_MEASURED "-I${PROJECT}/sim/include" "-I${PROJECT}/algorithms"
            "${PROJECT}/hardware/${program}.cu" ${on_cpu} -o "${OUTPUT}_${program}")
  endif()
endforeach()

# The program must know each subject, by its header's name.
execute_process(COMMAND "${OUTPUT}" --list OUTPUT_VARIABLE known RESULT_VARIABLE status)
foreach(header IN LISTS headers)
  file(STRINGS "${header}" registered REGEX "^SIMT_SUBJECT")
  get_filename_component(name "${header}" NAME_WE)
  if(registered AND NOT known MATCHES "\"subject\": \"${name}\"")
    message(FATAL_ERROR "${header} does not register a subject of its own name")
  endif()
endforeach()

# For each of them there are kernels in the PTX for runs under stack, under the names that it looks for.
file(WRITE "${OUTPUT}.toml" "title = \"All\"\nsource = \"${OUTPUT}.hpp\"\nsubject = \"tas\"\n\
workload = \"counter\"\n[[run]]\nmemory = \"sc\"\nreconvergence = \"stack\"\n")
file(REMOVE_RECURSE "${OUTPUT}_ptx")
execute_process(COMMAND "${WARPCHECK}" hardware "${OUTPUT}.toml" --prepare "${OUTPUT}_ptx"
                RESULT_VARIABLE status)
file(GLOB ptx "${OUTPUT}_ptx/*.ptx")
list(LENGTH ptx count)
if(NOT status EQUAL 0 OR NOT count EQUAL 2)
  message(FATAL_ERROR "no PTX: ${status}, ${ptx}")
endif()
foreach(file IN LISTS ptx)
  execute_process(COMMAND "${OUTPUT}" --list "${file}" OUTPUT_VARIABLE with_kernels)
  if(NOT with_kernels STREQUAL known)
    message(FATAL_ERROR "${file} has kernels for these only: ${with_kernels}")
  endif()
endforeach()
