// Implements warpcheck sweep: the first rank hands out the runs of many scenarios and collects
// their results. Each run is a process of its own, `warpcheck run FILE --only RUN`. So a crash only
// fails one run, and earlier runs of a rank change nothing.
#include "checker/commands/sweep.hpp"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>
#include <utility>

#include "checker/commands/select_runs.hpp"
#include "checker/console/child_process.hpp"
#include "checker/console/interrupt.hpp"
#include "checker/console/outcome.hpp"
#include "checker/console/read_all.hpp"
#include "checker/console/standard_output.hpp"
#include "checker/console/status_line.hpp"
#include "checker/console/write_whole.hpp"
#include "checker/distributed/ranks.hpp"
#include "checker/report/formats/json_report.hpp"
#include "checker/report/formats/junit_report.hpp"
#include "checker/report/formats/terminal_report.hpp"
#include "checker/text/json_text.hpp"
#include "sim/files/scratch_folder.hpp"
#include "sim/files/standard_input.hpp"

namespace warpcheck {

namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

// Pause between two looks at messages and results.
constexpr auto between_looks = std::chrono::milliseconds(2);
// Most bytes shown of what a crashed run wrote.
constexpr std::size_t most_shown = 2'000;

/// A run that is handed out.
struct sweep_job {
  std::uint64_t number = 0;  // among all runs
  std::string file, run;
  std::vector<std::string> options;

  [[nodiscard]] byte_list packed() const {
    message_writer out;
    out.number(number);
    out.text(file);
    out.text(run);
    for (const std::string& option : options) out.text(option);
    return out.take();
  }
  static sweep_job from(const byte_list& bytes) {
    message_reader in(bytes);
    sweep_job job;
    job.number = in.number();
    job.file = in.text();
    job.run = in.text();
    while (in.more()) job.options.push_back(in.text());
    return job;
  }
};

/// The output of a run's process.
struct sweep_result {
  std::uint64_t number = 0;
  int status = 0;  // status of the process, as in child_result
  std::string results, junit, output;

  [[nodiscard]] byte_list packed() const {
    message_writer out;
    out.number(number);
    out.number(static_cast<std::uint64_t>(status));
    out.text(results);
    out.text(junit);
    out.text(output);
    return out.take();
  }
  static sweep_result from(const byte_list& bytes) {
    message_reader in(bytes);
    sweep_result one;
    one.number = in.number();
    one.status = static_cast<int>(in.number());
    one.results = in.text();
    one.junit = in.text();
    one.output = in.text();
    return one;
  }
};

std::string content_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

/// Carries one run out.
sweep_result perform(const sweep_job& job) {
  const simt::detail::temporary_folder folder(fs::temp_directory_path());
  const fs::path results = folder.path() / "results.json";
  const fs::path junit = folder.path() / "junit.xml";
  std::vector<std::string> command{
      fs::read_symlink("/proc/self/exe").string(), "run", job.file, "--only", job.run, "--quiet"};
  command.insert(command.end(), job.options.begin(), job.options.end());
  command.insert(command.end(), {"--results", results.string(), "--junit", junit.string()});
  constexpr std::chrono::hours for_ever(24 * 365);  // the run has its own limits
  const child_result child = run_child(command, for_ever, stop_requested);
  return {job.number, child.status, content_of(results), content_of(junit),
          child.output.substr(0, most_shown)};
}

/// The work of a rank other than the first: asks for runs, until there are none.
void serve(ranks& all) {
  all.send(0, {});
  while (!stop_requested) {
    const auto told = all.receive();
    if (!told) {
      std::this_thread::sleep_for(between_looks);
      continue;
    }
    if (told->content.empty()) return;
    all.send(0, perform(sweep_job::from(told->content)).packed());
  }
}

/// Reads a list of files and folders: one on each line, relative to the list.
std::vector<fs::path> listed_in(const fs::path& list) {
  std::ifstream in(list);
  if (!in) throw usage_error(list.string() + ": cannot be read");
  std::vector<fs::path> all;
  for (std::string line; std::getline(in, line);) {
    line.erase(std::min(line.find('#'), line.size()));
    const auto first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos) continue;
    const auto last = line.find_last_not_of(" \t\r");
    all.push_back(list.parent_path() / line.substr(first, last - first + 1));
  }
  if (all.empty()) {
    throw usage_error(
        fmt::format("{}: names no scenarios; write the path of a scenario or a folder on each line",
                    list.string()));
  }
  return all;
}

