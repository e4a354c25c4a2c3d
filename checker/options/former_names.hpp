// Options that had another name before. Each name has one meaning over all commands, so an option
// was renamed where another command had its name for something else. The old name still works.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpcheck {

struct former_name {
  std::string_view command;
  std::string_view before;  // "--threads"
  std::string_view now;     // "--block-sizes"
};

std::span<const former_name> former_names();

struct renamed_arguments {
  std::vector<std::string> arguments;
  std::vector<std::string> hints;  // a sentence for each name that was replaced
};

/// Replaces former names in the arguments, of which the first is the command. What follows "--", is
/// left as it is.
renamed_arguments with_names_of_today(std::vector<std::string> arguments);

}  // namespace warpcheck
