# Run by ctest, for warpcheck_add_scenarios (warpcheckScenarios.cmake): asks the program what runs the
# scenarios have, and adds a test for each.
cmake_minimum_required(VERSION 3.25)

# Adds a test of a command. Takes `prefix`, `folder`, `labels`, `timeout` and `results` from its caller.
function(warpcheck_scenario_test name processors)
  add_test("${name}" ${ARGN})
  set_tests_properties("${name}" PROPERTIES WORKING_DIRECTORY "${folder}" LABELS "${labels}"
                       PROCESSORS "${processors}")
  if(NOT timeout STREQUAL "")
    set_tests_properties("${name}" PROPERTIES TIMEOUT "${timeout}")
  endif()
  if(NOT results STREQUAL "")
    set_tests_properties("${name}" PROPERTIES FIXTURES_REQUIRED "${prefix}_emptied"
                         FIXTURES_SETUP "${prefix}_results")
  endif()
endfunction()

# Sets `path` to the absolute path of a listed file, and `scenario` to its name in tests.
function(warpcheck_scenario_names file base)
  cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY "${base}" NORMALIZE)
  set(path "${file}" PARENT_SCOPE)
  cmake_path(RELATIVE_PATH file BASE_DIRECTORY "${base}")
  string(REGEX REPLACE "\\.toml$" "" scenario "${file}")
  set(scenario "${scenario}" PARENT_SCOPE)
endfunction()

# folder: where tests run. base: what names of scenarios are relative to. results: a folder, or empty.
# left_out: a file with the names of runs that are no tests, or empty.
function(warpcheck_scenario_tests program prefix folder base scenarios options labels threads timeout results
         cmake left_out)
  if(NOT EXISTS "${program}")
    add_test("${prefix}/warpcheck-is-not-built" "${program}")  # fails: ctest does not find it
    return()
  endif()
  execute_process(COMMAND "${program}" list --json ${scenarios} WORKING_DIRECTORY "${base}"
                  OUTPUT_VARIABLE listed ERROR_QUIET)
  string(JSON count ERROR_VARIABLE not_json LENGTH "${listed}" scenarios)
  if(not_json)
    # Fails the same way, and shows why.
    warpcheck_scenario_test("${prefix}/list" 1 "${program}" list --json ${scenarios})
    return()
  endif()

  if(NOT results STREQUAL "")
    add_test("${prefix}/results-emptied" "${cmake}" -E rm -rf "${results}")
    set_tests_properties("${prefix}/results-emptied" PROPERTIES FIXTURES_SETUP "${prefix}_emptied")
  endif()

  set(names_left_out "")
  if(NOT left_out STREQUAL "")
    file(STRINGS "${left_out}" names_left_out)
  endif()

  string(JSON scenarios_listed GET "${listed}" scenarios)
  set(i 0)
  while(i LESS count)
    string(JSON one GET "${scenarios_listed}" ${i})  # CMake parses all of the text each time
    string(JSON file GET "${one}" file)
    string(JSON runs GET "${one}" runs)
    warpcheck_scenario_names("${file}" "${base}")
    set(j 0)
    while(j LESS runs)
      string(JSON run GET "${one}" run_names ${j})
      math(EXPR j "${j} + 1")
      if("${scenario}/${run}" IN_LIST names_left_out)
        continue()
      endif()
      set(kept "")
      if(NOT results STREQUAL "")
        set(kept --results "${results}/${scenario}/${run}.json"
                 --counterexamples "${results}/${scenario}/${run}")
      endif()
      warpcheck_scenario_test("${prefix}/${scenario}/${run}" "${threads}"
                              "${program}" run "${path}" --only "${run}" ${options} ${kept})
    endwhile()
    math(EXPR i "${i} + 1")
  endwhile()

  # A scenario that cannot be read becomes a test that fails and says why.
  string(JSON count LENGTH "${listed}" refused)
  set(i 0)
  while(i LESS count)
    string(JSON file GET "${listed}" refused ${i} file)
    warpcheck_scenario_names("${file}" "${base}")
    warpcheck_scenario_test("${prefix}/${scenario}" 1 "${program}" run "${path}" ${options})
    math(EXPR i "${i} + 1")
  endwhile()
endfunction()
