// What clang says of a subject, shortened to what its author can act upon.
#pragma once

#include <filesystem>
#include <string>

namespace simt::detail {

/// Each error with its place in the author's own files: one that clang finds within the API's
/// headers (in the folder `api`) is shown at the line that led there. How macros and templates of
/// the API were expanded is left out. What is not understood is kept as it is.
std::string shortened(const std::string& messages, const std::filesystem::path& api);

}  // namespace simt::detail
