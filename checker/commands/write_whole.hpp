// Files that others read while, or after, we write them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace warpcheck {

/// Writes `text` so that whoever opens `file` finds the old content or the new one, never a part,
/// even if the process is killed. Makes the folder where it is missing. `option` is named in the
/// usage_error that is thrown where the file cannot be written.
void write_whole(const std::filesystem::path& file, std::string_view text,
                 const std::string& option);

}  // namespace warpcheck
