// Writes to a temporary file beside the target, and renames it in one step.
#include "sim/files/whole_file.hpp"

#include <atomic>
#include <cerrno>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

namespace simt {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& file, const std::string& why) {
  throw file_error(fmt::format("{} cannot be written: {}", file.string(), why));
}

std::string last_error() {
  return errno == 0 ? "writing fails" : std::generic_category().message(errno);
}

}  // namespace

whole_file::whole_file(const fs::path& file) : named_(file) {
  std::error_code error;
  // Links are followed, so that a link stays a link.
  target_ = fs::weakly_canonical(fs::absolute(file), error);
  if (error) fail(named_, error.message());
  if (fs::exists(target_, error) && !fs::is_regular_file(target_, error)) {
    fail(named_, "it is there, and is not a file");
  }
  fs::create_directories(target_.parent_path(), error);
  if (error) fail(named_, error.message());
  // The temporary file is in the target's folder: only within a file system is a renaming one step.
  static std::atomic<unsigned> count = 0;  // several threads may write the same file
  unfinished_ = target_;
  unfinished_ += fmt::format(".{}-{}.unfinished", ::getpid(), count++);
  errno = 0;
  stream_.open(unfinished_, std::ios::binary | std::ios::trunc);
  if (!stream_) fail(named_, last_error());
}

whole_file::~whole_file() {
  if (unfinished_.empty()) return;
  stream_.close();
  std::error_code ignored;
  fs::remove(unfinished_, ignored);
}

void whole_file::finish() {
  if (stream_) {
    errno = 0;
    stream_.close();
  }
  if (!stream_) fail(named_, last_error());
  std::error_code error;
  fs::rename(unfinished_, target_, error);
  if (error) fail(named_, error.message());
  unfinished_.clear();
}

void write_whole(const fs::path& file, std::string_view content) {
  whole_file whole(file);
  whole.content().write(content.data(), static_cast<std::streamsize>(content.size()));
  whole.finish();
}

}  // namespace simt
