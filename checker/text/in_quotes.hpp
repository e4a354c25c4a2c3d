// Text from a user's file, shown in a message.
#pragma once

#include <string>
#include <string_view>

namespace warpcheck {

/// `text` in double quotes, control characters made visible.
std::string in_quotes(std::string_view text);

}  // namespace warpcheck
