// Implements warpcheck list: shows the subjects and scenarios that come with warpcheck, or the runs
// of scenarios.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "checker/commands/commands.hpp"
#include "checker/commands/select_runs.hpp"
#include "checker/console/interrupt.hpp"
#include "checker/console/lines/say.hpp"
#include "checker/console/lines/tasks_line.hpp"
#include "checker/console/read_all.hpp"
#include "checker/scenario/scenario.hpp"
#include "checker/text/closest_name.hpp"
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
  {
    std::vector<std::jthread> threads;
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    for (unsigned i = 0; i < cores; ++i) threads.emplace_back(work);
    tasks_line line(true, names.size(), "subjects", "compiling what is shipped, once: ");
    while (line.is_shown() && done < names.size() && !stop_requested) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      line.show(done);
    }
  }
  if (stop_requested) return {};
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
  return objects;
}

/// What of the shipped subjects and scenarios is listed.
struct shipped_choice {
  std::vector<std::string> families;  // "locks"; empty: all
  std::vector<std::string> parts;     // parts of names; empty: all

  [[nodiscard]] bool has_family(const fs::path& name) const {
    return families.empty() ||
           std::ranges::find(families, name.begin()->string()) != families.end();
  }
};

fs::path below_shipped(const fs::path& file) {
  return file.lexically_relative(fs::path(warpcheck_paths::scenarios_dir()));
}

std::vector<listed_subject> listed_subjects(const shipped_choice& which) {
  std::vector<std::string> names = simt::shipped_subjects();
  std::erase_if(names, [&](const std::string& name) {
    return !which.has_family(name) || !has_part(name, which.parts);
  });
  const std::vector<fs::path> objects = compiled(names);
  std::vector<listed_subject> subjects;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    subjects.push_back({names[i], simt::object_fingerprint(objects[i]),
                        types_of(*simt::subject_library::load(objects[i]))});
  }
  return subjects;
}

std::vector<fs::path> shipped_files() {
  const fs::path folder = warpcheck_paths::scenarios_dir();
  std::error_code error;
  if (!fs::is_directory(folder, error) || fs::is_empty(folder, error)) return {};
  return scenario_files({folder});
}

std::vector<scenario> shipped_scenarios(const shipped_choice& which) {
  std::vector<fs::path> files = shipped_files();
  std::erase_if(files,
                [&](const fs::path& file) { return !which.has_family(below_shipped(file)); });
  if (files.empty()) return {};
  return matching(read_all(files), which.parts);
}

/// Returns the families of shipped subjects and scenarios: their first folders.
std::set<std::string> shipped_families() {
  std::set<std::string> all;
  for (const std::string& name : simt::shipped_subjects()) {
    all.insert(name.substr(0, name.find('/')));
  }
  for (const fs::path& file : shipped_files()) {
    const fs::path name = below_shipped(file);
    if (name.has_parent_path()) all.insert(name.begin()->string());
  }
  return all;
}

/// Returns the families among the arguments. What is a file or a folder here is none.
std::vector<std::string> families_in(const std::vector<fs::path>& arguments) {
  std::vector<std::string> given;
  std::set<std::string> known;
  for (const fs::path& one : arguments) {
    std::error_code error;
    const std::string word = one.string();
    if (fs::exists(one, error) || word.find_first_of("/.-") != std::string::npos) continue;
    if (known.empty()) known = shipped_families();
    if (known.contains(word)) {
      given.push_back(word);
      continue;
    }
    const std::vector<std::string_view> names(known.begin(), known.end());
    if (const auto near = closest_name(word, names)) {
      throw usage_error(fmt::format(
          "list: there is no file, folder or family \"{}\"; did you mean \"{}\"?", word, *near));
    }
  }
  return given;
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
  if (!subjects.empty()) say("subjects (name, and the workloads it fits)\n");
  for (const listed_subject& subject : subjects) {
    std::vector<std::string> workloads;
    for (const listed_type& type : subject.types) {
      for (const std::string& workload : type.workloads) {
        workloads.push_back(subject.types.size() == 1 ? workload : type.name + ": " + workload);
      }
    }
    say("  {:<{}}  {}\n", subject.name, width, fmt::join(workloads, ", "));
  }
  if (scenarios.empty()) return;
  width = 0;
  for (const scenario& s : scenarios) width = std::max(width, readable_path(s.file).size());
  say("{}scenarios (run one: warpcheck run FILE)\n", subjects.empty() ? "" : "\n");
  for (const scenario& s : scenarios) {
    say("  {:<{}}  {}\n", readable_path(s.file), width, s.title);
  }
}

void print_runs(const std::vector<scenario>& scenarios) {
  std::size_t width = 0;
  for (const scenario& s : scenarios) {
    for (const run_settings& run : s.runs) width = std::max(width, run.name.size());
  }
  for (const scenario& s : scenarios) {
    say("{}  {}\n", readable_path(s.file), s.title);
    for (const run_settings& run : s.runs) {
      say("  {:<{}}  expects {}\n", run.name, width, name(run.expect.value_or(verdict::ok)));
    }
  }
}

// Lists the runs that can be read, even if others cannot. A tool that makes tests of them needs
// both.
exit_status list_runs(const list_options& options) {
  scenarios_read given = read_each(options.scenarios);
  if (given.refused.empty()) {
    run_choice which;
    which.matching = options.matching;
    given.scenarios = chosen(std::move(given.scenarios), which);
  }
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
  const shipped_choice which{families_in(options.scenarios), options.matching};
  if (which.families.size() < options.scenarios.size()) {
    if (which.families.empty()) return list_runs(options);
    throw usage_error(fmt::format(
        "list: {} is a family, which has subjects and scenarios, and others are files; list one "
        "kind at a time",
        which.families.front()));
  }
  handle_interrupts();
  const auto subjects = listed_subjects(which);
  if (stop_requested) {
    fmt::print(stderr, "warpcheck: interrupted; what is compiled is kept\n");
    return exit_status::inconclusive;
  }
  const auto scenarios = shipped_scenarios(which);
  if (subjects.empty() && scenarios.empty() && !which.parts.empty()) {
    throw usage_error(fmt::format(
        "-k: no subject has \"{}\" in its name, and no run in its file or its name; `warpcheck "
        "list` shows them all",
        fmt::join(which.parts, "\" or \"")));
  }
  if (options.json) {
    fmt::print("{}\n", json_text(to_json(subjects, scenarios)));
  } else {
    print(subjects, scenarios);
  }
  return exit_status::as_expected;
}

}  // namespace warpcheck
