# Shipped subjects: algorithms/<family>/<name>.hpp becomes <build>/subjects/<family>/<name>.so, by
# the same code that compiles a user's `source` at run time. Without WARPCHECK_SUBJECTS, warpcheck
# compiles each when it is first used.
add_executable(warpcheck_compile_subject "${PROJECT_SOURCE_DIR}/tools/compile_subject.cpp")
target_link_libraries(warpcheck_compile_subject PRIVATE warpcheck_options simt_sim)

file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/algorithms"
     "${PROJECT_SOURCE_DIR}/algorithms/*.hpp")
# An object depends on its source and on how it is compiled, not on the rest of the simulator. So
# linking the tool anew compiles no subject again.
file(GLOB compiling CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/sim/compile/*")
set(shared_objects)
foreach(header IN LISTS headers)
  set(path "${PROJECT_SOURCE_DIR}/algorithms/${header}")
  # Headers without SIMT_SUBJECT are there to be included.
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${path}")
  file(STRINGS "${path}" subject_lines REGEX "^SIMT_SUBJECT")
  if(NOT subject_lines)
    continue()
  endif()
  string(REGEX REPLACE "\\.hpp$" "" subject "${header}")
  set(output "${warpcheck_subjects_dir}/${subject}.so")
  add_custom_command(
    OUTPUT "${output}"
    COMMAND warpcheck_compile_subject "${path}" "${output}" --depfile "${output}.d"
    DEPENDS "${path}" ${compiling}
    DEPFILE "${output}.d"
    COMMENT "Compiling subject ${subject}"
    VERBATIM)
  list(APPEND shared_objects "${output}")
endforeach()
set(all)
if(WARPCHECK_SUBJECTS)
  set(all ALL)
endif()
add_custom_target(warpcheck_subjects ${all} DEPENDS ${shared_objects})
