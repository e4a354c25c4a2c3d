// Implements warpcheck list: shows the subjects and scenarios that come with warpcheck, or the runs
// of scenarios.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "checker/commands/commands.hpp"
#include "checker/console/interrupt.hpp"
#include "checker/console/read_all.hpp"
#include "checker/scenario/scenario.hpp"
#include "checker/text/json_text.hpp"
#include "sim/compile/compile.hpp"
#include "sim/subject/subject.hpp"

namespace warpcheck {

namespace {

namespace fs = std::filesystem;

struct listed_type {
  std::string name;
  std::vector<std::string> workloads;
};

struct listed_subject {
  std::string name;  // "locks/tas"
  std::string fingerprint;
  std::vector<listed_type> types;
};

std::vector<listed_type> types_of(const simt::subject_library& library) {
  std::vector<listed_type> types;
  for (const simt::detail::subject_entry* entry : library.entries) {
    auto type = std::find_if(types.begin(), types.end(),
                             [&](const listed_type& t) { return t.name == entry->name; });
    if (type == types.end()) type = types.insert(types.end(), listed_type{entry->name, {}});
    type->workloads.emplace_back(entry->workload);
  }
  return types;
}

/// Returns the shared objects of the subjects, in order. Compiles those that the build has not
/// compiled, on all cores. A terminal shows the progress.
std::vector<fs::path> compiled(const std::vector<std::string>& names) {
  using clock = std::chrono::steady_clock;
  std::vector<fs::path> objects(names.size());
  std::vector<std::exception_ptr> failures(names.size());
  std::atomic<std::size_t> next = 0, done = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < names.size() && !stop_requested; i = next++, ++done) {
      try {
        objects[i] = simt::shipped_subject(names[i]);
      } catch (...) {
        failures[i] = std::current_exception();
      }
    }
  };
  const bool shows = ::isatty(STDERR_FILENO) == 1;
  const auto begin = clock::now();
  {
    std::vector<std::jthread> threads;
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    for (unsigned i = 0; i < cores; ++i) threads.emplace_back(work);
    while (shows && done < names.size() && !stop_requested) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      const double seconds = std::chrono::duration<double>(clock::now() - begin).count();
      if (seconds < 1 || done == 0) continue;
      const double left =
          seconds / static_cast<double>(done) * static_cast<double>(names.size() - done);
      fmt::print(stderr,
                 "\r\033[Kcompiling the shipped subjects, once: {} of {}, about {:.0f} s left",
                 done.load(), names.size(), left);
    }
  }
  if (shows) fmt::print(stderr, "\r\033[K");
  if (stop_requested) return {};
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
  return objects;
}

std::vector<listed_subject> listed_subjects() {
  const std::vector<std::string> names = simt::shipped_subjects();
  const std::vector<fs::path> objects = compiled(names);
  std::vector<listed_subject> subjects;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    subjects.push_back({names[i], simt::object_fingerprint(objects[i]),
                        types_of(*simt::subject_library::load(objects[i]))});
  }
  return subjects;
}

std::vector<scenario> shipped_scenarios() {
  const fs::path folder = warpcheck_paths::scenarios_dir();
  std::error_code error;
  if (!fs::is_directory(folder, error) || fs::is_empty(folder, error)) return {};
  return read_all({folder});
}

nlohmann::ordered_json to_json(const scenario& s) {
  nlohmann::ordered_json names = nlohmann::ordered_json::array();
  for (const run_settings& run : s.runs) names.push_back(run.name);
  return {{"file", readable_path(s.file)},
          {"scenario", s.title},
          {"subject", s.subject},
          {"runs", s.runs.size()},
          {"run_names", names}};
}

nlohmann::ordered_json to_json(const std::vector<listed_subject>& subjects,
                               const std::vector<scenario>& scenarios) {
  nlohmann::ordered_json document{{"version", 1},
                                  {"subjects", nlohmann::ordered_json::array()},
                                  {"scenarios", nlohmann::ordered_json::array()}};
  for (const listed_subject& subject : subjects) {
    nlohmann::ordered_json types = nlohmann::ordered_json::array();
    for (const listed_type& type : subject.types)
      types.push_back({{"type", type.name}, {"workloads", type.workloads}});
    document["subjects"].push_back(
        {{"subject", subject.name}, {"fingerprint", subject.fingerprint}, {"types", types}});
  }
  for (const scenario& s : scenarios) document["scenarios"].push_back(to_json(s));
  return document;
}

nlohmann::ordered_json to_json(const scenarios_read& given) {
  nlohmann::ordered_json document{{"version", 1},
                                  {"scenarios", nlohmann::ordered_json::array()},
                                  {"refused", nlohmann::ordered_json::array()}};
  for (const scenario& s : given.scenarios) document["scenarios"].push_back(to_json(s));
  for (const refusal& r : given.refused)
    document["refused"].push_back({{"file", readable_path(r.file)}, {"message", r.message}});
  return document;
}

void print(const std::vector<listed_subject>& subjects, const std::vector<scenario>& scenarios) {
  std::size_t width = 0;
  for (const listed_subject& subject : subjects) width = std::max(width, subject.name.size());
  fmt::print("subjects (name, and the workloads it fits)\n");
  for (const listed_subject& subject : subjects) {
    std::vector<std::string> workloads;
    for (const listed_type& type : subject.types) {
      for (const std::string& workload : type.workloads) {
        workloads.push_back(subject.types.size() == 1 ? workload : type.name + ": " + workload);
      }
    }
    fmt::print("  {:<{}}  {}\n", subject.name, width, fmt::join(workloads, ", "));
  }
  width = 0;
  for (const scenario& s : scenarios) width = std::max(width, readable_path(s.file).size());
  fmt::print("\nscenarios (run one: warpcheck run FILE)\n");
  for (const scenario& s : scenarios)
    fmt::print("  {:<{}}  {}\n", readable_path(s.file), width, s.title);
}

void print_runs(const std::vector<scenario>& scenarios) {
  std::size_t width = 0;
  for (const scenario& s : scenarios) {
    for (const run_settings& run : s.runs) width = std::max(width, run.name.size());
  }
  for (const scenario& s : scenarios) {
    fmt::print("{}  {}\n", readable_path(s.file), s.title);
    for (const run_settings& run : s.runs) {
      fmt::print("  {:<{}}  expects {}\n", run.name, width, name(run.expect.value_or(verdict::ok)));
    }
  }
}

// Lists the runs that can be read, even if others cannot. A tool that makes tests of them needs
// both.
exit_status list_runs(const list_options& options) {
  const scenarios_read given = read_each(options.scenarios);
  if (options.json) {
    fmt::print("{}\n", json_text(to_json(given)));
  } else {
    print_runs(given.scenarios);
  }
  throw_refusals(given.refused);
  return exit_status::as_expected;
}

}  // namespace

exit_status list(const list_options& options) {
  if (!options.scenarios.empty()) return list_runs(options);
  handle_interrupts();
  const auto subjects = listed_subjects();
  if (stop_requested) {
    fmt::print(stderr, "warpcheck: interrupted; what is compiled is kept\n");
    return exit_status::inconclusive;
  }
  const auto scenarios = shipped_scenarios();
  if (options.json) {
    fmt::print("{}\n", json_text(to_json(subjects, scenarios)));
  } else {
    print(subjects, scenarios);
  }
  return exit_status::as_expected;
}

}  // namespace warpcheck
