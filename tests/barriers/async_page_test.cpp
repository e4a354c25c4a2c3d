// docs/async.md teaches by commands: each of them runs as printed, and finds what the page says.
#include <doctest/doctest.h>

#include <cstdlib>
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

TEST_CASE("the commands of docs/async.md run, with the verdicts that it names") {
  const std::filesystem::path scenarios = warpcheck_paths::source_scenarios_dir;
  const std::filesystem::path root = scenarios.parent_path();
  const std::string page = content(root / "docs" / "async.md");
  const char* const binary = std::getenv("WARPCHECK_BINARY");
  REQUIRE(binary != nullptr);
  const std::regex command("warpcheck run ([^ `\n]+)(?:`: `([a-z-]+)`)?");
  std::set<std::string> files;
  for (std::sregex_iterator at(page.begin(), page.end(), command), end; at != end; ++at) {
    const std::string file = (*at)[1], verdict = (*at)[2];
    INFO(file);
    REQUIRE(std::filesystem::exists(root / file));
    const std::string scenario = content(root / file);
    if (!verdict.empty()) CHECK(scenario.find("expect = \"" + verdict + "\"") != std::string::npos);
    if (!files.insert(file).second) continue;
    // It exits with 0 if all runs end as the file expects.
    const std::string runs =
        "cd '" + root.string() + "' && '" + binary + "' run " + file + " > /dev/null";
    CHECK(std::system(runs.c_str()) == 0);
  }
  CHECK(files.size() >= 20);
  CHECK(page.find("## 10. ") != std::string::npos);
}
