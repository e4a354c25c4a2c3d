// The commands and their options, except hardware and measure, which have rooms of their own. The
// room `options` fills in the options. Each command has its own file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "checker/commands/select_runs.hpp"
#include "checker/console/exit_status.hpp"
#include "checker/console/litmus_options.hpp"
#include "checker/console/read_all.hpp"
#include "checker/progress/model.hpp"
#include "checker/progress/scenario_of.hpp"
#include "checker/run/reductions.hpp"
#include "checker/run/search_options.hpp"

namespace warpcheck {

struct list_options {
  // Files, folders, and names of shipped families; empty: all shipped scenarios.
  std::vector<std::filesystem::path> scenarios;
  std::vector<std::string> matching;  // parts of "FILE RUN", and of names of subjects; empty: all
  bool json = false;
};

struct run_options {
  std::vector<std::filesystem::path> scenarios;  // files and folders
  run_choice which;
  std::optional<std::uint64_t> most_unexpected;  // end after so many unexpected runs
  bool json = false;
  bool quiet = false;
  bool verbose = false;
  bool first = false;                 // stop a run at its first violation
  std::optional<double> behind;       // seconds that may follow a violation
  bool accept = false;                // write what was found into the scenario files, as `expect`
  std::optional<std::uint64_t> jobs;  // scenarios at a time, each in a process; none: one
  bool compiled = false;              // check subjects as nvcc compiles them, in PTX
  bool aba = false;  // without a violation: look for a compare-exchange that ABA did not harm
  reductions reduce;
  std::optional<std::uint64_t> threads;      // none: all cores
  std::optional<std::uint64_t> share_after;  // states until other threads or ranks join
  std::optional<std::uint64_t> max_states;
  std::optional<std::uint64_t> max_memory;     // bytes
  std::optional<std::filesystem::path> spill;  // folder for the states
  std::optional<std::filesystem::path> save;   // folder for searches that were stopped
  std::string deterministic;  // names of buffers, with commas between; *: all; empty: not asked
  bool no_promises = false;   // under ptx: without load buffering
  // Folder with stopped searches, to continue them.
  std::optional<std::filesystem::path> resume;
  std::optional<double> time;                            // seconds, for each run
  std::optional<std::filesystem::path> counterexamples;  // folder to write counterexamples to
  std::optional<search_options> search;                  // none: explore everything
  std::optional<std::filesystem::path> results;          // file to write, JSON
  std::optional<std::filesystem::path> junit;            // file to write, JUnit XML
  std::optional<std::filesystem::path> sarif;            // file to write, SARIF
  bool github = false;                                   // annotations for GitHub Actions
  std::optional<std::filesystem::path> html;             // file to write, a page with all runs
};

struct check_options {
  std::filesystem::path file;           // .cu or .ptx
  std::optional<std::string> kernel;    // name of the kernel; none: the only one
  std::string grid = "1";               // blocks: "2", "2,2,1"
  std::string block = "32";             // threads
  std::uint32_t cluster = 0;            // blocks; 0: as the kernel says
  std::optional<std::uint64_t> shared;  // bytes
  bool cooperative = false;
  bool zero_shared = false;
  std::vector<std::string> buffers;                  // "in=128:f32:iota"
  std::vector<std::string> variables;                // of the module: "total=1:s32:5"
  std::vector<std::string> pointers;                 // pointers in buffers: "list+16=nodes"
  std::vector<std::string> arguments;                // one for each parameter
  std::vector<std::string> flags;                    // for nvcc
  std::optional<std::string> reconvergence, memory;  // none: as the target has it; both
  bool list = false;                                 // show the kernels of the file
  run_options run;
};

struct exec_options {
  std::vector<std::string> command;  // the program and its arguments
  std::optional<std::uint64_t> launch, launch_skip, launch_count;
  std::optional<std::string> kernel_regex;
  std::optional<std::uint64_t> shrink;            // blocks
  std::optional<double> launch_time;              // seconds
  std::optional<std::filesystem::path> launches;  // folder that keeps the recorded launches
  run_options run;
};

struct replay_options {
  std::filesystem::path counterexample;
  bool trust = false;  // run its source wherever that lies
  bool step = false;   // show one step at a time
  bool json = false;
  std::optional<double> time;                  // seconds
  std::optional<std::filesystem::path> html;   // file to write, a page with the counterexample
  std::optional<std::filesystem::path> trace;  // file to write, trace events
};

struct explain_options {
  std::vector<std::filesystem::path> scenarios;
  bool json = false;
  std::optional<std::filesystem::path> graph;  // picture to write, of the first run that is meant
  run_choice which;
  double time = 5;  // seconds for each run
  // Enough to see nearly every operation. A person asks for an explanation before a long search,
  // not in place of one.
  std::uint64_t max_states = 1'000'000;
};

struct new_options {
  std::string name;  // name of the type, with the folder for its files
};

struct cache_options {
  bool where = false;  // only say where the cache is
  bool clear = false;
};

struct lesson_options {
  std::optional<std::uint64_t> number;         // none: show all
  std::optional<std::filesystem::path> copy;   // file to write the broken kernel to
  std::optional<std::filesystem::path> check;  // the reader's kernel
  bool answer = false;
  bool reset = false;
  double time = 60;  // seconds for each run of a check; a correct kernel takes a few
};

struct play_options {
  std::filesystem::path scenario;
  run_choice which;  // the first of these runs is played
  double time = 2;   // seconds for the look at the program before the first choice
  std::optional<std::filesystem::path> html;  // file to write, a page to play in
};

struct progress_options {
  std::filesystem::path file;            // of tests
  std::vector<std::string> tests;        // their ids; empty: all
  std::vector<progress_model> models;    // empty: all
  std::vector<fairness_notion> notions;  // empty: both
  bool evidence = false;                 // say why guarantees do not hold
  bool json = false;
  bool quiet = false;
  std::uint64_t max_states = 1'000'000;                 // of each test
  std::optional<std::filesystem::path> scenarios;       // folder to write them to
  thread_placement placement = thread_placement::lane;  // what carries out the threads of tests
};

struct history_command_options {
  std::filesystem::path file;
  std::string spec;  // "queue", "semaphore:permits=2"
  std::optional<std::filesystem::path> source;
  std::optional<std::string> consistency;
  bool search = false;  // use no algorithm but the search
  bool order = false;
  bool json = false;
  std::optional<std::uint64_t> max_memory;    // bytes
  std::optional<double> time;                 // seconds
  std::optional<std::filesystem::path> html;  // file to write, a page with the history
};

exit_status list(const list_options& options);
exit_status run(const run_options& options);
exit_status check_kernel(const check_options& options);
exit_status exec_program(const exec_options& options);
exit_status replay(const replay_options& options);
exit_status explain(const explain_options& options);
exit_status play(const play_options& options);
exit_status take_lesson(const lesson_options& options);
exit_status cache(const cache_options& options);
exit_status make_new(const new_options& options);
exit_status progress(const progress_options& options);
exit_status check_recorded(const history_command_options& options);
exit_status litmus_tests(const litmus_options& options);

class joined_runs;

/// Carries out `run` after the scenarios are read. `joined` stands for the other ranks; null: there
/// are none.
exit_status run_scenarios(const run_options& options, const scenarios_read& all,
                          joined_runs* joined = nullptr);

}  // namespace warpcheck
