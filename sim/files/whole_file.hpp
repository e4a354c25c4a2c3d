// Files that are there whole or not at all. Whoever opens one finds the old content or the new one,
// never a part, also if the disk is full or the process is killed.
//
// The content goes to a file beside the target. When it is complete, that file takes the target's
// place in one step. The file that a killed process leaves ends in ".unfinished".
#pragma once

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string_view>

namespace simt {

/// A file cannot be written. what() says which and why: "/full/results.json cannot be written: No
/// space left on device".
class file_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class whole_file {
 public:
  /// Makes the folder if it is missing. Throws file_error.
  explicit whole_file(const std::filesystem::path& file);
  /// Removes an unfinished file.
  ~whole_file();
  whole_file(const whole_file&) = delete;
  whole_file& operator=(const whole_file&) = delete;

  /// The stream to write to. Its errors need not be looked at: finish() reports them.
  [[nodiscard]] std::ostream& content() { return stream_; }
  /// Puts the content in the target's place. Throws file_error.
  void finish();

 private:
  std::filesystem::path named_;   // as it was given
  std::filesystem::path target_;  // links followed
  std::filesystem::path unfinished_;
  std::ofstream stream_;
};

/// Writes the content as a whole. Throws file_error.
void write_whole(const std::filesystem::path& file, std::string_view content);

}  // namespace simt
