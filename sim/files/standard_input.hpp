// "-" in place of a file's name: standard input.
#pragma once

#include <filesystem>

namespace simt {

inline bool is_standard_input(const std::filesystem::path& file) { return file == "-"; }

/// The file to open for a name that a user has given.
inline std::filesystem::path file_to_open(const std::filesystem::path& file) {
  return is_standard_input(file) ? std::filesystem::path("/dev/stdin") : file;
}

/// A name without folder and extension, for files that are written because of this one.
inline std::filesystem::path stem_of(const std::filesystem::path& file) {
  return is_standard_input(file) ? std::filesystem::path("stdin") : file.stem();
}

}  // namespace simt
