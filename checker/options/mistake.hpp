// Says what is wrong with a command line, and what to write instead.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace warpcheck {

/// Returns what the parser complains about, with a remedy. The parser's own texts have none.
/// `words` are those after the program's name.
std::string mistake_in(const CLI::App& program, const CLI::ParseError& error,
                       const std::vector<std::string>& words);

}  // namespace warpcheck
