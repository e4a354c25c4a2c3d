// Files and folders that options name.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace warpcheck {

/// Writes the file as simt::write_whole does. `option` is named in the usage_error that is thrown
/// where it cannot be written.
void write_whole(const std::filesystem::path& file, std::string_view text,
                 const std::string& option);

/// Makes the folder where it is missing. Throws usage_error where nothing can be written to it,
/// before anything is done whose result would be lost.
void make_folder(const std::filesystem::path& folder, const std::string& option);

}  // namespace warpcheck
