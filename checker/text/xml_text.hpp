// Makes text that any XML parser accepts.
#pragma once

#include <string>
#include <string_view>

namespace warpcheck {

/// Returns `text` with U+FFFD in place of what XML 1.0 cannot hold, not even escaped: bytes that
/// are not UTF-8, and control characters (XML 1.0, production 2, Char). Markup is not escaped.
std::string xml_text(std::string_view text);

}  // namespace warpcheck
