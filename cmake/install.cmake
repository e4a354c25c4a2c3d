# cmake --install, and find_package(warpcheck): the targets warpcheck::simt_api and
# warpcheck::warpcheck, and warpcheck_add_scenarios.
include(CMakePackageConfigHelpers)
set(config_destination "${CMAKE_INSTALL_LIBDIR}/cmake/warpcheck")

install(TARGETS warpcheck_cli EXPORT warpcheck_targets RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(TARGETS simt_api EXPORT warpcheck_targets)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/sim/include/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(DIRECTORY "${warpcheck_subjects_dir}/" DESTINATION "${warpcheck_subjects_destination}"
        OPTIONAL PATTERN "*.d" EXCLUDE)
install(TARGETS exec_driver exec_runtime LIBRARY DESTINATION "${warpcheck_exec_destination}")
install(TARGETS exec_carry_out RUNTIME DESTINATION "${warpcheck_exec_destination}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/scenarios" "${PROJECT_SOURCE_DIR}/algorithms"
                  "${PROJECT_SOURCE_DIR}/hardware"
        DESTINATION "${warpcheck_data_destination}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs/schema" DESTINATION "${warpcheck_data_destination}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs" DESTINATION "${CMAKE_INSTALL_DOCDIR}"
        PATTERN "schema" EXCLUDE PATTERN "hardware" EXCLUDE)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/examples" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(FILES "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/CHANGELOG.md"
        DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}" RENAME copyright)
install(EXPORT warpcheck_targets NAMESPACE warpcheck:: DESTINATION "${config_destination}"
        FILE warpcheckTargets.cmake)
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/warpcheckConfig.cmake.in"
  "${warpcheck_generated_dir}/warpcheckConfig.cmake" INSTALL_DESTINATION "${config_destination}")
write_basic_package_version_file("${warpcheck_generated_dir}/warpcheckConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${warpcheck_generated_dir}/warpcheckConfig.cmake"
              "${warpcheck_generated_dir}/warpcheckConfigVersion.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/warpcheckScenarios.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/warpcheckScenarioTests.cmake"
        DESTINATION "${config_destination}")
