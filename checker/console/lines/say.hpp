// Prints text for a person: on a terminal, in lines that fit its width.
#pragma once

#include <fmt/format.h>

#include <utility>

#include "checker/console/terminal.hpp"
#include "checker/text/wrapped.hpp"

namespace warpcheck {

template <class... Arguments>
void say(fmt::format_string<Arguments...> form, Arguments&&... arguments) {
  fmt::print("{}",
             fitted(fmt::format(form, std::forward<Arguments>(arguments)...), width_of_rows()));
}

}  // namespace warpcheck
