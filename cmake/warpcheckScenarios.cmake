# warpcheck_add_scenarios: makes a test of ctest of each run of scenario files.
#
#   warpcheck_add_scenarios([NAME <name>] {FILES <file>... | DIRECTORY <folder>}
#                           [OPTIONS <option>...] [LABELS <label>...] [TIMEOUT <seconds>]
#                           [RESULTS <folder>] [LEFT_OUT <file>])
#
#   NAME       what names of tests begin with: <name>/<scenario>/<run>, for example
#              warpcheck/locks/tas/stack-sc-fair. Without it: warpcheck. <scenario> is the file
#              without .toml, relative to DIRECTORY or to the current source folder; <run> is what
#              `warpcheck list FILE` shows.
#   FILES      scenario files, relative to the current source folder
#   DIRECTORY  all .toml files below the folder
#   OPTIONS    further options of `warpcheck run`, for example --time 2m. A test uses one thread, or
#              as many as --threads says, and then takes as many of ctest's slots.
#   LABELS     for ctest -L. The label warpcheck is always there.
#   TIMEOUT    of ctest. To be told what was covered use OPTIONS --time.
#   RESULTS    folder, relative to the current binary folder, where each test leaves
#              <scenario>/<run>.json, as `run --results` writes it, and its counterexamples in
#              <scenario>/<run>/. It is emptied before. The tests are the setup of a fixture of ctest
#              named <name>_results, for tests that need them all.
#   LEFT_OUT   a file, read when ctest starts: each line is <scenario>/<run> of a run that is no test.
#
# The runs are listed when ctest starts, not when CMake configures. Scenarios may change, come and go
# without a configuration, and the same project may build the program. A scenario that cannot be read
# is a test that fails and says why.
#
# A test passes where `warpcheck run` exits with 0: the run ended as expected. Inconclusive is not that.

set(WARPCHECK_SCENARIO_TESTS "${CMAKE_CURRENT_LIST_DIR}/warpcheckScenarioTests.cmake")

function(warpcheck_add_scenarios)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;DIRECTORY;TIMEOUT;RESULTS;LEFT_OUT" "FILES;OPTIONS;LABELS")
  set(me "warpcheck_add_scenarios")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${me}: unknown argument \"${arg_UNPARSED_ARGUMENTS}\"; it takes NAME, "
                        "FILES or DIRECTORY, OPTIONS, LABELS, TIMEOUT, RESULTS and LEFT_OUT")
  endif()
  if(arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "${me}: nothing follows ${arg_KEYWORDS_MISSING_VALUES}")
  endif()
  if(DEFINED arg_FILES AND DEFINED arg_DIRECTORY OR NOT DEFINED arg_FILES AND NOT DEFINED arg_DIRECTORY)
    message(FATAL_ERROR "${me}: give it either FILES or DIRECTORY")
  endif()
  if(NOT DEFINED arg_NAME)
    set(arg_NAME "warpcheck")
  endif()

  set(base "${CMAKE_CURRENT_SOURCE_DIR}")
  if(DEFINED arg_DIRECTORY)
    cmake_path(ABSOLUTE_PATH arg_DIRECTORY BASE_DIRECTORY "${base}" NORMALIZE)
    set(base "${arg_DIRECTORY}")
    set(scenarios "${arg_DIRECTORY}")
  endif()
  foreach(file IN LISTS arg_FILES)
    cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY "${base}" NORMALIZE)
    list(APPEND scenarios "${file}")
  endforeach()
  foreach(scenario IN LISTS scenarios)
    if(NOT EXISTS "${scenario}")
      message(FATAL_ERROR "${me}: there is no ${scenario}")
    endif()
  endforeach()

  if(DEFINED arg_RESULTS)
    cmake_path(ABSOLUTE_PATH arg_RESULTS BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}" NORMALIZE)
  endif()

  # How many threads, and so processors, a test takes.
  set(threads 1)
  list(FIND arg_OPTIONS "--threads" at)
  if(at EQUAL -1)
    list(APPEND arg_OPTIONS --threads ${threads})
  else()
    math(EXPR at "${at} + 1")
    list(LENGTH arg_OPTIONS length)
    if(at EQUAL length)
      message(FATAL_ERROR "${me}: nothing follows --threads")
    endif()
    list(GET arg_OPTIONS ${at} threads)
  endif()

  get_property(count DIRECTORY PROPERTY warpcheck_scenario_tests)
  math(EXPR count "0${count} + 1")
  set_property(DIRECTORY PROPERTY warpcheck_scenario_tests ${count})
  set(script "${CMAKE_CURRENT_BINARY_DIR}/warpcheck_scenarios_${count}.cmake")
  string(CONCAT text
    "include([==[${WARPCHECK_SCENARIO_TESTS}]==])\n"
    "warpcheck_scenario_tests([==[$<TARGET_FILE:warpcheck::warpcheck>]==] [==[${arg_NAME}]==]\n"
    "  [==[${CMAKE_CURRENT_SOURCE_DIR}]==] [==[${base}]==] [==[${scenarios}]==]\n"
    "  [==[${arg_OPTIONS}]==] [==[warpcheck;${arg_LABELS}]==] [==[${threads}]==] [==[${arg_TIMEOUT}]==]\n"
    "  [==[${arg_RESULTS}]==] [==[${CMAKE_COMMAND}]==] [==[${arg_LEFT_OUT}]==])\n")
  file(GENERATE OUTPUT "${script}" CONTENT "${text}")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${script}")
endfunction()
