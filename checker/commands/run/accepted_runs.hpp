// Collects for run --accept which verdicts go into which scenario files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "checker/scenario/accept_verdicts.hpp"
#include "checker/scenario/scenario.hpp"

namespace warpcheck {

class accepted_runs {
 public:
  /// Adds a run of `file` that certainly ended with this verdict.
  void add(const std::filesystem::path& file, const run_settings& settings,
           const accepted_verdict& verdict, bool as_expected);

  /// Writes the files in which a run was not as expected. Returns a line for each: what was
  /// written, or why nothing was. `all_written`: all files were written.
  std::vector<std::string> write(bool& all_written) const;

 private:
  struct of_file {
    std::map<std::uint32_t, std::vector<accepted_verdict>> found;  // by the line of [[run]]
    std::map<std::uint32_t, bool> surprises;
  };
  std::map<std::filesystem::path, of_file> files_;
};

}  // namespace warpcheck
