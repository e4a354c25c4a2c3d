# warpcheck_options: the options that every target of ours is compiled with.
add_library(warpcheck_options INTERFACE)
target_compile_options(warpcheck_options INTERFACE -Wall -Wextra -Wconversion
                       # A new operation without its row in a table is no warning.
                       -Werror=switch
                       $<$<BOOL:${WARPCHECK_WERROR}>:-Werror>)

# GCC 12 sometimes warns that an optimized operator+ of a string is out of bounds (its bugs 105329 and
# 105651). It does so by chance: another folder of the checkout is enough to change it.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(warpcheck_options INTERFACE -Wno-array-bounds -Wno-restrict
                         -Wno-stringop-overflow -Wno-stringop-overread)
endif()

if(WARPCHECK_SANITIZE)
  target_compile_options(warpcheck_options INTERFACE -fsanitize=${WARPCHECK_SANITIZE}
                         -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  target_link_options(warpcheck_options INTERFACE -fsanitize=${WARPCHECK_SANITIZE})
endif()

if(WARPCHECK_LTO)
  include(CheckIPOSupported)
  check_ipo_supported(RESULT warpcheck_has_lto OUTPUT warpcheck_lto_message LANGUAGES CXX)
  if(warpcheck_has_lto)
    # A false alarm in fmt's inlined writers, and only if all is one unit.
    target_link_options(warpcheck_options INTERFACE -Wno-stringop-overflow)
    set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
  else()
    message(STATUS "No link-time optimization: ${warpcheck_lto_message}")
  endif()
endif()
