# How our libraries and executables are made.

# warpcheck_precompile(NAME [QUICK] LINKS ... HEADERS ...): a target whose parsed headers other targets take by
# warpcheck_precompiled. Reading headers is a third and more of the time that a file takes to compile. Without
# WARPCHECK_PRECOMPILE, as in the preset dev, each file is compiled as it stands, which shows a missing include. All
# targets that share headers must be optimized alike: GCC 12 crashes if they are not.
function(warpcheck_precompile name)
  cmake_parse_arguments(PARSE_ARGV 1 its "QUICK" "" "LINKS;HEADERS")
  # A library needs a source.
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp")
  file(GENERATE OUTPUT "${source}" CONTENT "")
  add_library(${name} OBJECT EXCLUDE_FROM_ALL "${source}")
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}" "${warpcheck_generated_dir}")
  target_link_libraries(${name} PRIVATE warpcheck_options ${its_LINKS})
  if(its_QUICK)
    warpcheck_is_quick_to_build(${name})
  endif()
  if(WARPCHECK_PRECOMPILE)
    target_precompile_headers(${name} PRIVATE ${its_HEADERS})
  endif()
endfunction()

function(warpcheck_precompiled name from)
  if(WARPCHECK_PRECOMPILE)
    set_target_properties(${name} PROPERTIES DEFINE_SYMBOL "")
    target_precompile_headers(${name} REUSE_FROM ${from})
  endif()
endfunction()

# Optimizes the sources of a target less. Optimization takes a third of the time of a compilation, and these targets
# have no loops over states.
function(warpcheck_is_quick_to_build name)
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# A library of the sources that match the globs (relative to the current folder). type: STATIC or OBJECT.
function(warpcheck_library name type)
  file(GLOB sources CONFIGURE_DEPENDS ${ARGN})
  warpcheck_join(sources ${name})
  add_library(${name} ${type} ${sources})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  target_include_directories(${name} PUBLIC "${PROJECT_SOURCE_DIR}" "${warpcheck_generated_dir}")
  target_link_libraries(${name} PRIVATE warpcheck_options)
endfunction()

# With CMAKE_UNITY_BUILD, replaces the sources of a list by files that each include up to 12 sources of one folder, so
# that these are compiled together. A name in an anonymous namespace must be unique in its folder. CMake's own unity
# builds include absolute paths, so ccache would not find their objects in another checkout.
function(warpcheck_join list name)
  if(NOT warpcheck_joins)
    return()
  endif()
  set(all)
  foreach(source IN LISTS ${list})
    cmake_path(ABSOLUTE_PATH source NORMALIZE)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${PROJECT_SOURCE_DIR}")
    cmake_path(GET source PARENT_PATH folder)
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    math(EXPR together "0${count_${folder}} / 12")
    math(EXPR count_${folder} "0${count_${folder}} + 1")
    set(joined "${CMAKE_CURRENT_BINARY_DIR}/joined/${name}/${folder}_${together}.cpp")
    list(APPEND all "${joined}")
    string(APPEND text_${folder}_${together} "#include \"${source}\"\n")
    set(group_${joined} ${folder}_${together})
  endforeach()
  list(REMOVE_DUPLICATES all)
  foreach(joined IN LISTS all)
    file(GENERATE OUTPUT "${joined}" CONTENT "${text_${group_${joined}}}")
  endforeach()
  set(${list} ${all} PARENT_SCOPE)
endfunction()

# Joins tests like warpcheck_join. Tests use names again, so each is included in a namespace of its own, behind all
# headers. Tests that define names in a named namespace, or names of C, are compiled alone.
function(warpcheck_join_tests list name)
  if(NOT warpcheck_joins)
    return()
  endif()
  set(alone)
  set(together 0)
  foreach(source IN LISTS ${list})
    cmake_path(ABSOLUTE_PATH source NORMALIZE)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${source}")
    file(STRINGS "${source}" named REGEX "^(namespace [a-z_:]+ {|extern )")
    cmake_path(GET source STEM stem)
    if(named OR NOT stem MATCHES "_test$")
      list(APPEND alone "${source}")
      continue()
    endif()
    file(STRINGS "${source}" headers REGEX "^#include")
    math(EXPR group "${together} / 12")
    math(EXPR together "${together} + 1")
    list(APPEND headers_${group} ${headers})
    string(APPEND tests_${group} "namespace ${stem} {\n#include \"${source}\"\n}\n")
  endforeach()
  math(EXPR groups "(${together} + 11) / 12")
  foreach(group RANGE ${groups})
    if(DEFINED tests_${group})
      list(REMOVE_DUPLICATES headers_${group})
      list(JOIN headers_${group} "\n" headers)
      set(joined "${CMAKE_CURRENT_BINARY_DIR}/joined/${name}_${group}.cpp")
      file(GENERATE OUTPUT "${joined}" CONTENT "${headers}\n${tests_${group}}")
      list(APPEND alone "${joined}")
    endif()
  endforeach()
  set(${list} ${alone} PARENT_SCOPE)
endfunction()

# Lets an executable load subjects: they call the simulator's hooks, so the executable's symbols must be visible.
function(warpcheck_hosts_subjects name)
  target_link_libraries(${name} PRIVATE simt_sim)
  set_target_properties(${name} PROPERTIES ENABLE_EXPORTS ON)
endfunction()

# warpcheck_test(name sources...): an executable that can load subjects, with doctest's main; each
# source that ends in _test.cpp becomes a test of ctest, named name/<file without _test.cpp>.
function(warpcheck_test name)
  set(sources ${ARGN})
  warpcheck_join_tests(sources test_${name})
  add_executable(test_${name} ${sources} $<TARGET_OBJECTS:warpcheck_test_main>)
  target_link_libraries(test_${name} PRIVATE warpcheck_options warpcheck_checker doctest::doctest)
  target_include_directories(test_${name} PRIVATE "${PROJECT_SOURCE_DIR}")
  warpcheck_is_quick_to_build(test_${name})
  warpcheck_hosts_subjects(test_${name})
  warpcheck_precompiled(test_${name} warpcheck_test_headers)
  if(TARGET warpcheck_subjects)
    add_dependencies(test_${name} warpcheck_subjects)
  endif()
  foreach(source IN LISTS ARGN)
    if(source MATCHES "([^/]+)_test\\.cpp$")
      set(test "${name}/${CMAKE_MATCH_1}")
      add_test(NAME ${test} COMMAND test_${name} --source-file=*/${CMAKE_MATCH_1}_test.cpp
               WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
      # Names of executables for tests that start one.
      set_property(TEST ${test} PROPERTY ENVIRONMENT
        "WARPCHECK_BINARY=$<TARGET_FILE:warpcheck_cli>"
        "WARPCHECK_COMPILE_SUBJECT=$<TARGET_FILE:warpcheck_compile_subject>")
    endif()
  endforeach()
endfunction()
