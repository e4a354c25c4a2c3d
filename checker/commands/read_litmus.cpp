#include "checker/commands/read_litmus.hpp"

#include "checker/commands/read_all.hpp"
#include "checker/scenario/named_files.hpp"
#include "checker/scenario/scenario.hpp"
#include "litmus/key.hpp"
#include "litmus/parser.hpp"

namespace warpcheck {

namespace fs = std::filesystem;

std::vector<litmus::answered> read_litmus_tests(const litmus_options& options) {
  std::vector<litmus::answered> tests;
  std::string mistakes;
  const auto note = [&](const std::exception& mistake) {
    mistakes += (mistakes.empty() ? "" : "\n") + std::string(mistake.what());
  };
  std::map<fs::path, litmus::expectation> key;
  try {
    if (options.key) key = litmus::read_key(*options.key);
  } catch (const litmus::syntax_error& mistake) {
    note(mistake);
  }
  for (const fs::path& file : named_files(options.tests, ".litmus", "litmus tests")) {
    try {
      litmus::answered one;
      one.file = readable_path(file);
      one.program = litmus::read_program(file);
      one.options = options.evaluation;
      if (options.key) one.expected.emplace();
      if (const auto found = key.find(litmus::key_path(file)); found != key.end()) {
        one.expected = found->second;
      }
      tests.push_back(std::move(one));
    } catch (const litmus::syntax_error& mistake) {
      note(mistake);
    }
  }
  if (!mistakes.empty()) throw usage_error(mistakes);
  return tests;
}

}  // namespace warpcheck
