// Lets "-" in place of a file's name stand for standard input.
#pragma once

#include <filesystem>

namespace simt {

inline bool is_standard_input(const std::filesystem::path& file) { return file == "-"; }

/// The file to open for a name that a user has given.
inline std::filesystem::path file_to_open(const std::filesystem::path& file) {
  return is_standard_input(file) ? std::filesystem::path("/dev/stdin") : file;
}

/// The name without folder and extension, from which names of further files are made.
inline std::filesystem::path stem_of(const std::filesystem::path& file) {
  return is_standard_input(file) ? std::filesystem::path("stdin") : file.stem();
}

}  // namespace simt
