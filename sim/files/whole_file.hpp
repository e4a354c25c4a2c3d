// Files that are there whole or not at all: whoever opens one finds the old content or the new one,
// never a part, also where the disk is full or the process is killed.
//
// What is written goes to a file beside the target, which takes the target's place in one step when
// it is finished. What a killed process leaves there ends in ".unfinished".
#pragma once

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string_view>

namespace simt {

/// A file that cannot be written, and why: "/full/results.json cannot be written: No space left on
/// device".
class file_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class whole_file {
 public:
  /// Makes the folder where it is missing. Throws file_error.
  explicit whole_file(const std::filesystem::path& file);
  /// Removes what was not finished.
  ~whole_file();
  whole_file(const whole_file&) = delete;
  whole_file& operator=(const whole_file&) = delete;

  /// For the content. Its errors need not be looked at: finish() tells them.
  [[nodiscard]] std::ostream& content() { return stream_; }
  /// Puts the content where the target is. Throws file_error.
  void finish();

 private:
  std::filesystem::path named_;   // as it was given
  std::filesystem::path target_;  // links followed
  std::filesystem::path unfinished_;
  std::ofstream stream_;
};

/// Throws file_error.
void write_whole(const std::filesystem::path& file, std::string_view content);

}  // namespace simt
