// Implements warpcheck exec: runs a CUDA program without a GPU, and checks its launches.
#include <cstdio>
#include <regex>

#include <fmt/format.h>

#include "checker/commands/commands.hpp"
#include "checker/commands/select_runs.hpp"
#include "checker/console/interrupt.hpp"
#include "checker/console/outcome.hpp"
#include "checker/console/read_all.hpp"
#include "checker/console/standard_output.hpp"
#include "checker/record/program_run.hpp"
#include "checker/text/in_quotes.hpp"
#include "checker/text/usage_error.hpp"
#include "sim/files/scratch_folder.hpp"

namespace warpcheck {
namespace {

namespace fs = std::filesystem;

// Reads a filter as compute-sanitizer has it: a part of a name follows kns=, a name follows kne=.
std::function<bool(const std::string&)> kernels_named(const std::optional<std::string>& text) {
  if (!text) return [](const std::string&) { return true; };
  if (text->starts_with("kns=")) {
    return [part = text->substr(4)](const std::string& name) {
      return name.find(part) != std::string::npos;
    };
  }
  if (text->starts_with("kne=")) {
    return [whole = text->substr(4)](const std::string& name) {
      return name == whole || name.substr(0, name.find('(')) == whole;
    };
  }
  try {
    return [pattern = std::regex(*text)](const std::string& name) {
      return std::regex_search(name, pattern);
    };
  } catch (const std::regex_error&) {
    throw usage_error(
        fmt::format("--kernel-regex: {} is no regular expression of ECMAScript", in_quotes(*text)));
  }
}

record_options recording(const exec_options& options, const fs::path& folder) {
  record_options how;
  how.command = options.command;
  how.folder = folder;
  how.shrink = options.shrink.value_or(0);
  how.seconds_for_launch = options.launch_time.value_or(how.seconds_for_launch);
  how.output_to_errors = options.run.json;
  how.wanted = [is_named = kernels_named(options.kernel_regex), options,
                matching = std::uint64_t{}](const std::string& kernel,
                                            std::uint64_t number) mutable {
    if (options.launch && *options.launch != number) return false;
    if (!is_named(kernel)) return false;
    const std::uint64_t before = matching++;
    const std::uint64_t skipped = options.launch_skip.value_or(0);
    if (before < skipped) return false;
    return !options.launch_count || before - skipped < *options.launch_count;
  };
  return how;
}

fs::path folder_for_launches(const exec_options& options, const fs::path& temporary) {
  // Counterexamples name the files of their launch, which must exist later.
  const fs::path folder = options.launches              ? *options.launches
                          : options.run.counterexamples ? *options.run.counterexamples / "launches"
                                                        : temporary;
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    throw usage_error(
        fmt::format("{}: the folder cannot be made: {}", folder.string(), error.message()));
  }
  return fs::absolute(folder).lexically_normal();
}

std::string status_text(int status) {
  return status > 128 ? fmt::format("was ended by signal {}", status - 128)
                      : fmt::format("ended with status {}", status);
}

// Reports what happened on standard error, and returns the exit status that follows from it.
exit_status tell(const program_run& ran, const std::string& program) {
  exit_status status = exit_status::as_expected;
  fmt::print(stderr, "warpcheck exec: {} {}; {} launches, {} to check", program,
             status_text(ran.status), ran.launches, ran.recorded.size());
  if (ran.repeated != 0) fmt::print(stderr, ", {} the same as one before", ran.repeated);
  fmt::print(stderr, "\n");
  for (const refused_request& one : ran.failed) fmt::print(stderr, "warpcheck exec: {}\n", one.why);
  for (const refused_request& one : ran.unchecked) {
    fmt::print(stderr, "warpcheck exec: launch {} is not checked: {}\n", one.launch, one.why);
    status = worse(status, exit_status::inconclusive);
  }
  if (!ran.failed.empty() || !ran.refused_calls.empty() || ran.recorded.empty())
    status = worse(status, exit_status::inconclusive);
  if (ran.status != 0) status = worse(status, exit_status::not_expected);
  return status;
}

}  // namespace

exit_status exec_program(const exec_options& options) {
  if (options.command.empty()) {
    throw usage_error("exec needs a program; for example: warpcheck exec ./program");
  }
  if (options.command[0].starts_with("-")) {
    throw usage_error(
        fmt::format("exec has no option {}; its options stand in front of the "
                    "program, and `warpcheck exec --help` shows them",
                    options.command[0]));
  }
  const simt::detail::temporary_folder temporary(fs::temp_directory_path());
  const fs::path folder = folder_for_launches(options, temporary.path());
  flush_output();
  const program_run ran = run_program(recording(options, folder));
  const exit_status status = tell(ran, options.command[0]);
  if (ran.recorded.empty()) {
    if (ran.unchecked.empty() && ran.launches == 0) {
      fmt::print(stderr,
                 "warpcheck exec: there is nothing to check: the program launched no "
                 "kernel\n");
    }
    return status;
  }

  std::vector<fs::path> files;
  for (const recorded_launch& one : ran.recorded) files.push_back(one.scenario);
  scenarios_read all = read_each(files);
  for (scenario& one : all.scenarios) {
    if (folder == temporary.path()) one.file = one.file.filename();
  }
  all.scenarios = chosen(std::move(all.scenarios), options.run.which);
  run_options how = options.run;
  how.behind = 3;
  if (!how.time) how.time = 60;
  const exit_status checked = run_scenarios(how, all);
  return checked == exit_status::wrong_use ? checked : worse(status, checked);
}

}  // namespace warpcheck
