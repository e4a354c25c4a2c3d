// Writes files, and makes folders, that options name.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace warpcheck {

/// Writes the file as simt::write_whole does. If that fails, throws usage_error that names
/// `option`.
void write_whole(const std::filesystem::path& file, std::string_view text,
                 const std::string& option);

/// Makes the folder if it is missing. Throws usage_error if nothing can be written to it, before
/// any work is done whose result would be lost.
void make_folder(const std::filesystem::path& folder, const std::string& option);

}  // namespace warpcheck
