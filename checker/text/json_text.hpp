// Writes JSON documents as text.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace warpcheck {

/// Returns the text of a document. Bytes that are not UTF-8 (in names of files, in messages of
/// subjects) become U+FFFD, since JSON cannot hold them.
std::string json_text(const nlohmann::ordered_json& document);

}  // namespace warpcheck
