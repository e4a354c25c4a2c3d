// Reads litmus tests and published answers from files, and collects mistakes.
#include "checker/console/read_litmus.hpp"

#include "checker/scenario/named_files.hpp"
#include "checker/scenario/scenario.hpp"
#include "litmus/read/parser.hpp"
#include "litmus/report/key.hpp"

namespace warpcheck {

namespace fs = std::filesystem;

namespace {

std::map<fs::path, litmus::expectation> key_of(const litmus_options& options) {
  try {
    if (options.key) return litmus::read_key(*options.key);
  } catch (const litmus::syntax_error& mistake) {
    throw usage_error(mistake.what());
  }
  return {};
}

std::vector<fs::path> files_of(const std::vector<fs::path>& arguments) {
  return named_files(arguments, ".litmus", "litmus tests");
}

}  // namespace

litmus_read read_each_litmus_test(const litmus_options& options) {
  const auto key = key_of(options);
  litmus_read all;
  std::vector<fs::path> found;
  for (const fs::path& argument : options.tests) {
    try {
      files_of({argument});
      found.push_back(argument);
    } catch (const usage_error& error) {
      all.refused.push_back({argument, error.what()});
    }
  }
  for (const fs::path& file : files_of(found)) {
    try {
      litmus::answered one;
      one.file = readable_path(file);
      one.program = litmus::read_program(file);
      one.options = options.evaluation;
      if (options.key) one.expected.emplace();
      if (const auto found = key.find(litmus::key_path(file)); found != key.end()) {
        one.expected = found->second;
      }
      all.tests.push_back(std::move(one));
    } catch (const litmus::syntax_error& mistake) {
      all.refused.push_back({file, mistake.what()});
    }
  }
  return all;
}

std::vector<litmus::answered> read_litmus_tests(const litmus_options& options) {
  litmus_read all = read_each_litmus_test(options);
  throw_refusals(all.refused);
  return std::move(all.tests);
}

}  // namespace warpcheck
