// Shortens clang's messages about a subject to what the subject's author can act upon.
#pragma once

#include <filesystem>
#include <string>

namespace simt::detail {

/// Shows each error at a place in the author's own files. An error within the API's headers (in the
/// folder `api`) is shown at the author's line that led there. Expansions of the API's macros and
/// templates are left out. Other text is kept as it is.
std::string shortened(const std::string& messages, const std::filesystem::path& api);

}  // namespace simt::detail