std::vector<fs::path> with_lists(const std::vector<fs::path>& arguments) {
  std::vector<fs::path> all;
  for (const fs::path& one : arguments) {
    if (simt::is_standard_input(one)) {
      throw usage_error(
          "sweep: each run is a process of its own, which reads the scenario again, and standard "
          "input can be read only once; name a file");
    }
    std::error_code error;
    if (one.extension() == ".toml" || !fs::is_regular_file(one, error)) {
      all.push_back(one);
    } else {
      const auto more = listed_in(one);
      all.insert(all.end(), more.begin(), more.end());
    }
  }
  return all;
}

std::string how_it_ended(const sweep_result& ended) {
  const std::string output = ended.output.empty() ? "" : ":\n" + ended.output;
  if (ended.status > 128) {
    const int number = ended.status - 128;
    return fmt::format("the process of this run was ended by signal {} ({}){}", number,
                       ::strsignal(number), output);
  }
  return fmt::format("the process of this run ended with status {}{}", ended.status, output);
}

/// The work of the first rank.
class sweeper {
 public:
  sweeper(const sweep_options& options, ranks& all, const std::vector<scenario>& scenarios)
      : options_(options), all_(all), line_(!options.json) {
    for (const scenario& subject : scenarios) {
      suites_.push_back({readable_path(subject.file), subject.title, subject.subject, {}});
      for (const run_settings& settings : subject.runs) {
        places_.push_back({&subject, &settings, suites_.size() - 1, suites_.back().cases.size()});
        suites_.back().cases.push_back({settings.name,
                                        junit_case::kind::skipped,
                                        0,
                                        "not-run",
                                        "not run: warpcheck was interrupted",
                                        {}});
      }
    }
    documents_.resize(places_.size());
  }

  exit_status run() {
    write();  // reports a path that cannot be written before anything runs
    std::jthread own([this](const std::stop_token& ended) { work(ended); });
    std::uint32_t idle = 1;  // ranks that have been told that no runs are left
    while ((done_ < places_.size() || idle < all_.count()) && !stop_requested) {
      bool quiet = true;
      while (const auto told = all_.receive()) {
        quiet = false;
        if (!told->content.empty()) take(sweep_result::from(told->content));
        const auto job = next();
        if (!job) ++idle;
        all_.send(told->from, job ? job->packed() : byte_list{});
      }
      while (const auto ended = ended_here()) {
        quiet = false;
        take(*ended);
      }
      if (quiet) std::this_thread::sleep_for(between_looks);
    }
    own.join();
    while (const auto ended = ended_here()) take(*ended);
    count_.interrupted = done_ < places_.size();
    if (count_.interrupted) status_ = worse(status_, exit_status::inconclusive);
    line_.clear();
    write();
    if (options_.json) {
      fmt::print("{}\n", json_text(results_document(documents())));
    } else {
      fmt::print("{}", summary(count_, text_style()));
    }
    flush_output();
    return count_.refused != 0 ? exit_status::wrong_use : status_;
  }

 private:
  struct place {
    const scenario* subject;
    const run_settings* settings;
    std::size_t suite, number;  // number of the suite, and of the case in it
  };

  const sweep_options& options_;
  ranks& all_;
  status_line line_;
  std::vector<place> places_;  // of all runs, in order
  std::vector<junit_suite> suites_;
  std::vector<json> documents_;
  // Of runs that have ended, and must wait for earlier ones.
  std::map<std::size_t, std::string> texts_;
  std::size_t printed_ = 0;
  std::size_t done_ = 0;
  tally count_;
  exit_status status_ = exit_status::as_expected;
  std::mutex changing_;  // guards what this process's own runs share with its messages
  std::size_t handed_out_ = 0;
  std::vector<sweep_result> ended_;

  std::optional<sweep_job> next() {
    const std::lock_guard lock(changing_);
    if (handed_out_ == places_.size() || stop_requested) return std::nullopt;
    const place& at = places_[handed_out_];
    return sweep_job{handed_out_++, at.subject->file.string(), at.settings->name, options_.of_run};
  }
  std::optional<sweep_result> ended_here() {
    const std::lock_guard lock(changing_);
    if (ended_.empty()) return std::nullopt;
    sweep_result one = std::move(ended_.back());
    ended_.pop_back();
    return one;
  }
  /// Makes runs in this process, in a thread.
  void work(const std::stop_token& ended_early) {
    while (const auto job = next()) {
      if (ended_early.stop_requested()) return;
      sweep_result ended;
      try {
        ended = perform(*job);
      } catch (const std::exception& error) {
        ended = {job->number, 1, {}, {}, error.what()};
      }
      const std::lock_guard lock(changing_);
      ended_.push_back(std::move(ended));
    }
  }

