// What the API has in place of CUDA's names, for messages.
#pragma once

#include <string>
#include <string_view>

namespace simt::detail {

/// What to write in place of a name of CUDA's, as a sentence; empty: it is none that is known.
std::string in_place_of(std::string_view name);

/// The same of the first such name in quotation marks in a compiler's message.
std::string in_place_of_quoted(std::string_view message);

}  // namespace simt::detail
