#include "sim/subject/cache.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <unistd.h>
#include <xxhash.h>

#include "sim/files/scratch_folder.hpp"

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

std::optional<fs::path> find_cached(const fs::path& folder, const std::string& name) {
  const fs::path file = folder / name;
  std::error_code failed;
  if (!fs::is_regular_file(file, failed) || fs::file_size(file, failed) == 0) return std::nullopt;
  return file;
}

fs::path keep_cached(const fs::path& folder, const std::string& name, const fs::path& made) {
  fs::rename(made, folder / name);
  return folder / name;
}

}  // namespace simt::detail
