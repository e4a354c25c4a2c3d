// Keeps a counterexample as a small JSON file that reproduces on another machine: choices, never
// images.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "checker/run/choices/named_execution.hpp"
#include "checker/run/result.hpp"
#include "checker/run/session.hpp"

namespace warpcheck {

struct saved_counterexample {
  std::string written_by;   // warpcheck's version
  scenario what;            // with the one run in question
  std::string fingerprint;  // of the source that the choices belong to
  violation found;          // its choices only after find_choices()
  named_execution how;
  // Under weak memory, only in files of version 1: the facts with which choices have the
  // numbers that are their names there.
  std::optional<simt::memory_facts> facts;

  [[nodiscard]] const run_settings& settings() const { return what.runs.front(); }
};

/// Returns a hash of the subject's source, wherever that lies.
std::string subject_fingerprint(const session& run);

/// Whether replay compiles and runs a `source` that lies outside of the counterexample's own folder
/// (docs/trust.md).
enum class trusted_sources : std::uint8_t { own_folder, all };

/// Whether `source`, links followed, is in the folder of `file` or below.
bool is_below_folder_of(const std::filesystem::path& source, const std::filesystem::path& file);

/// Returns a name like "tas-stack-sc-fair-simt-deadlock".
std::string counterexample_name(const scenario& what, const run_settings& how, verdict kind);

/// Says which run it is: "scenario", "run", "fingerprint".
nlohmann::ordered_json run_document(const session& run, const std::string& scenario_file);

/// Returns what the file of a counterexample has, as write_counterexample writes it.
nlohmann::ordered_json counterexample_document(session& run, const violation& found,
                                               const std::string& scenario_file,
                                               std::string_view version);

/// Writes a counterexample. `scenario_file` is as a person would type it. Throws simt::file_error
/// if the file cannot be written.
void write_counterexample(const std::filesystem::path& file, session& run, const violation& found,
                          const std::string& scenario_file, std::string_view version);

/// Throws usage_error with the place of what is wrong. Also throws if the source is not trusted.
saved_counterexample read_counterexample(const std::filesystem::path& file,
                                         trusted_sources trusted);

/// Finds the choices of a counterexample in a session of its run, with which nothing else was done.
/// Sets `found.how`. Returns which choice cannot be made; empty: each can.
std::string find_choices(session& run, saved_counterexample& saved,
                         const later_questions& ask = {});

}  // namespace warpcheck
