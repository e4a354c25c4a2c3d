// What the API has in place of names of CUDA's and of the C++ library, for messages.
#pragma once

#include <string>
#include <string_view>

namespace simt::detail {

/// What to write in place of a name of CUDA's, as a sentence; empty: it is none that is known.
std::string in_place_of(std::string_view name);

/// The same of a function that device code calls and that cannot be followed, as people write its
/// name.
std::string in_place_of_called(std::string_view function);

/// The same of a name that somebody looked for in namespace simt. Where no other is known, the page
/// that lists all.
std::string in_place_of_simt(std::string_view name);

/// The same of what no C++ compiler can read in this line of code: bounds of launches, launches.
std::string in_place_of_marks(std::string_view code);

/// The same of the first such name in quotation marks in a compiler's message.
std::string in_place_of_quoted(std::string_view message);

}  // namespace simt::detail
