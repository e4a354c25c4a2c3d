// Writes and reads tests.json, and checks the version that wrote it.
#include "checker/hardware/litmus_folder.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "checker/console/write_whole.hpp"
#include "checker/scenario/scenario.hpp"
#include "checker/text/json_text.hpp"
#include "litmus/read/parser.hpp"
#include "warpcheck_paths.hpp"

namespace warpcheck {

namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

std::string text_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream) throw usage_error(fmt::format("{}: cannot be read", file.string()));
  return text;
}

}  // namespace

void write_litmus_folder(const fs::path& folder, const compiled_litmus& made) {
  json tests = json::array();
  for (const litmus::answered& one : made.tests) {
    tests.push_back({{"file", one.file}, {"text", text_of(one.file)}});
  }
  const json all{{"warpcheck", warpcheck_paths::version},
                 {"architecture", made.architecture},
                 {"nvcc", made.nvcc},
                 {"tests", std::move(tests)}};
  const fs::path runner = folder / "runner";
  write_whole(runner, text_of(made.runner), "--build");
  std::error_code error;
  fs::permissions(runner, fs::status(made.runner, error).permissions(), error);
  if (error) {
    throw usage_error(fmt::format("--build: {}: {}", runner.string(), error.message()));
  }
  write_whole(folder / "tests.json", json_text(all) + '\n', "--build");
}

compiled_litmus read_litmus_folder(const fs::path& folder,
                                   const litmus::candidate_options& evaluation) {
  const fs::path file = folder / "tests.json";
  if (!fs::is_regular_file(file) || !fs::is_regular_file(folder / "runner")) {
    throw usage_error(fmt::format(
        "{}: has no litmus tests that are compiled; warpcheck litmus --hardware --build {} makes "
        "them",
        folder.string(), folder.string()));
  }
  compiled_litmus made;
  made.runner = fs::absolute(folder / "runner");
  try {
    const json all = json::parse(text_of(file));
    if (all.at("warpcheck") != warpcheck_paths::version) {
      throw usage_error(fmt::format("{}: made by warpcheck {}; build the tests again with this one",
                                    folder.string(), all.at("warpcheck").get<std::string>()));
    }
    made.architecture = all.at("architecture");
    made.nvcc = all.at("nvcc");
    for (const json& each : all.at("tests")) {
      litmus::answered one;
      one.file = each.at("file");
      one.program = litmus::parse(each.at("text").get<std::string>(), one.file);
      one.options = evaluation;
      made.tests.push_back(std::move(one));
    }
  } catch (const json::exception& mistake) {
    throw usage_error(
        fmt::format("{}: was not made by warpcheck: {}", file.string(), mistake.what()));
  } catch (const litmus::syntax_error& mistake) {
    throw usage_error(mistake.what());
  }
  return made;
}

}  // namespace warpcheck
