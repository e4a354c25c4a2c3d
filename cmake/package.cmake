# The Debian package: cpack -G DEB in a build tree (preset `package`, tools/release). dpkg-shlibdeps finds the shared
# libraries that it needs. The compiler of subjects is a program that warpcheck starts.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME warpcheck)
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGE_CONTACT "warpcheck maintainers <maintainers@warpcheck.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
    "It enumerates what a GPU may do with a lock, a barrier or a kernel: how warps\n\
diverge and reconverge, which lane runs next, which block starts when, and\n\
what weak memory lets a load read. Does the code always finish, and is the\n\
result always right? A GPU or CUDA is not needed.")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "clang-19, llvm-19")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "graphviz, python3")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake, python3-pytest, nvidia-cuda-toolkit")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
# Subjects keep their debug information: it has the places in the source that reports show.
set(CPACK_STRIP_FILES OFF)
include(CPack)
