// Lists the files that arguments of a command name.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace warpcheck {

/// Returns files as they are given, whether they exist or not. For a folder, returns its files that
/// end in `extension` (".toml"), recursively and sorted. Each file comes once, at its first place.
/// Throws usage_error for a folder that has none or cannot be read, and for a name that is not
/// UTF-8. `what` names the files in messages: "scenarios".
std::vector<std::filesystem::path> named_files(const std::vector<std::filesystem::path>& arguments,
                                               std::string_view extension, std::string_view what);

}  // namespace warpcheck
