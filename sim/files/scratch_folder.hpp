// Folders for files that are not finished yet.
#pragma once

#include <filesystem>
#include <optional>

namespace simt::detail {

/// A folder of this process alone, in `parent`. It is removed with the object.
class temporary_folder {
 public:
  /// Throws file_error.
  explicit temporary_folder(const std::filesystem::path& parent);
  ~temporary_folder();
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// A temporary folder on the file system of `parent`, so that a finished file gets its place there
/// by a renaming.
///
/// It is in a folder of ours in `parent`, and has a file that marks it. If an interrupted process
/// leaves such a folder, the next scratch folder that is made there at least an hour later removes
/// it. Nothing else is ever removed.
class scratch_folder {
 public:
  /// The name of our folder in `parent`.
  static constexpr const char* room = ".warpcheck-unfinished";
  /// The name of the file that marks a scratch folder, and its content.
  static constexpr const char* marker = "made-by-warpcheck";
  static constexpr const char* mark = "warpcheck made this folder, and removes it an hour later.\n";

  /// Throws file_error.
  explicit scratch_folder(const std::filesystem::path& parent);
  ~scratch_folder();
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return folder_->path(); }

 private:
  std::filesystem::path room_;
  std::optional<temporary_folder> folder_;
};

}  // namespace simt::detail
