// Finds, reads and writes the file of lessons that are done.
#include "checker/commands/lesson/lesson_progress.hpp"

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>

#include "sim/files/whole_file.hpp"

namespace warpcheck {

std::filesystem::path lesson_progress_file() {
  const auto named = [](const char* variable) -> std::filesystem::path {
    const char* const value = std::getenv(variable);
    return value == nullptr ? std::filesystem::path() : std::filesystem::path(value);
  };
  const std::filesystem::path file = std::filesystem::path("warpcheck") / "lessons.json";
  // The XDG specification ignores paths that are not absolute.
  if (const auto state = named("XDG_STATE_HOME"); state.is_absolute()) return state / file;
  if (const auto home = named("HOME"); !home.empty()) return home / ".local" / "state" / file;
  return {};
}

std::set<unsigned> lessons_done() {
  std::ifstream stream(lesson_progress_file());
  const auto document = nlohmann::json::parse(stream, nullptr, false);
  std::set<unsigned> done;
  if (!document.is_object() || !document.contains("done") || !document["done"].is_array()) {
    return done;
  }
  for (const auto& number : document["done"]) {
    if (number.is_number_unsigned()) done.insert(number.get<unsigned>());
  }
  return done;
}

void keep_lessons_done(const std::set<unsigned>& done) {
  const std::filesystem::path file = lesson_progress_file();
  if (file.empty()) throw simt::file_error("neither XDG_STATE_HOME nor HOME is set");
  simt::write_whole(file, nlohmann::json{{"version", 1}, {"done", done}}.dump() + "\n");
}

}  // namespace warpcheck
