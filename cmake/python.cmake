# Installs the Python module, and the entry point that registers its plugin with pytest.
set(warpcheck_python_destination "lib/python3/dist-packages")  # where Debian's Python looks, below its prefix
install(DIRECTORY "${PROJECT_SOURCE_DIR}/python/warpcheck" DESTINATION "${warpcheck_python_destination}"
        FILES_MATCHING PATTERN "*.py")
set(metadata "${warpcheck_generated_dir}/warpcheck-${PROJECT_VERSION}.dist-info")
file(WRITE "${metadata}/METADATA" "Metadata-Version: 2.1\nName: warpcheck\nVersion: ${PROJECT_VERSION}\n\
Summary: Runs warpcheck, a model checker for GPU synchronization, and returns its results\n")
file(WRITE "${metadata}/entry_points.txt" "[pytest11]\nwarpcheck = warpcheck.pytest_plugin\n")
install(DIRECTORY "${metadata}" DESTINATION "${warpcheck_python_destination}")
