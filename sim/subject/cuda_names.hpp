// Finds what the API has in place of names of CUDA and of the C++ library, for messages.
#pragma once

#include <string>
#include <string_view>

namespace simt::detail {

/// What to write in place of a name of CUDA, as a sentence. Empty: the name is not known.
std::string in_place_of(std::string_view name);

/// What to write in place of a function that device code calls and that cannot be followed.
/// `function` is its name as people write it.
std::string in_place_of_called(std::string_view function);

/// What to write in place of a name that does not exist in namespace simt. If nothing better is
/// known, names the page that lists all names.
std::string in_place_of_simt(std::string_view name);

/// What to write in place of CUDA's syntax in this line of code, which no C++ compiler can read:
/// bounds of launches, launches.
std::string in_place_of_marks(std::string_view code);

/// What to write in place of the first known name in quotation marks in a compiler's message.
std::string in_place_of_quoted(std::string_view message);

}  // namespace simt::detail
