// Makes text of the user safe to show in a message.
#pragma once

#include <string>
#include <string_view>

namespace warpcheck {

/// Returns `text` in double quotes, with control characters made visible.
std::string in_quotes(std::string_view text);

/// Returns `text` on one line that cannot disturb a terminal. Control characters, and bytes that
/// are not UTF-8, are shown as \x1b, a new line as \n.
std::string visible(std::string_view text);

}  // namespace warpcheck
