// What a name stands for that should be a plain file, for messages.
#pragma once

#include <filesystem>
#include <string>

namespace simt {

/// "is a folder", "is a device", "is a pipe", "is a socket"; "is no file" where nothing can be
/// found out. Empty: it is a plain file, or a link to one. Throws nothing of the file system's.
std::string in_place_of_file(const std::filesystem::path& name);

/// "no such file", or what it is, and the remedy. Empty: it is a plain file.
std::string objection_to_file(const std::filesystem::path& name);

}  // namespace simt
