// Reads lessons, and puts a reader's kernel into their scenarios.
#include "checker/commands/lesson/lessons.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string_view>

#include "checker/report/run_names.hpp"
#include "sim/files/whole_file.hpp"
#include "warpcheck_paths.hpp"

namespace warpcheck {

namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    throw usage_error(
        fmt::format("{}: cannot be read; lessons are installed with warpcheck, so install it again",
                    file.string()));
  }
  return {std::istreambuf_iterator<char>(stream), {}};
}

lesson read_lesson(const fs::path& folder) {
  lesson one;
  one.folder = folder;
  one.is_litmus = fs::exists(folder / "kernel.litmus");
  one.number = static_cast<unsigned>(std::stoul(folder.filename().string()));
  const std::string all = text_of(folder / "lesson.md");
  const std::string mark = "## Answer\n";
  const std::size_t answer = all.find(mark);
  one.text = all.substr(0, answer);
  if (answer != std::string::npos) {
    one.answer =
        all.substr(std::min(all.find_first_not_of('\n', answer + mark.size()), all.size()));
  }
  const std::string heading = all.substr(0, all.find('\n'));
  one.title = heading.substr(std::min(heading.find(": ") + 2, heading.size()));
  return one;
}

}  // namespace

fs::path lesson::kernel() const { return folder / (is_litmus ? "kernel.litmus" : "kernel.hpp"); }
fs::path lesson::solution() const {
  return folder / (is_litmus ? "solution.litmus" : "solution.hpp");
}

std::vector<lesson> shipped_lessons() {
  std::vector<fs::path> folders;
  std::error_code error;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(warpcheck_paths::scenarios_dir() / "lessons", error)) {
    if (fs::exists(entry.path() / "lesson.md", error)) folders.push_back(entry.path());
  }
  std::ranges::sort(folders);
  std::vector<lesson> all;
  for (const fs::path& folder : folders) all.push_back(read_lesson(folder));
  if (all.empty()) {
    throw usage_error("there are no lessons in this installation of warpcheck; install it again");
  }
  return all;
}

scenario with_kernel(const lesson& of, const fs::path& kernel, const fs::path& scratch) {
  std::string harness = text_of(of.folder / "harness.hpp");
  constexpr std::string_view shipped = "\"kernel.hpp\"";
  const std::string own = fmt::format("\"{}\"", fs::absolute(kernel).lexically_normal().string());
  harness.replace(harness.find(shipped), shipped.size(), own);
  const fs::path source = scratch / "harness.hpp";
  simt::write_whole(source, harness);
  const fs::path file = of.folder / "lesson.toml";
  scenario what = parse_scenario(text_of(file), file);
  what.source = source;
  for (run_settings& run : what.runs) {
    run.expect.reset();
    run.expect_violations.reset();
  }
  name_runs(what);
  return what;
}

}  // namespace warpcheck