  void take(const sweep_result& ended) {
    if (stop_requested) return;  // the run was ended with this process
    const place& at = places_.at(ended.number);
    ++done_;
    junit_case& one = suites_[at.suite].cases[at.number];
    json& document = documents_[ended.number];
    const auto found = case_in(ended.junit);
    if (found) one = *found;
    try {
      document = json::parse(ended.results).at("results").at(0);
    } catch (const json::exception&) {
    }
    exit_status status = static_cast<exit_status>(ended.status);
    if (!found || (document.is_null() && status != exit_status::wrong_use)) {
      crashed(at, how_it_ended(ended), one, document);
      status = exit_status::not_expected;
    }
    if (document.is_null()) {
      ++count_.refused;
    } else {
      ++count_.runs;
      ++(status == exit_status::as_expected    ? count_.expected
         : status == exit_status::inconclusive ? count_.inconclusive
                                               : count_.unexpected);
      status_ = worse(status_, status);
    }
    const bool is_told = !options_.quiet || status != exit_status::as_expected;
    texts_[ended.number] = is_told ? one.text : std::string();
    tell();
    write_if_time();
  }

  void crashed(const place& at, const std::string& why, junit_case& one, json& document) const {
    run_report report{readable_path(at.subject->file),
                      *at.subject,
                      *at.settings,
                      {},
                      false,
                      false,
                      {},
                      {},
                      {},
                      {}};
    report.result.stopped = {stop_reason::defect, why};
    one = to_junit(report);
    one.what = junit_case::kind::failed;
    one.type = "crashed";
    one.message = why.substr(0, why.find('\n'));
    document = to_json(report);
  }

  /// Prints the runs that have ended, in their order.
  void tell() {
    line_.clear();
    for (auto at = texts_.find(printed_); at != texts_.end(); at = texts_.find(printed_)) {
      if (!options_.json && !at->second.empty()) {
        fmt::print("{}{}", at->second, at->second.ends_with('\n') ? "" : "\n");
      }
      texts_.erase(at);
      ++printed_;
    }
    flush_output();
    line_.show(fmt::format("{} of {} runs  {} as expected  {} not  {} inconclusive  {}", done_,
                           places_.size(), count_.expected, count_.unexpected, count_.inconclusive,
                           all_.are_many() ? fmt::format("{} ranks", all_.count()) : ""));
  }

  [[nodiscard]] json documents() const {
    json all = json::array();
    for (const json& one : documents_) {
      if (!one.is_null()) all.push_back(one);
    }
    return all;
  }

  using clock = std::chrono::steady_clock;
  std::string began_ = junit_time_now();
  clock::time_point written_;
  clock::duration writing_{};

  void write() {
    const auto before = clock::now();
    if (options_.results)
      write_whole(*options_.results, json_text(results_document(documents())) + '\n', "--results");
    if (options_.junit) write_whole(*options_.junit, to_junit(suites_, began_), "--junit");
    written_ = clock::now();
    writing_ = written_ - before;
  }
  /// Keeps the files nearly up to date, in case the process is killed.
  void write_if_time() {
    if (clock::now() - written_ < std::chrono::seconds(1) + 20 * writing_) return;
    try {
      write();
    } catch (const usage_error&) {  // the disk may be full for a while: the last time counts
    }
  }
};

}  // namespace

exit_status sweep(const sweep_options& options) {
  ranks all(&stop_requested);
  handle_interrupts();
  ranks::start_others_alone();
  if (!all.is_first()) {
    serve(all);
    return exit_status::as_expected;
  }
  exit_status status = exit_status::wrong_use;
  try {
    std::vector<scenario> scenarios = read_all(with_lists(options.scenarios));
    scenarios = chosen(std::move(scenarios), options.which);
    status = sweeper(options, all, scenarios).run();
  } catch (const usage_error& error) {
    flush_output();
    fmt::print(stderr, "{}\n", error.what());
  }
  // Tell all ranks that nothing is left. Ranks that know it already ignore the message.
  for (std::uint32_t r = 1; r < all.count(); ++r) all.send(r, {});
  return status;
}

}  // namespace warpcheck
