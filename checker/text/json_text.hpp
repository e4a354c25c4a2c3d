// JSON documents as text.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace warpcheck {

/// Bytes that are not UTF-8 (in names of files, in messages of subjects) become U+FFFD, since JSON
/// cannot hold them.
inline std::string json_text(const nlohmann::ordered_json& document) {
  return document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace warpcheck
