// Reads litmus tests, in the dialect of docs/litmus.md. Titles, comments and names are never
// looked at for anything but errors.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "litmus/program.hpp"

namespace litmus {

/// Throws syntax_error: the place, what is wrong there, and the remedy. `file` is only for that.
program parse(std::string_view text, std::string_view file);

/// The same of a file. Throws syntax_error also where it cannot be read, or is larger than 1 MiB.
program read_program(const std::filesystem::path& file);

}  // namespace litmus
