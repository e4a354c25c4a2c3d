# Installs the manual page and the completions of shells. The program prints them from its description of the options.
set(warpcheck_manual_dir "${PROJECT_BINARY_DIR}/manual")
set(manual_files)
function(warpcheck_printed file)
  set(output "${warpcheck_manual_dir}/${file}")
  cmake_path(GET output PARENT_PATH folder)
  file(MAKE_DIRECTORY "${folder}")
  add_custom_command(OUTPUT "${output}"
    COMMAND "$<TARGET_FILE:warpcheck_cli>" help ${ARGN} > "${output}"
    DEPENDS warpcheck_cli COMMENT "Writing ${file}" VERBATIM)
  set(manual_files ${manual_files} "${output}" PARENT_SCOPE)
endfunction()
warpcheck_printed(warpcheck.1 --man)
warpcheck_printed(bash/warpcheck --completion bash)
warpcheck_printed(zsh/_warpcheck --completion zsh)
warpcheck_printed(fish/warpcheck.fish --completion fish)
add_custom_target(warpcheck_manual ALL DEPENDS ${manual_files})

install(FILES "${warpcheck_manual_dir}/warpcheck.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
install(FILES "${warpcheck_manual_dir}/bash/warpcheck"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
install(FILES "${warpcheck_manual_dir}/zsh/_warpcheck" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions")
install(FILES "${warpcheck_manual_dir}/fish/warpcheck.fish"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
