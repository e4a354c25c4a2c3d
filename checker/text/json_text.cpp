// Dumps a document with two spaces of indentation.
#include "checker/text/json_text.hpp"

#include <nlohmann/json.hpp>

namespace warpcheck {

std::string json_text(const nlohmann::ordered_json& document) {
  return document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace warpcheck
