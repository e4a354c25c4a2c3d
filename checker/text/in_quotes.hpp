// Text of a user's, shown in a message.
#pragma once

#include <string>
#include <string_view>

namespace warpcheck {

/// `text` in double quotes, control characters made visible.
std::string in_quotes(std::string_view text);

/// `text` on one line that leaves a terminal as it is: control characters, and bytes that are not
/// UTF-8, are shown as \x1b, a new line as \n.
std::string visible(std::string_view text);

}  // namespace warpcheck
