// Says what a name stands for that should be a plain file, for messages.
#pragma once

#include <filesystem>
#include <string>

namespace simt {

/// "is a folder", "is a device", "is a pipe", "is a socket"; "is no file" if it is something else
/// or cannot be found. Empty: it is a plain file, or a link to one. Never throws a filesystem
/// error.
std::string in_place_of_file(const std::filesystem::path& name);

/// "no such file", or what the name stands for, and the remedy. Empty: it is a plain file.
std::string objection_to_file(const std::filesystem::path& name);

}  // namespace simt
