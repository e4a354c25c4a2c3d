#include "sim/subject/cache.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <unistd.h>
#include <xxhash.h>

#include "sim/files/scratch_folder.hpp"
#include "sim/files/whole_file.hpp"

namespace simt::detail {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> read_file(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return std::nullopt;
  std::ostringstream content;
  content << stream.rdbuf();
  return content.str();
}

bool is_writable(const fs::path& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  return !failed && ::access(folder.c_str(), W_OK | X_OK) == 0;
}

fs::path preferred_folder() {
  if (const char* given = std::getenv("WARPCHECK_CACHE"); given != nullptr && *given != '\0') {
    return fs::absolute(given);
  }
  const char* base = std::getenv("XDG_CACHE_HOME");
  if (base != nullptr && *base == '/') return fs::path(base) / "warpcheck" / "subjects";
  const char* home = std::getenv("HOME");
  if (home != nullptr && *home == '/') {
    return fs::path(home) / ".cache" / "warpcheck" / "subjects";
  }
  return {};
}

fs::path record_file(const fs::path& folder, const std::string& key) {
  return folder / (key + ".deps");
}

}  // namespace

std::string content_hash(std::string_view content) {
  const XXH128_hash_t hash = XXH3_128bits(content.data(), content.size());
  char digits[33];
  std::snprintf(digits, sizeof digits, "%016llx%016llx",
                static_cast<unsigned long long>(hash.high64),
                static_cast<unsigned long long>(hash.low64));
  return digits;
}

std::string file_hash(const fs::path& file) {
  const std::optional<std::string> content = read_file(file);
  return content ? content_hash(*content) : "";
}

std::vector<fs::path> read_depfile(const fs::path& depfile) {
  const std::string text = read_file(depfile).value_or("");
  std::vector<fs::path> files;
  std::string word;
  bool past_target = false;
  const auto finish = [&] {
    if (word.empty()) return;
    if (past_target) files.emplace_back(word);
    if (word.back() == ':') past_target = true;
    word.clear();
  };
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char next = at + 1 < text.size() ? text[at + 1] : '\0';
    if (text[at] == '\\' && next == '\n') {
      finish();
      ++at;
    } else if (text[at] == '\\' && (next == ' ' || next == '#')) {
      word += next;
      ++at;
    } else if (text[at] == '$' && next == '$') {
      word += '$';
      ++at;
    } else if (text[at] == ' ' || text[at] == '\n' || text[at] == '\t') {
      finish();
    } else {
      word += text[at];
    }
  }
  finish();
  return files;
}

std::vector<dependency> hash_all(const std::vector<fs::path>& files) {
  std::vector<dependency> all;
  for (const fs::path& file : files) all.push_back({file, file_hash(file)});
  return all;
}

fs::path cache_folder() {
  const fs::path preferred = preferred_folder();
  if (!preferred.empty() && is_writable(preferred)) return preferred;
  static const temporary_folder own(fs::temp_directory_path());
  return own.path();
}

std::optional<fs::path> find_cached(const fs::path& folder, const std::string& key) {
  std::ifstream stream(record_file(folder, key));
  std::string object_name;
  if (!std::getline(stream, object_name)) return std::nullopt;
  std::string hash, file;
  while (stream >> hash && stream.get() == ' ' && std::getline(stream, file)) {
    if (file_hash(file) != hash) return std::nullopt;
  }
  const fs::path object = folder / object_name;
  if (!fs::exists(object)) return std::nullopt;
  return object;
}

void record(const fs::path& folder, const std::string& key, const std::string& object_name,
            const std::vector<dependency>& dependencies) {
  std::string text = object_name + "\n";
  for (const dependency& each : dependencies) text += each.hash + " " + each.file.string() + "\n";
  write_whole(record_file(folder, key), text);
}

}  // namespace simt::detail
