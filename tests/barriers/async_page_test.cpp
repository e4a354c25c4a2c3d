// docs/async.md teaches by scenarios: they are shipped, and find what the page says.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include <warpcheck_paths.hpp>

namespace {

std::string content(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("the examples of docs/async.md are scenarios with the verdicts that it names") {
  const std::filesystem::path scenarios = warpcheck_paths::source_scenarios_dir;
  const std::string page = content(scenarios.parent_path() / "docs" / "async.md");
  const std::regex example("`warpcheck run ([a-z0-9_/]+)`: `([a-z-]+)`");
  std::set<std::string> names;
  for (std::sregex_iterator at(page.begin(), page.end(), example), end; at != end; ++at) {
    const std::string name = (*at)[1], verdict = (*at)[2];
    INFO(name);
    names.insert(name);
    const std::string scenario = content(scenarios / (name + ".toml"));
    CHECK(scenario.find("expect = \"" + verdict + "\"") != std::string::npos);
  }
  CHECK(names.size() >= 20);
  CHECK(page.find("## 10. ") != std::string::npos);
}
