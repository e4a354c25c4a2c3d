// run --accept: which verdicts go into which scenario files.
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
  /// A run of `file` that ended with this verdict for certain.
  void add(const std::filesystem::path& file, const run_settings& settings,
           const accepted_verdict& verdict, bool as_expected);

  /// Writes the files in which a run was not as expected. Returns a line for each: what is written,
  /// or why nothing is. `all_written`: there is none of the latter.
  std::vector<std::string> write(bool& all_written) const;

 private:
  struct of_file {
    std::map<std::uint32_t, std::vector<accepted_verdict>> found;  // by the line of [[run]]
    std::map<std::uint32_t, bool> surprises;
  };
  std::map<std::filesystem::path, of_file> files_;
};

}  // namespace warpcheck
