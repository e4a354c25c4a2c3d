// The commands and their options. command_line.cpp fills the options in; each command has a file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "checker/commands/exit_status.hpp"
#include "checker/explore/reductions.hpp"
#include "checker/progress/model.hpp"
#include "checker/progress/scenario_of.hpp"
#include "checker/search/options.hpp"
#include "litmus/candidates.hpp"
#include "sim/machine/model.hpp"

namespace warpcheck {

struct list_options {
  std::vector<std::filesystem::path> scenarios;  // files and folders; empty: all that is shipped
  bool json = false;
};

struct run_options {
  std::vector<std::filesystem::path> scenarios;  // files and folders
  std::vector<std::string> only;                 // names of runs; empty: all
  bool json = false;
  bool quiet = false;
  bool verbose = false;
  bool first = false;  // stop a run at its first violation
  bool aba = false;    // where there is none: look for a compare-exchange that came off well
  reductions reduce;
  std::optional<std::uint64_t> threads;  // all cores
  std::optional<std::uint64_t> max_states;
  std::optional<std::uint64_t> max_memory;               // bytes
  std::optional<std::filesystem::path> spill;            // folder for the states
  std::optional<std::filesystem::path> save;             // folder for searches that were stopped
  bool no_promises = false;                              // under ptx: without load buffering
  std::optional<std::filesystem::path> resume;           // the same, to go on with
  std::optional<double> time;                            // seconds, for each run
  std::optional<std::filesystem::path> counterexamples;  // folder to write them to
  std::optional<search_options> search;                  // none: explore everything
  std::optional<std::filesystem::path> results;          // file to write, JSON
  std::optional<std::filesystem::path> junit;            // file to write, JUnit XML
  bool github = false;                                   // annotations for GitHub Actions
};

struct replay_options {
  std::filesystem::path counterexample;
  bool trust = false;  // run its source wherever that is
  bool step = false;   // show one step at a time
  bool json = false;
};

struct explain_options {
  std::vector<std::filesystem::path> scenarios;
  bool json = false;
};

struct hardware_options {
  std::vector<std::filesystem::path> scenarios;
  bool json = false;
  std::uint64_t trials = 1000;                       // launches of each run
  std::optional<std::uint64_t> seed;                 // of what is left to chance, 1 or more
  std::vector<std::uint64_t> scale;                  // larger grids: so many times
  std::optional<double> model_time;                  // seconds, for exploring the model of each run
  std::optional<double> time;                        // seconds, for each launch
  std::optional<simt::reconvergence> reconvergence;  // of runs; nothing: both
  std::optional<std::filesystem::path> ptx;          // made by --prepare; nothing: compiled here
  std::optional<std::filesystem::path> prepare;      // only make it, there
};

struct measure_options {
  std::vector<std::filesystem::path> scenarios;  // files, and folders of them
  std::string benchmark = "counter";             // or "blocks", "accesses", "table", "list"
  std::vector<std::uint64_t> blocks;             // grids; empty: the benchmark's
  std::vector<std::uint64_t> threads;            // per block; empty: the benchmark's
  std::uint64_t increments = 32768;              // of each launch (counter)
  std::uint64_t operations = 1000;               // of each block (blocks, accesses)
  std::optional<std::uint64_t> pairs;            // of each launch (table, list)
  std::vector<std::uint64_t> buckets;            // of a table; empty: the benchmark's
  std::vector<std::uint64_t> entry_points;       // of a list; empty: the benchmark's
  std::vector<std::string> locks;                // of a table, list or file; empty: all
  std::uint64_t trials = 10;                     // launches of each grid
  double time = 10;                              // seconds, for each launch
  bool json = false;
  std::optional<std::filesystem::path> csv;   // file to write
  std::optional<std::filesystem::path> svg;   // folder to write plots to
  std::optional<std::filesystem::path> from;  // file to plot, in place of measuring
  std::string gpu;                            // that it was measured on, for titles
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
  thread_placement placement = thread_placement::lane;  // of their threads
};

struct history_command_options {
  std::filesystem::path file;
  std::string spec;  // "queue", "semaphore:permits=2"
  std::optional<std::filesystem::path> source;
  std::string consistency = "linearizable";
  bool search = false;  // no algorithm but the search
  bool order = false;
  bool json = false;
  std::optional<std::uint64_t> max_memory;  // bytes
  std::optional<double> time;               // seconds
};

/// Of litmus tests on a GPU.
struct litmus_hardware_options {
  std::uint64_t instances = 4'000'000;         // of each test
  std::uint64_t seed = 1;                      // of what is left to chance
  std::optional<std::filesystem::path> build;  // only compile, into this folder
  std::optional<std::string> architecture;     // to compile for: "sm_90"
  std::optional<std::filesystem::path> run;    // what was compiled into this folder
};

struct litmus_options {
  std::vector<std::filesystem::path> tests;  // files, and folders of them
  std::optional<std::filesystem::path> key;  // published answers
  litmus::candidate_options evaluation;
  std::optional<double> time;  // seconds, for each test
  bool explain = false;        // show a witness, or why there is none
  bool json = false;
  bool dot = false;
  bool quiet = false;
  bool on_hardware = false;
  litmus_hardware_options hardware;
};

exit_status list(const list_options& options);
exit_status run(const run_options& options);
exit_status replay(const replay_options& options);
exit_status explain(const explain_options& options);
exit_status hardware(const hardware_options& options);
exit_status measure(const measure_options& options);
exit_status measure_accesses(const measure_options& options);
exit_status measure_structures(const measure_options& options);
exit_status measure_from(const measure_options& options);
exit_status progress(const progress_options& options);
exit_status check_recorded(const history_command_options& options);
exit_status litmus_tests(const litmus_options& options);
exit_status litmus_on_hardware(const litmus_options& options);

/// Reads the command line and carries out the command that it names.
exit_status command_line(int argc, char** argv);

}  // namespace warpcheck
