// Writes accepted verdicts into scenario files.
#include "checker/commands/run/accepted_runs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>
#include <iterator>

#include "checker/console/read_all.hpp"
#include "checker/console/write_whole.hpp"

namespace warpcheck {

void accepted_runs::add(const std::filesystem::path& file, const run_settings& settings,
                        const accepted_verdict& verdict, bool as_expected) {
  of_file& one = files_[file];
  one.found[settings.line].push_back(verdict);
  if (!as_expected) one.surprises[settings.line] = true;
}

std::vector<std::string> accepted_runs::write(bool& all_written) const {
  std::vector<std::string> lines;
  all_written = true;
  for (const auto& [file, runs] : files_) {
    if (runs.surprises.empty()) continue;
    std::ifstream stream(file, std::ios::binary);
    const std::string before{std::istreambuf_iterator<char>(stream), {}};
    std::map<std::uint32_t, std::size_t> of_table;  // number of runs by the line of [[run]]
    for (const run_settings& run : parse_scenario(before, file).runs) ++of_table[run.line];
    std::map<std::uint32_t, std::vector<accepted_verdict>> accepted;
    std::vector<std::string> written;
    for (const auto& [line, _] : runs.surprises) {
      const std::vector<accepted_verdict>& found = runs.found.at(line);
      if (found.size() != of_table[line]) {
        all_written = false;
        lines.push_back(fmt::format(
            "{}:{}: nothing is written for this [[run]]: it is {} runs, of which {} ended; run all "
            "of them, without --only and with more time",
            readable_path(file), line, of_table[line], found.size()));
        continue;
      }
      accepted[line] = found;
      written.push_back(fmt::format("{} (line {})", name(found[0].gravest), line));
    }
    try {
      const std::string after = accept_verdicts(before, file, accepted);
      if (accepted.empty()) continue;
      write_whole(file, after, "--accept");
      lines.push_back(
          fmt::format("{}: now expects {}", readable_path(file), fmt::join(written, ", ")));
    } catch (const usage_error& error) {
      all_written = false;
      lines.emplace_back(error.what());
    }
  }
  return lines;
}

}  // namespace warpcheck
