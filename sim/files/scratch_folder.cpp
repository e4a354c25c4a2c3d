// Makes marked temporary folders, and removes those that interrupted processes have left.
#include "sim/files/scratch_folder.hpp"

#include <cerrno>
#include <chrono>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

#include <cstdlib>

#include <fmt/format.h>

#include "sim/files/whole_file.hpp"

namespace simt::detail {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::hours lifetime(1);

[[noreturn]] void cannot_make(const fs::path& parent, const std::string& why) {
  throw file_error(fmt::format("no folder can be made in {}: {}", parent.string(), why));
}

bool is_marked(const fs::path& folder) {
  const fs::path file = folder / scratch_folder::marker;
  std::error_code error;
  if (!fs::is_regular_file(fs::symlink_status(file, error))) return false;
  std::ifstream stream(file);
  return std::string(std::istreambuf_iterator<char>(stream), {}) == scratch_folder::mark;
}

bool is_old(const fs::path& folder) {
  std::error_code error;
  const fs::file_time_type written = fs::last_write_time(folder, error);
  return !error && fs::file_time_type::clock::now() - written > lifetime;
}

void remove_left_ones(const fs::path& room) {
  std::error_code error;
  for (fs::directory_iterator entry(room, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code ignored;
    if (!fs::is_directory(entry->symlink_status(ignored))) continue;
    if (is_old(entry->path()) && is_marked(entry->path())) fs::remove_all(entry->path(), ignored);
  }
}

}  // namespace

temporary_folder::temporary_folder(const fs::path& parent) {
  std::string name = (parent / "warpcheck-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    cannot_make(parent, std::generic_category().message(errno));
  path_ = name;
}

temporary_folder::~temporary_folder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

scratch_folder::scratch_folder(const fs::path& parent) : room_(parent / room) {
  // Another process may remove the room as soon as it is empty, and make it again.
  constexpr int attempts = 100;
  for (int attempt = 1; !folder_; ++attempt) {
    try {
      std::error_code error;
      fs::create_directories(room_, error);
      if (error) cannot_make(parent, error.message());
      folder_.emplace(room_);
    } catch (const file_error&) {
      if (attempt == attempts) throw;
    }
  }
  remove_left_ones(room_);
  write_whole(path() / marker, mark);
}

scratch_folder::~scratch_folder() {
  folder_.reset();
  std::error_code still_used;
  fs::remove(room_, still_used);  // unless there are others in it
}

}  // namespace simt::detail
