# cmake -DNVCC=... -DPROJECT=... -DOUTPUT=... -P subjects_with_nvcc.cmake
# Compiles every shipped subject, with the GPU runner, for every architecture that is supported. One
# program holds them all: nvcc then starts once. Then once more as they are measured, for one of the
# architectures, and the programs that measure other things.
if(NOT NVCC)
  message("skipped: nvcc was not found when the project was configured")
  return()
endif()

file(GLOB headers "${PROJECT}/algorithms/*/*.hpp")
if(NOT headers)
  message(FATAL_ERROR "no subjects in ${PROJECT}/algorithms")
endif()
set(includes "#include \"${PROJECT}/tests/api/every_operation.hpp\"\n")
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
foreach(architecture IN ITEMS 75 80 86 89 90)
  list(APPEND targets -gencode "arch=compute_${architecture},code=sm_${architecture}")
endforeach()
set(runner "-I${PROJECT}/sim/include" -include "${OUTPUT}.hpp" "${PROJECT}/hardware/runner.cu")
compile(${targets} ${runner} -o "${OUTPUT}")
compile(-arch=sm_90 -DSIMT_MEASURED ${runner} -o "${OUTPUT}_measured")
compile(-arch=sm_90 "${PROJECT}/hardware/accesses.cu" -o "${OUTPUT}_accesses")
compile(-arch=sm_90 -DSIMT_MEASURED "-I${PROJECT}/sim/include" "-I${PROJECT}/algorithms"
        "${PROJECT}/hardware/table.cu" -o "${OUTPUT}_table")

# The program must know each subject, by its header's name.
execute_process(COMMAND "${OUTPUT}" --list OUTPUT_VARIABLE known RESULT_VARIABLE status)
foreach(header IN LISTS headers)
  file(STRINGS "${header}" registered REGEX "^SIMT_SUBJECT")
  get_filename_component(name "${header}" NAME_WE)
  if(registered AND NOT known MATCHES "\"subject\": \"${name}\"")
    message(FATAL_ERROR "${header} does not register a subject of its own name")
  endif()
endforeach()
