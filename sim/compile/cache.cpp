// Finds the cache's folder, checks the owner of what lies there, and ends each file with a hash of
// its content.
#include "sim/compile/cache.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>

#include <fcntl.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "sim/compile/compile.hpp"
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

constexpr mode_t writable_by_others = S_IWGRP | S_IWOTH;

bool is_writable(const fs::path& folder) {
  std::error_code failed;
  if (fs::create_directories(folder, failed)) {
    fs::permissions(folder, fs::perms::group_write | fs::perms::others_write,
                    fs::perm_options::remove, failed);
  }
  return !failed && ::access(folder.c_str(), W_OK | X_OK) == 0;
}

std::string user_name(uid_t user) {
  const passwd* known = ::getpwuid(user);
  return known != nullptr ? known->pw_name : std::to_string(user);
}

constexpr const char* another_folder =
    "set WARPCHECK_CACHE to a folder of your own, to which nobody else may write";

/// A folder may belong to root, who may write everywhere anyway. Files may not: the user makes
/// them.
void refuse_folder_of_others(const fs::path& folder) {
  struct stat what {};
  if (::stat(folder.c_str(), &what) != 0) return;
  if (what.st_uid != ::geteuid() && what.st_uid != 0) {
    throw compile_error(folder.string() + ": this folder of compiled subjects belongs to user " +
                        user_name(what.st_uid) +
                        ", whose code would be run with your rights: " + another_folder);
  }
  if ((what.st_mode & writable_by_others) != 0) {
    throw compile_error(folder.string() +
                        ": others may write to this folder of compiled subjects, and what they "
                        "write would be run with your rights: chmod go-w it, or " +
                        another_folder);
  }
}

void refuse_file_of_others(const fs::path& file, const struct stat& what) {
  if (what.st_uid != ::geteuid()) {
    throw compile_error(file.string() + ": this compiled subject belongs to user " +
                        user_name(what.st_uid) +
                        ", and would be run with your rights: remove it, or " + another_folder);
  }
  if ((what.st_mode & writable_by_others) != 0) {
    throw compile_error(file.string() +
                        ": others may write to this compiled subject, and what they write would "
                        "be run with your rights: remove it, or " +
                        another_folder);
  }
}

/// The last line of a file in the cache, a comment with a hash. The hash covers the file's name, so
/// files that are exchanged are detected. A file may be a script, which a wrapper of nvcc made.
std::string last_line(const std::string& name, std::string_view content) {
  const char* const comment = content.starts_with("#!") ? "# " : "//";
  return "\n" + std::string(comment) + "warpcheck " +
         content_hash(name + "\n" + std::string(content)) + "\n";
}
const std::size_t last_line_size = last_line({}, {}).size();

bool is_whole(const std::string& name, std::string_view kept) {
  if (kept.size() <= last_line_size) return false;
  const std::string_view content = kept.substr(0, kept.size() - last_line_size);
  return kept.substr(content.size()) == last_line(name, content);
}

/// All that can be read of an open file.
std::string read_open(int file, std::size_t size) {
  std::string content(size, '\0');
  std::size_t done = 0;
  while (done < size) {
    const ssize_t count = ::read(file, content.data() + done, size - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    done += static_cast<std::size_t>(count);
  }
  content.resize(done);
  return content;
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

// The cache of a process that can write to no other folder.
std::unique_ptr<temporary_folder>& folder_of_process() {
  static std::unique_ptr<temporary_folder> own;
  return own;
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
  if (!preferred.empty() && is_writable(preferred)) {
    refuse_folder_of_others(preferred);
    return preferred;
  }
  std::unique_ptr<temporary_folder>& own = folder_of_process();
  if (!own) own = std::make_unique<temporary_folder>(fs::temp_directory_path());
  return own->path();
}

void remove_cache_of_process() { folder_of_process().reset(); }

bool is_of_cache(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string line(last_line_size, '\0');
  const auto length = static_cast<std::streamoff>(last_line_size);
  if (!stream.seekg(-length, std::ios::end)) return false;
  if (!stream.read(line.data(), length)) return false;
  const std::size_t hash = line.size() - 1 - content_hash({}).size();
  const std::string_view text = line;
  return text.front() == '\n' && text.back() == '\n' && text.substr(3, hash - 3) == "warpcheck " &&
         text.find_first_not_of("0123456789abcdef", hash) == text.size() - 1;
}

std::optional<fs::path> find_cached(const fs::path& folder, const std::string& name) {
  const fs::path file = folder / name;
  const int opened = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (opened < 0) return std::nullopt;
  struct stat what {};
  std::string kept;
  const bool is_file = ::fstat(opened, &what) == 0 && S_ISREG(what.st_mode);
  if (is_file) kept = read_open(opened, static_cast<std::size_t>(what.st_size));
  ::close(opened);
  if (!is_file) return std::nullopt;
  refuse_file_of_others(file, what);
  return is_whole(name, kept) ? std::optional(file) : std::nullopt;
}

fs::path keep_cached(const fs::path& folder, const std::string& name, const fs::path& made) {
  const std::string line = last_line(name, read_file(made).value_or(""));
  std::ofstream stream(made, std::ios::binary | std::ios::app);
  stream << line;
  stream.close();
  if (!stream) throw file_error(made.string() + " cannot be written: the disk may be full");
  fs::permissions(made, fs::perms::group_write | fs::perms::others_write, fs::perm_options::remove);
  const fs::path kept = folder / name;
  std::error_code failed;
  fs::rename(made, kept, failed);
  if (failed) {
    throw file_error(
        kept.string() + ", a compiled subject, cannot be written: " +
        (fs::is_directory(kept) ? "a folder is in its place; remove that" : failed.message()));
  }
  return kept;
}

}  // namespace simt::detail
