// Reads litmus tests in the dialect of docs/litmus.md. Titles, comments and names have no meaning:
// only error messages show them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "litmus/program.hpp"

namespace litmus {

/// Throws syntax_error with the place, what is wrong, and the remedy. `file` is only for messages.
program parse(std::string_view text, std::string_view file);

/// Reads a file. Throws syntax_error also if it cannot be read, or is larger than 1 MiB.
program read_program(const std::filesystem::path& file);

}  // namespace litmus
