// The files that arguments of a command name.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace warpcheck {

/// Files as they are given, whether they exist or not, and those of folders, recursively, that end
/// in `extension` (".toml"), sorted; each once, where it comes first. Throws usage_error where a
/// folder has none, or cannot be read, and for a name that is not UTF-8; `what` it should have:
/// "scenarios".
std::vector<std::filesystem::path> named_files(const std::vector<std::filesystem::path>& arguments,
                                               std::string_view extension, std::string_view what);

}  // namespace warpcheck
